"""graph-eval label: claims to a person and the person's verdicts back, as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.options import opened_store, store_option
from graph_eval.errors import InputError, UsageError

if TYPE_CHECKING:
    from graph_eval.types import Judgement, Run

person_option = click.option(
    "--name", required=True, metavar="NAME", help="Who labels; the run's checker is human:NAME."
)


@click.group("label")
def command() -> None:
    """A person's verdicts on the claims of a store: a run beside those of the checkers.

    `graph-eval query agreement` and `disagreement` compare it with any other run. It never becomes the current one.
    """


@command.command("export")
@store_option
@person_option
@click.option("--dataset", metavar="NAME", help="Only claims of this dataset.")
@click.option("--limit", type=click.IntRange(1), default=100_000, metavar="N", help="At most N claims.")
def export(store: str | None, name: str, dataset: str | None, limit: int) -> None:
    """Prints one JSON object a claim. Fill in "label": Entailment, Neutral or Contradiction; null leaves it open."""
    from graph_eval.graph import library

    params = {"run": _run(name).id, "dataset": dataset, "limit": limit}
    with opened_store(store) as opened:
        for row in opened.query(library.text("export/labels"), params):
            click.echo(json.dumps(row, ensure_ascii=False))


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@store_option
@person_option
def import_(file: Path, store: str | None, name: str) -> int:
    """Reads the objects back; only `claim_id` and `label` count. Labels given before are replaced."""
    verdicts, problems = _read(file)
    with opened_store(store) as opened:
        unknown = opened.label(_run(name), verdicts) if verdicts else set()
    problems += [f"claim {identity} is not in the store" for identity in sorted(unknown)]
    for problem in problems:
        click.echo(f"graph-eval: {problem}", err=True)
    click.echo(f"{_run(name).id}  {len(verdicts) - len(unknown)} labels by {name}")
    return 3 if problems else 0


def _run(name: str) -> Run:
    from graph_eval.graph.rows import HUMAN
    from graph_eval.types import Run

    if not name.strip():
        raise UsageError("--name is empty", "say who labels")
    return Run("label", {"checker": f"{HUMAN}{name}"}, {}, {}, "")


def _read(file: Path) -> tuple[dict[str, Judgement], list[str]]:
    """Verdicts by claim, and what is wrong with the other lines."""
    from graph_eval.types import Judgement, Label

    labels = {label.casefold(): label for label in (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)}
    verdicts: dict[str, Judgement] = {}
    problems = []
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{file} cannot be read: {problem}") from None
    for number, line in enumerate(lines, 1):
        row = _object(line)
        if row is None or not isinstance(row.get("claim_id"), str):
            problems.append(f'{file}, line {number}: no object with a "claim_id"')
        elif row.get("label") is not None:
            label = labels.get(str(row["label"]).casefold())
            if label is None:
                problems.append(f"{file}, line {number}: label is {row['label']!r}; write {', '.join(labels.values())}")
            else:
                flagged = label is not Label.ENTAILMENT
                verdicts[row["claim_id"]] = Judgement(row["claim_id"], label, float(flagged), flagged)
    return verdicts, problems


def _object(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
