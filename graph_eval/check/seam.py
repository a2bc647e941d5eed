"""The seams of judging: a scorer of pairs, and a checker of whole tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

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
    """`threshold`: a claim is flagged where its p_inconsistent lies above it."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def threshold(self) -> float: ...

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        """One entry a task, in order; one judgement a claim, in order."""
        ...
