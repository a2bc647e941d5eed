"""graph-eval bench retrieval: measure the search for passages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import (
    data_option,
    shown_figure,
    tracked,
)
from graph_eval.cli.options import (
    OutputFile,
    check_model_options,
    model_options,
)
from graph_eval.errors import UsageError


@click.command("retrieval", short_help="Measure the search for passages.")
@data_option
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Read only the first N questions.")
@click.option(
    "-o", "--output", type=OutputFile(), metavar="FILE.json", help="Write the results and the score of each claim."
)
@click.option("--checker", metavar="NAME", help="Judge with builtin (default), llm:MODEL, or another checker.")
@click.option("--threshold", metavar="P|NAME", help="Use this threshold (default: that of the checker).")
@click.option("--ground-encoder", metavar="MODEL", help="Use this model of sentence-transformers for dense retrieval.")
@click.option("--threads", type=int, metavar="N", help="Use N threads for local models (default 0: one per core).")
@click.option(
    "--scale",
    "passages",
    type=click.IntRange(1),
    metavar="N",
    help="Measure the index of a corpus of N passages instead: time, size and memory.",
)
@check_model_options
@model_options
def command(data: Path | None, limit: int | None, output: Path | None, passages: int | None, **flags: Any) -> None:
    """Measure retrieval on RefChecker's noisy questions, whose passages are one corpus.

    The first table is recall of the passages of a claim's question. The second has the verdicts on what was found
    beside those on the given passages.

    \b
    graph-eval bench retrieval --data DIR -o retrieval.json
    graph-eval bench retrieval --data DIR --scale 100000
    """
    from graph_eval.bench import record, retrieval, retrieval_scale
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.settings import load

    if data is None:
        raise UsageError("missing --data", "pass the folder that holds the published sets")
    settings = load(flags)
    if passages:
        value = retrieval_scale.scale(data, settings, passages, track=tracked)
    else:
        value = retrieval.retrieval(data, settings, limit, tracked)
    if output:
        record.write(value, output)
    if passages:
        columns = list(value["rows"][0])
        print_table(
            console(),
            ["", *(row["retriever"] for row in value["rows"])],
            [[name.replace("_", " "), *(row[name] for row in value["rows"])] for name in columns[1:]],
        )
        outcome = value["killed"]
        again = "answers as before" if outcome["same_answers"] else "answers otherwise"
        console().print(f"killed after {outcome['after_seconds']} s of indexing: the next run {again}")
        return
    metrics = [*(f"recall@{depth}" for depth in retrieval.DEPTHS), f"precision@{retrieval.K}"]
    print_table(
        console(),
        ("retriever", "query", *metrics),
        [[row["retriever"], row["query"], *(shown_figure(row[name]) for name in metrics)] for row in value["recall"]],
    )
    console().print()
    print_table(
        console(),
        ("passages", "k", "of a", "errors", "AUC", "accuracy", "AUC above given"),
        [
            [
                *(row[name] for name in ("passages", "k", "by", "errors")),
                shown_figure(row["auc"]),
                shown_figure(row["accuracy"]),
                shown_figure(row.get("above_given", {}).get("auc"), sign=True),
            ]
            for row in value["verdicts"]
        ],
    )
