"""All benchmarks, one after the other, and the page of their figures.

Each benchmark writes its own file, and all share the run directories of one folder. A benchmark whose work
is stored there makes its items again, so its file follows the code. Another one is not measured again if its file is
there already, with the same options, parts, code and data. One that this machine cannot run is named with the reason,
and the others go on.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

from graph_eval.bench import benchmark as benchmarks
from graph_eval.bench import record
from graph_eval.bench.benchmark import Bench, Benchmark, PlanBenchmark
from graph_eval.bench.correction import MARKED, Correction
from graph_eval.bench.extraction import Extraction
from graph_eval.bench.flags import Flags
from graph_eval.bench.graphcorrect import GraphCorrect
from graph_eval.bench.refchecker import RefChecker
from graph_eval.bench.retrieval import Retrieval
from graph_eval.bench.retrieval_scale import RetrievalScale
from graph_eval.bench.speed import Speed
from graph_eval.bench.table1 import Table1
from graph_eval.bench.table2 import Table2
from graph_eval.bench.wikibio import WikiBio
from graph_eval.errors import GraphEvalError
from graph_eval.types import content_hash
from graph_eval.version import versions

RESUMED = (PlanBenchmark, WikiBio)  # their finished work is stored, so their items are made again at little cost
RUNS = "runs"  # folder of the run directories
PRIOR = 120.0  # seconds for which the expected pace counts beside the measured one


@dataclass(frozen=True)
class Entry:
    """A benchmark of the suite. `name`: of its file. `arguments`: of its command. `seconds`: on two cores, about."""

    name: str
    arguments: str
    benchmark: Benchmark
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """What became of an entry. `value`: the content of its file. `stored`: it was there already. `problem`: why it did
    not run."""

    entry: Entry
    value: Mapping[str, Any] | None
    seconds: float = 0.0
    stored: bool = False
    problem: str = ""


def entries(checker: str = "builtin", model: str | None = None, independent: str | None = None) -> list[Entry]:
    """All benchmarks, those first that others share runs with.

    `checker`: that of the settings. `model`: the language model of the correctors that need one. `independent`: the
    name of a checker that judges corrections and plays no part in them.
    """
    return [
        Entry("table1", "table1", Table1(), 5),
        Entry("table2", "table2", Table2(), 420),
        Entry("flags", "flags", Flags((checker,)), 300),
        Entry("refchecker", "refchecker", RefChecker(), 300),
        Entry("extraction", "extraction", Extraction(), 60),
        *(
            Entry(
                f"correction-{name}",
                f"correction --set {name}",
                Correction(name, independent=None if name == MARKED else independent),
                seconds,
            )
            for name, seconds in (("summedits", 400), ("defacto", 250), ("bump", 150), ("ragtruth", 200))
        ),
        Entry("graphcorrect", "graphcorrect", GraphCorrect(model, independent), 400),
        Entry("wikibio", "wikibio", WikiBio(), 400),
        Entry("retrieval", "retrieval", Retrieval(), 400),
        Entry("retrieval-scale", "retrieval --scale 100000", RetrievalScale(100_000), 300),
        Entry("speed", "speed", Speed(), 60),
    ]


def run_suite(
    chosen: Sequence[Entry], bench: Bench, folder: Path, told: Callable[[str], None] = lambda _line: None
) -> Iterator[Outcome]:
    """The outcome of each entry, in order. Its file is in `folder`. `told` receives lines about the progress."""
    left = sum(entry.seconds for entry in chosen)
    expected = spent = 0.0
    for place, entry in enumerate(chosen, 1):
        told(f"{place} of {len(chosen)}: {entry.name}")
        own = replace(bench, runs=folder / RUNS, seconds={})
        own.ge = bench.ge
        began = monotonic()
        outcome = _measured(entry, own, folder / f"{entry.name}.json")
        outcome = replace(outcome, seconds=round(monotonic() - began, 1))
        left -= entry.seconds
        if outcome.value is not None and not outcome.stored:
            expected, spent = expected + entry.seconds, spent + outcome.seconds
        pace = (spent + PRIOR) / (expected + PRIOR)
        told(f"{entry.name}: {outcome.problem or f'{outcome.seconds:,.0f} s'}. {_minutes(left * pace)}")
        yield outcome


def _minutes(seconds: float) -> str:
    return f"About {max(1, round(seconds / 60))} min left." if seconds else "All are done."


def _measured(entry: Entry, bench: Bench, file: Path) -> Outcome:
    try:
        identity = _identity(entry, bench)
        known = None if isinstance(entry.benchmark, RESUMED) else _stored(file, identity)
        if known is not None:
            return Outcome(entry, known, stored=True)
        value = benchmarks.run(entry.benchmark, bench) | {"identity": identity}
        record.write(value, file)
        return Outcome(entry, value)
    except GraphEvalError as problem:
        return Outcome(entry, None, problem=f"not run: {problem}")


def _identity(entry: Entry, bench: Bench) -> str:
    """A hash of all that the figures depend on: options, settings, parts, versions, data, the benchmark's own code."""
    plan = bench.ge.plan("extract", "check", "correct")
    folder = bench.folder()
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    data = [f"{path.relative_to(folder)} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in files]
    code = Path(str(inspect.getsourcefile(type(entry.benchmark)))).read_text("utf-8")
    described = (plan.settings, plan.fingerprints, versions(), bench.limit, entry.arguments, code)
    return content_hash("benchmark", repr(entry.benchmark), json.dumps(described, sort_keys=True, default=str), *data)


def _stored(file: Path, identity: str) -> dict[str, Any] | None:
    try:
        value = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) and value.get("identity") == identity else None
