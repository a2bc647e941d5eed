"""Field names of the record formats that are read as they are.

A dialect is recognised by a field that only it has; the native names work in every dialect. Ragas' `reference` is
the expected answer, RefChecker's is the context: so a record with `retrieved_contexts` is never read as RefChecker's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """`marker`: the field that shows the dialect. `fields`: our name -> its names, first one present wins."""

    name: str
    marker: str
    fields: Mapping[str, tuple[str, ...]]


NATIVE = Dialect("native", "response", {})
DIALECTS = (
    Dialect(
        "ragas",
        "retrieved_contexts",
        {"context": ("retrieved_contexts",), "question": ("user_input",)},
    ),
    Dialect(
        "deepeval",
        "actual_output",
        {
            "response": ("actual_output",),
            "context": ("retrieval_context", "context"),
            "question": ("input",),
        },
    ),
    Dialect("refchecker", "reference", {"context": ("context", "reference")}),
    NATIVE,
)


def dialect_of(record: Mapping[str, object]) -> Dialect:
    return next((dialect for dialect in DIALECTS if dialect.marker in record), NATIVE)
