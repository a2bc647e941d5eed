"""A self-contained HTML file: template, style, script and data in one file that sends no request.

Texts are untrusted. They are in a data block without any "<", and the script inserts them as text nodes only. The
page's content security policy allows its own script and style by their hashes and nothing else: no request leaves the
page, and no script inside a text can run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

from graph_eval.assets import asset, source_hash, template
from graph_eval.formats.writers import CSV_COLUMNS, FORMULA_STARTS
from graph_eval.output import output_file
from graph_eval.reports.rows import passages_of, row
from graph_eval.types import Result
from graph_eval.version import __version__

SCRIPTS = {  # <view>.<name>.js, in the order in which they run, before <view>.js
    "graph": ("data", "layout", "shapes", "scene", "canvas", "overview", "search"),
    "report": ("rows", "threshold", "labels", "edits", "table", "claims", "context", "paper"),
}
SHOWN = ("extractor", "checker", "threshold", "profile", "aggregate")  # settings that the page's header names
DATA = "\0data\0"  # the place of the rows in the template; no text contains it
UNSAFE = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
ESCAPES = str.maketrans(UNSAFE)


def inert_json(value: object) -> str:
    """JSON that cannot end its script block or open a comment in it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(ESCAPES)


def frame(view: str, title: str, settings: Mapping[str, object], libraries: Sequence[str] = ()) -> dict[str, object]:
    """The values for the template page.html, for the view whose style is <view>.css and whose scripts are in SCRIPTS.

    `settings`: of the run, for the header. `libraries`: third-party scripts, which are loaded before the page's own.
    """
    style = asset("common.css") + asset(f"{view}.css")
    own = ["common.js", *(f"{view}.{name}.js" for name in SCRIPTS[view]), f"{view}.js"]
    scripts = [*libraries, "".join(map(asset, own))]
    return {
        "title": title,
        "about": {name: settings[name] for name in SHOWN if name in settings},
        "version": __version__,
        "style": style,
        "style_hash": source_hash(style),
        "scripts": scripts,
        "script_hashes": " ".join(map(source_hash, scripts)),
    }


def address(file: str) -> str:
    """The relative address of a file beside the page. No name leads to another host or runs a script."""
    return "./" + quote(os.fsencode(file))


def _basis(title: str, settings: Mapping[str, object], drawing: str | None) -> dict[str, Any]:
    """What the report's script needs beside the results. `threshold` is None if the run has no number."""
    threshold = settings.get("threshold")
    return {
        "report": title,
        "threshold": threshold if isinstance(threshold, int | float) else None,
        "aggregate": str(settings.get("aggregate") or "any"),
        "drawing": address(drawing) if drawing else None,
        "columns": CSV_COLUMNS,
        "formula_starts": FORMULA_STARTS,
    }


class Report:
    """Writes a report result by result, so memory does not grow with their number.

    `drawing`: the relative name of the file with the drawing of the same results, to which the report links.
    """

    def __init__(self, stream: TextIO, title: str, settings: Mapping[str, object], drawing: str | None = None) -> None:
        basis = _basis(title, settings, drawing)
        values = frame("report", title, settings)
        page = template("report.html").render(values, data=DATA, drawing=basis["drawing"])
        head, _, self._tail = page.rpartition(DATA)
        self._stream = stream
        self._seen: set[str] = set()
        stream.write(head + inert_json(basis) + "\n")

    def add(self, result: Result) -> None:
        """Writes one response. A passage that several responses share is written once."""
        for passage in passages_of(result):
            if passage["passage"] not in self._seen:
                self._seen.add(passage["passage"])
                self._stream.write(inert_json(passage) + "\n")
        self._stream.write(inert_json(row(result)) + "\n")

    def close(self) -> None:
        """Writes the end of the page."""
        self._stream.write(self._tail)


@contextmanager
def report_file(path: Path, title: str, settings: Mapping[str, object], drawing: str | None = None) -> Iterator[Report]:
    """A report at `path`, which appears when it is complete. Raises UsageError if the path cannot be written.

    `drawing`: the relative name of the file with the drawing of the same results, to which the report links.
    """
    with output_file(path) as stream:
        report = Report(stream, title, settings, drawing)
        yield report
        report.close()


def write_report(
    results: Iterable[Result],
    path: Path,
    title: str,
    settings: Mapping[str, object] | None = None,
    drawing: str | None = None,
) -> None:
    """Writes the report of these results as one HTML file. `drawing`: see `report_file`."""
    with report_file(path, title, settings or {}, drawing) as report:
        for result in results:
            report.add(result)
