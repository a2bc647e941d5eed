"""Whether a pronoun stands for the phrase that the rules chose: a logistic regression over the choice and a belief.

The rules of `coreference.py` know number, kind and role. They do not know that a tripod shakes and a fortnight does
not. So the phrase is put in the pronoun's place, and so is every other one that agrees with it, and an NLI model says
which results the text entails. The weights were fitted on pronouns of answers and of written texts whose phrases
readers had named one by one (`training/extractor/fit_binding.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph_eval.extractors.rules.belief import LIMIT, Belief
from graph_eval.extractors.rules.logistic import Logistic
from graph_eval.types import Span

LEVEL = 0.55  # below this probability nothing is bound: a claim about the wrong thing is worse than none
MOST_OTHERS = 2  # phrases that the model reads beside the chosen one, the nearest ones
BINDING = Logistic(
    0.09,
    {
        "one_back": -0.26,
        "further_back": -1.31,
        "object": 0.1,
        "oblique": -0.62,
        "acted_on": 0.5,
        "possessive": 0.15,
        "rivals": -0.11,
        "topic": 1.12,
        "coordinated": -0.66,
        "of": -0.64,
        "personal": 0.62,
        "neuter": -0.27,
        "they_of_one": -0.8,
        "near": -0.39,
        "words": 1.42,
        "belief": 0.39,
        "ahead": 0.15,
        "alone": 0.3,
    },
)


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
        """Whether the pronoun stands for the chosen phrase. The others are read only if they can change the answer."""
        chosen, *others = self._pairs(choice)
        (belief,) = self._belief.log_odds([chosen])
        if others:
            furthest = (self._features(choice, belief, [other]) for other in (-LIMIT, LIMIT))
            answers = {BINDING.probability(features) >= LEVEL for features in furthest}
            if len(answers) == 1:
                return answers.pop()
        return BINDING.probability(self._features(choice, belief, self._belief.log_odds(others))) >= LEVEL

    def features(self, choice: Choice) -> dict[str, float]:
        """All features of a choice, by name.

        belief: log odds that the context entails its wording. ahead: its belief less that of the best other phrase.
        alone: there is no other.
        """
        belief, *others = self._belief.log_odds(self._pairs(choice))
        return self._features(choice, belief, others)

    @staticmethod
    def _pairs(choice: Choice) -> list[tuple[str, str]]:
        return [(choice.context, wording) for wording in choice.wordings.values()]

    @staticmethod
    def _features(choice: Choice, belief: float, others: Sequence[float]) -> dict[str, float]:
        ahead = belief - max(others) if others else 0.0
        return {**choice.features, "belief": belief, "ahead": ahead, "alone": float(not others)}
