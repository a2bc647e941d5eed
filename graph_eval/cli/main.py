"""The command graph-eval: runs its subcommands and converts errors to messages and exit codes.

Exit codes: 0 success, 1 the --fail-on policy is violated, 2 invalid usage or input that cannot be read,
3 something failed, 130 Ctrl-C.
"""

from __future__ import annotations

import errno
import signal
import sys
import threading
import traceback
import warnings
from _thread import interrupt_main
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import click

from graph_eval.cli.interrupt import Interrupt
from graph_eval.cli.messages import tell
from graph_eval.cli.options import debug_option, debugging
from graph_eval.errors import GraphEvalError, GraphEvalWarning
from graph_eval.version import __version__

SPACE = "free some space, then run the same command again"
FULL = {  # what a disk says that takes no more, and the way out
    errno.ENOSPC: SPACE,
    errno.EDQUOT: SPACE,
    errno.EFBIG: "raise the limit for the size of a file, or choose another disk",
}
COMMANDS = (
    "check",
    "extract",
    "ground",
    "correct",
    "selfcheck",
    "load",
    "query",
    "report",
    "open",
    "viz",
    "label",
    "calibrate",
    "train",
    "bench",
    "refchecker",
    "db",
    "cache",
    "doctor",
    "schema",
)


class Commands(click.Group):
    """Imports the file of a command on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"graph_eval.cli.{cmd_name}").command
        return command


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="graph-eval")
@debug_option
def graph_eval() -> None:
    """Find claims in language-model responses that the context does not support.

    Each response is split into a graph of claims. Each claim is compared with the context.

    Start with: graph-eval check FILE.jsonl
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line and returns its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    interrupt = Interrupt()
    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    unraisable = sys.unraisablehook
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", GraphEvalWarning)
            # Of a server's answer whose fields have other types. It is read all the same, or it is an item's error.
            warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
            warnings.showwarning = _shown_by(warnings.showwarning)
            sys.unraisablehook = _interrupting_again(sys.unraisablehook)
            return _main(arguments)
    except BaseException as problem:
        # Native code may turn a Ctrl-C into another exception.
        if interrupt.number is not None:
            click.echo("interrupted", err=True)
            return 128 + interrupt.number
        if not isinstance(problem, Exception):
            raise
        return _internal_error(problem)
    finally:
        sys.unraisablehook = unraisable
        for number, handler in before.items():
            signal.signal(number, handler)


def _shown_by(otherwise: Callable[..., None]) -> Callable[..., None]:
    """Prints a GraphEvalWarning as one line, each text once. `otherwise` shows the other warnings."""
    told: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, GraphEvalWarning):
            if str(message) not in told:
                tell(str(message))
            told.add(str(message))
        else:
            otherwise(message, category, *place, **more)

    return show


def _interrupting_again(otherwise: Callable[[Any], None]) -> Callable[[Any], None]:
    """Repeats a Ctrl-C that came where no exception can be raised, e.g. in a callback of the import machinery."""

    def show(unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            threading.Timer(0.01, interrupt_main).start()  # not at once: here it would be lost again
        else:
            otherwise(unraisable)

    return show


def _main(arguments: Sequence[str] | None) -> int:
    try:
        code = graph_eval.main(args=arguments, prog_name="graph-eval", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except click.ClickException as problem:
        problem.show()
        return 2
    except GraphEvalError as problem:
        _print_traceback(problem)
        tell(problem.message, problem.hint)
        return problem.exit_code
    except SystemExit:  # click raises it for a closed pipe, e.g. `| head`
        return GraphEvalError.exit_code


def _internal_error(problem: Exception) -> int:
    """Reports a full disk or an internal error. Returns 3, since 1 means that a policy was violated."""
    from graph_eval.isolation import failure

    _print_traceback(problem)
    if isinstance(problem, OSError) and problem.errno in FULL:
        place = f"{problem.filename}: " if problem.filename else ""
        tell(f"{place}{problem.strerror}", FULL[problem.errno])
    else:
        message = f"internal error: {failure('', problem).message}"
        tell(message, "run the command again with --debug, and report what it prints")
    return GraphEvalError.exit_code


def _print_traceback(problem: Exception) -> None:
    """Prints the traceback if --debug was given."""
    if debugging():
        click.echo("".join(traceback.format_exception(problem)), err=True, nl=False)
