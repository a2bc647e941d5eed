"""Tells statements that only read the graph from those that reach files or the network.

A database's own read-only mode refuses writes to the graph. It lets LOAD CSV and some procedures read any file or
address that the process can reach.
"""

from __future__ import annotations

import re

# Comments, texts and quoted names, in which words are no statement.
UNREAD = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|'(?:\\.|[^'\\])*(?:'|\Z)|\"(?:\\.|[^\"\\])*(?:\"|\Z)|`(?P<name>[^`]*)`", re.DOTALL
)
ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")  # Neo4j reads it anywhere in a statement, before all else
LOAD = re.compile(r"\bLOAD\s+CSV\b", re.IGNORECASE)
CALL = re.compile(r"\bCALL\s+(?P<name>[A-Za-z_]\w*(?:\s*\.\s*\w+)*)", re.IGNORECASE)
# Procedures that only tell what is in the database.
READING = re.compile(
    r"db\.(?:labels|relationshiptypes|propertykeys|indexes|constraints|info|ping|awaitindexes|schema\.\w+"
    r"|index\.(?:fulltext|vector)\.query\w+)|dbms\.components"
)


def beyond(cypher: str) -> str | None:
    """What a statement uses that reaches beyond the graph: "LOAD CSV" or the name of a procedure. None for neither."""
    decoded = ESCAPE.sub(lambda match: chr(int(match[1], 16)), cypher)
    return _named(cypher) or _named(decoded)


def _named(cypher: str) -> str | None:
    text = UNREAD.sub(lambda match: match["name"] or " ", cypher)
    if LOAD.search(text):
        return "LOAD CSV"
    names = ("".join(match["name"].split()) for match in CALL.finditer(text))
    return next((name for name in names if not READING.fullmatch(name.lower())), None)
