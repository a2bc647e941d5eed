"""The seam that every extractor fits, and how its exceptions become errors of items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from graph_eval.types import Claim, ItemError, Text


class Extractor(Protocol):
    """`fingerprint` changes whenever the same text could give other claims."""

    @property
    def fingerprint(self) -> str: ...

    def extract(self, texts: Sequence[Text]) -> list[list[Claim] | ItemError]:
        """One entry a text, in order."""
        ...


def failed(problem: Exception) -> ItemError:
    return ItemError("extract", f"{type(problem).__name__}: {problem}")


def distinct(claims: list[Claim]) -> list[Claim]:
    """Claims in order, a second one with the same id dropped."""
    return list({claim.id: claim for claim in claims}.values())
