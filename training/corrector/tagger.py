"""The tagger and pointer behind the builtin corrector.

A BERT encoder (MiniLM: hidden size 384) reads "evidence [SEP] sentence". Of every token of the
sentence it says whether it is right, stands for other words, was put in, or says the opposite of the evidence; and for
a span of the sentence where in the evidence the words that it stands for begin and end. The span asks with its first
and last token; each token of the evidence answers; [CLS] answers for "not there".
"""

from pathlib import Path

import torch
from model import HIDDEN, encoder
from torch import Tensor, nn
from warm_start import restored

TAGS = 4  # right, replaced, added, opposite
POINTER = 128  # size of a question, and of its answer, for a start and for an end


class EditReader(nn.Module):
    """Token ids (batch, length) -> tag logits (batch, length, TAGS); questions of a span's first and of its last token
    and answers, each (batch, length, 2 * POINTER): starts, then ends; the tokens' plain embeddings."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.enc = encoder(layers)
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


def load(checkpoint: Path) -> EditReader:
    """The model of {"model": state dict}, or of an exported model.onnx (see training/nli/warm_start.py).

    Heads that a checkpoint lacks are fresh; weights of others are left out.
    """
    if checkpoint.suffix == ".onnx":
        return restored(checkpoint, EditReader).eval()
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)["model"]
    layers = 1 + max(int(name.split(".")[3]) for name in state if name.startswith("enc.encoder.layer."))
    model = EditReader(layers)
    own = model.state_dict()
    fitting = {name: value.float() for name, value in state.items() if name in own and own[name].shape == value.shape}
    if lacking := [name for name in own if name.startswith("enc.") and name not in fitting]:
        raise ValueError(f"{checkpoint}: weights that are missing: {', '.join(lacking)}")
    model.load_state_dict(own | fitting)
    return model.eval()
