"""Which sentence of a passage is shown beside a doubted claim: the one that decides about it.

A premise of several sentences is judged as one, and its score says nothing about which sentence counts. What has most
words in common with a wrong claim is often another fact about the same subject. So each sentence is read by itself: it
decides if it says what the claim says or the opposite, and speaks of the same things. The subject counts half, since
most sentences of a passage are about it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from graph_eval.checkers.gather import rarity
from graph_eval.checkers.merge import rounded
from graph_eval.checkers.windows import IndexedPassage, Window, terms
from graph_eval.types import Claim, Evidence, Scores

MOST_READ = 6  # sentences that are read by themselves for a claim
SUBJECT_WEIGHT = 0.5  # of the terms of the subject
VERDICT_WEIGHT = 0.5  # of a sure verdict, against all terms of the claim


class Candidate(NamedTuple):
    """A sentence of a passage. `share`: the weight of the claim's terms that it has, of all, in [0, 1]."""

    sentence: Window
    share: float

    def relevance(self, scores: Scores) -> float:
        return self.share + VERDICT_WEIGHT * (scores.entailment + scores.contradiction)


def candidates(
    claim: Claim, windows: Iterable[Window], passages: Mapping[str, IndexedPassage]
) -> tuple[Candidate, ...]:
    """The sentences of the windows that have most to do with the claim, in the order of the windows."""
    weights = _weights(claim, list(passages.values()))
    total = math.fsum(weights.values()) or 1.0
    found = {
        sentence: Candidate(sentence, math.fsum(weights[term] for term in stems & weights.keys()) / total)
        for window in windows
        for sentence, stems in _sentences(window, passages[window.passage_id])
    }
    best = sorted(found.values(), key=lambda candidate: -candidate.share)[:MOST_READ]
    return tuple(candidate for candidate in found.values() if candidate in best)


def decisive(read: Sequence[tuple[Candidate, Scores]]) -> tuple[Evidence, ...]:
    """Of each passage the sentence that decides, with its own scores. The passage that decides most comes first."""
    best: dict[str, tuple[float, Evidence]] = {}
    for candidate, scores in read:
        sentence, relevance = candidate.sentence, rounded(candidate.relevance(scores))
        if sentence.passage_id not in best or relevance > best[sentence.passage_id][0]:
            shown = Evidence(sentence.passage_id, sentence.span, Scores(*map(rounded, scores)))
            best[sentence.passage_id] = relevance, shown
    return tuple(evidence for _, evidence in sorted(best.values(), key=lambda entry: -entry[0]))


def _sentences(window: Window, passage: IndexedPassage) -> Iterator[tuple[Window, frozenset[str]]]:
    for place, span in enumerate(passage.spans):
        if window.span.start <= span.start and span.end <= window.span.end:
            yield passage.window(place, place + 1), passage.stems[place]


def _weights(claim: Claim, passages: Sequence[IndexedPassage]) -> dict[str, float]:
    """Of each term of the claim how rare it is in the passages, half as much for a term of the subject."""
    wanted = terms(claim.text)
    found = rarity(passages, wanted)
    highest = max(found.values(), default=1.0)
    subject = terms(claim.slots[0].text) if len(claim.slots) > 1 else frozenset()
    return {term: found.get(term, highest) * (SUBJECT_WEIGHT if term in subject else 1.0) for term in sorted(wanted)}
