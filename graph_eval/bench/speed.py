"""Measures responses per second, the seconds of each stage, and pair scoring.

The figure for pair scoring is the throughput of pair scoring relative to the ONNX session alone.

All figures of one run are measured on the same responses, one after the other, on the same machine. Ratios can be
compared between machines, seconds cannot. The benchmark checks no limits.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.bench.benchmark import Bench, Benchmark, Measurement, Row, Table
from graph_eval.checkers.builtin import BuiltinChecker
from graph_eval.checkers.pairs import PairChecker
from graph_eval.errors import UsageError
from graph_eval.formats.labelled import Labelled, Track
from graph_eval.formats.results import to_json
from graph_eval.jobs import Job
from graph_eval.machine import peak_memory
from graph_eval.nli.scorer import BUDGET, OnnxScorer, Reading
from graph_eval.onnx_model import batches, padded
from graph_eval.pipeline import GraphEval
from graph_eval.plan import Plan
from graph_eval.sinks import Sink
from graph_eval.sources import Records
from graph_eval.stages import Stage
from graph_eval.types import ItemError, Result

Pair = tuple[str, str]
COLUMNS = ("responses", "claims", "errors", "loading_seconds", "responses_per_second")


class Metered:
    """Wraps a checker's scorer and records its calls and their seconds."""

    def __init__(self, scorer: Any) -> None:
        self._scorer = scorer
        self.calls: list[Sequence[Pair]] = []
        self.seconds = 0.0

    @property
    def fingerprint(self) -> str:
        return str(self._scorer.fingerprint)

    @property
    def max_tokens(self) -> int:
        return int(self._scorer.max_tokens)

    def score(self, pairs: Sequence[Pair]) -> NDArray[np.floating[Any]]:
        scores: NDArray[np.floating[Any]] = self._timed(self._scorer.score, pairs)
        return scores

    def read(self, pairs: Sequence[Pair]) -> list[Reading]:
        readings: list[Reading] = self._timed(self._scorer.read, pairs)
        return readings

    def _timed(self, ask: Callable[[Sequence[Pair]], Any], pairs: Sequence[Pair]) -> Any:
        began = perf_counter()
        output = ask(pairs)
        self.seconds += perf_counter() - began
        self.calls.append(pairs)
        return output


@dataclass(frozen=True)
class Speed(Benchmark):
    """`repeats`: of the comparison with the session alone."""

    name = "speed"
    title = "Speed and memory"
    repeats: int = 3

    def measure(self, bench: Bench) -> Measurement:
        """Raises UsageError for more than one set."""
        sets = bench.sets(("qags-c",))
        if len(sets) > 1:
            raise UsageError("speed measures one set", "pass one --set, or INPUT")
        ge, labelled = GraphEval(settings=bench.settings), sets[0]
        figures = _figures(ge, labelled, self.repeats, bench.track)
        shown: Row = {"set": labelled.title}
        shown |= {name: figures[name] for name in COLUMNS}
        shown |= {f"seconds_to_{name}": seconds for name, seconds in figures["stage_seconds"].items()}
        shown |= {**figures.get("pairs", {}), "peak_memory_mb": figures["peak_memory_mb"]}
        note = (
            "Seconds and rates hold for this machine alone. Shares can be compared between machines. "
            "The peak memory is that of the process, with what it ran before."
        )
        tables = [Table("speed", self.title, [shown], across=True, note=note)]
        return Measurement(tables, [], {"check": ge.plan()}, {labelled.name: labelled.digest}, about=figures)


def _figures(ge: GraphEval, labelled: Labelled, repeats: int, track: Track) -> dict[str, Any]:
    """Figures of the plan and of its stages, then of pair scoring."""
    began = perf_counter()
    ge.check("A first text loads what is loaded at first use.", "It loads the weights.")
    loading = perf_counter() - began
    meter = None
    if isinstance(ge.checker, PairChecker | BuiltinChecker):
        scorer: Any = ge.checker.scorer
        meter = ge.checker.scorer = Metered(scorer)
    stages = _stages(ge, labelled, meter, track)
    figures: dict[str, Any] = {"loading_seconds": round(loading, 3), **stages}
    if meter is not None and isinstance(scorer, OnnxScorer) and meter.calls:
        figures["pairs"] = _pairs(scorer, meter.calls, repeats)
    if meter is not None:
        figures["pairs_per_response"] = round(sum(map(len, meter.calls)) / max(1, stages["responses"]), 2)
    figures["peak_memory_mb"] = peak_memory()
    return figures


