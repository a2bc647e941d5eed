"""Fits a profile to labelled scores, and measures it by cross-validation.

The fit is a logistic regression of the label on the log odds of p(inconsistent), with the targets of Platt (1999), so
that it is finite also where the scores separate the labels. With few labels only the intercept is fitted. With many
labels and a checker that gives signs the weights of the signs are fitted too, and kept if they lower the loss on unseen
contexts by more than its standard error. The folds keep all labels of a context together, so that no figure is measured
on a context that the fit has seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from graph_eval.checkers.profile import LEAST, Line, Weights, log_odds, mapped
from graph_eval.errors import UsageError
from graph_eval.metrics import Array, auc, calibration_error
from graph_eval.types import content_hash

FEWEST = 30  # labels
FEWEST_OF_A_CLASS = 5
FOLDS = 5
MANY = 300  # labels from which the slope is fitted too, and the weights of signs
PENALTY = 2.0  # on half the squared weight of a standardised sign, in labels: few labels move the weights little
ROUNDS = 20  # in which the claim that decides about a response may change
STANDARD_ERRORS = 1.0  # by which weights must lower the cross-validated log loss
FEWEST_FLAGGED = 10  # for a threshold whose precision counts
WARN_PRECISION = 0.5
BLOCK_PRECISIONS = (0.9, 0.8)  # the first one that is reached
GRID = tuple(n / 100 for n in range(1, 100))
SHOWN = tuple(n / 100 for n in range(5, 100, 5))


class Score(NamedTuple):
    """What a checker says of one claim: p_inconsistent, and its signs by name, if it gives any."""

    p_inconsistent: float
    signs: Mapping[str, float] = {}


class Scored(NamedTuple):
    """A labelled claim or response with its score.

    `label`: 1 means inconsistent. `p_inconsistent`: the largest one of `claims`. `kept`: a profile leaves it as it is.
    `context`: its identity. `claims`: the claims whose scores a profile changes; () if only the largest is known.
    """

    label: int
    p_inconsistent: float
    kept: bool
    context: str
    claims: tuple[Score, ...] = ()

    @property
    def scores(self) -> tuple[Score, ...]:
        return self.claims or (Score(self.p_inconsistent),)


class Level(NamedTuple):
    """What is flagged at a threshold.

    `false_flags`: per hundred items that are consistent by their label. `precision` is None if nothing is flagged.
    """

    threshold: float
    flagged: int
    precision: float | None
    recall: float
    false_flags: float
    f1: float


class Fitted(NamedTuple):
    """The fit, the recommended thresholds by name, and the figures as they stand in the file of a profile.

    `weights`: of the signs, or None if the line alone was fitted, or weights are not surely better.
    """

    line: Line
    weights: Weights | None
    thresholds: dict[str, float]
    figures: dict[str, Any]


def fitted(items: Sequence[Scored], of: str = "labels") -> Fitted:
    """The fit on these items. `of`: what they are, for messages. Raises UsageError for too few of them."""
    _require(items, of)
    free = [item for item in items if not item.kept]
    with_slope = len(free) >= MANY
    folds = fold_by_context(items)
    labels = np.array([item.label for item in items], dtype=np.float64)
    places = [place for place, item in enumerate(items) if not item.kept]
    truth = labels[places]
    before = np.array([item.p_inconsistent for item in free])

    def others(fold: int) -> list[Scored]:
        return [other for other in free if folds[other.context] != fold]

    lines = {fold: line(*_columns(others(fold)), with_slope) for fold in set(folds.values())}
    by_line = np.array([mapped(item.p_inconsistent, *lines[folds[item.context]]) for item in free])
    after, weights = by_line, None
    losses = {"before": log_loss(truth, before), "after": log_loss(truth, by_line)}
    areas = {"before": _area(truth, before), "after": _area(truth, by_line)}
    if with_slope and (names := _common_signs(free)):
        in_fold = {fold: signs_weighted(others(fold), names) for fold in lines}
        by_signs = np.array([_reweighted(item, in_fold[folds[item.context]]) for item in free])
        losses |= {"line": losses["after"], "weights": log_loss(truth, by_signs)}
        gains = losses_of(truth, by_line) - losses_of(truth, by_signs)
        if gains.sum() > STANDARD_ERRORS * _standard_error(gains, [item.context for item in free]):
            after, weights = by_signs, signs_weighted(free, names)
            losses["after"], areas["after"] = losses["weights"], _area(truth, by_signs)
    probabilities = np.array([item.p_inconsistent for item in items])
    probabilities[places] = after
    chosen = thresholds(labels, probabilities)
    rows = [level(labels, probabilities, at) for at in sorted({*SHOWN, *chosen.values()})]
    figures = {
        "folds": FOLDS,
        "auc": areas,
        "log_loss": losses,
        "calibration_error": {"before": calibration_error(truth, before), "after": calibration_error(truth, after)},
        "table": [{name: value for name, value in row._asdict().items() if name != "f1"} for row in rows],
    }
    return Fitted(line(*_columns(free), with_slope), weights, chosen, figures)


def _area(labels: Array, scores: Array) -> float:
    return round(float(auc(labels, scores, np.ones((1, len(labels)))).values[0]), 4)


def _common_signs(items: Sequence[Scored]) -> list[str]:
    """The names of the signs that every claim has."""
    return sorted(set.intersection(*(set(score.signs) for item in items for score in item.scores)))


def _reweighted(item: Scored, weights: Weights) -> float:
    """The p_inconsistent of an item by the weights: the largest one of its claims."""
    return max(weights.mapped(*score) for score in item.scores)


def _standard_error(values: Array, contexts: Sequence[str]) -> float:
    """The standard error of the sum of the values. Those of a context depend on each other."""
    sums: dict[str, float] = {}
    for value, context in zip(values, contexts, strict=True):
        sums[context] = sums.get(context, 0.0) + float(value)
    return float(np.std(list(sums.values()), ddof=1) * np.sqrt(len(sums)))


def _require(items: Sequence[Scored], of: str) -> None:
    free = [item for item in items if not item.kept]
    wrong = sum(item.label for item in free)
    contexts = len({item.context for item in free})
    if len(free) >= FEWEST and min(wrong, len(free) - wrong) >= FEWEST_OF_A_CLASS and contexts >= FOLDS:
        return
    left = len(items) - len(free)
    without = f" ({left} more are word for word in their context, or without a context or a claim)" if left else ""
    raise UsageError(
        f"too few {of}: {len(free)} can be used, {wrong} inconsistent and {len(free) - wrong} consistent, from "
        f"{contexts} contexts{without}",
        f"needed: {FEWEST}, at least {FEWEST_OF_A_CLASS} of each, from at least {FOLDS} contexts",
    )


def _columns(items: Sequence[Scored]) -> tuple[Array, Array]:
    """Labels and log odds."""
    labels = np.array([item.label for item in items], dtype=np.float64)
    return labels, np.array([log_odds(item.p_inconsistent) for item in items])


def line(labels: Array, odds: Array, with_slope: bool) -> Line:
    """The line with the largest likelihood. Its slope is 1, or with `with_slope` fitted and never negative."""
    targets = _targets(labels)
    if not with_slope or np.ptp(odds) == 0:
        return Line(1.0, round(_intercept(targets, odds), 6))
    start = np.array([1.0, _intercept(targets, odds)])
    slope, intercept = map(float, logistic(np.stack([odds, np.ones_like(odds)], axis=1), targets, start, np.zeros(2)))
    if slope < 0:
        slope, intercept = 0.0, _intercept(targets, np.zeros_like(odds))
    return Line(round(slope, 6), round(intercept, 6))


def _targets(labels: Array) -> Array:
    """The targets of Platt (1999)."""
    positive = labels.sum()
    return np.asarray(np.where(labels > 0, (positive + 1) / (positive + 2), 1 / (len(labels) - positive + 2)))


def _intercept(targets: Array, odds: Array) -> float:
    """The intercept at which the mean probability equals the mean target, by bisection."""
    low, high = -60.0, 60.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _sigmoid(odds + middle).sum() < targets.sum() else (low, middle)
    return (low + high) / 2


def signs_weighted(items: Sequence[Scored], names: Sequence[str]) -> Weights:
    """The weights of the signs with the largest likelihood, kept near 0 by PENALTY.

    Of a response the claim with the largest p counts. Which one that is changes with the weights, so the fit is
    repeated, and the best one is taken. The slope is never negative: of two claims with the same signs the one with the
    larger p stays the more doubtful one.
    """
    labels = np.array([item.label for item in items], dtype=np.float64)
    targets = _targets(labels)
    firsts = np.cumsum([0, *(len(item.scores) for item in items)])
    scores = [score for item in items for score in item.scores]
    signs = np.array([[score.signs[name] for name in names] for score in scores])
    scale = np.where(np.ptp(signs, axis=0) > 0, signs.std(axis=0), np.inf)  # a sign that never changes has no weight
    odds = np.array([log_odds(score.p_inconsistent) for score in scores])
    inputs = np.column_stack([odds, np.ones(len(scores)), signs / scale])
    penalties = np.array([0.0, 0.0, *np.full(len(names), PENALTY)])

    def deciding(values: Array) -> list[int]:
        total = inputs @ values
        return [int(first + total[first:last].argmax()) for first, last in pairwise(firsts)]

    def loss(values: Array, places: Sequence[int]) -> float:
        return _logistic_loss(inputs[places], targets, values, penalties)

    def refitted(values: Array, places: Sequence[int]) -> Array:
        found = logistic(inputs[places], targets, values, penalties)
        if found[0] < 0:
            found = np.append(0.0, logistic(inputs[places, 1:], targets, np.zeros(len(values) - 1), penalties[1:]))
        return found

    values = best = np.array([1.0, 0.0, *np.zeros(len(names))])
    places = deciding(values)
    lowest = np.inf
    for _ in range(ROUNDS):
        before, values = places, refitted(values, places)
        places = deciding(values)
        if (current := loss(values, places)) < lowest:
            best, lowest = values, current
        if places == before:
            break
    slope, intercept, *weights = (round(float(value), 6) for value in (*best[:2], *(best[2:] / scale)))
    return Weights(slope, intercept, dict(zip(names, weights, strict=True)))


def logistic(inputs: Array, targets: Array, start: Array, penalties: Array) -> Array:
    """The weights of a logistic regression, by Newton's method. A step that does not lower the loss is halved.

    `inputs` (items, weights), `targets` (items,): probabilities; `start` (weights,): where to begin; `penalties`
    (weights,): on half of each squared weight.
    """
    values = start

    def loss(at: Array) -> float:
        return _logistic_loss(inputs, targets, at, penalties)

    current = loss(values)
    for _ in range(100):
        p = _sigmoid(inputs @ values)
        curvature = (inputs * (p * (1 - p))[:, None]).T @ inputs + np.diag(penalties + 1e-9)
        step = np.linalg.solve(curvature, inputs.T @ (p - targets) + penalties * values)
        size = 1.0
        while size > 1e-6 and loss(values - size * step) > current:
            size /= 2
        changed = loss(values - size * step)
        if changed >= current:
            break
        values, gain, current = values - size * step, current - changed, changed
        if gain < 1e-12:
            break
    return values


def _logistic_loss(inputs: Array, targets: Array, values: Array, penalties: Array) -> float:
    z = inputs @ values
    return float((np.logaddexp(0.0, z) - targets * z).sum() + (penalties * values**2).sum() / 2)


def _sigmoid(z: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(z, -60.0, 60.0))))


def fold_by_context(items: Sequence[Scored]) -> dict[str, int]:
    """The fold of each context. It depends on the contexts only, not on their order."""
    contexts = sorted({item.context for item in items if not item.kept}, key=lambda name: content_hash("fold", name))
    return {context: place % FOLDS for place, context in enumerate(contexts)}


def level(labels: Array, probabilities: Array, threshold: float) -> Level:
    """What is flagged at the threshold."""
    flagged = probabilities > threshold
    count = int(flagged.sum())
    hits = float(labels[flagged].sum())
    wrong = float(labels.sum())
    return Level(
        threshold,
        count,
        round(hits / count, 4) if count else None,
        round(hits / wrong, 4),
        round(100 * (count - hits) / (len(labels) - wrong), 2),
        2 * hits / (count + wrong),
    )


def thresholds(labels: Array, probabilities: Array) -> dict[str, float]:
    """The recommended thresholds that can be reached: "warn" and "block".

    Only thresholds that flag at least FEWEST_FLAGGED items count. "warn" has the best F1 among those with a precision
    of at least 0.5, or else of all. "block" is the lowest one from "warn" on with a precision of at least 0.9, or else
    of at least 0.8.
    """
    rows = [row for at in GRID if (row := level(labels, probabilities, at)).flagged >= FEWEST_FLAGGED and row.f1]
    if not rows:
        return {}
    precise = [row for row in rows if (row.precision or 0.0) >= WARN_PRECISION]
    found = {"warn": max(precise or rows, key=lambda row: (row.f1, -row.threshold)).threshold}
    for precision in BLOCK_PRECISIONS:
        enough = [row for row in rows if row.threshold >= found["warn"] and (row.precision or 0.0) >= precision]
        if enough:
            return {**found, "block": enough[0].threshold}
    return found


def log_loss(labels: Array, probabilities: Array) -> float:
    """The mean loss, to four digits."""
    return round(float(losses_of(labels, probabilities).mean()), 4)


def losses_of(labels: Array, probabilities: Array) -> Array:
    """-log of the probability of each label."""
    p = np.clip(probabilities, LEAST, 1 - LEAST)
    return -(labels * np.log(p) + (1 - labels) * np.log1p(-p))
