"""From the outputs of a model to scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.types import Scores


def softmax(logits: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Probabilities over the last axis."""
    exact = logits.astype(np.float64)
    exponentials = np.exp(exact - exact.max(axis=-1, keepdims=True))
    result: NDArray[np.float64] = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return result


def binary(consistent: float) -> Scores:
    """The scores of a model with two labels. Neutral is 1 - P(consistent)."""
    return Scores(consistent, 1.0 - consistent, 0.0)


def log_odds(probability: float, limit: float) -> float:
    """The logit, limited to `limit` on either side."""
    odds = math.log(max(probability, 1e-9)) - math.log(max(1.0 - probability, 1e-9))
    return max(-limit, min(limit, odds))
