"""The patterns in a statement: where they stand, what they consist of, and which conditions they have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph_eval.graph.tokens import Token, pairs, tokens

CLAUSES = frozenset(
    """MATCH OPTIONAL WITH RETURN WHERE UNWIND CALL CREATE INSERT MERGE SET DELETE DETACH REMOVE FOREACH UNION ORDER
    SKIP OFFSET LIMIT FINISH LET FILTER USE LOAD""".split()
)
CONSTANTS = ("TRUE", "FALSE", "NULL")
SUBQUERIES = ("EXISTS", "COUNT", "COLLECT")


@dataclass(frozen=True, slots=True)
class Region:
    """A pattern and what conditions it has. All numbers are those of tokens.

    `start`, `end`: of the pattern. `inside`: the bracket around it. `where`: the end of its WHERE, which begins at
    `end`. `bare`: no MATCH stands before it.
    """

    start: int
    end: int
    inside: int | None
    where: int | None = None
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """A node or relationship of a pattern, from `start` to `end`, the brackets included.

    `properties`: the tokens inside its map. `where`: those of a condition of its own. `steps`: it has a star.
    """

    start: int
    end: int
    name: Token | None
    properties: range | None
    where: range | None
    steps: bool


class Statement:
    """The tokens of a statement, with the bracket around each."""

    def __init__(self, cypher: str) -> None:
        self.cypher = cypher
        self.tokens = tokens(cypher)
        self.ends = pairs(self.tokens)
        self.inside: list[int | None] = []
        around: list[int] = []
        closing = {end: start for start, end in self.ends.items()}
        for number in range(len(self.tokens)):
            if number in closing:
                around.pop()
            self.inside.append(around[-1] if around else None)
            if number in self.ends:
                around.append(number)

    def text(self, start: int, end: int) -> str:
        """The text of the tokens from one number to before another."""
        return self.cypher[self.tokens[start].start : self.tokens[end - 1].end]

    def fresh(self, number: int) -> str:
        """A variable for the element at a place, which the statement does not use."""
        name = f"part_{number}"
        while any(token.text == name for token in self.tokens):
            name += "_"
        return name

    def is_mark(self, number: int, marks: str) -> bool:
        return 0 <= number < len(self.tokens) and self.tokens[number].is_mark(marks)

    def is_word(self, number: int, *words: str) -> bool:
        return 0 <= number < len(self.tokens) and self.tokens[number].is_word(*words)

    def begins_clause(self, number: int) -> bool:
        if not self.is_word(number, *CLAUSES) or self.is_mark(number - 1, ".:") or self.is_mark(number + 1, ":"):
            return False
        return not self.is_word(number - 1, "AS") and not (
            self.is_word(number, "WITH") and self.is_word(number - 1, "STARTS", "ENDS")
        )

    def clause_end(self, number: int, marks: str = ";") -> int:
        """The number behind the clause of a token: where the next one, the bracket around it or a mark stands."""
        around = self.inside[number]
        last = len(self.tokens) if around is None else self.ends.get(around, len(self.tokens))
        for other in range(number + 1, last):
            if self.inside[other] == around and (self.begins_clause(other) or self.tokens[other].is_mark(marks)):
                return other
        return last

    def regions(self) -> Iterator[Region]:
        """The patterns of MATCH, of subqueries and of comprehensions."""
        for number, token in enumerate(self.tokens):
            if self.begins_clause(number) and token.is_word("MATCH"):
                yield self._region(number + 1, self.clause_end(number), self.inside[number])
            elif token.is_mark("{") and self.is_word(number - 1, *SUBQUERIES) and number in self.ends:
                if not self.begins_clause(number + 1):
                    yield self._region(number + 1, self.clause_end(number + 1), number, bare=True)
            elif token.is_mark("[") and number in self.ends and not self.is_mark(number - 1, "-"):
                start = number + 3 if self.is_mark(number + 2, "=") else number + 1
                if self.chain(start):
                    yield self._region(start, self.clause_end(start, "|"), number, marks="|", bare=True)

    def _region(self, start: int, end: int, inside: int | None, marks: str = ";", bare: bool = False) -> Region:
        where = self.clause_end(end, marks) if self.is_word(end, "WHERE") else None
        return Region(start, end, inside, where, bare and marks == ";")

    def chain(self, start: int) -> int | None:
        """The number behind a pattern of nodes and at least one relationship. None if none starts here."""
        if not self.is_mark(start, "(") or start not in self.ends:
            return None
        end = self.ends[start] + 1
        found = None
        while True:
            at = end + self.is_mark(end, "<")
            if not self.is_mark(at, "-"):
                return found
            at = self.ends.get(at + 1, at) + 1 if self.is_mark(at + 1, "[") else at + 1
            if not self.is_mark(at, "-"):
                return found
            at += 1 + self.is_mark(at + 1, ">")
            if not self.is_mark(at, "(") or at not in self.ends:
                return found
            found = end = self.ends[at] + 1

    def elements(self, region: Region) -> Iterator[tuple[Element, bool]]:
        """The nodes and relationships of a pattern, and whether each stands in brackets inside it."""
        for number in range(region.start, region.end):
            around = self.inside[number]
            nested = False
            while around is not None and around != region.inside and self.is_mark(around, "(["):
                around, nested = self.inside[around], True
            if around == region.inside and self.is_mark(number, "([") and number in self.ends:
                yield self.element(number), nested

    def element(self, start: int) -> Element:
        end = self.ends[start]
        own = [number for number in range(start + 1, end) if self.inside[number] == start]
        name = self.tokens[start + 1] if self.tokens[start + 1].is_name else None
        where = next((number for number in own[1:] if self.is_word(number, "WHERE")), end)
        opening = next((number for number in own if number < where and self.is_mark(number, "{")), None)
        properties = None if opening is None else range(opening + 1, self.ends[opening])
        head = range(start + 1, where if opening is None else opening)
        steps = any(self.is_mark(number, "*") for number in head)
        return Element(start, end + 1, name, properties, range(where + 1, end) if where < end else None, steps)

    def entries(self, properties: range) -> Iterator[range]:
        """The tokens of each entry of a map."""
        around, start = properties.start - 1, properties.start
        for number in properties:
            if self.inside[number] == around and self.is_mark(number, ","):
                yield range(start, number)
                start = number + 1
        if start < properties.stop:
            yield range(start, properties.stop)

    def variables(self, numbers: range) -> set[str]:
        """The names in an expression that are no property, function or constant."""
        return {
            self.tokens[number].text
            for number in numbers
            if self.tokens[number].is_name
            and not self.is_word(number, *CONSTANTS)
            and not self.is_mark(number - 1, ".")
            and not self.is_mark(number + 1, "(")
        }

    def relationships(self) -> set[str]:
        """The variables of relationships."""
        return {
            self.tokens[start + 1].text
            for start, end in self.ends.items()
            if self.is_mark(start, "[")
            and self.is_mark(start - 1, "-")
            and self.is_mark(end + 1, "-")
            and self.tokens[start + 1].is_name
        }

    def optional(self, before: int) -> set[str]:
        """The nodes that an OPTIONAL MATCH before this place binds first: they may be null."""
        bound: set[str] = set()
        found: set[str] = set()
        for region in self.regions():
            if region.bare or region.end > before:
                continue
            names = {
                element.name.text
                for element, _ in self.elements(region)
                if element.name is not None and self.is_mark(element.start, "(")
            }
            if self.is_word(region.start - 2, "OPTIONAL"):
                found |= names - bound
            bound |= names
        return found

    def replaced(self, changes: Sequence[tuple[int, int, str]]) -> str:
        """The statement with these parts of its text replaced: (start, end, new text)."""
        text = self.cypher
        for start, end, new in sorted(changes, reverse=True):
            text = text[:start] + new + text[end:]
        return text
