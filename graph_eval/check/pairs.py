"""Any scorer of pairs as a checker: select windows, drop duplicate pairs, score them together, merge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graph_eval.check.merge import judge
from graph_eval.check.seam import PairScorer
from graph_eval.check.verbatim import stated_at
from graph_eval.check.windows import Window, WindowSelector
from graph_eval.text.normalise import readable
from graph_eval.types import CheckTask, Claim, ItemError, Judgement, Kind, Scores


@dataclass(slots=True)
class Plan:
    """How one claim is judged: its windows, smallest first, the hypotheses whose scores are averaged on each of
    them, and what has been scored so far."""

    windows: list[Window]
    hypotheses: tuple[str, ...]
    scored: list[tuple[Window, Scores]]

    def next_windows(self, hopeless: float, sufficient: float) -> list[Window]:
        """The windows of the next size; none where the smaller ones have decided."""
        best = max((scores.entailment for _, scores in self.scored), default=None)
        if best is not None and not hopeless <= best < sufficient:
            return []
        sizes = sorted({window.size for window in self.windows})
        return [window for window in self.windows if window.size == sizes[0]] if sizes else []


@dataclass(slots=True)
class PairChecker:
    """Judges claims against windows of their passages with an NLI model.

    `with_sentence`: a triplet is judged together with its sentence, by the mean of both scores. On FactCC and
    PolyTope this ranks responses better than triplets alone (AUC .81 -> .83 and .80 -> .85). `copied`: the scores of
    a claim that a passage states word for word (None: ask the model there too). Larger windows are
    read only where the best entailment so far lies in [hopeless, sufficient): above, they could not change the label;
    below, they hardly ever do, and then more often wrongly (balanced accuracy on FactCC .644 -> .656 and on PolyTope
    .802 -> .811 with 0.02).
    """

    scorer: PairScorer
    threshold: float = 0.5
    selector: WindowSelector = field(default_factory=WindowSelector)
    with_sentence: bool = False
    copied: Scores | None = None
    hopeless: float = 0.0
    sufficient: float = 1.01

    @property
    def fingerprint(self) -> str:
        rules = f"pairs-1:{self.with_sentence}:{self.copied and tuple(self.copied)}:{self.hopeless}:{self.sufficient}"
        return f"{self.scorer.fingerprint}:{self.selector.fingerprint}:{rules}"

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        plans: list[list[Plan] | ItemError] = []
        for task in tasks:
            try:
                plans.append(self._plan(task))
            except Exception as problem:  # one bad item never stops the others
                plans.append(ItemError("check", f"{type(problem).__name__}: {problem}"))
        open_plans = [plan for found in plans if isinstance(found, list) for plan in found]
        while open_plans := self._score_next(open_plans):
            pass
        return [
            found
            if isinstance(found, ItemError)
            else [self._judge(claim, plan) for claim, plan in zip(task.claims, found, strict=True)]
            for task, found in zip(tasks, plans, strict=True)
        ]

    def _score_next(self, plans: list[Plan]) -> list[Plan]:
        """Scores the next window size of every plan, all in one call. Returns the plans that had one."""
        rounds = [(plan, plan.next_windows(self.hopeless, self.sufficient)) for plan in plans]
        rounds = [(plan, windows) for plan, windows in rounds if windows]
        pairs = dict.fromkeys(
            (window.text, text) for plan, windows in rounds for window in windows for text in plan.hypotheses
        )
        if not pairs:
            return []
        table = dict(zip(pairs, self.scorer.score(list(pairs)).tolist(), strict=True))
        for plan, windows in rounds:
            for window in windows:
                columns = zip(*(table[window.text, text] for text in plan.hypotheses), strict=True)
                plan.scored.append((window, Scores(*(sum(column) / len(column) for column in columns))))
            plan.windows = [window for window in plan.windows if window not in windows]
        return [plan for plan, _ in rounds]

    def _plan(self, task: CheckTask) -> list[Plan]:
        plans: list[Plan | None] = []
        for claim in task.claims:
            stated = self._stated(claim, task)
            plans.append(Plan([], (), [(stated, self.copied)]) if stated and self.copied else None)
        open_claims = [claim for claim, plan in zip(task.claims, plans, strict=True) if plan is None]
        hypotheses = [self._hypotheses(claim, task) for claim in open_claims]
        # With its sentence beside it, a triplet is read against the windows of the sentence: its pairs are shared.
        windows = self.selector.select(task.passages, [texts[-1] for texts in hypotheses])
        rest = iter(Plan(found, texts, []) for found, texts in zip(windows, hypotheses, strict=True))
        return [plan if plan is not None else next(rest) for plan in plans]

    def _hypotheses(self, claim: Claim, task: CheckTask) -> tuple[str, ...]:
        if claim.kind is Kind.SENTENCE or not self.with_sentence:
            return (claim.text,)
        return tuple(dict.fromkeys((claim.text, readable(claim.sentence.of(task.text.text)))))

    def _stated(self, claim: Claim, task: CheckTask) -> Window | None:
        if self.copied is None:
            return None
        for passage in task.passages:
            if span := stated_at(claim.text, passage):
                return Window(passage.id, span, claim.text)
        return None

    def _judge(self, claim: Claim, plan: Plan) -> Judgement:
        reason = None if plan.hypotheses else "verbatim"
        return judge(claim.id, plan.scored, self.threshold, reason if plan.scored else None)


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
