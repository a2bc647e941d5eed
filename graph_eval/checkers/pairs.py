"""Any scorer of pairs as a checker: select windows, drop duplicate pairs, score them together, merge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graph_eval.checkers.checker import Checker, PairScorer
from graph_eval.checkers.merge import judge
from graph_eval.checkers.windows import Window, WindowSelector
from graph_eval.types import CheckTask, Claim, Judgement, Scores

Step = list[Window]
Scored = list[tuple[Window, Scores]]


@dataclass(slots=True)
class Plan:
    """How one claim is judged: steps of windows, each read only while the claim is in doubt."""

    claim: Claim
    steps: list[Step]
    scored: Scored = field(default_factory=list)

    def next_step(self, sufficient: float) -> Step:
        """The next windows to score; none where one entails the claim beyond doubt."""
        if any(scores.entailment >= sufficient for _, scores in self.scored):
            self.steps.clear()
        return self.steps.pop(0) if self.steps else []


def by_size(windows: Sequence[Window]) -> list[Step]:
    """Windows in steps, smaller ones first."""
    return [[window for window in windows if window.size == size] for size in sorted({w.size for w in windows})]


@dataclass(slots=True)
class PairChecker(Checker):
    """Judges claims against windows of their passages with an NLI model.

    `sufficient`: once a window entails a claim this much, no further ones are read; they could not change its label,
    only lower its p.
    """

    scorer: PairScorer
    threshold: float = 0.5
    selector: WindowSelector = field(default_factory=WindowSelector)
    sufficient: float = 1.01

    @property
    def fingerprint(self) -> str:
        return f"{self.scorer.fingerprint}:{self.selector.fingerprint}:pairs-2:{self.sufficient}"

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        planned = [self._plan(task) for task in tasks]
        in_doubt = [plan for plans in planned for plan in plans]
        while in_doubt := self._take_step(in_doubt):
            pass
        return [[judge(plan.claim.id, plan.scored, self.threshold) for plan in plans] for plans in planned]

    def _plan(self, task: CheckTask) -> list[Plan]:
        windows = self.selector.select(task.passages, [claim.text for claim in task.claims])
        return [Plan(claim, by_size(found)) for claim, found in zip(task.claims, windows, strict=True)]

    def _take_step(self, plans: list[Plan]) -> list[Plan]:
        """Scores the next step of every plan, all in one call. Returns the plans that had one."""
        sufficient = max(self.sufficient, 1.0 - self.threshold)
        steps = [(plan, step) for plan in plans if (step := plan.next_step(sufficient))]
        pairs = dict.fromkeys((window.text, plan.claim.text) for plan, step in steps for window in step)
        if not pairs:
            return []
        table = dict(zip(pairs, self.scorer.score(list(pairs)).tolist(), strict=True))
        for plan, step in steps:
            plan.scored += [(window, Scores(*table[window.text, plan.claim.text])) for window in step]
        return [plan for plan, _ in steps]


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices in batches of like length, each of at most `budget` tokens with its padding (or one item)."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if batch and (len(batch) + 1) * lengths[index] > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
