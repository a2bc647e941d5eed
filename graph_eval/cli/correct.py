"""graph-eval correct: rewrite only the words behind flagged claims, and keep an edit only where it helps."""

from __future__ import annotations

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
    from graph_eval.types import Result, Revision

FORMATS = ("text", "jsonl", "records", "patch")
OF_RUN = ("extractor", "checker", "threshold", "aggregate")


@click.command("correct")
@input_options
@run_options
@store_option
@correct_options
@click.option("--checker", metavar="NAME", help="Flags claims and judges edits (default: builtin, or a RUN's own).")
@click.option("--threshold", metavar="P|NAME", help="Flag claims above this p(inconsistent).")
@model_options
@check_model_options
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="What is printed.")
def command(
    inputs: tuple[str, ...],
    response: str | None,
    context: tuple[str, ...],
    question: str | None,
    mapping: tuple[str, ...],
    limit: int | None,
    output: Path | None,
    store: str | None,
    allow_errors: bool,
    form: str,
    **flags: Any,
) -> int:
    """Rewrite the words behind flagged claims, and nothing else.

    INPUT as for "check", or a RUN. An edit stays only if its claim is no longer flagged and no other claim got worse.

    \b
    graph-eval correct summaries.jsonl --format records > corrected.jsonl
    graph-eval correct RUN -o CORRECTED --format patch
    """
    from graph_eval.cli.terminal import console, progress
    from graph_eval.formats.results import to_json
    from graph_eval.pipeline import GraphEval
    from graph_eval.runs import directory
    from graph_eval.settings import load

    work = job(inputs, response, context, question, mapping, limit)
    judged = False
    if work.from_run is not None:
        stored = directory.meta_of(work.from_run)
        # Its verdicts stand, unless another checker or threshold is asked for.
        judged = stored.get("stage") != "extract" and flags["checker"] is None and flags["threshold"] is None
        flags = _of_run(work.from_run, stored.get("settings", {}), flags)
    settings = load(flags)
    ge = GraphEval(settings=settings)
    out = console()
    errors = 0
    with (
        loading(store, work, ge, "correct") as graph,
        results("correct", work, ge, settings, output, judged) as stream,
        telling(ge) as told,
        progress(stream, work.total, out if form == "text" else None, engines=ge.engines) as shown,
    ):
        for result in shown:
            told(result)
            errors += result.error is not None
            if graph is not None:
                graph.add(result)
            if form == "text":
                print_correction(out, result)
            elif form == "jsonl":
                click.echo(to_json(result))
            elif form == "records":
                click.echo(record(result))
            else:
                click.echo(patch(result), nl=False)
    if graph is not None and graph.problem is not None:
        raise graph.problem
    return 3 if errors and not allow_errors else 0


def _of_run(run: Path, stored: dict[str, Any], flags: dict[str, Any]) -> dict[str, Any]:
    """The flags, with the parts that made the run where none are given; its claims cannot have another extractor."""
    if flags["extractor"] is not None:
        raise UsageError(f"{run} is a run: its claims are there already", "leave --extractor out")
    given = {name: value for name, value in flags.items() if value is not None}
    return {name: stored.get(name) for name in OF_RUN} | given


def final(revision: Revision) -> str:
    """The text after the last round."""
    inner = revision.result.revision if revision.result else None
    return final(inner) if inner else revision.text


def print_correction(out: Any, result: Result, everything: bool = False) -> None:
    """The response, its flagged claims, and what became of each."""
    from rich.text import Text

    from graph_eval.cli.terminal import print_result, visible

    print_result(out, result, everything)
    revision = result.revision
    while revision is not None:
        claims = {claim.id: claim.text for claim in result.claims}
        for correction in revision.corrections:
            mark = {"applied": "✓", "unsupported": "?"}.get(correction.status, "✗")
            edits = ", ".join(f"“{visible(edit.old)}” → “{visible(edit.new)}”" for edit in correction.edits)
            reason = f" ({visible(correction.reason)})" if correction.reason else ""
            text = visible(claims[correction.claim_id])
            out.print(Text(f"  {mark} {correction.status}: {edits or text}{reason}"))
        if revision.result is not None:
            out.print(Text(f"  corrected: {visible(revision.text)}"))
        if revision.result is None:
            break
        result, revision = revision.result, revision.result.revision
    out.print()


def record(result: Result) -> str:
    """The record with its corrected response, as JSON; what was not corrected stays as it was."""
    import json

    if result.example is None:
        return json.dumps({"error": str(result.error)}, ensure_ascii=False)
    example = result.example
    value = {
        "id": example.id,
        "response": final(result.revision) if result.revision else example.response,
        "context": [passage.text for passage in example.passages],
        "question": example.question,
        "model": example.model,
        "original": example.response,
    }
    return json.dumps({name: item for name, item in value.items() if item is not None}, ensure_ascii=False)


def patch(result: Result) -> str:
    """A unified diff from the response to the corrected one; nothing where they are equal."""
    from difflib import unified_diff

    if result.example is None or result.revision is None:
        return ""
    before, after = result.example.response, final(result.revision)
    name = " ".join(result.example.id.split())
    lines = unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}", n=1
    )
    found = []
    for line in lines:
        found.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(found)
