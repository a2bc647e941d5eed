"""The corrector's model: which words of a sentence are wrong beside its evidence, and where the right ones stand.

A small encoder on onnxruntime, 6 layers in 8 bit; see graph_eval/weights/corrector/README.md for data, figures and
limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.onnx_session import OnnxModel, batches, padded
from graph_eval.types import Span

if TYPE_CHECKING:
    pass

Array = NDArray[np.floating[Any]]
LONGEST = 320  # tokens of a pair; the evidence is cut at its end
LONGEST_SENTENCE = 200  # tokens
BUDGET = 768  # tokens a batch
RIGHT, REPLACED, ADDED, OPPOSITE = range(4)
TAGS = 4
FARTHEST = 7  # words of a span that is pointed at
VECTORS = 64  # texts whose vectors are looked up at once


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where the words stand that a span stands for: logarithms of the probabilities that they begin, and end, with
    each word of the evidence (-inf for words that were cut off), and that they are not there."""

    starts: Array
    ends: Array
    absent: float

    def log_p(self, first: int, last: int) -> float:
        return float(self.starts[first] + self.ends[last])

    def best(self, top: int) -> list[tuple[int, int]]:
        """The likeliest places (first, last), best first."""
        count = len(self.starts)
        table = self.starts[:, None] + self.ends[None, :]
        rows, columns = np.indices(table.shape)
        table = np.where((columns >= rows) & (columns < rows + FARTHEST), table, -np.inf)
        order = np.argsort(-table, axis=None, kind="stable")[:top]
        return [(int(at // count), int(at % count)) for at in order if np.isfinite(table.flat[at])]


@dataclass(frozen=True, slots=True)
class Reading:
    """The model's output for one pair of evidence and sentence, and where each token stands in either text.

    `tags` (tokens, 4) are probabilities; `asks` (2, tokens, size): what the first and the last token of a span ask,
    `answers` (tokens, size): starts in the first half, ends in the second. Tokens from `border` on, but for the last
    one, are the sentence's.
    """

    offsets: Sequence[tuple[int, int]]
    border: int
    tags: Array
    asks: Array
    answers: Array

    def _inside(self, spans: Sequence[Span], tokens: range) -> list[tuple[int, int] | None]:
        """First and last token of every word; None for one that was cut off."""
        found: list[tuple[int, int] | None] = []
        token = tokens.start
        for start, end in spans:
            while token < tokens.stop and self.offsets[token][1] <= start:
                token += 1
            first = token
            while token < tokens.stop and self.offsets[token][0] < end:
                token += 1
            found.append((first, token - 1) if token > first else None)
            token = max(first, token - 1)
        return found

    def word_tags(self, words: Sequence[Span]) -> Array:
        """Tag probabilities (words, 4) of the sentence's words."""
        found = np.zeros((len(words), TAGS))
        found[:, RIGHT] = 1.0
        for place, tokens in enumerate(self._inside(words, range(self.border, len(self.offsets) - 1))):
            if tokens is not None:
                found[place] = self.tags[tokens[0] : tokens[1] + 1].mean(0)
        return found

    def pointers(
        self, words: Sequence[Span], evidence: Sequence[Span], spans: Sequence[tuple[int, int]]
    ) -> list[Pointer | None]:
        """For spans of the sentence's words (first, last); None for a span that was cut off."""
        own = self._inside(words, range(self.border, len(self.offsets) - 1))
        there = self._inside(evidence, range(1, self.border - 1))
        whole = [place for place, inside in enumerate(there) if inside is not None]
        pieces = [inside for inside in there if inside is not None]
        half = self.answers.shape[1] // 2
        seen = self.answers[: self.border - 1]  # [CLS] and the evidence
        found: list[Pointer | None] = []
        for first, last in spans:
            begin, end = own[first], own[last]
            if begin is None or end is None or not pieces:
                found.append(None)
                continue
            asked = (self.asks[0, begin[0]] + self.asks[1, end[1]]) / np.sqrt(half)
            starts, ends = np.full((2, len(evidence)), -np.inf)
            all_starts = log_softmax(seen[:, :half] @ asked[:half])
            all_ends = log_softmax(seen[:, half:] @ asked[half:])
            starts[whole] = all_starts[[piece[0] for piece in pieces]]
            ends[whole] = all_ends[[piece[1] for piece in pieces]]
            found.append(Pointer(starts, ends, float(all_starts[0] + all_ends[0])))
        return found


class EditReader(OnnxModel):
    """The exported tagger and pointer."""

    def __init__(self, weights: Path, tokenizer: Path, threads: int = 0) -> None:
        super().__init__(weights / "model.onnx", tokenizer, threads)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """Pairs of evidence and sentence."""
        _, tokenizer = self.load()
        encoded = [_cut(item) for item in tokenizer.encode_batch(list(pairs))]
        found: list[Reading | None] = [None] * len(pairs)
        groups = list(batches([len(item.ids) for item in encoded], BUDGET))
        feeds = [padded([(encoded[place].ids, encoded[place].types) for place in batch]) for batch in groups]
        for batch, outputs in zip(groups, self.run(feeds), strict=True):
            for row, place in enumerate(batch):
                item = encoded[place]
                tags, first, last, answers = (part[row, : len(item.ids)].astype(np.float64) for part in outputs[:4])
                scores = np.exp(log_softmax(tags))
                found[place] = Reading(item.offsets, item.types.index(1), scores, np.stack([first, last]), answers)
        return [reading for reading in found if reading is not None]

    def vectors(self, texts: Sequence[str]) -> Array:
        """Unit vectors (texts, size): the mean of the plain embeddings of a text's pieces."""
        session, tokenizer = self.load()
        rows: list[Array] = []
        for start in range(0, len(texts), VECTORS):
            encoded = tokenizer.encode_batch(list(texts[start : start + VECTORS]))
            feed = padded([(item.ids, item.type_ids) for item in encoded])
            (plain,) = session.run(["plain"], feed)
            inner = feed["attention_mask"][:, :, None].astype(np.float64)
            inner[:, 0] = 0.0
            for row, item in enumerate(encoded):
                inner[row, len(item.ids) - 1] = 0.0  # neither [CLS] nor [SEP]
            sums = (plain * inner).sum(1)
            rows.append(sums / np.linalg.norm(sums, axis=1, keepdims=True).clip(min=1e-9))
        return np.concatenate(rows) if rows else np.zeros((0, 1))


@dataclass(frozen=True, slots=True)
class Encoded:
    ids: list[int]
    types: list[int]
    offsets: list[tuple[int, int]]


def _cut(item: Any) -> Encoded:
    """At most LONGEST tokens: the evidence loses its end, an endless sentence too."""
    ids, types, offsets = item.ids, item.type_ids, item.offsets
    border = types.index(1)
    sentence = slice(border, min(len(ids) - 1, border + LONGEST_SENTENCE))
    evidence = slice(0, min(border - 1, LONGEST - (sentence.stop - border) - 2))
    separator = ids[-1]
    return Encoded(
        [*ids[evidence], separator, *ids[sentence], separator],
        [0] * (evidence.stop + 1) + [1] * (sentence.stop - border + 1),
        [*offsets[evidence], (0, 0), *offsets[sentence], (0, 0)],
    )


def log_softmax(values: Array) -> Array:
    """Over the last axis."""
    shifted = values - values.max(-1, keepdims=True)
    result: Array = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return result
