"""The labelled sets that the benchmarks read. None of them is part of this package. Each has its own licence."""

from graph_eval.bench.sets.catalogue import PUBLISHED, TABLE2, PublishedSet
from graph_eval.bench.sets.published import ALL, Counts, counts, published_set, title_of

__all__ = ["ALL", "PUBLISHED", "TABLE2", "Counts", "PublishedSet", "counts", "published_set", "title_of"]
