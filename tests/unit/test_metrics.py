"""The metrics equal those of scikit-learn and scipy, over all items and over every resample."""

import math
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from sklearn import calibration
from sklearn import metrics as sk

from graph_eval import metrics
from graph_eval.metrics import Array, Sample

SCORES = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 1.0]) | st.floats(0, 1)  # with ties
BIT = st.integers(0, 1)
CLASS = st.integers(0, 3)
TOLERANCE = {"abs": 1e-9, "rel": 1e-9}


def rows(*columns: st.SearchStrategy[float]) -> st.SearchStrategy[list[tuple[float, ...]]]:
    """Items with these numbers, and the number of times that each is drawn."""
    return st.lists(st.tuples(*columns, st.integers(0, 3)), min_size=1, max_size=40)


def columns(items: list[tuple[float, ...]]) -> list[Array]:
    return [np.array(column, dtype=np.float64) for column in zip(*items, strict=True)]


def repeated(one: Array, other: Array, drawn: Array) -> tuple[Array, Array]:
    """The items as often as they are drawn."""
    times = drawn.astype(int)
    return np.repeat(one, times), np.repeat(other, times)


def check(
    metric: Callable[[Array, Array, Array], Sample],
    reference: Callable[[Array, Array], float],
    items: list[tuple[float, ...]],
    defined: Callable[[Array, Array], bool] = lambda _one, _other: True,
) -> None:
    """The metric of all items and of the drawn ones is the reference's. It is not a number where it is not defined."""
    one, other, drawn = columns(items)
    assume(drawn.any())  # a resample has as many items as there are
    found = metric(one, other, np.stack([np.ones_like(drawn), drawn])).values
    for value, (left, right) in zip(found, ((one, other), repeated(one, other, drawn)), strict=True):
        if defined(left, right):
            with warnings.catch_warnings(action="ignore"):
                expected = reference(left, right)
            assert value == pytest.approx(expected, **TOLERANCE)
        else:
            assert math.isnan(value)


def both_labels(labels: Array, _: Array) -> bool:
    return 0 < labels.sum() < len(labels)


@given(rows(BIT, BIT))
def test_balanced_accuracy(items: list[tuple[float, ...]]) -> None:
    check(metrics.balanced_accuracy, sk.balanced_accuracy_score, items, both_labels)


@given(rows(BIT, SCORES))
def test_auc(items: list[tuple[float, ...]]) -> None:
    check(metrics.auc, sk.roc_auc_score, items, both_labels)


@given(rows(BIT, SCORES))
def test_auc_pr(items: list[tuple[float, ...]]) -> None:
    check(metrics.auc_pr, sk.average_precision_score, items, lambda labels, _: labels.sum() > 0)


@given(rows(CLASS, CLASS))
def test_kappa(items: list[tuple[float, ...]]) -> None:
    check(metrics.kappa, sk.cohen_kappa_score, items, lambda one, other: len({*one, *other}) > 1)


@given(rows(CLASS, CLASS))
def test_accuracy(items: list[tuple[float, ...]]) -> None:
    check(metrics.accuracy, sk.accuracy_score, items)


@given(rows(CLASS, CLASS))
def test_macro_f1(items: list[tuple[float, ...]]) -> None:
    check(metrics.macro_f1, lambda labels, predicted: sk.f1_score(labels, predicted, average="macro"), items)


@given(rows(BIT, BIT))
def test_f1(items: list[tuple[float, ...]]) -> None:
    check(metrics.f1, sk.f1_score, items, lambda labels, predicted: bool(labels.sum() + predicted.sum()))


@given(rows(BIT, BIT))
def test_ratio_is_precision_and_recall(items: list[tuple[float, ...]]) -> None:
    def precision(labels: Array, flagged: Array, drawn: Array) -> Sample:
        return metrics.ratio(labels * flagged, flagged, drawn)

    def recall(labels: Array, flagged: Array, drawn: Array) -> Sample:
        return metrics.ratio(labels * flagged, labels, drawn)

    check(precision, sk.precision_score, items, lambda _, flagged: flagged.sum() > 0)
    check(recall, sk.recall_score, items, lambda labels, _: labels.sum() > 0)


