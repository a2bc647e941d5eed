"""What a benchmark is: a measurement of labelled items that gives tables.

A benchmark over a plan of stages (`PlanBenchmark`) names its work (a source and a plan), makes an item of each result,
and makes its tables from the items alone. So anyone can recompute its figures from its file. A benchmark of another
kind (`Benchmark`) measures for itself. `run` gives the content of the JSON file of either; `graph_eval/bench/tables.py`
prints it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, TypeVar

from graph_eval.bench.record import record
from graph_eval.bench.sets import published_set
from graph_eval.errors import ModelError, UsageError
from graph_eval.formats.labelled import Labelled, Track
from graph_eval.jobs import Job
from graph_eval.pipeline import GraphEval
from graph_eval.plan import Plan
from graph_eval.runs.directory import read_meta
from graph_eval.runs.resume import RunDirectory
from graph_eval.settings import Settings
from graph_eval.sources import Source
from graph_eval.types import Example, Result, content_hash

Row = dict[str, Any]
Made = TypeVar("Made")
NO_RESULT = -1  # in place of the number of a result


def untracked(items: Iterable[Any], _total: int, _name: str) -> Iterable[Any]:
    """The items, without showing progress."""
    return items


@dataclass(frozen=True)
class Table:
    """Rows of figures.

    `columns`: the fields of the rows that are printed, in order; None: all. A cell is text, a number, None (not
    measured), or a figure with the ends of its interval (`metrics.Figure` as a dictionary). `signed`: the columns of
    differences. `across`: print each row as a column, headed by the first of `columns`. `note`: one sentence below.
    """

    name: str
    title: str
    rows: Sequence[Row]
    columns: Sequence[str] | None = None
    signed: Sequence[str] = ()
    across: bool = False
    note: str = ""


@dataclass(frozen=True)
class Work:
    """The results of a plan over a source. `set` and `route` name it, and its run directory.

    `optional`: a model that cannot be asked at all ends this work, and not the benchmark.
    """

    set: str
    title: str
    route: str
    source: Source
    plan: Plan
    context: Any = None  # whatever the benchmark wants to find again at `item`
    optional: bool = False


@dataclass
class Measurement:
    """What a benchmark found.

    `plans`: every plan that ran, by name. `data`: the digest of each set. `seconds`: of each piece of work, in the
    attempts that came to its end. `about`: more fields of the file.
    """

    tables: list[Table]
    items: list[Row]
    plans: Mapping[str, Plan] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Bench:
    """What a benchmark measures with.

    `data`: the folder of the published sets. `labelled`: the user's own labelled records instead of them. `responses`:
    the user's own responses, whose labels do not matter. `names`: the published sets that the user chose. `limit`: the
    maximum number of items of each set. `runs`: a folder for run directories, so that an interrupted benchmark
    continues. `track` shows progress.
    """

    settings: Settings = field(default_factory=Settings)
    data: Path | None = None
    labelled: Sequence[Labelled] = ()
    responses: Source | None = None
    names: Sequence[str] = ()
    limit: int | None = None
    runs: Path | None = None
    track: Track = untracked
    seconds: dict[str, float] = field(default_factory=dict)
    _made: dict[Hashable, Any] = field(default_factory=dict)

    @cached_property
    def ge(self) -> GraphEval:
        """The parts that the settings name."""
        return GraphEval(settings=self.settings)

    def with_checker(self, name: str) -> GraphEval:
        """The parts with another checker, at its own threshold."""
        if name == self.settings.checker:
            return self.ge
        settings = self.settings.replace(checker=name, threshold=None, profile=None)
        return self.once(("checker", name), lambda: GraphEval(settings=settings))

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` returns, made at the first call with this key."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def folder(self) -> Path:
        """The folder of the published sets. Raises UsageError without one."""
        if self.data is None:
            raise UsageError("missing --data", "pass the folder that holds the published sets")
        return self.data

    def sets(self, default: Sequence[str]) -> list[Labelled]:
        """The labelled sets: the user's own, those that the user chose, or `default`."""
        if self.labelled:
            return list(self.labelled)
        if self.data is None:
            raise UsageError("missing input", "give --data DIR, or INPUT with labels")
        return [published_set(self.data, name, self.limit) for name in self.names or default]

    def results(self, work: Work) -> Iterator[Result]:
        """The results of the work, as a stream. Stored results are used again."""
        directory = self.runs / f"{work.set}-{work.route}" if self.runs else None
        job = Job(work.source, work.plan, [RunDirectory(directory)] if directory else [])
        began = monotonic()
        yield from self.track(job.results(), work.source.total or 0, f"{work.title}, {work.route}")
        spent = float(read_meta(directory)["seconds"]) if directory else monotonic() - began
        self.seconds[f"{work.set}, {work.route}"] = round(spent, 3)


