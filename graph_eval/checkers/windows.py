"""Which parts of which passages a claim is judged against.

A claim is compared with windows of neighbouring sentences; long premises hurt a small NLI model. Words choose the
windows: of each size the one that holds most of the claim's content words, rare words counting more. Only the
passages that hold most of them are read.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from graph_eval.text.normalise import content_words, readable, stem
from graph_eval.text.quantities import Number, numbers
from graph_eval.text.sentences import sentences, windows
from graph_eval.types import Passage, Span

Matrix = NDArray[np.float32]
SPLIT_NUMBER = re.compile(r"(?<=\d[.,]) (?=\d)")  # tokenised text writes "235, 000" and "7. 5"


@dataclass(frozen=True, slots=True)
class Window:
    """`size` in sentences; `text` is the readable form that a model gets."""

    passage_id: str
    span: Span
    text: str
    size: int = 1


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A passage cut into sentences, with the content-word stems of each; `terms`: of the whole passage."""

    passage: Passage
    spans: tuple[Span, ...]
    stems: tuple[frozenset[str], ...]
    terms: frozenset[str]

    def window(self, first: int, last: int) -> Window:
        span = Span(self.spans[first].start, self.spans[last - 1].end)
        return Window(self.passage.id, span, readable(span.of(self.passage.text)), last - first)


@lru_cache(maxsize=20_000)
def terms(text: str) -> frozenset[str]:
    """What two texts share if they speak of the same: stems of content words, and numbers by value."""
    found = {stem(word) for word, _ in content_words(text)}
    found |= {number_term(number) for number in numbers(text)}
    return frozenset(found)


def number_term(number: Number) -> str:
    return f"#{number.value.normalize():f}"


@lru_cache(maxsize=512)
def index(passage: Passage) -> IndexedPassage:
    spans = tuple(sentence.span for sentence in sentences(passage.text))
    if not spans and passage.text.strip():
        spans = (Span(0, len(passage.text)),)
    stems = tuple(terms(span.of(passage.text)) for span in spans)
    return IndexedPassage(passage, spans, stems, frozenset().union(*stems, terms(SPLIT_NUMBER.sub("", passage.text))))


@dataclass(slots=True)
class WindowSelector:
    """`sizes` in sentences; of every size the best window of each of the best `passages`."""

    sizes: tuple[int, ...] = (1, 3)
    passages: int = 3
    _seen: dict[tuple[str, int, int], Window] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        return f"windows-1:{self.sizes}:{self.passages}"

    def select(self, passages: Sequence[Passage], queries: Sequence[str]) -> list[list[Window]]:
        """For each query (a claim's text) its windows, best passage first."""
        indexed = [item for item in map(index, passages) if item.spans]
        wanted = [terms(query) for query in queries]
        if not indexed or not queries:
            return [[] for _ in queries]
        vocabulary = {term: column for column, term in enumerate(sorted(frozenset().union(*wanted)))}
        weights = _weights(indexed, vocabulary)
        asked = _rows(wanted, vocabulary) * weights
        by_passage = [self._best(item, vocabulary, asked) for item in indexed]
        chosen = []
        for query in range(len(queries)):
            ranked = sorted(range(len(indexed)), key=lambda at: (-by_passage[at][query][0], indexed[at].passage.id))
            found: list[Window] = []
            for place in ranked[: self.passages]:
                score, ranges = by_passage[place][query]
                if found and score <= 0.0:
                    break
                found += [self._window(indexed[place], first, last) for first, last in ranges]
            chosen.append(found)
        return chosen

    def _best(
        self, item: IndexedPassage, vocabulary: dict[str, int], asked: Matrix
    ) -> list[tuple[float, list[tuple[int, int]]]]:
        """For each query the best coverage in the passage, and the best window of every size."""
        rows = _rows(item.stems, vocabulary)
        count = len(item.spans)
        sizes = sorted({min(size, count) for size in self.sizes})
        found: list[tuple[float, list[tuple[int, int]]]] = [(0.0, []) for _ in asked]
        for size in sizes:
            ranges = windows(count, (size,))
            held = rows[: count - size + 1].copy()
            for shift in range(1, size):
                np.maximum(held, rows[shift : count - size + 1 + shift], out=held)
            scores = asked @ held.T
            for query, best in enumerate(scores.argmax(axis=1)):
                highest, chosen = found[query]
                found[query] = (max(highest, float(scores[query, best])), [*chosen, ranges[best]])
        return found

    def _window(self, item: IndexedPassage, first: int, last: int) -> Window:
        key = (item.passage.id, first, last)
        if key not in self._seen:
            if len(self._seen) > 10_000:
                self._seen.clear()
            self._seen[key] = item.window(first, last)
        return self._seen[key]


def _rows(groups: Sequence[frozenset[str]], vocabulary: dict[str, int]) -> Matrix:
    rows = np.zeros((len(groups), len(vocabulary)), dtype=np.float32)
    for row, group in enumerate(groups):
        for term in group:
            if term in vocabulary:
                rows[row, vocabulary[term]] = 1.0
    return rows


def _weights(indexed: Sequence[IndexedPassage], vocabulary: dict[str, int]) -> Matrix:
    """Inverse sentence frequency over the task's own passages: a score must not depend on other tasks."""
    held = Counter(term for item in indexed for stems in item.stems for term in stems if term in vocabulary)
    total = sum(len(item.stems) for item in indexed)
    return np.array([1.0 + math.log((1 + total) / (1 + held[term])) for term in vocabulary], dtype=np.float32)
