"""Metrics of labelled items, with 95% bootstrap intervals.

Label 1 means inconsistent, and a score is p(inconsistent). Balanced accuracy is the mean of the recall of inconsistent
items and the recall of consistent items. AUC is the probability that an inconsistent item has a higher score than a
consistent one, and a tie counts half. Both are defined as in scikit-learn. Intervals are percentiles over resamples of
the items, or of groups of items, with replacement (Efron 1979).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
FEWEST = 200  # resamples
CELLS = 60_000_000  # of a table of weights (480 MB): for more than 30,000 items there are fewer resamples
SEED = 0
CONSTANT = 1e-28  # a variance, as a share of the mean square, that is rounding error
ROUNDING = 1e-14  # the same, of numbers whose mean was subtracted
BINS = 10  # of equal width, of the calibration error
Array = NDArray[np.float64]


class Figure(NamedTuple):
    """A value with the ends of its 95% interval. All are None if one class is missing, the ends also if no resample has
    a value."""

    value: float | None
    low: float | None
    high: float | None


class Sample(NamedTuple):
    """A statistic over all items (first) and over every resample."""

    values: Array

    def figure(self) -> Figure:
        if np.isnan(self.values[0]):
            return Figure(None, None, None)
        if np.isnan(self.values[1:]).all():
            return Figure(round(float(self.values[0]), 4), None, None)
        low, high = np.nanpercentile(self.values[1:], (2.5, 97.5))
        return Figure(*(round(float(value), 4) for value in (self.values[0], low, high)))

    def minus(self, other: Sample) -> Sample:
        """The difference to another statistic of the same items, with paired resamples."""
        return Sample(self.values - other.values)

    def above(self, other: Sample) -> Figure:
        return self.minus(other).figure()

    def standard_error(self) -> float | None:
        """The standard deviation over the resamples."""
        spread = self.values[1:]
        if np.isnan(self.values[0]) or np.isnan(spread).all() or len(spread) < 2:
            return None
        return round(float(np.nanstd(spread, ddof=1)), 4)


def weights(count: int, resamples: int = RESAMPLES) -> Array:
    """The number of times that each of `count` items is drawn: (1 + resamples, count). In the first row it is 1."""
    return group_weights(range(count), resamples)


def group_weights(groups: Sequence[Hashable], resamples: int = RESAMPLES) -> Array:
    """The number of times that each item is drawn, where all items of a group are drawn together.

    `groups`: that of each item. Returns (1 + resamples, items). In the first row the number is 1. More than 30,000
    items have fewer resamples, so that the table fits into memory.
    """
    places = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    count = len(places)
    generator = np.random.default_rng(SEED)
    size = min(resamples, max(FEWEST, CELLS // max(1, len(groups))))
    if not count:
        return np.ones((1 + size, 0))
    drawn = generator.multinomial(count, np.full(count, 1.0 / count), size=size).astype(np.float64)
    drawn = np.concatenate([np.ones((1, count)), drawn])
    return drawn if count == len(groups) else drawn[:, [places[group] for group in groups]]


def mean(values: Array, drawn: Array) -> Sample:
    """The mean of one number of each item. Not a number where no item is drawn."""
    with np.errstate(invalid="ignore"):
        return Sample(drawn @ values / drawn.sum(axis=1))


def ratio(part: Array, whole: Array, drawn: Array) -> Sample:
    """The sum of one number of each item divided by that of another. Not a number where the second sum is 0.

    With `part` = label and flag, it is precision for `whole` = flag, and recall for `whole` = label.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return Sample((drawn @ part) / (drawn @ whole))


def balanced_accuracy(labels: Array, inconsistent: Array, drawn: Array) -> Sample:
    """Balanced accuracy. `labels` and `inconsistent`: 0 or 1 for each item. `drawn`: the output of `weights`."""
    with np.errstate(invalid="ignore"):
        recall = drawn @ (labels * inconsistent) / (drawn @ labels)
        spared = drawn @ ((1 - labels) * (1 - inconsistent)) / (drawn @ (1 - labels))
    return Sample((recall + spared) / 2)


