"""The base class of checkers, which judge claims against passages. A new checker needs only this file.

`checkers.pairs.PairChecker` makes a checker from a scorer of (premise, hypothesis) pairs, and so does every function of
this package that takes a checker. A checker of whole tasks is a class like this:

    from graph_eval.checkers.checker import Checker
    from graph_eval.registry import checker

    @checker("exact")                                     # its name: graph-eval check --checker exact
    class ExactChecker(Checker):
        fingerprint = "exact-1"                           # change it whenever the same claim could be judged otherwise
        threshold = 0.5                                   # a claim is flagged where p_inconsistent lies above it

        def check(self, tasks):
            return [[self._judge(claim, task.passages) for claim in task.claims] for task in tasks]

        def _judge(self, claim, passages):
            if any(claim.text in passage.text for passage in passages):
                return Judgement(claim.id, Label.ENTAILMENT, 0.0, flagged=False)
            return Judgement(claim.id, Label.NEUTRAL, 1.0, flagged=True)

A file in this folder is found by its decorator; another package names its class as an entry point of the group
`graph_eval.checkers`. In Python an object with `fingerprint`, `threshold` and `check` is a checker too.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graph_eval.foreign import ForeignPart
from graph_eval.part import Part
from graph_eval.types import CheckTask, ItemError, Judgement

if TYPE_CHECKING:
    from graph_eval.checkers.hf.engine import Engine


class PairScorer(Protocol):
    """An NLI model. A score does not depend on the other pairs of the call."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def max_tokens(self) -> int:
        """The maximum number of tokens of premise and hypothesis together."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.floating[Any]]:
        """(premise, hypothesis) pairs -> array (n, 3): P(entailment), P(neutral), P(contradiction)."""
        ...


class Checker(Part):
    """Judges claims against passages. Safe to use from several threads.

    `threshold`: a claim is flagged if its p_inconsistent is larger. `thresholds`: other recommended thresholds, by
    name. `doubtful`: the bounds of p_inconsistent, with the threshold at 0.5, between which a cascade asks the next
    checker. `reads`: the names of the settings that it reads. `check` may raise any exception: the caller isolates it
    (`graph_eval.isolation`), so that only the task that caused it fails.
    """

    thresholds: Mapping[str, float] = {}
    doubtful: tuple[float, float] = (0.1, 0.9)
    stages: tuple[str, ...] = ()  # names of the checkers of a cascade
    english_only = False  # whether it knows no other language

    @property
    def engines(self) -> tuple[Engine, ...]:
        """The engines that run its published models."""
        return ()

    @property
    @abstractmethod
    def threshold(self) -> float: ...

    @abstractmethod
    def check(self, tasks: Sequence[CheckTask]) -> Sequence[list[Judgement] | ItemError]:
        """One entry for each task, in order: a judgement for each claim, in order, or the error that prevented them."""


class ForeignChecker(ForeignPart, Checker):
    """An object of any class with `check`. Its `threshold`, `fingerprint`, `thresholds`, `doubtful`, `reads` and
    `models` are optional."""

    @property
    def threshold(self) -> float:
        return float(getattr(self.part, "threshold", 0.5))

    @property
    def thresholds(self) -> Mapping[str, float]:  # type: ignore[override]
        return dict(getattr(self.part, "thresholds", {}))

    @property
    def doubtful(self) -> tuple[float, float]:  # type: ignore[override]
        low, high = getattr(self.part, "doubtful", Checker.doubtful)
        return float(low), float(high)

    @property
    def engines(self) -> tuple[Engine, ...]:
        return tuple(getattr(self.part, "engines", ()))

    def check(self, tasks: Sequence[CheckTask]) -> Sequence[list[Judgement] | ItemError]:
        judgements: Sequence[list[Judgement] | ItemError] = self._call(self.part.check, tasks)
        return judgements


class ForeignScorer(ForeignPart):
    """An object of any class with `score`. Its `fingerprint` and `max_tokens` are optional."""

    @property
    def max_tokens(self) -> int:
        return int(getattr(self.part, "max_tokens", 512))

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.floating[Any]]:
        scores: NDArray[np.floating[Any]] = self._call(self.part.score, pairs)
        return scores
