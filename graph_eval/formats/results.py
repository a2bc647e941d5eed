"""Converts results to JSON and back, and returns the JSON Schemas of records and results.

The JSON fields have the names of the Python fields (except for `types.FILE_NAMES`). A Span is [start, end], Scores are
[entailment, neutral, contradiction], a Slot is an object. `fields` and `traceback` are written only if not empty.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from graph_eval.errors import RunError
from graph_eval.formats.records import record_model
from graph_eval.types import Result


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(Result)


def to_json(result: Result) -> str:
    """The result as JSON on one line, without a line break."""
    text: bytes = _adapter().dump_json(result, by_alias=True, exclude=_omitted(result))
    return text.decode("utf-8")


def _omitted(result: Result) -> dict[str, Any]:
    """The fields of this result that are not written, in the form of pydantic's `exclude`."""
    omitted: dict[str, Any] = {} if result.fields else {"fields": True}
    if result.error is not None and result.error.traceback is None:
        omitted["error"] = {"traceback"}
    omitted["judgements"] = {"__all__": {"signs"}} | {
        place: {"signs": True, "error": {"traceback"}}
        for place, judgement in enumerate(result.judgements)
        if judgement.error is not None and judgement.error.traceback is None
    }
    if result.revision is not None and result.revision.result is not None:
        omitted["revision"] = {"result": _omitted(result.revision.result)}
    return omitted


def from_json(line: str | bytes) -> Result:
    """The Result that `to_json` wrote. Raises ValueError for anything else."""
    result: Result = _adapter().validate_json(line)
    return result


def read_results(path: Path) -> Iterator[Result]:
    """The results of a results.jsonl, in order. Raises RunError with the line that cannot be read.

    An incomplete last line of an interrupted run is ignored.
    """
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                yield from_json(line)
            except ValueError as problem:
                if not line.endswith(b"\n"):
                    return
                raise RunError(
                    f"{path}, line {number}: {str(problem).splitlines()[0]}",
                    "read it with the version in RUN/run.json, or check the records again",
                ) from problem


def schemas() -> dict[str, Any]:
    """JSON Schemas of a record and of a result."""
    result = _adapter().json_schema()
    del result["$defs"]["Judgement"]["properties"]["signs"]  # which no file holds
    return {"record": record_model().model_json_schema(), "result": result}


def pretty(value: object) -> str:
    """The value as JSON with an indent of 2."""
    return json.dumps(value, ensure_ascii=False, indent=2)
