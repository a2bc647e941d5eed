"""Several retrievers as one: their rankings are joined by reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph_eval.errors import UsageError
from graph_eval.registry import retriever
from graph_eval.retrieve.bm25 import BM25Retriever
from graph_eval.retrieve.dense import DenseRetriever
from graph_eval.retrieve.foreign import as_retriever
from graph_eval.retrieve.fuse import K, fused
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.settings import Settings
from graph_eval.types import ItemError, Passage

if TYPE_CHECKING:
    from graph_eval.llm.model import LLM

VERSION = "hybrid-1"
DEPTH, DEEPER = 100, 4  # each ranking has 100 passages, or four times as many as are asked for


@retriever(
    "hybrid",
    argument="CORPUS",
    example="hybrid:docs/",
    reads=("ground_index", "ground_encoder", "fusion_k"),
    extra="retrieval",
)
class HybridRetriever(Retriever):
    """`parts`: retrievers, or what is one in Python. `k`: of reciprocal rank fusion.

    By name it joins bm25 and dense, whose indexes are subfolders of the index folder. The error of one part for a query
    is that query's error. Raises UsageError without parts.
    """

    def __init__(self, parts: Sequence[Any], k: float = K) -> None:
        if not parts:
            raise UsageError("hybrid has no retriever to join", "pass at least one")
        self.parts = [as_retriever(part) for part in parts]
        self.k = k

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> HybridRetriever:
        corpus, chosen = argument or "", settings.retrieval
        if chosen.ground_index is None:
            words = BM25Retriever(corpus)
            return cls([words, DenseRetriever(words.corpus, None, chosen.ground_encoder)], chosen.fusion_k)
        index = Path(chosen.ground_index)
        dense = DenseRetriever(corpus, index / "dense", chosen.ground_encoder)
        return cls([BM25Retriever(corpus, index / "bm25"), dense], chosen.fusion_k)

    @property
    def fields(self) -> Mapping[str, Sequence[str]]:
        """Those that every part has."""
        first, *others = (part.fields for part in self.parts)
        return {name: values for name, values in first.items() if all(name in other for other in others)}

    @property
    def models(self) -> tuple[LLM, ...]:
        return tuple(model for part in self.parts for model in part.models)

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.k}:{DEPTH}:{DEEPER}({' + '.join(part.fingerprint for part in self.parts)})"

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage] | ItemError]:
        depth = max(DEPTH, DEEPER * k)
        by_part = [part.retrieve(queries, depth) for part in self.parts]
        return [self._joined(rankings, k) for rankings in zip(*by_part, strict=True)]

    def _joined(self, rankings: Sequence[Sequence[Passage] | ItemError], k: int) -> list[Passage] | ItemError:
        found = []
        for ranking in rankings:
            if isinstance(ranking, ItemError):
                return ranking
            found.append(ranking)
        return fused(found, self.k, k)
