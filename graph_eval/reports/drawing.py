"""The claim graph as one HTML file (pyvis with a template of ours, vis.js inside), or as GraphML or JSON.

pyvis's own template asks a CDN for style and scripts even "in line"; this one holds all of it, and its content
security policy lets nothing out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph_eval.errors import UsageError
from graph_eval.graph.layout import places
from graph_eval.graph.networkx import UNPRINTABLE, hubs, parts, to_networkx
from graph_eval.reports.page import frame, written
from graph_eval.resources import folder
from graph_eval.types import Result

if TYPE_CHECKING:
    from networkx import MultiDiGraph
    from pyvis.network import Network

VIS = "templates/lib/vis-9.1.2/vis-network.min.js"  # as pyvis 0.3.2 carries it
FORMATS = (".html", ".graphml", ".json")
HUBS, PARTS = 20, 20  # offered as views
UNDRAWN = ("kind", "label", "place", "result")  # attributes that the drawing has in another form, or has no use for
CUT = 42  # characters of a name that are drawn; the whole name is shown beside


def write_graph(
    results: Iterable[Result], path: Path, title: str, settings: Mapping[str, object] | None = None
) -> None:
    """The claim graph of these results, in the format that the file's name says: .html, .graphml or .json."""
    form = path.suffix.lower()
    if form not in FORMATS:
        raise UsageError(f"{path}: what format is this?", f"name it {', '.join(FORMATS)}")
    graph = to_networkx(results)
    with written(path) as stream:
        if form == ".html":
            stream.write(drawing(graph, title, settings or {}))
        elif form == ".graphml":
            stream.writelines(_graphml(graph))
        else:
            json.dump(_node_link(graph), stream, ensure_ascii=False, indent=1)
            stream.write("\n")


def drawing(graph: MultiDiGraph, title: str, settings: Mapping[str, object]) -> str:
    """The HTML page."""
    numbers = {node: number for number, node in enumerate(graph)}  # short names: a file of a run holds many
    network = _network(graph, numbers)
    groups = {
        "hubs": [
            {"node": numbers[hub.node], "flagged": hub.flagged, "claims": hub.claims} for hub in hubs(graph, HUBS)
        ],
        "parts": [
            {"nodes": sorted(numbers[node] for node in part.nodes), "responses": len(part.responses)}
            for part in parts(graph)[:PARTS]
        ],
    }
    network.set_template_dir(str(folder("reports/assets")), "graph.html")
    network.templateEnv.autoescape = True
    network.templateEnv.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    network.templateEnv.globals.update(frame("graph", title, settings, libraries=[_vis()]), groups=groups)
    page: str = network.generate_html()
    return page


def _network(graph: MultiDiGraph, numbers: Mapping[str, int]) -> Network:
    from pyvis.network import Network

    network = Network(directed=True)
    where = places(graph)
    for node, attributes in graph.nodes(data=True):
        home, x, y = where[node]
        own = {name: value for name, value in attributes.items() if name not in (*UNDRAWN, "name")}
        if "refuted_by" in own:
            own["key"] = node
        name = attributes["claim"] if attributes["kind"] == "sentence" else attributes["name"]
        network.add_node(
            numbers[node],
            _cut(name),
            name=name,
            kind=attributes["kind"],
            verdict=attributes.get("label"),
            home=home,
            x=x,
            y=y,
            **own,
        )
    for start, end, key, attributes in graph.edges(keys=True, data=True):
        own = {name: value for name, value in attributes.items() if name not in (*UNDRAWN, "predicate")}
        if "refuted_by" in own:
            own["key"] = key
        network.add_edge(
            numbers[start],
            numbers[end],
            kind=attributes["kind"],
            label=_cut(attributes.get("predicate", "")),
            predicate=attributes.get("predicate", ""),
            verdict=attributes.get("label"),
            **own,
        )
    return network


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= CUT else text[: CUT - 1].rstrip() + "…"


def _vis() -> str:
    import pyvis

    return (Path(os.path.dirname(pyvis.__file__)) / VIS).read_text("utf-8")


def _graphml(graph: MultiDiGraph) -> Iterable[str]:
    import networkx as nx

    for line in nx.generate_graphml(_printable(graph)):
        yield line + "\n"


def _node_link(graph: MultiDiGraph) -> Any:
    import networkx as nx

    return nx.node_link_data(graph, edges="edges")


def _printable(graph: MultiDiGraph) -> MultiDiGraph:
    """The graph with texts that XML can hold: it knows no control characters."""
    clean = graph.copy()
    for attributes in (*(d for _, d in clean.nodes(data=True)), *(d for _, _, d in clean.edges(data=True))):
        for name, value in attributes.items():
            if isinstance(value, str):
                attributes[name] = UNPRINTABLE.sub("\ufffd", value)
    return clean
