"""graph-eval bench extraction: compare claims with human-checked triplets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import (
    common_options,
    data_option,
    runs_beside,
    tracked,
)
from graph_eval.errors import UsageError


@click.command("extraction", short_help="Compare claims with human-checked triplets.")
@data_option
@common_options
def command(
    data: Path | None,
    limit: int | None,
    output: Path | None,
    extractor: str | None,
    threads: int | None,
    **of_models: Any,
) -> None:
    """Compare extracted claims with RefChecker's human-checked triplets, and measure their coverage."""
    from graph_eval.bench import extraction, record
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    if data is None:
        raise UsageError("missing --data", "pass the folder that holds the published sets")
    settings = load({"extractor": extractor, "threads": threads, **of_models})
    value = extraction.extraction(data, settings, limit, tracked, runs_beside(output))
    if output:
        record.write(value, output)
    out, agreement, coverage = console(), value["agreement"], value["coverage"]
    print_table(out, list(agreement[0]), [list(row.values()) for row in agreement])
    names = [name for name in coverage[0] if name != "set"]
    print_table(out, ["", *(row["set"] for row in coverage)], [[n, *(row[n] for row in coverage)] for n in names])
