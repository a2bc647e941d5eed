"""Data files of the package, found the same way in a wheel, an editable install and a plain checkout."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from graph_eval.errors import MissingPartError


def folder(name: str) -> Path:
    """The folder `graph_eval/<name>`, e.g. `weights/nli`. Raises MissingPartError if it is not installed.

    `cypher` and `prompts` are next to the package in a checkout and inside it in a wheel.
    """
    package = Path(str(resources.files("graph_eval")))
    for path in (package / name, package.parent / name):
        if path.is_dir():
            return path
    raise MissingPartError(f"{package / name} is missing", "reinstall graph_eval: the wheel contains this folder")
