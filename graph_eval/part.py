"""What extractors, checkers, correctors and methods have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Self

from graph_eval.settings import Settings

if TYPE_CHECKING:
    from graph_eval.llm.model import LLM


class Part(ABC):
    """Base class of what a name such as NAME:ARGUMENT creates. `reads`: the names of the settings that it reads."""

    reads: tuple[str, ...] = ()

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> Self:  # noqa: ARG003
        """The part for NAME:ARGUMENT. Raises UsageError for an invalid argument."""
        return cls()

    @property
    def models(self) -> tuple[LLM, ...]:
        """The language models that it calls."""
        return ()

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A text that changes whenever the same input could give another output."""
