"""The learner of the builtin checker: doubts -> one calibrated probability. Its weights are readable JSON.

A logistic regression whose weights are never negative, so that a sign of doubt can only raise the probability. A
triplet is judged by its own doubts and by those of its sentence, in fixed parts; the less the extractor trusts the
triplet, the larger the sentence's part.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graph_eval.checkers.features import Doubts


@dataclass(frozen=True, slots=True)
class Judge:
    """`weights` by name of the doubt; `share` in [0, 1] is the sentence's part; `thresholds` by name."""

    weights: Mapping[str, float]
    intercept: float
    share: float
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Judge:
        values = json.loads(path.read_text("utf-8"))
        return cls(values["weights"], values["intercept"], values["share"], values.get("thresholds", {}))

    @property
    def used(self) -> list[str]:
        """Names of the signs that count."""
        return [name for name, weight in self.weights.items() if weight]

    def log_odds(self, doubts: Doubts) -> float:
        """Of a text being unsupported."""
        return self.intercept + sum(
            self.weights.get(name, 0.0) * value for name, value in zip(Doubts._fields, doubts, strict=True)
        )

    def combined(self, own: float, sentence: float, confidence: float) -> float:
        """Log odds of a triplet, from its own and its sentence's."""
        part = 1.0 - (1.0 - self.share) * confidence
        return part * sentence + (1.0 - part) * own


def probability(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, log_odds))))
