"""Features of a claim: signs that the passages do not support it.

Each is a number that grows with doubt. `entailment`, `sentence`, `words` and `novelty` can only shrink when one more
premise is read. None looks at style: the share of text that is copied in one piece, or how long or dense a text is,
would punish honest paraphrase. `novelty` counts stems of single words, and weighs little.

Which features count, and how much, was learnt from development sets; see graph_eval/weights/nli/README.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graph_eval.nli import scores
from graph_eval.nli.scorer import Piece, Reading
from graph_eval.types import Span

MAX_LOG_ODDS = 5.0  # a model that is surer than this counts as this sure


class Features(NamedTuple):
    """The features, in the order of the calibration's weights."""

    entailment: float  # log odds against entailment of the claim's part of the sentence, or of all of it
    words: float  # the highest log odds that a word of the claim is unsupported
    numbers: float  # share of the claim's quantities that no passage states in any form, in [0, 1]
    apart: float  # <= 0: by how much its words are supported better than all words of its sentence; 0 if they are not
    sentence: float  # log odds against entailment of the whole sentence
    novelty: float  # share of the sentence's terms that no single premise has, in [0, 1]


def features(
    readings: Sequence[Reading], own: Sequence[Span] | None, numbers: float = 0.0, novelty: float = 0.0
) -> Features:
    """The features of a claim, from the readings (at least one) of its sentence. `own`: its words, None: all."""
    words, every = (min(word_log_odds(reading, those) for reading in readings) for those in (own, None))
    # Support alone is compared: a doubtful word is no better because another one is worse.
    apart = min(words, 0.0) - min(every, 0.0)
    sentence = doubt(readings)
    return Features(sentence, words, numbers, apart, sentence, novelty)


def doubt(readings: Sequence[Reading]) -> float:
    """Log odds against entailment by the premise that supports it best."""
    return min(-log_odds(reading.scores.entailment) for reading in readings)


def word_log_odds(reading: Reading, own: Sequence[Span] | None) -> float:
    """The highest log odds of the pieces that lie in `own` (None, or none there: of all pieces).

    Without pieces those against entailment.
    """
    found = [piece.log_odds for piece in reading.pieces if own is None or touches(piece, own)]
    found = found or [piece.log_odds for piece in reading.pieces] or [-log_odds(reading.scores.entailment)]
    return limited(max(found))


def touches(piece: Piece, spans: Iterable[Span]) -> bool:
    return any(piece.start < span.end and span.start < piece.end for span in spans)


def log_odds(probability: float) -> float:
    """The logit, limited to MAX_LOG_ODDS on either side."""
    return scores.log_odds(probability, MAX_LOG_ODDS)


def limited(odds: float) -> float:
    return max(-MAX_LOG_ODDS, min(MAX_LOG_ODDS, odds))
