"""graph-eval schema: the JSON Schemas of input and output."""

from __future__ import annotations

import click


@click.command("schema", short_help="Print the JSON Schemas of records and results.")
@click.argument("name", type=click.Choice(("record", "result")), required=False)
def command(name: str | None) -> None:
    """Print the JSON Schemas of a record and of a result, or one of them."""
    from graph_eval.formats.results import pretty, schemas

    by_name = schemas()
    click.echo(pretty(by_name if name is None else by_name[name]))
