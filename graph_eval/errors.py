"""The exceptions of graph_eval and the exit codes of the command line.

    GraphEvalError              exit code 3: the base class of all of them
    ├── UsageError              2: an option or an argument is wrong
    ├── InputError              2: an input cannot be read at all
    ├── SettingsError           2: a setting is unknown or has a wrong value
    ├── MissingPartError        3: an optional package or a weights file is not installed
    ├── StoreError              3: a graph store cannot be reached, or does not support the operation
    ├── ModelError              3: a language model cannot be reached, or refuses every request
    └── RunError                2: a run directory does not fit the command

A message names the value and its place (file, line, field). The hint says what to do. One invalid record raises none of
these errors. Its result gets an `ItemError`.
"""

from __future__ import annotations

from collections.abc import Iterable


class GraphEvalError(Exception):
    """`message`: what is wrong. `hint`: what to do. `exit_code`: the exit code of a command that fails with it."""

    exit_code = 3

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(GraphEvalError):
    exit_code = 2


class InputError(GraphEvalError):
    exit_code = 2


class SettingsError(GraphEvalError):
    exit_code = 2


class MissingPartError(GraphEvalError):
    exit_code = 3


class StoreError(GraphEvalError):
    exit_code = 3


class ModelError(GraphEvalError):
    exit_code = 3


class RunError(GraphEvalError):
    exit_code = 2


class GraphEvalWarning(UserWarning):
    """Something that works and may be a mistake. The command line prints its text."""


def suggestion(name: str, names: Iterable[str]) -> str | None:
    """A hint for an unknown name: the most similar known name, then the others. None if no name is similar."""
    from difflib import get_close_matches

    known = list(names)
    similar = get_close_matches(name, known, n=1)
    others = ", ".join(other for other in known if other not in similar)
    return (f"use {similar[0]}, or one of: {others}" if others else f"use {similar[0]}") if similar else None