def auc(labels: Array, scores: Array, drawn: Array) -> Sample:
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.diff(scores[order], prepend=-np.inf))  # of each group of equal scores
    sorted_weights = drawn[:, order]
    bad = np.add.reduceat(sorted_weights * labels[order], starts, axis=1)
    good = np.add.reduceat(sorted_weights * (1 - labels[order]), starts, axis=1)
    below = np.cumsum(good, axis=1) - good / 2
    with np.errstate(invalid="ignore"):
        return Sample((bad * below).sum(axis=1) / (bad.sum(axis=1) * good.sum(axis=1)))


def auc_pr(labels: Array, scores: Array, drawn: Array) -> Sample:
    """Area under the precision-recall curve, as average precision: the mean over the items of label 1 of the precision
    at their score. Items with equal scores are one point of the curve. As scikit-learn's `average_precision_score`.
    """
    order = np.argsort(-scores, kind="stable")
    starts = np.flatnonzero(np.diff(-scores[order], prepend=-np.inf))  # of each group of equal scores
    sorted_weights = drawn[:, order]
    found = np.cumsum(np.add.reduceat(sorted_weights * labels[order], starts, axis=1), axis=1)
    named = np.cumsum(np.add.reduceat(sorted_weights, starts, axis=1), axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = np.where(named > 0, found / named, 1.0)
        recall = found / found[:, -1:]
    return Sample((np.diff(recall, axis=1, prepend=0.0) * precision).sum(axis=1))


def pearson(one: Array, other: Array, drawn: Array) -> Sample:
    """Pearson's correlation of two numbers of each item.

    `one` and `other`: (items,), or (1 + resamples, items) if the numbers depend on the resample. Not a number where all
    numbers of one of them are equal.
    """
    total = drawn.sum(axis=1)
    sizes = [np.max(values**2, axis=-1, initial=0.0) for values in (one, other)]
    # Numbers far from 0 with a small spread would lose digits below.
    one, other = (values - values.mean(axis=-1, keepdims=True) if values.size else values for values in (one, other))

    def mean(values: Array) -> Array:
        weighted = drawn @ values if values.ndim == 1 else (drawn * values).sum(axis=1)
        averages: Array = weighted / total
        return averages

    covariance = mean(one * other) - mean(one) * mean(other)
    squares = [mean(values**2) for values in (one, other)]
    spreads = [square - mean(values) ** 2 for square, values in zip(squares, (one, other), strict=True)]
    # Of a resample of equal numbers there is no correlation.
    defined = np.all(
        [
            (spread > CONSTANT * size) & (spread > ROUNDING * square)
            for spread, square, size in zip(spreads, squares, sizes, strict=True)
        ],
        axis=0,
    )
    root = np.sqrt(np.where(defined, spreads[0], 1.0)) * np.sqrt(np.where(defined, spreads[1], 1.0))
    return Sample(np.where(defined, covariance / root, np.nan))


def spearman(one: Array, other: Array, drawn: Array) -> Sample:
    """Spearman's rank correlation of two numbers of each item: Pearson's correlation of their ranks in the resample.

    Items with equal numbers share the mean of their ranks.
    """
    return pearson(_drawn_ranks(one, drawn), _drawn_ranks(other, drawn), drawn)


def _drawn_ranks(values: Array, drawn: Array) -> Array:
    """The rank of each item among the drawn ones, as the distance to the mean rank: (1 + resamples, items)."""
    order = np.argsort(values, kind="stable")
    is_start = np.diff(values[order], prepend=-np.inf) > 0  # of each group of equal numbers
    groups = np.add.reduceat(drawn[:, order], np.flatnonzero(is_start), axis=1)
    distances = np.cumsum(groups, axis=1) - (groups + drawn.sum(axis=1, keepdims=True)) / 2
    ranks = np.empty_like(drawn)
    ranks[:, order] = distances[:, np.cumsum(is_start) - 1]
    return ranks


def rank_correlation(one: Array, other: Array) -> Sample:
    """Spearman's rank correlation of two rows of figures, for all items and for each resample.

    `one` and `other`: (1 + resamples, figures), such as a rate of each model. Equal figures share the mean of their
    ranks. Not a number where a figure is none, or all of a row are equal.
    """

    def ranks(rows: Array) -> Array:
        lower = (rows[:, None, :] < rows[:, :, None]).sum(axis=2)
        equal = (rows[:, None, :] == rows[:, :, None]).sum(axis=2)
        found: Array = lower + (equal + 1) / 2
        return found

    correlation = pearson(ranks(one), ranks(other), np.ones_like(one)).values
    return Sample(np.where(np.isnan(one + other).any(axis=1), np.nan, correlation))


def accuracy(labels: Array, predicted: Array, drawn: Array) -> Sample:
    """The share of items whose predicted class is their label. `labels` and `predicted`: numbers of classes."""
    return mean((labels == predicted).astype(np.float64), drawn)


def f1(labels: Array, predicted: Array, drawn: Array) -> Sample:
    """F1 of the class 1: twice the items that are 1 in both, divided by the number of 1 in each.

    `labels` and `predicted`: 0 or 1 for each item. Not a number where neither has an item of the class.
    """
    return ratio(2 * labels * predicted, labels + predicted, drawn)


def macro_f1(labels: Array, predicted: Array, drawn: Array) -> Sample:
    """The mean of the F1 of every class that a drawn item has, by its label or as predicted.

    `labels` and `predicted`: numbers of classes. As scikit-learn's `f1_score` with average="macro".
    """
    classes = np.union1d(labels, predicted)
    by_class = np.array(
        [f1((labels == one).astype(np.float64), (predicted == one).astype(np.float64), drawn).values for one in classes]
    )
    known = ~np.isnan(by_class)
    with np.errstate(invalid="ignore"):
        return Sample(np.where(known, by_class, 0.0).sum(axis=0) / known.sum(axis=0))


def kappa(one: Array, other: Array, drawn: Array) -> Sample:
    """Cohen's kappa (1960) of two labellings of the same items: the agreement beyond that of chance.

    `one` and `other`: the number of a category for each item. Not a number where both give the same single category,
    because all agreement is then expected by chance.
    """
    total = drawn.sum(axis=1)
    categories = np.union1d(one, other)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = drawn @ (one == other).astype(np.float64) / total
        expected = sum(
            (drawn @ (one == category).astype(np.float64)) * (drawn @ (other == category).astype(np.float64))
            for category in categories
        ) / (total * total)
        return Sample(np.where(expected < 1, (observed - expected) / (1 - expected), np.nan))


class Bin(NamedTuple):
    """Items with a probability in one range: their number, mean probability, and share of label 1."""

    n: int
    probability: float
    share: float


def reliability(labels: Array, probabilities: Array) -> list[Bin]:
    """The bins of a reliability diagram: ten of equal width from 0 to 1, those without an item left out."""
    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    chosen = [bins == place for place in range(BINS)]
    return [
        Bin(int(inside.sum()), float(probabilities[inside].mean()), float(labels[inside].mean()))
        for inside in chosen
        if inside.any()
    ]


def calibration_error(labels: Array, probabilities: Array) -> float:
    """The expected calibration error over the bins of `reliability` (Guo et al., arXiv 1706.04599), to four digits."""
    gaps = (one.n * abs(one.probability - one.share) for one in reliability(labels, probabilities))
    return round(sum(gaps) / len(labels), 4)


class Roc(NamedTuple):
    """Points of a ROC curve, from (0, 0) to (1, 1): the shares of the items of label 0 and of label 1 with a score of
    at least each threshold. The first threshold is infinite. Not a number without items of a label."""

    false_rates: Array
    true_rates: Array
    thresholds: Array


def roc(labels: Array, scores: Array) -> Roc:
    """The ROC curve, with a point for each distinct score. As scikit-learn's `roc_curve` without dropped points."""
    order = np.argsort(-scores, kind="stable")
    ends = np.flatnonzero(np.diff(scores[order], append=-np.inf))  # of each group of equal scores
    found = np.cumsum(labels[order])[ends]
    named = ends + 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        false_rates = np.concatenate([[0.0], named - found]) / (1 - labels).sum()
        true_rates = np.concatenate([[0.0], found]) / labels.sum()
    return Roc(false_rates, true_rates, np.concatenate([[np.inf], scores[order][ends]]))
