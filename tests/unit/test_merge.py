"""Which window of a passage is shown as evidence."""

from __future__ import annotations

import pytest

from graph_eval.checkers.merge import judgement_from
from graph_eval.checkers.windows import Window
from graph_eval.types import Scores, Span


@pytest.mark.parametrize("score", [0.001, 0.7])
def test_of_windows_with_equal_rounded_scores_the_first_is_shown(score: float) -> None:
    windows = [Window("p", Span(start, start + 5), "text.") for start in (0, 10, 20)]
    rows = [Scores(score + noise, 1 - score - noise, 0.0) for noise in (-1e-7, 1e-7, -0.0005)]
    (evidence,) = judgement_from("c", list(zip(windows, rows, strict=True)), 0.5).evidence
    assert evidence.span == Span(0, 5)
    better = Scores(score + 0.0001, 1 - score - 0.0001, 0.0)
    (evidence,) = judgement_from("c", list(zip(windows, [*rows[:2], better], strict=True)), 0.5).evidence
    assert evidence.span == Span(20, 25)
