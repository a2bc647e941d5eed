"""graph-eval viz: the claim graph of a run as a drawing, or as a file for other graph tools."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import shown_options, shown_results


@click.command("viz")
@shown_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write FILE.html (a drawing; default: graph.html in RUN or here), FILE.graphml or FILE.json.",
)
def command(run: Path | None, store: str | None, run_id: str | None, output: Path | None, limit: int | None) -> None:
    """Draw the claims of a RUN as a graph: entities are nodes, claims are edges, flagged ones red and dashed.

    The drawing is one HTML file that works offline. GraphML and JSON (networkx's node-link form) hold the same graph
    for other tools.
    """
    from graph_eval.reports.drawing import write_graph

    with shown_results(run, store, run_id, limit) as (results, title, settings):
        output = output or (run or Path()) / "graph.html"
        write_graph(results, output, title, settings)
    click.echo(output)
