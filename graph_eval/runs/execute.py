"""Runs a stream through the pipeline chunk by chunk, onto the disk where there is a run directory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from graph_eval.chunks import chunks
from graph_eval.formats.results import read_results
from graph_eval.runs.directory import OpenRun
from graph_eval.types import Result

Item = TypeVar("Item")


def execute(
    items: Iterable[Item],
    work: Callable[[Sequence[tuple[int, Item]]], list[Result]],
    chunk: int,
    run: OpenRun | None = None,
) -> Iterator[Result]:
    """Every result in order; those that a resumed run has on disk are read, not made again.

    `work` takes numbered items (from 0) of one chunk. A result is yielded once it is safe on the disk.
    """
    numbered = enumerate(items)
    if run is not None:
        done = run.done
        yield from islice(read_results(run.results), done)
        for _ in islice(numbered, done):
            pass
    for part in chunks(numbered, chunk):
        results = work(part)
        if run is not None:
            run.append(results)
        yield from results
    if run is not None:
        run.finish()
