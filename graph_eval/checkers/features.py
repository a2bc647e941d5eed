"""Features of a text and a passage: signs that the passage does not support the text.

Each is a number that grows with doubt and can only shrink when one more window is read. None looks at style: the share
of text that is copied in one piece, or how long or dense a text is, would punish honest paraphrase.

The features were compared on FactCC, PolyTope and WiCE dev; see graph_eval/weights/nli/README.md.
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

MAX_LOG_ODDS = 4.0  # a model that is surer than this counts as this sure
NGRAM_SIZE = 4  # characters
DECADE = re.compile(r"['’]s\b|\s+century\b")


class Reading(NamedTuple):
    """The model's output for a text against one window.

    `alignment`: the mean cosine of the text's word pieces with their best matches in the window. `weakest`: the mean
    over the third of them that match worst.
    """

    scores: Scores
    alignment: float
    weakest: float


class Features(NamedTuple):
    """The features, in the order of the calibration's weights. 0 is no doubt, except for the first two, log odds."""

    entailment: float  # log odds against entailment
    contradiction: float  # log odds of contradiction
    alignment: float
    weakest: float
    coverage: float  # share of content words that are missing in the best window
    letters: float  # share of character 4-grams that are missing in the best window
    novel: float  # share of content words that are missing in the whole passage
    numbers: float  # share of numbers that are missing in the whole passage
    negation: float  # 1 where only one of text and window is negated


@dataclass(frozen=True, slots=True)
class LazyFeatures:
    """The features of a text and the readings of one passage (at least one). Each is computed when it is accessed."""

    text: str
    passage: IndexedPassage
    readings: Sequence[tuple[Window, Reading]]

    @property
    def entailment(self) -> float:
        return min(-log_odds(reading.scores.entailment) for _, reading in self.readings)

    @property
    def contradiction(self) -> float:
        return min(log_odds(reading.scores.contradiction) for _, reading in self.readings)

    @property
    def alignment(self) -> float:
        return 1.0 - max(reading.alignment for _, reading in self.readings)

    @property
    def weakest(self) -> float:
        return 1.0 - max(reading.weakest for _, reading in self.readings)

    @property
    def coverage(self) -> float:
        return min(missing_share(content_terms(self.text), terms(window.text)) for window, _ in self.readings)

    @property
    def letters(self) -> float:
        return min(missing_share(ngrams(self.text), ngrams(window.text)) for window, _ in self.readings)

    @property
    def novel(self) -> float:
        return missing_share(content_terms(self.text), self.passage.terms)

    @property
    def numbers(self) -> float:
        return missing_share(quantity_terms(self.text), self.passage.terms)

    @property
    def negation(self) -> float:
        nearest = min(self.readings, key=lambda reading: (reading[0].size, reading[0].span))[0]
        return float(negated(self.text) != negated(nearest.text))


def features(
    text: str,
    passage: IndexedPassage,
    readings: Sequence[tuple[Window, Reading]],
    names: Collection[str] = Features._fields,
) -> Features:
    """The features of a text and the readings of one passage. Features that are not in `names` are 0."""
    lazy = LazyFeatures(text, passage, readings)
    return Features(*(getattr(lazy, name) if name in names else 0.0 for name in Features._fields))


def content_terms(text: str) -> frozenset[str]:
    """Stems of content words, without numbers."""
    return frozenset(term for term in terms(text) if not term.startswith("#"))


@lru_cache(maxsize=20_000)
def quantity_terms(text: str) -> frozenset[str]:
    """The terms of numbers that say how many, how much or when.

    Left out are numbers that an honest paraphrase adds: "one" and "first", numbers within names (COVID-19), decades.
    """
    quantities = set()
    for number in numbers(text):
        written, before, after = number.span.of(text), text[: number.span.start], text[number.span.end :]
        part_of_name = re.search(r"[^\W\d_][-‑–]$", before)
        if not (part_of_name or (number.value == 1 and written.isalpha()) or DECADE.match(after)):
            quantities.add(number_term(number))
    return frozenset(quantities)


def missing_share(needed: frozenset[str] | set[str], present: frozenset[str]) -> float:
    """The share of needed terms that are not present, in [0, 1]."""
    return len(needed - present) / len(needed) if needed else 0.0


def log_odds(probability: float) -> float:
    """The logit, limited to MAX_LOG_ODDS on either side."""
    odds = math.log(max(probability, 1e-9)) - math.log(max(1.0 - probability, 1e-9))
    return max(-MAX_LOG_ODDS, min(MAX_LOG_ODDS, odds))


@lru_cache(maxsize=20_000)
def ngrams(text: str) -> frozenset[str]:
    """Character n-grams of the folded words, blanks between words included."""
    line = f" {' '.join(word for word, _ in words(text))} "
    return frozenset(line[start : start + NGRAM_SIZE] for start in range(len(line) - NGRAM_SIZE + 1))


@lru_cache(maxsize=20_000)
def negated(text: str) -> bool:
    """Whether the text contains a negation."""
    return any(word in NEGATIONS or word.endswith("n't") for word, _ in words(text))
