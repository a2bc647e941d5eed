"""graph-eval bench graphcorrect: measure corrections of flagged summaries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import (
    common_options,
    data_option,
    of_sets,
    tracked,
)
from graph_eval.cli.options import (
    check_model_options,
    correct_options,
)


@click.command("graphcorrect", short_help="Measure corrections of flagged summaries.")
@data_option
@common_options
@correct_options
@click.option("--set", "names", multiple=True, metavar="NAME", help="Use this published set. Repeatable.")
@click.option("--checker", metavar="NAME", help="Flag claims and judge edits with this checker.")
@check_model_options
@click.option(
    "--model", metavar="MODEL", help="Also run the correctors llm:MODEL, graphcorrect:MODEL and direct:MODEL."
)
@click.option(
    "--independent", metavar="NAME", help="Also judge the corrections with this checker, which plays no part in them."
)
def command(
    data: Path | None,
    names: tuple[str, ...],
    model: str | None,
    independent: str | None,
    limit: int | None,
    output: Path | None,
    **flags: Any,
) -> None:
    """Measure how many flagged summaries are no longer flagged after correction, and their ROUGE with the uncorrected
    text (GraphCorrect's table).

    The default sets are summeval, qags-c and qags-x.
    """
    from graph_eval.bench import graphcorrect, record
    from graph_eval.bench.sets import TABLE2
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    settings = load(flags)
    chosen = [item.name for item in of_sets((), data, names, (), limit, TABLE2, None, settings)]
    value = graphcorrect.graphcorrect(data or Path(), settings, chosen, model, independent, limit, tracked)
    if output:
        record.write(value, output)
    rows = value["rows"]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    print_table(
        console(),
        ["", *(f"{row['set']} {row['corrector']}" for row in rows)],
        [[name.replace("_", " "), *(row.get(name, "") for row in rows)] for name in columns[2:]],
    )
