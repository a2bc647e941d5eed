"""A job: the results of a source go through a plan and into sinks.

The command line, the benchmarks and `GraphEval` all work by it. Sources stand in `sources.py`, sinks in `sinks.py`
(a store), `runs/resume.py` (a run directory) and `reports/page.py` (a report). Whoever iterates over `Job.results` gets
the results as a stream.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from graph_eval.chunks import chunks
from graph_eval.errors import UsageError
from graph_eval.mappers import Mapper, serial
from graph_eval.plan import Plan
from graph_eval.runs.resume import RunDirectory
from graph_eval.sinks import Sink
from graph_eval.sources import RunFiles, Source
from graph_eval.types import Result, Run


@dataclass
class Job:
    """Raises UsageError where a run directory is both input and output.

    `mapper`: how the chunks are worked through (`mappers.serial`, `threads(n)`, `processes(n)`)."""

    source: Source
    plan: Plan
    sinks: Sequence[Sink] = field(default=())
    mapper: Mapper = serial

    def __post_init__(self) -> None:
        for sink in self.sinks:
            if (
                isinstance(sink, RunDirectory)
                and isinstance(self.source, RunFiles)
                and sink.path.resolve() == self.source.path.resolve()
            ):
                raise UsageError(f"the output {sink.path} is also the input", "choose another -o directory")

    @cached_property
    def run(self) -> Run:
        """What identifies the job: settings, the fingerprint of every part, versions, input. Reads all weights.

        Raises UsageError for an input without a digest: another input would pass for it.
        """
        if not self.source.digest:
            raise UsageError("the input has no digest", "pass a list of records, or Records(stream, digest=...)")
        return self.plan.describe(self.source.digest, self.source.run)

    def results(self) -> Generator[Result]:
        """Every result in order, once all sinks have it. What an interrupted attempt left in a sink is not made again.

        Raises what a sink or the source raises, and a GraphEvalError of a part.
        """
        with ExitStack() as closing:
            held: Iterator[Result] | None = None
            holder: Sink | None = None
            for sink in self.sinks:
                closing.callback(sink.close)
                left = sink.begin(lambda: self.run, self.plan.chunk)
                if left is None:
                    continue
                if holder is not None:
                    raise UsageError("a job with two run directories", "pass one RunDirectory")
                held, holder = left, sink
            done = 0
            for part in chunks(held or (), self.plan.chunk):
                done += len(part)
                yield from self._added(part, holder)
            rest = islice(self.source.results(), done, None)
            for part in self.mapper(self.plan.run, chunks(rest, self.plan.chunk)):
                yield from self._added(part)
            for sink in self.sinks:
                sink.finish()

    def _added(self, part: Sequence[Result], holder: Sink | None = None) -> Sequence[Result]:
        for sink in self.sinks:
            if sink is not holder:
                sink.add(part)
        return part
