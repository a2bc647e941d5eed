"""Claims that a passage states word for word need no model.

A claim is verbatim in a passage where it is a sentence of the passage. It also is where at least nine in ten of its
words stand in one piece in the passage, all but articles and connectives ("also"). Its first words must not belong to
what stands before them ("the mother of | Ada Berg was ..."), no word before it turns the statement around ("he denied
that ...", "if ...", "few ..."), and no condition follows. The signs at its numbers have to be the same: "$20" is not
"€20", nor is "5%" "5".
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from graph_eval.text.normalise import ARTICLES, NEGATIONS, readable, without_citations, words
from graph_eval.text.sentences import sentences
from graph_eval.types import Passage, Span

MIN_SHARE = 0.9  # of the claim's words that are adjacent in the passage
MIN_WORDS = 4  # shorter claims have too few words for a decision
_MONEY = "$¢£¤¥\u20a0-\u20cf"
MONEY = re.compile(rf"[{_MONEY}]")
SIGN = re.compile(
    rf"[{_MONEY}%‰°≤≥±]|#(?=\d)|(?<!\S)[<>](?= ?\d)|(?<![\w)\]])[-−–](?=[\d.])|(?<=\w)\+{{1,2}}(?!\w)|(?<=\d)/(?=\d)"
)
SPACED_BEFORE = re.compile(rf"[{_MONEY}<>≤≥±]\s+$")
SPACED_BEHIND = re.compile(rf"\s+(?:[%‰°]|[{_MONEY}](?!\s?\d))")
NEAR = 8  # characters between a number and its sign
INVERTING_WORDS = NEGATIONS | frozenset(
    """if whether unless few hardly rarely seldom barely scarcely almost nearly allegedly reportedly supposedly myth
    wrongly mistaken incorrect doubtful rumoured supposed""".split()
)
# Words that what stands behind them belongs to, and words that end no statement
BINDING = frozenset(
    """of than with without from by to in at on for about under over against between behind near his her its
    their""".split()
)
HYPHENS = ("-", "‑", "/")
GOES_ON = frozenset(
    "if unless except provided until percent per hundred thousand million billion trillion dozen".split()
)
# Words that a claim may have besides, since they change nothing. "All", "before" or "she" do.
EMPTY_WORDS = ARTICLES | frozenset(
    "and but also then so however therefore additionally overall moreover furthermore thus hence".split()
)


class IndexedWords(NamedTuple):
    """A passage by its words. `positions`: of each word in `words`. `sentences_by_words`: those of these words."""

    words: list[tuple[str, Span]]
    positions: dict[str, list[int]]
    sentence_spans: list[Span]
    sentences_by_words: dict[tuple[str, ...], list[Span]]


@lru_cache(maxsize=512)
def _indexed(passage: Passage) -> IndexedWords:
    passage_words = words(passage.text)
    positions = defaultdict(list)
    for position, (word, _) in enumerate(passage_words):
        positions[word].append(position)
    spans = [sentence.span for sentence in sentences(passage.text)]
    by_words: dict[tuple[str, ...], list[Span]] = {}
    for span in spans:
        written = span.of(passage.text)
        # a claim is readable text without citations: odd quotes may join or part its words
        forms = {written, readable(written), without_citations(written)}
        for own in {tuple(word for word, _ in words(form)) for form in forms}:
            by_words.setdefault(own, []).append(span)
    return IndexedWords(passage_words, positions, spans, by_words)


def verbatim_span(claim: str, passage: Passage) -> Span | None:
    """The span of the passage that states the claim in the same words, or None."""
    signs = _signs(claim)
    for span in _same_words(claim, passage):
        found = _signs(_with_signs(passage.text, span))
        if len(found) == len(signs) and all(map(_same_sign, signs, found)):
            return span
    return None


def _same_sign(first: str, second: str) -> bool:
    """Tokenised news has "#" for a currency's sign that its characters lack: "#200" for "£200"."""
    lost = "#" in (first, second) and MONEY.search(first + second) is not None
    return first == second or lost


def _signs(text: str) -> list[str]:
    return ["-" if match[0] in "−–" else match[0] for match in SIGN.finditer(without_citations(text))]


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


def _same_words(claim: str, passage: Passage) -> list[Span]:
    """The sentences that are the claim's words, or else the one place where a sentence has them in one piece."""
    claim_words = [word for word, _ in words(claim)]
    indexed = _indexed(passage)
    if claim_words and (found := indexed.sentences_by_words.get(tuple(claim_words))):
        return found
    if len(claim_words) < MIN_WORDS:
        return []
    length, claim_end, passage_end = _longest_run(claim_words, indexed.positions)
    if length < MIN_SHARE * len(claim_words):
        return []
    outside = claim_words[: claim_end - length] + claim_words[claim_end:]
    if not EMPTY_WORDS.issuperset(outside):
        return []
    span = _stated_apart(indexed, passage.text, passage_end - length, passage_end)
    return [span] if span else []


def _stated_apart(indexed: IndexedWords, text: str, first: int, end: int) -> Span | None:
    """The words [first, end) of the passage, or None where what stands beside them changes what they say."""
    found = indexed.words
    span = Span(found[first][1].start, found[end - 1][1].end)
    sentence = next((s for s in indexed.sentence_spans if s.start <= span.start < s.end), span)
    before = first - 1
    if before >= 0 and found[before][0] in ARTICLES:
        before -= 1
    if before >= 0 and found[before][1].start >= sentence.start:
        joint = text[found[before][1].end : found[before + 1][1].start]
        ranged = found[before][0] == "and" and found[first][0][:1].isdigit()  # "between 10 and 20 people"
        if (found[before][0] in BINDING and joint.isspace()) or joint in HYPHENS or ranged:
            return None  # "the mother of Ada Berg was ...", "twenty-five people ..."
    if end < len(found) and found[end][1].start < sentence.end:
        joined = text[span.end : found[end][1].start]
        if found[end][0] in GOES_ON or joined in HYPHENS:
            return None  # "... on Mondays if it is a holiday"
    while before >= 0 and found[before][1].start >= sentence.start:
        word = found[before][0]
        if word in INVERTING_WORDS or word.endswith("n't"):
            return None
        before -= 1
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
