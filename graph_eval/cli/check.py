"""graph-eval check: extract claims, judge them against the context, say which are wrong and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.options import (
    check_model_options,
    correct_options,
    input_options,
    job,
    loading,
    model_options,
    results,
    run_options,
    store_option,
    telling,
)
from graph_eval.errors import UsageError

if TYPE_CHECKING:
    from graph_eval.pipeline import GraphEval
    from graph_eval.reports.page import Report
    from graph_eval.types import Result

FORMATS = ("text", "json", "jsonl", "csv")
COLUMNS = (
    "n,id,model,response_label,claim,kind,subject,predicate,object,label,p_inconsistent,flagged,"
    "start,end,evidence,error"
).split(",")


@click.command("check")
@input_options
@run_options
@store_option
@click.option("--checker", metavar="NAME", help="builtin (default), nli:MODEL, hhem-2.1, llm:MODEL, ensemble:A+B, ...")
@click.option(
    "--threshold", metavar="P|NAME", help="Flag claims above this p(inconsistent); builtin: or summary, free-text."
)
@click.option("--aggregate", metavar="RULE", help="any (default), strict, soft, major, mean, rate:SHARE.")
@click.option("--correct", "correcting", is_flag=True, help="Also rewrite the words behind flagged claims.")
@correct_options
@model_options
@check_model_options
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="What is printed.")
@click.option("--all-claims", is_flag=True, help="Text: supported claims too.")
@click.option("--report", type=click.Path(path_type=Path), metavar="FILE.html", help="Also write the report.")
@click.option("--fail-on", metavar="any|RATE", help="Exit 1 if any, or more than this share, is inconsistent.")
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
    store: str | None,
    checker: str | None,
    threshold: str | None,
    aggregate: str | None,
    form: str,
    all_claims: bool,
    report: Path | None,
    fail_on: str | None,
    correcting: bool,
    **of_models: Any,
) -> int:
    """Which claims of these responses does their context not support?

    INPUT is .jsonl, .json or .csv (each also .gz), "-" for JSON lines on standard input, or a RUN directory, whose
    claims are judged again. Fields: response, context (a text or a list), and id, question, model if there are.

    \b
    graph-eval check answers.jsonl --report report.html
    graph-eval check answers.jsonl -o RUN --format jsonl > results.jsonl
    graph-eval check --response "Paris is in Spain." --context "Paris is the capital of France."
    """
    limit_share = _fail_limit(fail_on)
    from graph_eval.cli.correct import print_correction
    from graph_eval.cli.terminal import Summary, console, print_result, progress
    from graph_eval.pipeline import GraphEval
    from graph_eval.settings import load

    flags = {
        "extractor": extractor,
        "checker": checker,
        "threshold": threshold,
        "aggregate": aggregate,
        "chunk": chunk,
        "threads": threads,
        **of_models,
    }
    settings = load(flags)
    ge = GraphEval(settings=settings)
    work = job(inputs, response, context, question, mapping, limit)
    if work.from_run is not None and extractor is not None:
        raise UsageError(f"{inputs[0]} is a run: its claims are there already", "leave --extractor out")
    if work.from_run is not None and correcting:
        raise UsageError(f"{inputs[0]} is a run", f"graph-eval correct {inputs[0]} corrects it by its own parts")
    stage = "correct" if correcting else "check"
    summary = Summary()
    out = console()
    writer = _writer(form)
    with (
        loading(store, work, ge, stage) as graph,
        _report(report, inputs, ge) as page,
        results(stage, work, ge, settings, output) as stream,
        telling(ge) as told,
        progress(stream, work.total, out if form == "text" else None, engines=ge.engines) as shown,
    ):
        for result in shown:
            summary.add(result)
            told(result)
            if page is not None:
                page.add(result)
            if graph is not None:
                graph.add(result)
            if form == "text" and result.revision is not None:
                print_correction(out, result, all_claims)
            elif form == "text":
                print_result(out, result, all_claims)
            else:
                writer.add(result)
    if form == "text":
        if work.total != 1:
            summary.print(out)
    else:
        writer.close()
    if graph is not None and graph.problem is not None:
        click.echo(f"graph-eval: {graph.problem.message}", err=True)
        hint = f"graph-eval load {output} --store {store}" if output else "check again, with -o RUN to keep the results"
        click.echo(f"  {graph.problem.hint}; then: {hint}", err=True)
        return 3
    if summary.errors and not allow_errors:
        return 3
    if limit_share is not None and summary.judged and summary.inconsistent / summary.judged > limit_share:
        return 1
    return 0


@contextmanager
def _report(path: Path | None, inputs: tuple[str, ...], ge: GraphEval) -> Iterator[Report | None]:
    if path is None:
        yield None
        return
    from graph_eval.reports.page import report_file

    title = ", ".join(Path(name).name for name in inputs) or "one response"
    with report_file(path, title, ge.settings.of_results()) as page:
        yield page


def _fail_limit(value: str | None) -> float | None:
    """The share of inconsistent responses that is still accepted; None without a policy."""
    if value is None:
        return None
    if value == "any":
        return 0.0
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise UsageError(f"--fail-on {value}", "write any, or a share from 0 to 1")
    return share


class JsonLines:
    """One Result a line, as in results.jsonl."""

    def add(self, result: Result) -> None:
        from graph_eval.formats.results import to_json

        click.echo(to_json(result))

    def close(self) -> None:
        """Nothing is left to write."""


class JsonList(JsonLines):
    """All Results as one JSON list."""

    def __init__(self) -> None:
        self.opened = False

    def add(self, result: Result) -> None:
        click.echo("," if self.opened else "[")
        self.opened = True
        super().add(result)

    def close(self) -> None:
        click.echo("]" if self.opened else "[]")


class CsvRows(JsonLines):
    """One row a claim; a response without claims has one row with its label or error."""

    def __init__(self) -> None:
        self._echo(COLUMNS)

    def add(self, result: Result) -> None:
        example = result.example
        first = [result.n, example.id if example else "", (example.model if example else "") or "", result.label or ""]
        if not result.claims:
            self._echo([*first, *[""] * (len(COLUMNS) - 5), result.error or ""])
        passages = {passage.id: passage.text for passage in example.passages} if example else {}
        for claim, judgement in zip(result.claims, result.judgements, strict=True):
            slots = [slot.text for slot in claim.slots] or ["", "", ""]
            evidence = [item.span.of(passages[item.passage_id]) for item in judgement.evidence[:1]]
            spans = claim.spans
            self._echo(
                [
                    *first,
                    claim.text,
                    claim.kind,
                    *slots,
                    judgement.label or "",
                    "" if judgement.p_inconsistent is None else judgement.p_inconsistent,
                    int(judgement.flagged),
                    spans[0].start,
                    spans[-1].end,
                    *(evidence or [""]),
                    judgement.error or "",
                ]
            )

    @staticmethod
    def _echo(cells: Iterable[object]) -> None:
        from graph_eval.cli.terminal import csv_line

        click.echo(csv_line(cells), nl=False)


def _writer(form: str) -> JsonLines:
    return {"json": JsonList, "csv": CsvRows}.get(form, JsonLines)() if form != "text" else JsonLines()
