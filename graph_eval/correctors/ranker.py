"""The ranker: features of a candidate -> probability that it is right. Its weights are a JSON file."""

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
    """The mean of several networks.

    `names`: of the features, in order. `min_probability`: from which a candidate is proposed, in [0, 1].
    """

    names: tuple[str, ...]
    mean: Array
    scale: Array
    networks: tuple[Network, ...]
    min_probability: float

    @classmethod
    def read(cls, path: Path) -> Ranker:
        return cls.of(json.loads(path.read_text("utf-8")))

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Ranker:
        networks = tuple(
            Network(np.array(each["hidden"]), np.array(each["hidden_bias"]), np.array(each["out"]), each["out_bias"])
            for each in value["networks"]
        )
        mean, scale = np.array(value["mean"]), np.array(value["scale"])
        # The file keeps the key "dares" for min_probability: its bytes are part of the corrector's fingerprint.
        return cls(tuple(value["names"]), mean, scale, networks, value["dares"])

    def probabilities(self, features: Sequence[Array]) -> Array:
        """Rows of features (n, names) -> probabilities (n,)."""
        if not len(features):
            return np.zeros(0)
        standardised = ((np.stack(list(features)) - self.mean) / self.scale).clip(-MAX_DEVIATION, MAX_DEVIATION)
        odds = np.mean([network.log_odds(standardised) for network in self.networks], axis=0)
        return np.asarray(1.0 / (1.0 + np.exp(-odds.clip(-50.0, 50.0))))
