"""Profiles: the fit to labels, its cross-validation, the file, and the checker that applies it."""

import json
import pickle
import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_eval import GraphEval
from graph_eval.checkers.builtin import VERBATIM
from graph_eval.checkers.cascade import CascadeChecker
from graph_eval.checkers.merge import NO_PASSAGE
from graph_eval.checkers.profile import FittedOn, Profile, ProfileChecker, Weights, mapped, with_profile
from graph_eval.checkers.threshold import ThresholdChecker
from graph_eval.cli.calibrate import _fitted_lines as fitted_lines
from graph_eval.errors import GraphEvalWarning, InputError, UsageError
from graph_eval.fitting import fit
from graph_eval.fitting.calibrate import CLAIMS, RESPONSES, Judged, kind_of
from graph_eval.fitting.calibrate import scored as scored_claims
from graph_eval.fitting.fit import Score, Scored, fitted, level, line, signs_weighted, thresholds
from graph_eval.formats import files
from graph_eval.metrics import calibration_error
from graph_eval.settings import Settings
from graph_eval.sources import RunResults
from graph_eval.types import CheckTask, Claim, ItemError, Judgement, Label, Span, Text


def sigmoid(z: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-z))


def scored(count: int, slope: float, intercept: float, seed: int = 0) -> list[Scored]:
    """Scores whose labels follow that line."""
    generator = np.random.default_rng(seed)
    odds = generator.normal(0, 2, count)
    labels = generator.random(count) < sigmoid(slope * odds + intercept)
    pairs = zip(labels, sigmoid(odds), strict=True)
    return [Scored(int(label), float(p), False, f"context {n // 2}") for n, (label, p) in enumerate(pairs)]


# ---- the fit ----


def test_slope_and_intercept_of_made_labels_are_found() -> None:
    found = fitted(scored(6000, 0.6, -0.8)).line
    assert found.slope == pytest.approx(0.6, abs=0.06)
    assert found.intercept == pytest.approx(-0.8, abs=0.1)


@pytest.mark.parametrize("count", [299, 300])
def test_the_slope_is_fitted_from_300_labels_on(count: int) -> None:
    found = fitted(scored(count, 0.4, -1.0)).line
    assert (found.slope == 1.0) is (count < 300)
    assert found.intercept < -0.5


def test_with_the_intercept_alone_the_mean_probability_is_the_mean_label() -> None:
    items = scored(290, 1.0, -1.5)
    found = fitted(items).line
    mean = np.mean([mapped(item.p_inconsistent, *found) for item in items])
    assert mean == pytest.approx(np.mean([item.label for item in items]), abs=0.01)


def test_the_fit_is_finite_where_scores_separate_the_labels_and_flat_where_they_contradict_them() -> None:
    labels, odds = np.repeat([0.0, 1.0], 200), np.repeat([-2.0, 2.0], 200)
    apart = line(labels, odds, with_slope=True)
    assert 1 < apart.slope < 10
    against = line(labels, -odds, with_slope=True)
    assert against.slope == 0.0
    assert against.intercept == pytest.approx(0.0, abs=1e-6)
    assert line(labels, np.zeros(400), with_slope=True).slope == 1.0  # equal scores tell nothing of a slope


def test_a_context_is_in_one_fold_whatever_the_order() -> None:
    items = scored(100, 1.0, 0.0)
    folds = fit.fold_by_context(items)
    assert set(folds) == {item.context for item in items}
    sizes = [list(folds.values()).count(fold) for fold in range(fit.FOLDS)]
    assert sizes == [10] * 5
    assert fit.fold_by_context(items[::-1]) == folds
    assert fitted(items[::-1]).figures["table"] == fitted(items).figures["table"]


