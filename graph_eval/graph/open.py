"""Opens a claim graph by the name of its store: a URI of a Neo4j server, or a folder."""

from __future__ import annotations

from urllib.parse import urlsplit

from graph_eval.errors import UsageError
from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.rows import Scope

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


def open_graph(name: str, share_names: Scope = "dataset", *, create: bool = True) -> ClaimGraph:
    """The claim graph at a bolt or neo4j URI, or in a folder, which is created if it does not exist.

    `create`: False raises UsageError for a folder that does not exist. Raises UsageError for any other URI, too, and
    StoreError if the store cannot be opened.
    """
    if urlsplit(name).scheme in SCHEMES:
        from graph_eval.graph.neo4j import Neo4jConnection

        return ClaimGraph(Neo4jConnection(name), share_names)
    if "://" in name:
        schemes = ", ".join(f"{scheme}://" for scheme in SCHEMES)
        raise UsageError(f"unsupported store {name!r}", f"use a folder or a URI that starts with {schemes}")
    from graph_eval.graph.embedded import EmbeddedConnection

    return ClaimGraph(EmbeddedConnection(name, create=create), share_names)
