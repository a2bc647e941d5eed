"""The NLI cross-encoder behind the builtin checker.

A BERT encoder of six layers (MiniLM) reads "premise [SEP] claim"; a small head reads
[CLS; u; v; |u - v|; u * v], where u and v are the mean token states of premise and claim.
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

ENCODER = BertConfig(
    vocab_size=30522,
    hidden_size=384,
    num_hidden_layers=6,
    num_attention_heads=12,
    intermediate_size=1536,
    max_position_embeddings=512,
)


class CrossEncoder(nn.Module):
    """Token ids (batch, length) -> logits (batch, 3): entailment, neutral, contradiction."""

    def __init__(self) -> None:
        super().__init__()
        hidden = ENCODER.hidden_size
        self.enc = BertModel._from_config(ENCODER, attn_implementation="eager", add_pooling_layer=False)
        self.fc = nn.Sequential(nn.Linear(5 * hidden, hidden), nn.Tanh(), nn.Dropout(0.1), nn.Linear(hidden, 3))

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        # The additive mask is made here, not inside the encoder, so that the exported graph stays plain.
        hidden_from = (1.0 - attention_mask[:, None, None, :].float()) * -1e9
        states = self.enc(
            input_ids=input_ids, attention_mask=hidden_from, token_type_ids=token_type_ids
        ).last_hidden_state
        in_claim = (token_type_ids * attention_mask).to(states.dtype)
        in_premise = attention_mask.to(states.dtype) - in_claim
        u, v = mean(states, in_premise), mean(states, in_claim)
        return self.fc(torch.cat([states[:, 0], u, v, (u - v).abs(), u * v], dim=-1))


def mean(states: Tensor, mask: Tensor) -> Tensor:
    return (states * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


def load(checkpoint: Path) -> CrossEncoder:
    """Reads {"model": state dict} without unpickling anything but tensors."""
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)["model"]
    model = CrossEncoder()
    model.load_state_dict({name: value.float() for name, value in state.items()})
    return model.eval()
