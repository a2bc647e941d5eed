"""Exports a checkpoint of the parser to the 8 bit ONNX file of the package, as training/nli/export.py does.

    PYTHONPATH=training/nli python training/parser/export_parser.py CHECKPOINT.pt ... --out graph_eval/weights/parser

Several checkpoints are runs that began with the same weights and differ in their seed: their mean is exported.
"""

import argparse
import json
import tempfile
from pathlib import Path

import torch
from biaffine import load
from export import mean, quantise, write_graph

INPUTS = ("ids", "cases", "positions", "visible", "pieces")
OUTPUTS = ("arcs", "relations", "heads", "tags")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("checkpoint", type=Path, nargs="+")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--float", action="store_true", help="in float32, to compare with")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    model = mean(map(load, given.checkpoint))
    ids = torch.ones(2, 9, dtype=torch.long)
    example = (ids, ids * 0, torch.arange(9).repeat(2, 1), torch.ones(2, 1, 1, 9), torch.ones(2, 8, 9) / 9)
    axes = {name: {0: "batch", 1: "pieces"} for name in ("ids", "cases", "positions")}
    axes |= {"visible": {0: "batch", 3: "pieces"}, "pieces": {0: "batch", 1: "words", 2: "pieces"}}
    axes |= {name: {0: "batch", 1: "words"} for name in OUTPUTS} | {"arcs": {0: "batch", 1: "words", 2: "words"}}
    target = given.out / "model.onnx"
    with tempfile.TemporaryDirectory() as work:
        plain = target if given.float else Path(work) / "float32.onnx"
        write_graph(model, example, plain, INPUTS, OUTPUTS, axes)
        if not given.float:
            quantise(plain, target)
    labels = {"relations": model.relation_names, "tags": model.tag_names}
    (given.out / "labels.json").write_text(json.dumps(labels, indent=1) + "\n", "utf8")
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
