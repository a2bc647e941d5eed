"""graph-eval report: a run as one HTML file to open, send and print."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import looked_at, store_option


@click.command("report")
@click.argument("run", type=click.Path(path_type=Path), required=False)
@store_option
@click.option("--run-id", metavar="ID", help="Of the runs in the store; the last one loaded by default.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="By default report.html in RUN, or here.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N responses.")
def command(run: Path | None, store: str | None, run_id: str | None, output: Path | None, limit: int | None) -> None:
    """The responses of a RUN beside their context, with every claim, verdict and piece of evidence.

    One HTML file that works offline: filter, sort, search, click a claim to see the words it came from and the words
    that decide about it.
    """
    from graph_eval.reports.page import write_report

    with looked_at(run, store, run_id, limit) as (results, title, settings):
        output = output or (run or Path()) / "report.html"
        write_report(results, output, title, settings)
    click.echo(output)
