"""What was searched for and found for a response without a context, read from the field `grounding` of its result.

`retrieve/stage.py` writes the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from graph_eval.types import GROUNDING, Result


class Search(NamedTuple):
    """One search for a claim, or for the whole response (`claim_id` is None).

    `hop`: from 1; a further one asks in other words. `queries`: their texts, with their conditions. `passages`: ids,
    the best first. `label`: of the claim after the search, None if it was not judged then. `error`: why it failed; None
    otherwise.
    """

    claim_id: str | None
    hop: int
    queries: tuple[str, ...]
    passages: tuple[str, ...]
    label: str | None
    error: str | None

    @property
    def row(self) -> dict[str, Any]:
        """What a page shows of it. `found`: the number of passages. A label and an error only if there is one."""
        row: dict[str, Any] = {"hop": self.hop, "queries": list(self.queries), "found": len(self.passages)}
        row |= {} if self.label is None else {"label": self.label}
        return row | ({} if self.error is None else {"error": self.error})


def searches(result: Result) -> list[Search]:
    """The searches for a response and its claims, hop by hop. [] if its context was given."""
    value = result.fields.get(GROUNDING)
    if not isinstance(value, Mapping) or "searches" not in value:  # a field of that name of another stage
        return []
    known = {None, *(claim.id for claim in result.claims)}
    return [
        Search(
            item["claim"],
            item["hop"],
            tuple(map(_shown, item["queries"])),
            tuple(item["passages"]),
            item["label"],
            item.get("error"),
        )
        for item in value["searches"]
        if item["claim"] in known
    ]


def _shown(query: Mapping[str, Any]) -> str:
    """The text of a query, and the values that fields of the corpus must have: "towers (year: 1889)"."""
    conditions = ", ".join(f"{name}: {value}" for name, value in query.get("where", {}).items())
    return f"{query['text']} ({conditions})" if conditions else query["text"]


def without_passage(result: Result) -> str:
    """Why a claim of the result was judged against no passage, for a reader."""
    return "no passage was found" if GROUNDING in result.fields else "no context was given"


def by_claim(result: Result) -> dict[str | None, list[Search]]:
    """The searches of each claim, by its id, and those of the response, by None."""
    found: dict[str | None, list[Search]] = {}
    for search in searches(result):
        found.setdefault(search.claim_id, []).append(search)
    return found
