"""Guards against proposals that are no corrections: refusals, prefaces, repetitions, markup, broken sentences.

A checker judges claims. It does not see that an answer begins with "Here is the corrected text:", or that a sentence
ends with "won the.". Each guard compares the edited text with the original: what stood there before is no objection.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from graph_eval.correctors.splice import applied, new_spans
from graph_eval.text.sentences import sentences
from graph_eval.types import Edit, Passage, Span

MOST_GROWTH, GROWTH_ROOM = 2.0, 80  # a text may grow to this multiple, and by this many characters
LEAST_LEFT, SHRINKAGE_ROOM = 0.5, 80  # and shrink to this share, and by this many characters
AROUND = 60  # characters around an edit in which its words are looked at
OPENING = 200  # characters at the start of a text in which a refusal or a preface stands
REFUSAL = re.compile(
    r"\A\W{0,5}(?:(?:i['’]m|i am|we are|we['’]re) (?:very |really )?sorry|sorry\b|(?:unfortunately,? )?(?:i|we) (?:"
    r"can['’]?t|cannot|can not|(?:am|are) (?:unable|not able)|could not|couldn['’]t|do not have|don['’]t have"
    r"|must decline)|as an? (?:ai|language model)|no correction)",
    re.IGNORECASE,
)
_NEW = "corrected|revised|rewritten|updated|fixed|edited"
PREFACE = re.compile(
    r"\A\W{0,5}(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[^\n:]{0,80}[:!\n]"
    rf"|(?:here(?:['’]s| is| are)|below is|this is|the) (?:the |a |your )?(?:{_NEW}|new)\b[^\n:]{{0,60}}:"
    rf"|(?:{_NEW}) (?:text|answer|response|version|sentence|claim)\b[^\n:]{{0,40}}:)",
    re.IGNORECASE,
)
DOUBLED = re.compile(r"\b(\w+)[ \t]+\1\b(?![-'’]\w)", re.IGNORECASE)
MAY_DOUBLE = frozenset({"had", "that", "is", "very", "really", "bye", "no", "so", "long", "many", "much"})
HANGING = re.compile(
    r"\b(?:a|an|the|of|to|in|on|by|for|with|from|at|into|onto|and|or|but|than|as|its|their|his|my|our|your)[ \t]*"
    r"(?=[.!?;,:)]|\Z)",
    re.IGNORECASE,
)
STOPS = ".!?…"
MARKUP = re.compile(r"</?[A-Za-z!][^>\n]{0,200}>?|<\||\[\[|\]\]|<<<|>>>|```")
USUAL = frozenset(" \t\n.,;:!?'\"()-–—‘’“”%&/°€$£+#*")


@dataclass(frozen=True, slots=True)
class Edited:
    """A text with its edits. `known`: characters of the text and of its passages."""

    text: str
    revised: str
    edits: tuple[Edit, ...]
    spans: tuple[Span, ...]  # of the new words in the revised text
    known: frozenset[str]

    @classmethod
    def of(cls, text: str, edits: Sequence[Edit], passages: Sequence[Passage]) -> Edited:
        ordered = tuple(sorted(edits, key=lambda edit: edit.span))
        known = frozenset(text).union(*(passage.text for passage in passages))
        return cls(text, applied(text, ordered), ordered, tuple(new_spans(ordered)), known)

    def around(self) -> Iterator[tuple[str, str]]:
        """For each edit the words around it: before, and after."""
        for edit, span in zip(self.edits, self.spans, strict=True):
            yield (
                self.text[max(0, edit.span.start - AROUND) : edit.span.end + AROUND],
                self.revised[max(0, span.start - AROUND) : span.end + AROUND],
            )


def objection(text: str, edits: Sequence[Edit], passages: Sequence[Passage]) -> str | None:
    """Why the edits are no correction of the text, or None."""
    edited = Edited.of(text, edits, passages)
    return next((reason for guard in GUARDS if (reason := guard(edited)) is not None), None)


def refusal(edited: Edited) -> str | None:
    if _appears(REFUSAL, edited.text[:OPENING], edited.revised[:OPENING]):
        return "it is a refusal"
    return None


def preface(edited: Edited) -> str | None:
    openings = [edited.revised[:OPENING], *(edit.new[:OPENING] for edit in edited.edits)]
    if any(_appears(PREFACE, edited.text[:OPENING], opening) for opening in openings):
        return "it begins with words about the correction"
    return None


def size(edited: Edited) -> str | None:
    before, after = len(edited.text.strip()), len(edited.revised.strip())
    if after > MOST_GROWTH * before and after > before + GROWTH_ROOM:
        return f"the text would grow from {before:,} to {after:,} characters"
    if after < LEAST_LEFT * before and after < before - SHRINKAGE_ROOM:
        return f"the text would shrink from {before:,} to {after:,} characters"
    return None


def characters(edited: Edited) -> str | None:
    for edit in edited.edits:
        if mark := next((mark for mark in MARKUP.finditer(edit.new) if mark[0] not in edited.text), None):
            return f"it holds markup ({mark[0][:20]!r})"
        for character in edit.new:
            odd = unicodedata.category(character)[0] in "CMS" or not (character.isalnum() or character.isspace())
            if odd and character not in edited.known and character not in USUAL:
                return f"it holds a character that neither the text nor the context has (U+{ord(character):04X})"
    return None


def doubled(edited: Edited) -> str | None:
    for before, after in edited.around():
        old = {match[1].lower() for match in DOUBLED.finditer(before)}
        new = {match[1].lower() for match in DOUBLED.finditer(after)} - old - MAY_DOUBLE
        if word := next((word for word in sorted(new) if not word.isdigit()), None):
            return f"it doubles the word {word!r}"
    return None


def hanging(edited: Edited) -> str | None:
    """A determiner, a preposition or a conjunction that lost the words behind it."""
    for before, after in edited.around():
        old = [match[0].lower().strip() for match in HANGING.finditer(before)]
        new = [match[0].lower().strip() for match in HANGING.finditer(after)]
        if word := next((word for word in new if new.count(word) > old.count(word)), None):
            return f"the sentence would break off after {word!r}"
    return None


def stop(edited: Edited) -> str | None:
    """A sentence's stop that is lost, at the end of the text or inside it."""
    before, after = edited.text.rstrip(), edited.revised.rstrip()
    if before[-1:] in STOPS and before and after[-1:] not in STOPS + "\"')”’":
        return "the text would lose its full stop"
    ends = list(_ends(edited.text))
    for edit in edited.edits:
        covered = any(edit.span.start < end <= edit.span.end < len(before) for end in ends)
        if covered and edit.new.strip() and edit.new.rstrip()[-1:] not in STOPS and not any(map(edit.new.count, STOPS)):
            return "a sentence would lose its full stop"
    return None


GUARDS: tuple[Callable[[Edited], str | None], ...] = (refusal, preface, size, characters, doubled, hanging, stop)


def _appears(pattern: re.Pattern[str], before: str, after: str) -> bool:
    return pattern.search(after) is not None and pattern.search(before) is None


def _ends(text: str) -> Iterator[int]:
    """Where sentences end that have a stop."""
    for sentence in sentences(text):
        if text[sentence.span.end - 1 : sentence.span.end] in STOPS:
            yield sentence.span.end
