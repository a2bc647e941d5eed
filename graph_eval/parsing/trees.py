"""The tree with the best sum of scores, one word of which depends on the root (McDonald et al. 2005)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CANDIDATES = 3  # heads of a word that are considered where the best ones make no tree


def tree_of(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """The head of each word, from 1; 0 is the root. `scores` (words, words + 1): of each head, the root first."""
    heads: NDArray[np.int64] = scores.argmax(axis=1)
    if _is_tree(heads):
        return heads
    words = np.arange(len(scores))
    likely = words[heads == 0] if (heads == 0).any() else [int(scores[:, 0].argmax())]
    trees = [_rooted(scores, int(root)) for root in likely]
    return max(trees, key=lambda tree: float(scores[words, tree].sum()))


def _is_tree(heads: NDArray[np.int64]) -> bool:
    """Whether one word depends on the root and every word is below it."""
    if np.count_nonzero(heads == 0) != 1:
        return False
    above = heads
    for _ in range(len(heads).bit_length()):
        above = np.where(above == 0, 0, above[above - 1])  # twice as far up each time
    return not above.any()


def _rooted(scores: NDArray[np.float64], root: int) -> NDArray[np.int64]:
    """The best tree in which only the word `root` (from 0) depends on the root."""
    words = np.arange(len(scores))
    given = scores[:, 1:].copy()
    given[words, words] = -np.inf
    order = np.argsort(-scores[:, 1:], axis=1, kind="stable")[:, :CANDIDATES]
    weights = np.full_like(given, -np.inf)
    weights[words[:, None], order] = given[words[:, None], order]
    weights[:, root] = given[:, root]  # so that there is a tree
    heads = _best_below(weights, root) + 1
    heads[root] = 0
    return heads


def _best_below(weights: NDArray[np.float64], root: int) -> NDArray[np.int64]:
    """The head of each word in the best tree below the word `root`, by Chu, Liu and Edmonds. That of `root` is itself.

    `weights` (words, heads) is changed. A cycle of best heads becomes one word, which stands at the place of one of its
    words, until there is none. Then the cycles are opened again, the last one first.
    """
    heads: NDArray[np.int64] = weights.argmax(axis=1)
    heads[root] = root
    closed = []
    for start in range(len(heads)):
        while len(cycle := _cycle(heads, start, root)):
            place, within = cycle[0], heads[cycle].copy()
            entering = weights[cycle] - weights[cycle, within][:, None]
            entering[:, cycle] = -np.inf
            entered, left = cycle[entering.argmax(axis=0)], cycle[weights[:, cycle].argmax(axis=1)]
            weights[place] = entering.max(axis=0)
            weights[:, place] = weights[:, cycle].max(axis=1)
            weights[:, cycle[1:]] = -np.inf
            weights[place, place] = -np.inf
            heads[np.isin(heads, cycle)] = place
            heads[place] = weights[place].argmax()
            closed.append((cycle, within, entered, left))
    for cycle, within, entered, left in reversed(closed):
        place, above = cycle[0], heads[cycle[0]]
        below = heads == place
        below[cycle] = False
        heads[below] = left[below]
        heads[cycle] = within
        heads[entered[above]] = above
    return heads


def _cycle(heads: NDArray[np.int64], start: int, root: int) -> NDArray[np.int64]:
    """The words of the cycle that the way up from a word runs into, none where it comes to the root."""
    way: dict[int, int] = {}
    word = start
    while word != root and word not in way:
        way[word] = len(way)
        word = int(heads[word])
    return np.array([] if word == root else list(way)[way[word] :], dtype=np.int64)
