"""The gathered premise: the sentences anywhere in the passages that have most to do with a claim.

A window of neighbours lacks what a claim has joined from several places. So sentences are taken one by one first, each
time the one that holds most of the terms still missing, rare terms counting more: the greedy algorithm for set cover
(V. Chvatal, A greedy heuristic for the set-covering problem, 1979). The room that is left goes to the sentences with
the highest scores. A score is the sum of the weights of the terms that a sentence shares with the claim, and a part of
its better neighbour's score: what a pronoun stands for, or what limits a rule, often stands beside the words of the
claim.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from graph_eval.checkers.windows import IndexedPassage, Window, terms

MOST_WORDS = 110
MOST_COVERING = 5  # sentences that are taken for terms that are still missing
LEAST_ROOM = 8  # words; with less room no further sentence is tried
NEIGHBOUR_WEIGHT = 0.35  # share of its better neighbour's score that a sentence gets


def gather(
    passages: Sequence[IndexedPassage], query: str, most_words: int = MOST_WORDS, *, fill: bool = False
) -> list[Window]:
    """The sentences with most to do with the query, in the order of the passages, each once and a window of its own.

    The best sentence is taken even if it alone has more than `most_words`. `fill`: sentences that have nothing to do
    with the query are taken too, while there is room. Without it the list is empty if no sentence shares a term.
    """
    wanted = terms(query)
    weights = rarity(passages, wanted)
    taken: dict[str, tuple[int, int, Window]] = {}  # by the text in lower case
    room = most_words
    for number, place in chain(_covering(passages, weights), _by_score(passages, weights, fill=fill)):
        if taken and room < LEAST_ROOM:
            break
        size = passages[number].sizes[place]
        if size > room and taken:
            continue
        window = passages[number].window(place, place + 1)
        if window.text and window.text.casefold() not in taken:
            taken[window.text.casefold()] = number, place, window
            room -= size
    return [window for *_, window in sorted(taken.values(), key=lambda entry: entry[:2])]


def rarity(passages: Sequence[IndexedPassage], wanted: frozenset[str]) -> dict[str, float]:
    """Inverse sentence frequency over these passages of the terms that they have."""
    frequency = Counter(term for passage in passages for stems in passage.stems for term in stems & wanted)
    total = 1 + sum(len(passage.stems) for passage in passages)
    return {term: math.log(total / count) for term, count in frequency.items()}


def _covering(passages: Sequence[IndexedPassage], weights: dict[str, float]) -> Iterator[tuple[int, int]]:
    """The passage and the place of sentences that together hold the terms, the best first."""
    missing = set(weights)
    held = {
        (number, place): found
        for number, passage in enumerate(passages)
        for place, stems in enumerate(passage.stems)
        if (found := stems & missing)
    }
    for _ in range(MOST_COVERING):
        if not missing:
            return
        # Of equal gain: the one with more of the query in all, then the first.
        best = max(held, key=lambda key: (weight(weights, held[key] & missing), weight(weights, held[key])))
        missing -= held.pop(best)
        yield best


def _by_score(
    passages: Sequence[IndexedPassage], weights: dict[str, float], *, fill: bool
) -> Iterator[tuple[int, int]]:
    """The passage and the place of sentences by falling score. `fill`: those with a score of 0, too."""
    scored: list[tuple[float, int, int]] = []
    for number, passage in enumerate(passages):
        own = [weight(weights, stems & weights.keys()) for stems in passage.stems]
        for place, score in enumerate(own):
            near = max(own[max(0, place - 1) : place] + own[place + 1 : place + 2], default=0.0)
            scored.append((score + NEIGHBOUR_WEIGHT * near, number, place))
    for score, number, place in sorted(scored, key=lambda entry: -entry[0]):
        if score > 0.0 or fill:
            yield number, place


def weight(weights: dict[str, float], found: Iterable[str]) -> float:
    """The sum of the weights of some terms."""
    return math.fsum(weights[term] for term in found)
