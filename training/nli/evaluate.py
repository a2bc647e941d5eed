"""Accuracy of exported models on held-out pairs, by source and by kind of near miss.

    python training/nli/evaluate.py --data mix.jsonl.gz made.jsonl.gz --model graph_eval/weights/nli [FLOAT_FOLDER ...]

A model is a folder with model.onnx and tokenizer.json. For near misses: the share of originals with P(E) > 0.5, of
misses with P(E) <= 0.5, and of pairs where the original lies above its miss. For all others accuracy and AUC of
entailed against not entailed. Only rows of the held-out split are read.
"""

import argparse
import gzip
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from graph_eval import metrics
from graph_eval.nli.scorer import OnnxScorer

Row = dict[str, object]


def heldout(paths: list[Path], most: int) -> list[Row]:
    """Rows, at most so many of a source; whole groups."""
    found: list[Row] = []
    for path in paths:
        taken: dict[object, int] = defaultdict(int)
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            for line in stream:
                row = json.loads(line)
                taken[row["src"]] += row["split"] == "heldout"
                if row["split"] == "heldout" and (taken[row["src"]] <= most or row.get("g")):
                    found.append(row)
    return found


def report(rows: list[Row], entailed: np.ndarray) -> None:
    groups: dict[object, list[int]] = defaultdict(list)
    plain: dict[object, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        (groups[row["g"]] if "g" in row else plain[row["src"]]).append(place)
    pairs: dict[object, list[tuple[float, float]]] = defaultdict(list)
    for places in groups.values():
        originals = [entailed[place] for place in places if rows[place]["l"] == 0]
        for place in places:
            if rows[place]["l"] != 0 and originals:
                pairs[rows[place]["kind"]].append((originals[0], entailed[place]))
    pairs["near misses"] = [pair for found in list(pairs.values()) for pair in found]
    for kind, found in pairs.items():
        if found:
            right, wrong = np.array(found).T
            figures = ((right > 0.5).mean(), (wrong <= 0.5).mean(), (right > wrong).mean())
            print("{:<14} {:>5}  original {:.3f}  miss {:.3f}  above {:.3f}".format(kind, len(found), *figures))
    plain["human pairs"] = [place for places in plain.values() for place in places]
    for source, places in plain.items():
        if places:
            p, labels = entailed[places], np.array([rows[place]["l"] == 0 for place in places])
            once = np.ones((1, len(labels)))
            area = float(metrics.auc(labels, p, once).values[0])
            print(f"{source:<14} {len(places):>5}  accuracy {((p > 0.5) == labels).mean():.3f}  AUC {area:.3f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, nargs="+", required=True)
    options.add_argument("--model", type=Path, nargs="+", required=True)
    options.add_argument("--most", type=int, default=300, help="rows of one source")
    given = options.parse_args()
    rows = heldout(given.data, given.most)
    pairs = [(str(row["p"]), str(row["h"])) for row in rows]
    for folder in given.model:
        print(f"{folder}: {len(rows)} held-out rows")
        report(rows, np.asarray(OnnxScorer(folder).score(pairs))[:, 0])


if __name__ == "__main__":
    main()
