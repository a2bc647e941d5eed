"""A cascade of checkers: each decides the claims that it is sure of, and only the doubtful ones go on to the next.

A cheap checker in front saves most calls of an expensive one. A claim is doubtful if its p_inconsistent lies between
two bounds. The bounds of the builtin checker are fitted on development sets (training/nli/calibration.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graph_eval.checkers.checker import Checker
from graph_eval.checkers.composite import CompositeChecker, centred, members
from graph_eval.checkers.merge import NO_PASSAGE, labelled, rounded
from graph_eval.errors import UsageError
from graph_eval.registry import checker
from graph_eval.settings import Settings, bounds
from graph_eval.types import CheckTask, ItemError, Judgement

RULES = "cascade-1"
EXAMPLE = "cascade:builtin>llm:openai/gpt-4o-mini"
Verdicts = list[Judgement] | ItemError


@checker("cascade", argument="A>B", example=EXAMPLE, reads=("doubtful",))
class CascadeChecker(CompositeChecker):
    """`doubtful`: the bounds of p_inconsistent between which a claim goes on to the next checker, for all but the last
    one. By default each checker has its own. `names`: those of the checkers, for `Judgement.decided_by`.

    The last checker decides every claim that it gets. If a checker fails on a claim, the claim gets its error. Raises
    UsageError for fewer than two checkers, or bounds in the wrong order.
    """

    def __init__(
        self,
        checkers: Sequence[Checker],
        doubtful: tuple[float, float] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(checkers, ("doubtful",))
        try:
            own = None if doubtful is None else bounds(doubtful)
        except (TypeError, ValueError):
            message = f"invalid bounds of doubtful claims: {doubtful}"
            raise UsageError(message, "use two probabilities in order") from None
        self.bounds = tuple(own or member.doubtful for member in self.checkers[:-1])
        self.stages = tuple(_distinct(names or [type(member).__name__ for member in self.checkers]))

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> CascadeChecker:
        names = [spec.strip() for spec in (argument or "").split(">")]
        return cls(members(argument, ">", settings), settings.doubtful, names)

    @property
    def fingerprint(self) -> str:
        stages = (f"{member.fingerprint}@{member.threshold}" for member in self.checkers)
        return f"{RULES}:{self.bounds}({' > '.join(stages)})"

    def check(self, tasks: Sequence[CheckTask]) -> list[Verdicts]:
        found: list[Verdicts] = [[] for _ in tasks]
        doubted = list(enumerate(tasks))  # tasks with the claims that no checker has decided, and their places
        for number, member in enumerate(self.checkers):
            for (place, task), verdicts in zip(doubted, member.check([task for _, task in doubted]), strict=True):
                found[place] = self._merged(found[place], task, verdicts, number)
            doubted = [rest for place, task in doubted if (rest := self._doubted(place, task, found[place], number))]
            if not doubted:
                break
        return found

    def _merged(self, before: Verdicts, task: CheckTask, verdicts: Verdicts, number: int) -> Verdicts:
        """The verdicts of a task, with those of this checker in the place of earlier ones."""
        if isinstance(verdicts, ItemError):
            if not number:
                return verdicts
            verdicts = [Judgement.failed(claim.id, verdicts) for claim in task.claims]
        newer = {claim.id: self._decided(verdict, number) for claim, verdict in zip(task.claims, verdicts, strict=True)}
        if not number or isinstance(before, ItemError):
            return list(newer.values())
        return [_followed(verdict, newer.get(verdict.claim_id)) for verdict in before]

    def _decided(self, verdict: Judgement, number: int) -> Judgement:
        if verdict.error is not None or verdict.p_inconsistent is None:
            return replace(verdict, decided_by=self.stages[number])
        p = rounded(centred(verdict.p_inconsistent, self.checkers[number].threshold))
        # A sign of one checker is another thing than that of the next, whatever their names.
        own = replace(verdict, p_inconsistent=p, decided_by=self.stages[number], signs={})
        return labelled(own, self.threshold)

    def _doubted(self, place: int, task: CheckTask, verdicts: Verdicts, number: int) -> tuple[int, CheckTask] | None:
        """The task with its claims that are still doubtful after this checker."""
        if isinstance(verdicts, ItemError) or number == len(self.bounds):
            return None
        low, high = self.bounds[number]
        open_ = {verdict.claim_id for verdict in verdicts if _is_between(verdict, low, high)}
        claims = tuple(claim for claim in task.claims if claim.id in open_)
        return (place, replace(task, claims=claims)) if claims else None


def _distinct(names: Sequence[str]) -> Iterator[str]:
    """The names, each with its place where it comes twice, so that each tells who decided."""
    for place, name in enumerate(names, 1):
        yield f"{name} ({place})" if names.count(name) > 1 else name


def _is_between(verdict: Judgement, low: float, high: float) -> bool:
    p = verdict.p_inconsistent
    return p is not None and low < p < high and verdict.error is None and verdict.reason != NO_PASSAGE


def _followed(before: Judgement, after: Judgement | None) -> Judgement:
    """The later verdict, which keeps what only the earlier checker knew: evidence, and the words that it doubts."""
    if after is None:
        return before
    words = after.unsupported or (before.unsupported if after.flagged else ())
    return replace(after, evidence=after.evidence or before.evidence, unsupported=words)
