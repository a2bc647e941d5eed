"""Tells statements that only read the graph from those that reach files or the network.

A database's own read-only mode refuses writes to the graph. It lets LOAD CSV and some procedures and functions read any
file or address that the process can reach, or run Cypher from a text. It also lets commands show the server's settings,
users and transactions, and end the transactions of others.
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
# Behind SHOW: what belongs to the server and its users. Indexes, constraints, functions and procedures may be shown.
OF_SERVER = tuple(
    """TRANSACTION TRANSACTIONS SETTING SETTINGS USER USERS CURRENT ROLE ROLES POPULATED PRIVILEGE PRIVILEGES DATABASE
    DATABASES DEFAULT HOME SERVER SERVERS ALIAS ALIASES SUPPORTED AUTH""".split()
)
PLANS = ("EXPLAIN", "PROFILE")
MOST_OPTIONS = 30  # tokens of the options between CYPHER and EXPLAIN
WRITES = ("CREATE", "INSERT", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH", "DROP", "ALTER")


def beyond(cypher: str) -> str | None:
    """What a statement uses that may reach beyond the graph: LOAD CSV, a command, or a procedure or function by name.

    None if there is nothing of the kind.
    """
    return next(filter(None, map(_reaching, _readings(cypher))), None)


def plans_write(cypher: str) -> bool:
    """Whether a statement asks for the plan of one that writes, which no database refuses."""
    return any(_is_plan(found) and writes(found) for found in _readings(cypher))


def writes(found: Sequence[Token]) -> bool:
    """Whether a statement has the keyword of a clause that writes."""
    before = [None, *found]
    return any(
        token.is_word(*WRITES) and not (previous is not None and previous.is_mark(".:$"))
        for previous, token in zip(before, found, strict=False)
    )


def _readings(cypher: str) -> tuple[list[Token], list[Token]]:
    """The tokens of a statement as databases read it: with its escapes decoded, and as it is written."""
    decoded = ESCAPE.sub(lambda match: chr(int(match[1], 16)), cypher)
    return tokens(decoded), tokens(cypher)


def _is_plan(found: Sequence[Token]) -> bool:
    options = MOST_OPTIONS if found and found[0].is_word("CYPHER") else 1
    return any(token.is_word(*PLANS) for token in found[:options])


def _command(found: Sequence[Token], number: int) -> str | None:
    """The command on the server that begins at a token."""
    first, second = found[number], found[number + 1] if number + 1 < len(found) else None
    if second is None or not (first.is_word("SHOW", "TERMINATE") and second.is_name):
        return None
    subject = second
    if first.is_word("SHOW") and second.is_word("ALL") and number + 2 < len(found):  # ALL ROLES, but also ALL INDEXES
        subject = found[number + 2]
    return f"{first.text} {subject.text}".upper() if subject.is_word(*OF_SERVER) else None


def _reaching(found: Sequence[Token]) -> str | None:
    called = False
    number = 0
    while number < len(found):
        token = found[number]
        if token.is_word("LOAD") and any(next_.is_word("CSV") for next_ in found[number + 1 : number + 2]):
            return "LOAD CSV"
        if command := _command(found, number):
            return command
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
