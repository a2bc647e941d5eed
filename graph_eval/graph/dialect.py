"""Rewrites Cypher whose meaning is lost in the embedded store, which gives wrong rows and no error.

ArcadeDB 26.10 reads these otherwise than Neo4j, most of them as nothing:

    (r:Response {id: e.response_id})     in a MATCH: a property of a relationship in the map of a pattern
    (a {id: b.id})-->(b)                 a variable that the pattern binds behind the map
    WHERE (a)-->({id: e.id})-->(b)       a variable in the map of a longer pattern behind WHERE
    UNWIND a.list AS x MATCH             what the MATCH asks of x, if another MATCH bound a
    (a)-->(b)                            a node that OPTIONAL MATCH left null: here it is any node
    size((a)-->())                       a pattern as the argument of a function, which Neo4j refuses

The same condition behind WHERE is right, and so is a pattern in EXISTS { } and a MATCH behind WITH *. The statement is
written like that before it is sent, or refused with the spelling that works.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from graph_eval.errors import UsageError
from graph_eval.graph.patterns import Region, Statement

OPERATORS = frozenset("AND OR XOR NOT WHERE WHEN THEN ELSE CASE IN RETURN WITH DISTINCT BY ON AS".split())


@lru_cache(maxsize=256)
def adapted(cypher: str) -> str:
    """The statement as the embedded store reads it right. Raises UsageError where it cannot be rewritten."""
    for rewrite in (_with_predicates, _with_conditions, _with_separate_unwind):
        while (changed := rewrite(Statement(cypher))) is not None:
            cypher = changed
    return cypher


def _with_predicates(statement: Statement) -> str | None:
    """With the first such pattern behind WHERE in EXISTS { }. None if there is none."""
    patterns = {number for region in statement.regions() for number in _of_pattern(statement, region)}
    patterns |= {
        number
        for start, token in enumerate(statement.tokens)
        if token.is_word("CREATE", "MERGE", "INSERT") and statement.begins_clause(start)
        for number in range(start, statement.clause_end(start))
    }
    behind = 0
    for start in range(len(statement.tokens)):
        end = None if start < behind or start in patterns else statement.chain(start)
        if end is None:
            continue
        behind = end
        pattern, first, last = statement.text(start, end), start, end
        function = statement.tokens[start - 2] if start > 1 else None
        if (
            function is not None
            and statement.ends.get(start - 1) == end
            and function.is_name
            and not function.is_word(*OPERATORS, "SHORTESTPATH", "ALLSHORTESTPATHS")
        ):
            if not function.is_word("EXISTS"):
                raise UsageError(
                    f"the embedded store cannot read a pattern in {function.text}()", f"write: COUNT {{ {pattern} }}"
                )
            first, last = start - 2, end + 1
        elements = [statement.element(number) for number in range(start, end) if _opens(statement, number)]
        names = {element.name.text for element in elements if element.name is not None}
        values = (
            range(entry.start + 2, entry.stop)
            for element in elements
            if element.properties is not None
            for entry in statement.entries(element.properties)
        )
        if names & statement.optional(start) or any(map(statement.variables, values)):
            places = statement.tokens[first].start, statement.tokens[last - 1].end
            return statement.replaced([(*places, f"EXISTS {{ {pattern} }}")])
    return None


def _of_pattern(statement: Statement, region: Region) -> Iterator[int]:
    """The tokens of a pattern without the conditions inside it."""
    conditions = {
        number for element, _ in statement.elements(region) if element.where is not None for number in element.where
    }
    return (number for number in range(region.start, region.end) if number not in conditions)


def _opens(statement: Statement, number: int) -> bool:
    return statement.is_mark(number, "([") and number in statement.ends


def _with_conditions(statement: Statement) -> str | None:
    """With the conditions of the first such pattern behind its WHERE. None if there is none."""
    for region in statement.regions():
        changes, conditions = _moved(statement, region)
        if not conditions:
            continue
        text = " AND ".join(conditions)
        if region.where is not None:
            behind = statement.tokens[region.end].end
            changes.append((behind, behind, f" {text} AND ("))
            behind = statement.tokens[region.where - 1].end
            changes.append((behind, behind, ")"))
        else:
            behind = statement.tokens[region.end - 1].end
            changes.append((behind, behind, f" WHERE {text}"))
        if region.bare:
            start = statement.tokens[region.start].start
            changes.append((start, start, "MATCH "))
        return statement.replaced(changes)
    return None


def _moved(statement: Statement, region: Region) -> tuple[list[tuple[int, int, str]], list[str]]:
    """The changes that take conditions out of a pattern, and these conditions."""
    changes: list[tuple[int, int, str]] = []
    conditions: list[str] = []
    relationships = statement.relationships()
    elements = list(statement.elements(region))
    if region.bare:  # there the relationships of the statement around it are read right
        relationships &= {element.name.text for element, _ in elements if element.name is not None}
    optional = statement.optional(region.start)
    for number, (element, nested) in enumerate(elements):
        bound = {other.name.text for other, _ in elements[number:] if other.name is not None}
        own = {element.name.text} if element.name is not None else set()
        name = (
            statement.fresh(element.start)
            if element.name is None
            else statement.text(element.start + 1, element.start + 2)
        )
        entries = list(statement.entries(element.properties)) if element.properties is not None else []
        wrong = [
            entry
            for entry in entries
            if not (bound | relationships).isdisjoint(statement.variables(range(entry.start + 2, entry.stop)))
        ]
        where = element.where
        if where is not None and (bound | relationships).isdisjoint(statement.variables(where) - own):
            where = None
        if element.name is not None and element.name.text in optional and statement.is_mark(element.start - 1, "->"):
            _check_that_nothing_shows(statement, region)
            changes.append((element.name.start, element.name.end, statement.fresh(element.start)))
            conditions.append(f"{statement.fresh(element.start)} = {name}")
        if not wrong and where is None:
            continue
        if nested or (where is not None and element.steps):
            entry = where or range(wrong[0].start + 2, wrong[0].stop)
            value = statement.text(entry.start, entry.stop)
            line = value if where else f"{statement.text(wrong[0].start, wrong[0].start + 1)} = {value}"
            raise UsageError(f"the embedded store cannot read {value} inside a pattern", f"write: WHERE … {line}")
        if element.steps and element.properties is not None and not _is_limited(statement, element.properties):
            condition = statement.text(wrong[0].start, wrong[0].stop)
            raise UsageError(
                f"the embedded store cannot read {condition} in a path of any length",
                "give the path a longest length: *1..3",
            )
        if element.name is None:
            _check_that_nothing_shows(statement, region)
            behind = statement.tokens[element.start].end
            changes.append((behind, behind, name))
        for entry in wrong:
            key, value = (
                statement.text(*part) for part in ((entry.start, entry.start + 1), (entry.start + 2, entry.stop))
            )
            own_name = statement.fresh(entry.start) if element.steps else name
            condition = f"{own_name}.{key} = {value}"
            conditions.append(f"all({own_name} IN {name} WHERE {condition})" if element.steps else condition)
        if wrong and element.properties is not None:
            kept = ", ".join(statement.text(entry.start, entry.stop) for entry in entries if entry not in wrong)
            places = (
                statement.tokens[element.properties.start - 1].start,
                statement.tokens[element.properties.stop].end,
            )
            changes.append((*places, f"{{{kept}}}" if kept else ""))
        if where is not None:
            conditions.append(f"({statement.text(where.start, where.stop)})")
            places = statement.tokens[where.start - 1].start, statement.tokens[where.stop - 1].end
            changes.append((*places, ""))
    return changes, conditions


def _is_limited(statement: Statement, properties: range) -> bool:
    """Whether a path of several steps has a longest length. Behind WHERE, whole paths only are asked."""
    return statement.tokens[properties.start - 2].kind == "number"


def _check_that_nothing_shows(statement: Statement, region: Region) -> None:
    """A variable that is made up must not become a column."""
    for number in range(len(statement.tokens)):
        before = number - 1 - statement.is_word(number - 1, "DISTINCT")
        if not region.bare and statement.is_mark(number, "*") and statement.is_word(before, "RETURN", "WITH"):
            raise UsageError(
                "the embedded store cannot read this pattern together with *",
                f"name every node of {statement.text(region.start, region.end)}, or the columns",
            )


def _with_separate_unwind(statement: Statement) -> str | None:
    """With WITH * before the first MATCH that stands behind an UNWIND of what another MATCH found."""
    matched: dict[int | None, bool] = {}
    unwound: dict[int | None, bool] = {}
    for number, token in enumerate(statement.tokens):
        if not statement.begins_clause(number):
            continue
        inside = statement.inside[number]
        if token.is_word("WITH", "UNION", "CALL", "RETURN"):
            matched[inside] = unwound[inside] = False
        elif token.is_word("UNWIND"):
            unwound[inside] = matched.get(inside, False)
        elif token.is_word("MATCH"):
            optional = statement.is_word(number - 1, "OPTIONAL")
            if unwound.get(inside) and not optional:
                return statement.replaced([(token.start, token.start, "WITH * ")])
            matched[inside] = True
    return None
