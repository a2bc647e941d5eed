"""The rankers: features of a candidate -> probability that it is what a person would do. Their weights are a JSON file.

The first ranker rates all candidates of a sentence by words and by the tagger. The second one rates the best of them
again, by how the NLI model reads the edited sentence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
MAX_DEVIATION = 4.0  # standard deviations at which features are clipped
MAX_LOG_ODDS = 50.0


@dataclass(frozen=True, slots=True)
class Network:
    """Standardised features, one hidden layer of tanh units, one log odds."""

    hidden: Array
    hidden_bias: Array
    out: Array
    out_bias: float

    def log_odds(self, features: Array) -> Array:
        """Standardised features (n, names) -> (n,)."""
        return np.asarray(np.tanh(features @ self.hidden + self.hidden_bias) @ self.out + self.out_bias)


@dataclass(frozen=True, slots=True)
class Ranker:
    """The mean of several networks. `names`: of the features, in order. `slope`, `offset`: calibrate the log odds."""

    names: tuple[str, ...]
    mean: Array
    scale: Array
    networks: tuple[Network, ...]
    slope: float = 1.0
    offset: float = 0.0

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Ranker:
        networks = tuple(
            Network(np.array(each["hidden"]), np.array(each["hidden_bias"]), np.array(each["out"]), each["out_bias"])
            for each in value["networks"]
        )
        mean, scale = np.array(value["mean"]), np.array(value["scale"])
        return cls(tuple(value["names"]), mean, scale, networks, value.get("slope", 1.0), value.get("offset", 0.0))

    def log_odds(self, features: Sequence[Array] | Array) -> Array:
        """Rows of features (n, names) -> log odds (n,)."""
        if not len(features):
            return np.zeros(0)
        standardised = ((np.asarray(features) - self.mean) / self.scale).clip(-MAX_DEVIATION, MAX_DEVIATION)
        odds = np.mean([network.log_odds(standardised) for network in self.networks], axis=0)
        return np.asarray((self.slope * odds + self.offset).clip(-MAX_LOG_ODDS, MAX_LOG_ODDS))

    def probabilities(self, features: Sequence[Array] | Array) -> Array:
        """Rows of features (n, names) -> probabilities (n,)."""
        return np.asarray(1.0 / (1.0 + np.exp(-self.log_odds(features))))


@dataclass(frozen=True, slots=True)
class Rankers:
    """`min_probability`: from which an edit is applied, in [0, 1]."""

    first: Ranker
    second: Ranker
    min_probability: float

    @classmethod
    def read(cls, path: Path) -> Rankers:
        value = json.loads(path.read_text("utf-8"))
        return cls(Ranker.of(value["first"]), Ranker.of(value["second"]), value["min_probability"])
