"""The seams of judging: a scorer of pairs, and a checker of whole tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graph_eval.errors import UsageError
from graph_eval.types import CheckTask, ItemError, Judgement


class PairScorer(Protocol):
    """An NLI model. A score never depends on what else is in the call."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def max_tokens(self) -> int:
        """Tokens of premise and hypothesis together that the model reads."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.floating[Any]]:
        """(premise, hypothesis) pairs -> array (n, 3): P(entailment), P(neutral), P(contradiction)."""
        ...


class Checker(Protocol):
    """`threshold`: a claim is flagged where its p_inconsistent lies above it.

    A checker may also have `thresholds`: others that it recommends, by name.
    """

    @property
    def fingerprint(self) -> str: ...

    @property
    def threshold(self) -> float: ...

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        """One entry a task, in order; one judgement a claim, in order."""
        ...


def failed(problem: Exception) -> ItemError:
    """What stands in the place of a task that could not be checked."""
    return ItemError("check", f"{type(problem).__name__}: {problem}", getattr(problem, "hint", None))


def named_threshold(threshold: float | str, known: Mapping[str, float]) -> float:
    """The number behind a threshold's name; a number stays what it is. Raises UsageError for an unknown name."""
    if not isinstance(threshold, str):
        return threshold
    if threshold not in known:
        hint = f"known: {', '.join(sorted(known))}; or give a number" if known else "give a probability between 0 and 1"
        raise UsageError(f"this checker has no threshold {threshold!r}", hint)
    return known[threshold]
