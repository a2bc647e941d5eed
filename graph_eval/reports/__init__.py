"""HTML pages of results: the report (responses with their evidence) and the drawing of the claim graph."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from graph_eval.results import Results
from graph_eval.types import Result


def render(
    results: Result | Iterable[Result],
    path: str | Path,
    view: Literal["report", "graph"] = "report",
    title: str = "graph_eval",
) -> Path:
    """Writes one result or many into one HTML file, which works offline. Returns its path.

    `view`: "report" for the annotated responses beside their context, "graph" for the drawing of the claim graph. A
    graph can also be written as .graphml or .json. Raises UsageError if the path cannot be written.
    """
    from graph_eval.reports.drawing import write_graph
    from graph_eval.reports.page import write_report

    write = {"report": write_report, "graph": write_graph}[view]
    settings = results.run.settings if isinstance(results, Results) and results.run else None
    write([results] if isinstance(results, Result) else results, Path(path), title, settings)
    return Path(path)
