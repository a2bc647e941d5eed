"""Compares how fast graph_eval, neo4j-graphrag (KGWriter) and LangChain (add_graph_documents) write claims into Neo4j.

    pip install neo4j-graphrag langchain-neo4j
    python examples/compare_writers.py RUN bolt://localhost:7687 [-o FILE.json] [--limit RESPONSES]

The server must be empty and needs APOC core, which the other two writers call. A server that has just started is
several times slower until its code is compiled, which slows down the first writer: run this twice and use the second
result.

Each writer gets the same triplet claims as entities and relationships with their verdicts. graph_eval also writes
everything else that it always writes: runs, responses, passages, claims, evidence and sentence claims. Afterwards the
edges are counted: a writer that merges edges with the same ends loses claims.

graph_eval installs the driver's Rust extension, the other two do not. They are measured as they are installed (with the
plain driver) and with the extension. If the server requires a login, set NEO4J_USERNAME and NEO4J_PASSWORD.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from graph_eval.graph.networkx import to_networkx
from graph_eval.graph.open import open_graph
from graph_eval.machine import machine
from graph_eval.runs import directory
from graph_eval.types import Result

Values = dict[str, Any]
CLAIM = ("claim", "predicate", "label", "p_inconsistent", "flagged", "evidence", "response", "response_id", "model")
PLAIN = "PLAIN_DRIVER"
OTHERS = ("neo4j-graphrag", "langchain-neo4j")
WRITERS = [(name, driver) for name in ("graph_eval", *OTHERS) for driver in ("fast", "plain")]
ROWS = "MATCH (n) RETURN count(n) AS n UNION ALL MATCH ()-[r]->() RETURN count(r) AS n"
EDGES = "MATCH ()-[e:RELATES]->() WHERE coalesce(e.kind, 'triplet') = 'triplet' RETURN count(e) AS n"
WIPE = "MATCH (n) WITH n LIMIT 20000 DETACH DELETE n RETURN count(*) AS n"


def auth() -> tuple[str, str] | None:
    password = os.environ.get("NEO4J_PASSWORD")
    return (os.environ.get("NEO4J_USERNAME", "neo4j"), password) if password else None


def triplets(results: list[Result]) -> tuple[list[tuple[str, Values]], list[tuple[str, str, Values]]]:
    """Entities and claim edges of the results, as plain values."""
    graph = to_networkx(results)
    nodes = [(node, {"name": d["name"]}) for node, d in graph.nodes(data=True) if d["kind"] != "sentence"]
    edges = [
        (start, end, {"claim_id": key, **{name: value for name, value in d.items() if name in CLAIM}})
        for start, end, key, d in graph.edges(keys=True, data=True)
        if d["kind"] == "claim"
    ]
    return nodes, edges


def ours(results: list[Result], run: Path, uri: str) -> None:
    identity = directory.read_run(run)
    with open_graph(uri) as store:
        store.setup()
        for _ in store.load(identity, results):
            pass


def graphrag(results: list[Result], uri: str) -> None:
    import neo4j
    from neo4j_graphrag.components.kg_writer import Neo4jWriter
    from neo4j_graphrag.components.types import Neo4jGraph, Neo4jNode, Neo4jRelationship

    nodes, edges = triplets(results)
    graph = Neo4jGraph(
        nodes=[Neo4jNode(id=node, label="Entity", properties=values) for node, values in nodes],
        relationships=[
            Neo4jRelationship(start_node_id=start, end_node_id=end, type="RELATES", properties=values)
            for start, end, values in edges
        ],
    )
    with neo4j.GraphDatabase.driver(uri, auth=auth()) as driver:
        asyncio.run(Neo4jWriter(driver).run(graph))


def langchain(results: list[Result], uri: str) -> None:
    from langchain_core.documents import Document
    from langchain_neo4j import Neo4jGraph
    from langchain_neo4j.graphs.graph_document import GraphDocument, Node, Relationship

    username, password = auth() or ("", "")
    graph = Neo4jGraph(url=uri, username=username, password=password, refresh_schema=False)
    documents = []
    for result in results:
        nodes, edges = triplets([result])
        entities = {node: Node(id=node, type="Entity", properties=values) for node, values in nodes}
        relations = [
            Relationship(source=entities[start], target=entities[end], type="RELATES", properties=values)
            for start, end, values in edges
        ]
        source = Document(page_content=result.example.response if result.example else "")
        documents.append(GraphDocument(nodes=list(entities.values()), relationships=relations, source=source))
    graph.add_graph_documents(documents, baseEntityLabel=True)  # this also creates its index for that label


def counted(uri: str) -> tuple[int, int]:
    """Edges between entities, and all nodes and edges."""
    with open_graph(uri) as store:
        return store.query(EDGES)[0]["n"], sum(row["n"] for row in store.query(ROWS))


def wipe(uri: str) -> None:
    with open_graph(uri) as store:
        while store.query(WIPE, write=True)[0]["n"]:
            pass


def without_indexes(uri: str) -> None:
    """Drops constraints and indexes, as each writer creates its own."""
    with open_graph(uri) as store:
        for row in store.query("SHOW CONSTRAINTS YIELD name RETURN name"):
            store.query(f"DROP CONSTRAINT {row['name']}", write=True)
        for row in store.query("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
            store.query(f"DROP INDEX {row['name']}", write=True)


def measured(name: str, results: list[Result], run: Path, uri: str) -> dict[str, Any]:
    """Times one writer on the empty server: a warm-up, the measured write, and the same write once more."""
    writers: dict[str, Callable[[], None]] = {
        "graph_eval": lambda: ours(results, run, uri),
        "neo4j-graphrag": lambda: graphrag(results, uri),
        "langchain-neo4j": lambda: langchain(results, uri),
    }
    _, edges = triplets(results)
    without_indexes(uri)
    seconds = []
    for place in range(3):
        began = perf_counter()
        writers[name]()
        seconds.append(round(perf_counter() - began, 2))
        if place == 0:
            wipe(uri)
        if place == 1:
            kept, written = counted(uri)
    again, _ = counted(uri)
    wipe(uri)
    return {
        "version": version(name),
        "seconds": {"first": seconds[1], "again": seconds[2]},
        "rows": written,
        "rows_per_second": round(written / seconds[1]),
        "triplets_per_second": round(len(edges) / seconds[1]),
        "edges_lost": len(edges) - kept,
        "edges_doubled_by_writing_again": again - kept,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("run", type=Path)
    options.add_argument("uri")
    options.add_argument("--limit", type=int)
    options.add_argument("-o", "--output", type=Path)
    options.add_argument("--only", help=argparse.SUPPRESS)  # one writer, in a separate process
    arguments = options.parse_args()
    if os.environ.get(PLAIN):
        sys.modules["neo4j._rust"] = None  # type: ignore[assignment]  # the driver falls back to Python if the import fails
    results = list(islice(directory.read_results(arguments.run), arguments.limit))
    if arguments.only:
        print(json.dumps(measured(arguments.only, results, arguments.run, arguments.uri)))
        return
    with open_graph(arguments.uri) as store:
        if store.query("MATCH (n) RETURN count(n) AS n")[0]["n"]:
            sys.exit("the server is not empty: use an empty database")
    _, edges = triplets(results)
    claims = sum(len(result.claims) for result in results)
    record: dict[str, Any] = {"responses": len(results), "claims": claims, "triplets": len(edges), "machine": machine()}
    record["driver"] = {name: version(name) for name in ("neo4j", "neo4j-rust-ext")}
    for name, driver in WRITERS:
        command = [sys.executable, __file__, *sys.argv[1:], "--only", name]
        environment = os.environ | ({PLAIN: "1"} if driver == "plain" else {})
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        record[f"{name}, {driver} driver"] = json.loads(done.stdout)
        print(name, driver, done.stdout.decode(), flush=True)
    for figure in ("rows_per_second", "triplets_per_second"):
        ours_ = record["graph_eval, fast driver"][figure]
        for driver in ("plain", "fast"):
            best = max(record[f"{name}, {driver} driver"][figure] for name in OTHERS)
            record[f"{figure}, times the faster of the others with the {driver} driver"] = round(ours_ / best, 2)
    print(json.dumps(record, indent=1))
    if arguments.output:
        arguments.output.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
