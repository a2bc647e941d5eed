"""From a proposal to edits of the words behind a claim, and from edits to a text.

Every character outside the edits stays. A slot's new words are compared with its old ones, and only the words that
differ become an edit, inside the spans of that slot; agreement is repaired there too (a/an, is/are, a capital at the
start of a sentence). A slot whose words were resolved or inferred falls back to its sentence. Of a rewritten text only
what changed inside the claim's spans is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from graph_eval.text.locate import locate
from graph_eval.types import Claim, Edit, Match, Proposal, Slot, Span

PIECE = re.compile(r"\w+(?:['’.,\-]\w+)*|\s+|[^\w\s]")
WORD = re.compile(r"\w+(?:['’\-]\w+)*")
ARTICLE = re.compile(r"(?:^|(?<=\W))(?P<article>an?)(?P<blank>\s+)$", re.IGNORECASE)
VOWEL = re.compile(r"(?!one\b|once\b|eu|uni[tvqfo]|us[aeu]|util|uro)[aeiou]|hono|hour|heir", re.IGNORECASE)
WITH_ARTICLE = re.compile(r"\b(an?)(\s+)(?=\w)", re.IGNORECASE)
PLURAL = {"is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't"}
SINGULAR = {plural: singular for singular, plural in PLURAL.items()}
NO_PLURALS = re.compile(r"(?:ss|us|is|ics|news|series|species|[A-Z].*)$")
NAMED_PARTS = ("subject", "predicate", "object")


class SpliceError(ValueError):
    """Why a proposal cannot become edits of the claim's words."""


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text with every edit made. Raises SpliceError where one does not fit the text, or two overlap."""
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
    """Whether two edits cannot both be made: they share a character, or insert at the same place."""
    if one.span.overlaps(other.span) or one.span.start == other.span.start:
        return True
    return _inside(one, other) or _inside(other, one)


def _inside(one: Edit, other: Edit) -> bool:
    """Whether an insertion lies within what the other one replaces."""
    return one.span.start == one.span.end and other.span.start < one.span.start < other.span.end


def moved(edits: Iterable[Edit]) -> list[Span]:
    """Where the new words of the edits stand in the text that they make, in order."""
    found, shift = [], 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        start = edit.span.start + shift
        found.append(Span(start, start + len(edit.new)))
        shift += len(edit.new) - len(edit.old)
    return found


def allowed(claim: Claim) -> tuple[Span, ...]:
    """The spans that a correction of the claim may touch: its words, or its sentence where a part has none."""
    if not claim.slots or any(slot.resolved or slot.inferred or not slot.spans for slot in claim.slots):
        return (claim.sentence,)
    return claim.spans


def own_words(text: str, claim: Claim) -> tuple[Span, ...]:
    """`allowed`, where neighbouring words are one span."""
    found: list[Span] = []
    for span in allowed(claim):
        if found and span.start <= found[-1].end + 1 and text[found[-1].end : span.start].strip() == "":
            found[-1] = Span(found[-1].start, max(span.end, found[-1].end))
        else:
            found.append(span)
    return tuple(found)


def edits_of(text: str, claim: Claim, proposal: Proposal, anywhere: bool = False) -> tuple[Edit, ...]:
    """The edits that make the claim say what is proposed. Raises SpliceError with the reason where none do.

    `anywhere`: what a rewritten text changes outside the claim is taken too.
    """
    if proposal.edits:
        found = proposal.edits
    elif proposal.rewritten is not None:
        found = tuple(_of_text(text, claim, proposal.rewritten, anywhere))
    elif not claim.slots:
        (sentence,) = proposal.parts
        found = tuple(_within(text, claim.sentence, sentence))
    else:
        if len(proposal.parts) != len(claim.slots):
            raise SpliceError(f"{len(proposal.parts)} parts were proposed for {len(claim.slots)}")
        found = tuple(_of_slots(text, claim, proposal.parts))
    found = tuple(edit for edit in _tidied(text, claim, found) if edit.new != edit.old)
    if not found:
        raise SpliceError("nothing would change")
    bounds = _bounds(text, claim, proposal, anywhere)
    for edit in found:
        if not any(bound.start <= edit.span.start and edit.span.end <= bound.end for bound in bounds):
            raise SpliceError("it would change words of other claims")
    return found


def _bounds(text: str, claim: Claim, proposal: Proposal, anywhere: bool) -> tuple[Span, ...]:
    """Where edits may lie. With a word that is deleted goes the blank before it."""
    if anywhere:
        return (Span(0, len(text)),)
    spans = own_words(text, claim) if proposal.edits else allowed(claim) if proposal.rewritten else (claim.sentence,)
    return tuple(Span(span.start - text[: span.start].endswith(" "), span.end) for span in spans)


def _of_slots(text: str, claim: Claim, parts: Sequence[str]) -> Iterator[Edit]:
    for name, slot, new in zip(NAMED_PARTS, claim.slots, parts, strict=True):
        new = " ".join(new.split())
        if new == slot.text:
            continue
        if slot.spans and not slot.resolved and not slot.inferred:
            yield from _of_spans(text, slot, new)
        else:
            yield from _of_sentence(text, claim, name, slot, new)
    yield from _agreeing(text, claim, parts)


def _of_spans(text: str, slot: Slot, new: str) -> Iterator[Edit]:
    """Edits of a slot's own words. A change over a gap between its spans goes word by word where there are as many
    new words as old ones; else it fills the first span and empties the others."""
    joined = slot.verbatim(text)
    for start, end, words in changes(joined, new):
        over = [part for part in _by_span(slot, start, end) if part[0] < part[1]]
        if len(over) < 2:
            at = over[0] if over else next(_by_span(slot, start, end))
            yield Edit(Span(*at), text[at[0] : at[1]], words)
            continue
        old_words, new_words = list(WORD.finditer(joined, start, end)), WORD.findall(words)
        if len(old_words) == len(new_words):
            for old, word in zip(old_words, new_words, strict=True):
                at = next(part for part in _by_span(slot, *old.span()) if part[0] < part[1])
                yield Edit(Span(*at), text[at[0] : at[1]], word)
            continue
        for number, at in enumerate(over):
            yield Edit(Span(*at), text[at[0] : at[1]], "" if number else words)


def _by_span(slot: Slot, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a range of a slot's text lies in the response: a range of every span that it touches."""
    offset = 0
    for span in slot.spans:
        length = span.end - span.start
        if start <= offset + length and end >= offset:
            left, right = max(start - offset, 0), min(end - offset, length)
            yield span.start + min(left, length), span.start + max(right, min(left, length))
        offset += length + 1


