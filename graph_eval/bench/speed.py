"""How fast the chain is, where its time goes, and how near pair scoring comes to the bare model session.

All figures of one run are taken on the same responses, one after the other on the same machine. Ratios travel between
machines, seconds do not. Nothing is asserted: a figure is a report.
"""

from __future__ import annotations

import resource
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.bench.record import record
from graph_eval.bench.sets import Labelled, Track
from graph_eval.checkers.builtin import BuiltinChecker
from graph_eval.checkers.features import Reading
from graph_eval.checkers.onnx import BUDGET, OnnxScorer
from graph_eval.checkers.onnx_session import batches, padded
from graph_eval.checkers.pairs import PairChecker
from graph_eval.chunks import chunks
from graph_eval.formats.results import to_json
from graph_eval.pipeline import GraphEval
from graph_eval.settings import Settings
from graph_eval.types import Example, ItemError

Pair = tuple[str, str]


class Metered:
    """Stands for a checker's scorer; remembers what it was asked and how long it took."""

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
        found: NDArray[np.floating[Any]] = self._timed(self._scorer.score, pairs)
        return found

    def read(self, pairs: Sequence[Pair]) -> list[Reading]:
        found: list[Reading] = self._timed(self._scorer.read, pairs)
        return found

    def _timed(self, ask: Callable[[Sequence[Pair]], Any], pairs: Sequence[Pair]) -> Any:
        began = perf_counter()
        found = ask(pairs)
        self.seconds += perf_counter() - began
        self.calls.append(pairs)
        return found


def speed(labelled: Labelled, settings: Settings, repeats: int, track: Track) -> dict[str, Any]:
    """End to end and by stage, then pair scoring against the bare session; the value of the JSON file."""
    ge = GraphEval(settings=settings)
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
    figures["peak_memory_mb"] = _peak_memory()
    return record("speed", ge, {labelled.name: labelled.digest}, n=stages["responses"], **figures)


def _stages(ge: GraphEval, labelled: Labelled, meter: Metered | None, track: Track) -> dict[str, Any]:
    """Seconds of each stage over all chunks. Judging is split into the model's share and the rest of it."""
    seconds = dict.fromkeys(("read", "extract", "judge", "write"), 0.0)
    counts = dict.fromkeys(("responses", "claims", "errors"), 0)

    def timed(parts: Iterator[list[tuple[int, Example | ItemError]]]) -> Iterator[int]:
        while True:
            times = [perf_counter()]
            part = next(parts, None)
            times.append(perf_counter())
            if part is None:
                return
            extracted = ge.extract(part)
            times.append(perf_counter())
            judged = ge.judge(extracted)
            times.append(perf_counter())
            for result in judged:
                to_json(result)
            times.append(perf_counter())
            for name, start, end in zip(seconds, times, times[1:], strict=False):
                seconds[name] += end - start
            counts["responses"] += len(judged)
            counts["claims"] += sum(len(result.claims) for result in judged)
            counts["errors"] += sum(result.error is not None for result in judged)
            yield from range(len(judged))

    for _ in track(timed(chunks(enumerate(labelled), ge.settings.chunk)), len(labelled), labelled.title):
        pass
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
    """The same pairs through the scorer, in the calls that the chain made, and through the bare session.

    The bare session gets what is best for it: every pair tokenised beforehand, all sorted by length, batches ready, and
    its own threads, one a core.
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
        padded([encoded[place] for place in batch]) for batch in batches([len(ids) for ids, _ in encoded], BUDGET)
    ]


def _peak_memory() -> float:
    """The largest resident size of this process so far, in megabytes. macOS counts bytes, Linux kilobytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10), 1)
