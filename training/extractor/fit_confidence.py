"""Fits the confidence of triplets on triplets that readers marked, and measures it.

    python training/extractor/fit_confidence.py

Read: readings.jsonl, answers written for this purpose, and tests/data/readings_held_out.jsonl, the answers of
tests/data/everyday_held_out.jsonl. A line: {"id", "question", "answer", "triplets": [[subject, predicate, object,
mark], ...]}. The mark of a strict reader: "right", "mild" (true and understandable, but untidy; counted as right), or
"wrong" (malformed, bound to the wrong words, cut, without a condition that matters, or not asserted). Triplets that
today's rules no longer give are left out, and so are new ones, which nobody marked.

Printed: the AUC of the confidence in six folds over the answers and on the held-out readings, with the share of wrong
triplets among those that a level keeps, and the weights.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph_eval import metrics
from graph_eval.extractors.rules import extractor
from graph_eval.extractors.rules.confidence import WEIGHTS, features
from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.extractor import RulesExtractor
from graph_eval.extractors.rules.tree import Tree
from graph_eval.types import Text

HERE = Path(__file__).parent
FOLDS = 6
PENALTY = 10.0
LEVELS = (0.0, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75)


@dataclass(slots=True)
class Marked:
    answer: int
    wrong: bool
    features: NDArray[np.float64]


def read(path: Path) -> Iterator[Marked]:
    """The marked triplets that today's rules give, with their features."""
    rules, found = RulesExtractor(), {}

    def record(draft: Draft, tree: Tree) -> float:
        slots = (draft.subject.text, draft.predicate.text, draft.object.text)
        found.setdefault(slots, list(features(draft, tree).values()))
        return 1.0  # all triplets count

    extractor.confidence = record
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        row = json.loads(line)
        marks = {tuple(slots): mark for *slots, mark in row["triplets"]}
        found.clear()
        for claim in rules.extract([Text(row["id"], row["answer"], row["question"])])[0]:
            slots = tuple(slot.text for slot in claim.slots)
            if slots in marks:
                yield Marked(number, marks[slots] == "wrong", np.array(found[slots]))


def fitted(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of a logistic regression on standardised features, the last one the bias, for plain features."""
    mean, scale = x.mean(0), x.std(0).clip(min=1e-6)
    z = np.c_[(x - mean) / scale, np.ones(len(x))]
    weights, penalty = np.zeros(z.shape[1]), np.diag([*[PENALTY] * x.shape[1], 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-z @ weights))
        hessian = (z * (p * (1 - p))[:, None]).T @ z + penalty
        weights += np.linalg.solve(hessian, z.T @ (y - p) - penalty @ weights)
    plain = weights[:-1] / scale
    return np.array([*plain, weights[-1] - plain @ mean])


def probabilities(x: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = 1 / (1 + np.exp(-(x @ weights[:-1] + weights[-1])))
    return result


def report(title: str, right: NDArray[np.float64], p: NDArray[np.float64]) -> None:
    auc = float(metrics.auc(right, p, np.ones((1, len(right)))).values[0])
    print(f"{title}: {len(right)} triplets, {1 - right.mean():.3f} wrong, AUC {auc:.3f}")
    for level in LEVELS:
        kept = p >= level
        print(f"  from {level}: {kept.mean():.3f} kept, {1 - right[kept].mean():.3f} of them wrong")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--readings", type=Path, default=HERE / "readings.jsonl")
    options.add_argument(
        "--held-out", type=Path, default=HERE.parents[1] / "tests" / "data" / "readings_held_out.jsonl"
    )
    given = options.parse_args()
    rows, held = list(read(given.readings)), list(read(given.held_out))
    x, y = np.array([row.features for row in rows]), np.array([float(not row.wrong) for row in rows])
    folds = np.array([row.answer % FOLDS for row in rows])
    p = np.zeros(len(rows))
    for fold in range(FOLDS):
        p[folds == fold] = probabilities(x[folds == fold], fitted(x[folds != fold], y[folds != fold]))
    report("readings, in folds", y, p)
    weights = fitted(x, y)
    unseen = np.array([row.features for row in held])
    report("held out", np.array([float(not row.wrong) for row in held]), probabilities(unseen, weights))
    print(f"BIAS = {weights[-1]:.2f}")
    print("WEIGHTS =", json.dumps(dict(zip(WEIGHTS, weights[:-1].round(2).tolist(), strict=True)), indent=4))


if __name__ == "__main__":
    main()
