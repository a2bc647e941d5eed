"""From the scores of a claim's windows to its verdict.

One passage that entails the claim is enough. Else the claim is contradicted if one passage contradicts it, else
neutral. Evidence is kept for every passage: the window that entails best, or, where none entails, the one that says
most about the claim (the largest entailment or contradiction).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_eval.checkers.windows import Window
from graph_eval.types import Evidence, Judgement, Label, Scores

NO_PASSAGE = "no_passage"


def judge(
    claim_id: str,
    scored: Sequence[tuple[Window, Scores]],
    threshold: float,
    p_inconsistent: float | None = None,
    reason: str | None = None,
) -> Judgement:
    """The verdict on one claim. Without any window there was no passage to support it: Neutral, flagged.

    `p_inconsistent`: the checker's own; else it is what the best window leaves: 1 - max P(entailment).
    """
    if not scored:
        return Judgement(claim_id, Label.NEUTRAL, 1.0, flagged=True, reason=NO_PASSAGE)
    if p_inconsistent is None:
        p_inconsistent = 1.0 - max(scores.entailment for _, scores in scored)
    by_passage: dict[str, list[tuple[Window, Scores]]] = {}
    for window, scores in scored:
        by_passage.setdefault(window.passage_id, []).append((window, scores))
    evidence = tuple(_evidence(passage, found) for passage, found in by_passage.items())
    judgement = Judgement(claim_id, None, rounded(p_inconsistent), flagged=False, evidence=evidence, reason=reason)
    return labelled(judgement, threshold)


def labelled(judgement: Judgement, threshold: float) -> Judgement:
    """The judgement with label, flag and order of evidence by another threshold."""
    if judgement.p_inconsistent is None or judgement.reason == NO_PASSAGE:
        return judgement
    evidence = judgement.evidence
    if judgement.p_inconsistent <= threshold:
        label = Label.ENTAILMENT
    elif any(item.scores.contradiction > item.scores.neutral for item in evidence):
        label = Label.CONTRADICTION
    else:
        label = Label.NEUTRAL
    column = 2 if label is Label.CONTRADICTION else 0
    ordered = tuple(sorted(evidence, key=lambda item: -item.scores[column]))
    return replace(judgement, label=label, flagged=label is not Label.ENTAILMENT, evidence=ordered)


def _evidence(passage_id: str, found: list[tuple[Window, Scores]]) -> Evidence:
    window, scores = max(found, key=lambda item: item[1].entailment)
    if scores.entailment <= 0.5:
        window, scores = max(found, key=lambda item: max(item[1].entailment, item[1].contradiction))
    return Evidence(passage_id, window.span, Scores(*map(rounded, scores)))


def rounded(probability: float) -> float:
    """Six digits: more than any score means, fewer than arithmetic on another batch shape disturbs."""
    return round(float(probability), 6)
