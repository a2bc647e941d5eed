"""The label of a response from those of its claims, as refchecker/aggregator.py of 0.2.17.

A claim has one label, or a list with one for each reference: one that entails is enough, else one that contradicts
decides. (In RefChecker any other number of references than one makes `soft` and `major` fail, and `strict` returns
Entailment.) Arguments are not changed. A missing label (None, or no reference) makes the result None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from graph_eval.types import Label

Labels = str | Sequence[str | None] | None
ABSTAIN = Label.ABSTAIN.value
NAMES = tuple(label.value for label in Label)


def merged(labels: Labels) -> str | None:
    """The label of a claim over its references. Without references: None, as nothing was checked."""
    if labels is None or isinstance(labels, str):
        return labels
    if Label.ENTAILMENT in labels:
        return Label.ENTAILMENT.value
    if None in labels or not labels:
        return None
    return Label.CONTRADICTION.value if Label.CONTRADICTION in labels else Label.NEUTRAL.value


def strict_agg(results: Sequence[Labels]) -> str | None:
    """Contradiction if any claim has it, else Neutral if any has it, else Entailment. Without claims: Abstain."""
    labels = _merged_labels(results)
    if not labels:
        return None if labels is None else ABSTAIN
    for label in (Label.CONTRADICTION, Label.NEUTRAL):
        if label in labels:
            return label.value
    return Label.ENTAILMENT.value


def soft_agg(results: Sequence[Labels]) -> dict[str, float] | None:
    """The share of each label. Without claims: all Abstain."""
    labels = _merged_labels(results)
    if labels is None:
        return None
    if not labels:
        return {name: float(name == ABSTAIN) for name in NAMES}
    counts = Counter(labels)
    return {name: counts[name] / len(labels) for name in NAMES}


def major_agg(results: Sequence[Labels]) -> str | None:
    """The most frequent label, of equally frequent ones the first. Without claims: Abstain."""
    labels = _merged_labels(results)
    if not labels:
        return None if labels is None else ABSTAIN
    return Counter(labels).most_common(1)[0][0]


AGGREGATORS = {"strict": strict_agg, "soft": soft_agg, "major": major_agg}


def _merged_labels(results: Sequence[Labels]) -> list[str] | None:
    """One label for each claim, or None if one is missing."""
    by_claim = [merged(labels) for labels in results]
    labels = [label for label in by_claim if label is not None]
    return labels if len(labels) == len(by_claim) else None
