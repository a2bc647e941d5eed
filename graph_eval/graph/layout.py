"""Where to draw the nodes of each response: as springs would have it.

A whole run is too large for springs, and a reader thinks in responses: so every response is laid out by itself, and
who draws puts the responses beside each other. A named entity that several of them share stands with the first.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import networkx as nx

SPACING = 190.0  # between neighbouring nodes, in the units of the drawing
SEED = 1
LARGEST = 500  # nodes; beyond it networkx asks scipy for help, and a circle does for so rare a response


class Place(NamedTuple):
    """x and y around the middle of the response `home` (its key)."""

    home: str
    x: float
    y: float


def places(graph: nx.MultiDiGraph) -> dict[str, Place]:
    """The place of every node. The same graph gives the same places."""
    found = {}
    for home, nodes in _homes(graph).items():
        part = nx.Graph(graph.subgraph(nodes))
        part.remove_edges_from(list(nx.selfloop_edges(part)))
        unit = nx.spring_layout(part, iterations=40, seed=SEED) if len(part) < LARGEST else nx.circular_layout(part)
        scale = SPACING * math.sqrt(len(part))
        for node, (x, y) in unit.items():
            found[node] = Place(home, round(float(x) * scale, 1), round(float(y) * scale, 1))
    return found


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
