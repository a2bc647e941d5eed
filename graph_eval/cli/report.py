"""graph-eval report: a run as one HTML file to open, send and print."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import run_of


@click.command("report")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE.html", help="By default RUN/report.html."
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N responses.")
def command(run: Path, output: Path | None, limit: int | None) -> None:
    """The responses of a RUN beside their context, with every claim, verdict and piece of evidence.

    One HTML file that works offline: filter, sort, search, click a claim to see the words it came from and the words
    that decide about it.
    """
    from itertools import islice

    from graph_eval.report.page import write_report
    from graph_eval.runs import directory

    path = run_of(run)
    output = output or path / "report.html"
    settings = directory.meta_of(path).get("settings", {})
    write_report(islice(directory.results_of(path), limit), output, path.resolve().name, settings)
    click.echo(output)
