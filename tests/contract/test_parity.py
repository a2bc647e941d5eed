"""Queries as people write them give the same rows on Neo4j and on the embedded store."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graph_eval.chunks import chunks
from graph_eval.errors import UsageError
from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.dialect import adapted
from graph_eval.graph.embedded import EmbeddedConnection
from graph_eval.graph.neo4j import Neo4jConnection
from tests import neo4j_server
from tests.conftest import missing
from tests.graphs import judged_again, made, run

QUERIES = (Path(__file__).parent.parent / "data" / "queries.cypher").read_text("utf-8").splitlines()
RESULTS = list(made(80))
PARAMETERS = {
    "names": ["r1", "r2", "r7"],
    "name": "r7",
    "low": 0.8,
    "flag": True,
    "label": "Neutral",
    "claim": next(finding.claim.id for result in RESULTS for finding in result.flagged),
}
Graphs = tuple[ClaimGraph, ClaimGraph]


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graphs]:
    """The same two runs in both stores."""
    folder = tmp_path_factory.mktemp("parity")
    try:
        with (
            neo4j_server.running(folder / "neo4j", neo4j_server.VERSION) as server,
            ClaimGraph(Neo4jConnection(server.uri, {})) as one,
            ClaimGraph(EmbeddedConnection(folder / "kg")) as other,
        ):
            for graph in (one, other):
                graph.setup()
                for of_run, results in ((run("one"), RESULTS), (run("two"), judged_again(RESULTS[:40], 2))):
                    for part in chunks(results, 100):
                        graph.write(of_run, part)
            yield one, other
    except neo4j_server.MissingError as problem:
        missing("neo4j", str(problem))


def rounded(value: Any) -> Any:
    """Sums of numbers differ in the last digits."""
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return {name: rounded(part) for name, part in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("cypher", QUERIES)
def test_both_stores_give_the_same_rows(graphs: Graphs, cypher: str) -> None:
    given = {name: value for name, value in PARAMETERS.items() if f"${name}" in cypher}
    one, other = ([rounded(row) for row in graph.query(cypher, given)] for graph in graphs)
    if "ORDER BY" not in cypher:
        one, other = (sorted(rows, key=json.dumps) for rows in (one, other))
    assert other == one
    assert one, "the query asks something"


REFUSED = {
    "MATCH ()-[e:R]->(o) MATCH (o)-[:R* {a: e.a}]->(b) RETURN b": "give the path a longest length: *1..3",
    "MATCH ()-[e:R]->(o) MATCH (o)-[:R*1.. {a: e.a}]->(b) RETURN b": "give the path a longest length: *1..3",
    "MATCH (r:Response) WHERE size((r)-[:STATES]->()) > 3 RETURN count(*) AS n": "write: COUNT { (r)-[:STATES]->() }",
    "MATCH ()-[e:R]->() MATCH (a) ((x)-->(y {id: e.id})){1,2} (b) RETURN b": "write: WHERE … id = e.id",
    "MATCH ()-[e:R]->(o), p = shortestPath((r {id: e.id})-[*]-(o)) RETURN p": "write: WHERE … id = e.id",
    "MATCH ()-[e]->() MATCH (:R {id: e.id}) RETURN *": "name every node of (:R {id: e.id}), or the columns",
}


@pytest.mark.parametrize("cypher", REFUSED)
def test_what_cannot_be_rewritten_is_refused_with_the_spelling_that_works(cypher: str) -> None:
    with pytest.raises(UsageError) as refused:
        adapted(cypher)
    assert refused.value.hint == REFUSED[cypher]


EDGE = "MATCH ()-[e:R]->() "


@pytest.mark.parametrize(
    ("cypher", "wanted"),
    [
        ("MATCH (r:A {id: e.a}) RETURN r", "MATCH (r:A ) WHERE r.id = e.a RETURN r"),
        (
            "MATCH (r {id: e.a, name: 'a, b'}) WHERE r.x OR r.y // or\nRETURN r",
            "MATCH (r {name: 'a, b'}) WHERE r.id = e.a AND ( r.x OR r.y) // or\nRETURN r",
        ),
        (
            "MATCH ()-[fs*2 {a: e.a}]->() RETURN fs",
            "MATCH ()-[fs*2 ]->() WHERE all(part IN fs WHERE part.a = e.a) RETURN fs",
        ),
        ("MATCH ({id: b.id})-->(b) RETURN b", "MATCH (part )-->(b) WHERE part.id = b.id RETURN b"),
        (
            "MATCH (r) WHERE (r)-->({id: e.a}) RETURN r",
            "MATCH (r) WHERE EXISTS { (r)-->({id: e.a}) } RETURN r",
        ),
        ("UNWIND e.a AS a MATCH (b {a: a}) RETURN b", "UNWIND e.a AS a WITH * MATCH (b {a: a}) RETURN b"),
    ],
)
def test_a_statement_is_rewritten(cypher: str, wanted: str) -> None:
    found = re.sub(r"part_\d+", "part", adapted(EDGE + cypher))
    assert found.replace(" ", "") == (EDGE + wanted).replace(" ", "")


@pytest.mark.parametrize(
    "cypher",
    [
        "MATCH (c) MATCH (d {id: c.id}) RETURN d",
        "RETURN '-[e]- MATCH (r {id: e.x})' // MATCH ()-[e]-() MATCH ({id: e.id})",
        "RETURN {id: 1}",
        "UNWIND $rows AS row MATCH (c:Claim {id: row.claim_id}) MERGE (c)-[:A {b: row.b}]->(:B {c: c.id})",
        "MATCH (a)-[e:R {flagged: true} WHERE e.p > 0.5]->(b {id: $id}) WHERE (a)-->(:X {y: 'z'})-->(b) RETURN (1) - (2)",  # noqa: E501
        "MATCH (n RETURN n",
    ],
)
def test_other_statements_stay_as_they_are(cypher: str) -> None:
    assert adapted(cypher) == cypher
