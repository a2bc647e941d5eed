"""The seam of correctors: they propose, and never touch a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from graph_eval.types import CorrectTask, ItemError, Proposal


class Corrector(Protocol):
    """`fingerprint` changes whenever the same claim could get other proposals.

    A corrector that may change any word, not only the flagged claim's, has `anywhere = True`.
    """

    @property
    def fingerprint(self) -> str: ...

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        """Proposals a task, best first; an empty list where the corrector does not dare."""
        ...


def failed(problem: Exception) -> ItemError:
    return ItemError("correct", f"{type(problem).__name__}: {problem}")
