"""Asks the same in several ways (RAG fusion: arXiv 2402.03367). Passages of all are fused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph_eval.registry import transform
from graph_eval.retrieve.retriever import Query
from graph_eval.retrieve.transform.asking import AskingTransform, with_given
from graph_eval.retrieve.transform.transform import Subject
from graph_eval.settings import OF_LLM
from graph_eval.types import ItemError


@transform("multi_query", argument="[MODEL]", reads=("transform_with", *OF_LLM), extra="llm")
class MultiQueryTransform(AskingTransform):
    """The given queries, and up to four others for the first of them."""

    task = "query_multi"
    most = 4

    def values(self, subject: Subject) -> dict[str, Any]:
        return {**super().values(subject), "count": self.most}

    def result(self, answer: Sequence[Query] | ItemError, subject: Subject) -> Sequence[Query] | ItemError:
        return with_given(answer, subject)
