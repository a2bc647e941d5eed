"""What a sentence of an answer states about the world, without talk: greetings, thanks, apologies, refusals, offers,
and remarks on the answer or its sources.

A sentence that states nothing gets no claim, so a refusal is labelled Abstain: it is neither flagged nor supported. Of
"Sorry, I cannot find the price, but the bag weighs 3 kg" the second half is stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph_eval.extractors.talk import CHEER, CLOSING, CUT, NOTE, OPENING, SOURCES, SUBORDINATE, TALK
from graph_eval.types import Span

BOLD_LABEL = re.compile(r"[^:*\n]{2,40}:?\*\*:?\s+(?=i\b)", re.IGNORECASE)  # "**Price:** I could not find it."
COMMA = re.compile(r",\s")
POLAR_VALUE = re.compile(r"(?!.*\banswer\b)[^:\n]{2,60}:\**\s+(?:yes|no)[.*]*", re.IGNORECASE)  # "Weather sealing: No"


def stated(text: str, span: Span) -> Span | None:
    """The part of a sentence that states something, without the talk around it. None: the sentence states nothing."""
    text = text.replace("’", "'")  # as long as before
    whole = span.of(text)
    if whole.strip().strip("*_\"'`”’) ").endswith("?"):
        return None
    if SOURCES.match(whole):
        return None
    if POLAR_VALUE.fullmatch(whole.rstrip()):
        return Span(span.start, span.start + len(whole.rstrip()))
    kept = [part for part in _clauses(text, span) if not _is_talk(part.of(text))]
    if not kept or (len(kept) == 1 and NOTE.fullmatch(kept[0].of(text)) and kept[0].end < span.end - 1):
        return None  # "Note: I am an AI."
    start, end = kept[0].start, kept[-1].end
    start = _opened(text, start, end, after_talk=start > span.start)
    closing = CLOSING.search(text, start, end)
    if closing and closing.start() > start:
        end = closing.start()
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if any(map(str.isalnum, text[start:end])) else None


def states_something(sentence: str) -> bool:
    """False for a sentence that no context could support or refute."""
    return stated(sentence, Span(0, len(sentence))) is not None


def _is_talk(clause: str) -> bool:
    """Whether a clause states nothing: talk, also behind an opening or label, a question, a wish, or no word at all."""
    bare = clause.strip().strip("*_\"'`”’() ")
    if not any(map(str.isalnum, bare)) or bare.endswith("?") or CHEER.fullmatch(bare):
        return True
    label = BOLD_LABEL.match(bare)
    places = (0, 0 if label is None else label.end())
    return any(TALK.match(bare, place) for place in places) or bool(TALK.match(OPENING.sub("", bare, count=1)))


def _clauses(text: str, span: Span) -> Iterator[Span]:
    """The sentence in clauses, where at least one of them is talk; else in one piece."""
    start = span.start
    subordinate = SUBORDINATE.match(text, start, span.end)
    if subordinate and (comma := COMMA.search(text, subordinate.end(), span.end)):
        clause = text[subordinate.end() : comma.start()]
        if TALK.match(clause):
            start = comma.end()
    pieces = []
    first = start
    for cut in CUT.finditer(text, start, span.end):
        if cut.end() >= span.end:
            break
        pieces.append(Span(first, cut.start()))
        first = cut.end()
    pieces.append(Span(first, span.end))
    if any(_is_talk(piece.of(text)) for piece in pieces):
        yield from pieces
    else:
        yield Span(start, span.end)


def _opened(text: str, start: int, end: int, after_talk: bool) -> int:
    """Where the stated words begin, behind connectors and reports of a source."""
    while (found := OPENING.match(text, start, end)) and found.end() < end - 1:
        if found["connector"] is not None and not after_talk:
            break  # "Because ..." begins what is stated
        start = found.end()
        after_talk = False
    return start
