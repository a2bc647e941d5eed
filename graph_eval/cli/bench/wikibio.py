"""graph-eval bench wikibio: measure self-checking by samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import bench_of, common_options, data_option, measure
from graph_eval.cli.options import (
    published_options,
)


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
) -> int:
    """Measure methods of self-checking on WikiBio-GPT3: 119 passages with 10 samples and people's labels.

    The scores of a replication of SelfCheckGPT on the same samples stand beside them. No parameter is fitted on
    these passages. With -o an interrupted benchmark continues: FILE.runs/ contains what was extracted and compared.
    """
    from graph_eval.bench.wikibio import COUNTS, METHODS, WikiBio
    from graph_eval.settings import load

    settings = load({"extractor": extractor, "threads": threads, **of_models})
    return measure(WikiBio(names or METHODS, counts or COUNTS), bench_of(settings, data, limit, output), output)
