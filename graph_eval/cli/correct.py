"""graph-eval correct: rewrite only the words behind flagged claims, and keep an edit only where it helps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.options import (
    CLAIMS,
    RESULTS,
    Given,
    SectionedCommand,
    check_model_options,
    correct_options,
    input_options,
    load_option,
    model_options,
    opened_sinks,
    profile_option,
    refuse_extractor,
    run_options,
    section,
    source_of,
)

if TYPE_CHECKING:
    from graph_eval.graph.rows import Scope
    from graph_eval.sources import Source

FORMATS = ("text", "jsonl", "records", "patch")
OF_RUN = ("extractor", "checker", "threshold", "profile", "aggregate")  # settings that a RUN brings along


@click.command("correct", cls=SectionedCommand, short_help="Rewrite the words behind flagged claims.")
@input_options
@run_options
@load_option
@correct_options
@section(
    CLAIMS,
    click.option(
        "--checker",
        metavar="NAME",
        help="Flag claims and judge edits with this checker (default: builtin; for a RUN, the checker of that run).",
    ),
    click.option(
        "--threshold",
        metavar="P|NAME",
        help="Flag claims with p(inconsistent) above P (default 0.5; for a RUN, the threshold of that run). "
        "With builtin also: summary, claims (for texts that are often wrong), strict.",
    ),
)
@profile_option
@model_options
@check_model_options
@section(
    RESULTS,
    click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Print results in this format."),
)
def command(
    given: Given,
    output: Path | None,
    store: str | None,
    share_names: Scope,
    allow_errors: bool,
    form: str,
    **flags: Any,
) -> int:
    """Rewrite the words behind flagged claims.

    Only these words change (except with --corrector direct:MODEL and --on-unsupported drop|hedge). An edit is kept
    only if its claim is no longer flagged and no other claim becomes flagged. INPUT: as for "check". The verdicts of a
    RUN are kept unless --checker, --threshold or --profile is given.

    \b
    graph-eval correct summaries.jsonl --format records > corrected.jsonl
    graph-eval correct RUN -o CORRECTED --format patch
    """
    from graph_eval.cli.printing import print_job, print_store, printer
    from graph_eval.jobs import Job
    from graph_eval.pipeline import GraphEval
    from graph_eval.settings import load

    limits = load(flags).limits
    source = source_of(given, limits)
    refuse_extractor(source, flags["extractor"])
    # The verdicts of a run are used, unless another checker, threshold or profile is given.
    recheck = any(flags[name] is not None for name in ("checker", "threshold", "profile"))
    settings = load(_with_run(source, flags))
    if source.run is not None and source.judged and flags["checker"] is None and flags["profile"] is None:
        settings = settings.replace(profile=source.run.settings.get("profile"))  # also where it is None
    ge = GraphEval(settings=settings)
    plan = ge.plan_for(source, correct=True, recheck=recheck)
    with opened_sinks(output, store, share_names) as (sinks, loading):
        summary = print_job(Job(source, plan, sinks), ge, printer(form, corrections=True))
        store_failed = print_store(loading, store, output)
    return 3 if store_failed or (summary.errors and not allow_errors) else 0


def _with_run(source: Source, flags: dict[str, Any]) -> dict[str, Any]:
    """The flags. The parts of the run are the default.

    Another checker has another profile, and the threshold of a run belongs to the probabilities of its profile.
    """
    if source.run is None:
        return flags
    given = {name: value for name, value in flags.items() if value is not None}
    of_run = {name: source.run.settings.get(name) for name in OF_RUN}
    if "profile" in given or ("checker" in given and of_run["profile"] is not None):
        of_run |= {"profile": None, "threshold": None}
    return of_run | given
