"""graph-eval bench all: run every benchmark, and write the page of all figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import bench_of, data_option, limit_option
from graph_eval.cli.messages import tell
from graph_eval.cli.options import OutputFile, check_model_options, model_options
from graph_eval.errors import UsageError


@click.command("all", short_help="Run every benchmark.")
@data_option
@limit_option
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="FOLDER",
    help="Write the file of each benchmark to FOLDER.",
)
@click.option("--only", "names", multiple=True, metavar="NAME", help="Run only this benchmark. Repeatable.")
@click.option("--page", type=OutputFile(), metavar="FILE.md", help="Write the tables to FILE.md, and to FILE.json.")
@click.option(
    "--readme",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE.md",
    help="Also renew the table of checkers in FILE.md.",
)
@click.option("--summary", type=OutputFile(), metavar="FILE.html", help="Write the tables and plots to a page.")
@click.option("--model", metavar="MODEL", help="Also run the correctors that need a language model.")
@click.option("--independent", metavar="NAME", help="Also judge corrections with this checker.")
@click.option("--extractor", metavar="NAME", help="Extract triplets with this extractor (default rules).")
@click.option("--checker", metavar="NAME", help="Judge with builtin (default), llm:MODEL, or another checker.")
@check_model_options
@click.option("--threads", type=int, metavar="N", help="Use N threads for local models (default 0: one per core).")
@model_options
def command(
    data: Path | None,
    limit: int | None,
    folder: Path,
    names: tuple[str, ...],
    page: Path | None,
    readme: Path | None,
    summary: Path | None,
    model: str | None,
    independent: str | None,
    **flags: Any,
) -> int:
    """Run every benchmark, one after the other, and name those that this machine cannot run.

    \b
    graph-eval bench all --data DIR -o RESULTS --page benchmarks.md

    An interrupted command continues when you run it again: FOLDER/runs has the results so far. It ends with 3 if a
    benchmark could not run. On two cores all of them take about an hour.
    """
    from graph_eval.bench.page import REFERENCE, content, inserted, require_marks
    from graph_eval.bench.page import page as written
    from graph_eval.bench.record import write
    from graph_eval.bench.suite import entries, run_suite
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.output import write_text
    from graph_eval.settings import load

    if (page or readme) and (names or limit):
        raise UsageError("--page and --readme need all items of all benchmarks", "omit --only and --limit")
    settings = load(flags)
    known = {entry.name: entry for entry in entries(settings.checker, model, independent)}
    for name in names:
        if name not in known:
            raise UsageError(f"unknown benchmark {name!r}", f"known benchmarks: {', '.join(known)}")
    bench = bench_of(settings, data, limit)
    if not bench.folder().is_dir():
        raise UsageError(f"{data} is not a folder", "pass the folder that holds the published sets")
    try:
        old = readme.read_text("utf-8") if readme else ""
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(str(problem), "choose another file or folder") from None
    require_marks(old if readme else None)
    chosen = [entry for name, entry in known.items() if not names or name in names]
    outcomes = list(run_suite(chosen, bench, folder, lambda line: click.echo(line, err=True)))
    done = [outcome.value for outcome in outcomes if outcome.value]
    shown = content(outcomes)
    if page and done:
        write(shown, page.with_suffix(".json"))
        write_text(page, written(shown))
    if summary and done:
        from graph_eval.bench.summary import summary_page

        write_text(summary, summary_page(done))
    rows = [[one.entry.name, one.seconds, one.problem or f"{folder / one.entry.name}.json"] for one in outcomes]
    print_table(console(), ("benchmark", "seconds", "file"), rows, right=False)
    if readme:
        if any(outcome.value and outcome.entry.name == REFERENCE for outcome in outcomes):
            write_text(readme, inserted(old, shown))
        else:
            tell(f"{readme} was not changed, because bench {REFERENCE} was not measured", "see the table above")
    return 0 if len(done) == len(outcomes) else 3
