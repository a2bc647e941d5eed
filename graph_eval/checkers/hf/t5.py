"""T5 models whose answer is one token: TRUE and TrueTeacher. Only the first step of the decoder is run.

TRUE (huggingface.co/google/t5_xxl_true_nli_mixture, arXiv 2204.04991) and TrueTeacher
(huggingface.co/google/t5_11b_trueteacher_and_anli, arXiv 2305.11171) read "premise: P hypothesis: H". P(consistent) is
the probability of the token "1".
"""

from __future__ import annotations

from typing import Any

from graph_eval.checkers.hf.engine import Array
from graph_eval.checkers.hf.loading import model_of
from graph_eval.checkers.hf.published import PromptedChecker
from graph_eval.nli.scores import binary
from graph_eval.registry import checker
from graph_eval.settings import OF_TORCH
from graph_eval.types import Scores


class FirstTokenChecker(PromptedChecker):
    """A sequence-to-sequence model that is scored by the first token of its answer."""

    def load(self, device: Any, dtype: Any) -> Any:
        from transformers import AutoModelForSeq2SeqLM

        return model_of(AutoModelForSeq2SeqLM, self.source, dtype).to(device)

    def first(self, model: Any, tensors: dict[str, Any]) -> Any:
        """Logits (n, vocabulary) of the first token."""
        import torch

        start = torch.full((len(tensors["input_ids"]), 1), model.config.decoder_start_token_id)
        return model(**tensors, decoder_input_ids=start.to(tensors["input_ids"].device)).logits[:, 0]


@checker("true", argument="[FOLDER]", reads=("threads", *OF_TORCH), extra="hf")
class TrueChecker(FirstTokenChecker):
    """TRUE's T5-XXL."""

    repository = "google/t5_xxl_true_nli_mixture"

    def prompt(self, premise: str, hypothesis: str) -> str:
        return f"premise: {premise} hypothesis: {hypothesis}"

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        yes = self.tokenizer("1")["input_ids"][0]
        return self.first(model, tensors).float().softmax(-1)[:, yes : yes + 1]

    def scores(self, row: Array) -> Scores:
        return binary(float(row[0]))


@checker("trueteacher", argument="[FOLDER]", reads=("threads", *OF_TORCH), extra="hf")
class TrueTeacherChecker(TrueChecker):
    """TrueTeacher's T5-11B."""

    repository = "google/t5_11b_trueteacher_and_anli"
    limit = 2048
