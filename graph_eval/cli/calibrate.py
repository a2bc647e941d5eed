"""graph-eval calibrate: fit the scores of a checker to your own labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.messages import tell
from graph_eval.cli.options import (
    CLAIMS,
    INPUT,
    RESULTS,
    OutputFile,
    SectionedCommand,
    check_model_options,
    debug_option,
    file_options,
    model_options,
    opened_store,
    plural,
    section,
    store_option,
    work_options,
)
from graph_eval.errors import UsageError
from graph_eval.output import write_text

if TYPE_CHECKING:
    from graph_eval.checkers.profile import Profile
    from graph_eval.fitting.calibrate import Judged
    from graph_eval.settings import Settings

TITLES = {
    "threshold": "threshold",
    "flagged": "flagged",
    "precision": "precision",
    "recall": "recall",
    "false_flags": "false flags per 100 right",
}


@click.command("calibrate", cls=SectionedCommand, short_help="Fit the scores to your own labels.")
@click.argument("labelled", nargs=-1, metavar="[LABELLED]...")
@section(
    RESULTS,
    click.option(
        "-o",
        "--output",
        type=OutputFile(),
        required=True,
        metavar="FILE.json",
        help="Write the profile to FILE.json. --profile FILE.json uses it.",
    ),
)
@section(
    CLAIMS,
    click.option("--checker", metavar="NAME", help="Judge with builtin (default), nli:MODEL, llm:MODEL, ..."),
    click.option(
        "--extractor",
        metavar="NAME",
        help="Extract claims from labelled responses with rules (default), sentences, ...",
    ),
)
@section(
    INPUT,
    store_option,
    click.option("--name", metavar="NAME", help="Use the labels that NAME gave in the store."),
    click.option("--run-id", metavar="ID", help="Use the labels of this run of the store, which label import printed."),
)
@file_options
@work_options
@click.option("--allow-errors", is_flag=True, help="Exit with 0 even if some labels could not be used.")
@model_options
@check_model_options
@debug_option
def command(
    labelled: tuple[str, ...],
    output: Path,
    store: str | None,
    name: str | None,
    run_id: str | None,
    mapping: tuple[str, ...],
    input_format: str | None,
    allow_errors: bool,
    **flags: Any,
) -> int:
    """Fit p(inconsistent) to your own labels, and recommend thresholds.

    LABELLED: records with a label (1 or inconsistent, 0 or consistent), or the edited output of "label export", whose
    claims are read from --store. Without LABELLED: the labels of a person in --store. At least 30 labels are needed, 5
    of each kind, from 5 contexts.

    With the profile, p(inconsistent) is the rate of errors in the labels that you gave. If they are not like the text
    that you check later (other errors, or more of them), it is off. The printed figures are cross-validated.

    \b
    graph-eval calibrate labelled.jsonl -o profile.json
    graph-eval calibrate claims.jsonl --store ./kg -o profile.json
    graph-eval calibrate --store ./kg --name anna -o profile.json
    graph-eval check answers.jsonl --profile profile.json --threshold block
    """
    from graph_eval.settings import load

    settings, extracting = load(flags), flags["extractor"] is not None
    judged = _judged(labelled, store, name, run_id, mapping, input_format, settings, extracting)
    for problem in judged.problems:
        tell(problem)
    profile = judged.profile()
    write_text(output, profile.text, "choose another -o")
    _print(profile)
    return 3 if judged.problems and not allow_errors else 0


def _judged(
    labelled: tuple[str, ...],
    store: str | None,
    name: str | None,
    run_id: str | None,
    mapping: tuple[str, ...],
    input_format: str | None,
    settings: Settings,
    extracting: bool,
) -> Judged:
    """The labels with their scores. Raises UsageError for options that cannot be combined."""
    from graph_eval.fitting import calibrate
    from graph_eval.formats import files

    of_store = [option for option, value in (("--name", name), ("--run-id", run_id)) if value is not None]
    if len(of_store) > 1 or (labelled and of_store):
        raise UsageError(
            f"{'LABELLED' if labelled else of_store[0]} and {of_store[-1]} cannot be combined", "pass only one of them"
        )
    if not labelled and not of_store:
        raise UsageError("missing labels", "pass LABELLED, or --store with --name or --run-id")
    sources = files.sources(labelled, input_format, settings.limits)
    if labelled and calibrate.kind_of(sources) == calibrate.RESPONSES:
        if store is not None:
            raise UsageError(
                "--store needs labelled claims", "omit --store, or pass the output of graph-eval label export"
            )
        return calibrate.judged_responses(sources, files.field_map(mapping), settings, _track)
    if extracting or mapping:
        option = "--extractor" if extracting else "--map"
        raise UsageError(f"{option} cannot be used with labelled claims", f"omit {option}: the store has the claims")
    problems: list[str] = []
    with opened_store(store) as graph:
        if labelled:
            flags, problems = calibrate.claims_of_files(sources)
        elif name is not None:
            flags = calibrate.claims_of_person(graph, name)
        else:
            flags = calibrate.claims_of_run(graph, run_id or "")
        judged = calibrate.judged_claims(graph, flags, settings, _track)
    judged.problems[:0] = problems
    return judged


def _track(items: Iterator[Any], total: int, name: str) -> Iterable[Any]:
    """The items, with a progress bar on stderr."""
    from graph_eval.cli.terminal import progress

    with progress(items, total, None, name) as shown:
        yield from shown


def _print(profile: Profile) -> None:
    """The fit, its figures and the table."""
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.fitting.fit import FEWEST_FLAGGED, GRID, MANY

    labels, figures = profile.labels, profile.cross_validation
    out = console()
    noun = labels["kind"].removesuffix("s")
    click.echo(
        f"{plural(labels['total'], f'labelled {noun}')}: {labels['inconsistent']} inconsistent, "
        f"{labels['consistent']} consistent, {plural(labels['contexts'], 'context')}"
    )
    if labels["kept"]:
        click.echo(f"  {labels['kept']} keep their p(inconsistent): word for word, or without a context or a claim")
    for line in _fitted_lines(profile, many=labels["total"] - labels["kept"] >= MANY):
        click.echo(line)
    click.echo()
    rows = [
        [title, *(f"{figures[name][when]:.3f}" for when in ("before", "after"))]
        for name, title in (("log_loss", "log loss"), ("calibration_error", "calibration error"), ("auc", "AUC"))
    ]
    print_table(out, (f"{figures['folds']}-fold cross-validation", "before", "after"), rows)
    click.echo()
    names = {at: ", ".join(name for name, value in profile.thresholds.items() if value == at) for at in GRID}
    print_table(
        out,
        (*TITLES.values(), ""),
        [[*(_cell(row[name]) for name in TITLES), names[row["threshold"]]] for row in figures["table"]],
    )
    for name in ("warn", "block"):
        if name not in profile.thresholds:
            wanted = "" if name == "warn" else " with a precision of 0.8 or more"
            click.echo(f"no threshold {name}: none flags at least {FEWEST_FLAGGED}{wanted}")


def _fitted_lines(profile: Profile, *, many: bool) -> Iterator[str]:
    """The lines that say what was fitted. `many`: labels for the slope, and for the weights of signs."""
    from graph_eval.fitting.fit import MANY

    losses, weights = profile.cross_validation["log_loss"], profile.weights
    if weights is not None:
        yield f"slope {weights.slope:.3f}, intercept {weights.intercept:+.3f}, and a weight for each sign:"
        yield "  " + ", ".join(f"{name} {weight:+.3f}" for name, weight in weights.signs.items())
        yield f"  log loss by slope and intercept alone: {losses['line']:.3f}"
        return
    how = "" if many else f" (slope: fitted from {MANY} labels on)"
    yield f"slope {profile.slope:.3f}, intercept {profile.intercept:+.3f}{how}"
    if "weights" in losses:
        with_them = f"log loss {losses['weights']:.3f} with them, {losses['line']:.3f} without"
        yield f"  weights of the checker's signs are not used, as they are not surely better: {with_them}"
    elif many:
        yield "  no weights of signs: the checker does not give the same signs for every claim"
    if profile.slope == 0:
        yield "  the scores do not tell these labels apart: every claim gets the same p(inconsistent)"


def _cell(value: float | None) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else f"{value:.2f}"
