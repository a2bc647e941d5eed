"""Claims that a passage states word for word need no model.

A claim is verbatim in a passage where it is a sentence of the passage. It also is where at least nine in ten of its
words stand in one piece in the passage, all but articles and connectives ("also"), and no word before them in their
sentence turns the statement around or takes some of it back ("he denied that ...", "if ...", "few ..."). The signs at
its numbers have to be the same: "$20" is not "€20", nor is "5%" "5".
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from graph_eval.text.normalise import ARTICLES, NEGATIONS, readable, words
from graph_eval.text.sentences import sentences
from graph_eval.types import Passage, Span

MIN_SHARE = 0.9  # of the claim's words that are adjacent in the passage
MIN_WORDS = 4  # shorter claims have too few words for a decision
SIGN = re.compile(r"[$£€¥₹¢%‰°<>≤≥±#]|(?<![\w)\]])[-−](?=[\d.])|(?<=\w)\+{1,2}(?!\w)")
SPACED_BEFORE = re.compile(r"[$£€¥₹<>≤≥±#]\s+$")
SPACED_BEHIND = re.compile(r"\s+[$£€¥₹¢%‰°]")
NEAR = 8  # characters between a number and its sign
INVERTING_WORDS = NEGATIONS | frozenset(
    "if whether unless few hardly rarely seldom barely scarcely almost nearly allegedly reportedly supposedly".split()
)
# Words that a claim may have besides, since they change nothing. "All", "before" or "she" do.
EMPTY_WORDS = ARTICLES | frozenset(
    "and but also then so however therefore additionally overall moreover furthermore thus hence".split()
)


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
    span = _same_words(claim, passage)
    if span is None or _signs(claim) != _signs(_with_signs(passage.text, span)):
        return None
    return span


def _signs(text: str) -> list[str]:
    return [match[0].replace("−", "-") for match in SIGN.finditer(text)]


def _with_signs(text: str, span: Span) -> str:
    """The words at the span with the signs that touch them, or that a blank parts from a number: "5 %", "€ 20"."""
    start, end = span
    while start > 0 and not text[start - 1].isalnum() and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isalnum() and not text[end].isspace():
        end += 1
    if text[span.start].isdigit() and (before := SPACED_BEFORE.search(text[max(0, start - NEAR) : start])):
        start -= len(before[0])
    if text[span.end - 1].isdigit() and (behind := SPACED_BEHIND.match(text[end : end + NEAR])):
        end += len(behind[0])
    return text[start:end]


def _same_words(claim: str, passage: Passage) -> Span | None:
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
    if not EMPTY_WORDS.issuperset(outside):
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
