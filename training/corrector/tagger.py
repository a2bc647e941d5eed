"""The tagger and pointer behind the builtin corrector.

A BERT encoder (MiniLM: 6 layers, hidden size 384) reads "evidence [SEP] sentence". Of every token of the sentence it
says whether it is right, stands for other words, was put in, or says the opposite of the evidence; and for a span of
the sentence where in the evidence the words that it stands for begin and end. The span asks with its first and last
token; each token of the evidence answers; [CLS] answers for "not there".
"""

from pathlib import Path

import torch
from model import HIDDEN, encoder
from torch import Tensor, nn

LAYERS = 6
TAGS = 4  # right, replaced, added, opposite
POINTER = 128  # size of a question, and of its answer, for a start and for an end
PREFIX = "enc."


class EditReader(nn.Module):
    """Token ids (batch, length) -> tag logits (batch, length, TAGS); questions of a span's first and of its last token
    and answers, each (batch, length, 2 * POINTER): starts, then ends; the tokens' plain embeddings."""

    def __init__(self) -> None:
        super().__init__()
        self.enc = encoder(LAYERS)
        self.tag = nn.Sequential(nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, TAGS))
        self.first = nn.Linear(HIDDEN, 2 * POINTER)
        self.last = nn.Linear(HIDDEN, 2 * POINTER)
        self.answer = nn.Linear(HIDDEN, 2 * POINTER)

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        hidden_from = (1.0 - attention_mask[:, None, None, :].float()) * -1e9
        states = self.enc(
            input_ids=input_ids, attention_mask=hidden_from, token_type_ids=token_type_ids
        ).last_hidden_state
        plain = self.enc.embeddings.word_embeddings(input_ids)
        return self.tag(states), self.first(states), self.last(states), self.answer(states), plain


def pointed(first: Tensor, last: Tensor, answers: Tensor) -> tuple[Tensor, Tensor]:
    """Questions (n, 2 * POINTER) and the answers to each (n, length, 2 * POINTER) -> logits of start and end."""
    question = first + last
    scaled = answers * question[:, None, :] / POINTER**0.5
    return scaled[..., :POINTER].sum(-1), scaled[..., POINTER:].sum(-1)


def from_encoder(checkpoint: Path) -> EditReader:
    """The encoder of {"model": state dict}, with fresh heads."""
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)["model"]
    model = EditReader()
    weights = {name.removeprefix(PREFIX): value.float() for name, value in state.items() if name.startswith(PREFIX)}
    model.enc.load_state_dict(weights)
    return model


def load(checkpoint: Path) -> EditReader:
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)["model"]
    model = EditReader()
    model.load_state_dict({name: value.float() for name, value in state.items()})
    return model.eval()
