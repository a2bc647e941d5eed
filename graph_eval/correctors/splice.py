"""Turns a proposal into edits of the words behind a claim, and applies edits to a text.

Every character outside the edits stays. The new words of a slot are compared with its old words. Only the words that
differ become edits, inside the spans of that slot. Agreement is repaired inside the edits too: a/an, is/are, a capital
letter at the start of a sentence. A slot whose words were resolved or inferred is edited in its sentence instead. Of a
rewritten text only the changes inside the claim's spans are applied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from graph_eval.text.locate import locate
from graph_eval.types import (
    Claim,
    Edit,
    EditProposal,
    Match,
    Proposal,
    Slot,
    SlotProposal,
    Span,
    TextProposal,
    Unsupported,
)

PIECE = re.compile(r"\w+(?:['’.,\-]\w+)*|\s+|[^\w\s]")
WORD = re.compile(r"\w+(?:['’\-]\w+)*")
ARTICLE = re.compile(r"(?:^|(?<=\W))(?P<article>an?)(?P<blank>\s+)$", re.IGNORECASE)
VOWEL = re.compile(r"(?!one\b|once\b|eu|uni[tvqfo]|us[aeu]|util|uro)[aeiou]|hono|hour|heir", re.IGNORECASE)
WITH_ARTICLE = re.compile(r"(\A[Aa]n?|\ban?)(\s+)(?=\w)")  # "vitamin A and B" has none
EIGHT_OR_ELEVEN = re.compile(r"8|1[18](?!\d)")
INITIALS = re.compile(r"(?P<first>[A-Z])(?:[A-Z]{0,2}(?![A-Za-z])|[B-DF-HJ-NP-TV-Z]+\b)")
LIKE_A_WORD = re.compile(r"[B-DF-HJ-NP-TV-Z][AEIOU][B-DF-HJ-NP-TV-Z]\b")  # RAM, but also SUV
ABBREVIATION = re.compile(r"\w\.\Z")
PLURAL = {"is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't"}
SINGULAR = {plural: singular for singular, plural in PLURAL.items()}
SINGULAR_WORDS = re.compile(r"(?:ss|us|is|ics|news|series|species|[A-Z].*)$")
PLURALS = frozenset("children people men women mice teeth feet geese police cattle media criteria".split())
SLOT_NAMES = ("subject", "predicate", "object")


class SpliceError(ValueError):
    """A proposal or an edit cannot be applied to the text. The message is the reason that the results show."""


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits. Raises SpliceError if an edit does not fit the text or two edits overlap."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    for edit in ordered:
        if not 0 <= edit.span.start <= edit.span.end <= len(text) or edit.span.of(text) != edit.old:
            raise SpliceError(f"the text does not read {edit.old!r} at {edit.span.start}")
    for one, other in pairwise(ordered):
        if collide(one, other):
            raise SpliceError(f"the edits of {one.old!r} and {other.old!r} overlap")
    pieces, position = [], 0
    for edit in ordered:
        pieces += [text[position : edit.span.start], edit.new]
        position = edit.span.end
    return "".join([*pieces, text[position:]])


def collide(one: Edit, other: Edit) -> bool:
    """Whether two edits exclude each other: they share a character or start at the same place."""
    if one.span.overlaps(other.span) or one.span.start == other.span.start:
        return True
    return _inserts_inside(one, other) or _inserts_inside(other, one)


def _inserts_inside(one: Edit, other: Edit) -> bool:
    """Whether `one` is an insertion inside the words that `other` replaces."""
    return one.span.start == one.span.end and other.span.start < one.span.start < other.span.end


def new_spans(edits: Iterable[Edit]) -> list[Span]:
    """The spans of the new words in the edited text, in order of position."""
    spans, shift = [], 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        start = edit.span.start + shift
        spans.append(Span(start, start + len(edit.new)))
        shift += len(edit.new) - len(edit.old)
    return spans


def shifted(spans: Iterable[Span], edits: Iterable[Edit]) -> list[Span]:
    """Spans of the original text as spans of the edited text. A part inside an edit becomes the edit's new words."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    replacements = list(zip(ordered, new_spans(ordered), strict=True))

    def position_of(position: int, end: bool) -> int:
        shift = 0
        for edit, new in replacements:
            if edit.span.end <= position and not (edit.span.start == position and not end):
                shift = new.end - edit.span.end
            elif edit.span.start < position:
                return new.end if end else new.start
        return position + shift

    return [Span(position_of(span.start, end=False), position_of(span.end, end=True)) for span in spans]


