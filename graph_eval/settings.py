"""One place for every setting: flag > GRAPH_EVAL_* variable > graph-eval.toml > default.

graph-eval.toml is looked for in the current folder and holds the names of `Settings` at its top level.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from graph_eval.errors import SettingsError

FILE = "graph-eval.toml"
PREFIX = "GRAPH_EVAL_"
OTHER_VARIABLES = frozenset({"GRAPH_EVAL_REQUIRE"})  # read by the test-suite, not a setting


@dataclass(frozen=True, slots=True)
class Settings:
    """`threshold`: a probability, or the name of one that the checker brings; None means its own. `threads` 0 means
    one a core."""

    extractor: str = "rules"
    checker: str = "builtin"
    threshold: float | str | None = None
    aggregate: str = "any"
    chunk: int = 32
    threads: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.threshold, float | int) and not 0.0 <= self.threshold <= 1.0:
            raise SettingsError(f"threshold is {self.threshold}", "give a probability between 0 and 1")
        if self.chunk < 1:
            raise SettingsError(f"chunk is {self.chunk}", "give the number of records worked on at once")
        if self.threads < 0:
            raise SettingsError(f"threads is {self.threads}", "give 0 for one thread a core, or a number")


def probability_or_name(value: Any) -> float | str:
    """A threshold as it stands in a flag, a variable or the file."""
    try:
        return float(value)
    except ValueError:
        if isinstance(value, str) and value.strip():
            return value.strip()
        raise


CONVERTERS: dict[str, Callable[[Any], object]] = {"threshold": probability_or_name, "chunk": int, "threads": int}
KINDS = {"threshold": "probability between 0 and 1, or the name of a threshold", "chunk": "int", "threads": "int"}


def load(
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] = os.environ,
    folder: Path | None = None,
) -> Settings:
    """Settings from all four places. A flag that is None was not given.

    Raises SettingsError for an unknown name or a value of the wrong type, naming where it stands.
    """
    values: dict[str, Any] = {}
    for name, value in _from_file((folder or Path.cwd()) / FILE).items():
        values[_known(name, FILE)] = _converted(name, value, FILE)
    for variable, value in environment.items():
        if variable.startswith(PREFIX) and variable not in OTHER_VARIABLES:
            name = _known(variable.removeprefix(PREFIX).lower(), variable)
            values[name] = _converted(name, value, variable)
    for name, value in (flags or {}).items():
        if value is not None:
            values[_known(name, "option")] = _converted(name, value, "option")
    return Settings(**values)


def _from_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as problem:
        raise SettingsError(f"{path} cannot be read: {problem}", "mend the file or move it away") from problem


def _known(name: str, place: str) -> str:
    names = [field.name for field in fields(Settings)]
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(names)}"
        raise SettingsError(f"{place}: there is no setting {name!r}", hint)
    return name


def _converted(name: str, value: object, place: str) -> object:
    wanted = CONVERTERS.get(name, str)
    try:
        if isinstance(value, bool) or (wanted is str and not isinstance(value, str)):
            raise ValueError
        return wanted(value)
    except (TypeError, ValueError):
        raise SettingsError(f"{place}: {name} is {value!r}", f"give a {KINDS.get(name, 'str')}") from None
