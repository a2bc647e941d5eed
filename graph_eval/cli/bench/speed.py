"""graph-eval bench speed: measure speed and peak memory."""

from __future__ import annotations

from typing import Any

import click

from graph_eval.cli.bench.options import Chosen, measure, part_options, set_options


@click.command("speed", short_help="Measure speed and peak memory.")
@set_options
@part_options
@click.option(
    "--repeats", type=click.IntRange(1), default=3, metavar="N", help="Repeat that comparison N times (default 3)."
)
def command(chosen: Chosen, repeats: int, **flags: Any) -> int:
    """Measure responses per second, seconds by stage, pairs per second compared with the ONNX session alone, and peak
    memory.

    The default set is qags-c. INPUT: your own records.
    """
    from graph_eval.bench.speed import Speed
    from graph_eval.settings import load

    return measure(Speed(repeats), chosen.bench(load(flags)), chosen.output)
