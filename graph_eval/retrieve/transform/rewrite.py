"""Writes a query anew for a search engine (rewrite, retrieve, read: arXiv 2305.14283)."""

from __future__ import annotations

from graph_eval.registry import transform
from graph_eval.retrieve.transform.asking import AskingTransform
from graph_eval.settings import OF_LLM


@transform("rewrite", argument="[MODEL]", reads=("transform_with", *OF_LLM), extra="llm")
class RewriteTransform(AskingTransform):
    """One query instead of the first one. Others stay."""

    task = "query_rewrite"
