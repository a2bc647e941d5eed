"""Asks a more general question too (step-back prompting: arXiv 2310.06117). Passages of both are fused."""

from __future__ import annotations

from collections.abc import Sequence

from graph_eval.registry import transform
from graph_eval.retrieve.retriever import Query
from graph_eval.retrieve.transform.asking import AskingTransform, with_given
from graph_eval.retrieve.transform.transform import Subject
from graph_eval.settings import OF_LLM
from graph_eval.types import ItemError


@transform("step_back", argument="[MODEL]", reads=("transform_with", *OF_LLM), extra="llm")
class StepBackTransform(AskingTransform):
    """The given queries, and a more general one."""

    task = "query_step_back"

    def result(self, answer: Sequence[Query] | ItemError, subject: Subject) -> Sequence[Query] | ItemError:
        return with_given(answer, subject)
