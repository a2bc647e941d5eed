"""graph-eval viz: the claim graph of a run as a drawing, or as a file for other graph tools."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import OutputFile, shown_options, shown_results


@click.command("viz", short_help="Draw the claims of a run as a graph.")
@shown_options
@click.option(
    "-o",
    "--output",
    type=OutputFile(),
    metavar="FILE",
    help="Write FILE.html (a drawing), FILE.graphml or FILE.json "
    "(default: graph.html in RUN or, with --store, in the current folder).",
)
def command(run: Path | None, store: str | None, run_id: str | None, output: Path | None, limit: int | None) -> None:
    """Draw the claims of a RUN as a graph: entities are nodes, claims are edges, flagged ones red and dashed.

    The drawing is one HTML file that works offline. In it you can zoom, choose a response and show only flagged
    claims. Click a claim to see its verdict and the evidence. GraphML and JSON (networkx's node-link form) contain the
    same graph for other tools.
    """
    from graph_eval.reports.drawing import write_graph
    from graph_eval.reports.pages import DRAWING, outdate
    from graph_eval.runs.directory import RESULTS

    with shown_results(run, store, run_id, limit) as (results, title, settings):
        output = output or (run or Path()) / DRAWING
        write_graph(results(), output, title, settings)
    if run is not None and limit is not None:
        outdate([output], run / RESULTS)
    click.echo(output)
