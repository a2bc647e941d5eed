"""graph-eval check: extract claims, judge them against the context, and report unsupported claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.messages import tell
from graph_eval.cli.options import (
    CLAIMS,
    CORRECTION,
    RESULTS,
    Given,
    OutputFile,
    SectionedCommand,
    check_model_options,
    correct_options,
    ground_options,
    input_options,
    load_option,
    model_options,
    opened_sinks,
    plural,
    profile_option,
    refuse_extractor,
    require_ground,
    run_options,
    section,
    source_of,
)
from graph_eval.errors import UsageError
from graph_eval.types import Label

if TYPE_CHECKING:
    from graph_eval.cli.terminal import Summary
    from graph_eval.graph.rows import Scope

FORMATS = ("text", "json", "jsonl", "csv")


@click.command("check", cls=SectionedCommand, short_help="Find claims that the context does not support.")
@input_options
@run_options
@load_option
@section(
    CLAIMS,
    click.option(
        "--checker",
        metavar="NAME",
        help="Judge with builtin (default), nli:MODEL, hhem-2.1, llm:MODEL, 'cascade:A>B', ...",
    ),
    click.option(
        "--threshold",
        metavar="P|NAME",
        help="Flag claims with p(inconsistent) above P (default 0.5). "
        "With builtin also: summary, claims (for texts that are often wrong), strict.",
    ),
    profile_option,
    click.option(
        "--aggregate",
        metavar="RULE",
        help="Choose the rule for a response's verdict: any (default), strict, soft, major, mean, rate:SHARE.",
    ),
)
@ground_options
@section(
    CORRECTION,
    click.option("--correct", "correcting", is_flag=True, help="Also rewrite the words behind flagged claims."),
    correct_options,
)
@model_options
@check_model_options
@section(
    RESULTS,
    click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Print results in this format."),
    click.option("--all-claims", is_flag=True, help="Print supported claims too (text format)."),
    click.option("--report", type=OutputFile(), metavar="FILE.html", help="Also write an HTML report to FILE.html."),
    click.option(
        "--fail-on",
        metavar="any|SHARE",
        help="Exit with 1 if any response is inconsistent, or if more than SHARE (0 to 1) are.",
    ),
    click.option("--allow-empty", is_flag=True, help="Let --fail-on pass if no response has a claim to judge."),
)
def command(
    given: Given,
    output: Path | None,
    allow_errors: bool,
    allow_empty: bool,
    store: str | None,
    share_names: Scope,
    form: str,
    all_claims: bool,
    report: Path | None,
    fail_on: str | None,
    correcting: bool,
    **flags: Any,
) -> int:
    """Find the claims in responses that the context does not support.

    INPUT: .jsonl, .json or .csv files (also .gz), a folder of them, "-" for standard input (JSON lines by default), or
    one RUN directory (its claims are judged again). Record fields: response, context (a text or a list of texts), and
    optionally id, question, model. With --ground the context may be missing.

    \b
    graph-eval check answers.jsonl --report report.html
    graph-eval check answers.jsonl -o RUN --format jsonl > results.jsonl
    graph-eval check answers.jsonl --ground docs/
    graph-eval check --response "Paris is in Spain." --context "Paris is the capital of France."
    """
    share = accepted_share(fail_on)
    from graph_eval.cli.printing import print_job, print_store, printer
    from graph_eval.jobs import Job
    from graph_eval.pipeline import GraphEval
    from graph_eval.reports.sink import ReportSink
    from graph_eval.settings import load

    settings = load(flags)
    require_ground(settings, flags)
    ge = GraphEval(settings=settings)
    source = source_of(given, settings.limits, ge.required)
    refuse_extractor(source, flags["extractor"])
    if source.extracted and correcting:
        raise UsageError(
            f"--correct cannot be used with a run directory ({given.inputs[0]})",
            f"run: graph-eval correct {given.inputs[0]}",
        )
    if share is not None and ge.checker.threshold >= 1:
        raise UsageError(f"--fail-on {fail_on}: no probability is above the threshold 1", "pass a lower --threshold")
    plan = ge.plan_for(source, correct=correcting, recheck=True)
    with opened_sinks(output, store, share_names) as (sinks, loading):
        if report:
            sinks.append(ReportSink(report, given.title, plan.settings_after(source.run)))
        summary = print_job(Job(source, plan, sinks), ge, printer(form, all_claims, summarise=True))
        store_failed = print_store(loading, store, output)
    code = 0 if share is None else _gate(summary, share, allow_empty)
    return 3 if store_failed or (summary.errors and not allow_errors) else code


def _gate(summary: Summary, accepted_share: float, allow_empty: bool) -> int:
    """The exit code of --fail-on. A gate that fails says why. Responses without a claim (Abstain) do not count."""
    without_claims = summary.labels[Label.ABSTAIN]
    # A flag counts although another claim of the response could not be judged.
    judged = summary.judged - without_claims + summary.failed_flagged
    inconsistent = summary.inconsistent + summary.failed_flagged
    if not judged:
        if summary.errors:
            tell("--fail-on: no response was judged, see the errors")
            return 3
        if allow_empty:
            return 0
        reason = f" ({without_claims} without a claim)" if without_claims else ""
        tell(f"--fail-on: no response was judged{reason}", "check the input, or pass --allow-empty")
        return 3
    responses = f"{plural(judged, 'response')}{' with claims' * bool(without_claims)}"
    return gate(inconsistent, judged, accepted_share, responses, "inconsistent")


def gate(wrong: int, judged: int, accepted_share: float, responses: str, what: str) -> int:
    """The exit code of --fail-on: 1, and a message, if the share of wrong responses is above the accepted one.

    `responses`, `what`: how the message names the judged responses, and the wrong ones.
    """
    share = wrong / judged
    if share <= accepted_share:
        return 0
    # As many digits as it takes to see that the share is above the limit.
    percentages = ((f"{share:.{digits}%}", f"{accepted_share:.{digits}%}") for digits in range(8))
    found, limit = next(((one, other) for one, other in percentages if one != other), (str(share), str(accepted_share)))
    tell(f"--fail-on: {wrong} of {responses} ({found}) {what}, limit {limit}")
    return 1


def accepted_share(value: str | None) -> float | None:
    """The share of inconsistent responses that --fail-on accepts. None without a policy."""
    if value is None:
        return None
    if value == "any":
        return 0.0
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise UsageError(f"--fail-on {value}: not a share", "write any, or a share from 0 to 1")
    if share == 1.0:
        raise UsageError(f"--fail-on {value}: no share is above it", "write any, or a share below 1")
    return share
