"""HHEM, the hallucination evaluation model of Vectara, in its two open versions.

HHEM-1.0-open (huggingface.co/vectara/hallucination_evaluation_model, revision hhem-1.0-open): a cross-encoder over
(premise, hypothesis), 512 tokens. The sigmoid of its one logit is P(consistent).

HHEM-2.1-open (the same repository, main): the encoder of flan-t5-base as a token classifier. P(consistent) is the
probability of the second label at the first token of its prompt, <pad>. Its remote code, which does not run with
transformers 5, is not used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graph_eval.checkers.hf.engine import Array
from graph_eval.checkers.hf.loading import load_tokenizer, local_or_hub, weights, with_weights
from graph_eval.checkers.hf.published import PairClassifier, PromptedChecker
from graph_eval.errors import MissingPartError
from graph_eval.nli.scores import binary, softmax
from graph_eval.registry import checker
from graph_eval.settings import OF_TORCH
from graph_eval.types import Scores

PROMPT = (
    "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {premise}\n\nHypothesis: {hypothesis}"
)
PREFIX = "t5."
SHARED = ("transformer.shared.weight", "transformer.encoder.embed_tokens.weight")


@checker("hhem-1.0", argument="[FOLDER]", reads=("threads", *OF_TORCH), extra="hf")
class HHEM1Checker(PairClassifier):
    """HHEM-1.0-open."""

    repository = "vectara/hallucination_evaluation_model"
    revision = "hhem-1.0-open"

    def scores(self, row: Array) -> Scores:
        return binary(float(1.0 / (1.0 + np.exp(-float(row[0])))))


@checker("hhem-2.1", argument="[FOLDER]", reads=("threads", *OF_TORCH), extra="hf")
class HHEM2Checker(PromptedChecker):
    """HHEM-2.1-open. If its folder has no tokenizer, the tokenizer of flan-t5-base is loaded from the hub."""

    repository = "vectara/hallucination_evaluation_model"
    limit = 2048

    def load_tokenizer(self) -> Any:
        return load_tokenizer(local_or_hub(self.source, "tokenizer_config.json", "google/flan-t5-base"))

    def load(self, device: Any, dtype: Any) -> Any:
        from transformers import T5ForTokenClassification

        state = {name.removeprefix(PREFIX): value for name, value in weights(self.source).items()}
        if not any(name in state for name in SHARED):
            raise MissingPartError(
                f"{self.source.name} is not the expected model: missing weights {SHARED[0]}", "use HHEM-2.1-open"
            )
        model = T5ForTokenClassification(t5_config(state))
        return with_weights(model, state, self.source, SHARED).to(device=device, dtype=dtype)

    def prompt(self, premise: str, hypothesis: str) -> str:
        return PROMPT.format(premise=premise, hypothesis=hypothesis)

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        return model(**tensors).logits[:, 0]

    def scores(self, row: Array) -> Scores:
        return binary(float(softmax(row)[1]))


def t5_config(state: dict[str, Any]) -> Any:
    """The configuration of a T5 token classifier, from the shapes of its weights."""
    from transformers import T5Config

    block = "transformer.encoder.block.0.layer."
    heads = state[f"{block}0.SelfAttention.relative_attention_bias.weight"].shape[1]
    inner, size = state[f"{block}0.SelfAttention.q.weight"].shape
    gated = f"{block}1.DenseReluDense.wi_0.weight" in state
    wide = state[f"{block}1.DenseReluDense.wi_0.weight" if gated else f"{block}1.DenseReluDense.wi.weight"].shape[0]
    layers = 1 + max(int(name.split(".")[3]) for name in state if name.startswith("transformer.encoder.block."))
    shared = next(state[name] for name in SHARED if name in state)
    return T5Config(
        vocab_size=shared.shape[0],
        d_model=size,
        d_kv=inner // heads,
        d_ff=wide,
        num_layers=layers,
        num_heads=heads,
        relative_attention_num_buckets=state[f"{block}0.SelfAttention.relative_attention_bias.weight"].shape[0],
        feed_forward_proj="gated-gelu" if gated else "relu",
        num_labels=state["classifier.weight"].shape[0],
    )
