"""graph-eval bench compare: compare two files of one benchmark."""

from __future__ import annotations

from pathlib import Path

import click

from graph_eval.cli.bench.options import print_tables
from graph_eval.cli.messages import tell
from graph_eval.cli.options import OutputFile
from graph_eval.errors import UsageError


@click.command("compare", short_help="Compare two files of one benchmark.")
@click.argument("one", metavar="A.json", type=click.Path(path_type=Path))
@click.argument("other", metavar="B.json", type=click.Path(path_type=Path))
@click.option(
    "--route",
    "routes",
    multiple=True,
    metavar="A=B",
    help="Compare route A of A.json with route B of B.json. Repeatable (default: each route with itself).",
)
@click.option("-o", "--output", type=OutputFile(), metavar="FILE.json", help="Write the tables to FILE.json.")
def command(one: Path, other: Path, routes: tuple[str, ...], output: Path | None) -> None:
    """Compare two files of one benchmark, item by item: such as two checkers on the same responses.

    \b
    graph-eval bench compare builtin.json other.json
    graph-eval bench compare table2.json table2.json --route response=triplets

    Only items that both files have are compared. Each difference is B minus A, with its 95% interval and standard error
    by paired resamples. The first table has what differs between the files: settings, parts, versions, machine, data.
    """
    from graph_eval.bench import record
    from graph_eval.bench.compare import compare

    renamed = []
    for route in routes:
        a, equals, b = route.partition("=")
        if not equals:
            raise UsageError(f"--route {route!r} is not A=B", "name a route of each file: --route response=triplets")
        renamed.append((a, b))
    value = compare(record.read(one), record.read(other), (str(one), str(other)), renamed)
    for problem in value["problems"]:
        tell(problem)
    if output:
        record.write(value, output)
    print_tables(value["tables"])
