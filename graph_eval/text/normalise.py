"""Normalised words, for comparing and counting, and readable spelling, for the input of models."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from graph_eval.types import Span

WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\W_]+")
_NUMBERS = r"\d{1,3}(?:\s*(?:[,;&–-]|and)\s*\d{1,3})*"  # of passages
_SOURCE = r"(?:docs?|documents?|sources?|passages?|refs?|references?)\.?\s*(?::\s*)?"
CITATION = re.compile(  # [1], [1-3], [doc 2], (1, 2), (Source: 2), 【2】, ^2^
    rf"\[\s*(?:{_SOURCE})?{_NUMBERS}\s*\]|\(\s*{_SOURCE}{_NUMBERS}\s*\)|\(\d{{1,2}}(?:,\s*\d{{1,2}})+\)|\s?【[^【】]*】"
    r"|\^\d{1,3}\^",
    re.IGNORECASE,
)
SINGLE_CITATION = re.compile(r"[【^]|\[\s*\d+\s*\]")  # of one source: no interval
CLOSES = re.compile(r"\s*(?:[.,;:!?\[]|$)")
NO_CITATION = re.compile(r"\b(?:is|are|was|were|of|in|to|at|from|by|between|and)\s$")  # what stands before a value
QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": "'"})
BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}

ARTICLES = frozenset({"a", "an", "the"})
STOP_WORDS = frozenset(
    """a an the and or but if while of at by for with about against between into through during before after above
    below to from up down in out on off over under again further then once here there when where why how all any
    both each few more most other some such no nor not only own same so than too very s t can will just don should
    now is are was were be been being have has had having do does did doing would could may might must shall i you
    he she it they we him her them his hers its their theirs our ours my me us your this that these those which who
    whom whose what also as however therefore additionally overall because""".split()
)
NEGATIONS = frozenset(
    """not no never none nobody nothing neither nor without cannot n't fail fails failed deny denies denied refuse
    refuses refused unable false untrue""".split()
)
SUFFIXES = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("edly", ""), ("ed", ""), ("es", ""), ("ly", ""), ("s", ""))


BOLD = re.compile(r"(?<!\S)\*\*(?=[^\s*])|(?<=[^\s*])\*\*(?!\w)")


def readable(text: str) -> str:
    """The text on one line in ordinary spelling.

    Tokenised text ("did n't", "-lrb-", " ,") is detokenised, and the marks of bold type are left out.
    """
    text = " ".join(text.split())  # first, so that runs of blanks neither change the result nor take long
    text = BOLD.sub("", text)
    text = re.sub(r"`` ?", '"', text)
    text = re.sub(r" ?''", '"', text).translate(QUOTES)
    text = re.sub(r"-(?:lrb|rrb|lsb|rsb|lcb|rcb)-", lambda m: BRACKETS[m[0].lower()], text, flags=re.IGNORECASE)
    text = re.sub(r" ([.,;:!?%)\]}])", r"\1", text)
    text = re.sub(r"([(\[{$#]) ", r"\1", text)
    text = re.sub(r"(?<=\w) (?=(?:'s|n't|'re|'ve|'ll|'d|'m)\b)", "", text)
    return re.sub(r"(?<=\w) - (?=\w)", "-", text).strip()


def without_citations(text: str) -> str:
    """The text without the marks that cite a source."""
    return " ".join(CITATION.sub(" ", text).split())


def without_marks(text: str) -> str:
    """The text on one line without the marks that cite a source: "It is warm [2]."

    What may be a value stays: "The interval is [2, 5].", "Pages [12-15] are missing", "the points (1, 2)".
    """
    text = " ".join(text.split())

    def kept(match: re.Match[str]) -> str:
        value = NO_CITATION.search(text[max(0, match.start() - 8) : match.start()]) is not None
        closing = match[0][0] != "(" and CLOSES.match(text, match.end()) is not None
        named = re.search(r"[^\W\d]", match[0]) is not None
        return " " if named or (not value and (closing or SINGLE_CITATION.search(match[0]))) else match[0]

    return " ".join(CITATION.sub(kept, text).split())


def words(text: str) -> list[tuple[str, Span]]:
    """Folded words and numbers with their spans, in order. See `fold`."""
    return [(fold(match[0]), Span(match.start(), match.end())) for match in WORD.finditer(text)]


def content_words(text: str) -> list[tuple[str, Span]]:
    """The words that are longer than one character and no stop words."""
    return [(word, span) for word, span in words(text) if len(word) > 1 and word not in STOP_WORDS]


@lru_cache(maxsize=100_000)
def fold(word: str) -> str:
    """The word in lower case with plain quotes. A possessive 's and the commas of a number are removed."""
    word = unicodedata.normalize("NFKC", word).casefold().translate(QUOTES)
    if word[:1].isdigit():
        return word.replace(",", "")
    return word.removesuffix("'s")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A stem of a folded word by its suffix: "moved", "moves" and "moving" have the same one."""
    if len(word) <= 3 or word[0].isdigit():
        return word
    for suffix, replacement in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: len(word) - len(suffix)] + replacement
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def aligned(spans: Sequence[Span], text: str, other: str) -> list[Span]:
    """Spans of a text in another form of it, whole words only.

    Words that only one form has ("did n't", "didn't") belong to those that the other has in their place.
    """
    before, after = words(text), words(other)
    first, second = [word for word, _ in before], [word for word, _ in after]
    inside = [place for place, (_, own) in enumerate(before) if any(own.overlaps(span) for span in spans)]
    if first != second:
        steps = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
        chosen = set(inside)
        inside = []
        for step, start, end, other_start, other_end in steps:
            if step == "equal":
                inside += [other_start + place - start for place in range(start, end) if place in chosen]
            elif any(place in chosen for place in range(start, end)):
                inside += range(other_start, other_end)
    return runs(inside, [span for _, span in after])


def runs(places: Iterable[int], spans: Sequence[Span]) -> list[Span]:
    """The words at these places; neighbours as one span."""
    found: list[Span] = []
    last = -2
    for place in places:
        span = spans[place]
        if place == last + 1:
            span = Span(found.pop().start, span.end)
        found.append(span)
        last = place
    return found
