"""AlignScore-large (huggingface.co/yzha/AlignScore, arXiv 2305.16739): an alignment function on RoBERTa.

As in inference.py and model.py of AlignScore, which refchecker 0.2.17 contains (checker/alignscore), mode nli_sp: the
passage is cut into chunks of so many sentences that a chunk has some 350 words, the claim into sentences. The three-way
layer reads the pooled first token. The score is the mean over the claim's sentences of the best chunk's. This package
cuts the sentences, not NLTK. The weights are a checkpoint of pytorch-lightning, of which only tensors are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph_eval.checkers.hf.engine import Array
from graph_eval.checkers.hf.loading import from_pretrained, load_tokenizer, local_or_hub, weights, with_weights
from graph_eval.checkers.hf.published import PairClassifier, chunks_of
from graph_eval.checkers.windows import Window
from graph_eval.nli.scores import softmax
from graph_eval.registry import checker
from graph_eval.settings import OF_TORCH
from graph_eval.text.sentences import sentences, words_in
from graph_eval.types import Passage, Scores, Span

CHUNK = 350  # words
FILES = ("AlignScore-large.ckpt", "AlignScore-base.ckpt", "alignscore.ckpt")
BASES = {1024: "roberta-large", 768: "roberta-base"}  # by hidden size: the model that a checkpoint was tuned from


@checker("alignscore", argument="[FOLDER]", reads=("threads", *OF_TORCH), extra="hf")
class AlignScoreChecker(PairClassifier):
    """`model`: a folder with a checkpoint, or the checkpoint file. If its folder has no config.json or tokenizer, those
    of RoBERTa are loaded from the hub."""

    repository = "yzha/AlignScore"

    def load_tokenizer(self) -> Any:
        return load_tokenizer(local_or_hub(self.source, "tokenizer_config.json", BASES[1024]))

    def load(self, device: Any, dtype: Any) -> Any:
        import torch
        from transformers import AutoConfig, RobertaModel

        state = weights(self.source, FILES)

        class Alignment(torch.nn.Module):  # type: ignore[misc]
            def __init__(self, config: Any) -> None:
                super().__init__()
                self.base_model = RobertaModel(config)
                self.tri_layer = torch.nn.Linear(config.hidden_size, 3)

            def forward(self, **tensors: Any) -> Any:
                return self.tri_layer(self.base_model(**tensors).pooler_output)

        size = len(state.get("tri_layer.weight", [[]])[0])
        base = local_or_hub(self.source, "config.json", BASES.get(size, BASES[1024]))
        model = Alignment(from_pretrained(AutoConfig, base))
        return with_weights(model, state, self.source).to(device=device, dtype=dtype)

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        return model(**tensors)

    def scores(self, row: Array) -> Scores:
        return Scores(*map(float, softmax(row)))

    def hypotheses(self, claim: str) -> list[str]:
        return [sentence.span.of(claim) for sentence in sentences(claim)] or [claim]

    def windows(self, passages_and_claims: Sequence[tuple[Passage, str]]) -> list[list[Window]]:
        return [chunks_of(passage, chunked(passage.text)) for passage, _ in passages_and_claims]


def chunked(text: str) -> list[list[Span]]:
    """The sentences in groups of equal number, of some CHUNK words each."""
    spans = [sentence.span for sentence in sentences(text)]
    size = max(1, len(spans) // (words_in(text) // CHUNK + 1))
    return [spans[start : start + size] for start in range(0, len(spans), size)]
