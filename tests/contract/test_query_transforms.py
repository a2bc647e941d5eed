"""Every transform of queries keeps the contract, with a scripted model where it asks one."""

import json
from collections.abc import Sequence

import pytest

from graph_eval.registry import parts
from graph_eval.retrieve.retriever import Query
from graph_eval.retrieve.transform.chain import TransformChain
from graph_eval.retrieve.transform.transform import Subject, Transform
from graph_eval.testing.transforms import TransformContract
from graph_eval.types import ItemError
from tests.models import fenced


def scripted(prompt: str) -> str:
    """Asks for the last text of the prompt in capitals, and again with a mark; a year is a condition."""
    named = fenced(prompt)
    text = named[-1][1]
    if any(name == "field" for name, _ in named):
        found = [{"field": "year", "value": "1861"}] if "lighthouse" in text else []
        return json.dumps({"conditions": found})
    words = " ".join(text.split())[:200].upper()
    return json.dumps({"queries": [words, f"{words}!"]})


class Lower(Transform):
    """A transform of a user: the queries in lower case."""

    fingerprint = "lower-1"

    def transform(self, subjects: Sequence[Subject]) -> list[list[Query]]:
        return [[query._replace(text=query.text.lower()) for query in subject.queries] for subject in subjects]


NAMES = ["claim", "condense", "filter", "multi_query", "rewrite", "step_back"]


def named(name: str) -> Transform:
    transform: Transform = parts("transform")[name].factory.__self__(scripted)  # type: ignore[attr-defined]
    return transform


class TestNamed(TransformContract):
    @pytest.fixture(params=NAMES)
    def transform(self, request: pytest.FixtureRequest) -> Transform:
        return named(request.param)


class TestOwn(TransformContract):
    @pytest.fixture
    def transform(self) -> Transform:
        return Lower()


class TestChains(TransformContract):
    @pytest.fixture(params=["rewrite,multi_query", "filter,step_back", "condense,claim,multi_query,filter"])
    def transform(self, request: pytest.FixtureRequest) -> Transform:
        return TransformChain([*map(named, request.param.split(",")), Lower()])


def test_every_transform_of_the_package_is_tested() -> None:
    assert list(parts("transform")) == NAMES


# ---- the contract finds what it should ----


class Wrong(Transform):
    """Breaks one rule."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.count = 0
        self.kept: dict[str | None, list[Query]] = {}

    @property
    def fingerprint(self) -> str:
        self.count += 1
        return f"wrong:{self.count if self.rule == 'fingerprint' else ''}"

    def transform(self, subjects: Sequence[Subject]) -> list[Sequence[Query] | ItemError]:
        if self.rule == "anything":
            return [subject.queries or [Query("x")] for subject in subjects]
        self.kept = {}
        found: list[Sequence[Query] | ItemError] = []
        for place, subject in enumerate(subjects):
            queries = [query._replace(text=f"new {query.text}") for query in subject.queries]
            if self.rule == "batch" and place:
                queries = queries[:1]
            found.append(self.broken(subject, queries))
        return [*found, []] if self.rule == "length" else found

    def broken(self, subject: Subject, queries: list[Query]) -> list[Query]:
        if self.rule == "question":  # as if the question were all that counts
            return self.kept.setdefault(subject.question, queries)
        return {
            "same": list(subject.queries),
            "none": [],
            "empty": [Query(" ")],
            "field": [Query("new", (("author", "Ada"),))],
            "conditions": [Query(query.text) for query in queries],
        }.get(self.rule, queries)


RULES = {
    "fingerprint": "test_the_fingerprint_is_a_stable_text",
    "none": "test_each_subject_has_queries_with_a_text",
    "empty": "test_each_subject_has_queries_with_a_text",
    "field": "test_each_subject_has_queries_with_a_text",
    "same": "test_some_queries_change",
    "batch": "test_alone_and_in_any_order_a_subject_has_the_same_queries",
    "question": "test_subjects_that_differ_only_in_their_queries_keep_them_apart",
    "conditions": "test_conditions_on_fields_are_not_lost",
    "length": "test_without_subjects_there_is_nothing",
    "anything": "test_a_subject_that_raises_fails_alone",
}


@pytest.mark.parametrize("rule", RULES)
def test_a_transform_that_breaks_a_rule_fails_the_contract(rule: str) -> None:
    with pytest.raises(AssertionError):
        getattr(TransformContract(), RULES[rule])(Wrong(rule))


def test_one_that_breaks_none_passes() -> None:
    for name in dict.fromkeys(RULES.values()):
        getattr(TransformContract(), name)(Wrong(""))
