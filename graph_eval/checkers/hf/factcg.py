"""FactCG-DeBERTa-v3-Large (huggingface.co/yaxili96/FactCG-DeBERTa-v3-Large, arXiv 2501.17144): a classifier of one
instruction that holds both texts, 2,048 tokens. Its second class means yes.

The instruction is that of github.com/derenlei/FactCG, as director-ai 3.21.0 quotes it
(core/scoring/_nli_model_inference.py).
"""

from __future__ import annotations

from graph_eval.checkers.hf.published import PromptedClassifier
from graph_eval.registry import checker
from graph_eval.settings import OF_TORCH

PROMPT = (
    "{premise}\n\nChoose your answer: based on the paragraph above can we conclude that "
    '"{hypothesis}"?\n\nOPTIONS:\n- Yes\n- No\nI think the answer is '
)


@checker("factcg", argument="[FOLDER]", reads=("threads", *OF_TORCH), extra="hf")
class FactCGChecker(PromptedClassifier):
    """FactCG-DeBERTa-v3-Large."""

    repository = "yaxili96/FactCG-DeBERTa-v3-Large"
    revision = "0430e3509dbd28d2dff7a117c0eae25359ff3e80"
    limit = 2048

    def prompt(self, premise: str, hypothesis: str) -> str:
        return PROMPT.format(premise=premise, hypothesis=hypothesis)
