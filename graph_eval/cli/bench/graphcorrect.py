"""graph-eval bench graphcorrect: measure corrections of flagged texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.bench.options import bench_of, common_options, data_option, measure
from graph_eval.cli.options import acceptance_options, check_model_options


@click.command("graphcorrect", short_help="Measure corrections of flagged texts.")
@data_option
@common_options
@acceptance_options
@click.option("--set", "names", multiple=True, metavar="NAME", help="Use this published set. Repeatable.")
@click.option("--checker", metavar="NAME", help="Flag claims and judge edits with this checker.")
@check_model_options
@click.option(
    "--model", metavar="MODEL", help="Also run the correctors llm:MODEL, graphcorrect:MODEL and direct:MODEL."
)
@click.option(
    "--independent", metavar="NAME", help="Also judge the corrections with this checker, which plays no part in them."
)
def command(
    data: Path | None,
    names: tuple[str, ...],
    model: str | None,
    independent: str | None,
    limit: int | None,
    output: Path | None,
    **flags: Any,
) -> int:
    """Correct flagged texts with each corrector, and measure what changed (GraphEval, tables 3 and 4).

    \b
    graph-eval bench graphcorrect --data DIR -o graphcorrect.json
    graph-eval bench graphcorrect --data DIR --set defacto --model openai/gpt-4o-mini

    The default sets are summeval, qags-c and qags-x, and summedits and defacto, whose right versions are known. The
    correctors that need a language model run only with --model. With -o an interrupted benchmark continues.
    """
    from graph_eval.bench.graphcorrect import GraphCorrect
    from graph_eval.settings import load

    return measure(GraphCorrect(model, independent), bench_of(load(flags), data, limit, output, names), output)
