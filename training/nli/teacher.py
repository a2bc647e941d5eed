"""A larger cross-encoder that the builtin checker's model learns from: MPNet (hidden size 768, 109 million parameters).

Its vocabulary is BERT's behind four symbols of its own, so rows of BERT ids (train.py) are read as they are. Weights:
all-mpnet-base-v2 (Apache-2.0), a sentence encoder, whose layers start the cross-encoder here.

    python training/nli/teacher.py model.safetensors --out packed.pt
"""

import argparse
from pathlib import Path

import torch
from model import classifier, pooled
from torch import Tensor, nn
from torch.nn import functional
from transformers import MPNetConfig, MPNetModel

HIDDEN, HEADS = 768, 12
OFFSET = 4  # of MPNet's ids against BERT's
CLS, SEP = 101, 102  # BERT's
START, PAD, END = 0, 1, 2  # MPNet's
BLOCK = 64  # values that share a scale in a packed file


class Teacher(nn.Module):
    """As model.CrossEncoder: BERT's ids, mask and types -> logits (batch, 3) and (batch, length)."""

    def __init__(self) -> None:
        super().__init__()
        shape = MPNetConfig(vocab_size=30527, max_position_embeddings=514, layer_norm_eps=1e-5)
        self.enc = MPNetModel(shape, add_pooling_layer=False)
        self.enc.embeddings.requires_grad_(False)
        # The fused product needs no gradient of its mask, of which these are a part: so it may take its fastest way.
        self.enc.encoder.relative_attention_bias.requires_grad_(False)
        self.fc = classifier(HIDDEN)
        self.words = nn.Linear(HIDDEN, 1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> tuple[Tensor, Tensor]:
        ids = input_ids + OFFSET
        ids = ids.masked_fill(input_ids == CLS, START).masked_fill(input_ids == SEP, END)
        ids = ids.masked_fill(attention_mask == 0, PAD)
        places = PAD + attention_mask.cumsum(1) * attention_mask
        states = self.enc.embeddings(input_ids=ids, position_ids=places)
        bias = self.enc.encoder.compute_position_bias(states[:1]) + (1.0 - attention_mask[:, None, None].float()) * -1e4
        for layer in self.enc.encoder.layer:
            own = layer.attention
            states = own.LayerNorm(own.dropout(attended(own.attn, states, bias)) + states)
            states = layer.output(layer.intermediate(states), states)
        return self.fc(pooled(states, attention_mask, token_type_ids)), self.words(states).squeeze(-1)


def attended(layer: nn.Module, states: Tensor, bias: Tensor) -> Tensor:
    """MPNet's attention by the fused product, which keeps no matrix of weights."""
    rows, length, _ = states.shape
    q, k, v = (part(states).view(rows, length, HEADS, -1).transpose(1, 2) for part in (layer.q, layer.k, layer.v))
    dropout = layer.dropout.p if layer.training else 0.0
    found = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype), dropout_p=dropout)
    return layer.o(found.transpose(1, 2).reshape(rows, length, -1))


def pack(source: Path, target: Path) -> None:
    """Writes the weights of `model.safetensors` in 8 bits, with a scale for every BLOCK values.

    Vectors, and tensors whose size BLOCK does not divide, stay float32. The pooler is left out.
    """
    from safetensors.torch import load_file

    packed = {}
    for name, value in load_file(source).items():
        name = name.removeprefix("mpnet.")
        if name.startswith("pooler") or not value.is_floating_point():
            continue
        if value.numel() % BLOCK or value.dim() < 2:
            packed[name] = value.float()
            continue
        blocks = value.float().reshape(-1, BLOCK)
        scales = blocks.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        packed[name + "#codes"] = (blocks / scales).round().to(torch.int8).reshape(value.shape)
        packed[name + "#scales"] = scales.squeeze(1).half()
    torch.save(packed, target)


def load(packed: Path) -> Teacher:
    """The teacher with a packed encoder and fresh heads. Raises ValueError where weights do not fit."""
    found = torch.load(packed, map_location="cpu", weights_only=True)
    state = {}
    for name, value in found.items():
        if name.endswith("#codes"):
            scales = found[name.removesuffix("codes") + "scales"].float()[:, None]
            state[name.removesuffix("#codes")] = (value.float().reshape(-1, BLOCK) * scales).reshape(value.shape)
        elif not name.endswith("#scales"):
            state[name] = value
    model = Teacher()
    off = model.enc.load_state_dict(state, strict=False)
    if wrong := [name for name in (*off.missing_keys, *off.unexpected_keys) if name != "embeddings.position_ids"]:
        raise ValueError(f"{packed}: weights that do not fit: {', '.join(wrong)}")
    return model


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("weights", type=Path, help="model.safetensors of all-mpnet-base-v2")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    pack(given.weights, given.out)


if __name__ == "__main__":
    main()
