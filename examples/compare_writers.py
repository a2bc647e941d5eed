"""How fast claims get into Neo4j: graph_eval beside neo4j-graphrag's KGWriter and LangChain's add_graph_documents.

    pip install neo4j-graphrag langchain-neo4j
    python examples/compare_writers.py RUN bolt://localhost:7687 [-o FILE.json] [--limit RESPONSES]

The server must be empty and needs APOC core, which the other two call. Each writer gets the same triplet claims as
entities and relationships with their verdicts; graph_eval writes all that it always writes: runs, responses,
passages, claims, evidence and sentence claims too. Afterwards the edges are counted: a writer that merges edges by
their ends loses claims. NEO4J_USERNAME and NEO4J_PASSWORD are read where the server asks for them.
"""

import argparse
import asyncio
import json
import os
import sys
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import neo4j

from graph_eval.bench.record import machine
from graph_eval.chunks import chunks
from graph_eval.graph.networkx import to_networkx
from graph_eval.graph.store import BATCH, open_store
from graph_eval.runs import directory
from graph_eval.types import Result

ROWS = "MATCH (n) RETURN count(n) AS n UNION ALL MATCH ()-[r]->() RETURN count(r) AS n"
EDGES = "MATCH ()-[e:RELATES]->() RETURN count(e) AS n"
WIPE = "MATCH (n) WITH n LIMIT 20000 DETACH DELETE n RETURN count(*) AS n"


def auth() -> tuple[str, str] | None:
    password = os.environ.get("NEO4J_PASSWORD")
    return (os.environ.get("NEO4J_USERNAME", "neo4j"), password) if password else None


def triplets(results: list[Result]) -> tuple[list[tuple[str, dict]], list[tuple[str, str, dict]]]:
    """Entities and claim edges of the results, as plain values."""
    graph = to_networkx(results)
    nodes = [(node, {"name": d["name"]}) for node, d in graph.nodes(data=True) if d["kind"] != "sentence"]
    edges = [
        (start, end, {"claim_id": key, **{name: value for name, value in d.items() if name != "kind"}})
        for start, end, key, d in graph.edges(keys=True, data=True)
        if d["kind"] == "claim"
    ]
    return nodes, edges


def ours(results: list[Result], run: Path, uri: str) -> None:
    identity = directory.run_at(run)
    with open_store(uri) as store:
        for part in chunks(results, BATCH):
            store.write(identity, part)


def graphrag(results: list[Result], uri: str) -> None:
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
        known = {node: Node(id=node, type="Entity", properties=values) for node, values in nodes}
        relations = [
            Relationship(source=known[start], target=known[end], type="RELATES", properties=values)
            for start, end, values in edges
        ]
        source = Document(page_content=result.example.response if result.example else "")
        documents.append(GraphDocument(nodes=list(known.values()), relationships=relations, source=source))
    graph.add_graph_documents(documents)


def counted(uri: str) -> tuple[int, int]:
    """Edges between entities, and all nodes and edges."""
    with open_store(uri) as store:
        return store.query(EDGES)[0]["n"], sum(row["n"] for row in store.query(ROWS))


def wipe(uri: str) -> None:
    with open_store(uri) as store:
        while store.query(WIPE, write=True)[0]["n"]:
            pass


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("run", type=Path)
    options.add_argument("uri")
    options.add_argument("--limit", type=int)
    options.add_argument("-o", "--output", type=Path)
    arguments = options.parse_args()
    results = list(islice(directory.results_of(arguments.run), arguments.limit))
    _, edges = triplets(results)
    claims = sum(len(result.claims) for result in results)
    with open_store(arguments.uri) as store:
        if store.query("MATCH (n) RETURN count(n) AS n")[0]["n"]:
            sys.exit("the server is not empty")
    writers: dict[str, Any] = {
        "graph_eval": lambda: ours(results, arguments.run, arguments.uri),
        "neo4j-graphrag": lambda: graphrag(results, arguments.uri),
        "langchain-neo4j": lambda: langchain(results, arguments.uri),
    }
    found: dict[str, Any] = {"responses": len(results), "claims": claims, "triplets": len(edges), "machine": machine()}
    for name, write in writers.items():
        with open_store(arguments.uri) as store:
            store.setup()
        seconds = []
        for place in range(3):  # the first time warms the server up, the last time everything is there already
            began = perf_counter()
            write()
            seconds.append(round(perf_counter() - began, 2))
            if place == 0:
                wipe(arguments.uri)
            if place == 1:
                kept, written = counted(arguments.uri)
        again, _ = counted(arguments.uri)
        wipe(arguments.uri)
        found[name] = {
            "version": version(name),
            "seconds": {"first": seconds[1], "again": seconds[2]},
            "triplets_per_second": round(len(edges) / seconds[1], 1),
            "rows": written,
            "rows_per_second": round(written / seconds[1], 1),
            "edges_lost": len(edges) - kept,
            "edges_doubled_by_writing_again": again - kept,
        }
        print(name, found[name], flush=True)
    for figure in ("rows_per_second", "triplets_per_second"):
        others = max(found[name][figure] for name in writers if name != "graph_eval")
        found[f"{figure}, times the faster of the others"] = round(found["graph_eval"][figure] / others, 2)
    print(json.dumps(found, indent=1))
    if arguments.output:
        arguments.output.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
