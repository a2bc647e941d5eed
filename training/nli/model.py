"""The NLI cross-encoder behind the builtin checker.

A BERT encoder (MiniLM: hidden size 384) reads "premise [SEP] claim"; a small head reads
[CLS; u; v; |u - v|; u * v], where u and v are the mean token states of premise and claim. A second head says of each
token of the claim whether it is what the premise does not support.
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

HIDDEN = 384
OPTIONAL = frozenset({"words.weight", "words.bias"})  # weights that older checkpoints lack


def encoder(layers: int) -> BertModel:
    """A BERT encoder in the shape of MiniLM, not trained."""
    shape = BertConfig(
        vocab_size=30522,
        hidden_size=HIDDEN,
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=4 * HIDDEN,
        max_position_embeddings=512,
    )
    built: BertModel = BertModel._from_config(shape, attn_implementation="eager", add_pooling_layer=False)
    return built


class CrossEncoder(nn.Module):
    """Token ids (batch, length) -> logits (batch, 3): entailment, neutral, contradiction; and (batch, length).

    The latter are logits that a token of the claim is unsupported. Those of other tokens mean nothing.
    """

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.layers = layers
        self.enc = encoder(layers)
        self.fc = classifier(HIDDEN)
        self.words = nn.Linear(HIDDEN, 1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> tuple[Tensor, Tensor]:
        # The additive mask is made here, not inside the encoder, so that the exported graph stays plain.
        hidden_from = (1.0 - attention_mask[:, None, None, :].float()) * -1e9
        states = self.enc(
            input_ids=input_ids, attention_mask=hidden_from, token_type_ids=token_type_ids
        ).last_hidden_state
        logits: Tensor = self.fc(pooled(states, attention_mask, token_type_ids))
        return logits, self.words(states).squeeze(-1)


def classifier(hidden: int) -> nn.Sequential:
    """The head over `pooled`: (batch, 5 * hidden) -> (batch, 3)."""
    return nn.Sequential(nn.Linear(5 * hidden, hidden), nn.Tanh(), nn.Dropout(0.1), nn.Linear(hidden, 3))


def pooled(states: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
    """[CLS; u; v; |u - v|; u * v] of token states (batch, length, hidden): (batch, 5 * hidden)."""
    in_claim = (token_type_ids * attention_mask).to(states.dtype)
    in_premise = attention_mask.to(states.dtype) - in_claim
    u, v = mean(states, in_premise), mean(states, in_claim)
    return torch.cat([states[:, 0], u, v, (u - v).abs(), u * v], dim=-1)


def mean(states: Tensor, mask: Tensor) -> Tensor:
    return (states * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


def load(checkpoint: Path) -> CrossEncoder:
    """Reads {"model": state dict} without unpickling anything but tensors.

    A checkpoint without the head over words gets a fresh one. Raises ValueError where other weights are missing.
    """
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)["model"]
    layers = 1 + max(int(name.split(".")[3]) for name in state if name.startswith("enc.encoder.layer."))
    model = CrossEncoder(layers)
    found = model.load_state_dict({name: value.float() for name, value in state.items()}, strict=False)
    if wrong := [name for name in (*found.missing_keys, *found.unexpected_keys) if name not in OPTIONAL]:
        raise ValueError(f"{checkpoint}: weights that do not fit: {', '.join(wrong)}")
    return model.eval()
