"""Turns the exported 8 and 4 bit model back into float32 weights, to train on where no training state was kept.

    python training/nli/warm_start.py graph_eval/weights/nli/model.onnx --out start.pt

What the rounding took is lost: the logits differ a little from those of the exported model, which is checked. Parts
that the export lacks (the head over words) start fresh, from the seed.
"""

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import onnx
import onnxruntime
import torch
from export import BLOCK, INPUTS, random_tokens
from model import OPTIONAL, CrossEncoder
from onnx import numpy_helper
from torch import Tensor, nn

ALLOWED = 0.5  # largest difference of logits; exported models round activations, by processor; a wrong weight makes 3
Tensors = dict[str, np.ndarray]
Model = TypeVar("Model", bound=nn.Module)


def linear(tensors: Tensors, name: str) -> Tensor:
    """Columns of whole numbers with a scale each."""
    weights, scales = tensors[name + ".weights"], tensors[name + ".weights.scales"]
    return torch.from_numpy((weights.astype(np.float32) * scales).T.copy())


def table(tensors: Tensors, name: str, width: int) -> Tensor:
    """Rows of 4 or 8 bit numbers with a scale a block; two numbers of 4 bits share a byte."""
    codes, scales = tensors[name + ".codes"], tensors[name + ".scales"]
    bits = 8 if codes.shape[1] == width else 4
    if bits == 4:
        codes = np.stack([codes & 15, codes >> 4], axis=-1).reshape(len(codes), width)
    values = (codes.astype(np.float32) - 2 ** (bits - 1)).reshape(len(codes), -1, BLOCK) * scales[:, :, None]
    return torch.from_numpy(values.reshape(len(codes), width))


def restored(path: Path, make: Callable[[int], Model]) -> Model:
    """The model of an exported file. `make`: from the number of layers.

    Raises ValueError naming a weight that the file lacks.
    """
    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    model = make(1 + max(int(found[1]) for name in tensors if (found := re.search(r"layer\.(\d+)", name))))
    state = model.state_dict()
    for key, value in state.items():
        if (found := weights_of(tensors, key, tuple(value.shape))) is not None:
            state[key] = found
        elif key not in OPTIONAL:
            raise ValueError(f"{path}: no weights for {key}")
    model.load_state_dict(state)
    return model.eval()


def weights_of(tensors: Tensors, key: str, shape: tuple[int, ...]) -> Tensor | None:
    """One weight of the model: kept as it was, a table, or a linear layer, which is named by its place or its shape."""
    for name, value in tensors.items():
        if name.endswith(key) and value.shape == shape:
            return torch.from_numpy(value.astype(np.float32))
        if name.endswith(key + ".codes"):
            return table(tensors, name.removesuffix(".codes"), shape[-1])
    layers = [name.removesuffix(".weights") for name in tensors if name.endswith(".weights")]
    place = "/" + key.removesuffix(".weight").replace(".", "/").replace("layer/", "layer.") + "/"
    of_encoder = [name for name in layers if name.startswith(place)]
    others = [name for name in layers if "/enc/" not in name and tensors[name + ".weights"].T.shape == shape]
    if len(others) > 1:  # several heads of one shape: each lies in a folder with its own name
        others = [name for name in others if name.split("/")[-2] == key.removesuffix(".weight")]
    if key.startswith("enc."):
        return linear(tensors, of_encoder[0]) if len(of_encoder) == 1 else None
    return linear(tensors, others[0]) if key.endswith(".weight") and len(others) == 1 else None


def difference(model: CrossEncoder, path: Path) -> float:
    """The largest difference of logits between the file and the model made from it, on random tokens."""
    feed = random_tokens()
    expected = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(["logits"], feed)[0]
    with torch.no_grad():
        found, _ = model(*(torch.from_numpy(feed[name]) for name in INPUTS))
    return float(np.abs(expected - found.numpy()).max())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("exported", type=Path, help="model.onnx, as export.py writes it")
    options.add_argument("--seed", type=int, default=1, help="of what the file lacks")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    torch.manual_seed(given.seed)
    model = restored(given.exported, CrossEncoder)
    if (off := difference(model, given.exported)) > ALLOWED:
        raise SystemExit(f"{given.exported}: the logits differ by {off:.2g}; did export.py write it?")
    torch.save({"model": model.state_dict()}, given.out)
    print(f"{given.out}: {model.layers} layers, logits differ by {off:.2g}")


if __name__ == "__main__":
    main()
