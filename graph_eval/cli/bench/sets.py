"""graph-eval bench sets: list the published sets, and what of them is in a folder."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.bench.options import data_option


@click.command("sets", short_help="List the published sets.")
@data_option
def command(data: Path | None) -> None:
    """List the published sets: kind of text, rows, share of inconsistent ones, licence, origin, and what of them the
    weights of this package have seen.

    \b
    graph-eval bench sets
    graph-eval bench sets --data DIR

    With --data the last column says whether DIR has the set, as one file of records or in the format of its originals.
    The file of records has the rows that figures are reported on, so their number must be the same.
    """
    from graph_eval.bench import sets
    from graph_eval.cli.terminal import console, print_table

    columns = ["name", "title", "kind of text", "rows", "inconsistent", "licence", "use", "seen in training", "origin"]
    rows = []
    for name, published in sets.PUBLISHED.items():
        share = f"{published.inconsistent / published.rows:.1%}"
        use = f"development, part {published.part}" if published.part else "development"
        row = [name, published.title, published.kind, f"{published.rows:,}", share, published.licence]
        row += [use if published.development else "reported", published.trained_on or "no", published.origin]
        rows.append([*row, _found(data, name)] if data else row)
    print_table(console(), [*columns, "found"] if data else columns, rows, right=False)


def _found(data: Path, name: str) -> str:
    from graph_eval.bench.sets import counts
    from graph_eval.errors import InputError

    try:
        found = counts(data, name)
    except InputError as problem:
        return f"no: {problem.message}"
    if not found.original:
        return "yes, counts hold"
    return f"original: {found.rows:,} rows, {found.inconsistent / found.rows:.1%} inconsistent"
