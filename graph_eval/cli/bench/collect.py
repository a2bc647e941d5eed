"""graph-eval bench collect: ask language models questions, and write their responses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph_eval.cli.bench.options import tracked
from graph_eval.cli.messages import tell, visible
from graph_eval.cli.options import OutputFile, debug_option, file_options, sending_options, temperature_option
from graph_eval.errors import UsageError

if TYPE_CHECKING:
    from graph_eval.sources import RunFiles

MOST_SHOWN = 5  # failures that are printed


@click.command("collect", short_help="Collect responses of language models to questions.")
@click.argument("questions", nargs=-1, metavar="QUESTIONS...")
@click.option(
    "-o",
    "--output",
    type=OutputFile(),
    required=True,
    metavar="RESPONSES.jsonl",
    help="Write the responses to RESPONSES.jsonl.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    required=True,
    metavar="MODEL",
    help="Ask this litellm model, e.g. openai/gpt-4o-mini. Repeatable.",
)
@click.option(
    "--setting",
    type=click.Choice(("zero", "noisy", "accurate")),
    default="zero",
    help="Send the question alone (zero, default), with passages of a search (noisy), or with the text that it is "
    "about (accurate).",
)
@file_options
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Read only the first N questions.")
@click.option("--chunk", type=int, metavar="N", help="Store the responses N at a time (default 32).")
@temperature_option
@sending_options
@click.option("--allow-errors", is_flag=True, help="Exit with 0 even if some questions are not answered.")
@debug_option
def command(
    questions: tuple[str, ...],
    output: Path,
    models: tuple[str, ...],
    setting: str,
    mapping: tuple[str, ...],
    input_format: str | None,
    limit: int | None,
    allow_errors: bool,
    **flags: Any,
) -> int:
    """Collect responses of language models to questions, for "graph-eval check".

    QUESTIONS: .jsonl, .json or .csv files (also .gz). Record fields: question, context (a text or a list of texts; for
    noisy and accurate), and optionally id. In the setting zero a context is not sent, but kept for the check.

    \b
    graph-eval bench collect questions.jsonl -o responses.jsonl --model openai/gpt-4o-mini --setting noisy
    graph-eval check responses.jsonl

    An interrupted command continues when you run it again, and questions without an answer are then asked again:
    RESPONSES.runs/ contains its runs. The prompts are collect_zero.jinja, collect_noisy.jinja, collect_accurate.jinja.
    """
    from graph_eval.bench.collect import CollectStage, QuestionFiles, collect
    from graph_eval.cli.printing import model_lines
    from graph_eval.settings import load

    if any(output.resolve() == Path(name).resolve() for name in questions):
        raise UsageError(f"the output {output} is also the input", "choose another -o")
    settings = load(flags)
    names = tuple(dict.fromkeys(models))
    source = QuestionFiles(questions, names, setting, mapping, limit, input_format, settings.limits)
    stage = CollectStage(names, setting, settings)
    try:
        run = collect(source, stage, settings.chunk, output.with_suffix(".runs"), tracked)
    finally:
        for line in model_lines(stage.models.values()):
            click.echo(line, err=True)
    failed = _written(run, output, names)
    return 3 if failed and not allow_errors else 0


def _written(run: RunFiles, output: Path, models: tuple[str, ...]) -> int:
    """Writes the responses, prints their numbers and the first failures, and returns the number of failures."""
    from graph_eval.cli.terminal import console, print_table
    from graph_eval.formats.writers import record
    from graph_eval.output import output_file

    answered = dict.fromkeys(models, 0)
    failures: list[str] = []
    with output_file(output) as stream:
        for result in run.results():
            if result.error is not None or result.example is None:
                model = f" ({result.example.model})" if result.example else ""
                failures.append(visible(f"{result.name}{model}: {result.error}"))
                continue
            answered[str(result.example.model)] += 1
            stream.write(record(result) + "\n")
    for line in failures[:MOST_SHOWN]:
        tell(line)
    if len(failures) > MOST_SHOWN:
        tell(f"{len(failures) - MOST_SHOWN} more failed")
    if failures:
        tell("run the same command again to ask for what was not answered")
    print_table(console(), ("model", "responses"), [[visible(model), answered[model]] for model in models])
    return len(failures)
