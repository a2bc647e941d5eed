"""The field names of records of Ragas, DeepEval and RefChecker, which are read without conversion.

A dialect is recognised by a field that only it has. The native names work in every dialect. `reference` is the
expected answer for Ragas and the context for RefChecker, so a record with `retrieved_contexts` is always one of Ragas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """`marker`: a field that only this dialect has. `fields`: native name -> names, the first one present is used."""

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
        "ragas before 0.2",
        "contexts",
        {"response": ("answer", "response"), "context": ("contexts",), "question": ("question",)},
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
    """The dialect whose marker the record has, or the native one."""
    return next((dialect for dialect in DIALECTS if dialect.marker in record), NATIVE)
