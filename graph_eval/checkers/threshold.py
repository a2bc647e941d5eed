"""Replaces the threshold of a checker, and resolves thresholds by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graph_eval.checkers.checker import Checker, ForeignChecker, ForeignScorer
from graph_eval.checkers.merge import labelled
from graph_eval.checkers.pairs import PairChecker
from graph_eval.errors import UsageError
from graph_eval.types import CheckTask, ItemError, Judgement

if TYPE_CHECKING:
    from graph_eval.checkers.hf.engine import Engine
    from graph_eval.llm.model import LLM


class RejudgingChecker(Checker, ABC):
    """Judges as `checker` does, and changes each judgement by `rejudged`."""

    def __init__(self, checker: Checker, threshold: float) -> None:
        self.checker = checker
        self._threshold = threshold
        self.reads = checker.reads
        self.thresholds = checker.thresholds
        self.doubtful, self.stages = checker.doubtful, checker.stages
        self.english_only = checker.english_only

    @property
    def models(self) -> tuple[LLM, ...]:
        return self.checker.models

    @property
    def engines(self) -> tuple[Engine, ...]:
        return self.checker.engines

    @property
    def threshold(self) -> float:
        return self._threshold

    @abstractmethod
    def rejudged(self, judgement: Judgement) -> Judgement: ...

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        return [
            output if isinstance(output, ItemError) else list(map(self.rejudged, output))
            for output in self.checker.check(tasks)
        ]


class ThresholdChecker(RejudgingChecker):
    """Judges as `checker` does, and flags by `threshold`."""

    @property
    def fingerprint(self) -> str:
        return self.checker.fingerprint

    def rejudged(self, judgement: Judgement) -> Judgement:
        return labelled(judgement, self._threshold)


def named_threshold(threshold: float | str, thresholds: Mapping[str, float]) -> float:
    """The threshold of that name. A number is returned as it is. Raises UsageError for an unknown name."""
    if not isinstance(threshold, str):
        return threshold
    if threshold not in thresholds:
        names = ", ".join(sorted(thresholds))
        hint = f"use one of {names}, or a number" if names else "use a probability between 0 and 1"
        raise UsageError(f"unknown threshold {threshold!r}", hint)
    return thresholds[threshold]


def as_checker(part: Any, threshold: float | str | None = None) -> Checker:
    """An object or a scorer of pairs as a checker, with that threshold. Raises UsageError for anything else."""
    if isinstance(part, Checker):
        checker: Checker = part
    elif hasattr(part, "score"):
        checker = PairChecker(ForeignScorer(part))
    elif hasattr(part, "check"):
        checker = ForeignChecker(part)
    else:
        raise UsageError(f"{part!r} is not a checker", "pass a name, an object with .check, or a scorer of pairs")
    if threshold is None:
        return checker
    number = named_threshold(threshold, checker.thresholds)
    return checker if number == checker.threshold else ThresholdChecker(checker, number)
