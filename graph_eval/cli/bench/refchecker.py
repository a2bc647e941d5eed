"""graph-eval bench refchecker: rank language models by RefChecker's rates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import bench_of, data_option, measure, output_option, refuse_with_input
from graph_eval.cli.options import (
    OutputFile,
    check_model_options,
    file_options,
    model_options,
    profile_option,
    refuse_extractor,
)
from graph_eval.errors import InputError, UsageError

PAGES = (".md", ".html")


@click.command("refchecker", short_help="Rank language models by RefChecker's rates.")
@click.argument("inputs", nargs=-1, metavar="[INPUT]...")
@data_option
@click.option(
    "--setting",
    "chosen",
    multiple=True,
    type=click.Choice(("zero", "noisy", "accurate")),
    help="Read only answers without a context (zero), with retrieved passages (noisy), or with the text itself "
    "(accurate). Repeatable.",
)
@click.option(
    "--model", "models", multiple=True, metavar="NAME", help="Read only the answers of this model. Repeatable."
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    metavar="N",
    help="Read only the first N answers of each model in each setting, or the first N of INPUT.",
)
@output_option
@file_options
@click.option(
    "--leaderboard", type=OutputFile(), metavar="FILE.md|FILE.html", help="Also write the leaderboard to this file."
)
@click.option("--checker", metavar="NAME", help="Judge with builtin (default), llm:MODEL, or another checker.")
@click.option("--extractor", metavar="NAME", help="Extract claims with this extractor (default rules).")
@click.option("--threshold", metavar="P|NAME", help="Use this threshold (default: that of the checker).")
@profile_option
@click.option("--threads", type=int, metavar="N", help="Use N threads for local models (default 0: one per core).")
@check_model_options
@model_options
def command(
    inputs: tuple[str, ...],
    mapping: tuple[str, ...],
    input_format: str | None,
    data: Path | None,
    chosen: tuple[str, ...],
    models: tuple[str, ...],
    limit: int | None,
    output: Path | None,
    leaderboard: Path | None,
    **flags: Any,
) -> int:
    """Rank language models by the share of their claims that is supported, and compare the ranks with those by people.

    With --data the answers are those of seven models, whose claims people labelled (RefChecker, arXiv 2405.14486). The
    checker judges the triplets of people, and the claims that the extractor finds.

    INPUT: your own answers, each with its model: the records of "graph-eval bench collect", or one RUN directory of
    "graph-eval check", whose verdicts count.

    \b
    graph-eval bench refchecker --data DIR -o refchecker.json --leaderboard leaderboard.html
    graph-eval bench refchecker --data DIR --setting noisy --checker llm:openai/gpt-4o-mini
    graph-eval bench refchecker responses.jsonl --leaderboard leaderboard.md

    With -o an interrupted benchmark continues: FILE.runs/ contains a run for each setting and route.
    """
    if leaderboard is not None and leaderboard.suffix.lower() not in PAGES:
        raise UsageError(f"--leaderboard {leaderboard}: unknown kind of file", "name it FILE.md or FILE.html")
    from graph_eval.bench import tables
    from graph_eval.bench.refchecker import RefChecker
    from graph_eval.output import write_text
    from graph_eval.reports.leaderboard import leaderboard_page
    from graph_eval.settings import load
    from graph_eval.sources import open_source

    def write(value: dict[str, Any]) -> None:
        if not value["items"]:
            raise InputError(f"{', '.join(inputs)} has no answers", "pass records with a response and its model")
        if leaderboard is None:
            return
        table = next(one for one in value["tables"] if one["name"] == "leaderboard")
        if leaderboard.suffix.lower() == ".md":
            write_text(leaderboard, tables.markdown(table) + "\n")
            return
        headings, lines = tables.grid(table)
        write_text(leaderboard, leaderboard_page(table["title"], headings, lines, table["note"], value["settings"]))

    settings = load(flags)
    bench = bench_of(settings, data, limit, output)
    if inputs:
        refuse_with_input(
            {"--data": data, "--setting": chosen, "--model": models},
            "pass your own answers, or choose among the published ones",
        )
        bench.responses = open_source(inputs, mapping, limit, input_format, settings.limits)
        refuse_extractor(bench.responses, flags["extractor"])
        if bench.responses.run is not None and "extractor" not in bench.responses.run.fingerprints:
            raise UsageError(f"{inputs[0]} is a run without claims", "pass its responses as records")
        if bench.responses.judged and any(flags[name] for name in ("checker", "threshold", "profile")):
            raise UsageError(f"{inputs[0]} has verdicts already", "leave out the checker's options, or pass records")
    return measure(RefChecker(tuple(dict.fromkeys(chosen)), tuple(dict.fromkeys(models))), bench, output, write)
