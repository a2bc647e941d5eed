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
    import networkx

    graph = networkx.DiGraph()
    graph.add_edge(0, root + 1, weight=0.0)
    for word, row in enumerate(scores):
        if word == root:
            continue
        graph.add_edge(root + 1, word + 1, weight=float(row[root + 1]))  # so that there is a tree
        for head in np.argsort(-row[1:], kind="stable")[:CANDIDATES] + 1:
            if head != word + 1:
                graph.add_edge(int(head), word + 1, weight=float(row[head]))
    tree = networkx.maximum_spanning_arborescence(graph, preserve_attrs=False)
    heads = np.zeros(len(scores), dtype=np.int64)
    for head, word in tree.edges:
        heads[word - 1] = head
    return heads
