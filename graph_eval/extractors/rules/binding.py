"""Which phrase a pronoun stands for: a logistic regression over grammar and what an NLI model believes.

The rules of `coreference.py` know number, kind and role. They do not know that a tripod shakes and a fortnight does
not. So every phrase that agrees with the pronoun is put in its place, and the model says whether the text entails the
result. The weights were fitted on pronouns of answers and of written texts whose phrases readers had named one by one
(`training/extractor/fit_binding.py`). Nothing is bound below LEVEL: a claim about the wrong thing is worse than none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph_eval.extractors.rules.belief import Belief
from graph_eval.types import Span

LEVEL = 0.65  # of the probability that the phrase is the right one
MOST_PHRASES = 6  # that the model reads for a pronoun, the nearest ones
BIAS = -0.78
WEIGHTS: Mapping[str, float] = {
    "ruled": 0.77,
    "other_ruled": -0.65,
    "ruled_here": 0.34,
    "one_back": -0.3,
    "further_back": -0.46,
    "subject": 0.12,
    "object": 0.77,
    "subject_of_earlier": 0.1,
    "both_subjects": 0.13,
    "object_then_subject": -0.24,
    "subject_then_object": 0.33,
    "subject_then_object_here": 0.28,
    "owner_here": 0.45,
    "rivals": 0.11,
    "first": 0.16,
    "first_of_earlier": 0.09,
    "nested": -0.11,
    "oblique": -0.07,
    "beside": 0.23,
    "beside_object": -1.75,
    "within": -0.98,
    "participle": -3.12,
    "passive": 0.19,
    "named": 0.16,
    "source": -0.45,
    "goal": -0.66,
    "topic": 0.61,
    "coordinated": -0.67,
    "of": -0.41,
    "genitive": -0.15,
    "pronoun": 0.17,
    "personal": 0.7,
    "neuter": -0.24,
    "they_of_one": -2.54,
    "near": -0.7,
    "words": -1.12,
    "belief": 0.36,
    "ahead": 0.32,
    "alone": 0.73,
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A phrase that a pronoun may stand for, with its features but those of the model's belief.

    `pronoun`: the place of the pronoun in the text. `wording`: the sentence with the phrase there.
    """

    pronoun: Span
    name: str
    wording: str
    features: Mapping[str, float]


class Binder:
    """Chooses among candidates."""

    def __init__(self, belief: Belief) -> None:
        self._belief = belief

    def choose(self, text: str, candidates: Sequence[Candidate]) -> int | None:
        """The place of the phrase that the pronoun stands for, or None where that is not clear.

        `text`: the text up to the end of the pronoun's sentence.
        """
        found = self.probabilities(self.features(text, candidates))
        best = max(range(len(found)), key=found.__getitem__, default=None)
        return best if best is not None and found[best] >= LEVEL else None

    def features(self, text: str, candidates: Sequence[Candidate]) -> list[dict[str, float]]:
        """All features of each candidate, by name.

        belief: log odds that the text entails its wording. ahead: its belief less that of the best other candidate.
        alone: it has no other.
        """
        beliefs = self._belief.log_odds([(text, candidate.wording) for candidate in candidates])
        found = []
        for place, (candidate, belief) in enumerate(zip(candidates, beliefs, strict=True)):
            others = [*beliefs[:place], *beliefs[place + 1 :]]
            ahead = belief - max(others) if others else 0.0
            found.append({**candidate.features, "belief": belief, "ahead": ahead, "alone": float(not others)})
        return found

    def probabilities(self, features: Sequence[Mapping[str, float]]) -> list[float]:
        scores = [BIAS + sum(weight * row[name] for name, weight in WEIGHTS.items()) for row in features]
        return [1 / (1 + math.exp(-score)) for score in scores]
