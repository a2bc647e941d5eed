"""The labelled sets that the benchmarks read. None of them is part of this package. Each has its own licence."""

from graph_eval.bench.sets.published import PUBLISHED, TABLE2, PublishedSet, published_set, title_of

__all__ = ["PUBLISHED", "TABLE2", "PublishedSet", "published_set", "title_of"]
