"""The schema of the claim graph: every label, relationship and property, with its type and meaning.

It is read from cypher/schema/vocabulary.cypher, which creates one of everything and says in its comments what each name
means:

    // Claim.text: the claim as a sentence
    CREATE (c:Claim {text: ''})
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from graph_eval.graph import library
from graph_eval.graph.patterns import Element, Region, Statement
from graph_eval.resources import folder

FILE = "schema/vocabulary"
MEANING = re.compile(r"^// ([A-Z]\w*(?:\.\w+)?): (.+)$", re.MULTILINE)
ANY_NAME = "NAME"  # ends the name of a property that stands for many: meta_NAME
EXAMPLES = ("flagged_claims", "entities_by_flags", "flag_rate_by_model", "refutations", "disagreement", "score_bands")


class Property(NamedTuple):
    """`type`: text, integer, number, boolean, any, or "list of" one of them."""

    name: str
    type: str
    meaning: str


class End(NamedTuple):
    """The labels at the start and at the end of a relationship."""

    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Node:
    label: str
    meaning: str
    properties: tuple[Property, ...]


@dataclass(frozen=True, slots=True)
class Relationship:
    """`ends`: the pairs of labels that it connects."""

    type: str
    meaning: str
    properties: tuple[Property, ...]
    ends: tuple[End, ...]


@dataclass(frozen=True, slots=True)
class Schema:
    """`nodes` and `relationships`: by label and by type."""

    nodes: Mapping[str, Node]
    relationships: Mapping[str, Relationship]

    @property
    def text(self) -> str:
        """The whole schema as lines of text, for a person or a language model."""
        lines = ["Nodes:"]
        for node in self.nodes.values():
            lines += [f"(:{node.label}) {node.meaning}", *_lines(node.properties)]
        lines += ["", "Relationships:"]
        for relationship in self.relationships.values():
            paths = ", ".join(f"(:{start})-[:{relationship.type}]->(:{end})" for start, end in relationship.ends)
            lines += [f"{paths} {relationship.meaning}", *_lines(relationship.properties)]
        return "\n".join(lines)


def has_property(properties: tuple[Property, ...], name: str) -> bool:
    """Whether a property has this name, or stands for it: meta_NAME for meta_cost."""
    return any(
        name == known.name or (known.name.endswith(ANY_NAME) and name.startswith(known.name.removesuffix(ANY_NAME)))
        for known in properties
    )


@cache
def schema() -> Schema:
    """The schema of the claim graph."""
    meanings = dict(MEANING.findall((folder("cypher") / f"{FILE}.cypher").read_text("utf-8")))
    statement = Statement(library.text(FILE))
    nodes: dict[str, Node] = {}
    relationships: dict[str, Relationship] = {}
    labels: dict[str, str] = {}  # by variable
    opening = openings(statement)
    for region in _created(statement):
        for element, _ in statement.elements(region):
            (name, *_), properties = names_of(statement, element) or ("",), _properties(statement, element)
            if statement.is_mark(element.start, "("):
                variable = statement.tokens[element.start + 1].text
                if name:
                    labels[variable] = name
                    nodes[name] = Node(name, meanings[name], _described(name, properties, meanings))
                continue
            left, right, arrow = around(statement, element, opening)
            ends = [labels[statement.tokens[place + 1].text] for place in (left, right)]
            end = End(*ends) if arrow == ">" else End(*reversed(ends))
            known = relationships.get(name)
            described = _described(name, properties, meanings)
            relationships[name] = Relationship(
                name,
                meanings[name],
                tuple(dict.fromkeys([*(known.properties if known else ()), *described])),
                (*(known.ends if known else ()), end),
            )
    return Schema(nodes, relationships)


def names_of(statement: Statement, element: Element) -> list[str] | None:
    """The labels or types of an element of a pattern: [] if it names none, None if it is not clear which it means."""
    start = element.start + 1 + (element.name is not None)
    end = element.end - 1
    if element.properties is not None:
        end = element.properties.start - 1
    elif element.where is not None:
        end = element.where.start - 1
    found: list[str] = []
    number = start
    while number < end and statement.is_mark(number, ":|&"):
        number += 1 + statement.is_mark(number + 1, ":")
        if number >= end or not statement.tokens[number].is_name:
            return None
        found.append(statement.tokens[number].text)
        number += 1
    # What may follow are the steps of a path, e.g. *1..3, and a parameter in the place of a map.
    rest = statement.tokens[number:end]
    return found if not rest or element.steps or rest[0].kind == "parameter" else None


def openings(statement: Statement) -> dict[int, int]:
    """The number of the opening token of each bracket, by that of the closing one."""
    return {end: start for start, end in statement.ends.items()}


def around(statement: Statement, element: Element, opening: Mapping[int, int]) -> tuple[int, int, str]:
    """Where the nodes at both sides of a relationship open, and its direction: ">", "<" or "" for either.

    `opening`: see `openings`. Raises LookupError where there is no node.
    """
    before, behind = element.start - 1, element.end
    incoming, outgoing = statement.is_mark(before - 1, "<"), statement.is_mark(behind + 1, ">")
    left, right = opening[before - 1 - incoming], behind + 1 + outgoing
    if not all(statement.is_mark(place, "(") and place in statement.ends for place in (left, right)):
        raise LookupError("no node")
    return left, right, "" if incoming == outgoing else ">" if outgoing else "<"


def _created(statement: Statement) -> Iterator[Region]:
    for number, token in enumerate(statement.tokens):
        if token.is_word("CREATE") and statement.begins_clause(number):
            yield Region(number + 1, statement.clause_end(number), None)


def _properties(statement: Statement, element: Element) -> dict[str, str]:
    """The types of the properties of an element, by name."""
    if element.properties is None:
        return {}
    return {
        statement.tokens[entry.start].text: _type(statement, entry.start + 2)
        for entry in statement.entries(element.properties)
    }


def _type(statement: Statement, place: int) -> str:
    token = statement.tokens[place]
    if token.is_mark("["):
        return f"list of {_type(statement, place + 1)}"
    if token.is_word("TRUE", "FALSE"):
        return "boolean"
    if token.kind == "number":
        return "number" if "." in token.text else "integer"
    return "text"


def _described(name: str, types: Mapping[str, str], meanings: Mapping[str, str]) -> tuple[Property, ...]:
    own = [Property(key, kind, meanings[f"{name}.{key}"]) for key, kind in types.items()]
    many = [key.partition(".")[2] for key in meanings if key.startswith(f"{name}.") and key.endswith(ANY_NAME)]
    return (*own, *(Property(key, "any", meanings[f"{name}.{key}"]) for key in many))


def _lines(properties: tuple[Property, ...]) -> list[str]:
    return [f"  {own.name} ({own.type}): {own.meaning}" for own in properties]
