"""The base class of retrievers, which find passages for queries. A new retriever needs only this file.

    from graph_eval.registry import retriever
    from graph_eval.retrieve.retriever import Retriever

    @retriever("first", argument="CORPUS")                # its name: graph-eval check --ground first:CORPUS
    class FirstRetriever(Retriever):
        fingerprint = "first-1"                           # change it whenever the same query could find something else

        def retrieve(self, queries, k):
            return [[Passage.of("The Nile is 6,650 km long.", "rivers.txt#0-26")][:k] for _ in queries]

A file in this folder is found by its decorator; another package names its class as an entry point of the group
`graph_eval.retrievers`. In Python an object with `retrieve`, a retriever of LangChain or LlamaIndex, and a function
from a text and a number to passages or texts are retrievers too (`foreign.as_retriever`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from graph_eval.part import Part
from graph_eval.types import ItemError, Passage

STAGE = "ground"
SHOWN_VALUES = 20  # of a field of a corpus


class Query(NamedTuple):
    """`where`: the values that fields of the corpus must have, all of them."""

    text: str
    where: tuple[tuple[str, str], ...] = ()


class Retriever(Part):
    """Finds passages for queries. Safe to use from several threads."""

    @property
    def fields(self) -> Mapping[str, Sequence[str]]:
        """The fields of the corpus that a query may name, with some of their values."""
        return {}

    @abstractmethod
    def retrieve(self, queries: Sequence[Query], k: int) -> Sequence[Sequence[Passage] | ItemError]:
        """For each query, in order, at most `k` passages, the best first, or the error that prevented them.

        [] says that nothing was found.
        """
