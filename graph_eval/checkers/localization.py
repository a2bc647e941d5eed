"""Where the words of a claim stand in the passage that it is judged against, and which of them it lacks.

RefChecker links the elements of a triplet to spans by embeddings (arXiv 2405.14486, section 3); `text.locate` needs
no model, and says which words were not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_eval.text.locate import locate
from graph_eval.types import Claim, Judgement, Location, Passage, Slot, Span

PARTS = ("subject", "predicate", "object")


def localized(judgement: Judgement, claim: Claim, passages: Sequence[Passage]) -> Judgement:
    """The judgement, its evidence with the places of the claim's words."""
    by_id = {passage.id: passage for passage in passages}
    evidence = tuple(
        replace(item, locations=locations(claim, by_id[item.passage_id], item.span))
        if item.passage_id in by_id
        else item
        for item in judgement.evidence
    )
    return replace(judgement, evidence=evidence)


def locations(claim: Claim, passage: Passage, window: Span) -> tuple[Location, ...]:
    """One location a slot, in the slots' order; a sentence claim has one for its whole text.

    Words are preferred inside `window`, else where they stand nearest to it.
    """
    if not claim.slots:
        return (locate("sentence", claim.text, (claim.text,), passage.text, window),)
    return tuple(
        locate(part, slot.text, _pieces(slot), passage.text, window)
        for part, slot in zip(PARTS, claim.slots, strict=True)
    )


def _pieces(slot: Slot) -> tuple[str, ...]:
    """A slot of several spans ("won ... in") holds their words in order; other slots are looked up whole."""
    if len(slot.spans) < 2 or slot.resolved or slot.inferred:
        return (slot.text,)
    rest, pieces = slot.text, []
    for span in slot.spans:
        length = span.end - span.start
        pieces.append(rest[:length])
        rest = rest[length + 1 :]
    return tuple(pieces)
