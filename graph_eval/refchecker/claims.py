"""Claims and extractions as RefChecker has them (refchecker/base.py of 0.2.17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from graph_eval.errors import UsageError
from graph_eval.extractors.wording import as_sentence
from graph_eval.text.normalise import readable
from graph_eval.types import Claim, ItemError, Kind, Slot, Span

ClaimLike = Any  # a triplet, a text, or an RCClaim


@dataclass(slots=True)
class RCClaim:
    """`format`: triplet or subsentence. `content`: three texts, or one. `attributed_sent_ids`: the numbers of the
    response's sentences that the claim was taken from, "1" and up."""

    format: str
    content: str | list[str]
    attributed_sent_ids: list[str] | None = None

    def get_content(self, preserve_triplet_form: bool = False) -> str:
        if self.format == "triplet" and preserve_triplet_form:
            return "({})".format(", ".join(f'"{part}"' for part in self.content))
        return text_of(self.content)

    def to_dict(self) -> dict[str, Any]:
        return {"format": self.format, "content": self.content, "attributed_sent_ids": self.attributed_sent_ids}

    @classmethod
    def from_dict(cls, claim_dict: dict[str, Any]) -> RCClaim:
        return cls(claim_dict["format"], claim_dict["content"], claim_dict["attributed_sent_ids"])


@dataclass(slots=True)
class ExtractionResult:
    """The claims of one response, or the error of its extraction."""

    claims: list[RCClaim] = field(default_factory=list)
    response: str | None = None
    extractor_response: str | None = None
    error: ItemError | None = None


def content_of(claim: ClaimLike) -> str | list[str]:
    """Three texts or one. Raises UsageError for anything else."""
    content = claim.content if isinstance(claim, RCClaim) else claim
    if isinstance(content, str):
        return content
    if isinstance(content, list | tuple) and len(content) == 3 and all(isinstance(part, str) for part in content):
        return list(content)
    raise UsageError(f"invalid claim {str(content)[:80]!r}", "pass a text, or three texts: subject, predicate, object")


def text_of(claim: ClaimLike) -> str:
    """The claim as RefChecker's models read it: the parts of a triplet joined by blanks."""
    content = content_of(claim)
    return content if isinstance(content, str) else " ".join(content)


def as_claim(claim: ClaimLike, text_id: str) -> Claim:
    """The claim as a `Claim`, whose words have no place in a response."""
    content = content_of(claim)
    sentence = Span(0, len(text_of(claim)))
    if isinstance(content, str):
        return Claim.whole(text_id, readable(content), sentence)
    slots = [Slot(part, inferred=True) for part in content]
    return Claim.triplet(text_id, (slots[0], slots[1], slots[2]), as_sentence(text_of(content)), sentence)


def from_claim(claim: Claim, sentences: Sequence[Span]) -> RCClaim:
    """The claim as an RCClaim. `sentences`: those of the response."""
    if claim.kind is Kind.TRIPLET:
        return RCClaim("triplet", [slot.text for slot in claim.slots])
    numbers = [str(number) for number, span in enumerate(sentences, 1) if span.overlaps(claim.sentence)]
    return RCClaim("subsentence", claim.text, numbers)
