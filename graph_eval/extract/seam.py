"""The seam that every extractor fits, and the border where an exception becomes an item's error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from graph_eval.types import Claim, ItemError, Text


class Extractor(Protocol):
    """`fingerprint` changes whenever the same text could give other claims."""

    @property
    def fingerprint(self) -> str: ...

    def extract(self, texts: Sequence[Text]) -> list[list[Claim] | ItemError]:
        """One entry a text, in order."""
        ...


def each(texts: Sequence[Text], one: Callable[[Text], list[Claim]]) -> list[list[Claim] | ItemError]:
    """`one` over all texts; where it raises, that text alone gets an error."""
    found: list[list[Claim] | ItemError] = []
    for text in texts:
        try:
            found.append(one(text))
        except Exception as problem:  # one bad item never stops the others
            found.append(failed(problem))
    return found


def failed(problem: Exception) -> ItemError:
    return ItemError("extract", f"{type(problem).__name__}: {problem}")


def distinct(claims: list[Claim]) -> list[Claim]:
    """Claims in order, a second one with the same id dropped."""
    return list({claim.id: claim for claim in claims}.values())
