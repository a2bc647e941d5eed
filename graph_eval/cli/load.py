"""graph-eval load: load runs into a graph store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph_eval.cli.options import names_option, opened_store, plural, store_option

if TYPE_CHECKING:
    from graph_eval.graph.rows import Scope


@click.command("load", short_help="Load runs into a graph store.")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@store_option
@names_option
def command(runs: tuple[Path, ...], store: str | None, share_names: Scope) -> None:
    """Load each RUN into a graph store. The graph then shows its verdicts.

    Load a run again to complete an interrupted load. Nothing is stored twice. The graph then shows this run's verdicts.
    """
    from graph_eval.cli.printing import print_duplicates
    from graph_eval.cli.terminal import progress
    from graph_eval.sources import RunFiles

    sources = [RunFiles(path) for path in runs]
    with opened_store(store, share_names, create=True) as graph:
        graph.setup()
        for source in sources:
            with progress(graph.load(source.run, source.results()), source.total, None, "loading") as loaded:
                count = sum(1 for _ in loaded)
            graph.keep_manifest(source.run.id, source.manifest)
            click.echo(f"{source.run.id}  {plural(count, 'response')} from {source.path}")
            print_duplicates(count - graph.response_count(source.run.id), count)
