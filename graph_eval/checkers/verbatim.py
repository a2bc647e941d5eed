"""Claims that a passage states word for word need no model.

A claim is verbatim in a passage where it is a sentence of the passage. It also is where at least nine in ten of its
words, every content word among them, stand in one piece in the passage, and no word before them in their sentence
turns the statement around ("he denied that ...", "if ...").
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from graph_eval.text.normalise import NEGATIONS, STOP_WORDS, readable, words
from graph_eval.text.sentences import sentences
from graph_eval.types import Passage, Span

MIN_SHARE = 0.9  # of the claim's words that are adjacent in the passage
MIN_WORDS = 4  # shorter claims have too few words for a decision
INVERTING_WORDS = NEGATIONS | {"if", "whether", "unless"}


class IndexedWords(NamedTuple):
    """A passage by its words. `positions`: of each word in `words`. `sentence_by_words`: the first such sentence."""

    words: list[tuple[str, Span]]
    positions: dict[str, list[int]]
    sentence_spans: list[Span]
    sentence_by_words: dict[tuple[str, ...], Span]


@lru_cache(maxsize=512)
def _indexed(passage: Passage) -> IndexedWords:
    passage_words = words(passage.text)
    positions = defaultdict(list)
    for position, (word, _) in enumerate(passage_words):
        positions[word].append(position)
    spans = [sentence.span for sentence in sentences(passage.text)]
    by_words = {}
    for span in reversed(spans):
        written = span.of(passage.text)
        for form in (written, readable(written)):  # a claim is readable text: odd quotes may join or part its words
            by_words[tuple(word for word, _ in words(form))] = span
    return IndexedWords(passage_words, positions, spans, by_words)


def verbatim_span(claim: str, passage: Passage) -> Span | None:
    """The span of the passage that states the claim in the same words, or None."""
    claim_words = [word for word, _ in words(claim)]
    passage_words, positions, sentence_spans, sentence_by_words = _indexed(passage)
    if claim_words and (span := sentence_by_words.get(tuple(claim_words))):
        return span
    if len(claim_words) < MIN_WORDS:
        return None
    length, claim_end, passage_end = _longest_run(claim_words, positions)
    if length < MIN_SHARE * len(claim_words):
        return None
    outside = claim_words[: claim_end - length] + claim_words[claim_end:]
    if any(word not in STOP_WORDS or word in NEGATIONS for word in outside):
        return None
    span = Span(passage_words[passage_end - length][1].start, passage_words[passage_end - 1][1].end)
    sentence_start = next((s.start for s in sentence_spans if s.start <= span.start < s.end), span.start)
    position = passage_end - length - 1
    while position >= 0 and passage_words[position][1].start >= sentence_start:
        word = passage_words[position][0]
        if word in INVERTING_WORDS or word.endswith("n't"):
            return None
        position -= 1
    return span


def _longest_run(claim_words: list[str], positions: dict[str, list[int]]) -> tuple[int, int, int]:
    """The longest common run: its length, its end in the claim and its end in the passage."""
    best = (0, 0, 0)
    previous: dict[int, int] = {}  # position in the passage -> length of the run that ends there
    for claim_position, word in enumerate(claim_words):
        current = {position: previous.get(position - 1, 0) + 1 for position in positions.get(word, ())}
        for position, length in current.items():
            if length > best[0]:
                best = (length, claim_position + 1, position + 1)
        previous = current
    return best
