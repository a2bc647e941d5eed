"""One HTML file that needs nothing else: template, style, script and data in one, and no way to reach out of it.

Texts are untrusted. They stand in a data block in which no "<" occurs, the script writes them as text nodes only, and
the page's content security policy allows its own script and style by their hashes and nothing else: no request leaves
the page, and nothing that a text smuggles in can run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from graph_eval.errors import UsageError
from graph_eval.reports.rows import passages_of, row
from graph_eval.resources import folder
from graph_eval.types import Result
from graph_eval.version import __version__

SHOWN = ("extractor", "checker", "threshold", "aggregate")  # of the settings that the results were made with
DATA = "\0data\0"  # where the rows go; no text can hold it
UNSAFE = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
ESCAPES = str.maketrans(UNSAFE)


def inert_json(value: object) -> str:
    """JSON that ends no script block and opens no comment in it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(ESCAPES)


def asset(name: str) -> str:
    return (folder("reports/assets") / name).read_text("utf-8")


def source_hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def frame(view: str, title: str, settings: Mapping[str, object], libraries: Sequence[str] = ()) -> dict[str, object]:
    """What page.html is filled with, for the view whose style and script are <view>.css and <view>.js.

    `libraries`: scripts of others that come before our own.
    """
    style = asset("common.css") + asset(f"{view}.css")
    scripts = [*libraries, asset("common.js") + asset(f"{view}.js")]
    return {
        "title": title,
        "about": {name: settings[name] for name in SHOWN if name in settings},
        "version": __version__,
        "style": style,
        "style_hash": source_hash(style),
        "scripts": scripts,
        "script_hashes": " ".join(map(source_hash, scripts)),
    }


class Report:
    """The report of a stream of results: written as they come, so memory does not grow with them."""

    def __init__(self, stream: TextIO, title: str, settings: Mapping[str, object]) -> None:
        from jinja2 import Environment, FileSystemLoader

        templates = Environment(loader=FileSystemLoader(folder("reports/assets")), autoescape=True)
        page = templates.get_template("report.html").render(frame("report", title, settings), data=DATA)
        head, _, self._tail = page.rpartition(DATA)
        self._stream = stream
        self._seen: set[str] = set()
        stream.write(head)

    def add(self, result: Result) -> None:
        for passage in passages_of(result):
            if passage["passage"] not in self._seen:
                self._seen.add(passage["passage"])
                self._stream.write(inert_json(passage) + "\n")
        self._stream.write(inert_json(row(result)) + "\n")

    def close(self) -> None:
        self._stream.write(self._tail)


@contextmanager
def report_file(path: Path, title: str, settings: Mapping[str, object]) -> Iterator[Report]:
    """The report at `path`, whole or not at all. Raises UsageError where the path cannot be written."""
    with written(path) as stream:
        report = Report(stream, title, settings)
        yield report
        report.close()


def write_report(
    results: Iterable[Result], path: Path, title: str, settings: Mapping[str, object] | None = None
) -> None:
    """The report of these results as one HTML file."""
    with report_file(path, title, settings or {}) as report:
        for result in results:
            report.add(result)


@contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """A text file that appears under its name once it is complete."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        stream = temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as problem:
        raise UsageError(f"{path} cannot be written: {problem.strerror}", "choose another file") from None
    try:
        with stream:
            yield stream
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
