"""Reads run directories: run.json (settings, versions, fingerprints, counts, timings) and results.jsonl (one line per
record, in order). `runs.resume` writes and resumes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graph_eval.errors import RunError
from graph_eval.formats import results
from graph_eval.types import Result, Run

META, RESULTS, LOCK = "run.json", "results.jsonl", ".lock"


def is_run(path: Path) -> bool:
    return all(os.path.isfile(path / name) for name in (META, RESULTS))  # False also for a name that no file can have


def require_run(path: Path) -> Path:
    """The path itself. Raises RunError if it is not a run directory."""
    if not is_run(path):
        raise RunError(f"{path} is not a run directory", f"make one: graph-eval check FILE.jsonl -o {path}")
    return path


def read_results(path: Path) -> Iterator[Result]:
    """The results of the run at `path`, in order. Raises RunError with the line that cannot be read."""
    return results.read_results(path / RESULTS)


def read_run(path: Path) -> Run:
    """The identity of the run at `path`. Raises RunError if it is not a run directory."""
    meta = read_meta(require_run(path))
    kinds = {"stage": str, "settings": dict, "fingerprints": dict, "versions": dict, "input": str}
    for name, kind in kinds.items():
        if not isinstance(meta.get(name), kind):
            wrong = f"has no valid {name!r}" if name in meta else f"has no {name!r}"
            hint = "use the graph_eval version that wrote it, or choose another RUN"
            raise RunError(f"{path / META} {wrong}", hint)
    return Run(*(meta[name] for name in kinds))


def read_manifest(path: Path) -> str:
    """The text of run.json. Raises RunError if it cannot be read."""
    read_meta(path)
    return (path / META).read_text("utf-8")


def read_meta(path: Path) -> dict[str, Any]:
    """The content of run.json. Raises RunError if it cannot be read."""
    try:
        value: dict[str, Any] = json.loads((path / META).read_text("utf-8"))
        if not isinstance(value, dict):
            raise ValueError("it is not a JSON object")
    except (OSError, ValueError, RecursionError) as problem:
        raise RunError(
            f"{path / META} cannot be read: {problem}", "remove that directory and run the command again"
        ) from problem
    return value
