"""Several checkers, one verdict: by the mean of their probabilities, by vote, or by any one of them.

RefChecker (arXiv 2405.14486) votes; here a probability comes out of every rule, so that thresholds keep their meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graph_eval.checkers.checker import Checker
from graph_eval.checkers.merge import NO_PASSAGE, labelled, rounded
from graph_eval.checkers.threshold import as_checker
from graph_eval.errors import UsageError
from graph_eval.registry import checker, create
from graph_eval.settings import Settings, choices
from graph_eval.types import CheckTask, Evidence, ItemError, Judgement, Scores

if TYPE_CHECKING:
    from graph_eval.settings import Ensemble

RULES = "ensemble-1"
EVEN = 0.5
EXAMPLE = "ensemble:builtin+llm:openai/gpt-4o-mini"


@checker("ensemble", argument="A+B", example=EXAMPLE)
class EnsembleChecker(Checker):
    """`rule`: "mean" of p(inconsistent), each moved so that its checker's own threshold lies at 0.5; "vote": the share
    of checkers that flag (half of them do not suffice); "any": the largest p, so one that flags is enough.

    A claim that one of them could not judge has that error: no verdict is made of fewer voices than asked for.
    """

    threshold = EVEN

    def __init__(self, checkers: Sequence[Checker], rule: Ensemble = "mean") -> None:
        if len(checkers) < 2:
            raise UsageError("an ensemble needs two checkers or more", f"write {EXAMPLE}")
        if rule not in choices("ensemble"):
            raise UsageError(f"there is no ensemble rule {rule!r}", f"known: {', '.join(choices('ensemble'))}")
        self.checkers = tuple(map(as_checker, checkers))
        self.reads = ("ensemble", *(name for member in self.checkers for name in member.reads))
        self.rule = rule

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> EnsembleChecker:
        own = replace(settings, threshold=None)
        specs = [spec.strip() for spec in (argument or "").split("+")]
        return cls([create("checker", spec, own) for spec in specs], settings.ensemble)

    @property
    def models(self) -> tuple[Any, ...]:
        return tuple(model for member in self.checkers for model in member.models)

    @property
    def engines(self) -> tuple[Any, ...]:
        return tuple(engine for member in self.checkers for engine in member.engines)

    @property
    def fingerprint(self) -> str:
        parts = (f"{member.fingerprint}@{member.threshold}" for member in self.checkers)
        return f"{RULES}:{self.rule}({' + '.join(parts)})"

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        found = [member.check(tasks) for member in self.checkers]
        return [self._task([item[place] for item in found]) for place in range(len(tasks))]

    def _task(self, found: Sequence[list[Judgement] | ItemError]) -> list[Judgement] | ItemError:
        judged = []
        for item in found:
            if isinstance(item, ItemError):
                return item
            judged.append(item)
        return [self._claim(voices) for voices in zip(*judged, strict=True)]

    def _claim(self, voices: Sequence[Judgement]) -> Judgement:
        first = voices[0]
        chances = []
        for voice, member in zip(voices, self.checkers, strict=True):
            if voice.error is not None or voice.p_inconsistent is None:
                return voice
            chances.append(centred(voice.p_inconsistent, member.threshold))
        if all(voice.reason == NO_PASSAGE for voice in voices):
            return first
        p = {
            "mean": sum(chances) / len(chances),
            "vote": sum(voice.flagged for voice in voices) / len(voices),
            "any": max(chances),
        }[self.rule]
        evidence = merged([item for voice in voices for item in voice.evidence])
        judgement = Judgement(first.claim_id, None, rounded(p), flagged=False, evidence=evidence)
        return labelled(judgement, self.threshold)


def centred(p: float, threshold: float) -> float:
    """The probability moved along two straight lines so that the threshold comes to lie at 0.5."""
    if p <= threshold:
        return EVEN * p / threshold if threshold > 0 else 0.0
    return EVEN + EVEN * (p - threshold) / (1 - threshold)


def merged(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """One evidence a passage: the first checker's window there, the mean of the scores."""
    by_passage: dict[str, list[Evidence]] = {}
    for item in evidence:
        by_passage.setdefault(item.passage_id, []).append(item)
    return tuple(
        replace(
            found[0],
            scores=Scores(
                *(rounded(sum(column) / len(found)) for column in zip(*(e.scores for e in found), strict=True))
            ),
        )
        for found in by_passage.values()
    )
