"""graph-eval report: write a run as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import shown_options, shown_results


@click.command("report")
@shown_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="Write to FILE.html (default: report.html in RUN, or in the current folder).",
)
def command(run: Path | None, store: str | None, run_id: str | None, output: Path | None, limit: int | None) -> None:
    """Show the responses of a RUN beside their context, with every claim, verdict and piece of evidence.

    Writes one HTML file that works offline: filter, sort and search, and click a claim to see the words that it came
    from and the words that decide about it.
    """
    from graph_eval.reports.page import write_report

    with shown_results(run, store, run_id, limit) as (results, title, settings):
        output = output or (run or Path()) / "report.html"
        write_report(results, output, title, settings)
    click.echo(output)
