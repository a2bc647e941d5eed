"""Names of parts: "name" or "name:argument" -> an object that fits a seam.

A built-in part is a line in `PARTS`; nothing is imported before it is asked for. Another package adds parts by
entry points in the groups `graph_eval.extractors` and `graph_eval.checkers`: callables that take the argument
(a str or None) and return the part.
"""

from __future__ import annotations

import difflib
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from graph_eval.errors import UsageError

PARTS: dict[str, dict[str, str]] = {
    "extractor": {
        "rules": "graph_eval.extract.rules.extractor:RulesExtractor",
        "sentences": "graph_eval.extract.sentences:SentenceExtractor",
        "subsentences": "graph_eval.extract.subsentences:SubsentenceExtractor",
        "response": "graph_eval.extract.whole:WholeExtractor",
    },
    "checker": {
        "builtin": "graph_eval.check.builtin:BuiltinChecker",
    },
}


def names(seam: str) -> list[str]:
    """Every name that `create` takes for the seam, built-in and installed."""
    return sorted({*PARTS[seam], *(point.name for point in entry_points(group=f"graph_eval.{seam}s"))})


def create(seam: str, spec: str, **options: Any) -> Any:
    """The part that `spec` names. Raises UsageError for an unknown name or a wrong argument.

    `options` go to built-in parts only: they are settings that a foreign part does not know.
    """
    name, colon, argument = spec.partition(":")
    path = PARTS[seam].get(name)
    if path is not None:
        if colon:
            raise UsageError(f"{seam} {spec!r}: {name} takes no argument", f"write {name}")
        module, attribute = path.split(":")
        return getattr(import_module(module), attribute)(**options)
    for point in entry_points(group=f"graph_eval.{seam}s", name=name):
        return point.load()(argument if colon else None)
    near = difflib.get_close_matches(name, names(seam), n=1)
    hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(names(seam))}"
    raise UsageError(f"there is no {seam} {name!r}", hint)
