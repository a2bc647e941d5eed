"""Signs that a passage does not support a text, beside the NLI model's own word.

Each is a number that grows with doubt and can only shrink when one more window is read. None looks at style: how
much is copied in one piece, how long or dense a text is, punish honest paraphrase.

Which signs are worth having was measured on FactCC, PolyTope and WiCE dev; see graph_eval/weights/nli/README.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from graph_eval.checkers.windows import IndexedPassage, Window, number_term, terms
from graph_eval.text.normalise import NEGATIONS, words
from graph_eval.text.quantities import numbers
from graph_eval.types import Scores

CERTAIN = 4.0  # log odds beyond which a model's word counts no more
GRAM = 4  # letters
DECADE = re.compile(r"['’]s\b|\s+century\b")


class Reading(NamedTuple):
    """What the model says of a text against one window.

    `alignment`: the mean cosine of the text's word pieces with their best matches in the window; `weakest`: the mean
    over the third of them that match worst.
    """

    scores: Scores
    alignment: float
    weakest: float


class Doubts(NamedTuple):
    """The signs, in the order of the judge's weights. 0 is no doubt, but for the first two, which are log odds."""

    entailment: float  # against it
    contradiction: float
    alignment: float
    weakest: float
    coverage: float  # share of content words that the best window lacks
    letters: float  # share of runs of four letters that it lacks
    novel: float  # share of content words that the whole passage lacks
    numbers: float  # share of numbers that the whole passage lacks
    negation: float  # 1 where only one of text and window is negated


@dataclass(frozen=True, slots=True)
class Comparison:
    """A text and what was read of one passage, at least one window. Each sign is worked out when it is asked for."""

    text: str
    passage: IndexedPassage
    read: Sequence[tuple[Window, Reading]]

    @property
    def entailment(self) -> float:
        return min(-log_odds(reading.scores.entailment) for _, reading in self.read)

    @property
    def contradiction(self) -> float:
        return min(log_odds(reading.scores.contradiction) for _, reading in self.read)

    @property
    def alignment(self) -> float:
        return 1.0 - max(reading.alignment for _, reading in self.read)

    @property
    def weakest(self) -> float:
        return 1.0 - max(reading.weakest for _, reading in self.read)

    @property
    def coverage(self) -> float:
        return min(lacking(content(self.text), terms(window.text)) for window, _ in self.read)

    @property
    def letters(self) -> float:
        return min(lacking(letter_runs(self.text), letter_runs(window.text)) for window, _ in self.read)

    @property
    def novel(self) -> float:
        return lacking(content(self.text), self.passage.terms)

    @property
    def numbers(self) -> float:
        return lacking(counted(self.text), self.passage.terms)

    @property
    def negation(self) -> float:
        nearest = min(self.read, key=lambda item: (item[0].size, item[0].span))[0]
        return float(negated(self.text) != negated(nearest.text))


def doubts(
    text: str,
    passage: IndexedPassage,
    read: Sequence[tuple[Window, Reading]],
    wanted: Collection[str] = Doubts._fields,
) -> Doubts:
    """About a text, from what was read of one passage. Signs that are not wanted are 0."""
    compared = Comparison(text, passage, read)
    return Doubts(*(getattr(compared, name) if name in wanted else 0.0 for name in Doubts._fields))


def content(text: str) -> frozenset[str]:
    """Stems of content words, without numbers."""
    return frozenset(term for term in terms(text) if not term.startswith("#"))


@lru_cache(maxsize=20_000)
def counted(text: str) -> frozenset[str]:
    """The terms of numbers that say how many, how much or when.

    Not those that an honest paraphrase brings along: "one" and "first", numbers within names (COVID-19), decades.
    """
    found = set()
    for number in numbers(text):
        written, before, after = number.span.of(text), text[: number.span.start], text[number.span.end :]
        named = re.search(r"[^\W\d_][-‑–]$", before)
        if not (named or (number.value == 1 and written.isalpha()) or DECADE.match(after)):
            found.add(number_term(number))
    return frozenset(found)


def lacking(wanted: frozenset[str] | set[str], held: frozenset[str]) -> float:
    return len(wanted - held) / len(wanted) if wanted else 0.0


def log_odds(probability: float) -> float:
    odds = math.log(max(probability, 1e-9)) - math.log(max(1.0 - probability, 1e-9))
    return max(-CERTAIN, min(CERTAIN, odds))


@lru_cache(maxsize=20_000)
def letter_runs(text: str) -> frozenset[str]:
    """Runs of four letters of the folded words, blanks between words included."""
    line = f" {' '.join(word for word, _ in words(text))} "
    return frozenset(line[start : start + GRAM] for start in range(len(line) - GRAM + 1))


@lru_cache(maxsize=20_000)
def negated(text: str) -> bool:
    return any(word in NEGATIONS or word.endswith("n't") for word, _ in words(text))
