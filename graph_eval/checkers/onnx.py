"""Runs exported NLI cross-encoders without torch: the scorer of the builtin checker, and a checker for other models.

`onnx:FOLDER` holds model.onnx and its tokenizer.json, as training/nli/export.py writes them. The model maps input_ids,
attention_mask and token_type_ids (int64) to logits (n, 3) of entailment, neutral and contradiction, and to one match
score for each token.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.features import Reading
from graph_eval.checkers.pairs import PairChecker
from graph_eval.checkers.scores import softmax
from graph_eval.errors import UsageError
from graph_eval.onnx_model import OnnxModel, batches, padded
from graph_eval.registry import checker
from graph_eval.settings import Settings
from graph_eval.types import Scores

FILES = ("model.onnx", "tokenizer.json")
MAX_CLAIM = 160  # tokens; the premise gets the rest of the model's limit
BUDGET = 512  # tokens in a batch: larger batches do not fit into the processor's cache


class OnnxScorer(OnnxModel):
    """An exported cross-encoder. Output: logits (n, 3), and how well each token matches the premise."""

    max_tokens = 320

    def __init__(self, weights: Path, threads: int = 0) -> None:
        super().__init__(weights / "model.onnx", weights / "tokenizer.json", threads)

    @property
    def fingerprint(self) -> str:
        return f"onnx-2:{self.digest}:{self.max_tokens}"

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.floating[Any]]:
        return np.array([reading.scores for reading in self.read(pairs)]).reshape(-1, 3)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """Scores of (premise, hypothesis) pairs, and how well the hypothesis' word pieces match the premise's."""
        encoded = self.encode(pairs)
        lengths = [len(ids) for ids, _ in encoded]
        groups = list(batches(lengths, min(BUDGET, 1 + sum(lengths) // self._threads)))
        feeds = [padded([encoded[index] for index in batch]) for batch in groups]
        readings: list[Reading | None] = [None] * len(pairs)
        for batch, (logits, matches, *_) in zip(groups, self.run(feeds), strict=True):
            for index, scores, row in zip(batch, softmax(logits).tolist(), matches, strict=True):
                ids, types = encoded[index]
                pieces = np.sort(row[types.index(1) : len(ids) - 1])  # without the [SEP] at the end
                weakest = pieces[: max(1, len(pieces) // 3)]
                readings[index] = Reading(
                    Scores(*scores), *(float(part.mean()) if len(part) else 0.0 for part in (pieces, weakest))
                )
        return [reading for reading in readings if reading is not None]

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[int], list[int]]]:
        """Token ids and types of every pair, cut to `max_tokens`."""
        _, tokenizer = self.load()
        return [self._cut(encoding) for encoding in tokenizer.encode_batch(list(pairs))]

    def _cut(self, encoding: Any) -> tuple[list[int], list[int]]:
        """Ids and types. The end of the premise is cut off to fit, the claim's only where it alone is too long."""
        ids, types = encoding.ids, encoding.type_ids
        if len(ids) <= self.max_tokens:
            return ids, types
        border = types.index(1)  # the premise and its [SEP] lie before, the claim and its [SEP] behind
        premise, claim = ids[: border - 1], ids[border:-1]
        separator = ids[-1]
        claim = claim[: max(MAX_CLAIM, self.max_tokens - len(premise) - 2)]
        premise = premise[: self.max_tokens - len(claim) - 2]
        return (
            [*premise, separator, *claim, separator],
            [0] * (len(premise) + 1) + [1] * (len(claim) + 1),
        )


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
