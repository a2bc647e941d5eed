"""What a flag is worth: precision, recall and false flags at the shipped threshold, by kind of text and by checker.

Intervals draw sources: all responses to the same context, with their sentences, are drawn together.

The unit of a set whose annotators marked words is the sentence: it is wrong if it holds a marked word, and its score is
the largest p(inconsistent) of its claims, 0 without a claim. The unit of every other set is the response, whose score
is that of its verdict. A response without a claim counts as not flagged.

`right left alone` is the share of consistent responses without a flag. The calibration error is the expected one over
ten bins of equal width (arXiv 1706.04599). Seconds are those of extracting and checking on this machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graph_eval.bench.benchmark import Bench, Measurement, PlanBenchmark, Row, Table, Work, grouped, without_errors
from graph_eval.bench.items import resampled
from graph_eval.bench.sets import PUBLISHED, title_of
from graph_eval.bench.table2 import judged
from graph_eval.extractors.rules.surface import is_citation
from graph_eval.llm.client import LiteLLM
from graph_eval.metrics import Array, Sample, auc, calibration_error, ratio, reliability
from graph_eval.registry import parts
from graph_eval.sources import Records
from graph_eval.text.sentences import sentences
from graph_eval.types import Example, Result, Span

SETS = ("ragtruth", "expertqa", "attrbench", "defacto", "summeval", "qags-c", "qags-x")
OWN = "your records"  # the kind of text of the user's own sets
BUILTIN = "builtin"
ROUTE = "triplets"  # of the shipped checker: the same runs as in table 2
GRID = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)  # thresholds
COLUMNS = (
    "kind",
    "set",
    "use",
    "checker",
    "threshold",
    "unit",
    "n",
    "wrong",
    "errors",
    "flagged",
    "precision",
    "recall",
    "false_flags_per_100",
    "right_left_alone",
    "auc",
    "calibration_error",
)
SHOWN = {
    "precision": "flags_that_are_right",
    "recall": "errors_found",
    "false_flags_per_100": "false_flags_per_100",
}
MARK = (
    "False flags are counted per 100 units that people found right. `development`: other texts of the same source are "
    "among the training data of the builtin checker, or its levels were fitted on these."
)
NOTE = f"`wrong`: the share of units that people found wrong. {MARK}"
NEEDS = {None: "nothing", "hf": "torch and weights", "llm": "a language model"}


@dataclass(frozen=True)
class Flags(PlanBenchmark):
    """`checkers`: the names of those that are measured. The others are named in a note."""

    name = "flags"
    title = "What a flag is worth"
    checkers: Sequence[str] = (BUILTIN,)

    def work(self, bench: Bench) -> Iterator[Work]:
        sets = bench.sets(SETS)  # every row is checked when a set is opened
        for checker in self.checkers:
            ge = bench.with_checker(checker)
            for labelled in sets:
                source = Records.labelled(labelled)
                route = ROUTE if checker == bench.settings.checker else checker.replace("/", "-")
                context = (checker, ge.checker.threshold)
                yield Work(labelled.name, labelled.title, route, source, ge.plan(), context)

    def place(self, work: Work) -> Row:
        checker, threshold = work.context
        return super().place(work) | {"checker": checker, "threshold": threshold}

    def item(self, work: Work, result: Result) -> Row:  # noqa: ARG002
        example = result.example
        if example is None or example.meta.get("spans") is None:
            return judged(result)
        if (marks := _marks(example)) is None:
            return {"error": f'{example.id}: "spans" is no list of {{"start": N, "end": N}} inside the response'}
        return judged(result) | {"sentences": _sentences(example, marks, result)}

    def tables(self, items: Sequence[Row]) -> list[Table]:
        by_checker = grouped(items, "route")
        groups = [
            (checker, name, some) for checker, own in by_checker.items() for name, some in grouped(own, "set").items()
        ]
        rows = [_row(name, some) for _, name, some in groups]
        return [
            Table("flags", "Flags at the threshold of the checker", rows, COLUMNS, note=NOTE),
            Table("thresholds", "Flags by threshold", list(_by_threshold(groups))),
            Table("reliability", "Share that is wrong by p(inconsistent)", list(_reliability(groups))),
            Table("which_checker", "Which checker for me", list(_summaries(rows)), note=_which_note(rows)),
        ]

    def measure(self, bench: Bench) -> Measurement:
        found = super().measure(bench)
        table = next(table for table in found.tables if table.name == "which_checker")
        for row in table.rows:
            own = [
                item
                for item in found.items
                if item["checker"] == row["checker"] and title_of(item["set"]) in row["sets"].split(", ")
            ]
            seconds = sum(bench.seconds[place] for place in {f"{item['set']}, {item['route']}" for item in own})
            row["seconds_a_response"] = round(seconds / max(1, len(own)), 3)
            models = bench.with_checker(row["checker"]).checker.models
            priced = [model.totals for model in models if isinstance(model, LiteLLM) and model.totals.priced]
            if priced:
                row["dollars_a_call"] = round(sum(one.dollars for one in priced) / sum(one.priced for one in priced), 6)
        return found

    def about(self, bench: Bench) -> Mapping[str, Any]:
        return {"thresholds": {checker: bench.with_checker(checker).checker.threshold for checker in self.checkers}}


def _marks(example: Example) -> list[Span] | None:
    """The marked words of the response. None for anything but a list of places in it."""
    given = example.meta["spans"]
    if not isinstance(given, list) or not all(isinstance(mark, dict) for mark in given):
        return None
    places = [(mark.get("start"), mark.get("end")) for mark in given]
    marks = [Span(start, end) for start, end in places if type(start) is int and type(end) is int]
    inside = all(0 <= mark.start < mark.end <= len(example.response) for mark in marks)
    return marks if inside and len(marks) == len(given) else None


def _sentences(example: Example, marks: Sequence[Span], result: Result) -> list[Row]:
    """The sentences of a response: whether a word of it is marked, its score, and whether it is flagged.

    A citation behind a full stop, "... at night. (Passage 2)", is no sentence.
    """
    found = []
    for sentence in sentences(example.response):
        if is_citation(sentence.span.of(example.response)):
            continue
        own = [finding.judgement for finding in result.findings if finding.claim.sentence.overlaps(sentence.span)]
        found.append(
            {
                "label": int(any(mark.overlaps(sentence.span) for mark in marks)),
                "p_inconsistent": max((judgement.p_inconsistent or 0.0 for judgement in own), default=0.0),
                "inconsistent": any(judgement.flagged for judgement in own),
            }
        )
    return found


@dataclass(frozen=True)
class Units:
    """The units of a set, as columns. `rows`: one for each unit, with its `source`."""

    name: str
    labels: Array
    scores: Array
    flagged: Array
    rows: Sequence[Row]

    @staticmethod
    def from_items(items: Sequence[Row]) -> Units:
        """The sentences if all responses have marks, and some any; else the responses. `items`: without errors."""
        marked = all("sentences" in item for item in items) and any(
            sentence["label"] for item in items for sentence in item.get("sentences", ())
        )
        units = [
            {**unit, "source": item.get("source"), "n": n}
            for n, item in enumerate(items)
            for unit in (item["sentences"] if marked else [item])
        ]
        labels, scores, flagged = (
            np.array([float(unit[name]) for unit in units], dtype=np.float64)
            for name in ("label", "p_inconsistent", "inconsistent")
        )
        return Units("sentences" if marked else "responses", labels, scores, flagged, units)

    def drawn(self) -> Array:
        """How often each unit is drawn: (1 + resamples, units)."""
        return resampled(self.rows)


def _kind(name: str) -> str:
    return PUBLISHED[name].kind if name in PUBLISHED else OWN


def _use(name: str) -> str:
    if name not in PUBLISHED:
        return ""
    return "development" if PUBLISHED[name].development else "reported"


def _row(name: str, items: Sequence[Row]) -> Row:
    kept = without_errors(items)
    row: Row = {
        "kind": _kind(name),
        "set": title_of(name),
        "use": _use(name),
        "checker": items[0]["checker"],
        "threshold": items[0]["threshold"],
        "errors": len(items) - len(kept),
    }
    if not kept:
        return row
    units = Units.from_items(kept)
    drawn = units.drawn()
    wrong, right, flagged = units.labels, 1 - units.labels, units.flagged
    consistent = np.array([1.0 - item["label"] for item in kept])
    spared = np.array([float(not item["inconsistent"]) for item in kept])
    false_flags = ratio(right * flagged, right, drawn)
    return row | {
        "unit": units.name,
        "n": len(wrong),
        "wrong": round(float(wrong.mean()), 4),
        "flagged": int(flagged.sum()),
        "precision": ratio(wrong * flagged, flagged, drawn).figure()._asdict(),
        "recall": ratio(wrong * flagged, wrong, drawn).figure()._asdict(),
        "false_flags_per_100": Sample(false_flags.values * 100).figure()._asdict(),
        "right_left_alone": ratio(consistent * spared, consistent, resampled(kept)).figure()._asdict(),
        "auc": auc(wrong, units.scores, drawn).figure()._asdict(),
        "calibration_error": calibration_error(wrong, units.scores),
    }


def _by_threshold(groups: Sequence[tuple[str, str, Sequence[Row]]]) -> Iterator[Row]:
    for route, name, items in groups:
        if route != ROUTE or not (kept := without_errors(items)):
            continue
        units = Units.from_items(kept)
        for threshold in GRID:
            flagged = (units.scores > threshold).astype(np.float64)
            once = np.ones((1, len(flagged)))
            shares = {
                "precision": ratio(units.labels * flagged, flagged, once),
                "recall": ratio(units.labels * flagged, units.labels, once),
                "false_flags_per_100": ratio(100 * (1 - units.labels) * flagged, 1 - units.labels, once),
            }
            yield {"set": title_of(name), "unit": units.name, "threshold": threshold, "flagged": int(flagged.sum())} | {
                column: None if np.isnan(value := sample.values[0]) else round(float(value), 4)
                for column, sample in shares.items()
            }


def _reliability(groups: Sequence[tuple[str, str, Sequence[Row]]]) -> Iterator[Row]:
    for _, name, items in groups:
        if not (kept := without_errors(items)):
            continue
        units = Units.from_items(kept)
        for one in reliability(units.labels, units.scores):
            yield {
                "set": title_of(name),
                "checker": kept[0]["checker"],
                "n": one.n,
                "mean_p_inconsistent": round(one.probability, 4),
                "wrong": round(one.share, 4),
            }


def _summaries(rows: Sequence[Row]) -> Iterator[Row]:
    """A row for each checker and kind of text: the means over its sets."""
    known = parts("checker")
    for checker, own in grouped(rows, "checker").items():
        part = known.get(checker.partition(":")[0])
        extra = part.extra if part else None
        measured = [one | {"group": (one["kind"], one["use"], one["unit"])} for one in own if "precision" in one]
        for (kind, use, unit), some in grouped(measured, "group").items():
            row: Row = {
                "checker": checker,
                "needs": NEEDS.get(extra, f"pip install 'graph_eval[{extra}]'"),
                "text": kind,
                "sets": ", ".join(one["set"] for one in some),
                "use": use,
                "unit": unit,
            }
            for name, heading in SHOWN.items():
                values = [one[name]["value"] for one in some if one[name]["value"] is not None]
                row[heading] = round(sum(values) / len(values), 3) if values else None
            row["calibration_error"] = round(sum(one["calibration_error"] for one in some) / len(some), 3)
            yield row


def _which_note(rows: Sequence[Row]) -> str:
    measured = {str(row["checker"]).partition(":")[0] for row in rows}
    others = [part.usage for name, part in sorted(parts("checker").items()) if name not in measured]
    return f"Means over the sets. {MARK} Not measured: {', '.join(others)}."
