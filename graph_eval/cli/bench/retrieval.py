"""graph-eval bench retrieval: measure the search for passages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import bench_of, data_option, measure
from graph_eval.cli.options import (
    OutputFile,
    check_model_options,
    model_options,
)


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
def command(data: Path | None, limit: int | None, output: Path | None, passages: int | None, **flags: Any) -> int:
    """Measure retrieval on RefChecker's noisy questions, whose passages are one corpus.

    The first table is recall of the passages of a claim's question. The second has the verdicts on what was found
    beside those on the given passages.

    \b
    graph-eval bench retrieval --data DIR -o retrieval.json
    graph-eval bench retrieval --data DIR --scale 100000

    With -o an interrupted benchmark continues (not with --scale): FILE.runs/ contains a run for each row of the second
    table.
    """
    from graph_eval.bench.retrieval import Retrieval
    from graph_eval.bench.retrieval_scale import RetrievalScale
    from graph_eval.settings import load

    return measure(
        RetrievalScale(passages) if passages else Retrieval(), bench_of(load(flags), data, limit, output), output
    )
