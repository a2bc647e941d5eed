"""The claim graph as one HTML file (by pyvis and vis.js), or as GraphML or JSON.

pyvis's own template loads styles and scripts from a CDN even in its "in_line" mode. The template here contains them,
and its content security policy blocks every request.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from graph_eval.errors import UsageError
from graph_eval.graph.layout import places
from graph_eval.graph.networkx import UNPRINTABLE, hubs, parts, to_networkx
from graph_eval.output import output_file
from graph_eval.reports.page import frame
from graph_eval.resources import folder
from graph_eval.types import Result

if TYPE_CHECKING:
    from networkx import MultiDiGraph
    from pyvis.network import Network

VIS = "templates/lib/vis-9.1.2/vis-network.min.js"  # as pyvis 0.3.2 carries it
FORMATS = (".html", ".graphml", ".json")
MAX_HUBS, MAX_PARTS = 20, 20  # in the list of views
OMITTED = ("kind", "label", "place", "result")  # attributes that the page has in another form or does not use
MAX_LABEL = 42  # characters of a name in the drawing; the card shows the whole name


def write_graph(
    results: Iterable[Result],
    path: Path,
    title: str,
    settings: Mapping[str, object] | None = None,
    report: str | None = None,  # noqa: ARG001
) -> None:
    """Writes the claim graph of these results, in the format of the file's suffix: .html, .graphml or .json.

    `report`: the file name of the report beside it. Raises UsageError for another suffix, or if the path cannot be
    written.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise UsageError(
            f"{path}: unsupported file type {path.suffix!r}", f"supported file types: {', '.join(FORMATS)}"
        )
    graph = to_networkx(results)
    with output_file(path) as stream:
        if suffix == ".html":
            stream.write(drawing(graph, title, settings or {}))
        elif suffix == ".graphml":
            stream.writelines(_graphml(graph))
        else:
            json.dump(_node_link(graph), stream, ensure_ascii=False, indent=1)
            stream.write("\n")


def drawing(graph: MultiDiGraph, title: str, settings: Mapping[str, object]) -> str:
    """The HTML page of a graph. `settings`: of the run; the page's header names some of them."""
    numbers = {node: number for number, node in enumerate(graph)}  # short ids keep the file small
    network = _network(graph, numbers)
    groups = {
        "hubs": [
            {"node": numbers[hub.node], "flagged": hub.flagged, "claims": hub.claims} for hub in hubs(graph, MAX_HUBS)
        ],
        "parts": [
            {"nodes": sorted(numbers[node] for node in part.nodes), "responses": len(part.responses)}
            for part in parts(graph)[:MAX_PARTS]
        ],
    }
    network.set_template_dir(str(folder("reports/assets")), "graph.html")
    network.templateEnv.autoescape = True
    network.templateEnv.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    network.templateEnv.globals.update(frame("graph", title, settings, libraries=[_vis()]), groups=groups)
    page: str = network.generate_html()
    return page


def _pyvis() -> Any:
    """pyvis. It imports IPython, which it needs in notebooks only, and which an image may leave out."""
    missing = []
    if find_spec("IPython") is None:
        display = ModuleType("IPython.display")
        display.IFrame = None  # type: ignore[attr-defined]
        missing = ["IPython", "IPython.display"]
        sys.modules |= {"IPython": ModuleType("IPython"), "IPython.display": display}
    try:
        import pyvis.network
    finally:
        for name in missing:
            del sys.modules[name]
    return pyvis


def _network(graph: MultiDiGraph, numbers: Mapping[str, int]) -> Network:
    network: Network = _pyvis().network.Network(directed=True)
    positions = places(graph)
    for node, attributes in graph.nodes(data=True):
        home, x, y = positions[node]
        others = {name: value for name, value in attributes.items() if name not in (*OMITTED, "name")}
        if "refuted_by" in others:
            others["key"] = node
        name = attributes["claim"] if attributes["kind"] == "sentence" else attributes["name"]
        network.add_node(
            numbers[node],
            _shortened(name),
            name=name,
            kind=attributes["kind"],
            verdict=attributes.get("label"),
            home=home,
            x=x,
            y=y,
            **others,
        )
    for start, end, key, attributes in graph.edges(keys=True, data=True):
        others = {name: value for name, value in attributes.items() if name not in (*OMITTED, "predicate")}
        if "refuted_by" in others:
            others["key"] = key
        network.add_edge(
            numbers[start],
            numbers[end],
            kind=attributes["kind"],
            label=_shortened(attributes.get("predicate", "")),
            predicate=attributes.get("predicate", ""),
            verdict=attributes.get("label"),
            **others,
        )
    return network


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_LABEL else text[: MAX_LABEL - 1].rstrip() + "…"


def _vis() -> str:
    return (Path(os.path.dirname(_pyvis().__file__)) / VIS).read_text("utf-8")


def _graphml(graph: MultiDiGraph) -> Iterable[str]:
    import networkx as nx

    for line in nx.generate_graphml(_printable(graph)):
        yield line + "\n"


def _node_link(graph: MultiDiGraph) -> Any:
    import networkx as nx

    return nx.node_link_data(graph, edges="edges")


def _printable(graph: MultiDiGraph) -> MultiDiGraph:
    """A copy of the graph without characters that XML does not allow."""
    clean = graph.copy()
    for attributes in (*(d for _, d in clean.nodes(data=True)), *(d for _, _, d in clean.edges(data=True))):
        for name, value in attributes.items():
            if isinstance(value, str):
                attributes[name] = UNPRINTABLE.sub("\ufffd", value)
    return clean
