"""Table 2 of GraphEval (arXiv 2407.10793): a checker on whole responses and on their claims.

Each set is checked by four routes: `response` (the whole response is one claim: the checker without a graph),
`sentences`, `triplets`, and `both` (the mean p(inconsistent) of sentences and triplets). A response without claims
counts as consistent with p(inconsistent) 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from graph_eval.bench.metrics import Sample, auc, balanced_accuracy, weights
from graph_eval.bench.record import record
from graph_eval.bench.sets import Labelled, Track, label
from graph_eval.extractors.extractor import as_extractor
from graph_eval.jobs import Job
from graph_eval.pipeline import GraphEval
from graph_eval.plan import Plan
from graph_eval.registry import create
from graph_eval.runs.resume import RunDirectory
from graph_eval.settings import Settings
from graph_eval.sources import Records
from graph_eval.stages import ExtractStage
from graph_eval.types import Result

EXTRACTORS = {"response": "response", "sentences": "sentences", "triplets": "rules"}
ROUTES = (*EXTRACTORS, "both")


class Item(NamedTuple):
    """One response: its human label, the score, and the verdict."""

    id: str
    label: int
    p_inconsistent: float
    inconsistent: bool


class Measured(NamedTuple):
    """The items of one route on one set, by their number in the set. Results with errors have no item."""

    items: dict[int, Item]
    errors: int
    abstained: frozenset[int]
    claims: int
    seconds: float


def table2(
    sets: Sequence[Labelled],
    settings: Settings,
    routes: Sequence[str] = ROUTES,
    runs: Path | None = None,
    track: Track = lambda results, _total, _name: results,
) -> dict[str, Any]:
    """The table as the content of its JSON file.

    `runs`: a folder for one run directory per set and route. Stored results are used again. `track` wraps the results
    of a set and route, to show progress. The `rules` extractor of the triplets is replaced by `settings.extractor` if
    that is another extractor than those of the routes.
    """
    ge = GraphEval(settings=settings)
    plans = {
        route: _plan(ge, _extractor(route, settings)) for route in EXTRACTORS if route in routes or "both" in routes
    }
    rows: list[dict[str, Any]] = []
    for labelled in sets:
        measured = {route: _measure(labelled, plan, route, runs, track) for route, plan in plans.items()}
        if "both" in routes:
            measured["both"] = _both(measured["triplets"], measured["sentences"], ge.checker.threshold)
        rows += _rows(labelled, {route: measured[route] for route in routes if route in measured})
    digests = {labelled.name: labelled.digest for labelled in sets}
    return record("table2", plans, settings.threads, digests, rows=rows)


def _extractor(route: str, settings: Settings) -> str:
    given = route == "triplets" and settings.extractor not in EXTRACTORS.values()
    return settings.extractor if given else EXTRACTORS[route]


def _plan(ge: GraphEval, extractor: str) -> Plan:
    """The same checker with another extractor."""
    settings = ge.settings.replace(extractor=extractor)
    extract = ExtractStage(as_extractor(create("extractor", extractor, settings)), settings)
    return Plan((extract, *ge.plan("check").stages), settings.chunk)


def _measure(labelled: Labelled, plan: Plan, route: str, runs: Path | None, track: Track) -> Measured:
    began = monotonic()
    sinks = [RunDirectory(runs / f"{labelled.name}-{route}")] if runs else []
    job = Job(Records(labelled, labelled.digest, len(labelled)), plan, sinks)
    return _collected(track(job.results(), len(labelled), f"{labelled.title}, {route}"), began)


def _collected(results: Iterable[Result], began: float) -> Measured:
    items: dict[int, Item] = {}
    abstained = set()
    errors = claims = 0
    for result in results:
        human = label(result.example) if result.example else None
        if result.error is not None or result.example is None or human is None:
            errors += 1
            continue
        if result.p_inconsistent is None:
            abstained.add(result.n)
        claims += len(result.claims)
        items[result.n] = Item(result.example.id, human, result.p_inconsistent or 0.0, result.inconsistent)
    return Measured(items, errors, frozenset(abstained), claims, round(monotonic() - began, 3))


def _both(triplets: Measured, sentences: Measured, threshold: float) -> Measured:
    items = {}
    for n, item in triplets.items.items():
        if n in sentences.items:
            p_inconsistent = round((item.p_inconsistent + sentences.items[n].p_inconsistent) / 2, 6)
            items[n] = Item(item.id, item.label, p_inconsistent, p_inconsistent > threshold)
    return Measured(
        items,
        max(triplets.errors, sentences.errors),
        triplets.abstained & sentences.abstained,
        triplets.claims + sentences.claims,
        round(triplets.seconds + sentences.seconds, 3),
    )


def _rows(labelled: Labelled, measured: dict[str, Measured]) -> Iterator[dict[str, Any]]:
    """One row per route. Its gain over the route `response` is measured on the items of both routes."""
    for route, figures in measured.items():
        accuracy, area = statistics(list(figures.items.values()))
        row: dict[str, Any] = {
            "set": labelled.name,
            "title": labelled.title,
            "route": route,
            "n": len(figures.items),
            "inconsistent": sum(item.label for item in figures.items.values()),
            "errors": figures.errors,
            "abstained": len(figures.abstained),
            "claims": figures.claims,
            "balanced_accuracy": accuracy.figure()._asdict(),
            "auc": area.figure()._asdict(),
        }
        base = measured.get("response")
        if base is not None and route != "response":
            common = [n for n in figures.items if n in base.items]
            with_graph, _ = statistics([figures.items[n] for n in common])
            without, _ = statistics([base.items[n] for n in common])
            row["gain"] = with_graph.above(without)._asdict()
        yield row | {
            "seconds": figures.seconds,
            "items": [item._asdict() for item in figures.items.values()],
        }


def statistics(items: Sequence[Item]) -> tuple[Sample, Sample]:
    """Balanced accuracy and AUC over the items and their resamples."""
    if not items:
        nothing = Sample(np.full(2, np.nan))
        return nothing, nothing
    labels = np.array([item.label for item in items], dtype=np.float64)
    scores = np.array([item.p_inconsistent for item in items])
    verdicts = np.array([item.inconsistent for item in items], dtype=np.float64)
    drawn = weights(len(items))
    return balanced_accuracy(labels, verdicts, drawn), auc(labels, scores, drawn)