def test_no_figure_is_measured_on_a_context_that_the_fit_has_seen() -> None:
    """One context has errors only: its own fold does not know that."""
    items = [Scored(int(n % 4 == 0), 0.3, False, f"context {n % 4}, {n % 2}") for n in range(80)]
    items += [Scored(1, 0.3, False, "odd") for _ in range(20)]
    folds = fit.fold_by_context(items)
    assert len(set(folds.values())) == 5
    expected = []
    for item in items:
        others = [other for other in items if folds[other.context] != folds[item.context]]
        own = line(np.array([o.label for o in others], float), np.full(len(others), np.log(3 / 7)), False)
        expected.append(mapped(0.3, *own))
    labels = np.array([item.label for item in items], float)
    figures = fitted(items).figures
    assert figures["log_loss"]["after"] == fit.log_loss(labels, np.array(expected))
    everything = np.full(100, mapped(0.3, *fitted(items).line))
    assert figures["log_loss"]["after"] > fit.log_loss(labels, everything) + 0.05


def test_figures_get_better_where_the_scores_were_off() -> None:
    figures = fitted(scored(400, 1.0, -2.0)).figures
    assert figures["log_loss"]["after"] < figures["log_loss"]["before"] - 0.1
    assert figures["calibration_error"]["after"] < figures["calibration_error"]["before"] - 0.1
    assert 0.5 < figures["auc"]["before"] < 1
    assert figures["auc"]["after"] == pytest.approx(figures["auc"]["before"], abs=0.01)  # of five lines


def with_sign(count: int, weight: float, claims: int = 1, seed: int = 0) -> list[Scored]:
    """Items of so many claims each. A claim is wrong by its log odds and by `weight` times a sign of 0 or 1; "noise" is
    a sign that says nothing. An item is wrong if a claim is."""
    generator = np.random.default_rng(seed)
    found = []
    for n in range(count):
        odds, sign = generator.normal(-1, 1.5, claims), generator.integers(0, 2, claims)
        noise = generator.normal(0, 1, claims)
        wrong = bool((generator.random(claims) < sigmoid(odds + weight * sign - weight / 2)).any())
        scores = tuple(
            Score(float(p), {"number": float(one), "noise": float(other)})
            for p, one, other in zip(sigmoid(odds), sign, noise, strict=True)
        )
        found.append(Scored(int(wrong), max(score.p_inconsistent for score in scores), False, f"{n // 2}", scores))
    return found


def test_weights_of_signs_are_found_and_kept_where_they_predict_better() -> None:
    found = fitted(with_sign(3000, 3.0))
    assert found.weights is not None
    assert found.weights.slope == pytest.approx(1.0, abs=0.1)
    assert found.weights.signs["number"] == pytest.approx(3.0, abs=0.3)
    assert found.weights.signs["noise"] == pytest.approx(0.0, abs=0.15)
    figures = found.figures
    assert figures["log_loss"]["after"] == figures["log_loss"]["weights"] < figures["log_loss"]["line"] - 0.05
    assert figures["auc"]["after"] > figures["auc"]["before"] + 0.05


def test_weights_of_signs_that_say_nothing_are_not_kept() -> None:
    found = fitted(with_sign(400, 0.0))
    assert found.weights is None
    assert found.figures["log_loss"]["after"] == found.figures["log_loss"]["line"]
    assert found.figures["log_loss"]["weights"] > found.figures["log_loss"]["line"] - 0.01


@pytest.mark.parametrize("count", [299, 300])
def test_weights_are_fitted_from_300_labels_on(count: int) -> None:
    assert (fitted(with_sign(count, 4.0)).weights is None) is (count < 300)


def test_of_a_response_the_claim_with_the_largest_new_p_counts() -> None:
    items = with_sign(3000, 4.0, claims=3)
    found = signs_weighted(items, ["number", "noise"])
    assert found.signs["number"] > 2
    moved = [max(item.claims, key=lambda score: found.mapped(*score)) for item in items]
    assert sum(one.p_inconsistent < item.p_inconsistent for one, item in zip(moved, items, strict=True)) > 300


def test_signs_that_some_claims_lack_are_not_fitted() -> None:
    items = [
        item._replace(claims=tuple(score._replace(signs=score.signs | {"same": score.signs["number"]})
                                   for score in item.claims))
        for item in with_sign(400, 4.0)
    ]  # fmt: skip
    items[7] = items[7]._replace(claims=(Score(0.5, {"noise": 1.0, "same": 1.0}),))
    found = fitted(items).weights
    assert found is not None
    assert found.signs.keys() == {"noise", "same"}
    items[8] = items[8]._replace(claims=())
    assert fitted(items).weights is None
    assert "weights" not in fitted(items).figures["log_loss"]


