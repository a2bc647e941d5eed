"""A logistic regression on a handful of features."""

import numpy as np
from numpy.typing import NDArray

from graph_eval import metrics


def fitted(x: NDArray[np.float64], y: NDArray[np.float64], penalty: float) -> NDArray[np.float64]:
    """The weights for plain features, the last one the bias. The penalty is on those of standardised features."""
    mean, scale = x.mean(0), x.std(0).clip(min=1e-6)
    z = np.c_[(x - mean) / scale, np.ones(len(x))]
    weights, penalties = np.zeros(z.shape[1]), np.diag([*[penalty] * x.shape[1], 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-z @ weights))
        hessian = (z * (p * (1 - p))[:, None]).T @ z + penalties
        weights += np.linalg.solve(hessian, z.T @ (y - p) - penalties @ weights)
    plain = weights[:-1] / scale
    return np.array([*plain, weights[-1] - plain @ mean])


def probabilities(x: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = 1 / (1 + np.exp(-(x @ weights[:-1] + weights[-1])))
    return result


def auc(right: NDArray[np.float64], p: NDArray[np.float64]) -> float:
    return float(metrics.auc(right, p, np.ones((1, len(right)))).values[0])
