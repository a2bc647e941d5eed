"""Verdicts on responses: GraphEval's any, RefChecker's strict, soft and major, mean and rate."""

import pytest

from graph_eval.aggregate import Rates, rates, rule
from graph_eval.errors import UsageError
from graph_eval.types import Judgement, Label

E, N, C = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION
P = {E: 0.1, N: 0.7, C: 0.9}


def judgements(labels: list[Label]) -> list[Judgement]:
    return [Judgement(str(n), label, P[label], flagged=label is not E) for n, label in enumerate(labels)]


@pytest.mark.parametrize(
    ("name", "labels", "label", "p"),
    [
        ("any", [E, E], E, 0.1),
        ("any", [E, N], N, 0.7),
        ("any", [N, C, E], C, 0.9),
        ("strict", [E, N, N], N, 0.7),
        ("strict", [E, C, N], C, 0.9),
        ("soft", [E, E, N], E, 0.7),
        ("soft", [E, N], E, 0.7),
        ("soft", [E, N, C, C], C, 0.9),
        ("major", [E, E, C], E, 0.9),
        ("major", [E, C], C, 0.9),
        ("major", [N, N, C], N, 0.9),
        ("mean", [E, E, N], E, 0.3),
        ("mean", [E, C, C], C, 0.633333),
        ("rate:0.3", [E, E, E, N], E, 0.7),
        ("rate:0.3", [E, E, N], N, 0.7),
        ("rate:0", [E, C], C, 0.9),
    ],
)
def test_rules(name: str, labels: list[Label], label: Label, p: float) -> None:
    verdict = rule(name)(judgements(labels), 0.5)
    assert verdict.label is label
    assert verdict.p_inconsistent == pytest.approx(p, abs=1e-6)
    assert verdict.flagged_rate == pytest.approx(1 - labels.count(E) / len(labels), abs=1e-6)


@pytest.mark.parametrize("name", ["any", "strict", "soft", "major", "mean", "rate:0.3"])
def test_no_claims_is_abstain_never_supported(name: str) -> None:
    assert rule(name)([], 0.5) == (Label.ABSTAIN, None, None)


def test_rates_follow_refchecker() -> None:
    assert rates(judgements([E] * 3 + [N] * 5 + [C] * 2)) == Rates(0.3, 0.5, 0.2, 0.0)
    assert rates([]) == Rates(0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("name", ["", "all", "rate:", "rate:1", "rate:-1", "rate:x", "any:1"])
def test_unknown_rules_are_refused_with_a_hint(name: str) -> None:
    with pytest.raises(UsageError) as problem:
        rule(name)
    assert problem.value.hint
