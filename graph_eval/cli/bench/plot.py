"""graph-eval bench plot: draw the plots of benchmark files."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.errors import InputError, UsageError


@click.command("plot", short_help="Draw the plots of benchmark files.")
@click.argument("files", nargs=-1, required=True, metavar="FILE.json...", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the plots to DIR, each as PNG and SVG.",
)
def command(files: tuple[Path, ...], output: Path) -> None:
    """Draw ROC curves with the point of the threshold, reliability diagrams, and histograms of the scores by label for
    each set, gain by set and by length (table2), and seconds a response against balanced accuracy.

    \b
    graph-eval bench plot table2.json -o plots

    Needs matplotlib: pip install 'graph_eval[bench]'.
    """
    from graph_eval.bench.plots import plots, require_matplotlib
    from graph_eval.bench.record import read_all
    from graph_eval.output import write_bytes

    require_matplotlib()
    drawn = plots(read_all(files))
    if not drawn:
        raise InputError(
            f"{', '.join(map(str, files))}: nothing to plot",
            'a plot needs items with "label" and "p_inconsistent", or tables with gains',
        )
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"{output} cannot be made: {problem.strerror}", "choose another -o") from None
    for plot in drawn:
        for ending, content in (("png", plot.png), ("svg", plot.svg)):
            path = output / f"{plot.name}.{ending}"
            write_bytes(path, content, "choose another -o")
            click.echo(path)
