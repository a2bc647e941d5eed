"""The corrector's model finds the words of a sentence that its evidence does not support, and their replacements.

It is an encoder of 6 layers, quantised to 8 bits, on onnxruntime. Training data, figures and limits are in
graph_eval/weights/corrector/README.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.onnx_model import OnnxModel, batches, padded
from graph_eval.types import Span

Array = NDArray[np.floating[Any]]
MAX_TOKENS = 320  # of a pair; longer evidence is cut at its end
MAX_SENTENCE_TOKENS = 200
MAX_BATCH_TOKENS = 768
RIGHT, REPLACED, ADDED, OPPOSITE = range(4)
TAGS = 4
MAX_POINTED_WORDS = 7  # words of a span of the evidence that a pointer names
EMBEDDED = 256  # tokens that are read together for their embeddings


@dataclass(frozen=True, slots=True)
class Pointer:
    """The position in the evidence of the right words for a span of the sentence.

    `starts`, `ends` (words of the evidence): log probabilities that they start and end with each word, -inf for words
    that were cut off. `absent`: log probability that the evidence does not hold them.
    """

    starts: Array
    ends: Array
    absent: float

    def log_p(self, first: int, last: int) -> float:
        return float(self.starts[first] + self.ends[last])

    def best(self, limit: int) -> list[tuple[int, int]]:
        """The most likely places (first word, last word), best first."""
        count = len(self.starts)
        table = self.starts[:, None] + self.ends[None, :]
        rows, columns = np.indices(table.shape)
        table = np.where((columns >= rows) & (columns < rows + MAX_POINTED_WORDS), table, -np.inf)
        order = np.argsort(-table, axis=None, kind="stable")[:limit]
        return [(int(at // count), int(at % count)) for at in order if np.isfinite(table.flat[at])]


@dataclass(frozen=True, slots=True)
class Reading:
    """The model's output for one pair of evidence and sentence.

    `offsets`: of each token in its text. `tags` (tokens, 4): probabilities. `queries` (2, tokens, size): of the first
    and the last token of a span. `keys` (tokens, size): for starts in the first half, for ends in the second. The
    tokens from `border` on belong to the sentence, except the last one.
    """

    offsets: Sequence[tuple[int, int]]
    border: int
    tags: Array
    queries: Array
    keys: Array

    def _token_ranges(self, spans: Sequence[Span], tokens: range) -> list[tuple[int, int] | None]:
        """First and last token of every word, or None for a word that was cut off."""
        ranges: list[tuple[int, int] | None] = []
        token = tokens.start
        for start, end in spans:
            while token < tokens.stop and self.offsets[token][1] <= start:
                token += 1
            first = token
            while token < tokens.stop and self.offsets[token][0] < end:
                token += 1
            ranges.append((first, token - 1) if token > first else None)
            token = max(first, token - 1)
        return ranges

    def _sentence_ranges(self, words: Sequence[Span]) -> list[tuple[int, int] | None]:
        return self._token_ranges(words, range(self.border, len(self.offsets) - 1))

    def word_tags(self, words: Sequence[Span]) -> Array:
        """Tag probabilities (words, 4) of the sentence's words."""
        tags = np.zeros((len(words), TAGS))
        tags[:, RIGHT] = 1.0
        for place, tokens in enumerate(self._sentence_ranges(words)):
            if tokens is not None:
                tags[place] = self.tags[tokens[0] : tokens[1] + 1].mean(0)
        return tags

    def pointers(
        self, words: Sequence[Span], evidence: Sequence[Span], spans: Sequence[tuple[int, int]]
    ) -> list[Pointer | None]:
        """A pointer for each span (first word, last word) of the sentence, or None for a span that was cut off."""
        sentence_ranges = self._sentence_ranges(words)
        evidence_ranges = self._token_ranges(evidence, range(1, self.border - 1))
        whole = [place for place, tokens in enumerate(evidence_ranges) if tokens is not None]
        pieces = [tokens for tokens in evidence_ranges if tokens is not None]
        half = self.keys.shape[1] // 2
        keys = self.keys[: self.border - 1]  # of [CLS] and the evidence
        pointers: list[Pointer | None] = []
        for first, last in spans:
            begin, end = sentence_ranges[first], sentence_ranges[last]
            if begin is None or end is None or not pieces:
                pointers.append(None)
                continue
            query = (self.queries[0, begin[0]] + self.queries[1, end[1]]) / np.sqrt(half)
            starts, ends = np.full((2, len(evidence)), -np.inf)
            all_starts = log_softmax(keys[:, :half] @ query[:half])
            all_ends = log_softmax(keys[:, half:] @ query[half:])
            starts[whole] = all_starts[[piece[0] for piece in pieces]]
            ends[whole] = all_ends[[piece[1] for piece in pieces]]
            pointers.append(Pointer(starts, ends, float(all_starts[0] + all_ends[0])))
        return pointers


