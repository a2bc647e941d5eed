"""Claims that a passage states word for word need no model.

A claim counts as stated where it is a sentence of a passage, or where at least nine in ten of its words, every content
word among them, stand in one piece in a passage, and the sentence does not turn it around before ("he denied that
...", "if ...").
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from graph_eval.text.normalise import NEGATIONS, STOP_WORDS, readable, words
from graph_eval.text.sentences import sentences
from graph_eval.types import Passage, Span

SHARE = 0.9
SHORTEST = 4  # words; shorter claims say too little for their words to decide
TURNING = NEGATIONS | {"if", "whether", "unless"}


class Indexed(NamedTuple):
    words: list[tuple[str, Span]]
    places: dict[str, list[int]]  # word -> where it stands in `words`
    spans: list[Span]  # of the sentences
    sentences: dict[tuple[str, ...], Span]  # by their words


@lru_cache(maxsize=512)
def _indexed(passage: Passage) -> Indexed:
    found = words(passage.text)
    places = defaultdict(list)
    for place, (word, _) in enumerate(found):
        places[word].append(place)
    spans = [sentence.span for sentence in sentences(passage.text)]
    by_words = {}
    for span in reversed(spans):
        written = span.of(passage.text)
        for form in (written, readable(written)):  # a claim is readable text: odd quotes may join or part its words
            by_words[tuple(word for word, _ in words(form))] = span
    return Indexed(found, places, spans, by_words)


def stated_at(claim: str, passage: Passage) -> Span | None:
    """The span of the passage that states the claim in its own words, or None."""
    claimed = [word for word, _ in words(claim)]
    found, places, sentence_spans, whole = _indexed(passage)
    if claimed and (span := whole.get(tuple(claimed))):
        return span
    if len(claimed) < SHORTEST:
        return None
    length, claim_end, passage_end = _longest_run(claimed, places)
    if length < SHARE * len(claimed):
        return None
    outside = claimed[: claim_end - length] + claimed[claim_end:]
    if any(word not in STOP_WORDS or word in NEGATIONS for word in outside):
        return None
    span = Span(found[passage_end - length][1].start, found[passage_end - 1][1].end)
    opening = next((s.start for s in sentence_spans if s.start <= span.start < s.end), span.start)
    before = passage_end - length - 1
    while before >= 0 and found[before][1].start >= opening:
        if found[before][0] in TURNING or found[before][0].endswith("n't"):
            return None
        before -= 1
    return span


def _longest_run(claimed: list[str], places: dict[str, list[int]]) -> tuple[int, int, int]:
    """The longest common run: its length, its end in the claim and its end in the passage."""
    best = (0, 0, 0)
    before: dict[int, int] = {}
    for position, word in enumerate(claimed):
        now = {place: before.get(place - 1, 0) + 1 for place in places.get(word, ())}
        for place, length in now.items():
            if length > best[0]:
                best = (length, position + 1, place + 1)
        before = now
    return best
