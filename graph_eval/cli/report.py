"""graph-eval report: write a run as an HTML report, with the drawing beside it."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import OutputFile, echo_file, shown_options, shown_runs


@click.command("report", short_help="Write a run as an HTML report and a drawing.")
@shown_options
@click.option(
    "-o",
    "--output",
    type=OutputFile(),
    metavar="FILE.html",
    help="Write to FILE.html, and the drawing to FILE-graph.html "
    "(default: report.html and graph.html in RUN or, with --store, in the current folder).",
)
@click.option("--no-drawing", is_flag=True, help="Write the report only.")
def command(
    run: Path | None, store: str | None, run_id: str | None, output: Path | None, limit: int | None, no_drawing: bool
) -> None:
    """Show the responses of a RUN beside their context, with every claim, verdict and piece of evidence.

    Write one HTML file that works offline, and beside it the drawing of the claims (see graph-eval viz). In the report
    you can filter, sort and search. Click a claim to see its words and the evidence.
    """
    from graph_eval.reports.pages import REPORT, outdate, write_pages
    from graph_eval.runs.directory import RESULTS

    with shown_runs(run, store, run_id, limit) as [(results, title, settings)]:
        pages = write_pages(results, output or (run or Path()) / REPORT, title, settings, draw=not no_drawing)
    if run is not None and limit is not None:
        outdate(pages, run / RESULTS)
    for page in pages:
        echo_file(page)