def moved_edit(edit: Edit, edits: Iterable[Edit]) -> Edit:
    """An edit of the original text as an edit of the text that has the others. None of them collides with it."""
    shift = sum(len(other.new) - len(other.old) for other in edits if other.span.start < edit.span.start)
    return Edit(edit.span.moved(shift), edit.old, edit.new)


def editable_spans(claim: Claim) -> tuple[Span, ...]:
    """The spans that a correction may change: the claim's words, or its sentence if a slot has no words in it."""
    if not claim.slots or any(slot.resolved or slot.inferred or not slot.spans for slot in claim.slots):
        return (claim.sentence,)
    return claim.spans


def claim_spans(text: str, claim: Claim) -> tuple[Span, ...]:
    """The editable spans of the claim. Spans with only blanks between them are joined."""
    spans: list[Span] = []
    for span in editable_spans(claim):
        if spans and span.start <= spans[-1].end + 1 and text[spans[-1].end : span.start].strip() == "":
            spans[-1] = Span(spans[-1].start, max(span.end, spans[-1].end))
        else:
            spans.append(span)
    return tuple(spans)


def edits_of(text: str, claim: Claim, proposal: Proposal, anywhere: bool = False) -> tuple[Edit, ...]:
    """The edits of `text` that turn the claim into the proposal. Raises SpliceError with the reason if there are
    none.

    `anywhere`: changes that a rewritten text makes outside the claim are applied too.
    """
    match proposal:
        case EditProposal(edits):
            spans = claim_spans(text, claim)
        case TextProposal(rewritten):
            edits = tuple(_edits_of_text(text, claim, rewritten, anywhere))
            spans = editable_spans(claim)
        case SlotProposal(parts):
            edits = tuple(_edits_of_parts(text, claim, parts))
            spans = (claim.sentence,)
        case Unsupported():
            raise SpliceError("the context does not say")
        case _:
            raise SpliceError(f"{proposal!r} is not a proposal")
    edits = tuple(edit for edit in _tidied(text, claim, edits) if edit.new != edit.old)
    if not edits:
        raise SpliceError("nothing would change")
    bounds = (Span(0, len(text)),) if anywhere else tuple(_with_blank(text, span) for span in spans)
    for edit in edits:
        if not any(bound.start <= edit.span.start and edit.span.end <= bound.end for bound in bounds):
            raise SpliceError("it would change words of other claims")
    return edits


def _with_blank(text: str, span: Span) -> Span:
    """The span with the blank before it, because a deleted word is deleted with that blank."""
    return Span(span.start - text[: span.start].endswith(" "), span.end)


def _edits_of_parts(text: str, claim: Claim, parts: Sequence[str]) -> Iterator[Edit]:
    expected = len(claim.slots) or 1
    if len(parts) != expected:
        raise SpliceError(f"{len(parts)} parts were proposed for {expected}")
    return _edits_of_slots(text, claim, parts) if claim.slots else _edits_within(text, claim.sentence, parts[0])


def _edits_of_slots(text: str, claim: Claim, parts: Sequence[str]) -> Iterator[Edit]:
    for name, slot, part in zip(SLOT_NAMES, claim.slots, parts, strict=True):
        new = " ".join(part.split())
        if new[-1:] in (".", "!", "?") and slot.text[-1:] != new[-1:] and _follows(text, slot) == new[-1:]:
            new = new[:-1]  # the text has this stop behind the slot already
        if new == slot.text:
            continue
        if slot.spans and not slot.resolved and not slot.inferred:
            yield from _edits_of_spans(text, slot, new)
        else:
            yield from _edits_of_sentence(text, claim, name, slot, new)
    yield from _agreement(text, claim, parts)


