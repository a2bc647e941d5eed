"""One HTML page of several benchmark files: their tables, plots, settings, versions, machine and data.

The page has no scripts and sends no request. All texts of the files are untrusted. Without matplotlib it has no plots
and says so.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graph_eval.assets import still_page
from graph_eval.bench.plots import Plot, plots
from graph_eval.bench.record import named
from graph_eval.bench.tables import grid
from graph_eval.errors import MissingPartError

TITLE = "Benchmarks"
ABOUT = ("settings", "fingerprints", "versions", "machine", "data", "seconds")  # fields of a file that are listed


def summary_page(files: Sequence[Mapping[str, Any]]) -> str:
    """The page of these files, in their order. A file: the output of `benchmark.run` or of `record.read`."""
    missing = ""
    own: list[list[Plot]] = [[] for _ in files]
    shared: list[Plot] = []
    try:
        own = [plots({file["benchmark"]: file}, costs=False) for file in files]
        shared = plots(named((file["benchmark"], file) for file in files), own=False)
    except MissingPartError as problem:
        missing = f"{problem.message} ({problem.hint})"
    return still_page(
        "summary",
        title=TITLE,
        about={"files": len(files)},
        missing=missing,
        plots=_shown(shared),
        files=[_file(file, drawn) for file, drawn in zip(files, own, strict=True)],
    )


def _file(file: Mapping[str, Any], drawn: Sequence[Plot]) -> dict[str, Any]:
    return {
        "name": file["benchmark"],
        "title": file["title"],
        "total": len(file["items"]),
        "failed": sum("error" in item for item in file["items"]),
        "tables": list(_tables(file)),
        "plots": _shown(drawn),
        "about": list(_about(file)),
    }


def _tables(file: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for table in file["tables"]:
        headings, lines = grid(table)
        yield {"title": table["title"], "headings": headings, "lines": lines, "note": table["note"]}


def _shown(drawn: Sequence[Plot]) -> list[dict[str, str]]:
    return [{"title": plot.title, "svg": base64.b64encode(plot.svg).decode("ascii")} for plot in drawn]


def _about(file: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Names and values of what the figures were measured with."""
    for field in ABOUT:
        for name, value in file.get(field, {}).items():
            yield f"{field}: {name}", _text(value)
    for plan, described in file.get("plans", {}).items():
        yield f"plan: {plan}", _text(described)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
