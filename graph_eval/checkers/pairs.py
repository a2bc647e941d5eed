"""Any scorer of pairs as a checker: select windows, drop duplicate pairs, score them together, merge the scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graph_eval.checkers.checker import Checker, PairScorer
from graph_eval.checkers.merge import judgement_from
from graph_eval.checkers.windows import Window, WindowSelector
from graph_eval.types import CheckTask, Claim, Judgement, Scores

Step = list[Window]
ScoredWindows = list[tuple[Window, Scores]]


@dataclass(slots=True)
class ClaimScoring:
    """The scoring of one claim: steps of windows, each read only while the claim is undecided."""

    claim: Claim
    steps: list[Step]
    scored_windows: ScoredWindows = field(default_factory=list)

    def next_step(self, early_exit_entailment: float) -> Step:
        """The next windows to score. Empty where a window reaches that entailment, or all are read."""
        if any(scores.entailment >= early_exit_entailment for _, scores in self.scored_windows):
            self.steps.clear()
        return self.steps.pop(0) if self.steps else []


def by_size(windows: Sequence[Window]) -> list[Step]:
    """Windows in steps, smaller ones first."""
    return [[window for window in windows if window.size == size] for size in sorted({w.size for w in windows})]


@dataclass(slots=True)
class PairChecker(Checker):
    """Judges claims against windows of their passages with an NLI model.

    `early_exit_entailment`: once a window has this P(entailment), no further windows are read. They could not change
    the label, only lower p_inconsistent. Above 1: all windows are read.
    """

    scorer: PairScorer
    threshold: float = 0.5
    selector: WindowSelector = field(default_factory=WindowSelector)
    early_exit_entailment: float = 1.01

    @property
    def fingerprint(self) -> str:
        return f"{self.scorer.fingerprint}:{self.selector.fingerprint}:pairs-2:{self.early_exit_entailment}"

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        by_task = [self._scorings(task) for task in tasks]
        undecided = [scoring for scorings in by_task for scoring in scorings]
        while undecided := self._score_step(undecided):
            pass
        return [
            [judgement_from(scoring.claim.id, scoring.scored_windows, self.threshold) for scoring in scorings]
            for scorings in by_task
        ]

    def _scorings(self, task: CheckTask) -> list[ClaimScoring]:
        by_claim = self.selector.select(task.passages, [claim.text for claim in task.claims])
        return [ClaimScoring(claim, by_size(windows)) for claim, windows in zip(task.claims, by_claim, strict=True)]

    def _score_step(self, scorings: list[ClaimScoring]) -> list[ClaimScoring]:
        """Scores the next step of every claim, all in one call. Returns the scorings that had one."""
        early_exit = max(self.early_exit_entailment, 1.0 - self.threshold)
        steps = [(scoring, step) for scoring in scorings if (step := scoring.next_step(early_exit))]
        pairs = dict.fromkeys((window.text, scoring.claim.text) for scoring, step in steps for window in step)
        if not pairs:
            return []
        table = dict(zip(pairs, self.scorer.score(list(pairs)).tolist(), strict=True))
        for scoring, step in steps:
            scoring.scored_windows += [(window, Scores(*table[window.text, scoring.claim.text])) for window in step]
        return [scoring for scoring, _ in steps]