def _follows(text: str, slot: Slot) -> str:
    """The character behind the slot's words."""
    return text[slot.spans[-1].end : slot.spans[-1].end + 1] if slot.spans else ""


def _edits_of_spans(text: str, slot: Slot, new: str) -> Iterator[Edit]:
    """Edits of a slot's words.

    A change across a gap between the slot's spans is made word by word if there are as many new words as old ones.
    Otherwise the new words replace the first span, and the other spans become empty.

    The slot's text is as long as its words in the text, and differs from them by a capital that begins a sentence. That
    capital stays, also where its word is replaced.
    """
    joined = slot.verbatim(text)
    for start, end, words in changes(slot.text if len(slot.text) == len(joined) else joined, new):
        if len(slot.text) == len(joined) and joined[start:end][:1].isupper() and slot.text[start:end][:1].islower():
            words = words[:1].upper() + words[1:]
        ranges = [part for part in _ranges(slot, start, end) if part[0] < part[1]]
        if len(ranges) < 2:
            place = ranges[0] if ranges else next(_ranges(slot, start, end))
            yield Edit(Span(*place), text[place[0] : place[1]], words)
            continue
        old_words, new_words = list(WORD.finditer(joined, start, end)), WORD.findall(words)
        if len(old_words) == len(new_words):
            for old, word in zip(old_words, new_words, strict=True):
                place = next(part for part in _ranges(slot, *old.span()) if part[0] < part[1])
                yield Edit(Span(*place), text[place[0] : place[1]], word)
            continue
        for number, place in enumerate(ranges):
            yield Edit(Span(*place), text[place[0] : place[1]], "" if number else words)


