"""A job reads results from a source, runs a plan on them and writes them to sinks.

The command line, the benchmarks and `GraphEval` run jobs. Sources are in `sources.py`. Sinks are in `sinks.py` (graph
store), `runs/resume.py` (run directory) and `reports/sink.py` (report). `Job.results` returns the results as a stream.
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
    """A source, the plan that processes its results, and the sinks that store them.

    `mapper` applies the plan to the chunks: `mappers.serial`, `threads(n)` or `processes(n)`. Raises UsageError if a
    run directory is both input and output.
    """

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
        """The identity of the job: settings, the fingerprint of every part, versions, input. Reads all weights.

        Raises UsageError for an input without a digest, which another input could not be told from.
        """
        if not self.source.digest:
            raise UsageError("the input has no digest", "pass a list of records, or Records(stream, digest=...)")
        return self.plan.describe(self.source.digest, self.source.run)

    def results(self) -> Generator[Result]:
        """Yields every result in order, after all sinks have stored it.


        Results that an interrupted attempt stored in a sink are not computed again. Raises the exceptions of the sinks
        and the source, and a GraphEvalError of a part.
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
