"""Which items of a benchmark are drawn together."""

from __future__ import annotations

import numpy as np

from graph_eval.bench.benchmark import source_of
from graph_eval.bench.items import resampled
from graph_eval.metrics import weights
from graph_eval.types import Example, Passage


def example(name: str, passages: tuple[str, ...] = (), question: str | None = None) -> Example:
    return Example(name, "set", "A response.", tuple(map(Passage.of, passages)), question)


def test_responses_to_the_same_question_and_passages_have_the_same_source() -> None:
    assert source_of(example("a", ("One.", "Two."))) == source_of(example("b", ("One.", "Two.")))
    assert source_of(example("a", ("One.",), "Why?")) != source_of(example("b", ("One.",), "When?"))
    assert source_of(example("a", ("One.",))) != source_of(example("b", ("Two.",)))
    assert source_of(example("a", (), "Why?")) == source_of(example("b", (), "Why?"))
    assert source_of(example("a")) != source_of(example("b"))


def test_items_of_a_source_are_drawn_together_and_those_without_one_alone() -> None:
    drawn = resampled([{"source": "x"}, {"source": "x"}, {"source": 3}, {}, {"source": "y"}])
    assert (drawn[:, 0] == drawn[:, 1]).all()
    for one in range(2, 5):
        assert all((drawn[:, one] != drawn[:, other]).any() for other in range(one))


def test_items_that_are_all_of_one_source_are_drawn_by_response() -> None:
    drawn = resampled([{"source": "x", "n": n} for n in (0, 0, 1, 2)])
    assert np.array_equal(drawn, weights(3)[:, [0, 0, 1, 2]])
    assert np.array_equal(resampled([{"source": "x"}] * 4), weights(4))
    assert resampled([]).shape[1] == 0
