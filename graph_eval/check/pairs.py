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

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Plan:
    """How one claim is judged: its windows, and the hypotheses whose scores are averaged on each of them."""

    windows: tuple[Window, ...]
    hypotheses: tuple[str, ...]
    stated: Window | None = None

    def pairs(self) -> list[Pair]:
        return [(window.text, text) for window in self.windows for text in self.hypotheses]


@dataclass(slots=True)
class PairChecker:
    """Judges claims against windows of their passages with an NLI model.

    `with_sentence`: a triplet is judged together with its sentence, by the mean of both scores. On FactCC and
    PolyTope this ranks responses better than triplets alone (AUC .81 -> .83 and .80 -> .85). `copied`: the scores of
    a claim that a passage states word for word (None: ask the model there too).
    """

    scorer: PairScorer
    threshold: float = 0.5
    selector: WindowSelector = field(default_factory=WindowSelector)
    with_sentence: bool = False
    copied: Scores | None = None

    @property
    def fingerprint(self) -> str:
        rules = f"pairs-1:{self.with_sentence}:{self.copied and tuple(self.copied)}"
        return f"{self.scorer.fingerprint}:{self.selector.fingerprint}:{rules}"

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        plans: list[list[Plan] | ItemError] = []
        for task in tasks:
            try:
                plans.append(self._plan(task))
            except Exception as problem:  # one bad item never stops the others
                plans.append(ItemError("check", f"{type(problem).__name__}: {problem}"))
        pairs = dict.fromkeys(
            pair for found in plans if isinstance(found, list) for plan in found for pair in plan.pairs()
        )
        table = dict(zip(pairs, self.scorer.score(list(pairs)).tolist(), strict=True)) if pairs else {}
        results: list[list[Judgement] | ItemError] = []
        for task, found in zip(tasks, plans, strict=True):
            if isinstance(found, ItemError):
                results.append(found)
            else:
                judged = zip(task.claims, found, strict=True)
                results.append([self._judge(claim, plan, table) for claim, plan in judged])
        return results

    def _plan(self, task: CheckTask) -> list[Plan]:
        plans: list[Plan | None] = []
        for claim in task.claims:
            stated = self._stated(claim, task)
            plans.append(Plan((), (), stated) if stated else None)
        open_claims = [claim for claim, plan in zip(task.claims, plans, strict=True) if plan is None]
        hypotheses = [self._hypotheses(claim, task) for claim in open_claims]
        # With its sentence beside it, a triplet is read against the windows of the sentence: its pairs are shared.
        windows = self.selector.select(task.passages, [texts[-1] for texts in hypotheses])
        rest = iter(Plan(tuple(w), h) for w, h in zip(windows, hypotheses, strict=True))
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

    def _judge(self, claim: Claim, plan: Plan, table: dict[Pair, list[float]]) -> Judgement:
        if plan.stated is not None and self.copied is not None:
            return judge(claim.id, [(plan.stated, self.copied)], self.threshold, reason="verbatim")
        scored = []
        for window in plan.windows:
            columns = zip(*(table[window.text, text] for text in plan.hypotheses), strict=True)
            scored.append((window, Scores(*(sum(column) / len(column) for column in columns))))
        return judge(claim.id, scored, self.threshold)


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
