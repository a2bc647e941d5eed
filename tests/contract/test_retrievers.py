"""Every retriever keeps the contract: those of the package over files and texts, and objects of a user."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from graph_eval.registry import create, parts
from graph_eval.retrieve.bm25 import BM25Retriever
from graph_eval.retrieve.corpus import Corpus
from graph_eval.retrieve.foreign import as_retriever
from graph_eval.retrieve.hybrid import HybridRetriever
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.testing.retrievers import CORPUS, RetrieverContract
from graph_eval.types import ItemError, Passage

ELSEWHERE = {"serper", "neo4j"}  # they ask servers, and are tested against one of their own


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus as lines with fields."""
    place = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    rows = [{"text": text, "number": n, "kind": "odd" if n % 2 else "even"} for n, text in enumerate(CORPUS)]
    place.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return place


@pytest.fixture(scope="module", params=["bm25", "dense", "hybrid"])
def named(request: pytest.FixtureRequest, files: Path) -> Retriever:
    retriever: Retriever = create("retriever", f"{request.param}:{files}")
    return retriever


class TestNamed(RetrieverContract):
    @pytest.fixture
    def retriever(self, named: Retriever) -> Retriever:
        return named

    def test_it_has_fields(self, retriever: Retriever) -> None:
        assert list(retriever.fields) == ["kind", "number"]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower()))


def find(text: str, k: int) -> list[str]:
    """A function of a user: the passages that share the most words with a text."""
    ranked = sorted(CORPUS, key=lambda passage: -len(words(passage) & words(text)))
    return [passage for passage in ranked if words(passage) & words(text)][:k]


class Texts:
    """An object of a user, asked for all texts at once."""

    fingerprint = "texts-1"

    def retrieve(self, texts: Sequence[str], k: int) -> list[list[str]]:
        return [find(text, k) for text in texts]


class Documents:
    """An object of the shape of LangChain's retrievers: it finds as many documents as it likes."""

    fingerprint = "documents-1"

    def invoke(self, text: str) -> list[dict[str, str]]:
        return [{"page_content": passage, "source": "a.txt"} for passage in find(text, 100)]


class TestForeign(RetrieverContract):
    @pytest.fixture(params=[find, Texts(), Documents()], ids=["function", "object", "invoke"])
    def retriever(self, request: pytest.FixtureRequest) -> Retriever:
        return as_retriever(request.param)


class TestHybridOfForeign(RetrieverContract):
    @pytest.fixture
    def retriever(self) -> Retriever:
        return HybridRetriever([find, BM25Retriever(Corpus.of(CORPUS))])


def test_every_retriever_of_the_package_is_tested() -> None:
    assert set(parts("retriever")) - ELSEWHERE == {"bm25", "dense", "hybrid"}


# ---- the contract finds what it should ----


class Wrong(Retriever):
    """Breaks one rule."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.count = 0

    @property
    def fingerprint(self) -> str:
        self.count += 1
        return f"wrong:{self.count if self.rule == 'fingerprint' else ''}"

    @property
    def fields(self) -> dict[str, list[str]]:
        return {"kind": ["odd"]} if self.rule == "fields" else {}

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage] | ItemError]:
        if self.rule == "raises" and any(not query.text.strip() for query in queries):
            raise ValueError("it is empty")
        found: list[list[Passage] | ItemError] = []
        for place, query in enumerate(queries):
            if not isinstance(query.text, str) and self.rule != "anything":
                raise TypeError("it is no text")
            texts = find(str(query.text), len(CORPUS) if self.rule == "too many" else k)
            if self.rule == "batch" and place:
                texts = texts[:1]
            if self.rule == "ranking":
                texts = texts[::-1]
            if self.rule == "twice":
                texts = [text for text in texts for _ in range(2)][:k]
            found.append([Passage.of(text) for text in texts])
        if self.rule == "own ids":
            return [[Passage(str(n), passage.text) for n, passage in enumerate(item)] for item in found]  # type: ignore[arg-type]
        return found[:-1] if self.rule == "length" else found


RULES = {
    "fingerprint": "test_the_fingerprint_is_a_stable_text",
    "twice": "test_each_query_has_a_list_of_distinct_passages_with_a_text",
    "own ids": "test_each_query_has_a_list_of_distinct_passages_with_a_text",
    "too many": "test_fewer_passages_are_the_first_of_more",
    "ranking": "test_fewer_passages_are_the_first_of_more",
    "batch": "test_alone_and_in_any_order_a_query_finds_the_same",
    "length": "test_without_queries_there_is_nothing",
    "raises": "test_unusual_queries_find_passages_or_nothing",
    "fields": "test_fields_have_names_and_values_and_a_condition_limits_what_is_found",
    "anything": "test_a_query_that_raises_fails_alone",
}


@pytest.mark.parametrize("rule", RULES)
def test_a_retriever_that_breaks_a_rule_fails_the_contract(rule: str) -> None:
    if rule == "length":
        with pytest.raises(ValueError, match="zip"):
            RetrieverContract().test_each_query_has_a_list_of_distinct_passages_with_a_text(Wrong(rule))
        return
    with pytest.raises((AssertionError, ValueError)):
        getattr(RetrieverContract(), RULES[rule])(Wrong(rule))


def test_one_that_breaks_none_passes() -> None:
    for name in dict.fromkeys(RULES.values()):
        getattr(RetrieverContract(), name)(Wrong("none"))
