"""Files that ship with the package, read the same way from a wheel, an editable install and a bare checkout."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from graph_eval.errors import MissingPartError


def folder(name: str) -> Path:
    """The folder `graph_eval/<name>`, e.g. `weights/nli`. Raises MissingPartError if it is not installed."""
    path = Path(str(resources.files("graph_eval"))) / name
    if not path.is_dir():
        raise MissingPartError(f"{path} is missing", "reinstall graph_eval: its wheel carries this folder")
    return path
