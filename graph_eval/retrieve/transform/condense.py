"""Makes a question that can be understood alone from a conversation and the question that follows it."""

from __future__ import annotations

from typing import Any

from graph_eval.llm.model import Request
from graph_eval.registry import transform
from graph_eval.retrieve.transform.asking import AskingTransform
from graph_eval.retrieve.transform.transform import Subject
from graph_eval.settings import OF_LLM


@transform("condense", argument="[MODEL]", reads=("transform_with", *OF_LLM), extra="llm")
class CondenseTransform(AskingTransform):
    """One query instead of the first one, for a record with a history. Without one the queries stay."""

    task = "query_condense"

    def request(self, subject: Subject) -> Request | None:
        return super().request(subject) if subject.history else None

    def values(self, subject: Subject) -> dict[str, Any]:
        return {**super().values(subject), "turns": [": ".join(filter(None, turn)) for turn in subject.history]}
