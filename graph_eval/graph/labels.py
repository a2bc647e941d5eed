"""Labels of a person: the claims to label, the file with the labels, and the run with the labels.

A file holds one JSON object on each line. The fields that count are `claim_id`, `label` (Entailment, Neutral,
Contradiction, or null for a claim without a label) and `note`, a text that may be missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from graph_eval.errors import UsageError
from graph_eval.formats import files
from graph_eval.formats.records import RecordError
from graph_eval.graph import library
from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.connection import Row
from graph_eval.graph.rows import HUMAN
from graph_eval.types import Judgement, Label, Run, writable

LABELS = (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)


def person_run(name: str) -> Run:
    """The run of a person's verdicts. Its checker is `human:NAME`. Raises UsageError for an empty name."""
    if not name.strip():
        raise UsageError("--name is empty", "pass the name of the person who labels")
    return Run("label", {"checker": f"{HUMAN}{name}"}, {}, {}, "")


def claims_to_label(graph: ClaimGraph, name: str, dataset: str | None, limit: int) -> list[Row]:
    """The claims for a person to label, with the checker's verdict and the label that the person gave before."""
    params = {"run": person_run(name).id, "dataset": dataset, "limit": limit}
    return graph.query(library.text("export/labels"), params)


def read_labels(path: Path) -> tuple[dict[str, Judgement], list[str]]:
    """Verdicts by claim id, and a message for each invalid line. Any label but Entailment flags the claim.

    The reason of a verdict is the note, or None for an empty one.

    Raises InputError if the file cannot be read.
    """
    return verdicts_of(files.values([files.source(str(path), "jsonl")]))


def verdicts_of(rows: Iterable[tuple[str, object]]) -> tuple[dict[str, Judgement], list[str]]:
    """The verdicts of decoded rows, each with its file and line, and a message for each invalid row."""
    labels = {label.casefold(): label for label in LABELS}
    judgements: dict[str, Judgement] = {}
    messages = []
    for place, row in rows:
        if isinstance(row, RecordError):
            messages.append(f"{place}: {row.message}")
        elif not isinstance(row, dict) or not isinstance(row.get("claim_id"), str):
            messages.append(f'{place}: not a JSON object with a "claim_id"')
        elif row.get("label") is not None:
            label = labels.get(str(row["label"]).casefold())
            if label is None:
                messages.append(f"{place}: unknown label {row['label']!r} (use {', '.join(LABELS)})")
            else:
                flagged = label is not Label.ENTAILMENT
                judgements[row["claim_id"]] = Judgement(
                    row["claim_id"], label, float(flagged), flagged, reason=_note(row.get("note"))
                )
    return judgements, messages


def _note(value: object) -> str | None:
    """The note, or None where there is no text."""
    return writable(value).strip() or None if isinstance(value, str) else None
