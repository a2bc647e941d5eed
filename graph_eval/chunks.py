"""Fixed chunks of a stream: the unit of work that batches, resume and workers never cross."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar, cast

from graph_eval.errors import GraphEvalError

Item = TypeVar("Item")
Found = TypeVar("Found")
END = object()


def chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


@contextmanager
def ahead(items: Iterable[Item]) -> Iterator[Iterator[Item]]:
    """The items, each made in a thread while the one before is worked on."""
    iterator = iter(items)
    with ThreadPoolExecutor(1) as maker:

        def made() -> Iterator[Item]:
            waiting = maker.submit(next, iterator, END)
            while (item := waiting.result()) is not END:
                waiting = maker.submit(next, iterator, END)
                yield cast(Item, item)

        yield made()


def isolated(
    items: Sequence[Item],
    batch: Callable[[Sequence[Item]], list[Found]],
    failed: Callable[[Exception], Found],
) -> list[Found]:
    """`batch` over all items together; where that raises, over each alone, so that only the bad one fails.

    A GraphEvalError is raised: something is missing or misused, and no item could do better.
    """
    try:
        return batch(items)
    except GraphEvalError:
        raise
    except Exception as problem:
        if len(items) == 1:
            return [failed(problem)]
        return [found for item in items for found in isolated([item], batch, failed)]
