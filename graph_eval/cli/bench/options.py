"""Options that several benchmarks share, and what they do with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from graph_eval.cli.messages import visible
from graph_eval.cli.options import (
    OutputFile,
    check_model_options,
    file_options,
    model_options,
    packed,
    stacked,
)
from graph_eval.errors import UsageError

if TYPE_CHECKING:
    from graph_eval.bench.benchmark import Bench, Benchmark
    from graph_eval.settings import Settings

SHOWN_ERRORS = 5  # of failed items
data_option = click.option(
    "--data", type=click.Path(path_type=Path), metavar="DIR", help="Read the published sets from DIR."
)
limit_option = click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Read only the first N responses of each set."
)
output_option = click.option(
    "-o",
    "--output",
    type=OutputFile(),
    metavar="FILE.json",
    help="Write the results and the score of each response to FILE.json.",
)
part_options = stacked(
    click.option("--extractor", metavar="NAME", help="Extract triplets with this extractor (default rules)."),
    click.option("--threads", type=int, metavar="N", help="Use N threads for local models (default 0: one per core)."),
    model_options,
)
common_options = stacked(limit_option, output_option, part_options)


class Chosen(NamedTuple):
    """The values of `input_options`."""

    inputs: tuple[str, ...]
    data: Path | None
    names: tuple[str, ...]
    mapping: tuple[str, ...]
    input_format: str | None
    limit: int | None
    output: Path | None

    def bench(self, settings: Settings) -> Bench:
        """What a benchmark measures with, on the chosen sets.

        Raises UsageError for options that cannot be combined, and for an unknown set.
        """
        from graph_eval.bench.sets import PUBLISHED
        from graph_eval.formats.labelled import labelled_files

        if self.inputs:
            refuse_with_input(
                {"--data": self.data, "--set": self.names}, "pass your own records, or the folder of the published sets"
            )
        for name in self.names:
            if name not in PUBLISHED:
                raise UsageError(f"unknown set {name!r}", f"known sets: {', '.join(PUBLISHED)}")
        bench = bench_of(settings, self.data, self.limit, self.output, self.names)
        if self.inputs:
            bench.labelled = [labelled_files(self.inputs, self.mapping, self.limit, self.input_format, settings.limits)]
        return bench


input_options = stacked(
    click.argument("inputs", nargs=-1, metavar="[INPUT]..."),
    data_option,
    click.option("--set", "names", multiple=True, metavar="NAME", help="Use this published set. Repeatable."),
    file_options,
    limit_option,
    output_option,
    packed(Chosen, "chosen"),
)
set_options = stacked(
    input_options,
    click.option("--checker", metavar="NAME", help="Judge with builtin (default), llm:MODEL, or another checker."),
    check_model_options,
)


def refuse_with_input(options: Mapping[str, Any], hint: str) -> None:
    """Raises UsageError for the first of these options, by name, that was given although there is INPUT."""
    for name, value in options.items():
        if value:
            raise UsageError(f"INPUT and {name} cannot be combined", hint)


def measure(benchmark: Benchmark, bench: Bench, output: Path | None, *written: Callable[[dict[str, Any]], None]) -> int:
    """Runs a benchmark, writes its file and what `written` write, and prints its tables. Returns the exit code.

    It is 3 if items failed. The first errors are on stderr.
    """
    from graph_eval.bench import benchmark as benchmarks
    from graph_eval.bench import record

    value = benchmarks.run(benchmark, bench)
    if output:
        record.write(value, output)
    for write in written:
        write(value)
    print_tables(value["tables"])
    errors = [item["error"] for item in value["items"] if isinstance(item.get("error"), str)]
    distinct = list(dict.fromkeys(errors))
    for error in distinct[:SHOWN_ERRORS]:
        click.echo(f"failed: {visible(error)}", err=True)
    if errors:
        more = len(distinct) - SHOWN_ERRORS
        others = f", with {more:,} more errors" if more > 0 else ""
        click.echo(f"{len(errors):,} item{'s' * (len(errors) > 1)} failed{others}", err=True)
    return 3 if errors else 0


def print_tables(found: Sequence[Mapping[str, Any]]) -> None:
    """Prints tables (`benchmark.Table` as dictionaries) with their titles and notes."""
    from graph_eval.bench import tables
    from graph_eval.cli.terminal import console, print_table

    out = console()
    for place, table in enumerate(found):
        if place:
            out.print()
        if len(found) > 1:
            out.print(visible(table["title"]), style="bold")
        headings, lines = tables.grid(table)
        print_table(out, [visible(cell) for cell in headings], [[visible(cell) for cell in line] for line in lines])
        if table["note"]:
            out.print(visible(table["note"]))


def bench_of(
    settings: Settings,
    data: Path | None = None,
    limit: int | None = None,
    output: Path | None = None,
    names: Sequence[str] = (),
) -> Bench:
    """What a benchmark measures with. Next to the output FILE.json, FILE.runs/ holds its runs."""
    from graph_eval.bench.benchmark import Bench

    runs = output.with_suffix(".runs") if output else None
    return Bench(settings, data, names=tuple(dict.fromkeys(names)), limit=limit, runs=runs, track=tracked)


def tracked(items: Iterator[Any], total: int, name: str) -> Iterable[Any]:
    """The items, with a progress bar on stderr."""
    from graph_eval.cli.terminal import progress

    with progress(items, total, None, name) as shown:
        yield from shown
