"""Trains the offline parser, packs it for the package and prints its scores on the EWT test set.

    python training/parser/train.py --data ../shared/data/ud --out graph_eval/weights/parser

About half an hour on one core. Training data: UD English EWT (train) and PUD. Same data, same library
versions and same machine type give the same weights.
"""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

import spacy
from spacy.tokens import Doc
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config
from treebank import read, write

from graph_eval.extractors.rules.parser import load_pipeline, pack

HERE = Path(__file__).parent


def fit(data: Path, work: Path) -> Path:
    """Trains on EWT train + PUD, chooses the best step on EWT dev. Returns the folder of the float32 model."""
    vocab = spacy.blank("en").vocab
    train_file, dev_file = work / "train.spacy", work / "dev.spacy"
    count = write([data / "en_ewt-train.conllu.gz", data / "en_pud.conllu.gz"], train_file, vocab)
    write([data / "en_ewt-dev.conllu.gz"], dev_file, vocab)
    print(f"{count} training sentences", file=sys.stderr)
    config = load_config(
        HERE / "parser.cfg",
        overrides={"paths.train": str(train_file), "paths.dev": str(dev_file)},
        interpolate=True,
    )
    (work / "model").mkdir()
    train(init_nlp(config), work / "model", stdout=sys.stderr, stderr=sys.stderr)
    return work / "model" / "model-best"


def evaluate(folder: Path, test: Path) -> dict[str, float]:
    """Accuracies over gold tokens, punctuation counted; `LAS_universal` ignores dependency subtypes."""
    nlp = load_pipeline(folder)
    gold = list(read(test, nlp.vocab))
    bare = (Doc(nlp.vocab, words=[t.text for t in doc], spaces=[bool(t.whitespace_) for t in doc]) for doc in gold)
    counts = dict.fromkeys(("UPOS", "XPOS", "UAS", "LAS", "LAS_universal"), 0)
    total = 0
    for truth, guess in zip(gold, nlp.pipe(bare, batch_size=128), strict=True):
        for a, b in zip(truth, guess, strict=True):
            total += 1
            head = a.head.i == b.head.i
            counts["UPOS"] += a.tag_.split("|")[0] == b.tag_.split("|")[0]
            counts["XPOS"] += a.tag_.split("|")[1] == b.tag_.split("|")[-1]
            counts["UAS"] += head
            counts["LAS"] += head and a.dep_ == b.dep_
            counts["LAS_universal"] += head and a.dep_.split(":")[0] == b.dep_.split(":")[0]
    return {name: round(count / total, 4) for name, count in counts.items()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, required=True, help="folder with the UD .conllu.gz files")
    options.add_argument("--out", type=Path, required=True, help="folder for the packed weights")
    options.add_argument("--evaluate-only", action="store_true", help="score the weights in --out")
    arguments = options.parse_args()
    if not arguments.evaluate_only:
        with tempfile.TemporaryDirectory() as work:
            best = fit(arguments.data, Path(work))
            card = arguments.out / "README.md"
            text = card.read_text("utf8") if card.exists() else None
            shutil.rmtree(arguments.out, ignore_errors=True)
            arguments.out.parent.mkdir(parents=True, exist_ok=True)
            pack(spacy.load(best), arguments.out)
            if text is not None:
                card.write_text(text, "utf8")
    scores = evaluate(arguments.out, arguments.data / "en_ewt-test.conllu.gz")
    size = sum(file.stat().st_size for file in arguments.out.rglob("*") if file.is_file())
    print(json.dumps({"test": "en_ewt-test", **scores, "bytes": size}))


if __name__ == "__main__":
    main()
