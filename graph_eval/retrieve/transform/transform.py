"""The base class of transforms, which turn a query into one or several others. A new transform needs only this file.

    from graph_eval.registry import transform
    from graph_eval.retrieve.transform.transform import Transform

    @transform("lower")                                   # its name: --transform lower
    class LowerTransform(Transform):
        fingerprint = "lower-1"

        def transform(self, subjects):
            return [[query._replace(text=query.text.lower()) for query in subject.queries] for subject in subjects]

Transforms are chained: each one receives the queries of the one before. The passages of all queries are fused by
`fuse.reciprocal_rank_fusion`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graph_eval.part import Part
from graph_eval.retrieve.retriever import Query
from graph_eval.types import Claim, ItemError


@dataclass(frozen=True)
class Subject:
    """What is asked for: a claim of a response, or a response as a whole (`claim` is None).

    `queries`: those so far. `question`: what the response answers. `history`: the turns of the conversation before the
    question, each a role and a text. `fields`: of the corpus, with some of their values. `failed`: queries of earlier
    hops after which the claim was still Neutral.
    """

    queries: tuple[Query, ...]
    response: str = ""
    question: str | None = None
    claim: Claim | None = None
    history: tuple[tuple[str, str], ...] = ()
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    failed: tuple[str, ...] = ()


class Transform(Part):
    """Turns queries into others. Safe to use from several threads.

    `needs_fields`: it needs a corpus whose passages have fields.
    """

    needs_fields = False

    @abstractmethod
    def transform(self, subjects: Sequence[Subject]) -> Sequence[Sequence[Query] | ItemError]:
        """For each subject, in order, its new queries (one at least), or the error that prevented them."""
