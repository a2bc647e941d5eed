"""Splits Cypher into tokens, to tell what a statement uses without taking words of its texts and comments for it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["name", "quoted", "text", "number", "parameter", "mark"]
OPEN, CLOSE = "([{", ")]}"
TOKEN = re.compile(
    r"""//[^\r\n]*|/\*.*?(?:\*/|\Z)                                       # a comment
    |(?P<text>'(?:\\.|[^'\\])*(?:'|\Z)|"(?:\\.|[^"\\])*(?:"|\Z))
    |(?P<quoted>`(?:[^`]|``)*(?:`|\Z))
    |(?P<parameter>\$(?:[^\W\d]\w*|\d+|`[^`]*`))
    |(?P<name>(?:[^\W\d]|[^\x00-\x7f\s])(?:[\w$]|[^\x00-\x7f\s])*)       # as wide as any database reads a name
    |(?P<number>\d\w*(?:\.(?!\.)\w*)?)
    |(?P<mark>[^\s])""",
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """`text`: as it is written; a quoted name without its back quotes. `start`, `end`: its place in the statement."""

    kind: Kind
    text: str
    start: int
    end: int

    def is_word(self, *words: str) -> bool:
        """Whether it is one of these keywords, whatever its case. A quoted name never is."""
        return self.kind == "name" and self.text.upper() in words

    def is_mark(self, marks: str) -> bool:
        """Whether it is one of these characters."""
        return self.kind == "mark" and self.text in marks

    @property
    def is_name(self) -> bool:
        return self.kind in ("name", "quoted")


def tokens(cypher: str) -> list[Token]:
    """The tokens of a statement in order, without blanks and comments. A text or comment may lack its end."""
    found = []
    for match in TOKEN.finditer(cypher):
        kind: Kind | None = match.lastgroup  # type: ignore[assignment]
        if kind is not None:
            text = match[0].strip("`").replace("``", "`") if kind == "quoted" else match[0]
            found.append(Token(kind, text, match.start(), match.end()))
    return found


def pairs(found: Iterable[Token]) -> dict[int, int]:
    """The number of the closing token of each bracket, by that of the opening one. Those without end are left out."""
    ends: dict[int, int] = {}
    stack: list[int] = []
    for number, token in enumerate(found):
        if token.is_mark(OPEN):
            stack.append(number)
        elif token.is_mark(CLOSE) and stack:
            ends[stack.pop()] = number
    return ends
