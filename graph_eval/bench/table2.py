"""Table 2 of GraphEval (arXiv 2407.10793): a checker on whole responses and on their claims.

Each set is checked by five routes: `response` (the whole response is one claim: the checker without a graph, with its
own rule for long texts), `sentences`, `subsentences`, `triplets`, and `both` (the mean p(inconsistent) of sentences and
triplets). A response without claims counts as consistent with p(inconsistent) 0.

Intervals draw sources: all responses to the same context are drawn together.

`gain` is the difference to `response` in balanced accuracy over the same responses, with paired resamples. The mean
gain weighs each set by its number of responses, as the paper does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graph_eval.bench.benchmark import Bench, PlanBenchmark, Row, Table, Work, grouped, without_errors
from graph_eval.bench.items import resampled
from graph_eval.bench.sets import TABLE2, title_of
from graph_eval.errors import UsageError
from graph_eval.extractors.extractor import as_extractor
from graph_eval.formats.labelled import label
from graph_eval.metrics import Array, Sample, auc, balanced_accuracy
from graph_eval.plan import Plan
from graph_eval.registry import create
from graph_eval.sources import Records
from graph_eval.stages import ExtractStage
from graph_eval.types import Result

EXTRACTORS = {
    "response": "response",
    "sentences": "sentences",
    "subsentences": "subsentences",
    "triplets": "rules",
}
BOTH = "both"
ROUTES = (*EXTRACTORS, BOTH)
GRID = tuple(n / 20 for n in range(1, 20))  # of thresholds
SWEPT = ("response", "triplets")  # routes of the sweep
NOTHING = Sample(np.full(2, np.nan))  # a statistic of no items
QUARTERS = 4  # of the responses, by length


@dataclass(frozen=True)
class Table2(PlanBenchmark):
    """`routes`: those that are measured."""

    name = "table2"
    title = "A checker on whole responses and on their claims"
    routes: Sequence[str] = ROUTES

    def work(self, bench: Bench) -> Iterator[Work]:
        """Raises UsageError for an extractor that is a route of its own."""
        if (given := bench.settings.extractor) in EXTRACTORS and given != "triplets":
            raise UsageError(f"--extractor {given} is a route of its own", f"use --route {given}")
        plans = {
            route: plan_of(bench, _extractor(route, bench.settings.extractor))
            for route in EXTRACTORS
            if route in self.routes or (BOTH in self.routes and route in ("sentences", "triplets"))
        }
        for labelled in bench.sets(TABLE2):
            for route, plan in plans.items():
                source = Records.labelled(labelled)
                yield Work(labelled.name, labelled.title, route, source, plan)

    def item(self, work: Work, result: Result) -> Row:  # noqa: ARG002
        return judged(result)

    def derived(self, bench: Bench, items: Sequence[Row]) -> list[Row]:
        """The items of `both`."""
        return _both(items, bench.ge.checker.threshold) if BOTH in self.routes else []

    def tables(self, items: Sequence[Row]) -> list[Table]:
        by_set = {name: grouped(some, "route") for name, some in grouped(items, "set").items()}
        measured = {name: {route: routes.get(route, []) for route in self.routes} for name, routes in by_set.items()}
        rows = [row for name, routes in measured.items() for row in _rows(name, routes)]
        tables = [
            Table(
                "table2",
                self.title,
                rows,
                ("title", "route", "n", "errors", "balanced_accuracy", "auc", "gain", "standard_error"),
                ("gain",),
            )
        ]
        if "response" not in self.routes:
            return tables
        if len(measured) > 1:
            tables.append(
                Table(
                    "mean_gain",
                    "Mean gain over whole responses, weighted by the number of responses",
                    _mean_gains(measured),
                    ("route", "n", "gain", "standard_error"),
                    ("gain",),
                )
            )
        length = [row for name, routes in measured.items() for row in _by_length(name, routes)]
        tables.append(Table("by_length", "Gain by the length of the response", length, signed=("gain",)))
        models = [row for name, routes in measured.items() for row in _by_model(name, routes)]
        if models:
            tables.append(Table("by_model", "Gain by the model of the response", models, signed=("gain",)))
        tables.append(
            Table(
                "thresholds",
                "Balanced accuracy by threshold",
                list(_sweep(measured)),
                note="These are the reported sets. Choose a threshold on other data.",
            )
        )
        return tables


def plan_of(bench: Bench, extractor: str) -> Plan:
    """The plan that extracts with this extractor and checks as the settings say."""
    settings = bench.settings.replace(extractor=extractor)
    extract = ExtractStage(as_extractor(create("extractor", extractor, settings)), settings)
    return Plan((extract, *bench.ge.plan("check").stages), settings.chunk)


def judged(result: Result) -> Row:
    """The item of a judged response: its human label, the score and the verdict."""
    example = result.example
    if example is None:
        raise ValueError(f"record {result.n} has no example")
    return {
        "id": example.id,
        "label": label(example),
        "p_inconsistent": result.p_inconsistent or 0.0,
        "inconsistent": result.inconsistent,
        "abstained": result.p_inconsistent is None,
        "claims": len(result.claims),
        "words": len(example.response.split()),
        "model": example.model,
    }


def _extractor(route: str, given: str) -> str:
    """For the triplets that of the settings, unless it is the one of another route."""
    return given if route == "triplets" and given not in EXTRACTORS.values() else EXTRACTORS[route]


def _both(items: Sequence[Row], threshold: float) -> list[Row]:
    sentences = {(item["set"], item["n"]): item for item in items if item["route"] == "sentences"}
    made = []
    for item in items:
        if item["route"] != "triplets":
            continue
        other = sentences[item["set"], item["n"]]
        if "error" in item or "error" in other:
            made.append(
                {"set": item["set"], "route": BOTH, "n": item["n"], "error": item.get("error", other.get("error"))}
            )
            continue
        p_inconsistent = round((item["p_inconsistent"] + other["p_inconsistent"]) / 2, 6)
        made.append(
            item
            | {
                "route": BOTH,
                "p_inconsistent": p_inconsistent,
                "inconsistent": p_inconsistent > threshold,
                "abstained": item["abstained"] and other["abstained"],
                "claims": item["claims"] + other["claims"],
            }
        )
    return made


def _rows(name: str, routes: Mapping[str, Sequence[Row]]) -> Iterator[Row]:
    for route, items in routes.items():
        kept = without_errors(items)
        accuracy, area = statistics(kept)
        row: Row = {
            "set": name,
            "title": title_of(name),
            "route": route,
            "n": len(kept),
            "inconsistent": sum(item["label"] for item in kept),
            "errors": len(items) - len(kept),
            "abstained": sum(item["abstained"] for item in kept),
            "claims": sum(item["claims"] for item in kept),
            "balanced_accuracy": accuracy.figure()._asdict(),
            "auc": area.figure()._asdict(),
        }
        if route != "response" and routes.get("response"):
            row |= _gain(difference(routes["response"], items))
        yield row


def difference(base: Sequence[Row], items: Sequence[Row]) -> Sample:
    """The difference in balanced accuracy, over the responses that both have."""
    return _difference(_pairs(base, items))


def _difference(pairs: Sequence[tuple[Row, Row]]) -> Sample:
    without, _ = statistics([one for one, _ in pairs])
    with_graph, _ = statistics([other for _, other in pairs])
    return with_graph.minus(without)


def _pairs(base: Sequence[Row], items: Sequence[Row]) -> list[tuple[Row, Row]]:
    """The items of the responses that both have."""
    known = {item["n"]: item for item in without_errors(base)}
    return [(known[item["n"]], item) for item in without_errors(items) if item["n"] in known]


def _gain(sample: Sample) -> Row:
    return {"gain": sample.figure()._asdict(), "standard_error": sample.standard_error()}


def _mean_gains(measured: Mapping[str, Mapping[str, Sequence[Row]]]) -> list[Row]:
    rows = []
    for route in next(iter(measured.values())):
        if route == "response":
            continue
        pairs = [_pairs(routes["response"], routes[route]) for routes in measured.values()]
        samples = [(len(some), _difference(some).values) for some in pairs if some]
        total = sum(count for count, _ in samples)
        mean = NOTHING
        if samples:
            fewest = min(len(values) for _, values in samples)  # large sets have fewer resamples
            mean = Sample(np.sum([count * values[:fewest] for count, values in samples], axis=0) / total)
        rows.append({"route": route, "n": total, **_gain(mean)})
    return rows


def _by_length(name: str, routes: Mapping[str, Sequence[Row]]) -> Iterator[Row]:
    """The gain of each route over quarters of the responses, shortest first."""
    base = sorted(without_errors(routes["response"]), key=lambda item: (item["words"], item["n"]))
    for part in np.array_split(np.array(base, dtype=object), QUARTERS):
        if not len(part):
            continue
        row = {"set": title_of(name), "words": f"{part[0]['words']} to {part[-1]['words']}", "n": len(part)}
        yield row | _gains(routes, {item["n"] for item in part})


def _by_model(name: str, routes: Mapping[str, Sequence[Row]]) -> Iterator[Row]:
    by_model = grouped([item for item in without_errors(routes["response"]) if item["model"]], "model")
    if len(by_model) < 2:
        return
    for model, items in sorted(by_model.items(), key=lambda pair: (len(pair[0]), pair[0])):
        row = {"set": title_of(name), "model": model, "n": len(items), "inconsistent": sum(i["label"] for i in items)}
        yield row | _gains(routes, {item["n"] for item in items})


def _gains(routes: Mapping[str, Sequence[Row]], chosen: set[int]) -> Row:
    """Balanced accuracy of whole responses, and the gain of the triplets or else of the first other route."""
    others = [route for route in routes if route != "response"]
    base = [item for item in routes["response"] if item["n"] in chosen]
    accuracy, _ = statistics(without_errors(base))
    row: Row = {"response": accuracy.figure()._asdict()}
    if others:
        route = "triplets" if "triplets" in others else others[0]
        items = [item for item in routes[route] if item["n"] in chosen]
        accuracy, _ = statistics(without_errors(items))
        row |= {route: accuracy.figure()._asdict(), "gain": difference(base, items).figure()._asdict()}
    return row


def _sweep(measured: Mapping[str, Mapping[str, Sequence[Row]]]) -> Iterator[Row]:
    """A row for each threshold, with a column for each set and route."""
    for threshold in GRID:
        row: Row = {"threshold": threshold}
        for name, routes in measured.items():
            for route in SWEPT:
                if kept := without_errors(routes.get(route, ())):
                    at = [item | {"inconsistent": item["p_inconsistent"] > threshold} for item in kept]
                    value = statistics(at, np.ones((1, len(at))))[0].values[0]
                    row[f"{title_of(name)}, {route}"] = None if np.isnan(value) else round(float(value), 4)
        yield row


def statistics(items: Sequence[Row], drawn: Array | None = None) -> tuple[Sample, Sample]:
    """Balanced accuracy and AUC over the items and their resamples."""
    if not items:
        return NOTHING, NOTHING
    labels = np.array([item["label"] for item in items], dtype=np.float64)
    scores = np.array([item["p_inconsistent"] for item in items], dtype=np.float64)
    verdicts = np.array([item["inconsistent"] for item in items], dtype=np.float64)
    drawn = resampled(items) if drawn is None else drawn
    return balanced_accuracy(labels, verdicts, drawn), auc(labels, scores, drawn)
