"""graph-eval bench table2: compare a checker on whole responses and on claims."""

from __future__ import annotations

from typing import Any

import click

from graph_eval.cli.bench.options import Chosen, measure, part_options, set_options
from graph_eval.cli.options import profile_option


@click.command("table2", short_help="Compare a checker on whole responses and on claims.")
@set_options
@part_options
@click.option("--threshold", metavar="P|NAME", help="Use this threshold (default: that of the checker).")
@profile_option
@click.option(
    "--route",
    "routes",
    multiple=True,
    type=click.Choice(("response", "sentences", "subsentences", "triplets", "both")),
    help="Measure only this route. Repeatable (default: all).",
)
def command(chosen: Chosen, routes: tuple[str, ...], **flags: Any) -> int:
    """Compare a checker on whole responses with the same checker on their claims (GraphEval, table 2).

    \b
    graph-eval bench table2 --data DIR -o table2.json
    graph-eval bench table2 answers.jsonl --map label=hallucinated

    The default sets are summeval, qags-c and qags-x. Use factcc, polytope and wice for development. INPUT: your own
    records with a label (1 or inconsistent, 0 or consistent). With -o an interrupted benchmark continues: FILE.runs/
    contains a run for each set and route.
    """
    from graph_eval.bench.table2 import ROUTES, Table2
    from graph_eval.settings import load

    return measure(Table2(routes or ROUTES), chosen.bench(load(flags)), chosen.output)
