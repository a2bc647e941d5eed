"""Moves conditions on properties of relationships from the map of a pattern to its WHERE, for the embedded store.

    (r:Response {id: e.response_id})

finds nothing in ArcadeDB where e is a relationship, and there is no error: in the map of a pattern it reads a property
of a relationship as null. The same condition behind WHERE is right, so the statement is written like that before it is
sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graph_eval.errors import UsageError

UNREAD = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|'(?:\\.|[^'\\])*(?:'|\Z)|\"(?:\\.|[^\"\\])*(?:\"|\Z)|`(?P<name>[^`]*)`", re.DOTALL
)
RELATIONSHIP = re.compile(r"-\s*\[\s*(?P<name>[A-Za-z_]\w*|`[^`]+`)?[^\[\]]*?\]\s*-")
VALUE = re.compile(r"\s*(?P<key>\w+|`[^`]+`)\s*:\s*(?P<value>.*\S)\s*", re.DOTALL)
NAME = re.compile(r"(?<![\w.$'])[A-Za-z_]\w*")
PART = re.compile(r"(?P<open>[(\[])\s*(?P<name>[A-Za-z_]\w*)?(?P<labels>[\s:|&!\w%*.`]*)(?P<map>\{[^{}]*\})")
CLAUSE = re.compile(
    r"(?<![\w.:`$])(?:MATCH|OPTIONAL\s+MATCH|(?<!STARTS )(?<!ENDS )WITH|RETURN|WHERE|UNWIND|CALL|CREATE|MERGE|SET"
    r"|DETACH|DELETE|REMOVE|FOREACH|UNION|ORDER\s+BY|SKIP|LIMIT|USING)(?![\w:`])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a statement: its keyword, where that stands, where the clause ends, and how deep in brackets."""

    word: str
    start: int
    behind: int
    end: int
    depth: int


def moved(cypher: str) -> str:
    """The statement with such conditions behind WHERE. Raises UsageError where a pattern has no WHERE of its own."""
    plain = UNREAD.sub(lambda match: match[0] if match["name"] is not None else _blank(match[0]), cypher)
    names = {match["name"] for match in RELATIONSHIP.finditer(plain) if match["name"]}
    changes: list[tuple[int, int, str]] = []
    conditions: dict[Clause, list[str]] = {}
    clauses = list(_clauses(plain))
    for number, part in enumerate(PART.finditer(plain)):
        entries = list(_entries(part["map"][1:-1]))
        found = [VALUE.fullmatch(entry) for entry in entries]
        wrong = [match for match in found if match is not None and not names.isdisjoint(NAME.findall(match["value"]))]
        clause = _enclosing(clauses, part.start())
        if not wrong or clause is None or clause.word not in ("MATCH", "OPTIONAL MATCH"):
            continue
        if _depth(plain[clause.behind : part.start()]):
            line = f"{wrong[0]['key']} = {wrong[0]['value']}"
            raise UsageError(
                f"the embedded store cannot read {wrong[0]['value']} in the map of a pattern", f"write: WHERE … {line}"
            )
        name = part["name"] or f"part_{number}"
        if not part["name"]:
            changes.append((part.end("open"), part.end("open"), name))
        # Texts are those of the statement itself.
        start = part.start("map") + 1
        kept = []
        for entry, match in zip(entries, found, strict=True):
            if match is not None and match in wrong:
                value = cypher[start + match.start("value") : start + match.end("value")]
                conditions.setdefault(clause, []).append(f"{name}.{match['key']} = {value}")
            else:
                kept.append(cypher[start : start + len(entry)])
            start += len(entry) + 1
        changes.append((part.start("map"), part.end("map"), f"{{{','.join(kept)}}}" if kept else ""))
    for clause, wanted in conditions.items():
        following = next((other for other in clauses if other.start == clause.end), None)
        text = " AND ".join(wanted)
        if following is not None and following.word == "WHERE":
            changes.append((following.behind, following.behind, f" {text} AND ("))
            changes.append((following.end, following.end, ") "))
        else:
            changes.append((clause.end, clause.end, f" WHERE {text} "))
    for start, end, new in sorted(changes, reverse=True):
        cypher = cypher[:start] + new + cypher[end:]
    return cypher


def _entries(text: str) -> Iterator[str]:
    """The entries of a map: the parts between the commas that stand in no bracket."""
    start = depth = 0
    for place, mark in enumerate(text):
        depth += (mark in "([{") - (mark in ")]}")
        if mark == "," and depth == 0:
            yield text[start:place]
            start = place + 1
    yield text[start:]


def _blank(text: str) -> str:
    """Texts and comments without their words, of the same length."""
    return "'" + "_" * (len(text) - 2) + "'" if text[0] in "'\"" and len(text) > 1 else " " * len(text)


def _depth(text: str) -> int:
    """How many brackets are open at the end of a part of a statement."""
    return sum(text.count(mark) for mark in "([{") - sum(text.count(mark) for mark in ")]}")


def _clauses(plain: str) -> Iterator[Clause]:
    """The clauses of a statement and of its subqueries. Each ends where the next one of its depth begins."""
    depth, place, found = 0, 0, []
    depths = []
    for match in CLAUSE.finditer(plain):
        depth += _depth(plain[place : match.start()])
        place = match.start()
        found.append((" ".join(match[0].upper().split()), match.start(), match.end()))
        depths.append(depth)
    for number, (word, start, behind) in enumerate(found):
        limit = _closing(plain, behind)
        later = (found[other][1] for other in range(number + 1, len(found)) if depths[other] <= depths[number])
        yield Clause(word, start, behind, min(next(later, len(plain)), limit), depths[number])


def _closing(plain: str, start: int) -> int:
    """Where the bracket closes that is open at a place, or the end of the statement."""
    depth = 0
    for place in range(start, len(plain)):
        if plain[place] in "([{":
            depth += 1
        elif plain[place] in ")]}":
            depth -= 1
            if depth < 0:
                return place
        elif plain[place] == ";" and depth == 0:
            return place
    return len(plain)


def _enclosing(clauses: list[Clause], place: int) -> Clause | None:
    """The innermost clause around a place."""
    around = [clause for clause in clauses if clause.behind <= place < clause.end]
    return max(around, key=lambda clause: clause.start, default=None)