def _ranges(slot: Slot, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A range of the slot's text as ranges of the response, one in every span of the slot that it touches."""
    offset = 0
    for span in slot.spans:
        length = span.end - span.start
        if start <= offset + length and end >= offset:
            left, right = max(start - offset, 0), min(end - offset, length)
            yield span.start + min(left, length), span.start + max(right, min(left, length))
        offset += length + 1


def _edits_of_sentence(text: str, claim: Claim, name: str, slot: Slot, new: str) -> Iterator[Edit]:
    """Edits for a slot without spans. Its old words are changed where the sentence contains them."""
    if not slot.text.strip():
        raise SpliceError(f"its {name} has no words in the text")
    for start, end, words in changes(slot.text, new):
        old = slot.text[start:end].strip()
        location = locate(name, old, (old,), text, claim.sentence) if old else None
        inside = [
            span
            for span in (location.spans if location and location.match in (Match.EXACT, Match.NORMALISED) else ())
            if claim.sentence.start <= span.start and span.end <= claim.sentence.end
        ]
        if len(inside) != 1:
            raise SpliceError(f"the words of its {name} do not stand in its sentence")
        yield Edit(inside[0], inside[0].of(text), words.strip())


def _edits_within(text: str, span: Span, new: str) -> Iterator[Edit]:
    """Edits that turn the words at the span into the new ones."""
    old = span.of(text)
    new = new.strip()
    if old.rstrip()[-1:] not in ".!?" and new.endswith("."):
        new = new[:-1]
    for start, end, words in changes(old, new):
        place = Span(span.start + start, span.start + end)
        yield Edit(place, place.of(text), words)


def _edits_of_text(text: str, claim: Claim, rewritten: str, anywhere: bool) -> Iterator[Edit]:
    spans = editable_spans(claim)
    count = 0
    for edit in _edits_within(text, Span(0, len(text)), rewritten):
        if anywhere or any(_lies_inside(edit, span) for span in spans):
            count += 1
            yield edit
    if not count:
        same = rewritten.strip() == text.strip()
        raise SpliceError("nothing would change" if same else "it would change words of other claims")


def _lies_inside(edit: Edit, span: Span) -> bool:
    """Whether the edit is inside the span. An insertion at the border of the span is outside."""
    start, end = edit.span
    return span.start < start < span.end if start == end else span.start <= start and end <= span.end


def changes(old: str, new: str) -> list[tuple[int, int, str]]:
    """(start, end, new words) of every run of words that differs. Runs with only blanks between them are joined."""
    before, after = PIECE.findall(old), PIECE.findall(new)
    starts = [0]
    for piece in before:
        starts.append(starts[-1] + len(piece))
    runs: list[list[int]] = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        if runs and all(piece.isspace() for piece in before[runs[-1][1] : a]):
            runs[-1][1], runs[-1][3] = b, d
        else:
            runs.append([a, b, c, d])
    return [(starts[a], starts[b], "".join(after[c:d])) for a, b, c, d in runs]


def _agreement(text: str, claim: Claim, parts: Sequence[str]) -> Iterator[Edit]:
    """The edit of is/are, has/have, ... where the subject's number changed and the proposal kept the verb."""
    subject, predicate = claim.subject, claim.predicate
    if subject is None or predicate is None or not predicate.spans or parts[1] != predicate.text:
        return
    before, after = is_plural(subject.text), is_plural(parts[0])
    verb = WORD.match(text, predicate.spans[0].start, predicate.spans[0].end)
    if before is after or verb is None:
        return
    form = (PLURAL if after else SINGULAR).get(verb[0].lower())
    if form is not None and not (predicate.resolved or predicate.inferred):
        yield Edit(Span(*verb.span()), verb[0], form)


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase is plural. Decided by "and", by the ending of its last word, and by a list of others."""
    words = re.split(r"\b(?:of|in|from|for|with|at|on|by|to)\b", phrase)[0].split()
    if not words:
        return False
    last = words[-1]
    return "and" in words or last.lower() in PLURALS or (last.endswith("s") and not SINGULAR_WORDS.search(last))


def fitting_article(article: str, following: str) -> str:
    """The article, "a" or "an", that fits how the following word is spoken, capitalised as the given one."""
    if LIKE_A_WORD.match(following):
        return article
    if initials := INITIALS.match(following):
        vowel = initials["first"] in "AEFHILMNORSX"  # the names of these letters begin with a vowel
    else:
        vowel = bool(EIGHT_OR_ELEVEN.match(following) or VOWEL.match(following))
    fitting = "an" if vowel else "a"
    return fitting.capitalize() if article[0].isupper() else fitting


def _tidied(text: str, claim: Claim, edits: Sequence[Edit]) -> Iterator[Edit]:
    """The edits with fitting articles, a capital at the start of the sentence, and no double blank at a deletion."""
    spans = editable_spans(claim)
    for edit in edits:
        start, end = edit.span
        old, new = edit.old, edit.new
        if start == claim.sentence.start and new[:1].islower() and old[:1].isupper():
            new = new[:1].upper() + new[1:]
        # An abbreviation at the end ("p.m.", "Inc.") has the stop of the sentence as well.
        if end == claim.sentence.end and ABBREVIATION.search(old) and new and new[-1] not in ".!?…":
            new += "."
        new = WITH_ARTICLE.sub(lambda match, new=new: fitting_article(match[1], new[match.end() :]) + match[2], new)  # type: ignore[misc]
        around = next((span for span in spans if span.start <= start and end <= span.end), None)
        # The word behind the article: the first new one, or behind a deletion the next one of the text.
        spoken = new if new or not old else text[end : claim.sentence.end].lstrip()
        if around is not None and (before := ARTICLE.search(text, around.start, start)) and WORD.match(spoken):
            article = fitting_article(before["article"], spoken)
            if article != before["article"]:
                start = before.start("article")
                old, new = text[start:end], (article + before["blank"] + new).rstrip()
        if not new and old and start == claim.sentence.start:
            # The next word begins the sentence now.
            following = WORD.search(text, end, claim.sentence.end)
            if following is not None and not text[end : following.start()].strip():
                end = following.start() + 1
                old, new = text[start:end], following[0][0].upper()
        if (
            not new
            and old
            and start > 0
            and text[start - 1] == " "
            and text[end : end + 1] in ("", " ", ".", ",", ";", "!", "?")
        ):
            old, start = " " + old, start - 1
        yield Edit(Span(start, end), old, new)