class Benchmark(ABC):
    """A measurement with a name. Its options are its fields."""

    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def measure(self, bench: Bench) -> Measurement:
        """Measures. Raises InputError for a set that is missing or damaged, UsageError for options that cannot hold."""


class PlanBenchmark(Benchmark):
    """A benchmark over plans of stages."""

    @abstractmethod
    def work(self, bench: Bench) -> Iterator[Work]:
        """What is to be run, in order. The items of earlier work are made before the next work is asked for."""

    @abstractmethod
    def item(self, work: Work, result: Result) -> Row:
        """The item of a result without an error: what the tables need of it."""

    @abstractmethod
    def tables(self, items: Sequence[Row]) -> list[Table]:
        """The tables. Every item has `set`, `route` and `n`. That of a result has `source` too, which names what the
        text is about, and that of a failed one `error` instead. So has that of optional work without a model, whose
        `n` is `NO_RESULT`."""

    def place(self, work: Work) -> Row:
        """The fields that every item of the work has, failed ones included."""
        return {"set": work.set, "route": work.route}

    def derived(self, bench: Bench, items: Sequence[Row]) -> list[Row]:  # noqa: ARG002
        """More items, made of those of the results."""
        return []

    def about(self, bench: Bench) -> Mapping[str, Any]:  # noqa: ARG002
        """More fields of the file."""
        return {}

    def measure(self, bench: Bench) -> Measurement:
        items: list[Row] = []
        plans: dict[str, Plan] = {}
        data: dict[str, str] = {}
        for work in self.work(bench):
            plans.setdefault(work.route, work.plan)
            data.setdefault(work.set, work.source.digest)
            items += self._items(work, bench)
        items += self.derived(bench, items)
        return Measurement(self.tables(items), items, plans, data, bench.seconds, self.about(bench))

    def _items(self, work: Work, bench: Bench) -> Iterator[Row]:
        try:
            for result in bench.results(work):
                yield self._item(work, result)
        except ModelError as problem:
            if not work.optional:
                raise
            yield self.place(work) | {"n": NO_RESULT, "error": str(problem)}

    def _item(self, work: Work, result: Result) -> Row:
        place = self.place(work) | {"n": result.n}
        if result.error is not None:
            return place | {"error": str(result.error)}
        source = {"source": source_of(result.example)} if result.example else {}
        return place | source | self.item(work, result)


def source_of(example: Example) -> str:
    """Names what the response is about: its question and passages, or without both the response itself."""
    about = [example.question or "", *(passage.text for passage in example.passages)]
    return content_hash(*(about if any(about) else [example.id]))


def grouped(items: Iterable[Row], name: str) -> dict[Any, list[Row]]:
    """The items by the value of a field, in order of first appearance."""
    groups: dict[Any, list[Row]] = {}
    for item in items:
        groups.setdefault(item[name], []).append(item)
    return groups


def without_errors(items: Iterable[Row]) -> list[Row]:
    return [item for item in items if "error" not in item]


def run(benchmark: Benchmark, bench: Bench) -> dict[str, Any]:
    """The content of the benchmark's JSON file: figures, items, settings, versions and the machine."""
    found = benchmark.measure(bench)
    return record(
        benchmark.name,
        found.plans,
        bench.settings.threads,
        found.data,
        title=benchmark.title,
        **found.about,
        tables=[asdict(table) for table in found.tables],
        seconds=dict(found.seconds),
        items=found.items,
    )
