"""Finds names in Cypher that the claim graph does not have.

A database takes a label, relationship or property that does not exist, or a relationship in the wrong direction, for a
question without matches: it gives no rows or null, and no error. A model that wrote such a query would never be told.
Only what is certainly wrong is found: a variable whose meaning is not clear may have any property.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graph_eval.errors import suggestion
from graph_eval.graph.patterns import Element, Statement
from graph_eval.graph.schema import (
    Node,
    Property,
    Relationship,
    Schema,
    around,
    has_property,
    names_of,
    openings,
    schema,
)

PATHS = ("SHORTESTPATH", "ALLSHORTESTPATHS")


def mistake(cypher: str) -> str | None:
    """The first name in a statement that is not one of the schema, in words. None if there is no such name."""
    return next(_mistakes(Statement(cypher), schema()), None)


def _mistakes(statement: Statement, known: Schema) -> Iterator[str]:
    elements = _elements(statement)
    opening = openings(statement)
    meant: dict[str, list[str] | None] = {}  # the labels and types of each variable, None: any
    for element in elements:
        names = names_of(statement, element)
        table = _table(statement, element, known)
        for name in names or ():
            if name not in table:
                yield _unknown(name, table, "label" if _is_node(statement, element) else "relationship")
        if element.name is not None:
            before = meant.get(element.name.text, [])
            meant[element.name.text] = None if names is None or before is None else [*before, *names]
    for element in elements:
        own = meant[element.name.text] if element.name is not None else names_of(statement, element)
        table = _table(statement, element, known)
        for entry in statement.entries(element.properties) if element.properties is not None else ():
            yield from _wrong_property(statement.tokens[entry.start].text, own, table)
        if not _is_node(statement, element) and not element.steps:
            yield from _wrong_direction(statement, element, opening, meant, known)
    of_variables = {element.name.text: element for element in elements if element.name is not None}
    for name in _renamed(statement):
        of_variables.pop(name, None)
    for number, token in enumerate(statement.tokens):
        if (
            token.is_name
            and token.text in of_variables
            and not statement.is_mark(number - 1, ".$")
            and statement.is_mark(number + 1, ".")
            and number + 2 < len(statement.tokens)
            and statement.tokens[number + 2].is_name
            and not statement.is_mark(number + 3, "(.")
        ):
            table = _table(statement, of_variables[token.text], known)
            yield from _wrong_property(statement.tokens[number + 2].text, meant[token.text], table)


def _elements(statement: Statement) -> list[Element]:
    """The nodes and relationships of all patterns, in order."""
    starts = {
        element.start
        for region in statement.regions()
        for element, _ in statement.elements(region)
        if not _is_call(statement, element.start)
    }
    behind: dict[int | None, int] = {}  # the end of the last pattern, by the bracket around it
    for start in range(len(statement.tokens)):
        level = statement.inside[start]
        if start < behind.get(level, 0) or _is_call(statement, start):
            continue
        end = statement.chain(start)  # a pattern without MATCH, e.g. behind WHERE
        if end is not None:
            behind[level] = end
            starts |= {number for number in range(start, end) if _opens_element(statement, number, level)}
    return [statement.element(start) for start in sorted(starts) if statement.ends[start] > start + 1]


def _opens_element(statement: Statement, number: int, level: int | None) -> bool:
    if number not in statement.ends:
        return False
    if statement.is_mark(number, "["):
        return statement.is_mark(number - 1, "-") and statement.inside[number] == level
    return statement.is_mark(number, "(") and statement.inside[number] == level


def _is_call(statement: Statement, start: int) -> bool:
    """Whether the bracket belongs to a function."""
    return (
        statement.is_mark(start, "(")
        and start > 0
        and statement.tokens[start - 1].is_name
        and not statement.begins_clause(start - 1)
        and not statement.is_word(start - 1, "WHERE", "AND", "OR", "XOR", "NOT", "WHEN", "THEN", "ELSE", *PATHS)
    )


def _renamed(statement: Statement) -> set[str]:
    """Names that an expression gives to a value of its own: behind AS, or before IN."""
    return {
        token.text
        for number, token in enumerate(statement.tokens)
        if token.is_name
        and (
            statement.is_word(number - 1, "AS")
            or (statement.is_mark(number - 1, "[(") and statement.is_word(number + 1, "IN"))
        )
    }


def _is_node(statement: Statement, element: Element) -> bool:
    return statement.is_mark(element.start, "(")


def _table(statement: Statement, element: Element, known: Schema) -> dict[str, Node | Relationship]:
    """What may stand at the place of the element, by name."""
    return dict(known.nodes) if _is_node(statement, element) else dict(known.relationships)


def _wrong_property(name: str, labels: list[str] | None, table: dict[str, Node | Relationship]) -> Iterator[str]:
    if labels is None or any(label not in table for label in labels):
        return
    chosen = [table[label] for label in dict.fromkeys(labels)] or list(table.values())
    properties = tuple(own for entry in chosen for own in entry.properties)
    if not has_property(properties, name):
        if not labels:
            yield f"nothing in the graph has the property {name}"
            return
        others = [label for label, entry in table.items() if has_property(entry.properties, name)]
        where = f" ({name} is a property of {', '.join(others)})" if others else ""
        what = " or ".join(dict.fromkeys(labels))
        yield f"{what} has no property {name}; it has {_listed(properties)}{where}"


def _wrong_direction(
    statement: Statement,
    element: Element,
    opening: dict[int, int],
    meant: dict[str, list[str] | None],
    known: Schema,
) -> Iterator[str]:
    types = names_of(statement, element)
    try:
        left, right, arrow = around(statement, element, opening)
    except LookupError:
        return
    if not types or any(name not in known.relationships for name in types):
        return
    ends: list[list[str]] = []
    for place in (left, right):
        node = statement.element(place) if statement.ends[place] > place + 1 else None
        names = None if node is None else meant.get(node.name.text) if node.name else names_of(statement, node)
        ends.append([name for name in names or known.nodes if name in known.nodes] or list(known.nodes))
    start, end = (ends[0], ends[1]) if arrow != "<" else (ends[1], ends[0])
    pairs = [pair for name in types for pair in known.relationships[name].ends]
    fits = any(pair.start in start and pair.end in end for pair in pairs)
    if not fits and not (arrow == "" and any(pair.start in end and pair.end in start for pair in pairs)):
        leads = ", ".join(f"from {pair.start} to {pair.end}" for pair in pairs)
        yield f"{' or '.join(types)} leads {leads}, not as in {_pattern(statement, left, right)}"


def _pattern(statement: Statement, left: int, right: int) -> str:
    return statement.text(left, statement.ends[right] + 1)


def _unknown(name: str, table: dict[str, Node | Relationship], kind: str) -> str:
    hint = suggestion(name, table) or f"there are {', '.join(table)}"
    return f"there is no {kind} {name}; {hint}"


def _listed(properties: Iterable[Property]) -> str:
    return ", ".join(dict.fromkeys(own.name for own in properties)) or "none"
