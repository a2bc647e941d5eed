"""graph-eval bench: the papers' tables and other measurements, one command each."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = (
    "all",
    "sets",
    "table1",
    "table2",
    "flags",
    "refchecker",
    "collect",
    "extraction",
    "correction",
    "graphcorrect",
    "wikibio",
    "retrieval",
    "speed",
    "compare",
    "agreement",
    "plot",
    "summary",
)


class Benchmarks(click.Group):
    """Imports the file of a benchmark on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"graph_eval.cli.bench.{cmd_name}").command
        return command


@click.group("bench", cls=Benchmarks, short_help="Measure accuracy, extraction, retrieval, correction and speed.")
def command() -> None:
    """Measure accuracy (against human labels), extraction, retrieval, correction and speed.

    The JSON file of -o contains the results with settings, versions, machine and one score for each item. They can be
    recomputed from it.
    """
