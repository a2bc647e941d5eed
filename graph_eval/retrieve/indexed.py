"""What the retrievers over a corpus share: the corpus, its index, and the best places of a ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.retrieve.corpus import Corpus
from graph_eval.retrieve.index import Kind, opened
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.types import Passage


class IndexedRetriever(Retriever):
    """`corpus`: a file, a folder, or a `Corpus`. `index`: the folder in which the content of files is kept; None: it is
    made in memory. `kind`: how that content is made and kept.

    Raises InputError for a corpus without a readable file, and UsageError for an index folder with other content.
    """

    def __init__(self, corpus: Corpus | Path | str, index: Path | str | None, kind: Kind) -> None:
        self.corpus: Corpus
        self._content: Any
        if isinstance(corpus, Corpus):
            self.corpus, self._content = corpus, kind.make(corpus)
        else:
            self.corpus, self._content = opened(Path(corpus), None if index is None else Path(index), kind)

    @property
    def fields(self) -> Mapping[str, Sequence[str]]:
        return self.corpus.fields

    def best(self, query: Query, scores: NDArray[Any], k: int, above: float = -np.inf) -> list[Passage]:
        """The passages with the `k` largest scores above a limit, of those that meet the conditions of the query.

        `scores`: (passages,).
        """
        places = best_places(scores, k + self.corpus.repeated, self.corpus.places(query.where), above)
        return self.corpus.first(places, k)


def best_places(
    scores: NDArray[Any], k: int, allowed: NDArray[np.int64] | None = None, above: float = -np.inf
) -> list[int]:
    """The places of the `k` largest scores above a limit, the largest first; equal ones in the order of their places.

    `k`: 0 or more. `allowed`: the places that count, in order; None: all.
    """
    places = np.arange(len(scores)) if allowed is None else allowed
    places = places[scores[places] > above]
    if 0 < k < len(places):
        values = scores[places]
        least = np.partition(values, len(values) - k)[len(values) - k]
        places = places[values >= least]
    return [int(place) for place in places[np.argsort(-scores[places], kind="stable")][:k]]
