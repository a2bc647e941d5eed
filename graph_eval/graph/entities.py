"""Entity resolution: which slots of which claims name the same entity.

Names (proper nouns, quoted titles) are one entity throughout a dataset, whatever their case, article or short form.
Other phrases, numbers and dates are one entity only within their response. A pronoun that was not resolved is never the
same as another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from graph_eval.errors import UsageError
from graph_eval.graph.names import CALENDAR, MODIFIERS, TITLES, Name, Names, names_in, opens_sentence
from graph_eval.text.normalise import ARTICLES, NEGATIONS, STOP_WORDS, words
from graph_eval.text.quantities import dates
from graph_eval.types import Claim, Example, Slot, content_hash

NAME_PARTICLES = ARTICLES | {"of", "for", "and", "at", "in"}  # "Bank of England", but not "England against Italy"
AGE = re.compile(r"\s*,\s*(?:aged\s)?\d{1,3}(?:-year-old)?\Z", re.IGNORECASE)
RANK = re.compile(r"\bno\.? ?\d{1,3} ", re.IGNORECASE)
ROLE = re.compile(
    r"(?:[^v]er|or|ist|man|woman|star|captain|boss|coach|ace|mate|legend|champion|president|chief|brother|sister|wife"
    r"|husband|son|daughter|mother|father|girl|boy|actress|company|club|side|brand|giants?|international)\Z"
)
MOST_SHOWN = 10  # of the names that a phrase can mean
MOST_BEFORE = 5  # words before a name that say what it is
BEFORE = re.compile(r"(?:[^\W\d]+(?:[ ,-]{1,3}| ?['’]s ))*")  # words without digits
BREAKING = (STOP_WORDS | NEGATIONS) - ARTICLES - {"s"}
PRONOUN = re.compile(
    r"(?:he|she|it|they|we|i|you|us|me|him|her|them|one|this|that|these|those|who|which|what|there|its|their|his"
    r"|himself|herself|itself|themselves|everyone|someone|anyone|nobody|everything|something)",
    re.IGNORECASE,
)
QUOTED = re.compile(r"[\"“'‘](?=\w).*[\"”'’]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Entity:
    """`key` is equal for slots that name the same entity. `named` entities are shared by a dataset."""

    key: str
    name: str
    named: bool


def entity(
    slot: Slot,
    example: Example,
    within: str | None = None,
    names: Names | None = None,
    shared: str | None = None,
) -> Entity:
    """The entity that a subject or object of a claim of this example names.

    Entities without a name are equal only within the same scope: `within`, by default the key of the example. Names are
    equal within `shared`, by default the dataset. `names`: those of the record, by default those of the example.
    """
    shared = shared or example.dataset
    names = names or names_of(example)
    name = named_by(slot.text, names)
    if name is not None:
        return _of_name(name, shared)
    named = is_named(slot, example, names)
    scope = shared if named else within or example.key
    return Entity(content_hash("entity", scope, name_key(slot.text)), slot.text.strip(), named)


def names_of(example: Example) -> Names:
    """The names that the response and the passages of a record write with capitals."""
    return names_in((example.response, *(passage.text for passage in example.passages)))


def mentioned(claim: Claim, example: Example, names: Names, shared: str | None = None) -> Iterator[Entity]:
    """The names inside the phrases of a claim that are none themselves: "trading with the Islamic State group"."""
    slots = (claim.subject, claim.object) if claim.subject and claim.object else (Slot(claim.text),)
    for slot in slots:
        if named_by(slot.text, names) is None:
            for _, _, name in names.inside([word for word, _ in words(slot.text)]):
                yield _of_name(name, shared or example.dataset)


def _of_name(name: Name, shared: str) -> Entity:
    return Entity(content_hash("entity", shared, " ".join(name.key)), name.text, named=True)


def names_nothing(slot: Slot) -> bool:
    """Whether a slot is empty ("the lamp | fell") or a pronoun that was not resolved: its node is never shared."""
    return not slot.text.strip() or is_pronoun(slot)


def is_pronoun(slot: Slot) -> bool:
    """Whether a slot is a pronoun that was not resolved: nobody knows which entity it names."""
    return PRONOUN.fullmatch(slot.text.strip()) is not None


def named_by(text: str, names: Names) -> Name | None:
    """The name that a phrase is, or that its last words are: "striker Dean Cox". None for any other phrase."""
    text = RANK.sub("", AGE.sub("", text.strip()))
    found = [(word, span) for word, span in words(text) if word not in ARTICLES]
    if person := names.titled(tuple(word for word, _ in found)):
        return person
    while len(found) > 1 and found[0][0] in TITLES:
        found = found[1:]
    key = tuple(word for word, _ in found)
    if not key or PRONOUN.fullmatch(text):
        return None
    if name := names.name(key):
        return name
    start, end, name = next(reversed([*names.inside(key)]), (0, 0, None))
    if name is None or end != len(key) or start > MOST_BEFORE or set(key[:start]) & BREAKING:
        return None
    if not BEFORE.fullmatch(text[found[0][1].start : found[start][1].start]):
        return None
    before = key[start - 1]
    if end - start == 1 < len(name.key) or ROLE.search(before):
        return name
    return name if end - start > 1 and before not in MODIFIERS else None


def meant(text: str, known: Mapping[str, str]) -> str:
    """The key of the entity that a phrase means. `known`: the names that it can mean, by their keys.

    Raises UsageError if it is a short form of several of them.
    """
    key = name_key(text)
    if key in known:
        return key
    if name := named_by(text, Names.of(known.values())):
        return name_key(name.text)
    longer = [name for other, name in known.items() if f" {key} " in f" {other} "]
    if len(longer) > 1:
        shown = ", ".join(longer[:MOST_SHOWN]) + (", ..." if len(longer) > MOST_SHOWN else "")
        raise UsageError(f"entity {text!r} can mean {shown}", "pass one of these names")
    return key


@lru_cache(maxsize=10_000)
def name_key(text: str) -> str:
    """The key by which spellings of a name are compared: its normalised words without articles."""
    return " ".join(word for word, _ in words(text) if word not in ARTICLES) or text.strip().casefold()


def is_named(slot: Slot, example: Example, names: Names | None = None) -> bool:
    """Whether the slot is a name: a phrase or a quoted title whose words all begin with a capital letter.

    Articles and prepositions do not count. A capital letter at the start of a sentence counts only if the word is one
    of `names`, by default those of the example. So it is with the phrase that a pronoun stands for.
    """
    text = slot.text.strip()
    if QUOTED.fullmatch(text):
        quoted = [span.of(text) for word, span in words(text) if word not in STOP_WORDS]
        return bool(quoted) and all(word[0].isupper() or word[0].isdigit() for word in quoted)
    if text == text.lower():
        return False
    spellings = [(word, span.of(text)) for word, span in words(text) if word not in NAME_PARTICLES]
    spellings = [(word, spelling) for word, spelling in spellings if spelling[:1].isalpha()]
    first = next((span.of(text) for word, span in words(text) if word not in ARTICLES), "")
    if first in NAME_PARTICLES:
        return False
    if not spellings or dates(text) or any(word in STOP_WORDS or word in CALENDAR for word, _ in spellings):
        return False
    if not all(spelling[0].isupper() for _, spelling in spellings):
        return False
    if len(spellings) > 1 or not (slot.resolved or _opens_sentence(slot, example.response)):
        return True
    return (names or names_of(example)).name((spellings[0][0],)) is not None


def _opens_sentence(slot: Slot, text: str) -> bool:
    """Whether the slot is at the start of a sentence, where every word has a capital letter."""
    return not slot.spans or opens_sentence(text, slot.spans[0].start)
