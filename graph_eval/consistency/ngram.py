"""An n-gram model of the response and its samples: how surprising the words of a sentence are (SelfCheckGPT,
section 5.3).

The model counts the n-grams of the response and of all samples, without smoothing. The surprise of a word is -log of
its probability given the n - 1 words before it. That of a sentence is the largest surprise of its words ("max") or the
mean ("mean"). It has no upper limit by itself. Here it is divided by the largest surprise that a word of these texts
can have, log of their number of words, so that the score is in [0, 1]. It orders the sentences of a response exactly as
the published score does. `surprises` returns the published score.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal

from graph_eval.consistency.method import Consistency, Method, SampleTask, SentenceScore, of_sentences
from graph_eval.errors import UsageError
from graph_eval.parsing.tokens import tokenizer
from graph_eval.registry import method
from graph_eval.settings import Settings
from graph_eval.text.sentences import sentences

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer

VERSION = "ngram-1"
START = "<s>"
Pooling = Literal["max", "mean"]


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
        n, pooling = 1, "max"
        for part in (argument or "").split(","):
            word = part.strip()
            if word.isdecimal():
                n = int(word)
            elif word:
                pooling = word
        return cls(n, pooling)  # type: ignore[arg-type]

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.n}:{self.pooling}"

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
        return [self._task(task) for task in tasks]

    def _task(self, task: SampleTask) -> Consistency:
        surprises, largest = self.surprises(task)
        found = [
            SentenceScore(span, None if value is None else round(value / largest, 6))
            for span, value in zip(task.sentences, surprises, strict=True)
        ]
        return of_sentences(found)

    def surprises(self, task: SampleTask) -> tuple[list[float | None], float]:
        """The surprise of each sentence, in nats, and the largest that a word of these texts can have.

        None for a sentence without words.
        """
        grams: Counter[tuple[str, ...]] = Counter()
        histories: Counter[tuple[str, ...]] = Counter()
        for text in (task.text, *task.samples):
            for sentence in sentences(text.text):
                self._count(sentence.span.of(text.text), grams, histories)
        # A sentence that is cut in another way than those of the text can have words that were not counted.
        total = max(2, grams.total())
        largest = math.log(total)
        return [self._surprise(span.of(task.text.text), grams, histories, largest) for span in task.sentences], largest

    def _grams(self, sentence: str) -> list[tuple[str, ...]]:
        words = [START] * (self.n - 1) + tokens(sentence)
        return [tuple(words[place : place + self.n]) for place in range(len(words) - self.n + 1)]

    def _count(self, sentence: str, grams: Counter[tuple[str, ...]], histories: Counter[tuple[str, ...]]) -> None:
        found = self._grams(sentence)
        grams.update(found)
        histories.update(gram[:-1] for gram in found)

    def _surprise(
        self, sentence: str, grams: Counter[tuple[str, ...]], histories: Counter[tuple[str, ...]], largest: float
    ) -> float | None:
        values = [
            min(largest, -math.log(grams[gram] / histories[gram[:-1]])) if grams[gram] else largest
            for gram in self._grams(sentence)
        ]
        if not values:
            return None
        return max(values) if self.pooling == "max" else sum(values) / len(values)


_lock = threading.Lock()  # a tokenizer keeps the words that it has seen


@cache
def _tokenizer() -> Tokenizer:
    return tokenizer()


def tokens(text: str) -> list[str]:
    """The words and marks of a text in lower case, by spaCy's tokenizer, as in selfcheckgpt."""
    with _lock:
        return [token.text.lower() for token in _tokenizer()(text) if not token.is_space]
