"""Files to look at: the annotated texts beside their evidence, and the drawing of the graph. Both work offline."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from graph_eval.types import Result


def render(
    results: Result | Iterable[Result],
    path: str | Path,
    view: Literal["report", "graph"] = "report",
    title: str = "graph_eval",
) -> Path:
    """Writes one result or many as one HTML file and returns its path.

    `view`: "report" for the annotated texts beside their context, "graph" for the drawing of the claim graph, whose
    file may also be named .graphml or .json. Raises UsageError where the path cannot be written.
    """
    from graph_eval.reports.drawing import write_graph
    from graph_eval.reports.page import write_report

    write = {"report": write_report, "graph": write_graph}[view]
    write([results] if isinstance(results, Result) else results, Path(path), title)
    return Path(path)
