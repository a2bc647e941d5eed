"""Fixed chunks of a stream: the unit of work that batches, resume and workers never cross."""

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
    """The items, each made in a thread while the one before is worked on."""
    iterator = iter(items)
    with ThreadPoolExecutor(1) as maker:

        def made() -> Iterator[Item]:
            waiting = maker.submit(next, iterator, END)
            while (item := waiting.result()) is not END:
                waiting = maker.submit(next, iterator, END)
                yield cast(Item, item)

        yield made()
