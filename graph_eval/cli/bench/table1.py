"""graph-eval bench table1: describe the labelled sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import bench_of, input_options, limit_option, measure, output_option


@click.command("table1", short_help="Describe the labelled sets.")
@input_options
@limit_option
@output_option
def command(
    inputs: tuple[str, ...],
    data: Path | None,
    names: tuple[str, ...],
    mapping: tuple[str, ...],
    input_format: str | None,
    limit: int | None,
    output: Path | None,
    **flags: Any,
) -> int:
    """Count responses, the share of consistent ones, and words (GraphEval, table 1).

    The default sets are summeval, qags-c and qags-x. INPUT: your own records with a label.
    """
    from graph_eval.bench.table1 import Table1
    from graph_eval.settings import load

    return measure(Table1(), bench_of(load(flags), data, limit, output, names, inputs, mapping, input_format), output)
