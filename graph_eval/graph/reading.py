"""Tells statements that only read the graph from those that reach files or the network.

A database's own read-only mode refuses writes to the graph. It lets LOAD CSV and some procedures and functions read any
file or address that the process can reach, or run Cypher from a text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph_eval.graph.tokens import Token, tokens

ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")  # Neo4j reads it anywhere in a statement, before all else
# Procedures that only tell what is in the database.
PROCEDURES = re.compile(
    r"db\.(?:labels|relationshiptypes|propertykeys|indexes|constraints|info|ping|awaitindexes|schema\.\w+"
    r"|index\.(?:fulltext|vector)\.query\w+)|dbms\.components"
)
# Functions with a namespace that only compute: those of Cypher, and the parts of APOC that work on values alone. Others
# of APOC run Cypher (cypher, agg), read what they are told to (load, xml) or wait (util).
FUNCTIONS = re.compile(
    r"(?:date|time|datetime|localtime|localdatetime|duration|point|vector|vector\.similarity|coll"
    r"|apoc\.(?:coll|convert|date|map|math|number|number\.exact|temporal|text))\.\w+|db\.namefromelementid"
)
WRITES = ("CREATE", "INSERT", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH", "DROP", "ALTER")


def beyond(cypher: str) -> str | None:
    """What a statement uses that may reach beyond the graph: "LOAD CSV", or the name of a procedure or function.

    None if there is nothing of the kind.
    """
    decoded = ESCAPE.sub(lambda match: chr(int(match[1], 16)), cypher)
    return _reaching(tokens(decoded)) or _reaching(tokens(cypher))


def plans_write(cypher: str) -> bool:
    """Whether a statement asks for the plan of one that writes, which no database refuses."""
    found = tokens(cypher)
    return bool(found) and found[0].is_word("EXPLAIN", "PROFILE") and writes(found)


def writes(found: Sequence[Token]) -> bool:
    """Whether a statement has the keyword of a clause that writes."""
    before = [None, *found]
    return any(
        token.is_word(*WRITES) and not (previous is not None and previous.is_mark(".:$"))
        for previous, token in zip(before, found, strict=False)
    )


def _reaching(found: Sequence[Token]) -> str | None:
    called = False
    number = 0
    while number < len(found):
        token = found[number]
        if token.is_word("LOAD") and any(next_.is_word("CSV") for next_ in found[number + 1 : number + 2]):
            return "LOAD CSV"
        if not token.is_name:
            called, number = False, number + 1
            continue
        if token.is_word("CALL"):
            called, number = True, number + 1
            continue
        parts = _parts(found, number)
        number += 2 * len(parts) - 1
        name = ".".join(parts)
        if called:
            if not PROCEDURES.fullmatch(name.lower()):
                return name
        elif "." in name and _opens(found, number) and not FUNCTIONS.fullmatch(name.lower()):
            return name
        called = False
    return None


def _opens(found: Sequence[Token], number: int) -> bool:
    return number < len(found) and found[number].is_mark("(")


def _parts(found: Sequence[Token], start: int) -> list[str]:
    """The names that are joined by dots from this place on."""
    parts = [found[start].text]
    for dot, name in zip(found[start + 1 :: 2], found[start + 2 :: 2], strict=False):
        if not dot.is_mark(".") or not name.is_name:
            break
        parts.append(name.text)
    return parts