def spread(one: Array, other: Array) -> bool:
    """Both columns vary enough that a correlation is not rounding error."""
    return min(np.var(one), np.var(other)) > 1e-3


@given(rows(SCORES, SCORES))
def test_pearson(items: list[tuple[float, ...]]) -> None:
    one, other, drawn = columns(items)
    assume(all(len(left) > 1 and spread(left, right) for left, right in [repeated(one, other, drawn), (one, other)]))
    check(metrics.pearson, lambda left, right: stats.pearsonr(left, right)[0], items)


@given(rows(SCORES, SCORES))
def test_spearman(items: list[tuple[float, ...]]) -> None:
    def varies(left: Array, right: Array) -> bool:
        return len(set(left)) > 1 and len(set(right)) > 1

    check(metrics.spearman, lambda left, right: stats.spearmanr(left, right)[0], items, varies)


@given(rows(SCORES, SCORES))
def test_a_correlation_with_equal_numbers_is_not_a_number(items: list[tuple[float, ...]]) -> None:
    one, _, _ = columns(items)
    drawn = np.ones((1, len(one)))
    assert math.isnan(metrics.pearson(one, np.full_like(one, 0.3), drawn).values[0])
    assert math.isnan(metrics.spearman(one, np.full_like(one, 0.3), drawn).values[0])


@given(rows(SCORES, SCORES))
def test_mean(items: list[tuple[float, ...]]) -> None:
    check(lambda one, _, drawn: metrics.mean(one, drawn), lambda one, _: float(np.mean(one)), items)


@given(rows(BIT, SCORES))
def test_roc_has_the_points_of_scikit_learn(items: list[tuple[float, ...]]) -> None:
    labels, scores, _ = columns(items)
    assume(both_labels(labels, scores))
    found = metrics.roc(labels, scores)
    for one, expected in zip(found, sk.roc_curve(labels, scores, drop_intermediate=False), strict=True):
        assert one == pytest.approx(expected, **TOLERANCE)
    assert sk.auc(found.false_rates, found.true_rates) == pytest.approx(sk.roc_auc_score(labels, scores), **TOLERANCE)


def test_roc_without_a_label_is_not_a_number() -> None:
    found = metrics.roc(np.ones(3), np.array([0.1, 0.2, 0.2]))
    assert np.isnan(found.false_rates).all()
    assert list(found.true_rates) == pytest.approx([0, 2 / 3, 1])
    assert list(found.thresholds) == [math.inf, 0.2, 0.1]


@given(rows(BIT, st.floats(0, 1)))
def test_reliability_has_the_bins_of_scikit_learn(items: list[tuple[float, ...]]) -> None:
    labels, probabilities, _ = columns(items)
    # The two put a number on the edge of a bin into different bins.
    assume(not np.isclose(probabilities * metrics.BINS, np.round(probabilities * metrics.BINS)).any())
    found = metrics.reliability(labels, probabilities)
    shares, means = calibration.calibration_curve(labels, probabilities, n_bins=metrics.BINS)
    assert [one.share for one in found] == pytest.approx(list(shares), **TOLERANCE)
    assert [one.probability for one in found] == pytest.approx(list(means), **TOLERANCE)
    assert sum(one.n for one in found) == len(items)


def test_the_edges_of_the_bins() -> None:
    found = metrics.reliability(np.array([1.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.1, 0.95, 1.0]))
    assert found == [(1, 0.0, 1.0), (1, 0.1, 0.0), (2, pytest.approx(0.975), 1.0)]


