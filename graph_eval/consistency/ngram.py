"""An n-gram model of the response and its samples: how surprising the words of a sentence are (SelfCheckGPT,
section 5.3).

The model counts the n-grams of the response and of all samples, without smoothing. The surprise of a word is -log of
its probability given the n - 1 words before it. That of a sentence is the largest surprise of its words ("max") or the
mean ("mean"). `surprises` returns it, which is the published score.

It depends on the length of the texts: in a long text even a word that every sample repeats is rare. So the score is
the surprise on a scale from 0 to 1 with three fixed points: 0.25 is the surprise of the most surprising sentence of the
response if all samples repeated the response, 0.5 if half of them did, and 1 is the largest surprise that a word of
these texts can have, log of their number of words. It is linear between them. So it orders the sentences of a response
exactly as the published score does, and what every sample repeats word by word is at most 0.25.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from graph_eval.consistency.method import Consistency, Method, SampleTask, SentenceScore, of_sentences
from graph_eval.errors import UsageError
from graph_eval.parsing.tokens import tokenizer
from graph_eval.registry import method
from graph_eval.settings import Settings
from graph_eval.text.sentences import sentences

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer

VERSION = "ngram-2"
START = "<s>"
SHARES, SCALE = (1.0, 0.5), (0.0, 0.25, 0.5, 1.0)  # shares of samples that repeat the response, and their places
Pooling = Literal["max", "mean"]
Gram = tuple[str, ...]


@method("ngram", argument="[N,max|mean]", example="ngram:2,max")
class NgramMethod(Method):
    """`n`: the length of the n-grams, 1 by default. `pooling`: "max" (default) or "mean" over the words of a sentence.

    Raises UsageError for an n below 1 or another pooling.
    """

    stepwise = False

    def __init__(self, n: int = 1, pooling: Pooling = "max") -> None:
        if n < 1 or pooling not in ("max", "mean"):
            raise UsageError(f"method ngram: {n},{pooling} is not valid", "write ngram:1,max or ngram:2,mean")
        self.n, self.pooling = n, pooling

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> NgramMethod:  # noqa: ARG003
        parts = [part.strip() for part in (argument or "").split(",") if part.strip()]
        numbers = [int(part) for part in parts if part.isdecimal()]
        poolings = [part for part in parts if not part.isdecimal()]
        if len(numbers) > 1 or len(poolings) > 1:
            raise UsageError(f"method ngram: {argument} is not valid", "write one number and one of max and mean")
        return cls(*(numbers or [1]), *(poolings or ["max"]))  # type: ignore[arg-type]

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.n}:{self.pooling}"

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
        return [self._task(task) for task in tasks]

    def _task(self, task: SampleTask) -> Consistency:
        counts = self._counted(task)
        points = (0.0, *(self._repeated(task, counts, share) for share in SHARES), counts.largest)
        found = [
            SentenceScore(span, None if value is None else round(float(np.interp(value, points, SCALE)), 6))
            for span, value in zip(task.sentences, self._surprises(task, counts), strict=True)
        ]
        return of_sentences(found)

    def surprises(self, task: SampleTask) -> tuple[list[float | None], float]:
        """The surprise of each sentence, in nats, and the largest that a word of these texts can have.

        None for a sentence without words.
        """
        counts = self._counted(task)
        return self._surprises(task, counts), counts.largest

    def _surprises(self, task: SampleTask, counts: Counts) -> list[float | None]:
        return [
            self._pooled([counts.surprise(gram, counts.grams[gram]) for gram in self._grams(sentence)])
            for sentence in task.own()
        ]

    def _repeated(self, task: SampleTask, counts: Counts, share: float) -> float:
        """The largest surprise of a sentence if that share of the samples repeated the response."""
        own = Counter(gram for sentence in _sentences(task.whole()) for gram in self._grams(sentence))
        times = 1 + share * len(task.samples)
        values = [
            self._pooled([counts.surprise(gram, own[gram] * times) for gram in self._grams(sentence)])
            for sentence in task.own()
        ]
        return max((value for value in values if value is not None), default=0.0)

    def _counted(self, task: SampleTask) -> Counts:
        grams = Counter(
            gram
            for text in (task.whole(), *task.theirs())
            for sentence in _sentences(text)
            for gram in self._grams(sentence)
        )
        histories: Counter[Gram] = Counter()
        for gram, count in grams.items():
            histories[gram[:-1]] += count
        return Counts(grams, histories, math.log(max(2, grams.total())))

    def _grams(self, sentence: str) -> list[Gram]:
        words = [START] * (self.n - 1) + tokens(sentence)
        return [tuple(words[place : place + self.n]) for place in range(len(words) - self.n + 1)]

    def _pooled(self, values: Sequence[float]) -> float | None:
        if not values:
            return None
        return max(values) if self.pooling == "max" else sum(values) / len(values)


class Counts(NamedTuple):
    """The n-grams of some texts, and the words before their last one. `largest`: the surprise of a word that occurs
    once in all of them."""

    grams: Counter[Gram]
    histories: Counter[Gram]
    largest: float

    def surprise(self, gram: Gram, count: float) -> float:
        """That of the last word of an n-gram if it occurred so often."""
        # A sentence that is cut in another way than those of the text can have words that were not counted.
        if not count:
            return self.largest
        return min(self.largest, max(0.0, -math.log(count / self.histories[gram[:-1]])))


def _sentences(text: str) -> list[str]:
    return [sentence.span.of(text) for sentence in sentences(text)]


_lock = threading.Lock()  # a tokenizer keeps the words that it has seen


@cache
def _tokenizer() -> Tokenizer:
    return tokenizer()


def tokens(text: str) -> list[str]:
    """The words and marks of a text in lower case, by spaCy's tokenizer, as in selfcheckgpt."""
    with _lock:
        return [token.text.lower() for token in _tokenizer()(text) if not token.is_space]
