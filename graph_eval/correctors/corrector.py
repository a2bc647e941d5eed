"""The base class of correctors, which propose corrections of flagged claims. A new corrector needs only this file.

    from graph_eval.correctors.corrector import Corrector
    from graph_eval.registry import corrector
    from graph_eval.types import Unsupported

    @corrector("none")                                    # its name: graph-eval correct --corrector none
    class NoCorrector(Corrector):
        fingerprint = "none-1"                            # change it whenever a claim could get other proposals

        def propose(self, tasks):
            return [[Unsupported()] for _ in tasks]

A proposal is a `SlotProposal`, a `TextProposal`, an `EditProposal` or `Unsupported` (graph_eval.types). A corrector
never changes a text: `correctors.splice` turns a proposal into edits, and `correctors.accept` keeps those that help.

A class in this folder is found by its decorator. Another package names its class as an entry point of the group
`graph_eval.correctors`. In Python any object with `propose` is a corrector too (`as_corrector`). Test a corrector with
`graph_eval.testing.correctors.CorrectorContract`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graph_eval.errors import UsageError
from graph_eval.foreign import ForeignPart
from graph_eval.part import Part
from graph_eval.types import CorrectTask, ItemError, Proposal

if TYPE_CHECKING:
    pass


class Corrector(Part):
    """Base class. `fingerprint` changes whenever the same claim could get other proposals.

    `anywhere`: whether it may change any word, not only those of the flagged claim. `min_probability`: the probability
    from which its edits are applied, where it gives one; others are suggestions. `reads`: the settings that it
    reads, by name. `propose` may be called from several threads. If it raises, only the claim that caused the exception
    fails.
    """

    anywhere: bool = False
    min_probability: float = 0.0

    @abstractmethod
    def propose(self, tasks: Sequence[CorrectTask]) -> Sequence[list[Proposal] | ItemError]:
        """One entry for each task, in order: its proposals, best first, or an error.

        A claim with an empty list stays flagged.
        """

    def faults(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """Why each edited sentence reads worse than the original, or None. Pairs: (original, edited).

        Asked about sentences that several edits change, since each edit is proposed alone.
        """
        return [None] * len(pairs)


class ForeignCorrector(ForeignPart, Corrector):
    """An object of any class with `propose`. Its `fingerprint`, `anywhere`, `min_probability`, `reads` and
    `models` are optional."""

    @property
    def anywhere(self) -> bool:  # type: ignore[override]
        return bool(getattr(self.part, "anywhere", False))

    @property
    def min_probability(self) -> float:  # type: ignore[override]
        return float(getattr(self.part, "min_probability", 0.0))

    def propose(self, tasks: Sequence[CorrectTask]) -> Sequence[list[Proposal] | ItemError]:
        proposals: Sequence[list[Proposal] | ItemError] = self._call(self.part.propose, tasks)
        return proposals


def as_corrector(part: Any) -> Corrector:
    """The object as a corrector. Raises UsageError for one without `propose`."""
    if isinstance(part, Corrector):
        return part
    if hasattr(part, "propose"):
        return ForeignCorrector(part)
    raise UsageError(f"{part!r} is not a corrector", "pass a name, or an object with .propose")
