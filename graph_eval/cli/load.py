"""graph-eval load: a run into a graph store."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import opened_store, run_of, store_option, tell_of_twins


@click.command("load")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@store_option
def command(runs: tuple[Path, ...], store: str | None) -> None:
    """Loads each RUN into a graph store; its verdicts become the flags that the graph shows.

    Loading again changes nothing, and completes what was interrupted.
    """
    from graph_eval.cli.terminal import progress
    from graph_eval.runs import directory

    found = [(run_of(path), directory.run_at(path)) for path in runs]
    with opened_store(store) as opened:
        opened.setup()
        for path, run in found:
            total = int(directory.meta_of(path).get("counts", {}).get("records", 0)) or None
            with progress(opened.load(run, directory.results_of(path)), total, None, "loading") as loaded:
                written = sum(1 for _ in loaded)
            click.echo(f"{run.id}  {written} responses from {path}")
            tell_of_twins(opened, run, written)
