"""Runs exported NLI cross-encoders without torch.

The folder of a model holds model.onnx and its tokenizer.json, as training/nli/export.py writes them. The model maps
input_ids, attention_mask and token_type_ids (int64) to `logits` (n, 3) of entailment, neutral and contradiction. It may
have a second output, `unsupported` (n, tokens): log odds that the premise does not support a token of the claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graph_eval.nli.scores import softmax
from graph_eval.onnx_model import OnnxModel, batches, padded
from graph_eval.progress import report
from graph_eval.types import Scores

MAX_CLAIM = 160  # tokens; the premise gets the rest of the model's limit
BUDGET = 512  # tokens in a batch: larger batches do not fit into the processor's cache


class Piece(NamedTuple):
    """A word piece of a hypothesis: its offsets in it, and the log odds that the premise does not support it."""

    start: int
    end: int
    log_odds: float


class Reading(NamedTuple):
    """The model's output for a hypothesis against one premise. `pieces` is empty if the model does not judge words."""

    scores: Scores
    pieces: tuple[Piece, ...] = ()


class Input(NamedTuple):
    """A pair in tokens. `offsets`: of the claim's tokens, in the claim; `claim`: the place of the first of them."""

    ids: list[int]
    types: list[int]
    claim: int
    offsets: list[tuple[int, int]]


class OnnxScorer(OnnxModel):
    """An exported cross-encoder. Output: logits (n, 3), and the log odds that a token of the claim is unsupported."""

    max_tokens = 320

    def __init__(self, weights: Path, threads: int = 0, *, keep_end: bool = False) -> None:
        super().__init__(weights / "model.onnx", weights / "tokenizer.json", threads)
        self._keep_end = keep_end  # of premises that are too long

    @property
    def fingerprint(self) -> str:
        return f"onnx-3:{self.digest}:{self.max_tokens}"

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.floating[Any]]:
        return np.array([reading.scores for reading in self.read(pairs)]).reshape(-1, 3)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """Scores of (premise, hypothesis) pairs and, where the model judges words, of the hypothesis' pieces."""
        encoded = self.encode(pairs)
        lengths = [len(entry.ids) for entry in encoded]
        groups = list(batches(lengths, min(BUDGET, 1 + sum(lengths) // self._threads)))
        feeds = (padded([(encoded[index].ids, encoded[index].types) for index in batch]) for batch in groups)
        names = [output.name for output in self.load().session.get_outputs()]
        readings: list[Reading | None] = [None] * len(pairs)
        done = 0
        for batch, found in zip(groups, self.run(feeds), strict=True):
            done += len(batch)
            report("pairs", done, len(pairs))
            outputs = dict(zip(names, found, strict=True))
            words = outputs.get("unsupported")
            for row, (index, scores) in enumerate(zip(batch, softmax(outputs["logits"]).tolist(), strict=True)):
                pieces = () if words is None else _pieces(encoded[index], words[row])
                readings[index] = Reading(Scores(*scores), pieces)
        return [reading for reading in readings if reading is not None]

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[Input]:
        """The tokens of every pair, cut to `max_tokens`."""
        return [self._cut(encoding) for encoding in self.load().tokenizer.encode_batch(list(pairs))]

    def _cut(self, encoding: Any) -> Input:
        """The end of the premise is cut off to fit (`keep_end`: its start), that of a claim if it alone is too long."""
        ids = encoding.ids
        border = encoding.type_ids.index(1)  # the premise and its [SEP] lie before, the claim and its [SEP] behind
        premise, claim = ids[: border - 1], ids[border:-1]
        separator = ids[-1]
        if len(ids) > self.max_tokens:
            claim = claim[: max(MAX_CLAIM, self.max_tokens - len(premise) - 2)]
            room = self.max_tokens - len(claim) - 2
            premise = [premise[0], *premise[max(1, len(premise) - room + 1) :]] if self._keep_end else premise[:room]
        return Input(
            [*premise, separator, *claim, separator],
            [0] * (len(premise) + 1) + [1] * (len(claim) + 1),
            len(premise) + 1,
            encoding.offsets[border : border + len(claim)],
        )


def _pieces(entry: Input, words: NDArray[np.floating[Any]]) -> tuple[Piece, ...]:
    own = words[entry.claim : entry.claim + len(entry.offsets)].tolist()
    return tuple(Piece(start, end, value) for (start, end), value in zip(entry.offsets, own, strict=True))
