"""MiniCheck (github.com/Liyan06/MiniCheck, minicheck/inference.py; arXiv 2404.10774) in its three sizes.

A document is read in chunks of whole sentences, of 500 words for Flan-T5 and 400 tokens for the others. The best chunk
decides. Flan-T5-Large (huggingface.co/lytang/MiniCheck-Flan-T5-Large) reads "predict: DOCUMENT</s>CLAIM"; P(consistent)
is the softmax over the tokens 3 and 209 ("" and "1") of the first decoding step. RoBERTa-Large and DeBERTa-v3-Large
read the two texts with the tokenizer's end token between them; P(consistent) is the softmax over two classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graph_eval.checkers.hf.engine import Array
from graph_eval.checkers.hf.published import PromptedClassifier, PublishedChecker, chunks_of
from graph_eval.checkers.hf.t5 import FirstTokenChecker
from graph_eval.checkers.windows import Window
from graph_eval.nli.scores import binary, softmax
from graph_eval.registry import checker
from graph_eval.settings import OF_TORCH
from graph_eval.text.sentences import runs, words_in
from graph_eval.types import Passage, Scores

NO, YES = 3, 209  # token ids of the answer


class Chunked(PublishedChecker):
    """`chunk`: the maximum size of joined sentences. `size`: the function that measures it."""

    chunk: int

    def size(self) -> Callable[[str], int]:
        return words_in

    def windows(self, passages_and_claims: Sequence[tuple[Passage, str]]) -> list[list[Window]]:
        size = self.size()
        return [chunks_of(passage, runs(passage.text, self.chunk, size)) for passage, _ in passages_and_claims]


@checker("minicheck", argument="[FOLDER]", reads=("threads", *OF_TORCH), extra="hf")
class MiniCheckChecker(Chunked, FirstTokenChecker):
    """MiniCheck-Flan-T5-Large."""

    repository = "lytang/MiniCheck-Flan-T5-Large"
    revision = "96eafd01cee2d16cf81aaa2fb226b14f422a37b3"
    limit = 2048
    chunk = 500

    def prompt(self, premise: str, hypothesis: str) -> str:
        return f"predict: {premise}{self.tokenizer.eos_token}{hypothesis}"

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        return self.first(model, tensors)[:, [NO, YES]]

    def scores(self, row: Array) -> Scores:
        return binary(float(softmax(row)[1]))


@checker("minicheck-roberta", argument="[FOLDER]", reads=("threads", *OF_TORCH), extra="hf")
class MiniCheckRobertaChecker(Chunked, PromptedClassifier):
    """MiniCheck-RoBERTa-Large."""

    repository = "lytang/MiniCheck-RoBERTa-Large"
    chunk = 400

    def size(self) -> Callable[[str], int]:
        return self.tokens

    def prompt(self, premise: str, hypothesis: str) -> str:
        return f"{premise}{self.tokenizer.eos_token}{hypothesis}"


@checker("minicheck-deberta", argument="[FOLDER]", reads=("threads", *OF_TORCH), extra="hf")
class MiniCheckDebertaChecker(MiniCheckRobertaChecker):
    """MiniCheck-DeBERTa-v3-Large."""

    repository = "lytang/MiniCheck-DeBERTa-v3-Large"
    revision = "2f2d01a54fa022a7ffadb76260e1ea8bc88c82bb"
    limit = 2048
