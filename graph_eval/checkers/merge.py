"""Combines the scores of a claim's windows into its judgement.

One passage that entails the claim is enough. Otherwise the claim is contradicted if one passage contradicts it, else
neutral. Evidence is kept for every passage: the window that entails the claim best or, where none entails it, the
window with the largest entailment or contradiction. Of windows with equal rounded scores it is the first one, so that
the rounding error of a batch rarely decides. The builtin checker then shows the deciding sentences of flagged claims
instead (evidence.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_eval.checkers.windows import Window
from graph_eval.types import Evidence, Judgement, Label, Scores

NO_PASSAGE = "no_passage"


def judgement_from(
    claim_id: str,
    scored_windows: Sequence[tuple[Window, Scores]],
    threshold: float,
    p_inconsistent: float | None = None,
    reason: str | None = None,
) -> Judgement:
    """The judgement of one claim. Without windows no passage could support it: Neutral, flagged.

    `p_inconsistent`: the checker's own probability. Without one it is 1 - max P(entailment) over the windows.
    """
    if not scored_windows:
        return Judgement(claim_id, Label.NEUTRAL, 1.0, flagged=True, reason=NO_PASSAGE)
    signs: dict[str, float] = {}
    if p_inconsistent is None:
        p_inconsistent = 1.0 - max(scores.entailment for _, scores in scored_windows)
        signs = {"contradiction": max(scores.contradiction for _, scores in scored_windows)}
    by_passage: dict[str, list[tuple[Window, Scores]]] = {}
    for window, scores in scored_windows:
        by_passage.setdefault(window.passage_id, []).append((window, scores))
    evidence = tuple(_evidence(passage_id, windows) for passage_id, windows in by_passage.items())
    p = rounded(p_inconsistent)
    judgement = Judgement(claim_id, None, p, flagged=False, evidence=evidence, reason=reason, signs=signs)
    return labelled(judgement, threshold)


def labelled(judgement: Judgement, threshold: float) -> Judgement:
    """The judgement with label, flag and order of evidence by this threshold.

    A label stays as long as its flag: no threshold tells a contradiction from what is only unsupported.
    """
    if judgement.p_inconsistent is None or judgement.reason == NO_PASSAGE:
        return judgement
    if judgement.label is not None and judgement.flagged == (judgement.p_inconsistent > threshold):
        return judgement
    evidence = judgement.evidence
    if judgement.p_inconsistent <= threshold:
        label = Label.ENTAILMENT
    elif any(entry.scores.contradiction > entry.scores.neutral for entry in evidence):
        label = Label.CONTRADICTION
    else:
        label = Label.NEUTRAL
    column = 2 if label is Label.CONTRADICTION else 0
    ordered = tuple(sorted(evidence, key=lambda entry: -entry.scores[column]))
    return replace(judgement, label=label, flagged=label is not Label.ENTAILMENT, evidence=ordered)


def _evidence(passage_id: str, windows: list[tuple[Window, Scores]]) -> Evidence:
    shown = [(window, Scores(*map(rounded, scores))) for window, scores in windows]
    window, scores = max(shown, key=lambda scored: scored[1].entailment)
    if scores.entailment <= 0.5:
        window, scores = max(shown, key=lambda scored: max(scored[1].entailment, scored[1].contradiction))
    return Evidence(passage_id, window.span, scores)


def rounded(probability: float) -> float:
    """Rounds to six digits, so that results do not depend on the batch shape. Scores are less precise than that."""
    return round(float(probability), 6)
