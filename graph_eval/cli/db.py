"""graph-eval db: what a graph store holds, and its upkeep."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.options import opened_store, store_option
from graph_eval.errors import UsageError


@click.group("db")
def command() -> None:
    """Upkeep of a graph store: its runs, which of them the flags show, deletion, export and import."""


@command.command("info")
@store_option
def info(store: str | None) -> None:
    """The runs and how much of everything there is."""
    from graph_eval.cli.query import show
    from graph_eval.graph import library

    with opened_store(store) as opened:
        for name in ("runs", "counts"):
            query = library.query(name)
            show(opened.query(query.text, query.bind({})), "table", query.returns)


@command.command("current")
@click.argument("run_id", metavar="RUN_ID")
@store_option
def current(run_id: str, store: str | None) -> None:
    """Makes the graph show the flags of another run, for all that it judged."""
    with opened_store(store) as opened:
        opened.make_current(opened.run(run_id).id)


@command.command("delete")
@click.option("--run-id", metavar="ID", help="A run: its verdicts, and what no other run refers to.")
@click.option("--response", metavar="ID", help="A response by its id in the graph, and what only it used.")
@store_option
def delete(run_id: str | None, response: str | None, store: str | None) -> None:
    """Removes a run or a response, and what nothing else refers to."""
    if (run_id is None) == (response is None):
        raise UsageError("what shall be deleted?", "give --run-id or --response")
    with opened_store(store) as opened:
        if run_id is not None:
            opened.delete(run=opened.run(run_id).id)
        else:
            opened.delete(response=response)


@command.command("export")
@click.argument("run_id", metavar="[RUN_ID]", required=False)
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="RUN", help="A new run directory."
)
@store_option
def export(run_id: str | None, output: Path, store: str | None) -> None:
    """Writes a run out of the store as a run directory; the last one loaded by default."""
    from graph_eval.chunks import chunks
    from graph_eval.runs import directory

    with opened_store(store) as opened:
        run = opened.run(run_id)
        chunk = int(run.settings.get("chunk") or directory.CHUNK)
        with directory.opened(output, run, chunk) as written:
            if written.done:
                raise UsageError(f"{output} holds this run already", "choose another -o")
            for part in chunks(opened.results(run.id), chunk):
                written.append(part)
            written.finish()
    click.echo(output)


@command.command("import")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@store_option
@click.pass_context
def import_(context: click.Context, runs: tuple[Path, ...], store: str | None) -> None:
    """The same as "load": run directories into the store."""
    from graph_eval.cli.load import command as load

    context.invoke(load, runs=runs, store=store)
