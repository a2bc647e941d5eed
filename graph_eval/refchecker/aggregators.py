"""From the labels of a response's claims to its own, as refchecker/aggregator.py of 0.2.17.

A claim's labels are one label, or a list with one a reference: one that entails is enough, else one that contradicts
decides. (There, two references or more, or none, make `soft` and `major` fail and `strict` call everything Entailment.)
What is passed in stays as it is. A label that is missing (None) makes the result None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from graph_eval.types import Label

Labels = str | Sequence[str | None] | None
ABSTAIN = Label.ABSTAIN.value
NAMES = tuple(label.value for label in Label)


def merged(labels: Labels) -> str | None:
    """The label of a claim over its references; without a reference Neutral."""
    if labels is None or isinstance(labels, str):
        return labels
    if Label.ENTAILMENT in labels:
        return Label.ENTAILMENT.value
    if None in labels:
        return None
    return Label.CONTRADICTION.value if Label.CONTRADICTION in labels else Label.NEUTRAL.value


def strict_agg(results: Sequence[Labels]) -> str | None:
    """Contradiction if any claim is, else Neutral if any is, else Entailment."""
    found = _known(results)
    if not found:
        return found if found is None else ABSTAIN
    for label in (Label.CONTRADICTION, Label.NEUTRAL):
        if label in found:
            return label.value
    return Label.ENTAILMENT.value


def soft_agg(results: Sequence[Labels]) -> dict[str, float] | None:
    """The share of each label."""
    found = _known(results)
    if found is None:
        return None
    if not found:
        return {name: float(name == ABSTAIN) for name in NAMES}
    counts = Counter(found)
    return {name: counts[name] / len(found) for name in NAMES}


def major_agg(results: Sequence[Labels]) -> str | None:
    """The most frequent label; of equally frequent ones the first."""
    found = _known(results)
    if not found:
        return found if found is None else ABSTAIN
    return Counter(found).most_common(1)[0][0]


AGGREGATORS = {"strict": strict_agg, "soft": soft_agg, "major": major_agg}


def _known(results: Sequence[Labels]) -> list[str] | None:
    found = [merged(labels) for labels in results]
    return None if None in found else [label for label in found if label is not None]