def test_a_larger_p_never_lowers_the_new_one() -> None:
    """The scores contradict the labels: the sign decides alone."""
    items = []
    for item in with_sign(400, 4.0):
        score = item.claims[0]
        p = 0.9 - 0.8 * score.p_inconsistent
        items.append(item._replace(p_inconsistent=p, claims=(score._replace(p_inconsistent=p),)))
    found = signs_weighted(items, ["number", "noise"])
    assert found.slope == 0.0
    assert found.signs["number"] > 1


def test_a_gain_that_may_be_chance_is_none() -> None:
    """The same labels ten times in the same contexts say no more than once."""
    items = with_sign(300, 0.6, seed=2)
    gains = np.array([1.0, -1.0, 3.0, 1.0])
    assert fit._standard_error(gains, ["a", "b", "c", "d"]) == pytest.approx(np.std(gains, ddof=1) * 2)
    assert fit._standard_error(np.repeat(gains, 10), [*"a" * 10, *"b" * 10, *"c" * 10, *"d" * 10]) == pytest.approx(
        10 * np.std(gains, ddof=1) * 2
    )
    found = fitted(items)
    assert found.figures["log_loss"]["weights"] < found.figures["log_loss"]["line"] - 0.002
    assert found.weights is None


def test_a_sign_that_never_changes_has_no_weight() -> None:
    items = [item._replace(claims=tuple(s._replace(signs=s.signs | {"same": 0.1}) for s in item.claims))
             for item in with_sign(400, 4.0)]  # fmt: skip
    found = fitted(items).weights
    assert found is not None
    assert found.signs["same"] == 0.0


def test_the_calibration_error_of_hand() -> None:
    assert calibration_error(np.array([1.0, 0.0, 1.0, 1.0]), np.array([0.4, 0.4, 1.0, 0.9])) == 0.075


def test_kept_scores_count_in_the_table_and_not_in_the_fit() -> None:
    items = scored(100, 1.0, 0.0)
    more = [Scored(1, 0.0, True, "word for word")] * 50
    assert fitted(items + more).line == fitted(items).line
    assert fitted(items + more).figures["log_loss"] == fitted(items).figures["log_loss"]
    with_more, without = (fitted(all_).figures["table"][0] for all_ in (items + more, items))
    assert with_more["flagged"] == without["flagged"]
    assert with_more["recall"] < without["recall"]


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (scored(29, 1.0, 0.0), "29 can be used"),
        ([Scored(int(n < 4), 0.4, False, f"{n}") for n in range(40)], "4 inconsistent and 36 consistent"),
        ([Scored(n % 2, 0.4, False, f"{n % 4}") for n in range(40)], "from 4 contexts"),
        ([Scored(n % 2, 0.0, True, f"{n}") for n in range(40)], "0 can be used.*40 more are word for word"),
        ([], "0 can be used"),
    ],
)
def test_too_few_labels_are_refused_with_what_is_needed(items: list[Scored], said: str) -> None:
    with pytest.raises(UsageError, match=said) as problem:
        fitted(items, "labelled claims")
    assert problem.value.message.startswith("too few labelled claims: ")
    assert problem.value.hint == "needed: 30, at least 5 of each, from at least 5 contexts"


# ---- thresholds ----


def test_what_a_threshold_flags() -> None:
    row = level(np.array([1.0, 1.0, 0.0, 0.0, 0.0]), np.array([0.9, 0.5, 0.7, 0.5, 0.1]), 0.5)
    assert row[:5] == (0.5, 2, 0.5, 0.5, 33.33)
    assert row.f1 == pytest.approx(0.5)
    assert level(np.array([1.0, 0.0]), np.array([0.2, 0.1]), 0.5).precision is None


