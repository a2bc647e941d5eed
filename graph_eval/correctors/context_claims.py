"""What the context states in place of a wrong claim: its deciding windows as claims of their own.

The same extractor takes the windows apart. A claim of the response that the context contradicts is linked to the
claims of its window that speak of the same, as refuted by them; a corrected claim to those that support it. So a
correction leads from edge to edge.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from graph_eval.checkers.windows import terms
from graph_eval.correctors.splice import moved
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

ALIKE = 0.34  # share of the terms of either claim that the other one has to have
MOST = 2  # links of one claim
Window = tuple[str, Span]  # a passage's id, and a part of it
Wanted = dict[str, Relation | None]  # by claim; None: the context does not say otherwise


def with_context_claims(results: Sequence[Result], extractor: Extractor) -> list[Result]:
    """The results with what the context states where they have flagged claims, and their revisions with what it states
    where they were corrected. What the extractor cannot take apart states nothing."""
    return _with(results, [frozenset()] * len(results), extractor)


def _with(results: Sequence[Result], corrected: Sequence[Collection[str]], extractor: Extractor) -> list[Result]:
    """`corrected`: of each result, the claims that hold new words."""
    wanted = [_wanted(result, claims) for result, claims in zip(results, corrected, strict=True)]
    passages = {passage.id: passage for result in results if result.example for passage in result.example.passages}
    windows = dict.fromkeys(
        window
        for result, own in zip(results, wanted, strict=True)
        for finding in result.findings
        if finding.claim.id in own
        for window in _windows(finding)
        if window[0] in passages
    )
    apart = _apart(list(windows), passages, extractor)
    found = [_linked(result, own, apart) for result, own in zip(results, wanted, strict=True)]
    revised = [
        (place, result.revision, result.revision.result)
        for place, result in enumerate(found)
        if result.revision is not None and result.revision.result is not None
    ]
    if revised:
        new = [_corrected(revision, after) for _, revision, after in revised]
        inner = _with([after for _, _, after in revised], new, extractor)
        for (place, revision, _), after in zip(revised, inner, strict=True):
            found[place] = replace(found[place], revision=replace(revision, result=after))
    return found


def _wanted(result: Result, corrected: Collection[str]) -> Wanted:
    """Flagged claims are refuted where the context contradicts them, or where its words took the place of theirs."""
    corrections = result.revision.corrections if result.revision else ()
    replaced = {item.claim_id for item in corrections if item.status is Status.APPLIED}
    found: Wanted = {}
    for finding in result.findings:
        claim, judgement = finding.claim, finding.judgement
        if judgement.flagged:
            refuted = judgement.label is Label.CONTRADICTION or claim.id in replaced
            found[claim.id] = Relation.REFUTED_BY if refuted else None
        elif claim.id in corrected:
            found[claim.id] = Relation.SUPPORTED_BY
    return found


def _windows(finding: Finding) -> list[Window]:
    """The best window, and those of other passages that contradict."""
    first, *others = finding.judgement.evidence or (None,)
    chosen = [] if first is None else [first]
    chosen += [item for item in others if item is not None and item.scores.contradiction > item.scores.entailment]
    return [(item.passage_id, item.span) for item in chosen if item.span.start < item.span.end]


def _apart(
    windows: Sequence[Window], passages: Mapping[str, Passage], extractor: Extractor
) -> dict[Window, list[Claim]]:
    texts = [Text(key, span.of(passages[key].text), origin=Origin.PASSAGE) for key, span in windows]
    extracted = isolated("extract", texts, extractor.extract)
    return {
        window: [] if isinstance(claims, ItemError) else [moved_on(claim, window[1].start) for claim in claims]
        for window, claims in zip(windows, extracted, strict=True)
    }


def moved_on(claim: Claim, by: int) -> Claim:
    """The claim of a part of a text as one of the whole text, in which the part stands `by` characters on."""

    def on(span: Span) -> Span:
        return Span(span.start + by, span.end + by)

    if claim.subject is None or claim.predicate is None or claim.object is None:
        return Claim.whole(claim.text_id, claim.text, on(claim.sentence))
    subject, predicate, thing = (
        Slot(slot.text, tuple(map(on, slot.spans)), slot.resolved, slot.inferred)
        for slot in (claim.subject, claim.predicate, claim.object)
    )
    slots = (subject, predicate, thing)
    return Claim.triplet(claim.text_id, slots, claim.text, on(claim.sentence), claim.confidence)


def _linked(result: Result, wanted: Wanted, apart: Mapping[Window, list[Claim]]) -> Result:
    stated: list[Claim] = []
    links: list[Link] = []
    for finding in result.findings:
        if finding.claim.id not in wanted:
            continue
        own = [claim for window in _windows(finding) for claim in apart.get(window, ())]
        stated += own
        relation = wanted[finding.claim.id]
        if relation is not None:
            others = nearest(finding.claim, own, more=relation is Relation.REFUTED_BY)
            links += [Link(finding.claim.id, relation, other.id) for other in others]
    return replace(result, context_claims=tuple(distinct(stated)), links=tuple(dict.fromkeys(links)))


def nearest(claim: Claim, others: Sequence[Claim], more: bool = False) -> list[Claim]:
    """Those that speak of what the claim speaks of, most alike first; triplets before sentences.

    `more`: only those that say something which the claim does not.
    """
    wanted = terms(claim.text)
    ranked = []
    for place, other in enumerate(distinct(list(others))):
        own = terms(other.text)
        share = len(wanted & own) / max(1, min(len(wanted), len(own)))
        if share >= ALIKE and not (more and own <= wanted):
            ranked.append((other.kind is Kind.SENTENCE, -share, place, other))
    return [other for *_, other in sorted(ranked, key=lambda item: item[:3])][:MOST]


def _corrected(revision: Revision, after: Result) -> set[str]:
    """The claims of the revised text that hold new words."""
    edits = {edit for item in revision.corrections if item.status is Status.APPLIED for edit in item.edits}
    new = [span for span in moved(edits) if span.start < span.end]
    return {claim.id for claim in after.claims if any(span.overlaps(own) for span in new for own in claim.spans)}
