"""Which statements reach beyond the graph, told from their text alone."""

import pytest

from graph_eval.graph.reading import beyond, plans_write


@pytest.mark.parametrize(
    "cypher",
    [
        "RETURN apoc.coll.sort([2, 1]) AS x, apoc.text.join(['a'], ' ') AS y, apoc.number.exact.add('1', '2') AS z",
        "RETURN Date.Truncate('day', datetime()) AS d, vector.similarity.cosine([1.0], [1.0]) AS v",
        "MATCH (n) WHERE n.flagged AND(n.p > 0.5) RETURN n['apoc.load.json('] AS x, [1, 2][0..size(n.id)] AS y",
        "CALL db.index.fulltext.queryNodes('claim_text', 'a') YIELD node RETURN node.name",
        "RETURN 'CALL dbms.x()' AS a, \"apoc.load.json('x')\" AS b // LOAD CSV\n /* apoc.load.json('x') */",
        "MATCH (n) RETURN n.load AS load, n.csv AS `load csv`, `LOAD`, csv",
        "SHOW INDEXES YIELD name RETURN name",
        "SHOW ALL CONSTRAINTS",
        "MATCH (n) WITH n.show AS show, n.terminate AS terminate ORDER BY show RETURN show, terminate",
    ],
)
def test_what_computes_only_is_let_through(cypher: str) -> None:
    assert beyond(cypher) is None


@pytest.mark.parametrize("family", ["cypher", "load", "util", "agg", "meta", "xml", "json", "static", "create"])
def test_other_families_of_functions_are_named(family: str) -> None:
    assert beyond(f"RETURN apoc.{family}.anything('x') AS x") == f"apoc.{family}.anything"
    assert beyond(f"RETURN apoc.coll.{family}.anything('x') AS x") == f"apoc.coll.{family}.anything"


@pytest.mark.parametrize(
    ("cypher", "name"),
    [
        ("TERMINATE TRANSACTIONS 'neo4j-transaction-1'", "TERMINATE TRANSACTIONS"),
        ("show /* x */ transactions", "SHOW TRANSACTIONS"),
        ("SH\\u004FW SETTINGS YIELD name RETURN name", "SHOW SETTINGS"),
        ("SHOW CURRENT USER", "SHOW CURRENT"),
        ("SHOW ALL ROLES", "SHOW ROLES"),
        ("MATCH (n) CALL () { SHOW TRANSACTIONS YIELD transactionId AS t RETURN t } RETURN t", "SHOW TRANSACTIONS"),
    ],
)
def test_commands_on_the_server_are_named(cypher: str, name: str) -> None:
    assert beyond(cypher) == name


@pytest.mark.parametrize(
    "cypher",
    [
        "EXPLAIN MATCH (n) SET n.x = 1",
        "EXPLAIN CR\\u0045ATE (n:X)",
        "CYPHER 5 EXPLAIN CREATE (n:X)",
        "CYPHER runtime=slotted profile CREATE (n:X)",
    ],
)
def test_a_plan_of_a_write_is_told_from_others(cypher: str) -> None:
    assert plans_write(cypher)


def test_a_plan_is_a_write_if_its_statement_is_one() -> None:
    assert not plans_write("EXPLAIN MATCH (n) WHERE n.set = 'DELETE' RETURN n.create, $merge, 1 AS `drop`")
    assert not plans_write("MATCH (n) SET n.x = 1")
