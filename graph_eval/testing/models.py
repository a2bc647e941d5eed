"""A contract test suite for language models: what every implementation of `graph_eval.llm.model.LLM` must do.

A test module subclasses it and provides the fixture `model`. It needs pytest, which no other module here imports:

    import pytest
    from graph_eval.testing.models import FAILING, LLMContract

    class TestMyModel(LLMContract):
        @pytest.fixture
        def model(self):
            return MyModel(...)

The model under test must fail for a request whose text contains `FAILING`, as an ItemError of that request, and answer
every other one. Set `failing = None` in the subclass if its errors cannot be scripted. For readable assertions call
`pytest.register_assert_rewrite("graph_eval.testing.models")` in conftest.py.
"""

# ruff: noqa: S101

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import pytest

from graph_eval.llm.model import LLM, Completion, Message, Request
from graph_eval.types import ItemError

FAILING = "graph_eval: this request must fail"
THREADS = 8


def request(text: str, system: str = "Answer in one word.") -> Request:
    """A request with a system message and one user message."""
    return Request((Message("system", system), Message("user", text)))


def texts(outputs: Sequence[Completion | ItemError]) -> list[str]:
    """The answers' texts. Fails the test if one of them is an error."""
    errors = [str(output) for output in outputs if not isinstance(output, Completion)]
    assert not errors, f"requests failed: {errors}"
    return [output.text for output in outputs if isinstance(output, Completion)]


class LLMContract:
    """Subclass it as `Test...` and override the fixture `model`."""

    failing: ClassVar[str | None] = FAILING

    @pytest.fixture
    def model(self) -> LLM:
        raise NotImplementedError("override the fixture `model`")

    def test_one_output_for_each_request_in_order(self, model: LLM) -> None:
        requests = [request(f"Question {number}?") for number in range(12)]
        outputs = model.complete(requests)
        assert len(outputs) == len(requests)
        assert all(isinstance(output, Completion | ItemError) for output in outputs)
        assert texts(outputs) == [texts(model.complete([single]))[0] for single in requests]

    def test_no_requests_give_no_outputs(self, model: LLM) -> None:
        assert list(model.complete([])) == []

    def test_equal_requests_get_equal_answers(self, model: LLM) -> None:
        first, other, second = texts(model.complete([request("Same?"), request("Other?"), request("Same?")]))
        assert first == second == texts(model.complete([request("Same?")]))[0]
        assert other == texts(model.complete([request("Other?")]))[0]

    def test_the_fingerprint_is_a_stable_text(self, model: LLM) -> None:
        before = model.fingerprint
        assert isinstance(before, str)
        assert before
        model.complete([request("Question?")])
        assert model.fingerprint == before

    def test_threads_share_a_model(self, model: LLM) -> None:
        requests = [request(f"Question {number}?") for number in range(THREADS)]
        expected = texts(model.complete(requests))
        batches = [requests[start:] + requests[:start] for start in range(THREADS)]
        with ThreadPoolExecutor(THREADS) as pool:
            outputs = list(pool.map(model.complete, batches))
        for start, output in enumerate(outputs):
            assert texts(output) == expected[start:] + expected[:start]

    def test_a_failing_request_does_not_stop_the_others(self, model: LLM) -> None:
        if self.failing is None:
            pytest.skip("the errors of this model cannot be scripted")
        outputs = model.complete([request("First?"), request(self.failing), request("Last?")])
        assert [isinstance(output, ItemError) for output in outputs] == [False, True, False]
        assert isinstance(outputs[1], ItemError)
        assert outputs[1].message
        assert texts([outputs[0], outputs[2]]) == texts(model.complete([request("First?"), request("Last?")]))
