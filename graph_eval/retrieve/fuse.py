"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

from graph_eval.types import Passage

Item = TypeVar("Item", bound=Hashable)
K = 60


def reciprocal_rank_fusion(rankings: Sequence[Sequence[Item]], k: float = K) -> list[tuple[Item, float]]:
    """One ranking of several: each item with the sum of 1 / (rank + k), rank from 0, the largest sum first.

    `k`: more than 0; the larger it is, the less the first ranks count. An item counts once in each ranking, with its
    best rank. Equal sums keep the order in which the items came first. Raises ValueError for another k.
    """
    if not k > 0:
        raise ValueError(f"k of reciprocal rank fusion is {k}, not more than 0")
    scores: dict[Item, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking)):
            scores[item] = scores.get(item, 0.0) + 1.0 / (rank + k)
    return sorted(scores.items(), key=lambda entry: -entry[1])


def fused(rankings: Sequence[Sequence[Passage]], k: float, most: int) -> list[Passage]:
    """The best `most` passages of several rankings. Equal texts are one passage, with the source that came first."""
    passages = {passage.id: passage for ranking in reversed(rankings) for passage in reversed(ranking)}
    ranked = reciprocal_rank_fusion([[passage.id for passage in ranking] for ranking in rankings], k)
    return [passages[name] for name, _ in ranked[:most]]
