"""Cosine similarity of the response's vector and those of its samples (real-time SelfCheckGPT).

The score of a response is 1 - the mean over the samples of the cosine of the whole texts. The published method gives no
score for a sentence. Here it is 1 - the mean over the samples of the largest cosine with a sentence of the sample, as
in BERTScore. The vectors are those of words by default, and of a sentence encoder with `cosine:MODEL`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan

from graph_eval.consistency.embedding import Embedder, Matrix, WordVectors, cosines
from graph_eval.consistency.method import Consistency, Method, SampleTask, by_sample, mean
from graph_eval.registry import method
from graph_eval.settings import OF_TORCH, Settings
from graph_eval.text.sentences import sentences

VERSION = "cosine-1"


@method(
    "cosine", argument="[MODEL]", example="cosine:sentence-transformers/all-MiniLM-L6-v2", reads=("threads", *OF_TORCH)
)
class CosineMethod(Method):
    """`embedder`: any object with `embed`; by default the words themselves."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self.embedder = embedder or WordVectors()
        self.parts = (self.embedder,)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> CosineMethod:
        if argument is None:
            return cls()
        from graph_eval.consistency.encoder import Encoder

        return cls(Encoder(argument, settings))

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.embedder.fingerprint}"

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
        return [self._task(task) for task in tasks]

    def _task(self, task: SampleTask) -> Consistency:
        own = [span.of(task.text.text) for span in task.sentences]
        theirs = [sentences_of(sample.text) for sample in task.samples]
        texts = [task.text.text, *(sample.text for sample in task.samples), *own]
        texts += [sentence for group in theirs for sentence in group]
        distinct = list(dict.fromkeys(texts))
        places = {text: place for place, text in enumerate(distinct)}
        vectors = self.embedder.embed(distinct)

        def of(group: Sequence[str]) -> Matrix:
            return vectors[[places[text] for text in group]]

        similar = [cosines(of(own), of(group)).max(axis=1, initial=-1.0) if own else () for group in theirs]
        rows = [[dissimilar(column[place]) for column in similar] for place in range(len(own))]
        whole = cosines(of([task.text.text]), of([sample.text for sample in task.samples]))[0]
        # A text without a sentence states nothing.
        score = mean([dissimilar(value) for value in whole]) if own else None
        return replace(by_sample(task, rows), score=score)


def dissimilar(cosine: float) -> float:
    """1 - the cosine, in [0, 1]: opposite vectors are no more unlike than unrelated ones."""
    if isnan(cosine):
        raise ValueError("the embedder gave a vector that is not a number")
    return float(min(1.0, max(0.0, 1.0 - cosine)))


def sentences_of(text: str) -> list[str]:
    """The sentences of a text. A text without one is one sentence."""
    return [sentence.span.of(text) for sentence in sentences(text)] or [text]
