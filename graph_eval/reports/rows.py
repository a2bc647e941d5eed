"""The plain values of a Result that a report shows. A report can show results of a run or of any other source.

Values that are missing, false or empty are left out, and the page fills them in. Most claims have many of them, so the
file is half as large.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graph_eval.consistency.record import sampling_of
from graph_eval.graph.samples import Compared, compared, said, scored
from graph_eval.graph.searches import by_claim
from graph_eval.types import PARTS, Claim, Edit, Evidence, Judgement, Kind, Location, Relation, Result, Slot, Status


def row(result: Result) -> dict[str, Any]:
    """One response with its claims and verdicts. Spans are [start, end] in code points; `context` holds passage ids.

    The passages themselves come from `passages_of`, as several responses may share one. Elsewhere in the row a passage
    is its place in `context`.
    """
    example = result.example
    judgements = result.judgements or (None,) * len(result.claims)
    response = example.response if example else ""
    places = _passage_places(result)
    counts = {item.claim_id: item for item in compared(result)}
    against: dict[str, list[str]] = {}
    for entry in said(result, example) if example else ():
        if entry.relation is Relation.REFUTED_BY:
            against.setdefault(entry.claim_id, []).append(entry.claim.text)
    consistency = scored(result)
    searches = by_claim(result)
    missing = len(sampling_of(result).get("failed", ()))
    values = {
        "id": result.name,
        "dataset": example.dataset if example else "",
        "model": example.model if example else None,
        "question": example.question if example else None,
        "response": response,
        "context": [passage.id for passage in example.passages] if example else [],
        "label": result.label,
        "p_inconsistent": result.p_inconsistent,
        "error": str(result.error) if result.error else None,
        "consistency": None if consistency is None else {**consistency._asdict(), "not_drawn": missing},
        "claims": [
            {
                **_claim(claim, judgement, response, places),
                **_samples(counts.get(claim.id), against.get(claim.id, ())),
                **_present({"searches": [search.row for search in searches.get(claim.id, ())]}),
            }
            for claim, judgement in zip(result.claims, judgements, strict=True)
        ],
        "revision": _revision(result),
        "stated": _stated(result, places),
        "searches": [search.row for search in searches.get(None, ())],
    }
    return {"n": result.n, **_present(values)}


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are not None, False or empty. Numbers stay, also 0."""
    empty: tuple[object, ...] = ("", (), [], {})
    return {
        name: value for name, value in values.items() if value is not None and value is not False and value not in empty
    }


def _passage_places(result: Result) -> dict[str, int]:
    """The place in the context of each passage, by its id."""
    passages = result.example.passages if result.example else ()
    return {passage.id: place for place, passage in enumerate(passages)}


def _revision(result: Result) -> dict[str, Any] | None:
    """The corrections of flagged claims, and every edit once with its claims. Claims are named by place.

    An offered edit is one that no applied correction holds. Edits of one `group` belong together. `final`: the text
    after further rounds.
    """
    if result.revision is None:
        return None
    places = {claim.id: place for place, claim in enumerate(result.claims)}
    revision = result.revision
    edits: dict[Edit, list[int]] = {}
    made: set[Edit] = set()
    together: dict[Edit, tuple[Edit, ...]] = {}
    for correction in revision.corrections:
        for edit in correction.edits if correction.is_made or correction.status is Status.SUGGESTED else ():
            edits.setdefault(edit, []).append(places[correction.claim_id])
            together.setdefault(edit, correction.edits)
            if correction.is_made:
                made.add(edit)
    groups = {group: number for number, group in enumerate(dict.fromkeys(together.values()))}
    inner = revision.result.revision if revision.result else None
    return _present(
        {
            "edits": [
                _present(
                    {
                        "start": edit.span.start,
                        "end": edit.span.end,
                        "new": edit.new,
                        "claims": claims,
                        "offered": edit not in made,
                        "group": groups[together[edit]],
                    }
                )
                for edit, claims in sorted(edits.items(), key=lambda item: item[0].span)
            ],
            "corrections": [
                _present(
                    {
                        "claim": places[item.claim_id],
                        "status": item.status,
                        "reason": item.reason,
                        "p_after": item.p_after,
                        "probability": item.probability,
                    }
                )
                for item in revision.corrections
            ],
            "final": revision.final_text if inner and revision.final_text != revision.text else None,
        }
    )


def _stated(result: Result, passages: Mapping[str, int]) -> dict[int, list[dict[str, Any]]]:
    """What the context states instead of a flagged claim, by the claim's place: sentences, with the refuting words.

    A claim whose passage is not in the context is only its text.
    """
    places = {claim.id: place for place, claim in enumerate(result.claims)}
    stated: dict[int, list[dict[str, Any]]] = {}
    for identity, claims in result.refutations.items():
        sentences: dict[tuple[object, ...], dict[str, Any]] = {}
        for claim in claims:
            if claim.text_id not in passages:
                sentences.setdefault((claim.text,), {"text": claim.text})
                continue
            passage = passages[claim.text_id]
            sentence = sentences.setdefault(
                (passage, claim.sentence), {"passage": passage, "sentence": claim.sentence, "spans": []}
            )
            sentence["spans"] += [span for slot in claim.slots for span in slot.spans if span not in sentence["spans"]]
        stated[places[identity]] = list(sentences.values())
    return stated


def passages_of(result: Result) -> list[dict[str, Any]]:
    """The passages of a response."""
    passages = result.example.passages if result.example else ()
    return [{"passage": passage.id, "text": passage.text, "source": passage.source or ""} for passage in passages]


def _claim(claim: Claim, judgement: Judgement | None, response: str, passages: Mapping[str, int]) -> dict[str, Any]:
    values: dict[str, Any] = {
        "id": claim.id,
        "kind": None if claim.kind is Kind.TRIPLET else claim.kind,
        "text": claim.text,
        "sentence": claim.sentence,
        "slots": [_slot(slot, response) for slot in claim.slots],
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
            "evidence": [_evidence(item, passages) for item in judgement.evidence],
        }
    return _present(values)


def _samples(counts: Compared | None, against: Sequence[str]) -> dict[str, Any]:
    """How many samples support a claim, contradict it, and were compared, its score, and what they say against it."""
    if counts is None or counts.support is None:
        return {}
    numbers = [counts.supported, counts.contradicted, counts.samples, counts.score]
    return _present({"samples": numbers, "said": list(dict.fromkeys(against))})


def _slot(slot: Slot, response: str) -> dict[str, Any]:
    """The text is left out where it is the words at the spans, joined by blanks."""
    text = None if slot.spans and slot.text == slot.verbatim(response) else slot.text
    return _present({"text": text, "spans": slot.spans, "resolved": slot.resolved, "inferred": slot.inferred})


def _evidence(evidence: Evidence, passages: Mapping[str, int]) -> dict[str, Any]:
    """`passage` is None for a passage that is not in the context."""
    return {
        "passage": passages.get(evidence.passage_id),
        "span": evidence.span,
        "scores": evidence.scores,
        "locations": [_location(place, item) for place, item in enumerate(evidence.locations)],
    }


def _location(place: int, location: Location) -> dict[str, Any]:
    """The part is left out where it is the slot's at this place."""
    own = place < len(PARTS) and location.part == PARTS[place]
    part = None if own else location.part
    return _present({"part": part, "match": location.match, "spans": location.spans, "missing": location.missing})
