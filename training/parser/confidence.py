"""Measures and fits the confidence of triplets: whether a triplet is the one that the treebank's own parse gives.

    python training/parser/confidence.py --data UD

Prints, for EWT dev and test, the share of triplets that both parses give, the AUC of the confidence, and a reliability
table; then the weights that a logistic regression finds on dev.
"""

import argparse
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.tokens import Doc
from treebank import read

from graph_eval import metrics
from graph_eval.extractors.rules.clauses import ClauseRules
from graph_eval.extractors.rules.confidence import as_parsed, log_certainties
from graph_eval.extractors.rules.coreference import Discourse
from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.surface import Surface
from graph_eval.extractors.rules.tree import Tree
from graph_eval.parsing.parser import Parser
from graph_eval.types import Span

BINS = (0, 0.3, 0.5, 0.7, 0.8, 0.9, 1.01)


def drafts(doc: Doc) -> tuple[Tree, list[Draft]]:
    text = doc.text
    tree = Tree(doc, Surface(text, tuple(range(len(text)))), text, Span(0, len(text)))
    return tree, [draft for draft in ClauseRules(tree, Discourse()).run() if draft.complete]


def rows(path: Path) -> NDArray[np.float64]:
    """For each triplet: 1.0 if the treebank's parse gives it too, its confidence, and the features of the fit."""
    sentences = list(read(path))
    vocab = spacy.blank("en").vocab
    plain = [Doc(vocab, words=list(s.words), spaces=list(s.spaces)) for s in sentences]
    found = []
    for sentence, doc in zip(sentences, Parser.builtin().read(plain), strict=True):
        gold = Doc(
            vocab,
            words=list(sentence.words),
            spaces=list(sentence.spaces),
            tags=list(sentence.tags),
            heads=[head - 1 if head else place for place, head in enumerate(sentence.heads)],
            deps=["ROOT" if relation == "root" else relation for relation in sentence.relations],
        )
        right = {draft.wording.lower() for draft in drafts(gold)[1]}
        tree, own = drafts(doc)
        for draft in own:
            logs = log_certainties(draft, tree)
            features = (1.0, min(logs), sum(logs) / len(logs))
            found.append((float(draft.wording.lower() in right), as_parsed(draft, tree), *features))
    return np.array(found)


def auc(right: NDArray[np.float64], scores: NDArray[np.float64]) -> float:
    return round(float(metrics.auc(right, scores, np.ones((1, len(right)))).values[0]), 4)


def fitted(features: NDArray[np.float64], right: NDArray[np.float64]) -> list[float]:
    """The weights of a logistic regression, by Newton's method."""
    weights = np.zeros(features.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-features @ weights))
        hessian = features.T @ (features * (p * (1 - p))[:, None]) + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(hessian, features.T @ (right - p) - 1e-3 * weights)
    return [round(float(weight), 2) for weight in weights]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="folder with the UD .conllu.gz files")
    given = options.parse_args()
    for name in ("dev", "test"):
        table = rows(given.data / f"en_ewt-{name}.conllu.gz")
        right, confidence = table[:, 0], table[:, 1]
        bins = []
        for low, high in pairwise(BINS):
            inside = (confidence >= low) & (confidence < high)
            if inside.any():
                share, mean = right[inside].mean(), confidence[inside].mean()
                bins.append({"n": int(inside.sum()), "confidence": round(mean, 3), "right": round(share, 3)})
        error = sum(part["n"] * abs(part["confidence"] - part["right"]) for part in bins) / len(table)
        scores = {"triplets": len(table), "right": round(right.mean(), 4), "AUC": auc(right, confidence)}
        print(json.dumps({"file": name, **scores, "calibration_error": round(error, 4), "bins": bins}))
        if name == "dev":
            print(json.dumps({"weights": fitted(table[:, 2:], right)}))


if __name__ == "__main__":
    main()
