"""graph-eval selfcheck: compare responses with samples, and report what the model does not repeat."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.check import accepted_share, gate
from graph_eval.cli.messages import tell, visible
from graph_eval.cli.options import (
    CLAIMS,
    INPUT,
    RESULTS,
    SAMPLES,
    Given,
    OutputFile,
    SectionedCommand,
    check_model_options,
    input_options,
    load_option,
    opened_sinks,
    plural,
    refuse_extractor,
    request_options,
    run_options,
    section,
    source_of,
)
from graph_eval.cli.printing import TextPrinter

if TYPE_CHECKING:
    from rich.console import Console

    from graph_eval.cli.printing import Printer
    from graph_eval.graph.rows import Scope
    from graph_eval.types import Result

FORMATS = ("text", "json", "jsonl")
MARKS = {True: "✗", False: "✓", None: "–"}
STYLES = {True: "red", False: "green", None: "dim"}


@click.command("selfcheck", cls=SectionedCommand, short_help="Find what the model does not say again.")
@input_options
@section(
    INPUT,
    click.option(
        "--sample", "samples", multiple=True, metavar="TEXT", help="Compare --response with TEXT, or @FILE. Repeatable."
    ),
)
@run_options
@load_option
@section(
    SAMPLES,
    click.option(
        "--method",
        metavar="NAME",
        help="Compare by graph (default), nli, cosine, ngram, bertscore, prompt:MODEL, prompt-response:MODEL, "
        "'ensemble:A+B'.",
    ),
    click.option(
        "--sample-with", metavar="MODEL", help="Ask MODEL the question of a record again if it has no samples."
    ),
    click.option("-n", "--sample-count", type=int, metavar="N", help="Draw N samples for each record (default 5)."),
    click.option(
        "--temperature", "sample_temperature", type=float, metavar="T", help="Sample at temperature T (default 0.7)."
    ),
)
@section(
    CLAIMS,
    click.option(
        "--threshold",
        "consistency_threshold",
        type=float,
        metavar="P",
        help="Flag what has a score above P (default 0.5).",
    ),
    click.option("--check", "checking", is_flag=True, help="Also judge the claims against the context."),
    click.option(
        "--checker", metavar="NAME", help="With --check, judge with builtin (default), nli:MODEL, llm:MODEL, ..."
    ),
)
@request_options
@check_model_options
@section(
    RESULTS,
    click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Print results in this format."),
    click.option("--report", type=OutputFile(), metavar="FILE.html", help="Also write an HTML report to FILE.html."),
    click.option(
        "--fail-on",
        metavar="any|SHARE",
        help="Exit with 1 if any response is flagged by its samples, or if more than SHARE (0 to 1) are. "
        "Verdicts against the context do not count.",
    ),
)
def command(
    given: Given,
    samples: tuple[str, ...],
    output: Path | None,
    allow_errors: bool,
    store: str | None,
    share_names: Scope,
    checking: bool,
    form: str,
    report: Path | None,
    fail_on: str | None,
    **flags: Any,
) -> int:
    """Find what the model does not say again: compare responses with further answers to the same question.

    A score from 0 to 1 stands for each response, each sentence and, by the method graph, each claim. A high score means
    that the samples do not support it. Such text is probably made up. No context is needed.

    INPUT: as for "check". A record has "response" and "samples" (a list of texts), or "question" with --sample-with. A
    RUN of "check" keeps its verdicts, and gets the consistency beside them.

    \b
    graph-eval selfcheck answers.jsonl --report report.html
    graph-eval selfcheck questions.jsonl --sample-with openai/gpt-4o-mini -n 5 --temperature 0.7 -o RUN
    graph-eval selfcheck --response "Curie was born in Paris." --sample "Curie was born in Warsaw."
    """
    share = accepted_share(fail_on)
    from graph_eval.cli.printing import print_job, print_store
    from graph_eval.formats.records import WITHOUT_CONTEXT
    from graph_eval.jobs import Job
    from graph_eval.pipeline import GraphEval
    from graph_eval.reports.sink import ReportSink
    from graph_eval.settings import load

    settings = load(flags)
    source = source_of(given, settings.limits, WITHOUT_CONTEXT, samples)
    refuse_extractor(source, flags["extractor"])
    ge = GraphEval(settings=settings)
    plan = ge.selfcheck_plan(source.extracted, checking)
    counts = Counts()
    with opened_sinks(output, store, share_names) as (sinks, loading):
        if report:
            sinks.append(ReportSink(report, given.title, plan.settings_after(source.run)))
        summary = print_job(Job(source, plan, sinks), ge, _printer(form, counts))
        store_failed = print_store(loading, store, output)
    code = 0 if share is None else counts.gate(share)
    return 3 if store_failed or (summary.errors and not allow_errors) else code


class Counts:
    """The number of responses with a score, and of those that are flagged."""

    def __init__(self) -> None:
        self.results = self.scored = self.flagged = self.errors = 0

    def add(self, record: Mapping[str, Any]) -> None:
        self.results += 1
        self.scored += record["score"] is not None
        self.flagged += bool(record["flagged"])
        self.errors += record["error"] is not None

    def gate(self, accepted: float) -> int:
        """The exit code of --fail-on. A gate that fails says why."""
        if not self.scored:
            hint = "see the errors" if self.errors else "a refusal or an empty response has no score"
            tell("--fail-on: no response was compared with samples", hint)
            return 3
        return gate(self.flagged, self.scored, accepted, plural(self.scored, "response"), "flagged")


def _printer(form: str, counts: Counts) -> Printer:
    return SelfCheckPrinter(counts) if form == "text" else RecordPrinter(counts, listed=form == "json")


class RecordPrinter:
    """Prints one JSON object for each response, on a line of its own. `listed`: as one JSON list."""

    def __init__(self, counts: Counts, listed: bool) -> None:
        self._counts = counts
        self._listed = listed

    def add(self, result: Result) -> None:
        from graph_eval.consistency.record import record

        value = record(result)
        first = self._counts.results == 0
        self._counts.add(value)
        before = ("[\n" if first else ",\n") if self._listed else ""
        click.echo(before + json.dumps(value, ensure_ascii=False), nl=not self._listed)

    def close(self) -> None:
        if self._listed:
            click.echo("\n]" if self._counts.results else "[]")


class SelfCheckPrinter(TextPrinter):
    """Prints each response with the scores of its sentences and claims as text."""

    def __init__(self, counts: Counts) -> None:
        super().__init__()
        self._counts = counts

    def add(self, result: Result) -> None:
        from graph_eval.consistency.record import record

        value = record(result)
        self._counts.add(value)
        print_record(self.console, value)

    def close(self) -> None:
        counts = self._counts
        if counts.results > 1:
            failed = f", {counts.errors} failed" if counts.errors else ""
            self.console.print(f"{counts.flagged} of {plural(counts.scored, 'response')} flagged{failed}")


def print_record(out: Console, value: Mapping[str, Any]) -> None:
    """Prints the scores of a response, and what the samples say on its flagged claims."""
    from rich.text import Text

    heading = [visible(value["id"])]
    if value["score"] is not None:
        heading.append(f"{MARKS[value['flagged']]} {value['score']:.2f} over {plural(value['samples'], 'sample')}")
    if value["silent"] is not None:
        heading.append(f"the response says nothing ({value['silent']})")
    if value["left_out"]:
        reasons = ", ".join(f"{item['sample'] + 1} ({item['reason']})" for item in value["left_out"])
        heading.append(f"left out: {reasons}")
    if value["not_drawn"]:
        count = plural(len(value["not_drawn"]), "sample")
        heading.append(f"{count} not drawn: {visible(value['not_drawn'][0])}")
    out.print(Text(" · ".join(heading), style="bold"))
    if value["error"] is not None:
        out.print(Text(f"  failed: {visible(value['error'])}", style="red"))
    for item in value["sentences"]:
        shown = "    " if item["score"] is None else f"{item['score']:.2f}"
        flag = None if item["score"] is None else item["flagged"]
        out.print(Text(f"  {MARKS[flag]} {shown}  {visible(item['text'])}", style=STYLES[flag]))
    for claim in value["claims"]:
        against_context = claim.get("verdict", {}).get("flagged")
        if claim["flagged"] or claim["contradicted"] or "error" in claim or against_context:
            out.print(Text(f"      {_claim_line(claim)}"))
            for said in claim["samples_say"]:
                if said["relation"] == "REFUTED_BY":
                    out.print(Text(f"        sample {said['sample'] + 1}: “{visible(said['text'])}”", style="dim"))
    out.print()


def _claim_line(claim: Mapping[str, Any]) -> str:
    notes = []
    if claim["score"] is not None:
        counts = f"supported by {claim['supported']} of {claim['samples']}, contradicted by {claim['contradicted']}"
        notes.append(counts)
    if "error" in claim:
        notes.append(f"failed: {visible(claim['error'])}")
    verdict = claim.get("verdict")
    if verdict and verdict["label"]:
        notes.append(f"against the context: {verdict['label']}")
    score = "    " if claim["score"] is None else f"{claim['score']:.2f}"
    return f"{score}  {visible(claim['text'])}  {'; '.join(notes)}"
