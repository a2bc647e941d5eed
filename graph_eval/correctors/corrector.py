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

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from graph_eval.errors import UsageError
from graph_eval.fingerprints import fingerprint_of
from graph_eval.settings import Settings
from graph_eval.types import CorrectTask, ItemError, Proposal

if TYPE_CHECKING:
    from graph_eval.llm.model import LLM


class Corrector(ABC):
    """Base class. `fingerprint` changes whenever the same claim could get other proposals.

    `anywhere`: whether it may change any word, not only those of the flagged claim. `reads`: the settings that it
    reads, by name. `propose` may be called from several threads. If it raises, only the claim that caused the exception
    fails.
    """

    anywhere: bool = False
    reads: tuple[str, ...] = ()

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> Self:  # noqa: ARG003
        """The corrector for NAME:ARGUMENT. Raises UsageError for an invalid argument."""
        return cls()

    @property
    def models(self) -> tuple[LLM, ...]:
        """The language models that it calls."""
        return ()

    @property
    @abstractmethod
    def fingerprint(self) -> str: ...

    @abstractmethod
    def propose(self, tasks: Sequence[CorrectTask]) -> Sequence[list[Proposal] | ItemError]:
        """One entry for each task, in order: its proposals, best first, or an error.

        A claim with an empty list stays flagged.
        """


class ForeignCorrector(Corrector):
    """Wraps an object that has `propose`, and optionally `fingerprint`, `anywhere`, `reads` and `models`."""

    def __init__(self, part: Any) -> None:
        self.part = part
        self._lock = threading.Lock()  # a user's object need not be safe to use from several threads
        self.anywhere = bool(getattr(part, "anywhere", False))
        self.reads = tuple(getattr(part, "reads", ()))
        self._fingerprint = fingerprint_of(part)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.part,), {"_fingerprint": self._fingerprint}

    @property
    def models(self) -> tuple[LLM, ...]:
        return tuple(getattr(self.part, "models", ()))

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def propose(self, tasks: Sequence[CorrectTask]) -> Sequence[list[Proposal] | ItemError]:
        with self._lock:
            proposals: Sequence[list[Proposal] | ItemError] = self.part.propose(tasks)
            return proposals


def as_corrector(part: Any) -> Corrector:
    """The object as a corrector. Raises UsageError for one without `propose`."""
    if isinstance(part, Corrector):
        return part
    if hasattr(part, "propose"):
        return ForeignCorrector(part)
    raise UsageError(f"{part!r} is not a corrector", "pass a name, or an object with .propose")
