"""Splits a stream into fixed chunks. A batch, a resumed run and a worker each process whole chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar, cast

Item = TypeVar("Item")
END = object()


def chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


@contextmanager
def ahead(items: Iterable[Item]) -> Iterator[Iterator[Item]]:
    """Yields the items. A thread computes the next item while the caller processes the current one."""
    iterator = iter(items)
    with ThreadPoolExecutor(1) as maker:

        def made() -> Iterator[Item]:
            waiting = maker.submit(next, iterator, END)
            while (item := waiting.result()) is not END:
                waiting = maker.submit(next, iterator, END)
                yield cast(Item, item)

        yield made()
