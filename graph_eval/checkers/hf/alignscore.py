"""AlignScore-large (huggingface.co/yzha/AlignScore, arXiv 2305.16739): an alignment function on RoBERTa.

As in inference.py and model.py of AlignScore, which refchecker 0.2.17 carries (checker/alignscore): the passage in
chunks of as many sentences as make some 350 words, the claim sentence by sentence; the three-way layer over the pooled
first token; the best chunk of each sentence, their mean. The mode is nli_sp. Sentences are cut by our rules, not by
NLTK's. The weights are a checkpoint of pytorch-lightning, of which only tensors are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph_eval.checkers.builtin import softmax
from graph_eval.checkers.hf.engine import Array
from graph_eval.checkers.hf.loading import fitted, load_tokenizer, own_or, pretrained, weights
from graph_eval.checkers.hf.published import PairClassifier, chunks_of
from graph_eval.checkers.windows import Window
from graph_eval.registry import checker
from graph_eval.settings import OF_TORCH
from graph_eval.text.sentences import sentences, words_in
from graph_eval.types import Passage, Scores, Span

CHUNK = 350  # words
FILES = ("AlignScore-large.ckpt", "AlignScore-base.ckpt", "alignscore.ckpt")
BASES = {1024: "roberta-large", 768: "roberta-base"}  # whose shape and tokenizer a checkpoint has


@checker("alignscore", argument="[FOLDER]", reads=("threads", *OF_TORCH), extra="hf")
class AlignScoreChecker(PairClassifier):
    """`model`: a folder with a checkpoint, or the checkpoint itself. Where its folder lacks config.json and tokenizer,
    those of RoBERTa are taken from the hub."""

    repository = "yzha/AlignScore"

    def load_tokenizer(self) -> Any:
        return load_tokenizer(own_or(self.source, "tokenizer_config.json", BASES[1024]))

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
        base = own_or(self.source, "config.json", BASES.get(size, BASES[1024]))
        model = Alignment(pretrained(AutoConfig.from_pretrained, base))
        return fitted(model, state, self.source).to(device=device, dtype=dtype)

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        return model(**tensors)

    def scores(self, row: Array) -> Scores:
        return Scores(*map(float, softmax(row)))

    def hypotheses(self, claim: str) -> list[str]:
        return [sentence.span.of(claim) for sentence in sentences(claim)] or [claim]

    def windows(self, asked: Sequence[tuple[Passage, str]]) -> list[list[Window]]:
        return [chunks_of(passage, chunked(passage.text)) for passage, _ in asked]


def chunked(text: str) -> list[list[Span]]:
    """Groups of equally many sentences."""
    spans = [sentence.span for sentence in sentences(text)]
    size = max(1, len(spans) // (words_in(text) // CHUNK + 1))
    return [spans[start : start + size] for start in range(0, len(spans), size)]
