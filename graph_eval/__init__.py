"""graph_eval turns a response into a knowledge graph of claims and judges every claim against the context.

import graph_eval

result = graph_eval.check("Paris is in Spain.", context="Paris is the capital of France.")
for finding in result.flagged:
    print(finding.claim.text, finding.judgement.label, finding.judgement.p_inconsistent)
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from graph_eval.version import __version__ as __version__

if TYPE_CHECKING:
    from graph_eval.errors import GraphEvalError
    from graph_eval.graph.networkx import from_networkx, to_networkx
    from graph_eval.pipeline import GraphEval
    from graph_eval.reports import render
    from graph_eval.results import Results, read_run
    from graph_eval.settings import Settings
    from graph_eval.types import Claim, Example, Judgement, Label, Passage, Result, Span

_PLACES = {
    "GraphEval": "pipeline",
    "GraphEvalError": "errors",
    "from_networkx": "graph.networkx",
    "Results": "results",
    "read_run": "results",
    "render": "reports",
    "to_networkx": "graph.networkx",
    "Settings": "settings",
    **dict.fromkeys(("Claim", "Example", "Judgement", "Label", "Passage", "Result", "Span"), "types"),
}

__all__ = [
    "Claim",
    "Example",
    "GraphEval",
    "GraphEvalError",
    "Judgement",
    "Label",
    "Passage",
    "Result",
    "Results",
    "Settings",
    "Span",
    "check",
    "from_networkx",
    "read_run",
    "render",
    "to_networkx",
]


def check(
    response: str, context: str | Sequence[str] | None = None, question: str | None = None, **fields: Any
) -> Result:
    """Checks which claims of a response its context supports. Uses the default parts, which are loaded once.

    `fields` are further fields of a record (id, model, ...). `Result.flagged` holds the claims that the context does
    not support, with their evidence. For an invalid record `Result.error` is set, and nothing is raised.
    """
    from graph_eval.pipeline import default

    return default().check(response, context, question, **fields)


# `import graph_eval.checkers.pairs as pairs` finds the submodule by this name, as it does for a module.
check.__name__ = "graph_eval.checkers"


def __getattr__(name: str) -> Any:
    """Loads the module of a public name at first use, so that importing graph_eval is fast."""
    if name in _PLACES:
        return getattr(import_module(f"graph_eval.{_PLACES[name]}"), name)
    raise AttributeError(f"module 'graph_eval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
