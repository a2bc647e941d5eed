"""Entity resolution: which slots of which claims name the same entity.

Names (proper nouns, quoted titles) are one entity throughout a dataset. Other phrases, numbers, dates and pronouns are
one entity only within their response.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from graph_eval.text.normalise import ARTICLES, STOP_WORDS, words
from graph_eval.text.quantities import dates
from graph_eval.types import Example, Slot, Span, content_hash

CALENDAR = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter spring summer autumn winter""".split()
)
NAME_PARTICLES = ARTICLES | {"of", "for", "and", "at", "in"}  # "Bank of England", but not "England against Italy"
QUOTED = re.compile(r"[\"“'‘](?=\w).*[\"”'’]", re.DOTALL)
CAPITAL = re.compile(r"(?<=[^\W_] )[^\W\d_][\w'’-]*|(?<=[,;:(] )[^\W\d_][\w'’-]*")


@dataclass(frozen=True, slots=True)
class Entity:
    """`key` is equal for slots that name the same entity. `named` entities are shared by a dataset."""

    key: str
    name: str
    named: bool


def entity(slot: Slot, example: Example, within: str | None = None) -> Entity:
    """The entity that a subject or object of a claim of this example names.

    Entities without a name are equal only within the same scope: `within`, by default the key of the example.
    """
    named = is_named(slot, example)
    scope = example.dataset if named else within or example.key
    return Entity(content_hash("entity", scope, name_key(slot.text)), slot.text.strip(), named)


@lru_cache(maxsize=10_000)
def name_key(text: str) -> str:
    """The key by which spellings of a name are compared: its normalised words without articles."""
    return " ".join(word for word, _ in words(text) if word not in ARTICLES) or text.strip().casefold()


def is_named(slot: Slot, example: Example) -> bool:
    """Whether the slot is a name: a quotation, or a phrase whose words all begin with a capital letter.

    Articles and prepositions do not count. A capital letter at the start of a sentence counts only if the word has one
    elsewhere in the example too.
    """
    text = slot.text.strip()
    if QUOTED.fullmatch(text):
        return True
    if text == text.lower():
        return False
    spellings = [(word, span.of(text)) for word, span in words(text) if word not in NAME_PARTICLES]
    spellings = [(word, spelling) for word, spelling in spellings if spelling[:1].isalpha()]
    if not spellings or dates(text) or any(word in STOP_WORDS or word in CALENDAR for word, _ in spellings):
        return False
    if not all(spelling[0].isupper() for _, spelling in spellings):
        return False
    if len(spellings) > 1 or not _opens_sentence(slot, example.response):
        return True
    return spellings[0][1] in _capitals(example)


def _opens_sentence(slot: Slot, text: str) -> bool:
    """Whether the slot is at the start of a sentence, where every word has a capital letter."""
    if not slot.spans:
        return True
    before = Span(0, slot.spans[0].start).of(text).rstrip("\"“'‘([*_ ")
    return not before or before[-1] in ".!?:\n\r…" or before.endswith(('."', ".”"))


@lru_cache(maxsize=64)
def _capitals_of(text: str) -> frozenset[str]:
    """Words with a capital letter in the middle of a sentence."""
    return frozenset(match[0] for match in CAPITAL.finditer(text) if match[0][0].isupper())


def _capitals(example: Example) -> frozenset[str]:
    return frozenset().union(*map(_capitals_of, (example.response, *(passage.text for passage in example.passages))))
