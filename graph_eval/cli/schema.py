"""graph-eval schema: the JSON Schemas of what goes in and what comes out."""

from __future__ import annotations

import click


@click.command("schema")
@click.argument("name", type=click.Choice(("record", "result")), required=False)
def command(name: str | None) -> None:
    """The JSON Schemas of a record and of a result, or of one of them."""
    from graph_eval.formats.results import pretty, schemas

    found = schemas()
    click.echo(pretty(found if name is None else found[name]))
