"""BM25 over the user's files (Robertson and Zaragoza 2009), by the package bm25s (arXiv 2407.03618)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graph_eval.errors import MissingPartError
from graph_eval.registry import retriever
from graph_eval.retrieve.corpus import Corpus
from graph_eval.retrieve.index import Kind
from graph_eval.retrieve.indexed import IndexedRetriever
from graph_eval.retrieve.retriever import Query
from graph_eval.settings import Settings
from graph_eval.text.normalise import content_words, stem
from graph_eval.types import Passage

VERSION = "bm25-1"
K1, B = 1.5, 0.75


def tokens(text: str) -> list[str]:
    """The stems of the content words."""
    return [stem(word) for word, _ in content_words(text)]


@retriever("bm25", argument="CORPUS", example="bm25:docs/", reads=("ground_index",), extra="retrieval")
class BM25Retriever(IndexedRetriever):
    """`corpus`: a file, a folder, or a `Corpus`. `index`: the folder in which the index of files is kept; None: it is
    made in memory.

    Raises InputError for a corpus without a readable file, UsageError for an index folder with other content, and
    MissingPartError without bm25s.
    """

    def __init__(self, corpus: Corpus | Path | str, index: Path | str | None = None) -> None:
        if find_spec("bm25s") is None:
            raise MissingPartError("bm25s is not installed", "pip install 'graph_eval[retrieval]'")
        self._arguments = corpus, index
        super().__init__(corpus, index, Kind(VERSION, _indexed, _save, _load))
        self._scorer = self._content

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> BM25Retriever:
        return cls(argument or "", settings.retrieval.ground_index)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.corpus.digest}:{K1}:{B}"

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage]]:
        return [self._best(query, k) for query in queries]

    def _best(self, query: Query, k: int) -> list[Passage]:
        known = [token for token in dict.fromkeys(tokens(query.text)) if token in self._scorer.vocab_dict]
        if not known:
            return []
        return self.best(query, self._scorer.get_scores(known)[: len(self.corpus.passages)], k, 0.0)


def _bm25s() -> Any:
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)  # the package sets it to DEBUG
    return bm25s


def _indexed(corpus: Corpus) -> Any:
    scorer = _bm25s().BM25(k1=K1, b=B)
    rows = [tokens(passage.text) for passage in corpus.passages]
    if not any(rows):
        rows = [*rows, ["-"]]  # bm25s needs one token
    scorer.index(rows, show_progress=False)
    return scorer


def _save(scorer: Any, folder: Path) -> None:
    scorer.save(str(folder), show_progress=False)


def _load(folder: Path) -> Any:
    return _bm25s().BM25.load(str(folder), mmap=True, show_progress=False, verbosity=0)
