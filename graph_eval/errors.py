"""Everything that graph_eval raises on purpose.

    GraphEvalError              exit code 3: something could not be done
    ├── UsageError              2: an option or an argument is wrong
    ├── InputError              2: input that cannot be read at all
    ├── SettingsError           2: a setting is unknown or has a wrong value
    ├── MissingPartError        3: an optional package or a weights file is not installed
    ├── StoreError              3: a graph store that cannot be reached or refuses a request
    ├── ModelError              3: a language model that cannot be reached or refuses every request
    └── RunError                2: a run directory that does not fit the command

A message names the value and the place; the hint says what to do. One bad record raises nothing: it becomes an
`ItemError` in its own result.
"""

from __future__ import annotations


class GraphEvalError(Exception):
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
