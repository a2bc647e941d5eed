"""From the outputs of a model to scores."""

from __future__ import annotations

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
