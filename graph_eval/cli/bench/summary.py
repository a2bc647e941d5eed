"""graph-eval bench summary: write one HTML page of benchmark files."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import OutputFile, echo_file


@click.command("summary", short_help="Write one HTML page of benchmark files.")
@click.argument("files", nargs=-1, required=True, metavar="FILE.json...", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", required=True, type=OutputFile(), metavar="FILE.html", help="Write the page to FILE.html."
)
def command(files: tuple[Path, ...], output: Path) -> None:
    """Write one HTML page with the tables and plots of benchmark files, and what they were measured with.

    The page is one file without scripts. Files of "bench compare" and "bench agreement" can be among them. The plots
    need matplotlib: pip install 'graph_eval[bench]'.

    \b
    graph-eval bench summary table2.json flags.json -o summary.html
    """
    from graph_eval.bench.record import read_all
    from graph_eval.bench.summary import summary_page
    from graph_eval.output import write_text

    write_text(output, summary_page(list(read_all(files).values())), "choose another -o")
    echo_file(output)
