"""What self-checking found of a response, read from the field `consistency` of its result, for the graph.

A claim of the response is SUPPORTED_BY or REFUTED_BY claims of its samples. `consistency/stages.py` writes the field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from graph_eval.types import CONSISTENCY, Claim, Example, Relation, Result, Slot, Span, Text


class Compared(NamedTuple):
    """The consistency of a claim: its score (None: not judged), and how many samples support and contradict it."""

    claim_id: str
    score: float | None
    flagged: bool
    supported: int
    contradicted: int
    samples: int
    error: str | None

    @property
    def support(self) -> float | None:
        """The share of samples that support the claim. None if it could be compared with none of them."""
        return self.supported / self.samples if self.samples else None


class Scored(NamedTuple):
    """The consistency of a response over `samples` samples. `flagged`: the spans of its flagged sentences."""

    score: float | None
    samples: int
    flagged: list[list[int]]


class Said(NamedTuple):
    """What a sample says on a claim. `sample`: the place of the sample in its record. `claim` is the sample's."""

    claim_id: str
    relation: Relation
    sample: int
    claim: Claim


def scored(result: Result) -> Scored | None:
    """The consistency of the response, None if it was not compared with samples."""
    value = _value(result)
    if value is None:
        return None
    flagged = [list(item["span"]) for item in value["sentences"] if item["flagged"]]
    return Scored(value["score"], value["samples"], flagged)


def compared(result: Result) -> list[Compared]:
    """The claims that were compared with samples."""
    return [
        Compared(
            item["id"],
            item["score"],
            item["flagged"],
            item["supported"],
            item["contradicted"],
            item["samples"],
            item.get("error"),
        )
        for item in _claims(result)
    ]


def said(result: Result, example: Example) -> Iterator[Said]:
    """What the samples say on the claims, in order."""
    samples = Text.of_samples(example)
    for item in _claims(result):
        for link in item["links"]:
            claim = _claim(link, samples[link["sample"]].id)
            yield Said(item["id"], Relation(link["relation"]), link["sample"], claim)


def _value(result: Result) -> Mapping[str, Any] | None:
    """None for a response without the field, and for a field of that name of another stage."""
    value = result.fields.get(CONSISTENCY)
    return value if isinstance(value, Mapping) and "method" in value else None


def _claims(result: Result) -> list[Mapping[str, Any]]:
    known = {claim.id for claim in result.claims}
    return [item for item in (_value(result) or {}).get("claims", ()) if item["id"] in known]


def _claim(link: Mapping[str, Any], text_id: str) -> Claim:
    sentence = Span(*link["sentence"])
    slots = [
        Slot(slot["text"], tuple(Span(*span) for span in slot["spans"]), slot["resolved"], slot["inferred"])
        for slot in link["slots"]
    ]
    if len(slots) != 3:
        return Claim.whole(text_id, link["text"], sentence)
    return Claim.triplet(text_id, (slots[0], slots[1], slots[2]), link["text"], sentence)
