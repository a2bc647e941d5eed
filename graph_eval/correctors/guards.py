"""Guards against proposals that are no corrections: refusals, prefaces, repetitions, markup, broken sentences.

A checker judges claims. It does not see that an answer begins with "Here is the corrected text:", or that a sentence
ends with "won the.". Each guard compares the text with and without the edits: what stood there before is no objection.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from graph_eval.correctors.splice import applied
from graph_eval.text.sentences import sentences
from graph_eval.types import Edit, Passage

MOST_GROWTH, GROWTH_ROOM = 2.0, 80  # a text may grow to this multiple, and by this many characters
LEAST_LEFT, SHRINKAGE_ROOM = 0.5, 80  # and shrink to this share, and by this many characters
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
    rf"|(?:here(?:['’]s| is| are)|below is|this is) (?:the |a |your )?(?:{_NEW}|new)\b[^\n:]{{0,60}}:"
    rf"|(?:the )?(?:{_NEW}) (?:text|answer|response|version|sentence|claim)\b[^\n:]{{0,40}}:)",
    re.IGNORECASE,
)
DOUBLED = re.compile(r"\b(\w+)[ \t]+\1\b(?![-'’]\w)", re.IGNORECASE)
MAY_DOUBLE = frozenset({"had", "that", "is", "very", "really", "bye", "no", "so", "long", "many", "much"})
# In lower case only: "hepatitis A." and "... in OR." are whole.
HANGING = re.compile(
    r"\b(?:a|an|the|of|to|in|on|by|for|with|from|at|into|onto|and|or|but|than|as|its|their|his|my|our|your)[ \t]*"
    r"(?=[.!?;,:)]|\Z)"
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
    known: frozenset[str]

    @classmethod
    def of(cls, text: str, edits: Sequence[Edit], passages: Sequence[Passage]) -> Edited:
        ordered = tuple(sorted(edits, key=lambda edit: edit.span))
        known = frozenset(text).union(*(passage.text for passage in passages))
        return cls(text, applied(text, ordered), ordered, known)


def objection(text: str, edits: Sequence[Edit], passages: Sequence[Passage]) -> str | None:
    """Why the edits are no correction of the text, or None."""
    edited = Edited.of(text, edits, passages)
    return next((reason for guard in GUARDS if (reason := guard(edited)) is not None), None)


def refusal(edited: Edited) -> str | None:
    return "it is a refusal" if _begins(REFUSAL, edited) else None


def preface(edited: Edited) -> str | None:
    return "it begins with words about the correction" if _begins(PREFACE, edited) else None


def size(edited: Edited) -> str | None:
    before, after = len(edited.text.strip()), len(edited.revised.strip())
    if before and not after:
        return "nothing would be left of the text"
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
    words = (match.split()[0] for match in _added(DOUBLED, edited))
    if word := next((word for word in words if word not in MAY_DOUBLE and not word.isdigit()), None):
        return f"it doubles the word {word!r}"
    return None


def hanging(edited: Edited) -> str | None:
    """A determiner, a preposition or a conjunction that lost the words behind it."""
    if words := _added(HANGING, edited):
        return f"the sentence would break off after {words[0]!r}"
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


def deletion(edited: Edited) -> str | None:
    """A sentence that is deleted as a whole. Whether to do that is the user's choice (`on_unsupported`)."""
    spans = [sentence.span for sentence in sentences(edited.text)]
    for edit in edited.edits:
        whole = any(edit.span.start <= span.start and span.end <= edit.span.end for span in spans)
        if whole and not any(map(str.isalnum, edit.new)):
            return "it deletes a whole sentence: pass --on-unsupported drop to allow that"
    return None


GUARDS: tuple[Callable[[Edited], str | None], ...] = (
    refusal,
    preface,
    size,
    deletion,
    characters,
    doubled,
    hanging,
    stop,
)


def _begins(pattern: re.Pattern[str], edited: Edited) -> bool:
    """Whether the edited text or new words begin like this, where neither the text nor the old words do."""
    if pattern.search(edited.text[:OPENING]):
        return False
    openings = [edited.revised, *(edit.new for edit in edited.edits if not pattern.search(edit.old[:OPENING]))]
    return any(pattern.search(opening[:OPENING]) for opening in openings)


def _added(pattern: re.Pattern[str], edited: Edited) -> list[str]:
    """The matches that the edited text has more often, in lower case."""
    old, new = (
        Counter(match[0].strip().lower() for match in pattern.finditer(text)) for text in (edited.text, edited.revised)
    )
    return list(new - old)


def _ends(text: str) -> Iterator[int]:
    """Where sentences end that have a stop."""
    for sentence in sentences(text):
        if text[sentence.span.end - 1 : sentence.span.end] in STOPS:
            yield sentence.span.end