def groups(*parts: tuple[int, int, float]) -> tuple[np.ndarray, np.ndarray]:
    """(inconsistent, consistent, p) of each group as labels and probabilities."""
    labels = [label for wrong, right, _ in parts for label in [1.0] * wrong + [0.0] * right]
    return np.array(labels), np.array([p for wrong, right, p in parts for _ in range(wrong + right)])


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (((20, 1, 0.9), (20, 15, 0.6), (5, 100, 0.2)), {"warn": 0.2, "block": 0.6}),
        (((8, 2, 0.9), (20, 15, 0.6), (5, 100, 0.2)), {"warn": 0.2, "block": 0.6}),  # a precision of 0.8
        (((7, 2, 0.9), (20, 15, 0.6), (5, 100, 0.2)), {"warn": 0.2}),  # 9 flagged prove nothing
        (((7, 3, 0.9), (20, 15, 0.6), (5, 100, 0.2)), {"warn": 0.2}),
        (((6, 14, 0.9), (2, 40, 0.2)), {"warn": 0.2}),  # no precision of 0.5 can be reached
        (((5, 4, 0.9), (5, 100, 0.005)), {}),
        (((95, 5, 0.9), (4, 1, 0.5)), {"warn": 0.01, "block": 0.01}),
    ],
)
def test_warn_and_block(parts: tuple[tuple[int, int, float], ...], expected: dict[str, float]) -> None:
    assert thresholds(*groups(*parts)) == expected


# ---- the file ----

PROFILE = Profile(
    FittedOn("made", "made-1"), FittedOn("sentences", "?"), 0.5, -1.0, {"warn": 0.3}, {"kind": "claims"}, {}, "0.3.0"
)
WEIGHTED = replace(PROFILE, weights=Weights(1.0, -2.0, {"number": 3.0}))


def test_a_profile_reads_what_it_writes(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    path.write_text(PROFILE.text)
    assert Profile.read(path) == PROFILE
    assert Profile.read(str(path)).text == PROFILE.text
    without = replace(PROFILE, extractor=None)
    path.write_text(without.text)
    assert Profile.read(path) == without
    path.write_text(WEIGHTED.text)
    assert Profile.read(path) == WEIGHTED
    assert "weights" not in PROFILE.value
    assert (PROFILE.value["version"], WEIGHTED.value["version"]) == (1, 2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, '"format" must be'),
        ({"version": 3}, '"version" is 3, and this graph_eval reads versions 1 and 2'),
        ({"version": 2}, '"weights" is missing'),
        ({"slope": None}, '"slope" must be a number'),
        ({"slope": -0.1}, '"slope" must not be negative'),
        ({"slope": True}, '"slope" must be a number'),
        ({"intercept": float("nan")}, '"intercept" must be a number'),
        ({"intercept": ...}, '"intercept" is missing'),
        ({"thresholds": [0.5]}, '"thresholds" must be an object'),
        ({"thresholds": {"warn": 1.5}}, '"thresholds.warn" must be a probability'),
        ({"thresholds": {"warn": "high"}}, '"thresholds.warn" must be a number'),
        ({"checker": {"name": "builtin"}}, '"checker.fingerprint" is missing'),
        ({"checker": {"name": 1, "fingerprint": "x"}}, '"checker.name" must be a string'),
        ({"extractor": "rules"}, '"extractor" must be an object'),
        ({"labels": ...}, '"labels" is missing'),
        ({"version": 2, "weights": 1}, '"weights" must be an object'),
        ({"version": 2, "weights": {"slope": 1, "intercept": 0}}, '"weights.signs" is missing'),
        ({"version": 2, "weights": {"slope": 1, "signs": {}}}, '"weights.intercept" is missing'),
        ({"version": 2, "weights": {"slope": -1, "intercept": 0, "signs": {}}}, '"weights.slope" must not be negative'),
        (
            {"version": 2, "weights": {"slope": 1, "intercept": 0, "signs": {"a": "b"}}},
            '"weights.signs.a" must be a number',
        ),
    ],
)
def test_an_error_of_a_profile_names_the_field(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    value = {name: item for name, item in (PROFILE.value | change).items() if item is not ...}
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(value))
    with pytest.raises(InputError, match=re.escape(said)) as problem:
        Profile.read(path)
    assert str(path) in problem.value.message
    assert problem.value.hint


