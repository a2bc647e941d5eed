"""T5 models whose answer is one word: TRUE, TrueTeacher, MiniCheck. Only the first step of the decoder is run.

TRUE (huggingface.co/google/t5_xxl_true_nli_mixture, arXiv 2204.04991) and TrueTeacher
(huggingface.co/google/t5_11b_trueteacher_and_anli, arXiv 2305.11171): "premise: P hypothesis: H"; P(consistent) is the
probability of the token "1". MiniCheck-Flan-T5-Large (huggingface.co/lytang/MiniCheck-Flan-T5-Large, arXiv 2404.10774):
"predict: DOCUMENT</s>CLAIM", documents in chunks of 500 words; the softmax over the tokens 3 and 209 ("" and "1").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph_eval.check.builtin import softmax
from graph_eval.check.hf.engine import Array, Encoded
from graph_eval.check.hf.loading import pretrained
from graph_eval.check.hf.published import Pair, PublishedChecker, binary, prompted
from graph_eval.check.windows import Window
from graph_eval.text.sentences import runs, words_in
from graph_eval.types import Claim, Passage, Scores

NO, YES = 3, 209  # tokens of MiniCheck's answer
CHUNK = 500  # words


class FirstTokenChecker(PublishedChecker):
    """A sequence-to-sequence model of which the first token decides."""

    def load(self, device: Any, dtype: Any) -> Any:
        from transformers import AutoModelForSeq2SeqLM

        return pretrained(AutoModelForSeq2SeqLM.from_pretrained, self.source, dtype=dtype).to(device)

    def first(self, model: Any, tensors: dict[str, Any]) -> Any:
        """Logits (n, vocabulary) of the first token."""
        import torch

        start = torch.full((len(tensors["input_ids"]), 1), model.config.decoder_start_token_id)
        return model(**tensors, decoder_input_ids=start.to(tensors["input_ids"].device)).logits[:, 0]


class TrueChecker(FirstTokenChecker):
    """TRUE's T5-XXL."""

    repository = "google/t5_xxl_true_nli_mixture"

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        return prompted(self.tokenizer, [f"premise: {premise} hypothesis: {claim}" for premise, claim in pairs])

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        yes = self.tokenizer("1")["input_ids"][0]
        return self.first(model, tensors).float().softmax(-1)[:, yes : yes + 1]

    def scores(self, row: Array) -> Scores:
        return binary(float(row[0]))


class TrueTeacherChecker(TrueChecker):
    """TrueTeacher's T5-11B."""

    repository = "google/t5_11b_trueteacher_and_anli"
    limit = 2048


class MiniCheckChecker(FirstTokenChecker):
    """MiniCheck-Flan-T5-Large. Chunks of whole sentences; the best one decides."""

    repository = "lytang/MiniCheck-Flan-T5-Large"
    limit = 2048

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        mark = self.tokenizer.eos_token
        return prompted(self.tokenizer, [f"predict: {premise}{mark}{claim}" for premise, claim in pairs])

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        return self.first(model, tensors)[:, [NO, YES]]

    def scores(self, row: Array) -> Scores:
        return binary(float(softmax(row)[1]))

    def windows(self, asked: Sequence[tuple[Passage, Claim]]) -> list[list[Window]]:
        return [
            [Window(passage.id, span, span.of(passage.text)) for span in runs(passage.text, CHUNK, words_in)]
            for passage, _ in asked
        ]
