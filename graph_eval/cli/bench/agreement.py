"""graph-eval bench agreement: measure how far two runs agree on the same claims."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph_eval.cli.bench.options import print_tables
from graph_eval.cli.messages import tell
from graph_eval.cli.options import OutputFile, opened_store, store_option
from graph_eval.errors import UsageError

if TYPE_CHECKING:
    from graph_eval.graph.claims import ClaimGraph


@click.command("agreement", short_help="Measure how far two runs agree.")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@store_option
@click.option(
    "--merged",
    "merged_file",
    type=OutputFile(),
    metavar="FILE.jsonl",
    help='Write the merged labels to FILE.jsonl, for "label import" and "calibrate".',
)
@click.option(
    "-o", "--output", type=OutputFile(), metavar="FILE.json", help="Write the tables and labels to FILE.json."
)
def command(one: str, other: str, store: str | None, merged_file: Path | None, output: Path | None) -> int:
    """Measure how far two runs agree on the claims that both judged: share, Cohen's kappa, and the table of labels.

    A and B: run directories, files with a person's labels ("label export", "Save labels" of the report), or with
    --store ids of runs or names of the persons who labelled.

    \b
    graph-eval bench agreement RUN OTHER-RUN
    graph-eval bench agreement RUN labels.jsonl
    graph-eval bench agreement anna ben --store ./kg --merged labels.jsonl

    Where both labelled a claim differently, the merged label is the worse one: Contradiction, then Neutral, then
    Entailment.
    """
    from graph_eval.bench import record
    from graph_eval.bench.agreement import agreement, merged_lines, of_directory, of_file, of_store
    from graph_eval.output import write_text

    problems: list[str] = []
    labellings = []
    with ExitStack() as stack:
        graph: ClaimGraph | None = None
        for name in (one, other):
            path = Path(name)
            if path.is_dir():
                labellings.append(of_directory(path))
            elif path.is_file():
                found, invalid = of_file(path)
                labellings.append(found)
                problems += invalid
            else:
                graph = graph or stack.enter_context(_store(store, name))
                labellings.append(of_store(graph, name))
    first, second = labellings
    for problem in problems:
        tell(problem)
    value = agreement(first, second)
    if output:
        record.write(value, output)
    if merged_file:
        write_text(merged_file, merged_lines(first, second))
    print_tables(value["tables"])
    return 3 if problems else 0


def _store(store: str | None, name: str) -> AbstractContextManager[ClaimGraph]:
    """The store that has the run or the person of this name. Raises UsageError if none is given."""
    if not store and not os.environ.get("NEO4J_URI"):
        raise UsageError(
            f"{name} is neither a run directory nor a file of labels",
            "pass --store PATH-or-URI for a run or a person of a store",
        )
    return opened_store(store)
