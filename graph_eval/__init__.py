"""graph_eval: a response as a knowledge graph of claims, every edge judged against the context.

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
    from graph_eval.settings import Settings
    from graph_eval.types import Claim, Example, Judgement, Label, Passage, Result, Span

_PLACES = {
    "GraphEval": "pipeline",
    "GraphEvalError": "errors",
    "from_networkx": "graph.networkx",
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
    "Settings",
    "Span",
    "check",
    "from_networkx",
    "render",
    "to_networkx",
]


def check(
    response: str, context: str | Sequence[str] | None = None, question: str | None = None, **fields: Any
) -> Result:
    """Which claims of the response does the context not support? Uses the default parts, loaded once.

    `fields` are further fields of a record (id, model, ...). A record that cannot be judged gives a Result with an
    error; nothing is raised for it.
    """
    from graph_eval.pipeline import default

    return default().check(response, context, question, **fields)


# `import graph_eval.checkers.pairs as pairs` finds the submodule by this name, as it would below a module.
check.__name__ = "graph_eval.checkers"


def __getattr__(name: str) -> Any:
    """Public names load their module at first use: importing graph_eval costs nothing."""
    if name in _PLACES:
        return getattr(import_module(f"graph_eval.{_PLACES[name]}"), name)
    raise AttributeError(f"module 'graph_eval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
