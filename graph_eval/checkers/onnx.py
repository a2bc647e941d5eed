"""An exported NLI cross-encoder of one's own as a checker, without torch.

`onnx:FOLDER`: model.onnx, from input_ids, attention_mask and token_type_ids (int64) to logits (n, 3) of entailment,
neutral and contradiction, and match scores a token; and its tokenizer.json: as training/nli/export.py writes them.
"""

from __future__ import annotations

from pathlib import Path

from graph_eval.checkers.builtin import OnnxScorer
from graph_eval.checkers.pairs import PairChecker
from graph_eval.errors import UsageError
from graph_eval.registry import checker
from graph_eval.settings import Settings

FILES = ("model.onnx", "tokenizer.json")


@checker("onnx", argument="FOLDER", example="onnx:./model", reads=("threads",))
class OnnxChecker(PairChecker):
    """Flags what no window entails with more than a half. Raises UsageError where the folder lacks a file."""

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> OnnxChecker:
        path = Path(argument or "")
        for name in FILES:
            if not (path / name).is_file():
                raise UsageError(f"{path / name} is missing", "name a folder with model.onnx and tokenizer.json")
        return cls(OnnxScorer(path, settings.threads))
