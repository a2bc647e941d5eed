"""Results as JSON, CSV and patches, for a terminal or a pipe.

A writer takes `write`, a function that receives text, e.g. the `write` of a text stream. Every text ends with a line
break. Call `add` for each result and `close` at the end: only then is a JSON list complete.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import unified_diff
from typing import Any

from graph_eval.formats.results import to_json
from graph_eval.types import Example, ItemError, Result

Write = Callable[[str], object]

CSV_COLUMNS = (
    "n",
    "id",
    "model",
    "response_label",
    "claim",
    "kind",
    "subject",
    "predicate",
    "object",
    "label",
    "p_inconsistent",
    "flagged",
    "start",
    "end",
    "evidence",
    "error",
)
RESPONSE_COLUMNS = 4  # the first ones, equal in all rows of a response
FORMULA_STARTS = ("=", "+", "@", "\t", "\r")
LINE = re.compile(r"[^\n]*\n|[^\n]+")


class JsonLinesWriter:
    """One result on each line, as in results.jsonl."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def add(self, result: Result) -> None:
        self._write(f"{to_json(result)}\n")

    def close(self) -> None:
        """Writes nothing: a file of JSON lines has no end mark."""


class JsonListWriter:
    """All results as one JSON list, one on each line."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._opened = False

    def add(self, result: Result) -> None:
        self._write(",\n" if self._opened else "[\n")
        self._opened = True
        self._write(f"{to_json(result)}\n")

    def close(self) -> None:
        """Closes the list. Without results it is "[]"."""
        self._write("]\n" if self._opened else "[]\n")


class CsvWriter:
    """CSV with the columns CSV_COLUMNS: one row for each claim, or one row for a response without claims.

    The header is written at once. `start` and `end` are offsets in the response. A claim without a judgement raises
    ValueError.
    """

    def __init__(self, write: Write) -> None:
        self._write = write
        self._write(csv_line(CSV_COLUMNS))

    def add(self, result: Result) -> None:
        for row in csv_rows(result):
            self._write(csv_line(row))

    def close(self) -> None:
        """Writes nothing: a CSV file has no end mark."""


WRITERS: dict[str, Callable[[Write], JsonLinesWriter | JsonListWriter | CsvWriter]] = {
    "jsonl": JsonLinesWriter,
    "json": JsonListWriter,
    "csv": CsvWriter,
}


def csv_rows(result: Result) -> list[list[object]]:
    """The rows of one result, each with one cell for every column of CSV_COLUMNS. A missing value is an empty text."""
    if len(result.judgements) != len(result.claims):
        raise ValueError(f"{len(result.claims)} claims, {len(result.judgements)} judgements")
    return [[_cell(value) for value in row] for row in claim_rows(result)]


def claim_rows(result: Result) -> list[tuple[object, ...]]:
    """One row for each claim, or one for a response without claims, with a value or None for each of CSV_COLUMNS.

    A claim without a judgement has no label, probability or flag.
    """
    example = result.example
    response = (result.n, example.id if example else None, example.model if example else None, result.label)
    if not result.claims:
        empty = (None,) * (len(CSV_COLUMNS) - RESPONSE_COLUMNS - 1)
        return [(*response, *empty, _text(result.error))]
    passages = {passage.id: passage.text for passage in example.passages} if example else {}
    rows: list[tuple[object, ...]] = []
    for claim, judgement in zip(result.claims, result.judgements or (None,) * len(result.claims), strict=True):
        slots: list[str | None] = [slot.text for slot in claim.slots] or [None, None, None]
        windows = judgement.evidence[:1] if judgement else ()
        evidence: list[str | None] = [
            window.span.of(passages[window.passage_id]) for window in windows if window.passage_id in passages
        ]
        rows.append(
            (
                *response,
                claim.text,
                claim.kind,
                *slots,
                judgement.label if judgement else None,
                judgement.p_inconsistent if judgement else None,
                judgement.flagged if judgement else None,
                claim.spans[0].start,
                claim.spans[-1].end,
                *(evidence or [None]),
                _text(judgement.error) if judgement else None,
            )
        )
    return rows


def _cell(value: object) -> object:
    """A value as CSV has it: flags are 0 or 1."""
    return "" if value is None else int(value) if isinstance(value, bool) else value


def _text(error: ItemError | None) -> str | None:
    return None if error is None else str(error)


def csv_line(cells: Iterable[object]) -> str:
    """One line of CSV, with its line break. A spreadsheet reads no cell of it as a formula."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([_escaped(str(cell)) for cell in cells])  # both are quoted
    return line.getvalue().removesuffix("\r\n") + "\n"


def _escaped(cell: str) -> str:
    """The cell behind an apostrophe if a spreadsheet would run it as a formula."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def corrected_record(result: Result) -> str:
    """The input record as JSON on one line, without a line break: `response` is corrected, `original` is not.

    Fields without a value are left out, and so is the `label` of a text that changed. A result without an example gives
    {"error": MESSAGE}.
    """
    if result.example is None:
        return json.dumps({"error": str(result.error)}, ensure_ascii=False)
    fields = _fields(result.example)
    if result.revision and result.revision.final_text != result.example.response:
        fields["response"] = result.revision.final_text
        fields.pop("label", None)  # a person's label is that of the text before
    return _line(fields | {"original": result.example.response})


def record(result: Result) -> str:
    """The input record as JSON on one line, without a line break, with the passages of its context and their sources.

    Fields without a value are left out. A result without an example gives {"error": MESSAGE}. One that failed has its
    message in the field `error` and no context, so that nothing is judged against a context that was not found.
    """
    if result.example is None:
        return json.dumps({"error": str(result.error)}, ensure_ascii=False)
    fields = _fields(result.example)
    if result.error:
        fields |= {"context": None, "error": str(result.error)}
    return _line(fields)


def _fields(example: Example) -> dict[str, Any]:
    """The fields of an input record, also those that are not read. A passage without a source is a text."""
    return {
        **example.meta,
        "id": example.id,
        "dataset": example.dataset or None,
        "response": example.response,
        "context": [
            {"text": passage.text, "source": passage.source} if passage.source else passage.text
            for passage in example.passages
        ],
        "question": example.question,
        "model": example.model,
        "samples": list(example.samples) or None,
    }


def _line(fields: Mapping[str, Any]) -> str:
    """The fields with a value, as JSON on one line."""
    return json.dumps({name: value for name, value in fields.items() if value is not None}, ensure_ascii=False)


def patch(result: Result) -> str:
    """A unified diff from the response to the corrected response, for files a/ID and b/ID. Empty if they are equal."""
    if result.example is None or result.revision is None:
        return ""
    before, after = result.example.response, result.revision.final_text
    name = " ".join(result.example.id.split())
    # Programs that read patches know no line end but "\n".
    lines = unified_diff(LINE.findall(before), LINE.findall(after), f"a/{name}", f"b/{name}", n=1)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
