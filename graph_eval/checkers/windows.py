"""Which windows are read: the parts of the passages that a claim is judged against.

A claim is compared with windows of neighbouring sentences, since long premises hurt a small NLI model. Words choose the
windows: of each size the window that holds most of the claim's content words, rare words counting more. Only the
passages that hold most of them are read.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from graph_eval.chunks import chunks
from graph_eval.text.normalise import content_words, readable, stem
from graph_eval.text.quantities import Number, numbers
from graph_eval.text.sentences import is_heading, sentences, words_in
from graph_eval.text.sentences import windows as sentence_ranges
from graph_eval.types import Passage, Span

Matrix = NDArray[np.float32]
SPLIT_NUMBER = re.compile(r"(?<=\d[.,]) (?=\d)")  # tokenised text writes "235, 000" and "7. 5"
MAX_CACHED = 10_000  # windows that a selector keeps
MAX_QUERIES = 1000  # of one product of matrices


@dataclass(frozen=True, slots=True)
class Window:
    """`size` in sentences; `text` is the readable form that a model gets."""

    passage_id: str
    span: Span
    text: str
    size: int = 1


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A passage cut into sentences, with the terms (`stems`) and the number of words (`sizes`) of each.

    `terms`: of the whole passage.
    """

    passage: Passage
    spans: tuple[Span, ...]
    stems: tuple[frozenset[str], ...]
    sizes: tuple[int, ...]
    terms: frozenset[str]

    def window(self, first: int, last: int) -> Window:
        span = Span(self.spans[first].start, self.spans[last - 1].end)
        return Window(self.passage.id, span, readable(span.of(self.passage.text)), last - first)


@lru_cache(maxsize=20_000)
def terms(text: str) -> frozenset[str]:
    """The terms of a text for comparing texts: stems of content words, and numbers by value ("#1889")."""
    stems = {stem(word) for word, _ in content_words(text)}
    return frozenset(stems | {number_term(number) for number in numbers(text)})


def number_term(number: Number) -> str:
    """The term of a number, equal for every spelling of its value."""
    return f"#{number.value.normalize():f}"


def place_of(passage: Passage) -> tuple[str, str]:
    """A key to sort passages by, so that neither their order nor case and white space change a verdict."""
    return " ".join(passage.text.casefold().split()), passage.id


@lru_cache(maxsize=512)
def index(passage: Passage) -> IndexedPassage:
    """The passage split into sentences. Text without a sentence is one sentence. An empty passage has none.

    A heading is no evidence by itself: it belongs to the sentence behind it.
    """
    spans = tuple(_with_headings(passage.text))
    if not spans and passage.text.strip():
        spans = (Span(0, len(passage.text)),)
    stems = tuple(terms(span.of(passage.text)) for span in spans)
    sizes = tuple(words_in(span.of(passage.text)) for span in spans)
    every = frozenset().union(*stems, terms(SPLIT_NUMBER.sub("", passage.text)))
    return IndexedPassage(passage, spans, stems, sizes, every)


def _with_headings(text: str) -> Iterator[Span]:
    """The sentences, each with the headings in front of it. Headings at the end belong to none and stand alone."""
    start: int | None = None
    span = Span(0, 0)
    for sentence in sentences(text):
        span = sentence.span
        if is_heading(text, span):
            start = span.start if start is None else start
            continue
        yield Span(span.start if start is None else start, span.end)
        start = None
    if start is not None:
        yield Span(start, span.end)


def with_lead(passage: Passage, span: Span) -> Span:
    """The span with the sentence in front of it, which often says what its pronouns stand for."""
    before = [sentence for sentence in index(passage).spans if sentence.end <= span.start]
    return Span(before[-1].start, span.end) if before else span


