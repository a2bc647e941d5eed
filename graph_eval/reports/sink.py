"""The sink of a report. It writes each chunk of results at once, so memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from graph_eval.reports.page import Report, report_file
from graph_eval.sinks import Sink
from graph_eval.types import Result, Run


class ReportSink(Sink):
    """Writes the HTML report at `path`, completely or not at all. Raises UsageError if the path cannot be written."""

    def __init__(self, path: Path, title: str, settings: Mapping[str, object]) -> None:
        self._path, self._title, self._settings = path, title, settings
        self._open = ExitStack()
        self._report: Report | None = None

    def begin(self, run: Callable[[], Run], chunk: int) -> Iterator[Result] | None:  # noqa: ARG002
        self._report = self._open.enter_context(report_file(self._path, self._title, self._settings))
        return None

    def add(self, results: Sequence[Result]) -> None:
        if self._report is not None:
            for result in results:
                self._report.add(result)

    def finish(self) -> None:
        self._open.close()

    def close(self) -> None:
        """Removes a report that was not finished."""
        interruption = GeneratorExit()
        self._open.__exit__(GeneratorExit, interruption, None)
