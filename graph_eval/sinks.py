"""Where a job's results go: what every sink does, and the sink of a graph store.

The sink of a run directory stands in `runs/resume.py`, that of a report in `reports/page.py`.
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
    """Takes the results of a job chunk by chunk. Its methods are called in the order begin, add, ..., finish, close."""

    def begin(self, run: Callable[[], Run], chunk: int) -> Iterator[Result] | None:  # noqa: ARG002
        """Called before the first result. Returns the results that an interrupted attempt left here, if it did.

        `run`: describes the job, which reads all weights; ask only where it is needed. `chunk`: results in a chunk.
        """
        return None

    @abstractmethod
    def add(self, results: Sequence[Result]) -> None:
        """Takes one chunk. When this returns, the chunk is safe."""

    def finish(self) -> None:  # noqa: B027
        """Called when every result was added."""

    def close(self) -> None:  # noqa: B027
        """Called at the end, also after an error or an interruption."""


class StoreSink(Sink):
    """Loads the results into a graph store. A store that fails stops the loading, not the job.

    `problem`: why the loading stopped, None if it did not. `duplicates`: records that the graph holds as one response
    with another record, since they are equal in id, model, question and response.
    """

    def __init__(self, graph: ClaimGraph) -> None:
        self.problem: StoreError | None = None
        self.written = self.duplicates = 0
        self._graph = graph
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
            except StoreError as problem:
                self.problem = problem