@dataclass(slots=True)
class WindowSelector:
    """`sizes` in sentences: of every size the best window of each of the best `passages`. Safe to use from threads."""

    sizes: tuple[int, ...] = (1, 3)
    passages: int = 3
    _windows: dict[tuple[str, int, int], Window] = field(default_factory=dict, repr=False, compare=False)

    def __reduce__(self) -> tuple[type[WindowSelector], tuple[tuple[int, ...], int]]:
        return WindowSelector, (self.sizes, self.passages)

    @property
    def fingerprint(self) -> str:
        return f"windows-3:{self.sizes}:{self.passages}"

    def select(self, passages: Sequence[Passage], queries: Sequence[str]) -> list[list[Window]]:
        """For each query (a claim's text) its windows, best passage first."""
        indexed = [entry for entry in map(index, passages) if entry.spans]
        if not indexed:
            return [[] for _ in queries]
        # In blocks: the matrices of all queries would grow with the square of their number.
        return [windows for block in chunks(queries, MAX_QUERIES) for windows in self._selected(indexed, block)]

    def _selected(self, indexed: Sequence[IndexedPassage], queries: Sequence[str]) -> list[list[Window]]:
        query_terms = [terms(query) for query in queries]
        vocabulary = {term: column for column, term in enumerate(sorted(frozenset().union(*query_terms)))}
        weighted_queries = _rows(query_terms, vocabulary) * _weights(indexed, vocabulary)
        by_passage = [self._best(entry, vocabulary, weighted_queries) for entry in indexed]
        selected = []
        for query in range(len(queries)):
            ranked = sorted(
                range(len(indexed)), key=lambda at: (-by_passage[at][query][0], place_of(indexed[at].passage))
            )
            windows: list[Window] = []
            for place in ranked[: self.passages]:
                score, ranges = by_passage[place][query]
                if windows and score <= 0.0:
                    break
                windows += [self._window(indexed[place], first, last) for first, last in ranges]
            selected.append(windows)
        return selected

    def _best(
        self, passage: IndexedPassage, vocabulary: dict[str, int], weighted_queries: Matrix
    ) -> list[tuple[float, list[tuple[int, int]]]]:
        """For each query the best coverage in the passage, and the best window of every size."""
        rows = _rows(passage.stems, vocabulary)
        count = len(passage.spans)
        sizes = sorted({min(size, count) for size in self.sizes})
        best: list[tuple[float, list[tuple[int, int]]]] = [(0.0, []) for _ in weighted_queries]
        for size in sizes:
            ranges = sentence_ranges(count, (size,))
            window_rows = rows[: count - size + 1].copy()
            for shift in range(1, size):
                np.maximum(window_rows, rows[shift : count - size + 1 + shift], out=window_rows)
            with np.errstate(invalid="ignore"):  # a processor flag that another library left set; all values are finite
                scores = weighted_queries @ window_rows.T
            for query, column in enumerate(scores.argmax(axis=1)):
                highest, chosen = best[query]
                best[query] = (max(highest, float(scores[query, column])), [*chosen, ranges[column]])
        return best

    def _window(self, passage: IndexedPassage, first: int, last: int) -> Window:
        """The window of these sentences, from the cache if it is there.

        Without a lock: each access is one operation on the dictionary, so another thread that clears it between two of
        them only costs a window made twice.
        """
        key = (passage.passage.id, first, last)
        window = self._windows.get(key)
        if window is None:
            window = passage.window(first, last)
            if len(self._windows) > MAX_CACHED:
                self._windows.clear()
            self._windows[key] = window
        return window


def _rows(groups: Sequence[frozenset[str]], vocabulary: dict[str, int]) -> Matrix:
    """(groups, vocabulary): 1 if the group contains the term."""
    rows = np.zeros((len(groups), len(vocabulary)), dtype=np.float32)
    for row, group in enumerate(groups):
        for term in group:
            if term in vocabulary:
                rows[row, vocabulary[term]] = 1.0
    return rows


def _weights(indexed: Sequence[IndexedPassage], vocabulary: dict[str, int]) -> Matrix:
    """Inverse sentence frequency over the passages of this task: a score must not depend on other tasks."""
    frequency = Counter(term for entry in indexed for stems in entry.stems for term in stems if term in vocabulary)
    total = sum(len(entry.stems) for entry in indexed)
    return np.array([1.0 + math.log((1 + total) / (1 + frequency[term])) for term in vocabulary], dtype=np.float32)
