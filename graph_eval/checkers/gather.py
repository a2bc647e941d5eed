"""The gathered premise: the sentences anywhere in the passages that have most to do with a claim.

A window of neighbours lacks what a claim has joined from several places. A sentence's score is the sum of the weights
of the terms that it shares with the claim, rare terms counting more, and a part of its better neighbour's score: what a
pronoun stands for, or what limits a rule, often stands beside the words of the claim.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from graph_eval.checkers.windows import IndexedPassage, Window, terms

MOST_WORDS = 110
LEAST_ROOM = 8  # words; with less room no further sentence is tried
NEIGHBOUR_WEIGHT = 0.35  # share of its better neighbour's score that a sentence gets


def gather(
    passages: Sequence[IndexedPassage], query: str, most_words: int = MOST_WORDS, *, fill: bool = False
) -> list[Window]:
    """The sentences with the highest scores, in the order of the passages, each once and a window of its own.

    The best sentence is taken even if it alone has more than `most_words`. `fill`: sentences that have nothing to do
    with the query are taken too, while there is room. Without it the list is empty if no sentence shares a term.
    """
    taken: dict[str, tuple[int, int, Window]] = {}  # by the text in lower case
    room = most_words
    for score, number, place in sorted(_scored(passages, query), key=lambda entry: -entry[0]):
        if (taken and room < LEAST_ROOM) or (score <= 0.0 and not fill):
            break
        size = passages[number].sizes[place]
        if size > room and taken:
            continue
        window = passages[number].window(place, place + 1)
        if window.text and window.text.casefold() not in taken:
            taken[window.text.casefold()] = number, place, window
            room -= size
    return [window for *_, window in sorted(taken.values(), key=lambda entry: entry[:2])]


def _scored(passages: Sequence[IndexedPassage], query: str) -> Iterator[tuple[float, int, int]]:
    """Of every sentence its score, the number of its passage, and its place in it, in order."""
    wanted = terms(query)
    frequency = Counter(term for passage in passages for stems in passage.stems for term in stems & wanted)
    total = 1 + sum(len(passage.stems) for passage in passages)
    for number, passage in enumerate(passages):
        own = [math.fsum(math.log(total / frequency[term]) for term in stems & wanted) for stems in passage.stems]
        for place, score in enumerate(own):
            near = max(own[max(0, place - 1) : place] + own[place + 1 : place + 2], default=0.0)
            yield score + NEIGHBOUR_WEIGHT * near, number, place
