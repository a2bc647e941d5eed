"""The files of cypher/: named queries with their headers, and the statements that stores run.

A read begins with a header:

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

from graph_eval.errors import UsageError
from graph_eval.resources import folder

HEADER = re.compile(r"^// (title|params|returns): ?(.*)$", re.MULTILINE)
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Param:
    """`default` is None also where null is the default; `required` tells the two apart."""

    name: str
    default: Any = None
    required: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    name: str
    title: str
    params: tuple[Param, ...]
    returns: tuple[str, ...]
    text: str

    def bind(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter with its value. Raises UsageError for an unknown or a missing one."""
        known = {param.name for param in self.params}
        for name in given:
            if name not in known:
                raise UsageError(
                    f"{self.name} has no parameter {name!r}", f"it has: {', '.join(sorted(known)) or 'none'}"
                )
        for param in self.params:
            if param.required and param.name not in given:
                raise UsageError(f"{self.name} needs {param.name}", f"add -p {param.name}=...")
        return {param.name: given.get(param.name, param.default) for param in self.params}


@cache
def text(name: str) -> str:
    """The statement in cypher/<name>.cypher, without comments."""
    path = folder("cypher") / f"{name}.cypher"
    return COMMENT.sub("", path.read_text("utf-8")).strip()


def statements(name: str) -> list[str]:
    """The statements of a file that holds several, each ended by a semicolon."""
    return [part.strip() for part in text(name).split(";") if part.strip()]


@cache
def queries() -> dict[str, Query]:
    """The named reads by name."""
    return {
        path.stem: _query(path.stem, path.read_text("utf-8"))
        for path in sorted((folder("cypher") / "read").glob("*.cypher"))
    }


def docs() -> str:
    """cypher/README.md: the named queries as their headers describe them."""
    parts = [
        "# Named queries\n\nMade from the headers of `cypher/read`. `graph-eval query NAME --store ... -p key=value`.\n"
    ]
    for found in queries().values():
        shown = ", ".join(p.name if p.required else f"{p.name}={json.dumps(p.default)}" for p in found.params)
        parts.append(f"## {found.name}\n\n{found.title[0].upper()}{found.title[1:]}.\n")
        parts.append(f"* parameters: {f'`{shown}`' if shown else 'none'}\n* columns: `{', '.join(found.returns)}`\n")
    return "\n".join(parts)


def query(name: str) -> Query:
    """The named read. Raises UsageError for an unknown name."""
    found = queries()
    if name not in found:
        import difflib

        near = difflib.get_close_matches(name, found, n=1)
        hint = f"did you mean {near[0]}?" if near else "graph-eval query --list shows the names"
        raise UsageError(f"there is no query {name!r}", hint)
    return found[name]


def _query(name: str, source: str) -> Query:
    header = dict(HEADER.findall(source))
    params = tuple(_param(part.strip()) for part in header.get("params", "").split(",") if part.strip())
    returns = tuple(part.strip() for part in header["returns"].split(","))
    return Query(name, header["title"], params, returns, text(f"read/{name}"))


def _param(part: str) -> Param:
    name, equals, default = part.partition("=")
    return Param(name, json.loads(default)) if equals else Param(name, required=True)