@pytest.mark.parametrize(("text", "said"), [("{", "is not JSON"), ("[]", '"format"'), (None, "cannot be read")])
def test_a_file_that_is_no_profile(tmp_path: Path, text: str | None, said: str) -> None:
    path = tmp_path / "profile.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=said):
        Profile.read(path)


# ---- the checker ----


class Made:
    """Gives each claim the p_inconsistent that its text begins with."""

    fingerprint = "made-1"

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        return [
            ItemError("check", "odd") if task.text.text == "odd" else [self._judgement(claim) for claim in task.claims]
            for task in tasks
        ]

    def _judgement(self, claim: Claim) -> Judgement:
        number, _, reason = claim.text.rstrip(".").partition(" ")
        p = float(number)
        return Judgement(claim.id, Label.NEUTRAL if p > 0.5 else Label.ENTAILMENT, p, p > 0.5, reason=reason or None)


def checked(profile: Profile, *texts: str, threshold: float | None = None) -> list[Judgement]:
    checker = ProfileChecker(GraphEval(checker=Made()).checker, profile)
    claims = tuple(Claim.whole("t", text, Span(0, len(text))) for text in texts)
    part = checker if threshold is None else ThresholdChecker(checker, threshold)
    (judgements,) = part.check([CheckTask(Text("t", "text"), claims, ())])
    assert isinstance(judgements, list)
    return judgements


def test_probabilities_are_mapped_and_flags_follow() -> None:
    low, high = checked(PROFILE, "0.7", "0.95")
    assert low.p_inconsistent == round(float(sigmoid(0.5 * np.log(0.7 / 0.3) - 1)), 6)
    assert (low.flagged, low.label) == (False, Label.ENTAILMENT)
    assert high.p_inconsistent == 0.615909
    assert (high.flagged, high.label) == (True, Label.NEUTRAL)
    assert checked(PROFILE, "0.7", threshold=0.3)[0].flagged


def test_slope_1_and_intercept_0_change_nothing() -> None:
    same = replace(PROFILE, slope=1.0, intercept=0.0)
    texts = ["0.000001", "0.123456", "0.5", "0.51", "0.999999"]
    assert [judgement.p_inconsistent for judgement in checked(same, *texts)] == [float(text) for text in texts]
    assert [judgement.flagged for judgement in checked(same, *texts)] == [False, False, False, True, True]


def test_word_for_word_stays_supported_and_no_passage_stays_flagged() -> None:
    steep = replace(PROFILE, slope=0.0, intercept=5.0)
    verbatim, other = checked(steep, f"0.0 {VERBATIM}", "0.0")
    assert (verbatim.p_inconsistent, verbatim.flagged) == (0.0, False)
    assert (other.p_inconsistent, other.flagged) == (0.993307, True)
    (nothing,) = checked(replace(steep, intercept=-5.0), f"1.0 {NO_PASSAGE}")
    assert (nothing.p_inconsistent, nothing.flagged) == (1.0, True)


def test_weights_hold_for_claims_with_all_signs_and_the_line_for_others() -> None:
    odd = Judgement("c", None, 0.5, flagged=False, signs={"number": 1.0, "other": 9.0})
    assert WEIGHTED.applied(odd, 0.5).p_inconsistent == round(float(sigmoid(np.array(1.0))), 6)
    assert WEIGHTED.applied(replace(odd, signs={"number": 0.0}), 0.5).p_inconsistent == round(
        float(sigmoid(np.array(-2.0))), 6
    )
    assert WEIGHTED.applied(replace(odd, signs={"other": 9.0}), 0.5) == PROFILE.applied(replace(odd, signs={}), 0.5)
    assert WEIGHTED.applied(replace(odd, p_inconsistent=0.0, reason=VERBATIM), 0.5).p_inconsistent == 0.0


