"""Aggregates the judgements on claims into the verdict on their response.

`any` follows GraphEval (arXiv 2407.10793): a response is inconsistent if any of its claims is flagged. `strict` and
`major` follow RefChecker (arXiv 2405.14486), whose `major` takes the first of equally frequent labels, and this one the
worst. RefChecker's `soft` gives shares alone; the verdict on them is ours. A response without claims is Abstain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from graph_eval.errors import UsageError
from graph_eval.types import Judgement, Label

WORST_FIRST = (Label.CONTRADICTION, Label.NEUTRAL, Label.ENTAILMENT)


class Verdict(NamedTuple):
    """The verdict on a response. None for Abstain: `p_inconsistent`, a probability, and `flagged_rate`, the share of
    its claims that are flagged."""

    label: Label
    p_inconsistent: float | None
    flagged_rate: float | None = None


class Rates(NamedTuple):
    """The share of each label among a response's claims, as RefChecker's "soft" rule reports it.

    The shares sum to 1. Without claims `abstain` is 1.
    """

    entailment: float
    neutral: float
    contradiction: float
    abstain: float


Rule = Callable[[Sequence[Judgement], float], Verdict]


def rates(judgements: Sequence[Judgement]) -> Rates:
    """The share of each label among judgements without errors."""
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


def rule(name: str) -> Rule:
    """The rule with this name: any, strict, soft, major, mean or rate:SHARE. Raises UsageError for another name.

    A rule takes the judgements of one response, without errors, and the checker's threshold.
    """
    kind, colon, argument = name.partition(":")
    if kind == "rate":
        try:
            share = float(argument)
        except ValueError:
            share = -1.0
        if not 0.0 <= share < 1.0:
            raise UsageError(
                f"aggregate {name!r}: invalid share", "write rate:SHARE with 0 <= SHARE < 1, e.g. rate:0.3"
            )
        return partial(_with_abstain, partial(_rate, share))
    if kind in RULES and not colon:
        return partial(_with_abstain, RULES[kind])
    raise UsageError(f"unknown aggregate rule {name!r}", f"known aggregate rules: {', '.join(RULES)}, rate:SHARE")


def _with_abstain(decide: Rule, judgements: Sequence[Judgement], threshold: float) -> Verdict:
    if not judgements:
        return Verdict(Label.ABSTAIN, None)
    flagged = sum(judgement.flagged for judgement in judgements)
    return decide(judgements, threshold)._replace(flagged_rate=round(flagged / len(judgements), 6))


def _any(judgements: Sequence[Judgement], _: float) -> Verdict:
    """Inconsistent if any claim is flagged, with the worst label of a flagged claim. p: the maximum over the claims."""
    flagged = {judgement.label for judgement in judgements if judgement.flagged}
    label = next((label for label in WORST_FIRST if label in flagged), Label.ENTAILMENT)
    return Verdict(label, max(_probabilities(judgements)))


def _strict(judgements: Sequence[Judgement], _: float) -> Verdict:
    """The worst label: Contradiction before Neutral before Entailment. p: the maximum over the claims."""
    labels = {judgement.label for judgement in judgements}
    label = next(label for label in WORST_FIRST if label in labels)
    return Verdict(label, max(_probabilities(judgements)))


def _soft(judgements: Sequence[Judgement], _: float) -> Verdict:
    """If more than half of the claims are not entailed, the more frequent of the other two labels. p: the maximum over
    the claims."""
    shares, p_inconsistent = rates(judgements), max(_probabilities(judgements))
    if shares.entailment >= 0.5:
        return Verdict(Label.ENTAILMENT, p_inconsistent)
    return Verdict(_more_frequent(shares), p_inconsistent)


def _major(judgements: Sequence[Judgement], _: float) -> Verdict:
    """The most frequent label, in a tie the worst of them. p: the maximum over the claims."""
    counts = Counter(judgement.label for judgement in judgements)
    label = max(WORST_FIRST, key=lambda label: counts[label])
    return Verdict(label, max(_probabilities(judgements)))


def _mean(judgements: Sequence[Judgement], threshold: float) -> Verdict:
    """p: the mean over the claims. Inconsistent above the checker's threshold."""
    probabilities = _probabilities(judgements)
    p_inconsistent = round(sum(probabilities) / len(probabilities), 6)
    if p_inconsistent <= threshold:
        return Verdict(Label.ENTAILMENT, p_inconsistent)
    return Verdict(_more_frequent(rates(judgements)), p_inconsistent)


def _rate(limit: float, judgements: Sequence[Judgement], _: float) -> Verdict:
    """Inconsistent if more than this share of the claims is flagged. p: the maximum over the claims."""
    p_inconsistent = max(_probabilities(judgements))
    if sum(judgement.flagged for judgement in judgements) <= limit * len(judgements):
        return Verdict(Label.ENTAILMENT, p_inconsistent)
    return Verdict(_more_frequent(rates(judgements)), p_inconsistent)


def _more_frequent(shares: Rates) -> Label:
    """Contradiction or Neutral. In a tie, Neutral."""
    return Label.CONTRADICTION if shares.contradiction > shares.neutral else Label.NEUTRAL


def _probabilities(judgements: Sequence[Judgement]) -> list[float]:
    return [judgement.p_inconsistent or 0.0 for judgement in judgements]


RULES: dict[str, Rule] = {"any": _any, "strict": _strict, "soft": _soft, "major": _major, "mean": _mean}
