"""Whether a pronoun stands for the phrase that the rules chose: a logistic regression over the choice and a belief.

The rules of `coreference.py` know number, kind and role. They do not know that a tripod shakes and a fortnight does
not. So the phrase is put in the pronoun's place, and so is every other one that agrees with it, and an NLI model says
which results the text entails. The weights were fitted on pronouns of answers and of written texts whose phrases
readers had named one by one (`training/extractor/fit_binding.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from graph_eval.extractors.rules.belief import Belief
from graph_eval.types import Span

LEVEL = 0.5  # below this probability nothing is bound: a claim about the wrong thing is worse than none
MOST_OTHERS = 2  # phrases that the model reads beside the chosen one, the nearest ones
BIAS = 1.04
WEIGHTS: Mapping[str, float] = {
    "one_back": -0.57,
    "further_back": -0.68,
    "object": 0.59,
    "oblique": 0.0,
    "acted_on": 0.0,
    "possessive": 0.0,
    "rivals": 0.0,
    "topic": 1.03,
    "coordinated": -1.18,
    "of": -1.58,
    "personal": 0.72,
    "neuter": -0.78,
    "they_of_one": -4.94,
    "near": -0.57,
    "words": -1.0,
    "belief": 0.41,
    "ahead": 0.28,
    "alone": 0.54,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """The phrase that the rules chose for a pronoun.

    `context`: the text from where its phrases stand to the end of its sentence. `pronoun`: its place in the text.
    `wordings`: its sentence with each phrase in its place, by phrase, the chosen one first. `features`: of the choice,
    but those of the model's belief.
    """

    context: str
    pronoun: Span
    wordings: Mapping[str, str]
    features: Mapping[str, float]


class Binder:
    """Accepts choices, or not."""

    def __init__(self, belief: Belief) -> None:
        self._belief = belief

    def accepts(self, choice: Choice) -> bool:
        """Whether the pronoun stands for the chosen phrase."""
        return self.probability(self.features(choice)) >= LEVEL

    def features(self, choice: Choice) -> dict[str, float]:
        """All features of a choice, by name.

        belief: log odds that the context entails its wording. ahead: its belief less that of the best other phrase.
        alone: there is no other.
        """
        belief, *others = self._belief.log_odds([(choice.context, wording) for wording in choice.wordings.values()])
        ahead = belief - max(others) if others else 0.0
        return {**choice.features, "belief": belief, "ahead": ahead, "alone": float(not others)}

    def probability(self, features: Mapping[str, float]) -> float:
        score = BIAS + sum(weight * features[name] for name, weight in WEIGHTS.items())
        return 1 / (1 + math.exp(-score))
