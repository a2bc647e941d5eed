"""The field names of records of Ragas, DeepEval and RefChecker, which are read without conversion.

A dialect is recognised by a field that only it has. The native names work in every dialect. `reference` is the
expected answer for Ragas and the context for RefChecker. So a record with `retrieved_contexts` or `user_input` is
always one of Ragas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """`markers`: fields that only this dialect has. `fields`: native name -> names, the first one present is used."""

    name: str
    markers: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]]


NATIVE = Dialect("native", ("response",), {})
LISTS = ("retrieved_contexts", "contexts", "retrieval_context")  # fields that hold a list in every record
DIALECTS = (
    Dialect(
        "ragas",
        ("retrieved_contexts", "user_input"),
        {"context": ("retrieved_contexts", "context"), "question": ("user_input", "question")},
    ),
    Dialect(
        "ragas before 0.2",
        ("contexts",),
        {"response": ("answer", "response"), "context": ("contexts",), "question": ("question",)},
    ),
    Dialect(
        "deepeval",
        ("actual_output",),
        {
            "response": ("actual_output",),
            "context": ("retrieval_context", "context"),
            "question": ("input",),
        },
    ),
    Dialect("refchecker", ("reference",), {"context": ("context", "reference")}),
    NATIVE,
)


def dialect_of(record: Mapping[str, object]) -> Dialect:
    """The dialect of which the record has a marker, or the native one."""
    return next((dialect for dialect in DIALECTS if not record.keys().isdisjoint(dialect.markers)), NATIVE)
