"""graph-eval db: list and maintain the content of a graph store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph_eval.cli.options import names_option, opened_store, plural, store_option
from graph_eval.errors import UsageError

if TYPE_CHECKING:
    from graph_eval.graph.rows import Scope


@click.group("db", short_help="Maintain a graph store.")
def command() -> None:
    """Maintain a graph store: list its runs, choose the run that it shows, delete, export and import."""


@command.command("info")
@store_option
def info(store: str | None) -> None:
    """List the runs, and count the nodes and relationships."""
    from graph_eval.cli.query import show
    from graph_eval.graph import library

    with opened_store(store) as graph:
        for name in ("runs", "counts"):
            show(graph.named(name, {}), "table", library.query(name).returns)


@command.command("current")
@click.argument("run_id", metavar="RUN_ID")
@store_option
def current(run_id: str, store: str | None) -> None:
    """Choose the run whose verdicts the graph shows.

    A person's run (human:NAME) shows its labels on the claims of the responses that it labelled. Their other claims
    show no verdict then.
    """
    with opened_store(store) as graph:
        run = graph.run(run_id)
        graph.make_current(run.id)
        judged = len(graph.flags(run.id))
    click.echo(f"{run.id}  the graph shows the verdicts of {run.settings.get('checker')} on {plural(judged, 'claim')}")


@command.command("delete", short_help="Delete a run or a response.")
@click.option("--run-id", metavar="ID", help="Delete this run, and everything that no other run uses.")
@click.option(
    "--response",
    metavar="ID",
    help="Delete this response (its id in the graph), and everything that nothing else uses.",
)
@store_option
def delete(run_id: str | None, response: str | None, store: str | None) -> None:
    """Delete a run or a response, and everything that nothing else uses."""
    if (run_id is None) == (response is None):
        raise UsageError("db delete takes a run or a response", "pass exactly one of --run-id and --response")
    with opened_store(store) as graph:
        if run_id is not None:
            graph.delete(run=graph.run(run_id).id)
        else:
            graph.delete(response=response)


@command.command("export", short_help="Write a run of the store to a run directory.")
@click.argument("run_id", metavar="[RUN_ID]", required=False)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Write to this new run directory.",
)
@store_option
def export(run_id: str | None, output: Path, store: str | None) -> None:
    """Write a run of the store (default: the last one loaded) to a run directory."""
    from graph_eval.runs.resume import write_run
    from graph_eval.settings import Settings

    with opened_store(store) as graph:
        run = graph.run(run_id)
        chunk = int(run.settings.get("chunk") or Settings().chunk)
        write_run(output, run, graph.results(run.id), chunk, graph.manifest(run.id))
    click.echo(output)


@command.command("import")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@store_option
@names_option
@click.pass_context
def import_(context: click.Context, runs: tuple[Path, ...], store: str | None, share_names: Scope) -> None:
    """Load run directories into the store, as graph-eval load does."""
    from graph_eval.cli.load import command as load

    context.invoke(load, runs=runs, store=store, share_names=share_names)
