"""The claim graph as one HTML file (by pyvis and vis.js), or as GraphML or JSON.

pyvis's own template loads styles and scripts from a CDN even in its "in_line" mode. The template here contains them,
and its content security policy blocks every request. The page places nodes itself: what is in view changes with every
click, and vis.js has no layout that keeps labels apart.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from graph_eval.errors import UsageError
from graph_eval.graph.networkx import UNPRINTABLE, to_networkx
from graph_eval.output import output_file
from graph_eval.reports.graph_rows import GraphRows, ShownRun
from graph_eval.reports.page import address, frame, inert_json
from graph_eval.resources import folder
from graph_eval.types import Result

if TYPE_CHECKING:
    from networkx import MultiDiGraph

VIS = "templates/lib/vis-9.1.2/vis-network.min.js"  # as pyvis 0.3.2 carries it
FORMATS = (".html", ".graphml", ".json")


def write_graph(
    results: Iterable[Result],
    path: Path,
    title: str,
    settings: Mapping[str, object] | None = None,
    report: str | None = None,
) -> None:
    """Writes the claim graph of these results, in the format of the file's suffix: .html, .graphml or .json.

    `report`: the file name of their report, which the drawing links. Raises UsageError for another suffix, or if the
    path cannot be written.
    """
    suffix = checked_format(path)
    if suffix == ".html":
        write_drawing([ShownRun(title, results)], path, title, settings, report)
        return
    graph = to_networkx(results)
    with output_file(path) as stream:
        if suffix == ".graphml":
            stream.writelines(_graphml(graph))
        else:
            json.dump(_node_link(graph), stream, ensure_ascii=False, indent=1)
            stream.write("\n")


def write_drawing(
    runs: Sequence[ShownRun],
    path: Path,
    title: str,
    settings: Mapping[str, object] | None = None,
    report: str | None = None,
) -> None:
    """Writes the drawing of one run or of several as one HTML file. Raises UsageError if the path cannot be written."""
    with output_file(path) as stream:
        stream.write(drawing(runs, title, settings or {}, report))


def checked_format(path: Path) -> str:
    """The suffix of the path in lower case. Raises UsageError if a graph is not written in that format."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise UsageError(
            f"{path}: unsupported file type {path.suffix!r}", f"supported file types: {', '.join(FORMATS)}"
        )
    return suffix


def drawing(runs: Sequence[ShownRun], title: str, settings: Mapping[str, object], report: str | None = None) -> str:
    """The HTML page of one run or of several. `settings`: of the run; the page's header names some of them."""
    rows = GraphRows(runs)
    network = _pyvis().network.Network(directed=True)
    # add_node and add_edge look through all nodes each time, which takes minutes for 20,000 claims
    network.nodes, network.edges = rows.nodes, rows.edges
    network.set_template_dir(str(folder("reports/assets")), "graph.html")
    network.templateEnv.autoescape = True
    network.templateEnv.policies["json.dumps_function"] = lambda value, **_: inert_json(value)
    others = {"responses": rows.responses, "windows": rows.windows, "runs": [run.name for run in runs]}
    network.templateEnv.globals.update(
        frame("graph", title, settings, libraries=[_vis()]), others=others, report=address(report) if report else None
    )
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
