"""graph-eval viz: the claim graph of a run as a drawing, or as a file for other graph tools."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import run_of


@click.command("viz")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="FILE.html (a drawing; by default RUN/graph.html), FILE.graphml or FILE.json.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N responses.")
def command(run: Path, output: Path | None, limit: int | None) -> None:
    """The claims of a RUN as a graph: entities are nodes, claims are edges, flagged ones red and dashed.

    The drawing is one HTML file that works offline. GraphML and JSON (networkx's node-link form) hold the same graph
    for other tools.
    """
    from itertools import islice

    from graph_eval.report.drawing import write_graph
    from graph_eval.runs import directory

    path = run_of(run)
    output = output or path / "graph.html"
    settings = directory.meta_of(path).get("settings", {})
    write_graph(islice(directory.results_of(path), limit), output, path.resolve().name, settings)
    click.echo(output)
