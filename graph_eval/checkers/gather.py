"""The gathered premise: sentences anywhere in the passages that together hold the terms of a claim.

A window of neighbours lacks what a claim has joined from several places. Here sentences are taken one by one, each time
the one that holds most of the terms still missing, rare terms counting more: the greedy algorithm for set cover
(V. Chvatal, A greedy heuristic for the set-covering problem, 1979).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from graph_eval.checkers.windows import IndexedPassage, Window, index, terms
from graph_eval.text.sentences import words_in
from graph_eval.types import Passage

MOST_SENTENCES = 5
MOST_WORDS = 120


def gather(
    passages: Sequence[Passage], query: str, most_sentences: int = MOST_SENTENCES, most_words: int = MOST_WORDS
) -> list[Window]:
    """The sentences that together hold the query's terms, in the order of the passages, each a window of its own.

    The best sentence is taken even if it alone has more than `most_words`. [] if no sentence holds a term.
    """
    indexed = [index(passage) for passage in passages]
    wanted = terms(query)
    held = {
        (number, place): found
        for number, passage in enumerate(indexed)
        for place, stems in enumerate(passage.stems)
        if (found := stems & wanted)
    }
    weights = rarity(indexed, wanted)
    missing, room = set(wanted), most_words
    taken: list[tuple[int, int]] = []
    while held and len(taken) < most_sentences:
        # Of equal gain: the one with more of the query in all, then the first.
        best = max(held, key=lambda key: (_sum(weights, held[key] & missing), _sum(weights, held[key])))
        found = held.pop(best)
        if not found & missing:
            break
        size = words_in(_sentence(indexed, best).text)
        if size <= room or not taken:
            taken.append(best)
            missing -= found
            room -= size
    return [_sentence(indexed, key) for key in sorted(taken)]


def rarity(indexed: Sequence[IndexedPassage], wanted: frozenset[str]) -> dict[str, float]:
    """Inverse sentence frequency of the terms over these passages alone."""
    frequency = Counter(term for passage in indexed for stems in passage.stems for term in stems & wanted)
    total = sum(len(passage.stems) for passage in indexed)
    return {term: 1.0 + math.log((1 + total) / (1 + frequency[term])) for term in wanted}


def _sum(weights: dict[str, float], found: frozenset[str] | set[str]) -> float:
    return math.fsum(weights[term] for term in found)


def _sentence(indexed: Sequence[IndexedPassage], key: tuple[int, int]) -> Window:
    number, place = key
    return indexed[number].window(place, place + 1)
