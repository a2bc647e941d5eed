"""Results as JSON and back, and the JSON Schemas of what goes in and comes out.

A Result is written under its own field names (but for `types.FILE_NAMES`): a Span is [start, end], Scores are
[entailment, neutral, contradiction], a Slot is an object. `fields` and `traceback` are written only where there is one.
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
    """One line, without a line break."""
    text: bytes = _adapter().dump_json(result, by_alias=True, exclude=_omitted(result))
    return text.decode("utf-8")


def _omitted(result: Result) -> dict[str, Any]:
    """The fields of this result that are not written, as pydantic's `exclude` wants them."""
    omitted: dict[str, Any] = {} if result.fields else {"fields": True}
    if result.error is not None and result.error.traceback is None:
        omitted["error"] = {"traceback"}
    silent = {
        place: {"error": {"traceback"}}
        for place, judgement in enumerate(result.judgements)
        if judgement.error is not None and judgement.error.traceback is None
    }
    if silent:
        omitted["judgements"] = silent
    if result.revision is not None and result.revision.result is not None:
        omitted["revision"] = {"result": _omitted(result.revision.result)}
    return omitted


def from_json(line: str | bytes) -> Result:
    """The Result that `to_json` wrote. Raises ValueError for anything else."""
    result: Result = _adapter().validate_json(line)
    return result


def read_results(path: Path) -> Iterator[Result]:
    """The results of a results.jsonl, in order. Raises RunError naming the line.

    A torn last line is what an interrupted run leaves behind: it is no result yet.
    """
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                yield from_json(line)
            except ValueError as problem:
                if not line.endswith(b"\n"):
                    return
                raise RunError(
                    f"{path}, line {number}: {str(problem).splitlines()[0]}", "is this a run of another version?"
                ) from problem


def schemas() -> dict[str, Any]:
    """JSON Schemas of a record and of a result."""
    return {"record": record_model().model_json_schema(), "result": _adapter().json_schema()}


def pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
