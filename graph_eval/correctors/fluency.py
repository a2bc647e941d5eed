"""How likely a sentence reads, word by word: a trigram model over classes of words.

Closed-class words and marks stand for themselves, other words for their tag, with the sound they begin with, so that
"a" and "an" are told apart. Probabilities are interpolated from trigrams, bigrams and single classes by absolute
discounting (Ney, Essen and Kneser, 1994). The counts ship as sorted hashes (training/corrector/count_ngrams.py).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graph_eval.resources import folder

if TYPE_CHECKING:
    from graph_eval.correctors.candidates import Token

WEIGHTS = "fluency.npz"
CLOSED = frozenset({"DET", "ADP", "AUX", "PRON", "CCONJ", "SCONJ", "PART", "PUNCT", "SYM"})
START, END = "<s>", "</s>"
ORDER = 3
DISCOUNT = 0.7
LEAST = 1e-6  # share of a class that was never counted


def word_class(text: str, upos: str, xpos: str) -> str:
    """The class of a word. Names and other open classes also say whether they begin with a vowel's letter."""
    lowered = text.lower()
    if upos in CLOSED:
        return lowered
    if lowered[:1].isdigit():
        return f"{xpos}#"
    return f"{xpos}~" if lowered[:1] in "aeiou" else xpos


def classes(words: Iterable[Token]) -> list[str]:
    return [word_class(token.text, token.upos, token.xpos) for token in words]


@lru_cache(maxsize=100_000)
def key(ngram: tuple[str, ...]) -> int:
    """A hash of 32 bits. Two n-grams of the model share one by chance once in ten thousand."""
    return int.from_bytes(hashlib.blake2b("\t".join(ngram).encode(), digest_size=4).digest(), "little")


class Fluency:
    """The model. `keys`, `counts`: of n-grams, by their hash; `followers`: how many classes follow each history."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def builtin(cls) -> Fluency:
        """The model that ships in the package: one for each process."""
        return _builtin()

    @cached_property
    def digest(self) -> str:
        return hashlib.blake2b(self._path.read_bytes(), digest_size=8).hexdigest()

    @cached_property
    def _tables(self) -> tuple[dict[int, int], dict[int, tuple[int, int]]]:
        """Counts of n-grams; of each history its count and its followers."""
        with np.load(self._path, allow_pickle=False) as packed:
            counts = dict(zip(packed["keys"].tolist(), packed["counts"].tolist(), strict=True))
            totals = zip(packed["totals"].tolist(), packed["followers"].tolist(), strict=True)
            histories = dict(zip(packed["histories"].tolist(), totals, strict=True))
        return counts, histories

    def log_p(self, words: Sequence[Token]) -> NDArray[np.float64]:
        """Natural log of the conditional probability of each word, and of the end: (words + 1,)."""
        return self.log_p_of(classes(words))

    def log_p_of(self, found: Sequence[str]) -> NDArray[np.float64]:
        """The same for word classes."""
        padded = [START, START, *found, END]
        return np.array([math.log(self._p(tuple(padded[at - 2 : at + 1]))) for at in range(2, len(padded))])

    def _p(self, ngram: tuple[str, ...]) -> float:
        if not ngram:
            return LEAST
        counts, histories = self._tables
        lower = self._p(ngram[1:])
        known = histories.get(key(ngram[:-1]))
        if known is None:
            return lower
        total, followers = known
        own = max(0.0, counts.get(key(ngram), 0) - DISCOUNT)
        return max(LEAST, (own + DISCOUNT * followers * lower) / total)

    def change(self, before: Sequence[Token], after: Sequence[Token]) -> tuple[float, float]:
        """How an edit changes the likelihood.

        Compared are the words whose trigram differs: the new words and the two behind them, or at a deletion those
        behind the cut, with the old words and the two behind these. Returned are the change of their mean log
        probability, and of the lowest one. (0, 0) for equal sentences.
        """
        old, new = classes(before), classes(after)
        first = 0
        while first < min(len(old), len(new)) and old[first] == new[first]:
            first += 1
        last = 0
        while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
            last += 1
        if first == len(old) == len(new):
            return 0.0, 0.0
        parts = []
        for found in (old, new):
            logs = self.log_p_of(found)
            end = min(len(logs), len(found) - last + ORDER - 1)
            parts.append(logs[first : max(end, first + 1)])
        return float(parts[1].mean() - parts[0].mean()), float(parts[1].min() - parts[0].min())


@cache
def _builtin() -> Fluency:
    return Fluency(folder("weights/corrector") / WEIGHTS)
