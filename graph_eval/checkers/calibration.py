"""The calibration of the builtin checker: features -> one probability. Its weights are readable JSON.

A logistic regression whose weights are never negative, so that more doubt can only raise the probability of being
unsupported. A quantity that no passage states outweighs a model that entails the claim: the probability has a floor
there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graph_eval.checkers.features import Features
from graph_eval.types import content_hash


@dataclass(frozen=True, slots=True)
class Calibration:
    """`weights` by feature, `thresholds` by name.

    `number_floor`: the least log odds where a quantity of the claim is missing. `word_level`: the log odds above which
    a word counts as unsupported. `doubtful`: the bounds between which a cascade asks the next checker; they change no
    judgement of this one.
    """

    weights: Mapping[str, float]
    intercept: float
    thresholds: Mapping[str, float] = field(default_factory=dict)
    number_floor: float = -math.inf
    word_level: float = 0.0
    doubtful: tuple[float, float] = (0.1, 0.9)

    @classmethod
    def read(cls, path: Path) -> Calibration:
        """From the JSON file that training/nli/calibration.py writes."""
        values = json.loads(path.read_text("utf-8"))
        known = ("thresholds", "number_floor", "word_level", "doubtful")
        own = {name: values[name] for name in known if name in values}
        if "doubtful" in own:
            own["doubtful"] = tuple(own["doubtful"])
        return cls(values["weights"], values["intercept"], **own)

    @property
    def fingerprint(self) -> str:
        named = (sorted(self.weights.items()), sorted(self.thresholds.items()))
        return content_hash("calibration", *named, self.intercept, repr(self.number_floor), self.word_level)

    def log_odds(self, features: Features) -> float:
        """Log odds that a text is unsupported."""
        odds = self.intercept + sum(
            self.weights.get(name, 0.0) * value for name, value in zip(Features._fields, features, strict=True)
        )
        return max(odds, self.number_floor) if features.numbers else odds


def probability(log_odds: float) -> float:
    """The logistic function."""
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, log_odds))))
