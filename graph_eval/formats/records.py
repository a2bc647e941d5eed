"""One record as an `Example`, or the reason why it cannot be one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from graph_eval.formats.dialects import dialect_of
from graph_eval.types import Example, ItemError, Passage

FIELDS = ("id", "response", "context", "question", "model", "samples", "dataset", "label")  # label stays in `meta`
STAGE = "input"


class RecordError(ValueError):
    """A record that is none; `hint` says what would make it one."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@cache
def record_model() -> Any:
    """The pydantic model of a native record; it is also the source of its JSON Schema."""
    from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

    class PassageRecord(BaseModel):
        """A passage with its source."""

        model_config = ConfigDict(extra="forbid")
        text: StrictStr
        source: StrictStr | None = None

    class Record(BaseModel):
        """One response to check, with the context that should support it. Other fields are kept as `meta`."""

        model_config = ConfigDict(extra="allow")
        id: StrictStr | StrictInt | None = Field(None, description="by default the number of the record")
        response: StrictStr = Field(description="the text whose claims are checked")
        context: StrictStr | list[StrictStr | PassageRecord] | None = Field(
            description="the text or passages that should support it; [] if there is none"
        )
        question: StrictStr | None = Field(None, description="what the response answers")
        model: StrictStr | None = Field(None, description="what wrote the response")
        samples: list[StrictStr] = Field(default_factory=list, description="further responses to the question")
        dataset: StrictStr | None = Field(None, description="by default the name of the file")

    return Record


def example(record: object, number: int, dataset: str, renamed: Mapping[str, str] | None = None) -> Example:
    """The Example that a decoded JSON value stands for.

    `number` counts records from 1 and is the id of a record without one; `renamed` maps our field names to the
    record's. Raises RecordError naming the field.
    """
    from pydantic import ValidationError

    if not isinstance(record, dict):
        raise RecordError(f"a record is a JSON object, not {_kind(record)}")
    fields = _native(record, renamed or {})
    for name in ("response", "context"):
        if name not in fields:
            hint = f'add "{name}" or name its field with --map {name}=FIELD'
            if name == "context":
                hint += '; "context": [] says that there is none'
            raise RecordError(f'"{name}" is missing', hint)
    try:
        parsed = record_model().model_validate(fields)
    except ValidationError as problem:
        raise _first(problem, fields) from None
    _require_text(fields)
    context = [parsed.context] if isinstance(parsed.context, str) else parsed.context or []
    passages = [Passage.of(item) if isinstance(item, str) else Passage.of(item.text, item.source) for item in context]
    distinct = {passage.id: passage for passage in passages if passage.text.strip()}
    return Example(
        id=str(number if parsed.id is None else parsed.id),
        dataset=dataset if parsed.dataset is None else parsed.dataset,
        response=parsed.response,
        passages=tuple(distinct.values()),
        question=parsed.question,
        model=parsed.model,
        samples=tuple(parsed.samples),
        meta=dict(parsed.model_extra or {}),
    )


def failed(problem: RecordError, place: str, record: object = None) -> ItemError:
    identity = record.get("id") if isinstance(record, dict) else None
    known = str(identity) if isinstance(identity, str | int) and _is_text(str(identity)) else None
    return ItemError(STAGE, problem.message, problem.hint, place, known)


def _native(record: dict[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    """The record under our field names; what no name claims stays as it is."""
    found: dict[str, Any] = {}
    used: set[str] = set()
    aliases = dialect_of(record).fields
    for name in FIELDS:
        for source in (renamed[name],) if name in renamed else aliases.get(name, (name,)):
            if source in record:
                found[name] = record[source]
                used.add(source)
                break
    rest = {key: value for key, value in record.items() if key not in used and key not in found}
    return {**rest, **found}


def _first(problem: Any, fields: Mapping[str, object]) -> RecordError:
    """The first thing that pydantic minds, in our words."""
    error = problem.errors(include_url=False)[0]
    name = str(error["loc"][0]) if error["loc"] else "record"
    value = fields.get(name)
    wanted = {
        "context": "a text, or a list of texts or of {text, source}",
        "samples": "a list of texts",
        "id": "a text or a whole number",
    }.get(name, "a text")
    if error["type"] == "string_unicode":
        return _no_text(name)
    return RecordError(f'"{name}" is {_kind(value)}', f"it has to be {wanted}")


def _require_text(value: object, name: str = "record") -> None:
    """Refuses lone surrogates anywhere: they are no characters and no file could hold them."""
    if isinstance(value, str):
        if not _is_text(value):
            raise _no_text(name)
    elif isinstance(value, dict):
        for key, item in value.items():
            _require_text(key, "a field name")
            _require_text(item, key if name == "record" else name)
    elif isinstance(value, list):
        for item in value:
            _require_text(item, name)


def _is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _no_text(name: str) -> RecordError:
    return RecordError(
        f'"{name}" holds a lone surrogate, which is half a character',
        "decode the text with errors='replace' before writing it",
    )


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    if isinstance(value, list):
        odd = next((item for item in value if not isinstance(item, str | dict)), None)
        return f"a list with {_kind(odd)} in it" if odd is not None else "a list"
    return names.get(type(value), f"a number ({json.dumps(value)[:40]})" if isinstance(value, int | float) else "odd")
