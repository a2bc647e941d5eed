"""graph-eval bench speed: measure speed and peak memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import (
    common_options,
    of_sets,
    set_options,
    tracked,
)
from graph_eval.errors import UsageError


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
) -> None:
    """Measure responses per second, seconds by stage, pairs per second compared with the ONNX session alone, and peak
    memory.

    The default set is qags-c. INPUT: your own records.
    """
    from graph_eval.bench import record, speed
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    settings = load({"extractor": extractor, "checker": checker, "threads": threads, **of_models})
    sets = of_sets(inputs, data, names, mapping, limit, ("qags-c",), input_format, settings)
    if len(sets) > 1:
        raise UsageError("speed measures one set", "pass one --set, or INPUT")
    value = speed.speed(sets[0], settings, repeats, tracked)
    if output:
        record.write(value, output)
    shown = {name: value[name] for name in ("responses", "claims", "errors", "loading_seconds", "responses_per_second")}
    shown |= {f"seconds: {name}": seconds for name, seconds in value["stage_seconds"].items()}
    shown |= {name.replace("_", " "): figure for name, figure in value.get("pairs", {}).items()}
    shown["peak memory, MB"] = value["peak_memory_mb"]
    print_table(console(), ("", ""), [[name.replace("_", " "), figure] for name, figure in shown.items()])
