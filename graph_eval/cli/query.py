"""graph-eval query: questions to the graph, by name or in Cypher."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.options import opened_store, store_option
from graph_eval.errors import InputError, UsageError

if TYPE_CHECKING:
    from graph_eval.graph.library import Query

FORMATS = ("table", "json", "jsonl", "csv")


@click.command("query")
@click.argument("name", required=False, metavar="NAME|FILE|-")
@store_option
@click.option("--list", "listed", is_flag=True, help="The named queries with their parameters.")
@click.option("-p", "pairs", multiple=True, metavar="KEY=VALUE", help="A parameter; JSON, or else a text.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", help="What is printed.")
@click.option("--write", is_flag=True, help="Let the query change the graph.")
def command(name: str | None, store: str | None, listed: bool, pairs: tuple[str, ...], form: str, write: bool) -> None:
    """Asks the graph: a named query, a .cypher file, or Cypher on standard input.

    \b
    graph-eval query --list
    graph-eval query flagged_claims --store ./kg -p limit=10
    graph-eval query - --store bolt://localhost:7687 < question.cypher
    """
    from graph_eval.graph import library

    if listed:
        _show_list(list(library.queries().values()), form)
        return
    if name is None:
        raise UsageError("there is no query", "give a name, a file, or -; --list shows the names")
    params = dict(map(_parameter, pairs))
    columns: Sequence[str] | None = None
    if name == "-":
        cypher = sys.stdin.read()
    elif name.endswith(".cypher") or "/" in name:
        cypher = _read(Path(name))
    else:
        found = library.query(name)
        cypher, params, columns = found.text, found.bind(params), found.returns
    with opened_store(store) as opened:
        rows = opened.query(cypher, params, write=write)
    show(rows, form, columns)


def _parameter(pair: str) -> tuple[str, Any]:
    key, equals, value = pair.partition("=")
    if not equals or not key:
        raise UsageError(f"-p {pair}", "write KEY=VALUE")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{path} cannot be read: {problem}") from None


def _show_list(queries: Sequence[Query], form: str) -> None:
    rows = [
        {
            "name": query.name,
            "title": query.title,
            "params": [
                {"name": p.name, "required": p.required, **({} if p.required else {"default": p.default})}
                for p in query.params
            ],
            "returns": list(query.returns),
        }
        for query in queries
    ]
    if form == "table":
        for query in queries:
            shown = ", ".join(p.name if p.required else f"{p.name}={json.dumps(p.default)}" for p in query.params)
            click.echo(f"{query.name:<20} {query.title}" + (f"\n{'':<20}   -p {shown}" if shown else ""))
    else:
        show(rows, form)


def show(rows: Sequence[dict[str, Any]], form: str, columns: Sequence[str] | None = None) -> None:
    """Rows as a table, JSON or CSV."""
    if form == "json":
        from graph_eval.formats.results import pretty

        click.echo(pretty(list(rows)))
    elif form == "jsonl":
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        names = list(columns or (rows[0] if rows else ()))
        cells = [[_cell(row.get(name)) for name in names] for row in rows]
        if form == "csv":
            _csv([names, *cells])
        elif names:
            from graph_eval.cli.terminal import console, print_table, visible

            print_table(console(), names, [[visible(cell) for cell in line] for line in cells], right=False)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _csv(lines: Iterable[Sequence[str]]) -> None:
    from graph_eval.cli.terminal import csv_line

    for line in lines:
        click.echo(csv_line(line), nl=False)
