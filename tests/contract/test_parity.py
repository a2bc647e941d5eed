"""Queries as people write them give the same rows on Neo4j and on the embedded store."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graph_eval.chunks import chunks
from graph_eval.errors import UsageError
from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.embedded import EmbeddedConnection
from graph_eval.graph.inline_maps import moved
from graph_eval.graph.neo4j import Neo4jConnection
from tests import neo4j_server
from tests.conftest import missing
from tests.graphs import judged_again, made, run

QUERIES = (Path(__file__).parent.parent / "data" / "queries.cypher").read_text("utf-8").splitlines()
RESULTS = list(made(300))
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
                for of_run, results in ((run("one"), RESULTS), (run("two"), judged_again(RESULTS[:150], 2))):
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


def test_a_condition_on_an_edge_goes_from_a_map_to_where() -> None:
    edge = "MATCH ()-[e:RELATES]->() "
    assert moved(f"{edge}MATCH (r:Response {{id: e.response_id}}) RETURN r").split() == (
        f"{edge}MATCH (r:Response ) WHERE r.id = e.response_id RETURN r".split()
    )
    both = moved(f"{edge}MATCH (r {{id: e.response_id, name: 'a, b'}}) WHERE r.x OR r.y RETURN r")
    assert (
        both.split()
        == f"{edge}MATCH (r {{ name: 'a, b'}}) WHERE r.id = e.response_id AND ( r.x OR r.y ) RETURN r".split()
    )
    for unchanged in (
        "MATCH (c) MATCH (d {id: c.id}) RETURN d",
        "RETURN '-[e]- MATCH (r {id: e.x})'",
        "RETURN {id: 1}",
    ):
        assert moved(unchanged) == unchanged


def test_a_condition_that_cannot_be_moved_is_refused_with_the_spelling_that_works() -> None:
    with pytest.raises(UsageError) as refused:
        moved("MATCH ()-[e:R]->() MATCH (a) ((x)-->(y {id: e.id})){1,2} (b) RETURN b")
    assert refused.value.hint == "write: WHERE … id = e.id"