def test_the_builtin_checker_gives_its_signs_which_no_file_holds() -> None:
    result = GraphEval().check("The bridge was built in 1931.", "The bridge was opened in 1931, and it is long.")
    (judgement,) = result.judgements
    assert set(judgement.signs) == {"entailment", "words", "numbers", "apart", "sentence", "novelty"}
    assert "signs" not in json.dumps(result.to_dict())
    assert replace(judgement, signs={}) == judgement


def test_members_of_an_ensemble_are_its_signs() -> None:
    ge = GraphEval("sentences", "ensemble:builtin+builtin")
    (judgement,) = ge.check(
        "The bridge was built in 1931.", "The bridge was opened in 1931, and it is long."
    ).judgements
    assert set(judgement.signs) == {"checker 1", "checker 2"}
    assert judgement.signs["checker 1"] == judgement.signs["checker 2"]


def test_a_model_of_pairs_gives_its_contradiction_and_a_cascade_no_sign() -> None:
    class Pairs:
        fingerprint = "pairs-1"

        def score(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
            return np.array([[0.2, 0.1, 0.7] for _ in pairs])

    ge = GraphEval("sentences", Pairs())
    (judgement,) = ge.check("The bridge was built in 1931.", "The bridge is long.").judgements
    assert judgement.signs == {"contradiction": 0.7}
    both = GraphEval("sentences", CascadeChecker([ge.checker, ge.checker], (0.1, 0.9)))
    (judgement,) = both.check("The bridge was built in 1931.", "The bridge is long.").judgements
    assert judgement.signs == {}


def test_errors_stay_errors() -> None:
    checker = ProfileChecker(GraphEval(checker=Made()).checker, PROFILE)
    (error,) = checker.check([CheckTask(Text("t", "odd"), (), ())])
    assert error == ItemError("check", "odd")
    failed = Judgement.failed("c", ItemError("check", "odd"))
    assert PROFILE.applied(failed, 0.5) == failed


def test_a_profile_of_another_checker_is_refused() -> None:
    other = replace(PROFILE, checker=FittedOn("builtin", "builtin-0"))
    with pytest.raises(UsageError, match=r"fitted on the checker builtin, not on object:.*Made"):
        GraphEval(checker=Made(), profile=other)
    with pytest.raises(UsageError, match="fitted on other weights or settings of builtin"):
        GraphEval(profile=other)


def test_the_fingerprint_holds_the_checker_and_the_whole_profile() -> None:
    inner = GraphEval(checker=Made()).checker
    prints = {
        ProfileChecker(inner, profile).fingerprint
        for profile in (PROFILE, replace(PROFILE, slope=0.6), replace(PROFILE, thresholds={}), replace(PROFILE))
    }
    assert len(prints) == 3
    assert all(one.startswith("made-1:profile-1:") for one in prints)


# ---- what the command says of the fit ----


@pytest.mark.parametrize(
    ("profile", "losses", "many", "said"),
    [
        (PROFILE, {}, False, ["slope 0.500, intercept -1.000 (slope: fitted from 300 labels on)"]),
        (PROFILE, {}, True, ["slope 0.500, intercept -1.000", "  no weights of signs: the checker does not give"]),
        (
            PROFILE,
            {"line": 0.4, "weights": 0.41},
            True,
            [
                "slope 0.500, intercept -1.000",
                "  weights of the checker's signs are not used, as",
            ],
        ),
        (
            replace(PROFILE, slope=0.0),
            {"line": 0.4, "weights": 0.41},
            True,
            ["slope 0.000", "  weights of", "  the scores do not tell these labels apart"],
        ),
        (
            WEIGHTED,
            {"line": 0.4, "weights": 0.3},
            True,
            [
                "slope 1.000, intercept -2.000, and a weight for each sign:",
                "  number +3.000",
                "  log loss by slope and intercept alone: 0.400",
            ],
        ),
    ],
)
def test_the_command_says_what_was_fitted(
    profile: Profile, losses: dict[str, float], many: bool, said: list[str]
) -> None:
    lines = list(fitted_lines(replace(profile, cross_validation={"log_loss": losses}), many=many))
    assert len(lines) == len(said)
    assert all(line.startswith(beginning) for line, beginning in zip(lines, said, strict=True)), lines


# ---- in Python ----


def test_a_profile_in_python(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    path.write_text(PROFILE.text)
    settings = Settings(extractor="sentences")
    record = {"response": "0.7 of it.", "context": "Other words."}

    def p(**given: Any) -> float | None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphEvalWarning)
            return GraphEval(checker=NumberOfText(), settings=settings, **given).check(**record).p_inconsistent

    assert p() == 0.7
    assert p(profile=PROFILE) == p(profile=path) == p(profile=str(path)) == mapped(0.7, 0.5, -1.0)
    with pytest.raises(UsageError, match="is not a file"):
        GraphEval(checker=NumberOfText(), settings=settings.replace(profile="object:x"))


class NumberOfText(Made):
    def _judgement(self, claim: Claim) -> Judgement:
        return Judgement(claim.id, Label.ENTAILMENT, float(claim.text.split()[0]), flagged=False)


def test_a_threshold_by_name_is_one_of_the_profile() -> None:
    ge = GraphEval(checker=Made(), threshold="warn", profile=PROFILE)
    assert (ge.settings.threshold, ge.checker.threshold) == (0.3, 0.3)
    assert GraphEval(checker=Made(), profile=PROFILE).settings.threshold == 0.5
    with pytest.raises(UsageError, match="unknown threshold 'block'"):
        GraphEval(checker=Made(), threshold="block", profile=PROFILE)


def test_the_builtin_thresholds_are_not_those_of_its_profile() -> None:
    own = replace(PROFILE, checker=FittedOn("builtin", GraphEval().checker.fingerprint))
    with pytest.raises(UsageError, match="unknown threshold 'summary'") as problem:
        GraphEval(threshold="summary", profile=own)
    assert problem.value.hint == "use one of warn, or a number"
    assert GraphEval(threshold="summary").settings.threshold == 0.1


@pytest.mark.filterwarnings("ignore::graph_eval.errors.GraphEvalWarning")
def test_the_identity_of_a_run_changes_with_the_profile(tmp_path: Path) -> None:
    def run(name: str, profile: Profile | None) -> Any:
        path = tmp_path / name
        if profile is not None:
            path.write_text(profile.text)
        return GraphEval(checker=Made(), profile=path if profile else None).plan().describe("input")

    plain, one, same, other = (
        run("none.json", None),
        run("a.json", PROFILE),
        run("a.json", PROFILE),
        run("a.json", replace(PROFILE, intercept=-1.1)),
    )
    assert one == same
    assert len({plain.id, one.id, other.id}) == 3
    assert "profile" not in plain.settings  # runs without a profile keep their identity
    assert plain.fingerprints["checker"] == "made-1"
    assert one.settings["profile"] == str(tmp_path / "a.json")


def test_new_verdicts_forget_the_profile_of_the_old_ones() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphEvalWarning)
        before = GraphEval(checker=Made(), profile=PROFILE).plan().describe("input")
    assert "profile" in before.settings
    again = GraphEval(checker=Made()).plan("check").describe("input", before)
    assert "profile" not in again.settings
    assert GraphEval(checker=Made()).plan("extract").settings_after(before)["profile"] == before.settings["profile"]


