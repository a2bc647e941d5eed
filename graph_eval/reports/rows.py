"""The plain values of a Result that a report shows. A report can show results of a run or of any other source."""

from __future__ import annotations

from typing import Any

from graph_eval.types import Claim, Edit, Evidence, Judgement, Result, Slot


def row(result: Result) -> dict[str, Any]:
    """One response with its claims and verdicts. Spans are [start, end] in code points; `context` holds passage ids.

    The passages themselves come from `passages_of`, as several responses may share one.
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
        "flagged_rate": result.flagged_rate,
        "error": str(result.error) if result.error else None,
        "claims": [_claim(*pair) for pair in zip(result.claims, judgements, strict=True)],
        "revision": _revision(result),
        "stated": _stated(result),
    }


def _revision(result: Result) -> dict[str, Any] | None:
    """The corrections of flagged claims, and every edit once with its claims. Claims are named by place."""
    if result.revision is None:
        return None
    places = {claim.id: place for place, claim in enumerate(result.claims)}
    edits: dict[Edit, list[int]] = {}
    for correction in result.revision.corrections:
        for edit in correction.edits:
            edits.setdefault(edit, []).append(places[correction.claim_id])
    inner = result.revision.result
    return {
        "label": inner.label if inner else None,
        "edits": [
            {"start": edit.span.start, "end": edit.span.end, "new": edit.new, "claims": claims}
            for edit, claims in sorted(edits.items(), key=lambda item: item[0].span)
        ],
        "corrections": [
            {"claim": places[item.claim_id], "status": item.status, "reason": item.reason, "p_after": item.p_after}
            for item in result.revision.corrections
        ],
    }


def _stated(result: Result) -> dict[int, list[str]]:
    """Claims of the context that refute a flagged claim, by the claim's place."""
    places = {claim.id: place for place, claim in enumerate(result.claims)}
    return {places[identity]: [claim.text for claim in claims] for identity, claims in result.refutations.items()}


def passages_of(result: Result) -> list[dict[str, Any]]:
    """The passages of a response."""
    passages = result.example.passages if result.example else ()
    return [{"passage": passage.id, "text": passage.text, "source": passage.source or ""} for passage in passages]


def _claim(claim: Claim, judgement: Judgement | None) -> dict[str, Any]:
    values: dict[str, Any] = {
        "kind": claim.kind,
        "text": claim.text,
        "slots": [_slot(slot) for slot in claim.slots],
        "spans": claim.spans,
        "sentence": claim.sentence,
    }
    if judgement is not None:
        values |= {
            "label": judgement.label,
            "p_inconsistent": judgement.p_inconsistent,
            "flagged": judgement.flagged,
            "unsupported": judgement.unsupported,
            "reason": judgement.reason,
            "decided_by": judgement.decided_by,
            "error": str(judgement.error) if judgement.error else None,
            "evidence": [_evidence(item) for item in judgement.evidence],
        }
    return values


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
