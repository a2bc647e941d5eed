"""A record as an `Example`, or the error that it contains."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from graph_eval.errors import GraphEvalWarning
from graph_eval.formats.dialects import DIALECTS, LISTS, dialect_of
from graph_eval.formats.text_lists import list_of_texts
from graph_eval.settings import MAX_DEPTH, LimitSettings, size_text
from graph_eval.types import Example, ItemError, Passage

FIELDS = ("id", "response", "context", "question", "model", "samples", "dataset", "label")  # label stays in `meta`
REQUIRED = ("response", "context")
WITHOUT_CONTEXT = ("response",)  # what a record needs that is compared with samples
STAGE = "input"
LIMITS = LimitSettings()


class RecordError(ValueError):
    """An invalid record. `hint`: how to correct it."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@cache
def record_model() -> Any:
    """The pydantic model of a native record, from which its JSON Schema is made."""
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
            description="the text or passages that should support it, or [] if there is none"
        )
        question: StrictStr | None = Field(None, description="what the response answers")
        model: StrictStr | None = Field(None, description="what wrote the response")
        samples: list[StrictStr] = Field(default_factory=list, description="further responses to the question")
        dataset: StrictStr | None = Field(None, description="by default the name of the file")

    return Record


def example(
    record: object,
    number: int,
    dataset: str,
    columns: Mapping[str, str] | None = None,
    limits: LimitSettings = LIMITS,
    required: Sequence[str] = REQUIRED,
) -> Example:
    """The Example for a decoded JSON value.

    `number`: the record's number, from 1, which is the id of a record without one. `columns`: field name -> the name of
    that field in the record, or its path ("outputs.answer"). `required`: the fields that no record may lack. Raises
    RecordError with the field.
    """
    from pydantic import ValidationError

    if not isinstance(record, dict):
        hint = "pass --input-format json if the file is one JSON list" if isinstance(record, list) else None
        raise RecordError(f"the record is {_type(record)}, but must be a JSON object", hint)
    _require_writable(record, limits.max_depth)
    fields = _native(record, columns or {})
    for name in required:
        if name not in fields:
            column = min(known_names({}, (name,)) & record.keys(), default=None)
            hint = f'add "{name}", or pass --map {name}={column or "COLUMN"}'
            if name == "context":
                hint += ', or set "context": [] if there is none, or search for it with --ground CORPUS'
            if column is None:
                hint += f"; the fields are {_names(record)}"
            raise RecordError(f'"{name}" is missing', hint)
    try:
        parsed = record_model().model_validate({"context": None, **fields})
    except ValidationError as problem:
        raise _first(problem, fields) from None
    context = [parsed.context] if isinstance(parsed.context, str) else parsed.context or []
    passages = [Passage.of(part) if isinstance(part, str) else Passage.of(part.text, part.source) for part in context]
    for passage in passages:
        _require_size(passage, limits.max_passage)
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


def checked(item: Example, limits: LimitSettings = LIMITS) -> Example:
    """The Example itself. Raises RecordError where it could not be written, or a passage is too long."""
    fields = {"id": item.id, "dataset": item.dataset, "response": item.response, "question": item.question}
    context = [[passage.text, passage.source] for passage in item.passages]
    others = {"model": item.model, "samples": list(item.samples), **item.meta}
    _require_writable({**others, **fields, "context": context}, limits.max_depth)
    for passage in item.passages:
        _require_size(passage, limits.max_passage)
    return item


def known_names(columns: Mapping[str, str], fields: Sequence[str] = (*FIELDS, "claim_id")) -> set[str]:
    """The names that these fields of a record may have: native ones, those of the dialects, and those of `columns`.

    By default of all fields, and of an exported label.
    """
    aliases = (name for dialect in DIALECTS for field in fields for name in dialect.fields.get(field, ()))
    return {*fields, *aliases, *(column for field, column in columns.items() if field in fields)}


def missing_columns(names: Iterable[str], columns: Mapping[str, str], required: Sequence[str] = REQUIRED) -> list[str]:
    """The required fields that a record with fields of these names lacks."""
    record: dict[str, Any] = dict.fromkeys(names, "")
    mapped = {name: column for name, column in columns.items() if column in record}
    return [name for name in required if name not in _native(record, mapped)]


def failed(problem: RecordError, place: str, record: object = None) -> ItemError:
    """The error of a record, with the record's id if that is valid. `place`: its file and line."""
    value = record.get("id") if isinstance(record, dict) else record.id if isinstance(record, Example) else None
    record_id = str(value) if isinstance(value, str | int) and _is_unicode(str(value)) else None
    return ItemError(STAGE, problem.message, problem.hint, place, record_id)


