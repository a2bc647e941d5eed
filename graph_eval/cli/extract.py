"""graph-eval extract: extract the claims of responses, without judging them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graph_eval.cli.options import (
    RESULTS,
    Given,
    SectionedCommand,
    input_options,
    model_options,
    refuse_extractor,
    run_options,
    section,
    source_of,
)


@click.command("extract", cls=SectionedCommand, short_help="Extract the claims of responses, without judging them.")
@input_options
@run_options
@model_options
@section(
    RESULTS,
    click.option(
        "--format", "form", type=click.Choice(("text", "jsonl")), default="text", help="Print results in this format."
    ),
)
def command(
    given: Given,
    output: Path | None,
    allow_errors: bool,
    form: str,
    **flags: Any,
) -> int:
    """Extract the claims of responses, with the words that they came from.

    INPUT: as for "check". The claims of a RUN are printed unchanged. With -o RUN the claims can be judged later:
    graph-eval check RUN.
    """
    from graph_eval.cli.printing import print_job, printer
    from graph_eval.jobs import Job
    from graph_eval.pipeline import GraphEval
    from graph_eval.runs.resume import RunDirectory
    from graph_eval.settings import load

    settings = load(flags)
    source = source_of(given, settings.limits)
    refuse_extractor(source, flags["extractor"])
    ge = GraphEval(settings=settings)
    job = Job(source, ge.plan_for(source, check=False), [RunDirectory(output)] if output else [])
    summary = print_job(job, ge, printer(form))
    return 3 if summary.errors and not allow_errors else 0
