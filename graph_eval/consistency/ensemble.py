"""Several methods together: the mean of their scores, each rescaled so that its threshold becomes 0.5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_eval.checkers.composite import EVEN, centred
from graph_eval.consistency.foreign import as_method
from graph_eval.consistency.method import (
    ClaimScore,
    Consistency,
    Method,
    SampleTask,
    SentenceScore,
    mean,
)
from graph_eval.errors import UsageError
from graph_eval.registry import create, method
from graph_eval.settings import Settings
from graph_eval.types import Claim, ItemError

VERSION = "ensemble-1"
NAME, EXAMPLE = "ensemble", "ensemble:nli+graph"
LEAST = 2  # methods


@method(NAME, argument="A+B", example=EXAMPLE)
class EnsembleMethod(Method):
    """The score of a sentence is the mean over the methods that have one, and so is the response's. A claim's is the
    mean over all methods: one without claims counts with its score of the claim's sentence. If one with claims could
    not judge it, it has none. Raises UsageError for fewer than two methods.
    """

    def __init__(self, methods: Sequence[Method]) -> None:
        if len(methods) < LEAST:
            raise UsageError("an ensemble needs at least 2 methods", f"write {EXAMPLE}")
        self.methods = self.parts = tuple(map(as_method, methods))
        self.reads = tuple(dict.fromkeys(name for member in self.methods for name in member.reads))
        self.needs_claims = any(member.needs_claims for member in self.methods)
        self.stepwise = all(member.stepwise and member.threshold == EVEN for member in self.methods)
        self.english_only = any(member.english_only for member in self.methods)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> EnsembleMethod:
        return cls([create("method", name, settings) for name in member_names(argument or "")])

    @property
    def fingerprint(self) -> str:
        parts = (f"{member.fingerprint}@{member.threshold}" for member in self.methods)
        return f"{VERSION}({' + '.join(parts)})"

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency | ItemError]:
        outputs = [member.compare(tasks) for member in self.methods]
        return [self._task(task, found) for task, found in zip(tasks, zip(*outputs, strict=True), strict=True)]

    def _task(self, task: SampleTask, outputs: Sequence[Consistency | ItemError]) -> Consistency | ItemError:
        found = []
        for member, output in zip(self.methods, outputs, strict=True):
            if isinstance(output, ItemError):
                return output
            found.append(_rescaled(output, member.threshold))
        sentences = tuple(
            _joined([consistency.sentences[place] for consistency in found]) for place in range(len(task.sentences))
        )
        scores = [consistency.score for consistency in found if consistency.score is not None]
        claims: list[ClaimScore] = []
        if judging := [consistency for consistency in found if consistency.claims]:
            others = [consistency for consistency in found if not consistency.claims]
            claims = [
                _claim(claim, [consistency.claims[place] for consistency in judging], others)
                for place, claim in enumerate(task.claims)
            ]
        return Consistency(mean(scores) if scores else None, sentences, tuple(claims))


def member_names(argument: str) -> list[str]:
    """The names of the methods in "A+B". Raises UsageError for an empty name, an ensemble among them, or fewer than
    two."""
    names = [name.strip() for name in argument.split("+")]
    if not all(names):
        raise UsageError(f"a method is missing in {NAME}:{argument}", "write a method on each side of '+'")
    if any(name.partition(":")[0] == NAME for name in names):
        flat = [part for name in names for part in [name.removeprefix(NAME).lstrip(":").strip()] if part]
        example = f"{NAME}:{'+'.join(flat)}" if len(flat) >= LEAST else EXAMPLE
        raise UsageError(
            f"{NAME}:{argument}: an ensemble cannot be a member of an ensemble", f"write all methods in one: {example}"
        )
    if len(names) < LEAST:
        raise UsageError(f"{NAME}:{argument} has one method, and an ensemble needs at least 2", f"write {EXAMPLE}")
    return names


def _rescaled(consistency: Consistency, threshold: float) -> Consistency:
    """The scores with the threshold at 0.5. Shifted scores are no mean over the samples any more."""
    if threshold == EVEN:
        return consistency

    def shift(score: float | None) -> float | None:
        return None if score is None else round(centred(score, threshold), 6)

    return replace(
        consistency,
        score=shift(consistency.score),
        sentences=tuple(replace(item, score=shift(item.score), by_sample=()) for item in consistency.sentences),
        claims=tuple(replace(item, score=shift(item.score), by_sample=()) for item in consistency.claims),
    )


def _joined(sentences: Sequence[SentenceScore]) -> SentenceScore:
    scored = [sentence for sentence in sentences if sentence.score is not None]
    if not scored:
        return sentences[0]
    rows = [sentence.by_sample for sentence in scored]
    by_sample = tuple(mean(column) for column in zip(*rows, strict=True)) if all(rows) else ()
    return SentenceScore(sentences[0].span, mean([item.score or 0.0 for item in scored]), by_sample)


def _claim(claim: Claim, scores: Sequence[ClaimScore], others: Sequence[Consistency]) -> ClaimScore:
    """The counts are those of the first method that has claims."""
    if any(score.score is None for score in scores):
        return next(score for score in scores if score.score is None)
    values = [score.score or 0.0 for score in scores]
    for consistency in others:
        own = [item.score for item in consistency.sentences if item.span.overlaps(claim.sentence)]
        values += [score for score in own if score is not None]
    return replace(scores[0], score=mean(values), by_sample=())