def _of_sentence(text: str, claim: Claim, name: str, slot: Slot, new: str) -> Iterator[Edit]:
    """Edits of the sentence where a slot has no words of its own there: those of its old words that it holds."""
    if not slot.text.strip():
        raise SpliceError(f"its {name} has no words in the text")
    for start, end, words in changes(slot.text, new):
        old = slot.text[start:end].strip()
        found = locate(name, old, (old,), text, claim.sentence) if old else None
        inside = [
            span
            for span in (found.spans if found and found.match in (Match.EXACT, Match.NORMALISED) else ())
            if claim.sentence.start <= span.start and span.end <= claim.sentence.end
        ]
        if len(inside) != 1:
            raise SpliceError(f"the words of its {name} do not stand in its sentence")
        yield Edit(inside[0], inside[0].of(text), words.strip())


def _within(text: str, span: Span, new: str) -> Iterator[Edit]:
    """What turns the words at the span into the new ones."""
    old = span.of(text)
    new = new.strip()
    if old.rstrip()[-1:] not in ".!?" and new.endswith("."):
        new = new[:-1]
    for start, end, words in changes(old, new):
        at = Span(span.start + start, span.start + end)
        yield Edit(at, at.of(text), words)


def _of_text(text: str, claim: Claim, rewritten: str, anywhere: bool) -> Iterator[Edit]:
    bounds = allowed(claim)
    kept = 0
    for edit in _within(text, Span(0, len(text)), rewritten):
        if anywhere or any(_holds(bound, edit) for bound in bounds):
            kept += 1
            yield edit
    if not kept:
        same = rewritten.strip() == text.strip()
        raise SpliceError("nothing would change" if same else "it would change words of other claims")


def _holds(bound: Span, edit: Edit) -> bool:
    """Whether the edit changes words of the span; what is added at its border is no word of it."""
    start, end = edit.span
    return bound.start < start < bound.end if start == end else bound.start <= start and end <= bound.end


def changes(old: str, new: str) -> list[tuple[int, int, str]]:
    """(start, end, new words) of every run of words that differs; runs with only blanks between them are one."""
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


def _agreeing(text: str, claim: Claim, parts: Sequence[str]) -> Iterator[Edit]:
    """is/are and their like, where the subject's number changed and the proposal kept the verb."""
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
    """Whether a noun phrase takes "are": by "and" or by the ending of its last word."""
    words = re.split(r"\b(?:of|in|from|for|with|at|on|by|to)\b", phrase)[0].split()
    if not words:
        return False
    return "and" in words or (words[-1].endswith("s") and not NO_PLURALS.search(words[-1]))


def _article(article: str, following: str) -> str:
    """a or an, as the following word wants it, in the case of the article."""
    fitting = "an" if VOWEL.match(following) else "a"
    return fitting.capitalize() if article[0].isupper() else fitting


def _tidied(text: str, claim: Claim, edits: Sequence[Edit]) -> Iterator[Edit]:
    """Articles before new words, capitals at the start of the sentence, blanks around what was deleted."""
    bounds = allowed(claim)
    for edit in edits:
        start, end = edit.span
        old, new = edit.old, edit.new
        if start == claim.sentence.start and new[:1].islower() and old[:1].isupper():
            new = new[:1].upper() + new[1:]
        new = WITH_ARTICLE.sub(lambda found, new=new: _article(found[1], new[found.end() :]) + found[2], new)  # type: ignore[misc]
        inside = next((bound for bound in bounds if bound.start <= start and end <= bound.end), None)
        if inside is not None and (found := ARTICLE.search(text, inside.start, start)) and WORD.match(new):
            article = _article(found["article"], new)
            if article != found["article"]:
                start = found.start("article")
                old, new = text[start:end], article + found["blank"] + new
        if (
            not new
            and old
            and start > 0
            and text[start - 1] == " "
            and text[end : end + 1] in ("", " ", ".", ",", ";", "!", "?")
        ):
            old, start = " " + old, start - 1
        yield Edit(Span(start, end), old, new)
