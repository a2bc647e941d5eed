"""The files of cypher/: the named queries, and the statements of a claim graph.

A named query (cypher/read) begins with a header:

    // title: what it answers
    // params: name=default, other          (no default: required)
    // returns: column, column
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from graph_eval.errors import UsageError, suggestion
from graph_eval.resources import folder

HEADER = re.compile(r"^// (title|params|returns): ?(.*)$", re.MULTILINE)
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a named query. Only an optional one has a `default`, which can be None."""

    name: str
    default: Any = None
    required: bool = False

    def value(self, text: str) -> Any:
        """The text of a value in the type of the default: a number, true or false, or else the text itself.

        Raises UsageError for another text.
        """
        if isinstance(self.default, bool):
            if text.lower() not in ("true", "false"):
                raise UsageError(f"-p {self.name}={text}: not true or false", f"write -p {self.name}=true")
            return text.lower() == "true"
        if isinstance(self.default, int):
            if not re.fullmatch(r"-?\d{1,18}", text):
                raise UsageError(f"-p {self.name}={text}: not a whole number of at most 18 digits", f"write -p {self}")
            return int(text)
        return text

    def __str__(self) -> str:
        return self.name if self.required else f"{self.name}={json.dumps(self.default)}"


@dataclass(frozen=True, slots=True)
class Query:
    """A named query. `returns`: its columns. `text`: its Cypher without comments."""

    name: str
    title: str
    params: tuple[Param, ...]
    returns: tuple[str, ...]
    text: str

    def values(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Parameters that are given as text, in their types. Unknown ones stay as they are, for `bind` to refuse."""
        params = {param.name: param for param in self.params}
        return {name: params[name].value(text) if name in params else text for name, text in texts.items()}

    def bind(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter with its value. Raises UsageError for an unknown or a missing one."""
        known = {param.name for param in self.params}
        for name in values:
            if name not in known:
                raise UsageError(
                    f"query {self.name}: unknown parameter {name!r}",
                    f"known parameters: {', '.join(sorted(known)) or 'none'}",
                )
        for param in self.params:
            if param.required and param.name not in values:
                raise UsageError(f"query {self.name}: missing parameter {param.name!r}", f"pass -p {param.name}=...")
        return {param.name: values.get(param.name, param.default) for param in self.params}


@cache
def text(name: str) -> str:
    """The statement in cypher/<name>.cypher, without comments."""
    path = folder("cypher") / f"{name}.cypher"
    return COMMENT.sub("", path.read_text("utf-8")).strip()


def statements(name: str) -> list[str]:
    """The statements of a file with several statements, separated by semicolons."""
    return [part.strip() for part in text(name).split(";") if part.strip()]


@cache
def queries() -> dict[str, Query]:
    """The named queries by name."""
    return {
        path.stem: _query(path.stem, path.read_text("utf-8"))
        for path in sorted((folder("cypher") / "read").glob("*.cypher"))
    }


def docs() -> str:
    """cypher/README.md: the named queries as their headers describe them."""
    parts = [
        "# Named queries\n",
        "Generated from the headers of `cypher/read`. Run one: `graph-eval query NAME --store ... -p key=value`.\n",
    ]
    for query in queries().values():
        params = ", ".join(map(str, query.params))
        parts.append(f"## {query.name}\n\n{query.title[0].upper()}{query.title[1:]}.\n")
        parts.append(f"* parameters: {f'`{params}`' if params else 'none'}\n* columns: `{', '.join(query.returns)}`\n")
    return "\n".join(parts)


def query(name: str) -> Query:
    """The query with this name. Raises UsageError for an unknown name."""
    named = queries()
    if name not in named:
        hint = suggestion(name, named) or "list the names: graph-eval query --list"
        raise UsageError(f"unknown query {name!r}", hint)
    return named[name]


def _query(name: str, source: str) -> Query:
    header = dict(HEADER.findall(source))
    params = tuple(_param(part.strip()) for part in header.get("params", "").split(",") if part.strip())
    returns = tuple(part.strip() for part in header["returns"].split(","))
    return Query(name, header["title"], params, returns, text(f"read/{name}"))


def _param(part: str) -> Param:
    name, equals, default = part.partition("=")
    return Param(name, json.loads(default)) if equals else Param(name, required=True)
