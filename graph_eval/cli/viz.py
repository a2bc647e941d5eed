"""graph-eval viz: the claim graph of a run as a drawing, or as a file for other graph tools."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import OutputFile, echo_file, shown_options, shown_runs
from graph_eval.errors import UsageError


@click.command("viz", short_help="Draw the claims of a run as a graph.")
@shown_options
@click.option(
    "--also",
    "others",
    multiple=True,
    metavar="RUN",
    help="Draw another run too, and choose between them in the drawing. Repeat it for more runs. "
    "With --store, RUN is the id of a run.",
)
@click.option(
    "-o",
    "--output",
    type=OutputFile(),
    metavar="FILE",
    help="Write FILE.html (a drawing), FILE.graphml or FILE.json "
    "(default: graph.html in RUN or, with --store, in the current folder).",
)
def command(
    run: Path | None,
    store: str | None,
    run_id: str | None,
    others: tuple[str, ...],
    output: Path | None,
    limit: int | None,
) -> None:
    """Draw the claims of a RUN as a graph: entities are nodes, claims are edges.

    Flagged edges are red and dashed (contradicted) or amber and dotted (not in the context).

    The drawing is one HTML file that works offline. It opens with an overview of all responses. In it you can search,
    filter, and follow a claim to its evidence. GraphML and JSON (networkx's node-link form) contain the same graph for
    other tools.
    """
    from graph_eval.reports.drawing import checked_format, write_drawing, write_graph
    from graph_eval.reports.graph_rows import ShownRun
    from graph_eval.reports.pages import DRAWING, outdate, report_of
    from graph_eval.runs.directory import RESULTS

    output = output or (run or Path()) / DRAWING
    if others and checked_format(output) != ".html":
        raise UsageError(f"{output}: --also needs an HTML file", "write each run to a file of its own")
    with shown_runs(run, store, run_id, limit, others) as (shown, *further):
        if others:
            runs = [ShownRun(shown.title, shown.results())]
            for other, one in zip(others, further, strict=True):
                taken = {run.name for run in runs}
                runs.append(ShownRun(other if one.title in taken else one.title, one.results()))
            write_drawing(runs, output, shown.title, shown.settings)
        else:
            write_graph(shown.results(), output, shown.title, shown.settings, report=report_of(output))
    if run is not None and limit is not None:
        outdate([output], run / RESULTS)
    echo_file(output)
