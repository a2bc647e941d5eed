"""graph-eval load: a run into a graph store."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import opened_store, run_of, store_option, tell_of_twins


@click.command("load")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@store_option
def command(runs: tuple[Path, ...], store: str | None) -> None:
    """Load each RUN into a graph store. The graph then shows its verdicts.

    Loading a run again changes nothing, and completes a load that was interrupted.
    """
    from graph_eval.cli.terminal import progress
    from graph_eval.runs import directory

    loads = [(run_of(path), directory.run_at(path)) for path in runs]
    with opened_store(store) as graph:
        graph.setup()
        for path, run in loads:
            total = int(directory.meta_of(path).get("counts", {}).get("records", 0)) or None
            with progress(graph.load(run, directory.results_of(path)), total, None, "loading") as loaded:
                count = sum(1 for _ in loaded)
            click.echo(f"{run.id}  {count} {'response' if count == 1 else 'responses'} from {path}")
            tell_of_twins(graph, run, count)
