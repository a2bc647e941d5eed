"""Items of a benchmark's file, read as numbers. Files are untrusted: a field of another kind counts as missing.

Items with the same `source` depend on each other: the sixteen summaries of an article in SummEval, the answers of seven
models to a question in RefChecker. So `resampled` draws sources, and all items of a source together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from graph_eval.bench.benchmark import Row, without_errors
from graph_eval.metrics import Array, group_weights

Place = tuple[str, str]  # set and route


def resampled(items: Sequence[Row]) -> Array:
    """How often each item is drawn, with all others of its source: (1 + resamples, items).

    An item without a source is drawn with those of its response, which `set` and `n` name. So is every item where all
    have the same source: the interval then holds for that source.
    """
    responses = [f"{item.get('set')} {item.get('n', f'item {place}')}" for place, item in enumerate(items)]
    given = [item.get("source") for item in items]
    sources = [one if isinstance(one, str) else own for one, own in zip(given, responses, strict=True)]
    return group_weights(sources if len(set(sources)) > 1 else responses)


def place_of(item: Row) -> Place:
    """The set and the route of an item. An item without one has the name ""."""
    return str(item.get("set", "")), str(item.get("route", ""))


def by_place(items: Iterable[Row]) -> dict[Place, list[Row]]:
    """The items without an error by set and route, in order of first appearance."""
    groups: dict[Place, list[Row]] = {}
    for item in without_errors(items):
        groups.setdefault(place_of(item), []).append(item)
    return groups


def number(value: object) -> float | None:
    """A finite number or a truth value (0 or 1). None for anything else."""
    if not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def label_of(item: Row) -> float | None:
    """1: people found the item inconsistent, 0: consistent, None: no such label."""
    found = number(item.get("label"))
    return found if found in (0.0, 1.0) else None


def score_of(item: Row) -> float | None:
    """p(inconsistent), in [0, 1]."""
    found = number(item.get("p_inconsistent"))
    return found if found is not None and 0 <= found <= 1 else None


def verdict_of(item: Row) -> float | None:
    """1: the item was found inconsistent, 0: it was not."""
    found = item.get("inconsistent")
    return float(found) if isinstance(found, bool) else None


def scored(items: Iterable[Row]) -> tuple[Array, Array]:
    """Labels and scores of the items that have both."""
    return _columns([(label_of(item), score_of(item)) for item in items])


def decided(items: Iterable[Row]) -> tuple[Array, Array]:
    """Labels and verdicts of the items that have both."""
    return _columns([(label_of(item), verdict_of(item)) for item in items])


def _columns(pairs: Sequence[tuple[float | None, float | None]]) -> tuple[Array, Array]:
    kept = [pair for pair in pairs if None not in pair]
    labels, values = np.array(kept, dtype=np.float64).reshape(-1, 2).T
    return labels, values