@given(rows(BIT, SCORES))
def test_the_calibration_error_is_the_mean_gap_of_the_bins(items: list[tuple[float, ...]]) -> None:
    labels, probabilities, _ = columns(items)
    bins = [min(int(p * 10), 9) for p in probabilities]
    gap = sum(
        abs(sum(p - label for p, label, own in zip(probabilities, labels, bins, strict=True) if own == place))
        for place in range(10)
    )
    assert metrics.calibration_error(labels, probabilities) == pytest.approx(gap / len(items), abs=5.1e-5)


@given(st.integers(1, 50))
def test_a_resample_draws_as_many_items_as_there_are(count: int) -> None:
    drawn = metrics.weights(count, 20)
    assert drawn.shape == (21, count)
    assert (drawn[0] == 1).all()
    assert (drawn.sum(axis=1) == count).all()
    assert np.array_equal(drawn, metrics.weights(count, 20))


def test_a_standard_error_is_the_deviation_of_the_resamples() -> None:
    generator = np.random.default_rng(1)
    values = generator.normal(size=400)
    sample = metrics.mean(values, metrics.weights(400))
    assert sample.standard_error() == pytest.approx(stats.sem(values), rel=0.05)
    figure = sample.figure()
    assert figure.low == pytest.approx(values.mean() - 1.96 * stats.sem(values), abs=0.01)
    assert figure.high == pytest.approx(values.mean() + 1.96 * stats.sem(values), abs=0.01)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_pearson_does_not_depend_on_the_unit(scale: float) -> None:
    values = np.array([1.0, 2.0, 3.0, 5.0]) * scale
    once = np.ones((1, 4))
    assert metrics.pearson(values, values, once).values[0] == pytest.approx(1.0, abs=1e-9)
    assert np.isnan(metrics.pearson(values, np.full(4, 0.1 * scale), once).values[0])


@given(st.lists(st.sampled_from("abcde"), min_size=1, max_size=20))
def test_the_items_of_a_group_are_drawn_together(groups: list[str]) -> None:
    drawn = metrics.group_weights(groups, 20)
    assert (drawn[0] == 1).all()
    for group in set(groups):
        own = drawn[:, [other == group for other in groups]]
        assert (own == own[:, :1]).all()
    firsts = [groups.index(group) for group in dict.fromkeys(groups)]
    assert np.array_equal(drawn[:, firsts], metrics.weights(len(firsts), 20)), "groups are drawn as items are"


def test_items_that_depend_on_each_other_have_a_larger_standard_error() -> None:
    generator = np.random.default_rng(1)
    groups = np.repeat(np.arange(100), 16)
    values = generator.normal(size=100)[groups]
    found = metrics.mean(values, metrics.group_weights(groups.tolist())).standard_error()
    assert found == pytest.approx(stats.sem(values[::16]), rel=0.06)
    assert metrics.mean(values, metrics.weights(1600)).standard_error() == pytest.approx(stats.sem(values), rel=0.06)


def test_many_items_have_fewer_resamples() -> None:
    assert metrics.weights(400_000).shape == (1 + metrics.FEWEST, 400_000)
    assert metrics.group_weights([]).shape == (1 + metrics.RESAMPLES, 0)


def test_numbers_that_differ_by_rounding_error_alone_have_no_correlation() -> None:
    tenth = float(np.mean([0.1] * 3))
    one, other = np.array([0.1, 0.1, 0.1, tenth, 0.1, tenth]), np.array([1.0, 2, 3, 9, 5, 8])
    assert np.isnan(metrics.pearson(one, other, np.ones((1, 6))).values).all()


def test_a_correlation_of_numbers_far_from_zero_keeps_its_digits() -> None:
    generator = np.random.default_rng(1)
    one = generator.normal(size=300)
    other = one + generator.normal(size=300)
    found = metrics.pearson(one + 1e6, other, np.ones((1, 300))).values[0]
    assert found == pytest.approx(stats.pearsonr(one + 1e6, other).statistic, abs=1e-9)
