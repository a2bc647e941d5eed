"""Sentence spans by rules, for prose, lists, chat answers and tokenised or lower-cased news text.

A text is split into lines first, and each line at its sentence ends. Every character lies in exactly one sentence,
except white space, list markers and pieces without a letter or digit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph_eval.text.quantities import MONTH_NAMES
from graph_eval.types import Span

MAX_LENGTH = 1000  # characters; a longer "sentence" is a run-on or no prose, and is split at a blank

ABBREVIATIONS = frozenset(
    """mr mrs ms dr prof sr jr st vs cllr etc inc ltd co corp no vol fig gen col lt sgt capt cmdr adm rev hon gov sen
    rep pres rs e.g i.e eg ie al approx est dept univ assn bros ft mt jan feb mar apr jun jul aug sep sept oct nov dec
    a.m p.m u.s u.k d.c ph.d b.c a.d c ca cf ed eds pp op cit""".split()
)
# Abbreviations that often end a sentence. They do so if a word that begins sentences follows.
OFTEN_LAST = frozenset("a.m p.m etc inc ltd co corp u.s u.k jr sr b.c a.d d.c".split())
UNITS = frozenset("mglhs")  # of one letter
OPENER = re.compile(
    r"(?:The|A|An|It|He|She|They|This|That|In|However|These|Those|His|Her|Its|But|On|At|As|We|I|There|After)\b"
)

CLOCK = re.compile(r"[ap]\.m$")
OF_A_TIME = re.compile(  # what follows the time of day inside its sentence: "5 p.m. Eastern Time on Friday"
    r"(?:Eastern|Central|Pacific|Mountain|Greenwich|Local|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|I"
    rf"|{'|'.join(map(str.capitalize, MONTH_NAMES))})\b"
)

MARKER = re.compile(r"[ \t]*(?:[-*+•–—◦▪]+|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)])[ \t]+(?=\S)|[ \t]*[-•](?=[A-Z])")
CLOSED = re.compile(r"[.:;!?)]\s*\Z")
NUMBERED = re.compile(r"(?<=\s)\(?(\d{1,2})[.)]\s+(?=[A-Z\"“*])")
END = re.compile(r"(?P<mark>[.!?…]+)(?P<close>(?:[\"'”’)\]*_]|(?<=\s)(?:''|'|\"))*)(?=\s|$)")
LAST_WORD = re.compile(r"\S+$")
HEADING = re.compile(r"[ \t]*(?:(?:#{1,6}[ \t]+|#{2,6}(?=[^\W_]))\S.*|\*\*[^*\n]+\*\*:?|__[^_\n]+__:?)\s*")
DEGREES = re.compile(r"(?:\bdegrees|°) *$")
KIND = re.compile(r"(?:[Rr]oute|[Pp]lan|[Oo]ption|[Gg]roup|[Zz]one|[Vv]itamin|[Ll]ine)\b")
LETTERED = re.compile(KIND.pattern + " *$")
LISTED = re.compile(r"\b[A-Z](?:,| and| or) *$")
LOOK_BACK = 16  # characters
LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`listed`: the sentence is an item of a list. Its marker is outside the span."""

    span: Span
    listed: bool = False


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text in order. Their spans do not overlap and have no surrounding white space."""
    parts = []
    for span, listed in _lines(text):
        for start, end in _ends(text, span):
            for piece in _limited(text, start, end):
                if LETTER.search(text, piece.start, piece.end):
                    parts.append(Sentence(piece, listed))
    return parts


def is_heading(text: str, sentence: Span) -> bool:
    """Whether the sentence is the Markdown heading of what follows: "## Refunds", or a line in bold."""
    start, end = text.rfind("\n", 0, sentence.start) + 1, text.find("\n", sentence.end - 1)
    return HEADING.fullmatch(text, start, len(text) if end < 0 else end) is not None


def windows(count: int, sizes: Sequence[int] = (1, 2, 3)) -> list[tuple[int, int]]:
    """Index ranges [first, end) of consecutive sentences out of `count`, for every size that fits."""
    return [(first, first + size) for size in sizes for first in range(count - size + 1)]


def _lines(text: str) -> Iterator[tuple[Span, bool]]:
    """Lines without indent and marker, and whether each is a list item. "1. ... 2. ..." gives a line for each item."""
    for line in re.finditer(r"[^\n\r\u2028\u2029\x0b\x0c]+", text):
        start, end = _stripped(text, line.start(), line.end())
        if start == end:
            continue
        marker = MARKER.match(text, start, end)
        listed = marker is not None
        if marker:
            start = marker.end()
        items = list(NUMBERED.finditer(text, start, end))
        numbers = [int(item[1]) for item in items]
        ascending = all(b - a == 1 for a, b in pairwise(numbers))
        opens = listed or numbers[:1] == [1] or all(CLOSED.search(text, start, item.start()) for item in items)
        if ascending and opens and (len(items) >= 2 or (listed and items)):
            cuts = [(start, start), *((item.start(), item.end()) for item in items), (end, end)]
            for (cut, after), (following, _) in pairwise(cuts):
                piece = _stripped(text, after, following)
                if piece.start < piece.end:
                    yield piece, listed or after > cut
            continue
        yield Span(start, end), listed


def _ends(text: str, line: Span) -> Iterator[tuple[int, int]]:
    start = line.start
    for match in END.finditer(text, line.start, line.end):
        end = match.end()
        if end >= line.end:
            break
        if match.start() <= start or not _closes(text, start, match, line.end):
            continue
        yield start, end
        start = end
        while start < line.end and text[start].isspace():
            start += 1
    if start < line.end:
        yield start, line.end


def _closes(text: str, start: int, match: re.Match[str], line_end: int) -> bool:
    """Whether the mark ends a sentence rather than an abbreviation, an initial or a quotation."""
    if text[match.start() - 1].isspace():
        return True  # tokenised text: " . " always ends a sentence
    following = text[match.end() : min(line_end, match.end() + 40)].lstrip().lstrip("\"'“‘([*_")
    if match["mark"] == ".":
        before = LAST_WORD.search(text, max(start, match.start() - 40), match.start())
        word = before[0].lower().lstrip("(\"'“[*_") if before else ""
        if (
            word in ("f", "c")
            and before
            and DEGREES.search(text[max(start, before.start() - LOOK_BACK) : before.start()])
        ):
            return following[:1].isupper()  # "Heat it to 350 degrees F. Bake ..."
        if word in UNITS and before and text[: before.start()].rstrip()[-1:].isdigit():
            return following[:1].isupper()  # "below 30 m. The ..."
        if before and len(word) == 1 and word.isalpha():
            lead = text[max(start, before.start() - LOOK_BACK) : before.start()]
            if LETTERED.search(lead) and following[:1].isupper():
                return True  # "plan B. It ..."
            if LISTED.search(lead) and (OPENER.match(following) or KIND.match(following)):
                return True  # "A and C. Route A ..."
        opening = before is not None and word == "no" and before.start() <= start  # "No. The bridge was ..."
        if before and (before[0] == "no" or opening) and re.match(r"[A-Z][a-z]*\b", following):
            return True  # "Most voted no. The turnout ..."
        if word in ABBREVIATIONS or (len(word) == 1 and word.isalpha()) or re.fullmatch(r"(?:[a-z]\.)+[a-z]", word):
            if CLOCK.match(word) and re.match(r"[A-Z][a-z]", following):
                return OF_A_TIME.match(following) is None  # "until 5 p.m. Tickets are ..."
            return word in OFTEN_LAST and OPENER.match(following) is not None
        # The "1." of an item that no list marker matched ends no sentence. A full stop before a lower-case word does,
        # for lower-cased text. After "?" or "!" such a word usually continues the sentence ('"Really?" he said').
        return not (word.isdigit() and before is not None and before.start() <= start)
    return not following[:1].islower()


def _limited(text: str, start: int, end: int) -> Iterator[Span]:
    while end - start > MAX_LENGTH:
        cut = text.rfind(" ", start + MAX_LENGTH // 2, start + MAX_LENGTH)
        cut = cut if cut > 0 else start + MAX_LENGTH
        yield _stripped(text, start, cut)
        start = _stripped(text, cut, end).start
    if start < end:
        yield Span(start, end)


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def runs(text: str, limit: int, size: Callable[[str], int]) -> Iterator[list[Span]]:
    """Runs of consecutive whole sentences whose sizes sum to at most `limit`. A larger sentence is a run by itself.

    `size`: the size of a sentence's words, e.g. `words_in`, in the unit of `limit`.
    """
    run: list[Span] = []
    run_size = 0
    for sentence in sentences(text):
        sentence_size = size(sentence.span.of(text))
        if run and run_size + sentence_size > limit:
            yield run
            run, run_size = [], 0
        run.append(sentence.span)
        run_size += sentence_size
    if run:
        yield run


def over(run: Sequence[Span]) -> Span:
    """The span from the start of the first sentence to the end of the last."""
    return Span(run[0].start, run[-1].end)


def words_in(text: str) -> int:
    """The number of words between blanks."""
    return len(text.split())
