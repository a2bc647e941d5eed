"""graph-eval bench correction: measure corrections of known errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import bench_of, common_options, data_option, measure
from graph_eval.cli.options import check_model_options, correct_options


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
) -> int:
    """Measure how much the corrector restores and damages, on texts with an error whose right version is known.

    summedits, defacto and bump hold each text with the error and without it. ragtruth holds answers in which annotators
    marked the unsupported words. With -o an interrupted benchmark continues.
    """
    from graph_eval.bench.correction import Correction
    from graph_eval.settings import load

    return measure(Correction(name, part, independent), bench_of(load(flags), data, limit, output), output)
