"""The learner that weighs candidates: features -> probability of being right. Its weights are readable JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FAR = 4.0  # standard deviations beyond which a feature says nothing more


@dataclass(frozen=True, slots=True)
class Network:
    """Standardised features, one hidden layer of tanh units, one log odds."""

    hidden: Array
    hidden_bias: Array
    out: Array
    out_bias: float

    def log_odds(self, standard: Array) -> Array:
        return np.asarray(np.tanh(standard @ self.hidden + self.hidden_bias) @ self.out + self.out_bias)


@dataclass(frozen=True, slots=True)
class Ranker:
    """The mean of a few networks. `names`: of the features, in order. `dares`: the probability from which a candidate
    is proposed."""

    names: tuple[str, ...]
    mean: Array
    scale: Array
    networks: tuple[Network, ...]
    dares: float

    @classmethod
    def read(cls, path: Path) -> Ranker:
        return cls.of(json.loads(path.read_text("utf-8")))

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Ranker:
        networks = tuple(
            Network(np.array(item["hidden"]), np.array(item["hidden_bias"]), np.array(item["out"]), item["out_bias"])
            for item in value["networks"]
        )
        mean, scale = np.array(value["mean"]), np.array(value["scale"])
        return cls(tuple(value["names"]), mean, scale, networks, value["dares"])

    def probabilities(self, features: Sequence[Array]) -> Array:
        """Rows of features (n, names) -> (n,)."""
        if not len(features):
            return np.zeros(0)
        standard = ((np.stack(list(features)) - self.mean) / self.scale).clip(-FAR, FAR)
        odds = np.mean([network.log_odds(standard) for network in self.networks], axis=0)
        return np.asarray(1.0 / (1.0 + np.exp(-odds.clip(-50.0, 50.0))))
