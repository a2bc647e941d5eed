"""The contract of methods of self-checking, as tests for your test suite.

    from graph_eval.testing.methods import MethodContract

    class TestMyMethod(MethodContract):
        @pytest.fixture
        def method(self):
            return MyMethod()

It needs a fixture `method` (a `graph_eval.consistency.method.Method`; `consistency.foreign.as_method` makes one from
any object). A method without scores for sentences sets `scores_sentences = False` in the subclass.
"""

# ruff: noqa: S101

from __future__ import annotations

from typing import ClassVar

import pytest

from graph_eval.consistency.method import Consistency, Method, SampleTask
from graph_eval.testing.checkers import TOLERANCE, in_threads
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, Example, ItemError, Text

RESPONSE = "The lighthouse was built in 1861. It stands 38 metres tall. A dragon guards its lamp."
SAMPLES = (
    "The lighthouse was built in 1861. It is 38 metres tall.",
    "Built in 1861, the lighthouse stands 48 metres tall.",
    "The lighthouse was built in 1861 and its lamp was automated in 1979.",
)


def task(response: str = RESPONSE, samples: tuple[str, ...] = SAMPLES) -> SampleTask:
    """A task whose claims are the sentences of the response and of the samples."""
    example = Example("contract", "contract", response, samples=samples)
    texts = Text.of_samples(example)
    spans = tuple(sentence.span for sentence in sentences(response))
    return SampleTask(Text.of(example), spans, texts, _claims(Text.of(example)), tuple(map(_claims, texts)))


def _claims(text: Text) -> tuple[Claim, ...]:
    spans = [sentence.span for sentence in sentences(text.text)]
    return tuple(Claim.whole(text.id, span.of(text.text), span) for span in spans)


def compared(method: Method, *tasks: SampleTask) -> list[Consistency]:
    """The consistency of each task, none of which may fail."""
    found = []
    for consistency in method.compare(tasks):
        assert not isinstance(consistency, ItemError), consistency
        found.append(consistency)
    return found


def numbers(consistency: Consistency) -> list[float]:
    """All scores of a response, in order. A sentence without a score counts as -1."""
    scores = [consistency.score, *(sentence.score for sentence in consistency.sentences)]
    scores += [claim.score for claim in consistency.claims]
    return [-1.0 if score is None else score for score in scores]


class MethodContract:
    """Subclass it as `Test...` and override the fixture `method`."""

    scores_sentences: ClassVar[bool] = True

    @pytest.fixture
    def method(self) -> Method:
        raise NotImplementedError

    def test_the_fingerprint_is_a_stable_text(self, method: Method) -> None:
        assert isinstance(method.fingerprint, str)
        assert method.fingerprint
        assert method.fingerprint == method.fingerprint

    def test_every_sentence_has_one_entry_in_order_and_scores_lie_between_0_and_1(self, method: Method) -> None:
        (consistency,) = compared(method, task())
        assert tuple(sentence.span for sentence in consistency.sentences) == task().sentences
        scores = [sentence.score for sentence in consistency.sentences if sentence.score is not None]
        assert len(scores) == (len(task().sentences) if self.scores_sentences else 0)
        assert consistency.score is not None
        assert all(0.0 <= score <= 1.0 for score in (*scores, consistency.score))

    def test_what_no_sample_says_scores_higher_than_what_every_sample_says(self, method: Method) -> None:
        if self.scores_sentences:
            (consistency,) = compared(method, task())
            first, *_, last = (sentence.score for sentence in consistency.sentences)
            assert last is not None
            assert first is not None
            assert last > first

    def test_a_score_is_the_mean_of_the_scores_against_each_sample(self, method: Method) -> None:
        if not method.stepwise:
            return
        (together,) = compared(method, task())
        alone = [compared(method, task(samples=(sample,)))[0] for sample in SAMPLES]
        for place, sentence in enumerate(together.sentences):
            parts = [one.sentences[place].score for one in alone]
            assert list(sentence.by_sample) == pytest.approx(parts, abs=TOLERANCE)
            assert sentence.score == pytest.approx(sum(sentence.by_sample) / len(SAMPLES), abs=TOLERANCE)

    def test_alone_and_in_company_a_response_has_the_same_scores(self, method: Method) -> None:
        tasks = [task(), task("Olive oil keeps for three months."), task(samples=SAMPLES[:1])]
        together = [numbers(consistency) for consistency in compared(method, *tasks)]
        alone = [numbers(compared(method, one)[0]) for one in tasks]
        for one, other in zip(together, alone, strict=True):
            assert one == pytest.approx(other, abs=TOLERANCE)

    def test_without_tasks_there_is_nothing(self, method: Method) -> None:
        assert list(method.compare([])) == []

    def test_one_method_gives_equal_scores_in_eight_threads(self, method: Method) -> None:
        expected = numbers(compared(method, task())[0])
        for found in in_threads(lambda: numbers(compared(method, task())[0])):
            assert found == pytest.approx(expected, abs=2e-6)