class EditReader(OnnxModel):
    """The exported tagger and pointer."""

    def __init__(self, weights: Path, tokenizer: Path, threads: int = 0) -> None:
        super().__init__(weights / "model.onnx", tokenizer, threads)
        self._known: dict[int, Array] = {}  # embeddings by token

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """Pairs of evidence and sentence -> a reading of each, in order."""
        tokenizer = self.load().tokenizer
        encoded = [_cut(encoding) for encoding in tokenizer.encode_batch(list(pairs))]
        readings: list[Reading | None] = [None] * len(pairs)
        groups = list(batches([len(pair.ids) for pair in encoded], MAX_BATCH_TOKENS))
        feeds = [padded([(encoded[place].ids, encoded[place].types) for place in batch]) for batch in groups]
        for batch, outputs in zip(groups, self.run(feeds), strict=True):
            for row, place in enumerate(batch):
                pair = encoded[place]
                tags, first, last, keys = (part[row, : len(pair.ids)].astype(np.float64) for part in outputs[:4])
                tags = np.exp(log_softmax(tags))
                readings[place] = Reading(pair.offsets, pair.types.index(1), tags, np.stack([first, last]), keys)
        return [reading for reading in readings if reading is not None]

    def vectors(self, texts: Sequence[str]) -> Array:
        """Unit vectors (texts, size): the mean of the plain embeddings of a text's tokens."""
        tokenizer = self.load().tokenizer
        tokenized = [encoding.ids for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False)]
        table = self._embeddings({token for ids in tokenized for token in ids})
        rows = [np.sum([table[token] for token in ids], axis=0) for ids in tokenized if ids]
        if not rows:
            return np.zeros((len(texts), 1))
        vectors = np.zeros((len(texts), len(rows[0])))
        vectors[[place for place, ids in enumerate(tokenized) if ids]] = rows
        unit: Array = vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(min=1e-9)
        return unit

    def _embeddings(self, wanted: set[int]) -> dict[int, Array]:
        """The plain embeddings of tokens. Each token is read once: onnxruntime computes all outputs of the model."""
        with self._lock:
            known = self._known
        if new := sorted(wanted - known.keys()):
            session = self.load().session
            read: dict[int, Array] = {}
            for start in range(0, len(new), EMBEDDED):
                part = new[start : start + EMBEDDED]
                (plain,) = session.run(["plain"], padded([(part, [0] * len(part))]))
                read |= dict(zip(part, plain[0].astype(np.float64), strict=True))
            with self._lock:
                self._known = known = self._known | read
        return {token: known[token] for token in wanted}


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids of a pair, their types (0: evidence, 1: sentence), and their offsets."""

    ids: list[int]
    types: list[int]
    offsets: list[tuple[int, int]]


def _cut(encoding: Any) -> Encoded:
    """At most MAX_TOKENS tokens: the evidence is cut at its end, and so is a very long sentence."""
    ids, types, offsets = encoding.ids, encoding.type_ids, encoding.offsets
    border = types.index(1)
    sentence = slice(border, min(len(ids) - 1, border + MAX_SENTENCE_TOKENS))
    evidence = slice(0, min(border - 1, MAX_TOKENS - (sentence.stop - border) - 2))
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
