"""The report and the drawing of the same results, side by side and linked to each other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from graph_eval.output import is_stream
from graph_eval.reports.drawing import write_graph
from graph_eval.reports.page import write_report
from graph_eval.types import Result

REPORT, DRAWING = "report.html", "graph.html"  # in a run directory


def drawing_of(report: Path) -> Path:
    """The drawing beside a report: graph.html beside report.html, answers-graph.html beside answers.html."""
    return report.with_name(DRAWING if report.name == REPORT else f"{report.stem}-{DRAWING}")


def report_of(drawing: Path) -> str | None:
    """The file name of the report beside a drawing, if there is one."""
    name = REPORT if drawing.name == DRAWING else f"{drawing.name.removesuffix(f'-{DRAWING}')}.html"
    report = drawing.with_name(name)
    return name if report != drawing and report.is_file() and drawing_of(report) == drawing else None


def write_pages(
    results: Callable[[], Iterable[Result]],
    report: Path,
    title: str,
    settings: Mapping[str, object] | None = None,
    draw: bool = True,
) -> list[Path]:
    """Writes the report and, if `draw`, the drawing beside it. Returns the paths of the files.

    `results` is called once for each page, so that results that are read from a disk need not fit into memory. A report
    that goes to a device, a pipe or an open file has no drawing. Raises UsageError if a path cannot be written.
    """
    if not draw or is_stream(report):
        write_report(results(), report, title, settings)
        return [report]
    drawing = drawing_of(report)
    write_report(results(), report, title, settings, drawing=drawing.name)
    write_graph(results(), drawing, title, settings, report=report.name)
    return [report, drawing]


def up_to_date(pages: Iterable[Path], results: Path) -> bool:
    """Whether all of these files are there and newer than the results."""
    written = results.stat().st_mtime_ns
    return all(page.is_file() and page.stat().st_mtime_ns > written for page in pages)


def outdate(pages: Iterable[Path], results: Path) -> None:
    """Makes pages that show only some of the results count as older than the results: sets them to the same time."""
    written = results.stat()
    for page in pages:
        if page.is_file():
            os.utime(page, ns=(written.st_atime_ns, written.st_mtime_ns))
