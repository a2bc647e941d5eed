"""The JSON file of a benchmark: figures, settings, versions and the machine. It is written, and read again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from graph_eval.errors import InputError
from graph_eval.machine import machine
from graph_eval.output import write_text
from graph_eval.plan import Plan
from graph_eval.version import versions

Value = TypeVar("Value")
HINT = "pass a file that graph-eval bench NAME -o FILE.json wrote"
OBJECTS = ("settings", "fingerprints", "plans", "versions", "machine", "data", "seconds")
TABLE: dict[str, Any] = {"name": "", "title": "", "columns": None, "signed": [], "across": False, "note": ""}


def record(
    benchmark: str, plans: Mapping[str, Plan], threads: int, data: Mapping[str, str], **figures: Any
) -> dict[str, Any]:
    """The value of a benchmark's file.

    `plans`: every plan of the benchmark, by name, so that every part is recorded. `data`: the name and the digest of
    each set. `settings` and `fingerprints` are those of the first plan.
    """
    described: dict[str, dict[str, Any]] = {
        name: {
            "stages": [stage.name for stage in plan.stages],
            "settings": plan.settings,
            "fingerprints": plan.fingerprints,
        }
        for name, plan in plans.items()
    }
    nothing: dict[str, Any] = {"settings": {}, "fingerprints": {}}
    first = next(iter(described.values()), nothing)
    return {
        "benchmark": benchmark,
        "settings": {**first["settings"], "threads": threads},
        "fingerprints": first["fingerprints"],
        "plans": described,
        "versions": versions(),
        "machine": machine(),
        "data": dict(data),
        **figures,
    }


def write(value: Mapping[str, Any], path: Path) -> None:
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n", "choose another -o")


def read(path: Path) -> dict[str, Any]:
    """The content of a benchmark's file, with the fields of `record`, `tables`, `seconds` and `items`.

    Raises InputError for a file that is none. The texts of the file are untrusted.
    """
    try:
        value = json.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror}", HINT) from None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path} is not JSON: {problem}", HINT) from None
    if not isinstance(value, dict) or not isinstance(value.get("benchmark"), str):
        raise InputError(f'{path} is not the file of a benchmark: it has no "benchmark"', HINT)
    if not _is_rows(value.get("items")):
        raise InputError(f'{path} has no "items", a list of objects', HINT)
    for name in OBJECTS:
        if not isinstance(value.setdefault(name, {}), dict):
            raise InputError(f'{path}: "{name}" is not an object', HINT)
    tables = value.get("tables", [])
    if not isinstance(tables, list):
        raise InputError(f'{path}: "tables" is not a list', HINT)
    for place, table in enumerate(tables):
        if not isinstance(table, dict) or not _is_table(TABLE | table):
            raise InputError(f"{path}: tables[{place}] is not a table", HINT)
    return value | {"title": str(value.get("title", "")), "tables": [TABLE | table for table in tables]}


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(row, dict) for row in value)


def _is_table(table: Mapping[str, Any]) -> bool:
    """Whether `tables.grid` can write it."""
    columns, rows = table["columns"], table.get("rows")
    if not isinstance(rows, list) or not _is_rows(rows):
        return False
    return (
        (columns is None or _is_names(columns))
        and _is_names(table["signed"])
        and all(isinstance(table[name], str) for name in ("name", "title", "note"))
        and all(_is_cell(cell) for row in rows for cell in row.values())
        and not (table["across"] and rows and not (columns or any(rows)))
    )


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_cell(cell: object) -> bool:
    """Text, a number, None, or a figure: a number with the ends of its interval, each of which may be None."""
    if not isinstance(cell, dict):
        return cell is None or isinstance(cell, str | int | float)
    ends = [cell.get(name, "") for name in ("value", "low", "high")]
    return all(end is None or isinstance(end, int | float) for end in ends) and (ends[1] is None) == (ends[2] is None)


def read_all(paths: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """The contents of several files by the name of the file without its ending."""
    return named((path.stem, read(path)) for path in paths)


def named(pairs: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """The values by name, with a number behind a name that is used already: x, x-2, x-3."""
    found: dict[str, Value] = {}
    for start, value in pairs:
        name, count = start, 1
        while name in found:
            count += 1
            name = f"{start}-{count}"
        found[name] = value
    return found
