"""graph-eval bench correction: measure corrections of known errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import (
    common_options,
    data_option,
    tracked,
)
from graph_eval.cli.options import (
    check_model_options,
    correct_options,
)
from graph_eval.errors import UsageError


@click.command("correction", short_help="Measure corrections of known errors.")
@data_option
@common_options
@correct_options
@click.option("--checker", metavar="NAME", help="Flag claims and judge edits with this checker.")
@check_model_options
@click.option(
    "--set",
    "name",
    type=click.Choice(("summedits", "defacto", "bump", "ragtruth")),
    default="summedits",
    help="Use this published set (default summedits).",
)
@click.option(
    "--part",
    type=click.Choice(("a", "b", "train", "dev")),
    help="Use this part of the set: a or b of summedits (default b), train or dev of the others (default dev). "
    "a and train are for training and for choosing settings.",
)
@click.option(
    "--independent",
    metavar="NAME",
    help="Also judge the edited sentences with this checker, which plays no part in them.",
)
def command(
    data: Path | None,
    limit: int | None,
    output: Path | None,
    name: str,
    part: str | None,
    independent: str | None,
    **flags: Any,
) -> None:
    """Measure how much the corrector restores and damages, on texts with an error whose right version is known.

    summedits, defacto and bump hold each text with the error and without it. ragtruth holds answers in which annotators
    marked the unsupported words.
    """
    from graph_eval.bench import correction, record
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    if data is None:
        raise UsageError("missing --data", "pass the folder that holds the published sets")
    value = correction.correction(data, load(flags), name, part, limit, independent, tracked)
    if output:
        record.write(value, output)
    out = console()
    for row in value.get("marked", ()):
        print_table(out, ["end to end", ""], [[label.replace("_", " "), figure] for label, figure in row.items()])
    for route in ("given", "end_to_end"):
        rows = value.get(route, [])
        if not rows:
            continue
        print_table(
            out,
            [route, *(row["edits"] for row in rows)],
            [
                [name.replace("_", " "), *(row.get(name) for row in rows)]
                for name in dict.fromkeys(name for row in rows for name in row)
                if name != "edits"
            ],
        )
    if needs := value.get("given_by_need", []):
        print_table(out, list(needs[0]), [list(row.values()) for row in needs])
    consistent = value["consistent"]
    print_table(out, ["consistent", ""], [[name, figure] for name, figure in consistent.items()])