class TimedStage(Stage):
    """Adds the run time of a stage to `seconds[name]`."""

    def __init__(self, stage: Stage, seconds: dict[str, float], name: str) -> None:
        self.name = stage.name
        self._stage, self._seconds, self._timed = stage, seconds, name

    @property
    def settings(self) -> Mapping[str, Any]:
        return self._stage.settings

    @property
    def fingerprint(self) -> str:
        return self._stage.fingerprint

    @property
    def fingerprints(self) -> Mapping[str, str]:
        return self._stage.fingerprints

    def takes(self, result: Result) -> bool:
        return self._stage.takes(result)

    def run(self, results: Sequence[Result]) -> Sequence[Result]:
        began = perf_counter()
        finished = self._stage.run(results)
        self._seconds[self._timed] += perf_counter() - began
        return finished

    def failed(self, result: Result, error: ItemError) -> Result:
        return self._stage.failed(result, error)


class TimedWriting(Sink):
    """Adds the seconds of converting results to JSON to `seconds["write"]`."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds

    def add(self, results: Sequence[Result]) -> None:
        began = perf_counter()
        for result in results:
            to_json(result)
        self._seconds["write"] += perf_counter() - began


def _stages(ge: GraphEval, labelled: Labelled, meter: Metered | None, track: Track) -> dict[str, Any]:
    """Seconds of each stage over all chunks. "score" is the time in the model, "judge" the rest of judging."""
    seconds = dict.fromkeys(("read", "extract", "judge", "write"), 0.0)
    counts = dict.fromkeys(("responses", "claims", "errors"), 0)
    extract, check = ge.plan().stages
    stages = (TimedStage(extract, seconds, "extract"), TimedStage(check, seconds, "judge"))

    def timed(run: Callable[[list[Result]], list[Result]], chunks: Iterable[list[Result]]) -> Iterator[list[Result]]:
        waiting = iter(chunks)
        while True:
            began = perf_counter()
            chunk = next(waiting, None)
            seconds["read"] += perf_counter() - began
            if chunk is None:
                return
            yield run(chunk)

    plan = Plan(stages, ge.settings.chunk)
    job = Job(Records.labelled(labelled), plan, [TimedWriting(seconds)], timed)
    for result in track(job.results(), len(labelled), labelled.title):
        counts["responses"] += 1
        counts["claims"] += len(result.claims)
        counts["errors"] += result.error is not None
    total = sum(seconds.values())
    if meter is not None:
        seconds["score"] = meter.seconds
        seconds["judge"] -= meter.seconds
    return {
        **counts,
        "responses_per_second": round(counts["responses"] / total, 2) if total else None,
        "stage_seconds": {name: round(value, 3) for name, value in seconds.items()},
    }


def _pairs(scorer: OnnxScorer, calls: Sequence[Sequence[Pair]], repeats: int) -> dict[str, Any]:
    """Scores the same pairs with the scorer, in the calls of the checker, and with the ONNX session alone.

    The session alone has the best conditions: all pairs are tokenised, sorted by length and batched beforehand, and it
    uses its own threads, one per core.
    """
    pairs = [pair for call in calls for pair in call]
    session, feeds = _feeds(scorer, pairs)
    ours, bare = [], []
    for _ in range(repeats):
        began = perf_counter()
        for call in calls:
            scorer.score(call)
        ours.append(perf_counter() - began)
        began = perf_counter()
        for feed in feeds:
            session.run(None, feed)
        bare.append(perf_counter() - began)
    ratios = [one / other for one, other in zip(bare, ours, strict=True)]
    return {
        "pairs": len(pairs),
        "tokens": sum(int(feed["attention_mask"].sum()) for feed in feeds),
        "padding": round(
            1
            - sum(feed["attention_mask"].sum() for feed in feeds) / sum(feed["attention_mask"].size for feed in feeds),
            4,
        ),
        "pairs_per_second": round(len(pairs) / statistics.median(ours), 1),
        "bare_session_pairs_per_second": round(len(pairs) / statistics.median(bare), 1),
        "share_of_bare_session": round(statistics.median(ratios), 3),
        "repeats": repeats,
    }


def _feeds(scorer: OnnxScorer, pairs: Sequence[Pair]) -> tuple[Any, list[dict[str, Any]]]:
    session, encoded = scorer.session(threads=0), scorer.encode(pairs)
    return session, [
        padded([(encoded[place].ids, encoded[place].types) for place in batch])
        for batch in batches([len(entry.ids) for entry in encoded], BUDGET)
    ]
