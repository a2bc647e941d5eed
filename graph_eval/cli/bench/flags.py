"""graph-eval bench flags: measure how many flags are right, by kind of text and by checker."""

from __future__ import annotations

from typing import Any

import click

from graph_eval.cli.bench.options import Chosen, input_options, measure, part_options
from graph_eval.cli.options import check_model_options, profile_option


@click.command("flags", short_help="Measure how many flags are right.")
@input_options
@click.option(
    "--checker",
    "checkers",
    multiple=True,
    default=("builtin",),
    metavar="NAME",
    help="Judge with this checker. Repeatable (default builtin).",
)
@check_model_options
@part_options
@click.option("--threshold", metavar="P|NAME", help="Use this threshold for the first checker (default: its own).")
@profile_option
def command(chosen: Chosen, checkers: tuple[str, ...], **flags: Any) -> int:
    """Measure precision, recall and false flags at the shipped threshold, by kind of text and by checker.

    \b
    graph-eval bench flags --data DIR -o flags.json
    graph-eval bench flags answers.jsonl --checker builtin --checker llm:openai/gpt-4o-mini

    The default sets are answers over retrieved passages, claims with their sources, and summaries. Those of which only
    the development part is read are named as such by `bench sets`. INPUT: your own records with a label.
    """
    from graph_eval.bench.flags import Flags
    from graph_eval.settings import load

    settings = load({**flags, "checker": checkers[0]})
    return measure(Flags(tuple(dict.fromkeys(checkers))), chosen.bench(settings), chosen.output)
