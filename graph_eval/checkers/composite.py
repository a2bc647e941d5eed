"""The base class of checkers that consist of several others."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graph_eval.checkers.checker import Checker
from graph_eval.checkers.threshold import as_checker
from graph_eval.errors import UsageError
from graph_eval.registry import create
from graph_eval.settings import Settings

if TYPE_CHECKING:
    from graph_eval.checkers.hf.engine import Engine
    from graph_eval.llm.model import LLM

EVEN = 0.5


class CompositeChecker(Checker, ABC):
    """`checkers`: its members. Their probabilities are rescaled so that the threshold of each becomes 0.5.

    `own`: the names of the settings that it reads beside those of its members. Raises UsageError for fewer than two
    members.
    """

    threshold = EVEN

    def __init__(self, checkers: Sequence[Checker], own: Sequence[str]) -> None:
        if len(checkers) < 2:
            name, example = type(self).declaration.name, type(self).declaration.example  # type: ignore[attr-defined]
            raise UsageError(f"checker {name!r} needs at least 2 checkers", f"write {example}")
        self.checkers = tuple(map(as_checker, checkers))
        self.english_only = any(member.english_only for member in self.checkers)
        self.reads = (*own, *(name for member in self.checkers for name in member.reads))

    @property
    def models(self) -> tuple[LLM, ...]:
        return tuple(model for member in self.checkers for model in member.models)

    @property
    def engines(self) -> tuple[Engine, ...]:
        return tuple(engine for member in self.checkers for engine in member.engines)


def members(argument: str | None, separator: str, settings: Settings) -> list[Any]:
    """The checkers that the argument names. A threshold is that of the whole."""
    member_settings = replace(settings, threshold=None)
    specs = [spec.strip() for spec in (argument or "").split(separator)]
    if not all(specs):
        raise UsageError(f"a checker is missing in {argument!r}", f"write a checker on each side of {separator!r}")
    return [create("checker", spec, member_settings) for spec in specs]


def centred(p: float, threshold: float) -> float:
    """The probability, rescaled piecewise linearly so that the threshold becomes 0.5."""
    if p <= threshold:
        return EVEN * p / threshold if threshold > 0 else 0.0
    return EVEN + EVEN * (p - threshold) / (1 - threshold)
