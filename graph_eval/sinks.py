"""Sinks store the results of a job. This module defines their base class and the sink of a graph store.

The sink of a run directory is in `runs/resume.py`, the sink of a report in `reports/sink.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from graph_eval.errors import StoreError
from graph_eval.types import Result, Run

if TYPE_CHECKING:
    from graph_eval.graph.claims import ClaimGraph


class Sink(ABC):
    """Stores the results of a job chunk by chunk. Its methods are called in this order: begin, add, finish, close."""

    def begin(self, run: Callable[[], Run], chunk: int) -> Iterator[Result] | None:  # noqa: ARG002
        """Called before the first result. Returns the results that an interrupted attempt stored, or None.

        `run` returns the identity of the job. It reads all weights, so call it only if needed. `chunk`: the number of
        results in a chunk.
        """
        return None

    @abstractmethod
    def add(self, results: Sequence[Result]) -> None:
        """Stores one chunk. When this returns, the chunk is stored durably."""

    def finish(self) -> None:  # noqa: B027
        """Called after the last result."""

    def close(self) -> None:  # noqa: B027
        """Called last, also after an error or an interruption."""


class StoreSink(Sink):
    """Loads the results into a graph store. If the store fails, loading stops and the job continues.

    `manifest`: reads the run.json of the job's run directory, whose sink comes first. The store keeps it.
    `problem`: the error that stopped the loading, or None. `duplicates`: the number of records that share a response in
    the graph with another record, because their id, model, question, response and context are equal.
    """

    def __init__(self, graph: ClaimGraph, manifest: Callable[[], str] | None = None) -> None:
        self.problem: StoreError | None = None
        self.written = self.duplicates = 0
        self._graph = graph
        self._manifest = manifest
        self._run: Run | None = None

    def begin(self, run: Callable[[], Run], chunk: int) -> None:  # noqa: ARG002
        self._graph.setup()
        self._run = run()

    def add(self, results: Sequence[Result]) -> None:
        if self.problem is None and self._run is not None:
            try:
                self._graph.write(self._run, results)
                self.written += len(results)
            except StoreError as problem:
                self.problem = problem

    def finish(self) -> None:
        if self.problem is None and self._run is not None:
            try:
                self.duplicates = self.written - self._graph.response_count(self._run.id)
                if self._manifest is not None:
                    self._graph.keep_manifest(self._run.id, self._manifest())
            except StoreError as problem:
                self.problem = problem
