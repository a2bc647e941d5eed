"""graph-eval bench table1: describe the labelled sets."""

from __future__ import annotations

from typing import Any

import click

from graph_eval.cli.bench.options import Chosen, input_options, measure


@click.command("table1", short_help="Describe the labelled sets.")
@input_options
def command(chosen: Chosen, **flags: Any) -> int:
    """Count responses, the share of consistent ones, and words (GraphEval, table 1).

    The default sets are summeval, qags-c and qags-x. INPUT: your own records with a label.
    """
    from graph_eval.bench.table1 import Table1
    from graph_eval.settings import load

    return measure(Table1(), chosen.bench(load(flags)), chosen.output)
