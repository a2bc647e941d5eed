"""graph-eval train: train the classifier of --checker repc:DIR."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.options import (
    published_options,
)
from graph_eval.errors import UsageError


@click.command("train", short_help="Train the classifier of --checker repc:DIR.")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Write the classifier to DIR."
)
@click.option(
    "--model", metavar="NAME|DIR", help="Use this language model (default teknium/OpenHermes-2.5-Mistral-7B)."
)
@click.option(
    "--classifier",
    "kind",
    default="nn_ensemble",
    metavar="KIND",
    help="Train svm, svm_ensemble, nn or nn_ensemble (default).",
)
@click.option("--layer", type=int, metavar="N", help="Train on hidden layer N, counted from 0 (svm and nn only).")
@click.option("--seed", type=int, default=0, metavar="N", help="Seed all random choices (default 0).")
@click.option("--threads", type=int, metavar="N", help="Use N threads for local models (default 0: one per core).")
@published_options
def command(
    inputs: tuple[str, ...],
    output: Path,
    model: str | None,
    kind: str,
    layer: int | None,
    seed: int,
    **flags: Any,
) -> None:
    """Train the classifier of --checker repc:DIR on labelled claims (RefChecker's RepC).

    INPUT: records with "claims" and "ys", as in RefChecker's checked files, and "reference" or "context". "ys" has a
    label for each claim, or a list with one for each reference. One record in five is held out. The results are
    measured on these records.
    """
    from graph_eval.checkers.hf.repc import KINDS, MODEL
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.fitting import repc
    from graph_eval.formats import files
    from graph_eval.settings import load

    if kind not in KINDS:
        raise UsageError(f"unknown classifier {kind!r}", f"known classifiers: {', '.join(KINDS)}")
    settings = load(flags)
    records = files.read(files.sources(inputs, limits=settings.limits), {})
    trained = repc.train(records, kind, model or MODEL, layer, output, settings, seed)
    shown = [[name.replace("_", " "), value] for name, value in trained.items() if not isinstance(value, dict)]
    shown += [[f"held out recall, {label}", value] for label, value in trained["held_out_recall"].items()]
    print_table(console(), ("", ""), shown)
