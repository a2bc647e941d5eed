"""BERTScore of a sentence with the most similar sentence of a sample (SelfCheckGPT, section 5.1).

BERTScore (arXiv 1904.09675): each token of one sentence is matched with the most similar token of the other by the
cosine of their contextual vectors. Precision and recall are the means over the words of either sentence, F1 is their
harmonic mean. F1 is rescaled with a baseline, the mean F1 of unrelated sentences: (F1 - b) / (1 - b). The score against
a sample is 1 - the largest F1 with one of its sentences, limited to [0, 1].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.consistency.cosine import dissimilar, sentences_of
from graph_eval.consistency.embedding import Matrix, TokenEmbedder, cosines
from graph_eval.consistency.method import Consistency, Method, SampleTask, by_sample
from graph_eval.registry import method
from graph_eval.settings import OF_TORCH, Settings

VERSION = "bertscore-1"
MODEL, LAYER = "roberta-large", 17  # those of BERTScore for English
BASELINE = 0.83122575  # of F1 with them: rescale_baseline/en/roberta-large.tsv of bert_score 0.3.13, MIT
MIN_CHARACTERS = 4  # a shorter sentence of a sample is left out, as in selfcheckgpt
Tokens = tuple[Matrix, NDArray[np.bool_]]


@method("bertscore", argument="[MODEL]", example="bertscore:roberta-large", reads=("threads", *OF_TORCH), extra="hf")
class BERTScoreMethod(Method):
    """`embedder`: any object with `embed_tokens`. `baseline`: b above, 0 for scores without rescaling.

    `bertscore:MODEL` takes the last layer of another model and no baseline, since there is none for it.
    """

    def __init__(self, embedder: TokenEmbedder, baseline: float = 0.0) -> None:
        self.embedder = embedder
        self.parts = (embedder,)
        self.baseline = baseline

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> BERTScoreMethod:
        from graph_eval.consistency.encoder import Encoder

        if argument in (None, MODEL):
            return cls(Encoder(MODEL, settings, LAYER), BASELINE)
        return cls(Encoder(argument or MODEL, settings))

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.embedder.fingerprint}:{self.baseline}"

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency]:
        return [self._task(task) for task in tasks]

    def _task(self, task: SampleTask) -> Consistency:
        own = [span.of(task.text.text) for span in task.sentences]
        theirs = [long_enough(sentences_of(sample.text)) for sample in task.samples]
        texts = list(dict.fromkeys([*own, *(sentence for group in theirs for sentence in group)]))
        tokens = dict(zip(texts, self.embedder.embed_tokens(texts), strict=True)) if texts else {}
        pairs = {(sentence, other) for sentence in own for group in theirs for other in group}
        scores = {pair: f1(tokens[pair[1]], tokens[pair[0]]) for pair in pairs}
        rows = [
            [dissimilar(self._rescaled(max(scores[sentence, other] for other in group))) for group in theirs]
            for sentence in own
        ]
        return by_sample(task, rows)

    def _rescaled(self, value: float) -> float:
        return (value - self.baseline) / (1.0 - self.baseline)


def long_enough(texts: Sequence[str]) -> list[str]:
    """The texts without very short ones, unless all are short."""
    return [text for text in texts if len(text) >= MIN_CHARACTERS] or list(texts)


def f1(candidate: Tokens, reference: Tokens) -> float:
    """BERTScore's F1 of two sentences, without rescaling. 0 if one of them has no word."""
    (one, words), (other, other_words) = candidate, reference
    if not words.any() or not other_words.any():
        return 0.0
    # As in bert_score, special tokens can be the match of a word, and count for nothing themselves.
    similar: NDArray[np.floating[Any]] = cosines(one, other)
    precision = float(similar.max(axis=1)[words].mean())
    recall = float(similar.max(axis=0)[other_words].mean())
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
