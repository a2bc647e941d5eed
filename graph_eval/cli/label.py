"""graph-eval label: export claims for a person to label, and import the labels, as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import click

from graph_eval.cli.options import opened_store, plural, store_option

person_option = click.option(
    "--name", required=True, metavar="NAME", help="The person who labels. The run's checker is human:NAME."
)


@click.group("label")
def command() -> None:
    """A person's verdicts on the claims of a store: a run beside those of the checkers.

    `graph-eval query agreement` and `disagreement` compare it with any other run. The graph does not show its verdicts
    unless you ask for them with `graph-eval db current`.
    """


@command.command("export")
@store_option
@person_option
@click.option("--dataset", metavar="NAME", help="Only claims of this dataset.")
@click.option("--limit", type=click.IntRange(1), default=100_000, metavar="N", help="At most N claims.")
def export(store: str | None, name: str, dataset: str | None, limit: int) -> None:
    """Print one JSON object per claim. Set "label" to Entailment, Neutral or Contradiction; null means no label."""
    from graph_eval.graph.labels import claims_to_label

    with opened_store(store) as graph:
        for row in claims_to_label(graph, name, dataset, limit):
            click.echo(json.dumps(row, ensure_ascii=False))


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@store_option
@person_option
def import_(file: Path, store: str | None, name: str) -> int:
    """Read the JSON objects back. Only `claim_id` and `label` count. New labels replace those given before."""
    from graph_eval.graph.labels import person_run, read_labels

    run = person_run(name)
    judgements, problems = read_labels(file)
    with opened_store(store) as graph:
        unknown = graph.label(run, judgements) if judgements else set()
    problems += [f"claim {claim} is not in the store" for claim in sorted(unknown)]
    for problem in problems:
        click.echo(f"graph-eval: {problem}", err=True)
    count = len(judgements) - len(unknown)
    click.echo(f"{run.id}  {plural(count, 'label')} by {name}")
    return 3 if problems else 0
