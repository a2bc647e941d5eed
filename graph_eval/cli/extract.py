"""graph-eval extract: the claims of responses, not judged yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.options import input_options, job, model_options, results, run_options, telling


@click.command("extract")
@input_options
@run_options
@model_options
@click.option("--format", "form", type=click.Choice(("text", "jsonl")), default="text", help="What is printed.")
def command(
    inputs: tuple[str, ...],
    response: str | None,
    context: tuple[str, ...],
    question: str | None,
    mapping: tuple[str, ...],
    limit: int | None,
    output: Path | None,
    extractor: str | None,
    chunk: int | None,
    threads: int | None,
    allow_errors: bool,
    form: str,
    **of_models: Any,
) -> int:
    """The claims that these responses make, with the words they came from.

    INPUT as for "check". With -o RUN the claims can be judged later: graph-eval check RUN.
    """
    from graph_eval.cli.terminal import console, print_result, progress
    from graph_eval.formats.results import to_json
    from graph_eval.pipeline import GraphEval
    from graph_eval.settings import load

    settings = load({"extractor": extractor, "chunk": chunk, "threads": threads, **of_models})
    ge = GraphEval(settings=settings)
    work = job(inputs, response, context, question, mapping, limit)
    out = console()
    errors = 0
    with (
        results("extract", work, ge, settings, output) as stream,
        telling(ge) as told,
        progress(stream, work.total, out if form == "text" else None) as shown,
    ):
        for result in shown:
            told(result)
            errors += result.error is not None
            if form == "text":
                print_result(out, result)
            else:
                click.echo(to_json(result))
    return 3 if errors and not allow_errors else 0
