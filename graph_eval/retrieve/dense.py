"""Dense retrieval over the user's files: the passages whose vectors have the largest cosine with that of the query.

The search is exact: a product of the query with all vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graph_eval.errors import UsageError
from graph_eval.isolation import isolated
from graph_eval.registry import retriever
from graph_eval.retrieve.corpus import Corpus
from graph_eval.retrieve.encoder import Encoder, Floats, as_encoder
from graph_eval.retrieve.index import Kind
from graph_eval.retrieve.indexed import IndexedRetriever
from graph_eval.retrieve.retriever import STAGE, Query
from graph_eval.settings import Settings
from graph_eval.types import ItemError, Passage

VERSION = "dense-1"
# Vectors that are read once for several queries: they fit into a processor's cache. One thread multiplies so few.
# Several are no faster, since reading takes the time, and they wait for each other on a busy machine.
BLOCK = 1_024
TOGETHER = 32  # queries whose scores are kept at a time


class Vectors(NamedTuple):
    """`unit`: (passages, dimensions), each of length 1 or 0. `learnt`: what the encoder has to know of the corpus."""

    unit: Floats
    learnt: Floats


@retriever("dense", argument="CORPUS", example="dense:docs/", reads=("ground_index", "ground_encoder"))
class DenseRetriever(IndexedRetriever):
    """`corpus`: a file, a folder, or a `Corpus`. `index`: the folder in which the vectors of files are kept; None: they
    are made in memory. `encoder`: None for the offline one, a model of sentence_transformers (its folder or its name on
    the hub), or an object with `embed(texts)`, which returns an array (texts, dimensions).

    Raises InputError for a corpus without a readable file, UsageError for an index folder with other content or an
    encoder that gives no vectors, and MissingPartError without sentence_transformers or the model.
    """

    def __init__(self, corpus: Corpus | Path | str, index: Path | str | None = None, encoder: Any = None) -> None:
        self.encoder = as_encoder(encoder)
        self._arguments = corpus, index, self.encoder
        kind = Kind(f"{VERSION}:{self.encoder.fingerprint}", lambda found: vectors_of(found, self.encoder), save, load)
        super().__init__(corpus, index, kind)
        self._vectors: Vectors = self._content

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> DenseRetriever:
        return cls(argument or "", settings.retrieval.ground_index, settings.retrieval.ground_encoder)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.corpus.digest}:{self.encoder.fingerprint}"

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage] | ItemError]:
        return isolated(STAGE, queries, lambda some: self._found(some, k), lambda query: query.text)

    def _found(self, queries: Sequence[Query], k: int) -> list[list[Passage]]:
        asked = [query for query in queries if query.text.strip()]
        if not asked:
            return [[] for _ in queries]
        vectors = self.encoder.queries([query.text for query in asked], self._vectors.learnt)
        by_query = dict(zip(asked, vectors, strict=True))
        found: dict[Query, list[Passage]] = {}
        for start in range(0, len(asked), TOGETHER):
            some = [query for query in asked[start : start + TOGETHER] if by_query[query].any()]
            for query, scores in zip(some, self._scores([by_query[query] for query in some]), strict=True):
                found[query] = self.best(query, scores, k)
        return [found.get(query, []) for query in queries]

    def _scores(self, vectors: Sequence[Floats]) -> Floats:
        """The cosines (queries, passages), times the length of the query.

        One product for each query: a common product of several would change the last digits of a score.
        """
        unit = self._vectors.unit
        scores = np.empty((len(vectors), len(unit)), dtype=np.float32)
        for start in range(0, len(unit), BLOCK):
            block = unit[start : start + BLOCK]
            for row, vector in zip(scores, vectors, strict=True):
                np.matmul(block, vector, out=row[start : start + BLOCK])
        return scores


def vectors_of(corpus: Corpus, encoder: Encoder) -> Vectors:
    """Raises UsageError if the encoder gives no array (texts, dimensions) of finite numbers."""
    try:
        vectors, learnt = encoder.passages([passage.text for passage in corpus.passages])
    except ValueError as problem:
        raise UsageError(f"the corpus has no vectors: {problem}", "use another encoder") from problem
    for start in range(0, len(vectors), BLOCK):
        block = vectors[start : start + BLOCK]
        lengths = np.linalg.norm(block.astype(np.float64), axis=1, keepdims=True)
        block /= np.where(lengths > 0, lengths, 1.0).astype(np.float32)
    return Vectors(vectors, learnt)


def save(vectors: Vectors, folder: Path) -> None:
    np.save(folder / "vectors.npy", vectors.unit)
    np.save(folder / "learnt.npy", vectors.learnt)


def load(folder: Path) -> Vectors:
    return Vectors(np.load(folder / "vectors.npy", mmap_mode="r"), np.load(folder / "learnt.npy"))
