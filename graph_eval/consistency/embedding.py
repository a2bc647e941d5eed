"""Vectors of texts and of their tokens. `Embedder` and `TokenEmbedder` are the interfaces; here is the offline one.

`WordVectors` counts words. It needs no model, and two texts are similar if they share words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graph_eval.text.normalise import content_words, stem

Matrix = NDArray[np.floating[Any]]


class Embedder(Protocol):
    """Vectors of whole texts. A vector of one call may only be compared with others of the same call."""

    @property
    def fingerprint(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Array (texts, dimensions). A text without any content has the vector 0."""
        ...


class TokenEmbedder(Protocol):
    """Contextual vectors of the tokens of a text."""

    @property
    def fingerprint(self) -> str: ...

    def embed_tokens(self, texts: Sequence[str]) -> list[tuple[Matrix, NDArray[np.bool_]]]:
        """For each text the array (tokens, dimensions), and which of the tokens are words of the text.

        The special tokens that a model puts around a text are not.
        """
        ...


class WordVectors:
    """Stems of content words by their frequency, 1 + log(count)."""

    fingerprint = "words-1"

    def embed(self, texts: Sequence[str]) -> Matrix:
        counts = [Counter(stem(word) for word, _ in content_words(text)) for text in texts]
        columns = {word: place for place, word in enumerate(sorted(set().union(*counts)))}
        vectors = np.zeros((len(texts), max(1, len(columns))))
        for row, found in enumerate(counts):
            for word, count in found.items():
                vectors[row, columns[word]] = 1.0 + np.log(count)
        return vectors


def cosines(one: Matrix, other: Matrix) -> Matrix:
    """The cosine of each row of one with each row of the other, in [-1, 1]. A zero vector has cosine 0 with all."""
    return _unit(one) @ _unit(other).T


def _unit(vectors: Matrix) -> Matrix:
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)
