"""Locates the words of a claim in the passages of its evidence, and lists the words that a passage does not contain.

RefChecker links the elements of a triplet to spans by embeddings (arXiv 2405.14486, section 3). `text.locate` needs
no model, and returns the missing words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_eval.text.locate import locate
from graph_eval.types import PARTS, Claim, Judgement, Location, Passage, Slot, Span


def localized(judgement: Judgement, claim: Claim, passages: Sequence[Passage]) -> Judgement:
    """The judgement, with the places of the claim's words in its evidence. A claim that is not flagged has no
    unsupported words."""
    by_id = {passage.id: passage for passage in passages}
    evidence = tuple(
        replace(entry, locations=locations(claim, by_id[entry.passage_id], entry.span))
        if entry.passage_id in by_id
        else entry
        for entry in judgement.evidence
    )
    return replace(judgement, evidence=evidence, unsupported=judgement.unsupported if judgement.flagged else ())


def locations(claim: Claim, passage: Passage, window: Span) -> tuple[Location, ...]:
    """One location for each slot, in order. A sentence claim has one for its whole text.

    Words inside `window` are preferred, then those nearest to it.
    """
    if not claim.slots:
        return (locate("sentence", claim.text, (claim.text,), passage.text, window),)
    return tuple(
        locate(part, slot.text, _pieces(slot), passage.text, window)
        for part, slot in zip(PARTS, claim.slots, strict=True)
    )


def _pieces(slot: Slot) -> tuple[str, ...]:
    """A slot of several spans ("won ... in") is looked up span by span, other slots whole."""
    if len(slot.spans) < 2 or slot.resolved or slot.inferred:
        return (slot.text,)
    rest, pieces = slot.text, []
    for span in slot.spans:
        length = span.end - span.start
        pieces.append(rest[:length])
        rest = rest[length + 1 :]
    return tuple(pieces)
