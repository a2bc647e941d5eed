"""graph-eval label: export claims for a person to label, and import the labels, as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import click

from graph_eval.cli.messages import tell
from graph_eval.cli.options import opened_store, plural, store_option

person_option = click.option(
    "--name",
    required=True,
    metavar="NAME",
    help="Set the name of the labeller. The run gets the checker name human:NAME.",
)


@click.group("label", short_help="Export claims for labelling, and import the labels.")
def command() -> None:
    """Export claims for a person to label, and import the labels as a run of their own.

    `graph-eval query agreement` and `disagreement` compare this run with any other run. The graph shows the labels only
    after `graph-eval db current`.
    """


@command.command("export", short_help="Print claims to label, one JSON object per claim.")
@store_option
@person_option
@click.option("--dataset", metavar="NAME", help="Export only claims of this dataset.")
@click.option(
    "--limit", type=click.IntRange(1), default=100_000, metavar="N", help="Export at most N claims (default 100000)."
)
def export(store: str | None, name: str, dataset: str | None, limit: int) -> None:
    """Print one JSON object per claim. Set "label" to Entailment, Neutral or Contradiction. null means no label."""
    from graph_eval.graph.labels import claims_to_label

    with opened_store(store) as graph:
        for row in claims_to_label(graph, name, dataset, limit):
            click.echo(json.dumps(row, ensure_ascii=False))


@command.command("import", short_help="Import labels from FILE.")
@click.argument("file", type=click.Path(path_type=Path))
@store_option
@person_option
def import_(file: Path, store: str | None, name: str) -> int:
    """Import labels from FILE (the edited output of export, or what "Save labels" of the report saved).

    Only `claim_id`, `label` and `note` are read. The note becomes the reason of the verdict. A new label replaces an
    older one.
    """
    from graph_eval.graph.labels import person_run, read_labels

    run = person_run(name)
    judgements, problems = read_labels(file)
    with opened_store(store) as graph:
        unknown = graph.label(run, judgements) if judgements else set()
    problems += [f"claim {claim} is not in the store" for claim in sorted(unknown)]
    for problem in problems:
        tell(problem)
    count = len(judgements) - len(unknown)
    click.echo(f"{run.id}  {plural(count, 'label')} by {name}" if count else "no label was imported")
    return 3 if problems else 0
