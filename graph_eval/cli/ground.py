"""graph-eval ground: find passages for responses without a context, without judging their claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.messages import visible
from graph_eval.cli.options import (
    CLAIMS,
    RESULTS,
    Given,
    SectionedCommand,
    check_model_options,
    ground_options,
    input_options,
    load_option,
    model_options,
    opened_sinks,
    plural,
    refuse_extractor,
    require_ground,
    run_options,
    section,
    source_of,
)
from graph_eval.cli.printing import LinePrinter, TextPrinter

if TYPE_CHECKING:
    from rich.console import Console

    from graph_eval.cli.printing import Printer
    from graph_eval.graph.rows import Scope
    from graph_eval.types import Result

FORMATS = ("text", "jsonl", "records")


@click.command("ground", cls=SectionedCommand, short_help="Find passages for responses without a context.")
@input_options
@run_options
@load_option
@ground_options
@section(
    CLAIMS,
    click.option("--checker", metavar="NAME", help="With --ground-hops, judge with builtin (default), nli:MODEL, ..."),
)
@model_options
@check_model_options
@section(
    RESULTS,
    click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Print results in this format."),
)
def command(
    given: Given,
    output: Path | None,
    allow_errors: bool,
    store: str | None,
    share_names: Scope,
    form: str,
    **flags: Any,
) -> int:
    """Find passages for responses without a context.

    Each claim becomes a query. The passages of all claims of a response are its context. Responses with a context of
    their own keep it.

    INPUT: as for "check", without context. With -o RUN the claims can be judged later: graph-eval check RUN. The format
    records prints the input with the passages, as input for "check" and for other programs.

    \b
    graph-eval ground answers.jsonl --ground docs/ --format records > grounded.jsonl
    graph-eval ground answers.jsonl --ground hybrid:docs/ --ground-index INDEX -o RUN
    """
    from graph_eval.cli.printing import print_job, print_store
    from graph_eval.jobs import Job
    from graph_eval.pipeline import GraphEval
    from graph_eval.settings import load

    settings = load(flags)
    require_ground(settings, flags)
    ge = GraphEval(settings=settings)
    source = source_of(given, settings.limits, ge.required)
    refuse_extractor(source, flags["extractor"])
    plan = ge.ground_plan(source.extracted)
    with opened_sinks(output, store, share_names) as (sinks, loading):
        summary = print_job(Job(source, plan, sinks), ge, _printer(form))
        store_failed = print_store(loading, store, output)
    return 3 if store_failed or (summary.errors and not allow_errors) else 0


def _printer(form: str) -> Printer:
    if form == "text":
        return GroundPrinter()
    from graph_eval.cli.printing import printer
    from graph_eval.formats.writers import record

    return printer(form) if form == "jsonl" else LinePrinter(lambda result: record(result) + "\n")


class GroundPrinter(TextPrinter):
    """Prints each response with its claims, what was asked for them, and the beginning of what was found."""

    def add(self, result: Result) -> None:
        print_searches(self.console, result)

    def close(self) -> None:
        """Nothing is left to print."""


def print_searches(out: Console, result: Result) -> None:
    from rich.text import Text

    from graph_eval.cli.terminal import searched
    from graph_eval.graph.searches import searches

    count = len(result.example.passages) if result.example else 0
    out.print(Text(f"{visible(result.name)} · {plural(count, 'passage')}", style="bold"))
    if result.error is not None:
        out.print(Text(f"  failed: {visible(str(result.error))}", style="red"))
    claims = {claim.id: claim.text for claim in result.claims}
    passages = {passage.id: passage for passage in result.example.passages} if result.example else {}
    found = searches(result)
    for claim in dict.fromkeys(search.claim_id for search in found):
        out.print(Text(f"  {visible('the response' if claim is None else claims[claim])}"))
        for search in found:
            if search.claim_id == claim:
                out.print(Text(f"    {searched(search)}", style="dim"))
                for identity in search.passages:
                    if passage := passages.get(identity):
                        out.print(Text(f"      {visible(passage.source or '')}: {_beginning(visible(passage.text))}"))
    out.print()


def _beginning(text: str, most: int = 90) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
