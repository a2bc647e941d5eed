"""Which sentence of a passage is shown beside a flagged claim: the one that decides about it.

A premise of several sentences is judged as one, and its score does not say which sentence counts. What has most words
in common with a wrong claim is often another fact about the same subject. So each sentence is read by itself: it
decides if it says what the claim says or the opposite, and speaks of the same things. The subject counts half, since
most sentences of a passage are about it. The weights were chosen on written contexts of the training split;
training/nli/shown.py measures them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from graph_eval.checkers.gather import rarity, weight
from graph_eval.checkers.merge import rounded
from graph_eval.checkers.windows import IndexedPassage, Window, terms
from graph_eval.types import Claim, Evidence, Scores

MOST_READ = 6  # sentences that are read by themselves for a claim, if they are of so few passages
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
    """The sentences of the windows that have most to do with the claim: of each passage the best, then others."""
    weights = _weights(claim, list(passages.values()))
    total = weight(weights, weights.keys()) or 1.0
    found = {
        sentence: Candidate(sentence, weight(weights, stems & weights.keys()) / total)
        for window in windows
        for sentence, stems in _sentences(window, passages[window.passage_id])
    }
    ranked = sorted(found.values(), key=lambda candidate: -candidate.share)
    best = list({candidate.sentence.passage_id: candidate for candidate in reversed(ranked)}.values())
    others = [candidate for candidate in ranked if candidate not in best and candidate.share > 0.0]
    return (*best, *others[: max(0, MOST_READ - len(best))])


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
            sentence = passage.window(place, place + 1)
            if sentence.text:
                yield sentence, passage.stems[place]


def _weights(claim: Claim, passages: Sequence[IndexedPassage]) -> dict[str, float]:
    """Of each term of the claim how rare it is in the passages, half as much for a term of the subject.

    A term that no sentence has counts as the rarest one: the more of a claim is not there, the more the verdicts count.
    """
    wanted = terms(claim.text)
    found = rarity(passages, wanted)
    highest = max(found.values(), default=1.0)
    subject = terms(claim.subject.text) if claim.subject else frozenset()
    return {term: found.get(term, highest) * (SUBJECT_WEIGHT if term in subject else 1.0) for term in sorted(wanted)}
