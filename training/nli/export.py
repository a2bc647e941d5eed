"""Exports a checkpoint to the weight-only 8 bit ONNX file of the package.

    python training/nli/export.py CHECKPOINT.pt TOKENIZER.json --out graph_eval/weights/nli

Weights are int8, with a scale for every 128 values; activations are quantised row by row inside the kernel. So
a score never depends on what else is in the batch, which dynamic int8 quantisation (one scale for the whole
batch) cannot promise. Needs torch, transformers, onnx and onnx_ir.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from model import CrossEncoder, load
from onnx import helper, numpy_helper
from onnxruntime.quantization.matmul_nbits_quantizer import (
    DefaultWeightOnlyQuantConfig,
    MatMulNBitsQuantizer,
)

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
BLOCK = 128
INT8_ACTIVATION_ROWS = 4  # MatMulNBits accuracy_level: one activation scale a row and block
SMALLEST_TABLE = 1_000_000  # parameters; smaller embeddings stay float32


def export_float32(model: CrossEncoder, path: Path) -> None:
    ids = torch.ones(2, 9, dtype=torch.long)
    types = torch.zeros_like(ids)
    types[:, 5:] = 1
    axes = {name: {0: "batch", 1: "length"} for name in INPUTS} | {"logits": {0: "batch"}}
    torch.onnx.export(
        model,
        (ids, torch.ones_like(ids), types),
        str(path),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )


def quantise(source: Path, target: Path) -> None:
    """Linear layers to 8 bit blocks (MatMulNBits), word embeddings to int8 with one scale a row."""
    settings = DefaultWeightOnlyQuantConfig(
        bits=8, block_size=BLOCK, is_symmetric=True, accuracy_level=INT8_ACTIVATION_ROWS
    )
    quantizer = MatMulNBitsQuantizer(onnx.load(source), algo_config=settings)
    quantizer.process()
    model = quantizer.model.model
    for node in list(model.graph.node):
        if node.op_type == "Gather":
            quantise_rows(model.graph, node)
    onnx.save(model, target)


def quantise_rows(graph: onnx.GraphProto, gather: onnx.NodeProto) -> None:
    """Gather(table, ids) becomes Cast(Gather(codes, ids)) * Gather(scales, ids)."""
    table = next((tensor for tensor in graph.initializer if tensor.name == gather.input[0]), None)
    if table is None or np.prod(table.dims) < SMALLEST_TABLE:
        return
    values = numpy_helper.to_array(table)
    scales = np.abs(values).max(axis=1, keepdims=True).clip(min=1e-8) / 127
    codes = np.rint(values / scales).astype(np.int8)
    name, ids, out = table.name, gather.input[1], gather.output[0]
    graph.initializer.remove(table)
    graph.initializer.extend(
        [
            numpy_helper.from_array(codes, name + ".codes"),
            numpy_helper.from_array(scales.astype(np.float32), name + ".scales"),
        ]
    )
    at = list(graph.node).index(gather)
    graph.node.remove(gather)
    for step, node in enumerate(
        (
            helper.make_node("Gather", [name + ".codes", ids], [out + ".codes"]),
            helper.make_node("Cast", [out + ".codes"], [out + ".float"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Gather", [name + ".scales", ids], [out + ".scale"]),
            helper.make_node("Mul", [out + ".float", out + ".scale"], [out]),
        )
    ):
        graph.node.insert(at + step, node)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("checkpoint", type=Path)
    options.add_argument("tokenizer", type=Path, help="tokenizer.json of all-MiniLM-L6-v2")
    options.add_argument("--out", type=Path, required=True)
    arguments = options.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    target = arguments.out / "model.onnx"
    with tempfile.TemporaryDirectory() as work:
        plain = Path(work) / "float32.onnx"
        export_float32(load(arguments.checkpoint), plain)
        quantise(plain, target)
        error = difference(plain, target)
    shutil.copy(arguments.tokenizer, arguments.out / "tokenizer.json")
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB, largest logit difference {error:.3f} on random ids")


def difference(first: Path, second: Path) -> float:
    generator = np.random.default_rng(0)
    ids = generator.integers(1000, 30000, (16, 48))
    types = np.zeros_like(ids)
    types[:, 32:] = 1
    feed = dict(zip(INPUTS, (ids, np.ones_like(ids), types), strict=True))
    outputs = [
        onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, feed)[0]
        for path in (first, second)
    ]
    return float(np.abs(outputs[0] - outputs[1]).max())


if __name__ == "__main__":
    main()
