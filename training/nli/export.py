"""Exports a checkpoint, or the mean of several, to the 8 bit ONNX file of the package.

    python training/nli/export.py CHECKPOINT.pt ... --tokenizer TOKENIZER.json --out graph_eval/weights/nli

Several are runs that began with the same weights and differ in their seed: their mean lies lower than each of them.

Linear layers: weights int8 with a scale a column, activations uint8 with a scale a row (a token), products in whole
numbers. So a score never depends on what else is in the batch, which dynamic int8 quantisation (one scale for the
whole batch) cannot promise. Weights keep to 7 bits, so that the 16 bit sums of processors without VNNI cannot
overflow either. Embeddings: words in 4 bits, positions in 8, with a scale for every 64 values. Needs torch,
transformers and onnx.
"""

import argparse
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import onnx
import onnxruntime
import torch
from model import CrossEncoder, load
from onnx import helper, numpy_helper
from torch import nn

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUTS = ("logits", "unsupported")
WEIGHT_LEVELS = 63  # of either sign: 255 * 63 * 2 still fits into 16 bits
ROW_LEVELS = 127
ZERO = 128  # of the unsigned activations
BLOCK = 64  # values of an embedding that share a scale
SMALLEST_TABLE = 100_000  # parameters; smaller embeddings stay float32
WORDS = 1_000_000  # parameters; smaller tables are not worth 4 bits


Model = TypeVar("Model", bound=nn.Module)


def export_float32(model: CrossEncoder, path: Path) -> None:
    ids = torch.ones(2, 9, dtype=torch.long)
    types = torch.zeros_like(ids)
    types[:, 5:] = 1
    axes = {name: {0: "batch", 1: "length"} for name in (*INPUTS, *OUTPUTS[1:])} | {"logits": {0: "batch"}}
    write_graph(model.eval(), (ids, torch.ones_like(ids), types), path, INPUTS, OUTPUTS, axes)


def write_graph(
    model: nn.Module,
    example: tuple[torch.Tensor, ...],
    path: Path,
    inputs: Sequence[str],
    outputs: Sequence[str],
    axes: Mapping[str, Mapping[int, str]],
) -> None:
    """Writes a float32 ONNX file. `axes`: of each input and output, the names of the axes whose size may vary."""
    torch.onnx.export(
        model,
        example,
        str(path),
        input_names=list(inputs),
        output_names=list(outputs),
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )


def mean(models: Iterable[Model]) -> Model:
    """The first model, with the mean of the weights of all."""
    model, *others = models
    states = [other.state_dict() for other in others]
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if value.is_floating_point():
                value.copy_(torch.stack([value, *(state[name] for state in states)]).mean(0))
    return model


def quantise(source: Path, target: Path, levels: int = WEIGHT_LEVELS, bits: int = 4) -> None:
    """Linear layers in whole numbers, word embeddings in `bits` (4 or 8), positions in 8 bits."""
    model = onnx.load(source)
    graph = model.graph
    graph.initializer.extend(
        [
            numpy_helper.from_array(np.uint8(ZERO), "zero"),
            numpy_helper.from_array(np.float32(1), "one"),
            numpy_helper.from_array(np.float32(1 / ROW_LEVELS), "level"),
        ]
    )
    constants = {tensor.name: tensor for tensor in graph.initializer}
    nodes: list[onnx.NodeProto] = []
    rows: dict[str, str] = {}  # an activation that several layers read is quantised once
    for node in graph.node:
        if node.op_type in {"MatMul", "Gemm"} and node.input[1] in constants:
            weights = numpy_helper.to_array(constants[node.input[1]])
            if node.op_type == "Gemm":  # x @ w.T + b
                weights = weights.T
            if node.input[0] not in rows:
                rows[node.input[0]] = node.input[0] + ".row"
                nodes += quantised_rows(node.input[0])
            nodes += whole_numbers(graph, node, weights, rows[node.input[0]], levels)
            graph.initializer.remove(constants[node.input[1]])
        elif node.op_type == "Gather" and (size := parameters(constants.get(node.input[0]))) >= SMALLEST_TABLE:
            nodes += gathered(graph, node, constants[node.input[0]], bits if size >= WORDS else 8)
        else:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, target)


