"""A checker for any exported NLI cross-encoder: `onnx:FOLDER` (see graph_eval/nli/scorer.py)."""

from __future__ import annotations

from pathlib import Path

from graph_eval.checkers.pairs import PairChecker
from graph_eval.errors import UsageError
from graph_eval.nli.scorer import OnnxScorer
from graph_eval.registry import checker
from graph_eval.settings import Settings

FILES = ("model.onnx", "tokenizer.json")


@checker("onnx", argument="FOLDER", example="onnx:./model", reads=("threads",))
class OnnxChecker(PairChecker):
    """Flags a claim if no window entails it with more than 0.5. Raises UsageError if a file is missing."""

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> OnnxChecker:
        folder = Path(argument or "")
        for name in FILES:
            if not (folder / name).is_file():
                raise UsageError(f"{folder / name} is missing", "pass a folder with model.onnx and tokenizer.json")
        return cls(OnnxScorer(folder, settings.threads))
