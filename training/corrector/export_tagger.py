"""Exports a checkpoint of the tagger to the 8 bit ONNX file of the package, as training/nli/export.py does.

    PYTHONPATH=training/nli python training/corrector/export_tagger.py CHECKPOINT.pt... --out DIR

Of several checkpoints with one start the mean of the weights is exported (model soups, arXiv 2203.05482). With --data
the figures of train_tagger.py on held-out rows are printed too.
"""

import argparse
import tempfile
from pathlib import Path

import torch
from export import INPUTS, difference, quantise, write_graph
from tagger import load
from tokenizers import Tokenizer
from train_tagger import evaluate, read

BUDGET = 4096  # tokens a batch
OUTPUTS = ("tags", "first", "last", "answers", "plain")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("checkpoints", type=Path, nargs="+")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--data", type=Path, action="append", default=[], help="rows of corrupted.py or human.py")
    options.add_argument("--tokenizer", type=Path, default=Path("graph_eval/weights/nli/tokenizer.json"))
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    target = given.out / "model.onnx"
    model = load(given.checkpoints[0])
    states = [load(path).state_dict() for path in given.checkpoints]
    model.load_state_dict({name: torch.stack([state[name].float() for state in states]).mean(0) for name in states[0]})
    for path in given.data:
        rows = read(path, Tokenizer.from_file(str(given.tokenizer)), "heldout")
        figures = evaluate(model, rows, "cpu", BUDGET)
        print(f"{path.name}: {len(rows)} rows, {figures}")
    model.eval()
    ids = torch.ones(2, 9, dtype=torch.long)
    types = torch.zeros_like(ids)
    types[:, 5:] = 1
    with tempfile.TemporaryDirectory() as work:
        plain = Path(work) / "float32.onnx"
        axes = {name: {0: "batch", 1: "length"} for name in (*INPUTS, *OUTPUTS)}
        write_graph(model, (ids, torch.ones_like(ids), types), plain, INPUTS, OUTPUTS, axes)
        quantise(plain, target)
        error = difference(plain, target)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB, largest difference of tags {error:.3f} on random ids")


if __name__ == "__main__":
    main()
