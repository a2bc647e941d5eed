"""graph-eval bench wikibio: measure self-checking by samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import (
    common_options,
    data_option,
    shown_figure,
    tracked,
)
from graph_eval.cli.options import (
    published_options,
)
from graph_eval.errors import UsageError


@click.command("wikibio", short_help="Measure self-checking by samples.")
@data_option
@common_options
@click.option(
    "--method",
    "names",
    multiple=True,
    metavar="NAME",
    help="Measure this method. Repeatable (default: all that run offline).",
)
@click.option(
    "-n", "--samples", "counts", multiple=True, type=int, metavar="N", help="Use the first N samples. Repeatable."
)
@published_options
def command(
    data: Path | None,
    limit: int | None,
    output: Path | None,
    names: tuple[str, ...],
    counts: tuple[int, ...],
    extractor: str | None,
    threads: int | None,
    **of_models: Any,
) -> None:
    """Measure methods of self-checking on WikiBio-GPT3: 119 passages with 10 samples and people's labels.

    The scores of a replication of SelfCheckGPT on the same samples stand beside them. Nothing is fitted on these
    passages.
    """
    from graph_eval.bench import record, wikibio
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    if data is None:
        raise UsageError("missing --data", "pass the folder that holds the published sets")
    settings = load({"extractor": extractor, "threads": threads, **of_models})
    value = wikibio.wikibio(data, settings, names or wikibio.METHODS, counts or wikibio.COUNTS, limit, tracked)
    if output:
        record.write(value, output)
    columns = ("method", "samples", "errors", "NonFact AUC-PR", "Factual AUC-PR", "passage Pearson")
    rows = [
        [
            f"{row['method']} (replication)" if row["source"] == "replication" else row["method"],
            row["samples"],
            row.get("errors", 0),
            *(shown_figure(row[name]) for name in ("nonfact", "factual", "pearson")),
        ]
        for row in value["rows"]
    ]
    print_table(console(), columns, rows)
