"""Reads the best candidates of a sentence again, in their place: the NLI model's verdict on the edited sentence.

The first ranker compares words. Whether the evidence supports the sentence with its new words, and whether a doubt
about other words remains, only shows in the edited sentence. `SECOND_FEATURES` describe it for the second ranker. The
NLI model alone is no judge of edits: it prefers those that say less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.calibration import probability
from graph_eval.correctors.candidates import KINDS
from graph_eval.nli.scorer import Reading
from graph_eval.types import Edit, Span

REREAD = 5  # candidates of a sentence that are read again
MAX_LOG_ODDS = 8.0  # of the first ranker; larger ones are clipped

# The second ranker's weights are bound to these names and their order.
SECOND_FEATURES = (
    *KINDS,
    *"first_log_odds margin place entailed_before entailed_after entailed_gain contradicted_before".split(),
    *"contradicted_after contradicted_gain doubt_old doubt_new doubt_rest doubt_rest_gain deletes length".split(),
    *"fluency_mean fluency_worst".split(),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the NLI model says of a sentence: entailment, contradiction, and its doubts about each piece."""

    entailment: float = 0.0
    contradiction: float = 0.0
    doubts: tuple[tuple[Span, float], ...] = ()

    @classmethod
    def of(cls, reading: Reading) -> Verdict:
        pieces = tuple((Span(piece.start, piece.end), probability(piece.log_odds)) for piece in reading.pieces)
        return cls(reading.scores.entailment, reading.scores.contradiction, pieces)

    def doubt(self, span: Span, inside: bool = True) -> float:
        """The highest doubt about a piece inside the span, or outside it. 0 for none."""
        return max((p for own, p in self.doubts if own.overlaps(span) is inside), default=0.0)


def second_features(
    kinds: Sequence[str],
    edits: Sequence[Sequence[Edit]],
    first: NDArray[np.float64],
    before: Verdict,
    after: Sequence[Verdict],
    fluency: Sequence[tuple[float, float]],
) -> NDArray[np.float64]:
    """The features of the best candidates of one sentence (n, SECOND_FEATURES).

    `kinds`, `edits`: of each candidate. `first`: the first ranker's probabilities, falling. `after`: verdicts on the
    edited sentences. `fluency`: the change of the mean log probability of a word, and of the lowest one. An exchange of
    two phrases has the `first` of the single edit that it grew out of; its words reach from one phrase to the other.
    """
    odds = np.log((first + 1e-6) / (1 - first + 1e-6)).clip(-MAX_LOG_ODDS, MAX_LOG_ODDS)
    rows = np.zeros((len(kinds), len(SECOND_FEATURES)))
    for place, (kind, own, verdict, change) in enumerate(zip(kinds, edits, after, fluency, strict=True)):
        others = np.delete(odds, place)
        old = Span(min(edit.span.start for edit in own), max(edit.span.end for edit in own))
        growth = sum(len(edit.new) - len(edit.old) for edit in own)
        new = Span(old.start, max(old.start + 1, old.end + growth))
        rest_before, rest_after = before.doubt(old, inside=False), verdict.doubt(new, inside=False)
        deletes = not any(edit.new.strip() for edit in own)
        values = {
            kind: 1.0,
            "first_log_odds": odds[place],
            "margin": odds[place] - (others.max() if len(others) else -MAX_LOG_ODDS),
            "place": float(place),
            "entailed_before": before.entailment,
            "entailed_after": verdict.entailment,
            "entailed_gain": verdict.entailment - before.entailment,
            "contradicted_before": before.contradiction,
            "contradicted_after": verdict.contradiction,
            "contradicted_gain": verdict.contradiction - before.contradiction,
            "doubt_old": before.doubt(old),
            "doubt_new": 0.0 if deletes else verdict.doubt(new),
            "doubt_rest": rest_after,
            "doubt_rest_gain": rest_after - rest_before,
            "deletes": float(deletes),
            "length": math.log1p(sum(len(edit.old.split()) for edit in own)),
            "fluency_mean": change[0],
            "fluency_worst": change[1],
        }
        rows[place] = [float(values.get(name, 0.0)) for name in SECOND_FEATURES]
    return rows
