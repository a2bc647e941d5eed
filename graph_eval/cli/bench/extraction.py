"""graph-eval bench extraction: compare claims with human-checked triplets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import bench_of, common_options, data_option, measure


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
) -> int:
    """Compare extracted claims with RefChecker's human-checked triplets, and measure their coverage."""
    from graph_eval.bench.extraction import Extraction
    from graph_eval.settings import load

    settings = load({"extractor": extractor, "threads": threads, **of_models})
    return measure(Extraction(), bench_of(settings, data, limit, output), output)
