"""Exports a checkpoint of the tagger to the 8 bit ONNX file of the package, as training/nli/export.py does.

PYTHONPATH=training/nli python training/corrector/export_tagger.py CHECKPOINT.pt --out graph_eval/weights/corrector
"""

import argparse
import tempfile
from pathlib import Path

import torch
from export import INPUTS, difference, quantise, write_graph
from tagger import load

OUTPUTS = ("tags", "first", "last", "answers", "plain")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("checkpoint", type=Path)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    target = given.out / "model.onnx"
    ids = torch.ones(2, 9, dtype=torch.long)
    types = torch.zeros_like(ids)
    types[:, 5:] = 1
    with tempfile.TemporaryDirectory() as work:
        plain = Path(work) / "float32.onnx"
        axes = {name: {0: "batch", 1: "length"} for name in (*INPUTS, *OUTPUTS)}
        write_graph(load(given.checkpoint), (ids, torch.ones_like(ids), types), plain, INPUTS, OUTPUTS, axes)
        quantise(plain, target)
        error = difference(plain, target)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB, largest difference of tags {error:.3f} on random ids")


if __name__ == "__main__":
    main()
