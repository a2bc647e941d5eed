"""The contract of retrievers, as tests for your test suite. Needs pytest.

    from graph_eval.testing.retrievers import CORPUS, RetrieverContract

    class TestMyRetriever(RetrieverContract):
        @pytest.fixture
        def retriever(self):
            return MyRetriever(CORPUS)

It needs a fixture `retriever` (a `graph_eval.retrieve.retriever.Retriever`; `retrieve.foreign.as_retriever` makes one
from any object) that searches in `CORPUS`, or in other passages: then set `queries` in the subclass.
"""

# ruff: noqa: S101

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest

from graph_eval.isolation import isolated
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.testing.checkers import in_threads
from graph_eval.types import ItemError, Passage

K = 5
CORPUS = (
    "The lighthouse of Orsa was built in 1861. It stands 38 metres tall.",
    "The lamp of the lighthouse was automated in 1979.",
    "The council voted on Tuesday to close the bridge. Repairs will cost 2.4 million crowns.",
    "Olive oil keeps for three months in a dark bottle.",
    "Trains to Mora leave at nine in the morning, and boats to Orsa at ten.",
    "Émile Zola visited the lighthouse in 1894. 😀",
    "x" * 500,
    "مرحبا بالعالم",
)
QUERIES = (
    "When was the lighthouse built?",
    "How long does olive oil keep?",
    "lighthouse",
    "the bridge and its repairs",
    "Émile Zola",
)
UNUSUAL = (
    *("", " \n\t", "?!", "the of and", "\x00\x1b[31m", "😀", "مرحبا", "x" * 20_000),
    *("lighthouse " * 2000, "'; DROP TABLE passages; -- {{ 7*7 }} %s", 'lighthouse AND (title:"*" OR NOT ~5)'),
)


def found(retriever: Retriever, texts: Sequence[str], k: int = K) -> list[list[Passage]]:
    """The passages for each text. Fails the test if a query has an error instead."""
    return asked(retriever, [Query(text) for text in texts], k)


def asked(retriever: Retriever, queries: Sequence[Query], k: int = K) -> list[list[Passage]]:
    """The passages for each query. Fails the test if a query has an error instead."""
    by_query: list[list[Passage]] = []
    for query, passages in zip(queries, retriever.retrieve(queries, k), strict=True):
        assert not isinstance(passages, ItemError), f"query {query.text[:80]!r} failed: {passages}"
        by_query.append(list(passages))
    return by_query


class RetrieverContract:
    """The contract of a retriever. The most important rule: what is found for a query does not depend on the others.

    `queries`: texts of which at least one finds a passage. `bad`: a query on which `retrieve` raises, or for which it
    returns an ItemError.
    """

    queries: ClassVar[Sequence[str]] = QUERIES
    bad: ClassVar[Query] = Query(None)  # type: ignore[arg-type]

    @pytest.fixture
    def retriever(self) -> Retriever:
        """The retriever under test."""
        raise NotImplementedError(f"{type(self).__name__} needs a fixture named retriever")

    def test_the_fingerprint_is_a_stable_text(self, retriever: Retriever) -> None:
        fingerprint = retriever.fingerprint
        assert isinstance(fingerprint, str)
        assert fingerprint, "the fingerprint is empty"
        found(retriever, self.queries)
        assert retriever.fingerprint == fingerprint, "retrieve changed the fingerprint"

    def test_each_query_has_a_list_of_distinct_passages_with_a_text(self, retriever: Retriever) -> None:
        by_query = found(retriever, self.queries)
        assert any(by_query), "no query finds a passage: set `queries`"
        for query, passages in zip(self.queries, by_query, strict=True):
            assert len(passages) <= K, f"query {query!r} has {len(passages)} passages instead of {K} at most"
            for passage in passages:
                assert isinstance(passage, Passage), f"query {query!r} finds {passage!r}"
                assert passage.text.strip(), f"query {query!r} finds an empty passage"
                assert passage.id == Passage.of(passage.text).id, f"{passage!r}: make it by Passage.of"
            ids = {passage.id for passage in passages}
            assert len(ids) == len(passages), f"query {query!r} finds a passage twice"

    def test_fewer_passages_are_the_first_of_more(self, retriever: Retriever) -> None:
        more = found(retriever, self.queries)
        for k in (1, 2):
            assert found(retriever, self.queries, k) == [passages[:k] for passages in more]

    def test_alone_and_in_any_order_a_query_finds_the_same(self, retriever: Retriever) -> None:
        together = found(retriever, self.queries)
        assert found(retriever, self.queries[::-1]) == together[::-1]
        assert [found(retriever, [query])[0] for query in self.queries] == together
        assert found(retriever, [*self.queries, *self.queries]) == together * 2, "equal queries find the same"

    def test_without_queries_there_is_nothing(self, retriever: Retriever) -> None:
        assert list(retriever.retrieve([], K)) == []

    def test_unusual_queries_find_passages_or_nothing(self, retriever: Retriever) -> None:
        together = found(retriever, [*UNUSUAL, self.queries[0]])
        assert together[-1] == found(retriever, self.queries[:1])[0]
        assert all(len(passages) <= K for passages in together)

    def test_fields_have_names_and_values_and_a_condition_limits_what_is_found(self, retriever: Retriever) -> None:
        texts, fields = self.queries, retriever.fields
        for name, values in fields.items():
            assert name
            assert all(isinstance(value, str) for value in values), f"field {name!r} has values that are no texts"
            nowhere = [Query(text, ((name, "a value that no passage has"),)) for text in texts]
            assert not any(asked(retriever, nowhere)), f"a condition on {name!r} is ignored"
        everything = found(retriever, texts, 1000)
        for name, values in fields.items():
            for value in values:
                limited = asked(retriever, [Query(text, ((name, value),)) for text in texts], 1000)
                for passages, all_passages in zip(limited, everything, strict=True):
                    assert passages == [passage for passage in all_passages if passage in passages]

    def test_threads_share_the_retriever(self, retriever: Retriever) -> None:
        expected = found(retriever, self.queries)
        assert all(by_query == expected for by_query in in_threads(lambda: found(retriever, self.queries)))

    def test_a_query_that_raises_fails_alone(self, retriever: Retriever) -> None:
        queries = [Query(self.queries[0]), self.bad, Query(self.queries[-1])]
        outcomes = isolated("ground", queries, lambda some: retriever.retrieve(some, K))
        assert isinstance(outcomes[1], ItemError), "retrieve found passages for a query without a text: set `bad`"
        assert [list(outcome) for outcome in outcomes[::2] if not isinstance(outcome, ItemError)] == found(
            retriever, [self.queries[0], self.queries[-1]]
        )
