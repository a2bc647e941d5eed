"""graph-eval query: runs a named query or Cypher on a graph store, or Cypher that a model writes for a question."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.messages import tell, visible, visible_lines
from graph_eval.cli.options import opened_store, sending_options, store_option, temperature_option
from graph_eval.errors import InputError, UsageError

if TYPE_CHECKING:
    from graph_eval.graph.library import Query

FORMATS = ("table", "json", "jsonl", "csv")


@click.command("query", short_help="Run a named query, Cypher or a plain question on a graph store.")
@click.argument("name", required=False, metavar="NAME|FILE|-")
@store_option
@click.option("--list", "listed", is_flag=True, help="List the named queries with their parameters.")
@click.option(
    "-p",
    "pairs",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a parameter. In your own Cypher a VALUE that is JSON has its type, any other one is a text.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", help="Print results in this format.")
@click.option("--write", is_flag=True, help="Allow the query to change the graph.")
@click.option(
    "--ask",
    "question",
    metavar="QUESTION",
    help="Answer QUESTION: a language model writes the Cypher, which only reads.",
)
@click.option("--ask-with", metavar="MODEL", help="Write the Cypher for --ask with MODEL, e.g. openai/gpt-4o-mini.")
@temperature_option
@sending_options
def command(
    name: str | None,
    store: str | None,
    listed: bool,
    pairs: tuple[str, ...],
    form: str,
    write: bool,
    question: str | None,
    ask_with: str | None,
    **flags: Any,
) -> None:
    """Run a named query, a .cypher file, or Cypher from standard input (-), or answer a question in plain words.

    The Cypher for --ask is printed on standard error before it runs. The model gets the question and the schema of the
    graph, and -p sets parameters whose values it does not get.

    \b
    graph-eval query --list
    graph-eval query flagged_claims --store ./kg -p limit=10
    graph-eval query - --store bolt://localhost:7687 < question.cypher
    graph-eval query --ask "Which model has the most flagged claims?" --ask-with openai/gpt-4o-mini --store ./kg
    """
    if question is not None:
        given = {"a query": name is not None, "--list": listed, "--write": write}
        _show_answer(question, ask_with, store, pairs, form, given, flags)
        return
    needing = ["--ask-with"] if ask_with else []
    needing += [f"--{flag.replace('_', '-')}" for flag, value in flags.items() if value is not None]
    if needing:
        raise UsageError(f"{needing[0]} needs --ask", 'pass --ask "QUESTION", or omit it')
    from graph_eval.graph import library

    if listed:
        _show_list(list(library.queries().values()), form)
        return
    if name is None:
        raise UsageError("missing query", "pass a query name, a file or -. List the names: graph-eval query --list")
    texts = dict(map(_pair, pairs))
    if name != "-" and not name.endswith(".cypher") and "/" not in name:
        query = library.query(name)
        with opened_store(store) as graph:
            rows = graph.named(name, query.values(texts))
        show(rows, form, query.returns)
        return
    params = {key: _value(key, text) for key, text in texts.items()}
    cypher = _read(name)
    with opened_store(store, create=write) as graph:
        rows = graph.query(cypher, params, write=write)
    show(rows, form)


def _show_answer(
    question: str,
    model: str | None,
    store: str | None,
    pairs: Sequence[str],
    form: str,
    given: Mapping[str, bool],
    flags: Mapping[str, Any],
) -> None:
    """Prints the rows that answer a question. `given`: what cannot be combined with one, and whether it was passed."""
    if wrong := next((name for name, is_given in given.items() if is_given), None):
        raise UsageError(f"--ask and {wrong} cannot be combined", "pass only one of them")
    if not model:
        raise UsageError("--ask needs a language model", "pass --ask-with MODEL, e.g. openai/gpt-4o-mini")
    from graph_eval.cli.printing import model_lines
    from graph_eval.graph.ask import ask
    from graph_eval.llm.client import as_model
    from graph_eval.settings import load

    settings = load(flags)
    parameters = {key: _value(key, text) for key, text in map(_pair, pairs)}
    client = as_model(model, settings)
    try:
        with opened_store(store) as graph:
            answer = ask(
                graph,
                question,
                client,
                settings,
                parameters=parameters,
                on_query=_show_query,
                on_problem=lambda problem: tell(f"asked again: {problem}"),
            )
    finally:
        for line in model_lines([client]):
            click.echo(line, err=True)
    show(answer.rows, form)


def _show_query(cypher: str, parameters: Mapping[str, Any]) -> None:
    """Prints a query on standard error."""
    lines = [cypher, *(f"  ${name} = {json.dumps(value)}" for name, value in parameters.items())]
    click.echo("\n".join(map(visible_lines, lines)), err=True)


def _pair(pair: str) -> tuple[str, str]:
    key, equals, value = pair.partition("=")
    if not equals or not key:
        raise UsageError(f"invalid parameter -p {pair}", "write -p KEY=VALUE")
    return key, value


def _value(key: str, text: str) -> Any:
    """A parameter of one's own Cypher: a JSON value, or else the text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    from graph_eval.graph.rows import refused_number

    if (number := refused_number(value)) is not None:
        raise UsageError(f"-p {key}={text}: no database takes the number {number}", f'write it as a text: "{number}"')
    return value


def _read(name: str) -> str:
    """The Cypher of a file, or of standard input for "-"."""
    try:
        return (sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()).decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        place = "standard input" if name == "-" else name
        raise InputError(f"cannot read {place}: {problem}", "pass a .cypher file in UTF-8") from None


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
            params = ", ".join(map(str, query.params))
            click.echo(f"{query.name:<20} {query.title}" + (f"\n{'':<20}   -p {params}" if params else ""))
    else:
        show(rows, form)


def show(rows: Sequence[dict[str, Any]], form: str, columns: Sequence[str] | None = None) -> None:
    """Print rows in one of FORMATS. `columns`: their order in a table or CSV, else that of the first row."""
    if form == "json":
        from graph_eval.formats.results import pretty

        click.echo(pretty(list(rows)))
    elif form == "jsonl":
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        names = list(columns or (rows[0] if rows else ()))
        number = "{!r}" if form == "csv" else "{:.6g}"  # a table is for eyes
        cells = [[_cell(row.get(name), number) for name in names] for row in rows]
        if form == "csv":
            _csv([names, *cells])
        elif names:
            from graph_eval.cli.terminal import console, print_table

            print_table(console(), names, [[visible(cell) for cell in line] for line in cells], right=False)


def _cell(value: Any, number: str) -> str:
    """A value as text. `number`: the format of one with a fraction."""
    if value is None:
        return ""
    if isinstance(value, float):
        return number.format(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _csv(lines: Iterable[Sequence[str]]) -> None:
    from graph_eval.formats.writers import csv_line

    for line in lines:
        click.echo(csv_line(line), nl=False)
