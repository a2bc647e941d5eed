"""Extracts claims from the evidence that decided the verdicts on flagged claims, and links them.

The extractor of the response extracts the context claims from this evidence too. A claim of the response that the
context contradicts is linked to the context claims about the same thing, as refuted by them. A corrected claim is
linked to those that support it. So the graph connects a claim, its correction and the context.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from graph_eval.checkers.windows import terms, with_lead
from graph_eval.correctors.splice import new_spans
from graph_eval.extractors.extractor import Extractor, distinct
from graph_eval.isolation import isolated
from graph_eval.types import (
    Claim,
    Finding,
    ItemError,
    Kind,
    Label,
    Link,
    Origin,
    Passage,
    Relation,
    Result,
    Revision,
    Slot,
    Span,
    Status,
    Text,
)

MIN_SHARED_TERMS = 0.34  # share of the terms of the shorter claim that the other one must have
MAX_LINKS = 2  # of one claim
Window = tuple[str, Span]  # a passage's id, and a part of the passage
Relations = dict[str, Relation | None]  # by claim id; None: the context does not contradict the claim


def with_context_claims(results: Sequence[Result], extractor: Extractor) -> list[Result]:
    """The results with context claims for their flagged claims, and their revisions with context claims for the
    corrected ones. A window whose extraction fails has no claims."""
    return _with_context_claims(results, [frozenset()] * len(results), extractor)


def _with_context_claims(
    results: Sequence[Result], corrected: Sequence[Collection[str]], extractor: Extractor
) -> list[Result]:
    """`corrected`: for each result, the ids of the claims with new words."""
    relations = [_relations(result, claim_ids) for result, claim_ids in zip(results, corrected, strict=True)]
    passages = {passage.id: passage for result in results if result.example for passage in result.example.passages}
    windows = dict.fromkeys(
        window
        for result, by_claim in zip(results, relations, strict=True)
        for finding in result.findings
        if finding.claim.id in by_claim
        for window in _windows(finding)
        if window[0] in passages
    )
    window_claims = _extract(list(windows), passages, extractor)
    linked = [_linked(result, by_claim, window_claims) for result, by_claim in zip(results, relations, strict=True)]
    revised = [
        (place, result.revision, result.revision.result)
        for place, result in enumerate(linked)
        if result.revision is not None and result.revision.result is not None
    ]
    if revised:
        edited = [_edited_claims(revision, after) for _, revision, after in revised]
        inner = _with_context_claims([after for _, _, after in revised], edited, extractor)
        for (place, revision, _), after in zip(revised, inner, strict=True):
            linked[place] = replace(linked[place], revision=replace(revision, result=after))
    return linked


def _relations(result: Result, corrected: Collection[str]) -> Relations:
    """The relation to the context of each claim that needs context claims.

    A flagged claim is refuted if the context contradicts it, or if words of the context replaced its words. A corrected
    claim is supported.
    """
    corrections = result.revision.corrections if result.revision else ()
    replaced = {correction.claim_id for correction in corrections if correction.status is Status.APPLIED}
    relations: Relations = {}
    for finding in result.findings:
        claim, judgement = finding.claim, finding.judgement
        if judgement.flagged:
            refuted = judgement.label is Label.CONTRADICTION or claim.id in replaced
            relations[claim.id] = Relation.REFUTED_BY if refuted else None
        elif claim.id in corrected:
            relations[claim.id] = Relation.SUPPORTED_BY
    return relations


def _windows(finding: Finding) -> list[Window]:
    """The first evidence, and the evidence of other passages that contradicts the claim."""
    best, others = finding.judgement.evidence[:1], finding.judgement.evidence[1:]
    contradicting = [part for part in others if part.scores.contradiction > part.scores.entailment]
    return [(part.passage_id, part.span) for part in (*best, *contradicting) if part.span.start < part.span.end]


def _extract(
    windows: Sequence[Window], passages: Mapping[str, Passage], extractor: Extractor
) -> dict[Window, list[Claim]]:
    """The claims of each window, in offsets of its passage. The sentence in front of it is read and has none."""
    read = [with_lead(passages[key], span) for key, span in windows]
    texts = [
        Text(key, led.of(passages[key].text), origin=Origin.PASSAGE, focus=(span.moved(-led.start),))
        for (key, span), led in zip(windows, read, strict=True)
    ]
    extracted = isolated("extract", texts, extractor.extract)
    return {
        window: [] if isinstance(claims, ItemError) else [shifted(claim, led.start) for claim in claims]
        for window, led, claims in zip(windows, read, extracted, strict=True)
    }


def shifted(claim: Claim, offset: int) -> Claim:
    """The claim of a part of a text as a claim of the whole text. `offset`: where the part starts in the text."""
    if claim.subject is None or claim.predicate is None or claim.object is None:
        return Claim.whole(claim.text_id, claim.text, claim.sentence.moved(offset))
    subject, predicate, thing = (
        Slot(slot.text, tuple(span.moved(offset) for span in slot.spans), slot.resolved, slot.inferred)
        for slot in (claim.subject, claim.predicate, claim.object)
    )
    slots = (subject, predicate, thing)
    return Claim.triplet(claim.text_id, slots, claim.text, claim.sentence.moved(offset), claim.confidence)


def _linked(result: Result, relations: Relations, window_claims: Mapping[Window, list[Claim]]) -> Result:
    context_claims: list[Claim] = []
    links: list[Link] = []
    for finding in result.findings:
        if finding.claim.id not in relations:
            continue
        candidates = [claim for window in _windows(finding) for claim in window_claims.get(window, ())]
        context_claims += candidates
        relation = relations[finding.claim.id]
        if relation is not None:
            others = nearest(finding.claim, candidates, differing=relation is Relation.REFUTED_BY)
            links += [Link(finding.claim.id, relation, other.id) for other in others]
    return replace(result, context_claims=tuple(distinct(context_claims)), links=tuple(dict.fromkeys(links)))


def nearest(claim: Claim, others: Sequence[Claim], differing: bool = False) -> list[Claim]:
    """At most MAX_LINKS claims about the same thing, triplets before sentences, then the most similar first.

    `differing`: only claims with a term that the given claim does not have.
    """
    claim_terms = terms(claim.text)
    ranked = []
    for place, other in enumerate(distinct(list(others))):
        other_terms = terms(other.text)
        share = len(claim_terms & other_terms) / max(1, min(len(claim_terms), len(other_terms)))
        if share >= MIN_SHARED_TERMS and not (differing and other_terms <= claim_terms):
            ranked.append((other.kind is Kind.SENTENCE, -share, place, other))
    return [other for *_, other in sorted(ranked, key=lambda entry: entry[:3])][:MAX_LINKS]


def _edited_claims(revision: Revision, after: Result) -> set[str]:
    """The ids of the claims of the revised text with new words."""
    applied = (correction for correction in revision.corrections if correction.status is Status.APPLIED)
    edits = {edit for correction in applied for edit in correction.edits}
    inserted = [span for span in new_spans(edits) if span.start < span.end]
    return {claim.id for claim in after.claims if any(span.overlaps(own) for span in inserted for own in claim.spans)}
