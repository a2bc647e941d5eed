"""Positions for drawing the nodes of each response: a force-directed layout (Fruchterman and Reingold, 1991).

A whole run is too large for such a layout, so every response has a layout of its own, and the drawing places the
responses beside each other. A named entity that several responses share is placed with the first of them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import networkx as nx

SPACING = 190.0  # between neighbouring nodes, in the units of the drawing
SEED = 1
MAX_NODES = 500  # of a force-directed layout: networkx needs scipy for more, so a larger response becomes a circle


class Place(NamedTuple):
    """x and y relative to the centre of the response whose key is `home`, in the units of the drawing."""

    home: str
    x: float
    y: float


def places(graph: nx.MultiDiGraph) -> dict[str, Place]:
    """The place of every node. The same graph gives the same places."""
    positions = {}
    for home, nodes in _homes(graph).items():
        part = nx.Graph(graph.subgraph(nodes))
        part.remove_edges_from(list(nx.selfloop_edges(part)))
        unit = nx.spring_layout(part, iterations=40, seed=SEED) if len(part) < MAX_NODES else nx.circular_layout(part)
        scale = SPACING * math.sqrt(len(part))
        for node, (x, y) in unit.items():
            positions[node] = Place(home, round(float(x) * scale, 1), round(float(y) * scale, 1))
    return positions


def _homes(graph: nx.MultiDiGraph) -> dict[str, list[str]]:
    """The nodes of each response, by its key."""
    home: dict[str, str] = {
        node: attributes["response"] for node, attributes in graph.nodes(data=True) if "response" in attributes
    }
    for start, end, attributes in graph.edges(data=True):
        for node in (start, end):
            home.setdefault(node, attributes["response"])
    groups: dict[str, list[str]] = {}
    for node in graph:
        groups.setdefault(home[node], []).append(node)
    return groups
