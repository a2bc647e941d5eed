"""From the verdicts on claims to the verdict on the response.

`any` (GraphEval, arXiv 2407.10793): inconsistent if any claim is flagged. `strict`, `soft` and `major` follow
RefChecker. Without a claim the response says nothing that could be judged: Abstain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from graph_eval.errors import UsageError
from graph_eval.types import Judgement, Label

WORST_FIRST = (Label.CONTRADICTION, Label.NEUTRAL, Label.ENTAILMENT)


class Verdict(NamedTuple):
    """`p_inconsistent` is None for Abstain."""

    label: Label
    p_inconsistent: float | None


class Rates(NamedTuple):
    """Shares of a response's claims; RefChecker's "soft" result. They sum to 1; without claims abstain is 1."""

    entailment: float
    neutral: float
    contradiction: float
    abstain: float


Rule = Callable[[Sequence[Judgement], float], Verdict]


def rates(judgements: Sequence[Judgement]) -> Rates:
    if not judgements:
        return Rates(0.0, 0.0, 0.0, 1.0)
    counts = Counter(judgement.label for judgement in judgements)
    total = len(judgements)
    return Rates(
        counts[Label.ENTAILMENT] / total,
        counts[Label.NEUTRAL] / total,
        counts[Label.CONTRADICTION] / total,
        0.0,
    )


def rule(name: str) -> Callable[[Sequence[Judgement], float], Verdict]:
    """The rule of that name: any, strict, soft, major, mean or rate:SHARE. Raises UsageError otherwise.

    A rule takes judgements without errors and the checker's threshold.
    """
    kind, colon, argument = name.partition(":")
    if kind == "rate":
        try:
            share = float(argument)
        except ValueError:
            share = -1.0
        if not 0.0 <= share < 1.0:
            raise UsageError(f"aggregate {name!r}", "write rate:SHARE with a share from 0 to 1, e.g. rate:0.3")
        chosen: Rule = _rate(share)
    elif kind in RULES and not colon:
        chosen = RULES[kind]
    else:
        raise UsageError(f"there is no aggregate rule {name!r}", f"known: {', '.join(RULES)}, rate:SHARE")

    def apply(judgements: Sequence[Judgement], threshold: float) -> Verdict:
        return chosen(judgements, threshold) if judgements else Verdict(Label.ABSTAIN, None)

    return apply


def _any(judgements: Sequence[Judgement], _: float) -> Verdict:
    """Inconsistent if any claim is flagged; the worst label of a flagged claim. p: the largest."""
    flagged = {judgement.label for judgement in judgements if judgement.flagged}
    label = next((label for label in WORST_FIRST if label in flagged), Label.ENTAILMENT)
    return Verdict(label, max(_probabilities(judgements)))


def _strict(judgements: Sequence[Judgement], _: float) -> Verdict:
    """Any contradiction makes a contradiction, else any neutral a neutral. p: the largest."""
    labels = {judgement.label for judgement in judgements}
    label = next(label for label in WORST_FIRST if label in labels)
    return Verdict(label, max(_probabilities(judgements)))


def _soft(judgements: Sequence[Judgement], _: float) -> Verdict:
    """p: the share of claims that are not entailed; above one half the larger of the other two shares decides."""
    share = rates(judgements)
    p_inconsistent = 1.0 - share.entailment
    if p_inconsistent <= 0.5:
        return Verdict(Label.ENTAILMENT, round(p_inconsistent, 6))
    return Verdict(_larger(share.contradiction, share.neutral), round(p_inconsistent, 6))


def _major(judgements: Sequence[Judgement], _: float) -> Verdict:
    """The most frequent label; of equally frequent ones the worst. p: the share of claims not entailed."""
    counts = Counter(judgement.label for judgement in judgements)
    label = max(WORST_FIRST, key=lambda label: counts[label])
    return Verdict(label, round(1.0 - rates(judgements).entailment, 6))


def _mean(judgements: Sequence[Judgement], threshold: float) -> Verdict:
    """p: the mean over the claims, compared with the checker's threshold."""
    probabilities = _probabilities(judgements)
    p_inconsistent = round(sum(probabilities) / len(probabilities), 6)
    if p_inconsistent <= threshold:
        return Verdict(Label.ENTAILMENT, p_inconsistent)
    share = rates(judgements)
    return Verdict(_larger(share.contradiction, share.neutral), p_inconsistent)


def _rate(limit: float) -> Rule:
    def apply(judgements: Sequence[Judgement], _: float) -> Verdict:
        """Inconsistent if more than this share of the claims is flagged. p: that share."""
        share = rates(judgements)
        flagged = round(sum(judgement.flagged for judgement in judgements) / len(judgements), 6)
        if flagged <= limit:
            return Verdict(Label.ENTAILMENT, flagged)
        return Verdict(_larger(share.contradiction, share.neutral), flagged)

    return apply


def _larger(contradiction: float, neutral: float) -> Label:
    return Label.CONTRADICTION if contradiction > neutral else Label.NEUTRAL


def _probabilities(judgements: Sequence[Judgement]) -> list[float]:
    return [judgement.p_inconsistent or 0.0 for judgement in judgements]


RULES: dict[str, Rule] = {"any": _any, "strict": _strict, "soft": _soft, "major": _major, "mean": _mean}
