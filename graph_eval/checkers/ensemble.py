"""Combines the judgements of several checkers: by the mean of their probabilities, by vote, or by any one of them.

RefChecker (arXiv 2405.14486) votes. Here every rule returns a probability, so that thresholds keep their meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graph_eval.checkers.checker import Checker
from graph_eval.checkers.composite import CompositeChecker, centred, members
from graph_eval.checkers.features import log_odds
from graph_eval.checkers.merge import NO_PASSAGE, labelled, rounded
from graph_eval.errors import UsageError
from graph_eval.registry import checker
from graph_eval.settings import Settings, choices
from graph_eval.types import CheckTask, Evidence, ItemError, Judgement, Scores

if TYPE_CHECKING:
    from graph_eval.settings import Ensemble

RULES = "ensemble-1"
EXAMPLE = "ensemble:builtin+llm:openai/gpt-4o-mini"


@checker("ensemble", argument="A+B", example=EXAMPLE, reads=("ensemble",))
class EnsembleChecker(CompositeChecker):
    """A checker that combines others by a rule.

    `rule`: "mean" is the mean of p_inconsistent, rescaled so that each checker's threshold becomes 0.5. "vote" is the
    share of checkers that flag the claim, and more than half must. "any" is the maximum p_inconsistent, rescaled in the
    same way, so that one checker is enough. If one checker fails on a claim, the claim gets its error. The sign
    "checker 1" of a claim is the log odds of the first checker, and so on. Raises UsageError for fewer than two
    checkers or an unknown rule.
    """

    def __init__(self, checkers: Sequence[Checker], rule: Ensemble = "mean") -> None:
        super().__init__(checkers, ("ensemble",))
        if rule not in choices("ensemble"):
            raise UsageError(f"unknown ensemble rule {rule!r}", f"known rules: {', '.join(choices('ensemble'))}")
        self.rule = rule

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> EnsembleChecker:
        return cls(members(argument, "+", settings), settings.ensemble)

    @property
    def fingerprint(self) -> str:
        parts = (f"{member.fingerprint}@{member.threshold}" for member in self.checkers)
        return f"{RULES}:{self.rule}({' + '.join(parts)})"

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        by_checker = [member.check(tasks) for member in self.checkers]
        return [self._task(outputs) for outputs in zip(*by_checker, strict=True)]

    def _task(self, outputs: Sequence[list[Judgement] | ItemError]) -> list[Judgement] | ItemError:
        """The judgements of a task, from the output of each checker."""
        by_checker = []
        for output in outputs:
            if isinstance(output, ItemError):
                return output
            by_checker.append(output)
        return [self._claim(judgements) for judgements in zip(*by_checker, strict=True)]

    def _claim(self, judgements: Sequence[Judgement]) -> Judgement:
        """Combines the checkers' judgements of a claim."""
        first = judgements[0]
        probabilities, signs = [], {}
        for number, (judgement, member) in enumerate(zip(judgements, self.checkers, strict=True), 1):
            if judgement.error is not None or judgement.p_inconsistent is None:
                return judgement
            probabilities.append(centred(judgement.p_inconsistent, member.threshold))
            signs[f"checker {number}"] = log_odds(judgement.p_inconsistent)
        if all(judgement.reason == NO_PASSAGE for judgement in judgements):
            return first
        p = {
            "mean": sum(probabilities) / len(probabilities),
            "vote": sum(judgement.flagged for judgement in judgements) / len(judgements),
            "any": max(probabilities),
        }[self.rule]
        evidence = merged([entry for judgement in judgements for entry in judgement.evidence])
        words = tuple(sorted({span for judgement in judgements for span in judgement.unsupported}))
        joint = Judgement(
            first.claim_id, None, rounded(p), flagged=False, evidence=evidence, unsupported=words, signs=signs
        )
        return labelled(joint, self.threshold)


def merged(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """One evidence for each passage: the first checker's window there, and the mean of the scores."""
    by_passage: dict[str, list[Evidence]] = {}
    for entry in evidence:
        by_passage.setdefault(entry.passage_id, []).append(entry)
    return tuple(replace(entries[0], scores=_mean(entries)) for entries in by_passage.values())


def _mean(entries: Sequence[Evidence]) -> Scores:
    columns = zip(*(entry.scores for entry in entries), strict=True)
    return Scores(*(rounded(sum(column) / len(entries)) for column in columns))
