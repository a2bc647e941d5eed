"""The calibration of the builtin checker: features -> one probability. Its weights are readable JSON.

A logistic regression whose weights are never negative, so that a feature can only raise the probability of being
unsupported. A triplet is judged by its own features and by those of its sentence. The less the extractor trusts the
triplet, the larger the share of the sentence.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graph_eval.checkers.features import Features


@dataclass(frozen=True, slots=True)
class Calibration:
    """`weights` by feature, `thresholds` by name. `share` in [0, 1]: the sentence's, in judging a triplet."""

    weights: Mapping[str, float]
    intercept: float
    share: float
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Calibration:
        """From the JSON file that training/nli/calibration.py writes."""
        values = json.loads(path.read_text("utf-8"))
        return cls(values["weights"], values["intercept"], values["share"], values.get("thresholds", {}))

    @property
    def fingerprint(self) -> str:
        """Written as the class was called before its renaming: the string identifies runs, so it must not change."""
        values = f"weights={self.weights!r}, intercept={self.intercept!r}, share={self.share!r}"
        return f"Judge({values}, thresholds={self.thresholds!r})"

    @property
    def active_features(self) -> list[str]:
        """Names of the features with a weight above 0."""
        return [name for name, weight in self.weights.items() if weight]

    def log_odds(self, features: Features) -> float:
        """Log odds that a text is unsupported."""
        return self.intercept + sum(
            self.weights.get(name, 0.0) * value for name, value in zip(Features._fields, features, strict=True)
        )

    def combined(self, triplet: float, sentence: float, confidence: float) -> float:
        """Log odds of a triplet, from those of the triplet alone and of its sentence.

        `confidence` in [0, 1]: the extractor's, in the triplet.
        """
        part = 1.0 - (1.0 - self.share) * confidence
        return part * sentence + (1.0 - part) * triplet


def probability(log_odds: float) -> float:
    """The logistic function."""
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, log_odds))))
