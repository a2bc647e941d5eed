"""graph-eval viz: the claim graph of a run as a drawing, or as a file for other graph tools."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import looked_at, store_option


@click.command("viz")
@click.argument("run", type=click.Path(path_type=Path), required=False)
@store_option
@click.option("--run-id", metavar="ID", help="Of the runs in the store; the last one loaded by default.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="FILE.html (a drawing; by default graph.html in RUN, or here), FILE.graphml or FILE.json.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N responses.")
def command(run: Path | None, store: str | None, run_id: str | None, output: Path | None, limit: int | None) -> None:
    """The claims of a RUN as a graph: entities are nodes, claims are edges, flagged ones red and dashed.

    The drawing is one HTML file that works offline. GraphML and JSON (networkx's node-link form) hold the same graph
    for other tools.
    """
    from graph_eval.reports.drawing import write_graph

    with looked_at(run, store, run_id, limit) as (results, title, settings):
        output = output or (run or Path()) / "graph.html"
        write_graph(results, output, title, settings)
    click.echo(output)
