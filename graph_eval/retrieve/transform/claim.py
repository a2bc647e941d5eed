"""Makes a question of a claim, as RefChecker does before it searches (arXiv 2405.14486)."""

from __future__ import annotations

from typing import Any

from graph_eval.llm.model import Request
from graph_eval.registry import transform
from graph_eval.retrieve.transform.asking import AskingTransform
from graph_eval.retrieve.transform.transform import Subject
from graph_eval.settings import OF_LLM


@transform("claim", argument="[MODEL]", reads=("transform_with", *OF_LLM), extra="llm")
class ClaimTransform(AskingTransform):
    """One question that the claim answers, instead of the words of the claim. Without a claim the queries stay."""

    task = "query_claim"

    def request(self, subject: Subject) -> Request | None:
        return super().request(subject) if subject.claim is not None else None

    def values(self, subject: Subject) -> dict[str, Any]:
        claim = subject.claim.text if subject.claim else ""
        return {"claim": claim, "question": subject.question or "", "failed": list(subject.failed)}
