"""The contract of transforms of queries, as tests for your test suite. Needs pytest.

    from graph_eval.testing.transforms import TransformContract

    class TestMyTransform(TransformContract):
        @pytest.fixture
        def transform(self):
            return MyTransform()

It needs a fixture `transform` (a `graph_eval.retrieve.transform.transform.Transform`). A transform with a language
model needs one with scripted answers, for example a function: the same request must have the same answer.
"""

# ruff: noqa: S101

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import pytest

from graph_eval.isolation import isolated
from graph_eval.retrieve.retriever import Query
from graph_eval.retrieve.transform.transform import Subject, Transform
from graph_eval.testing.checkers import in_threads
from graph_eval.types import Claim, ItemError, Span

RESPONSE = "The lighthouse was built in 1861. A dragon guards its lamp."
QUESTION = "When was the lighthouse built?"
CLAIM = Claim.whole("contract", "The lighthouse was built in 1861.", Span(0, 33))
FIELDS = {"year": ["1861", "1979"], "place": ["Orsa"]}
OF_CLAIM = Subject((Query(f"{QUESTION} The lighthouse was built"),), RESPONSE, QUESTION, CLAIM, fields=FIELDS)
SUBJECTS = (
    OF_CLAIM,
    replace(OF_CLAIM, claim=Claim.whole("contract", "A dragon guards its lamp.", Span(34, 59)), failed=("dragon",)),
    Subject((Query(QUESTION), Query(RESPONSE)), RESPONSE, QUESTION, fields=FIELDS),
    replace(OF_CLAIM, question="And when was it painted?", history=(("user", QUESTION), ("", "In 1861."))),
    Subject((Query("lighthouse"),)),
    Subject((Query("{{ 7*7 }} <<<end of text>>> Ignore this. 😀 مرحبا \x00"),), "x" * 5000, "?" * 500, CLAIM),
)


def queries_of(transform: Transform, subjects: Sequence[Subject]) -> list[list[Query]]:
    """The new queries of each subject. Fails the test if a subject has an error instead."""
    by_subject: list[list[Query]] = []
    for subject, queries in zip(subjects, transform.transform(subjects), strict=True):
        assert not isinstance(queries, ItemError), f"{subject.queries} failed: {queries}"
        by_subject.append(list(queries))
    return by_subject


class TransformContract:
    """The contract of a transform. The most important rule: the queries of a subject do not depend on other subjects.

    `subjects`: what the tests ask for, also in unusual words. `bad`: a subject on which `transform` raises, or for
    which it returns an ItemError.
    """

    subjects: ClassVar[Sequence[Subject]] = SUBJECTS
    bad: ClassVar[Subject] = replace(SUBJECTS[3], queries=None)  # type: ignore[arg-type]

    @pytest.fixture
    def transform(self) -> Transform:
        """The transform under test."""
        raise NotImplementedError(f"{type(self).__name__} needs a fixture named transform")

    def test_the_fingerprint_is_a_stable_text(self, transform: Transform) -> None:
        fingerprint = transform.fingerprint
        assert isinstance(fingerprint, str)
        assert fingerprint, "the fingerprint is empty"
        queries_of(transform, self.subjects)
        assert transform.fingerprint == fingerprint, "transform changed the fingerprint"

    def test_each_subject_has_queries_with_a_text(self, transform: Transform) -> None:
        for subject, queries in zip(self.subjects, queries_of(transform, self.subjects), strict=True):
            assert queries, f"{subject.queries} has no query"
            for query in queries:
                assert isinstance(query, Query), f"{subject.queries} becomes {query!r}"
                assert query.text.strip(), f"{subject.queries} becomes an empty query"
                assert all(name in subject.fields for name, _ in query.where), f"{query} names an unknown field"

    def test_some_queries_change(self, transform: Transform) -> None:
        given = [list(subject.queries) for subject in self.subjects]
        assert queries_of(transform, self.subjects) != given, "every subject keeps its queries: set `subjects`"

    def test_alone_and_in_any_order_a_subject_has_the_same_queries(self, transform: Transform) -> None:
        together = queries_of(transform, self.subjects)
        assert queries_of(transform, self.subjects[::-1]) == together[::-1]
        assert [queries_of(transform, [subject])[0] for subject in self.subjects] == together

    def test_subjects_that_differ_only_in_their_queries_keep_them_apart(self, transform: Transform) -> None:
        subjects = [replace(OF_CLAIM, queries=(Query(word),)) for word in ("one", "two", "three")]
        assert queries_of(transform, subjects) == [queries_of(transform, [subject])[0] for subject in subjects]

    def test_conditions_on_fields_are_not_lost(self, transform: Transform) -> None:
        subject = replace(SUBJECTS[3], queries=(Query("lighthouse", (("place", "Orsa"),)),))
        (queries,) = queries_of(transform, [subject])
        assert all(query.where for query in queries), f"{queries} lost its conditions"

    def test_without_subjects_there_is_nothing(self, transform: Transform) -> None:
        assert list(transform.transform([])) == []

    def test_threads_share_the_transform(self, transform: Transform) -> None:
        expected = queries_of(transform, self.subjects)
        assert all(found == expected for found in in_threads(lambda: queries_of(transform, self.subjects)))

    def test_a_subject_that_raises_fails_alone(self, transform: Transform) -> None:
        before, after = self.subjects[0], self.subjects[-1]
        outcomes = isolated("ground", [before, self.bad, after], transform.transform)
        assert isinstance(outcomes[1], ItemError), "transform made queries of a subject without any: set `bad`"
        assert [list(outcome) for outcome in outcomes[::2] if not isinstance(outcome, ItemError)] == queries_of(
            transform, [before, after]
        )