def test_a_profile_is_applied_once() -> None:
    checker = GraphEval(checker=Made(), profile=PROFILE, threshold=0.3).checker
    assert with_profile(checker, PROFILE) is checker
    assert isinstance(GraphEval(checker=checker, profile=PROFILE).checker, ThresholdChecker)


def test_a_pickled_copy_has_the_profile(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    path.write_text(PROFILE.text)
    for profile in (path, PROFILE):
        ge = GraphEval(checker=Made(), profile=profile, threshold="warn")
        copy = pickle.loads(pickle.dumps(ge))  # noqa: S301
        assert copy.profile == PROFILE
        assert copy.settings == ge.settings
        assert copy.checker.fingerprint == ge.checker.fingerprint


def test_the_second_checker_has_no_profile() -> None:
    own = replace(PROFILE, checker=FittedOn("builtin", GraphEval().checker.fingerprint), extractor=None)
    settings = Settings.of(second_checker="builtin")
    stage = GraphEval(settings=settings, profile=own).plan("correct").stages[0]
    prints = stage.fingerprints
    assert prints["checker"] == f"{prints['second_checker']}:{own.fingerprint}"


def test_another_extractor_is_warned_about() -> None:
    ge = GraphEval("sentences", Made(), profile=PROFILE)
    with pytest.warns(GraphEvalWarning, match=r"another extractor or version \(sentences\)"):
        ge.plan()
    fits = replace(PROFILE, extractor=FittedOn("sentences", ge.extractor.fingerprint))
    fitting = GraphEval("sentences", Made(), profile=fits)
    fitting.plan()  # a warning is an error here
    claims_of = {"extractor": "rules-of-a-run"}
    before = replace(fitting.plan("extract").describe("input"), fingerprints=claims_of)
    with pytest.warns(GraphEvalWarning):
        fitting.plan_for(RunResults([], before))


# ---- reading labels ----


def judgement(p: float, reason: str | None = None, **signs: float) -> Judgement:
    return Judgement("c", None, p, flagged=False, reason=reason, signs=signs)


@pytest.mark.parametrize(
    ("judgements", "expected", "kept"),
    [
        ([], 0.0, True),
        ([judgement(0.0, VERBATIM)], 0.0, True),
        ([judgement(0.2, a=1.0), judgement(0.4, a=2.0), judgement(0.0, VERBATIM)], 0.4, False),
        ([judgement(0.2), judgement(1.0, NO_PASSAGE)], 1.0, True),
    ],
)
def test_the_score_of_a_response(judgements: list[Judgement], expected: float, kept: bool) -> None:
    found = scored_claims(1, judgements, "context")
    assert (found.label, found.p_inconsistent, found.kept, found.context) == (1, expected, kept, "context")
    free = [] if kept else [Score(each.p_inconsistent or 0.0, each.signs) for each in judgements if not each.reason]
    assert list(found.claims) == free


class Signed(Made):
    """Says 0.3 of every claim; whether it is wrong is told by the sign "odd" alone."""

    def _judgement(self, claim: Claim) -> Judgement:
        return Judgement(claim.id, Label.ENTAILMENT, 0.3, flagged=False, signs={"odd": float("odd" in claim.text)})


def test_labels_teach_a_sign() -> None:
    """Of answers that say "odd" 19 of 20 are wrong, and no others."""
    settings = Settings(extractor="sentences")
    items = []
    plain = GraphEval(checker=Signed(), settings=settings)
    for n in range(320):
        result = plain.check(f"It is {'odd' if n % 3 else 'even'} here.", f"Context {n}.")
        items.append(scored_claims(int(n % 3 > 0 and n % 20 > 0), result.judgements, f"{n}"))
    profile = Judged(RESPONSES, items, FittedOn("signed", plain.checker.fingerprint), None).profile()
    assert profile.weights is not None
    ge = GraphEval(checker=Signed(), settings=settings, profile=profile)
    (odd, even) = ge.check("It is odd here. It is even here.", "Context.").judgements
    assert (odd.flagged, even.flagged) == (True, False)
    assert odd.p_inconsistent == pytest.approx(0.95, abs=0.05)
    assert even.p_inconsistent == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (['{"claim_id": "a", "response": "name", "label": "Neutral"}'], CLAIMS),
        (['{"response": "a", "context": "b", "label": 1}', '{"claim_id": "a"}'], RESPONSES),
        (["no json", "[]", '{"odd": 1}', '{"claim_id": "a"}'], CLAIMS),
        (['{"answer": "a", "source": "b"}'], RESPONSES),
    ],
)
def test_the_kind_of_a_file_is_told_by_its_fields(tmp_path: Path, lines: list[str], kind: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(lines))
    assert kind_of(files.sources([str(path)])) == kind
