"""What a report shows of a Result, as plain values: so a report can be made from a run or from any other source."""

from __future__ import annotations

from typing import Any

from graph_eval.types import Claim, Evidence, Judgement, Result, Slot


def row(result: Result) -> dict[str, Any]:
    """One response with its claims and verdicts. Spans are [start, end] in code points; `context` holds passage ids.

    The passages themselves are left to `passages_of`: many responses may share one.
    """
    example = result.example
    judgements = result.judgements or (None,) * len(result.claims)
    return {
        "n": result.n,
        "id": example.id if example else (result.error and result.error.id) or str(result.n + 1),
        "dataset": example.dataset if example else "",
        "model": (example.model if example else None) or "",
        "question": (example.question if example else None) or "",
        "response": example.response if example else "",
        "context": [passage.id for passage in example.passages] if example else [],
        "label": result.label,
        "p_inconsistent": result.p_inconsistent,
        "error": str(result.error) if result.error else None,
        "claims": [_claim(*pair) for pair in zip(result.claims, judgements, strict=True)],
    }


def passages_of(result: Result) -> list[dict[str, Any]]:
    """The passages of a response."""
    passages = result.example.passages if result.example else ()
    return [{"passage": passage.id, "text": passage.text, "source": passage.source or ""} for passage in passages]


def _claim(claim: Claim, judgement: Judgement | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kind": claim.kind,
        "text": claim.text,
        "slots": [_slot(slot) for slot in claim.slots],
        "spans": claim.spans,
        "sentence": claim.sentence,
    }
    if judgement is not None:
        found |= {
            "label": judgement.label,
            "p_inconsistent": judgement.p_inconsistent,
            "flagged": judgement.flagged,
            "reason": judgement.reason,
            "error": str(judgement.error) if judgement.error else None,
            "evidence": [_evidence(item) for item in judgement.evidence],
        }
    return found


def _slot(slot: Slot) -> dict[str, Any]:
    return {"text": slot.text, "spans": slot.spans, "resolved": slot.resolved, "inferred": slot.inferred}


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "passage": evidence.passage_id,
        "span": evidence.span,
        "scores": evidence.scores,
        "locations": [
            {"part": item.part, "match": item.match, "spans": item.spans, "missing": item.missing}
            for item in evidence.locations
        ],
    }
