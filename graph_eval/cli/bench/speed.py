"""graph-eval bench speed: measure speed and peak memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import bench_of, common_options, measure, set_options


@click.command("speed", short_help="Measure speed and peak memory.")
@set_options
@common_options
@click.option(
    "--repeats", type=click.IntRange(1), default=3, metavar="N", help="Repeat that comparison N times (default 3)."
)
def command(
    inputs: tuple[str, ...],
    data: Path | None,
    names: tuple[str, ...],
    mapping: tuple[str, ...],
    input_format: str | None,
    checker: str | None,
    limit: int | None,
    output: Path | None,
    extractor: str | None,
    threads: int | None,
    repeats: int,
    **of_models: Any,
) -> int:
    """Measure responses per second, seconds by stage, pairs per second compared with the ONNX session alone, and peak
    memory.

    The default set is qags-c. INPUT: your own records.
    """
    from graph_eval.bench.speed import Speed
    from graph_eval.settings import load

    settings = load({"extractor": extractor, "checker": checker, "threads": threads, **of_models})
    bench = bench_of(settings, data, limit, output, names, inputs, mapping, input_format)
    return measure(Speed(repeats), bench, output)
