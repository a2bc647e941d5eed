"""graph-eval report: write a run as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import OutputFile, shown_options, shown_results


@click.command("report", short_help="Write a run as one HTML report.")
@shown_options
@click.option(
    "-o",
    "--output",
    type=OutputFile(),
    metavar="FILE.html",
    help="Write to FILE.html (default: report.html in RUN or, with --store, in the current folder).",
)
def command(run: Path | None, store: str | None, run_id: str | None, output: Path | None, limit: int | None) -> None:
    """Show the responses of a RUN beside their context, with every claim, verdict and piece of evidence.

    Write one HTML file that works offline. In it you can filter, sort and search. Click a claim to see its words and
    the evidence.
    """
    from graph_eval.reports.page import write_report

    with shown_results(run, store, run_id, limit) as (results, title, settings):
        output = output or (run or Path()) / "report.html"
        write_report(results, output, title, settings)
    click.echo(output)