def _native(record: dict[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """The record under the native field names. Other fields keep their names."""
    fields: dict[str, Any] = {}
    used: set[str] = set()
    aliases = dialect_of(record).fields
    for name in FIELDS:
        if name in columns:
            used.add(columns[name])
            try:
                fields[name] = _at(record, columns[name], name)
            except RecordError:
                if name in REQUIRED:
                    raise
                told = f"--map {name}={columns[name]}: some records have no such field, and so no {name}"
                warnings.warn(told, GraphEvalWarning, stacklevel=2)
            continue
        for source in aliases.get(name, (name,)):
            if source in record:
                value = record[source]
                # A data frame's list, written as text
                fields[name] = list_of_texts(value) if source in LISTS and isinstance(value, str) else value
                used.add(source)
                break
    # A field whose name --map gave to another column is not that field: it is left out, not guessed.
    rest = {k: value for k, value in record.items() if k not in used and k not in fields and k not in columns}
    return {**rest, **fields}


def _at(record: dict[str, Any], column: str, name: str) -> Any:
    """The value of a column, or at a path of names with dots between them. Raises RecordError if there is none."""
    if column in record:
        return record[column]
    value: Any = record
    for key in column.split("."):
        if not isinstance(value, dict) or key not in value:
            hint = f"--map {name}={column} does not fit; the fields are {_names(record)}"
            raise RecordError(f'"{column}" is missing', hint)
        value = value[key]
    return value


def _names(record: Mapping[str, object]) -> str:
    return ", ".join(sorted(map(str, record)))[:200]


def _first(problem: Any, fields: Mapping[str, object]) -> RecordError:
    """The first error that pydantic found, with our message."""
    error = problem.errors(include_url=False)[0]
    name = str(error["loc"][0]) if error["loc"] else "record"
    value = fields.get(name)
    expected = {
        "context": "a string, or a list of strings or of objects {text, source}",
        "samples": "a list of strings",
        "id": "a string or an integer",
    }.get(name, "a string")
    if error["type"] == "string_unicode":
        return _lone_surrogate(name)
    return RecordError(f'"{name}" is {_type(value)}', f"it must be {expected}")


def _require_writable(record: Mapping[str, object], max_depth: int) -> None:
    """Raises RecordError for a lone surrogate anywhere, which no file takes, and for a value that is nested deeper.

    Level by level, so that no depth can exceed Python's own limit.
    """
    level: list[tuple[str, object]] = list(record.items())
    for name in record:
        _require_unicode(name, "a field name")
    for _ in range(max_depth):
        inner: list[tuple[str, object]] = []
        for name, value in level:
            if isinstance(value, str):
                _require_unicode(value, name)
            elif isinstance(value, Mapping):
                inner += ((name, part) for part in (*value.keys(), *value.values()))
            elif isinstance(value, list | tuple):
                inner += ((name, part) for part in value)
        if not inner:
            return
        level = inner
    more = f", or raise the limit: --max-depth N (at most {MAX_DEPTH})" if max_depth < MAX_DEPTH else ""
    raise RecordError(f'"{level[0][0]}" is nested more than {max_depth} deep', f"flatten the field{more}")


def _require_unicode(value: object, name: str) -> None:
    if isinstance(value, str) and not _is_unicode(value):
        raise _lone_surrogate(name)


def _require_size(passage: Passage, limit: int) -> None:
    """Raises RecordError for a passage of more than `limit` bytes. A character has 1 to 4 bytes."""
    if len(passage.text) * 4 > limit and (count := len(passage.text.encode("utf-8"))) > limit:
        raise RecordError(
            f'"context" has a passage of {size_text(count)}, longer than {size_text(limit)}',
            "split the passage, or raise the limit: --max-passage SIZE",
        )


def _is_unicode(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _lone_surrogate(name: str) -> RecordError:
    return RecordError(
        f'"{name}" contains a lone surrogate, which is half of a character',
        "decode the text with errors='replace' before writing it",
    )


def _type(value: object) -> str:
    """The JSON type of the value, for messages."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    if isinstance(value, list):
        invalid = next((element for element in value if not isinstance(element, str | dict)), None)
        inner = "a list" if isinstance(invalid, list) else _type(invalid)
        return f"a list that contains {inner}" if invalid is not None else "a list"
    if type(value) in names:
        return names[type(value)]
    return f"a number ({json.dumps(value)[:40]})" if isinstance(value, int | float) else type(value).__name__