def quantised_rows(name: str) -> list[onnx.NodeProto]:
    """Activations as unsigned 8 bit numbers around ZERO; a row's largest value is its scale."""
    row = name + ".row"
    node = helper.make_node
    return [
        node("ReduceMax", [name], [row + ".max"], axes=[-1], keepdims=1),
        node("ReduceMin", [name], [row + ".min"], axes=[-1], keepdims=1),
        node("Neg", [row + ".min"], [row + ".low"]),
        node("Max", [row + ".max", row + ".low"], [row + ".largest"]),
        node("Mul", [row + ".largest", "level"], [row + ".scale"]),
        node("Reciprocal", [row + ".scale"], [row + ".inverse"]),
        node("Mul", [name, row + ".inverse"], [row + ".steps"]),
        node("QuantizeLinear", [row + ".steps", "one", "zero"], [row]),
    ]


def whole_numbers(
    graph: onnx.GraphProto, node: onnx.NodeProto, weights: np.ndarray, row: str, levels: int
) -> list[onnx.NodeProto]:
    scales = np.abs(weights).max(axis=0).clip(min=1e-8) / levels
    name, out = node.output[0] + ".weights", node.output[0]
    graph.initializer.extend(
        [
            numpy_helper.from_array(np.rint(weights / scales).astype(np.int8), name),
            numpy_helper.from_array(scales.astype(np.float32), name + ".scales"),
        ]
    )
    bias = list(node.input[2:])
    scaled = out + ".scaled" if bias else out
    steps = [
        helper.make_node(
            "MatMulIntegerToFloat",
            [row, name, "one", name + ".scales", "zero"],
            [out + ".columns"],
            domain="com.microsoft",
        ),
        helper.make_node("Mul", [out + ".columns", row + ".scale"], [scaled]),
    ]
    return steps + ([helper.make_node("Add", [scaled, *bias], [out])] if bias else [])


def parameters(tensor: onnx.TensorProto | None) -> int:
    return 0 if tensor is None else int(np.prod(tensor.dims))


def gathered(graph: onnx.GraphProto, node: onnx.NodeProto, tensor: onnx.TensorProto, bits: int) -> list[onnx.NodeProto]:
    """Rows of a table whose values stand in few bits."""
    table = numpy_helper.to_array(tensor)
    top = 2 ** (bits - 1) - 1
    blocks = table.reshape(len(table), -1, BLOCK)
    scales = np.abs(blocks).max(axis=2, keepdims=True).clip(min=1e-8) / top
    codes = (np.rint(blocks / scales).astype(np.int16) + top + 1).astype(np.uint8).reshape(table.shape)
    name = tensor.name
    packed = codes[:, 0::2] | codes[:, 1::2] << 4 if bits == 4 else codes
    graph.initializer.remove(tensor)
    graph.initializer.extend(
        [
            numpy_helper.from_array(packed, name + ".codes"),
            numpy_helper.from_array(scales[:, :, 0].astype(np.float32), name + ".scales"),
        ]
    )
    return [
        helper.make_node(
            "GatherBlockQuantized",
            [name + ".codes", node.input[1], name + ".scales"],
            list(node.output),
            domain="com.microsoft",
            gather_axis=0,
            quantize_axis=1,
            block_size=BLOCK,
            bits=bits,
        )
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("checkpoint", type=Path, nargs="+")
    options.add_argument("--tokenizer", type=Path, required=True, help="its tokenizer.json")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--float", type=Path, metavar="FOLDER", help="also the float32 model, to compare with")
    arguments = options.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    target = arguments.out / "model.onnx"
    with tempfile.TemporaryDirectory() as work:
        plain = Path(work) / "float32.onnx"
        export_float32(mean(map(load, arguments.checkpoint)), plain)
        quantise(plain, target)
        error = difference(plain, target)
        if arguments.float:
            arguments.float.mkdir(parents=True, exist_ok=True)
            shutil.copy(plain, arguments.float / "model.onnx")
            shutil.copy(arguments.tokenizer, arguments.float / "tokenizer.json")
    if arguments.tokenizer.resolve() != (arguments.out / "tokenizer.json").resolve():
        shutil.copy(arguments.tokenizer, arguments.out / "tokenizer.json")
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB, largest logit difference {error:.3f} on random ids")


def random_tokens() -> dict[str, np.ndarray]:
    """Inputs to compare two models on: 16 pairs of 32 and 16 tokens, always the same."""
    ids = np.random.default_rng(0).integers(1000, 30000, (16, 48))
    types = np.zeros_like(ids)
    types[:, 32:] = 1
    return dict(zip(INPUTS, (ids, np.ones_like(ids), types), strict=True))


def difference(first: Path, second: Path) -> float:
    feed = random_tokens()
    outputs = [
        onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, feed)[0]
        for path in (first, second)
    ]
    return float(np.abs(outputs[0] - outputs[1]).max())


if __name__ == "__main__":
    main()
