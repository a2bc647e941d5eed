"""The dependency parser: a BERT encoder, a state a word, biaffine scores of heads and labels (Dozat and Manning 2017).

A word's state is the mean of the states of its word pieces; the state of [CLS] stands for the root. Since the
tokenizer is uncased, the case of a word is added to the embeddings of its pieces.
"""

from pathlib import Path
from typing import Any

import torch
from model import HIDDEN, encoder
from torch import Tensor, nn

ARC, LABEL = 256, 128  # sizes of the states that score heads and labels
CASES = 8


class BiaffineParser(nn.Module):
    """For pieces (batch, pieces) and words (batch, words), of which the first is the root:

    - `arcs` (batch, words, words): the score of each word (second axis) to depend on each word (third axis),
    - `relations` (batch, words, labels * (LABEL + 1)) and `heads` (batch, words, LABEL + 1): the scores of the labels
      of a word are the products of its `relations`, row by row, with the `heads` of its head,
    - `tags` (batch, words, tags).
    """

    def __init__(self, layers: int, relations: list[str], tags: list[str]) -> None:
        super().__init__()
        self.layers, self.relation_names, self.tag_names = layers, relations, tags
        self.encoder = encoder(layers)
        self.case = nn.Embedding(CASES, HIDDEN)
        nn.init.zeros_(self.case.weight)
        self.arc_head, self.arc_word = _states(ARC), _states(ARC)
        self.label_head, self.label_word = _states(LABEL), _states(LABEL)
        self.arc = nn.Linear(ARC + 1, ARC, bias=False)
        self.label = nn.Linear(LABEL + 1, len(relations) * (LABEL + 1), bias=False)
        self.tag = nn.Linear(HIDDEN, len(tags))
        nn.init.normal_(self.label.weight, std=0.02)

    def forward(
        self, ids: Tensor, cases: Tensor, positions: Tensor, visible: Tensor, pieces: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """`ids`, `cases`, `positions` (batch, pieces); `visible` (batch, 1, pieces or 1, pieces): 1.0 where a piece
        sees another; `pieces` (batch, words, pieces): the share of each piece in a word's state.
        """
        states = self.encoder(
            inputs_embeds=self.encoder.embeddings.word_embeddings(ids) + self.case(cases),
            position_ids=positions,
            token_type_ids=torch.zeros_like(ids),
            attention_mask=(1.0 - visible) * -1e9,
        ).last_hidden_state
        words = torch.matmul(pieces, states.float())
        arcs = torch.matmul(self.arc(_with_one(self.arc_word(words))), self.arc_head(words).transpose(1, 2))
        relations = self.label(_with_one(self.label_word(words)))
        return arcs, relations, _with_one(self.label_head(words)), self.tag(words)

    def label_scores(self, relations: Tensor, heads: Tensor, chosen: Tensor) -> Tensor:
        """The scores (batch, words, labels) of each word's labels, given the head `chosen` (batch, words)."""
        batch, words, size = heads.shape
        of_head = torch.gather(heads, 1, chosen[..., None].expand(-1, -1, size))
        rows = relations.view(batch, words, len(self.relation_names), size)
        return torch.matmul(rows, of_head[..., None]).squeeze(-1)


def _states(size: int) -> nn.Sequential:
    return nn.Sequential(nn.Dropout(0.2), nn.Linear(HIDDEN, size), nn.LeakyReLU(0.1), nn.Dropout(0.2))


def _with_one(states: Tensor) -> Tensor:
    return torch.cat([states, torch.ones_like(states[..., :1])], dim=-1)


def load(path: Path) -> BiaffineParser:
    """Reads a checkpoint without unpickling anything but tensors, strings and numbers."""
    saved: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    model = BiaffineParser(saved["layers"], saved["relations"], saved["tags"])
    model.load_state_dict({name: value.float() for name, value in saved["model"].items()})
    return model.eval()
