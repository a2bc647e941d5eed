"""Fits the calibration of the builtin checker on development sets and writes it beside the weights.

    python training/nli/calibrate.py --data ../shared/data --out graph_eval/weights/nli/calibration.json

Platt scaling: p = sigmoid(slope * logit(raw p) + intercept), so that 0.5 means one half. Fitted on the largest
p(inconsistent) of a response's claims, for both offline extractors; every set counts the same, and so do its
consistent and inconsistent responses. FactCC, PolyTope and WiCE dev (contexts of at most 1,000 words); no benchmark.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from graph_eval import Example, GraphEval
from graph_eval.bench import metrics, sets
from graph_eval.check.builtin import BuiltinChecker, Calibration
from graph_eval.settings import Settings

DEVELOPMENT = ("factcc", "polytope", "wice")
LONGEST_CONTEXT = 1000  # words


def raw_probabilities(data: Path, name: str, extractor: str) -> tuple[np.ndarray, np.ndarray]:
    """Labels and uncalibrated p(inconsistent) of the responses of one set."""
    checker = BuiltinChecker(calibration=Calibration())
    checker.sufficient = 1.01  # every window is read
    ge = GraphEval(checker=checker, settings=Settings(extractor=extractor))
    examples = [
        item
        for item in sets.known(data, name)
        if isinstance(item, Example) and sum(len(p.text.split()) for p in item.passages) <= LONGEST_CONTEXT
    ]
    scores = np.array([result.p_inconsistent or 0.0 for result in ge.pipe(examples)])
    return np.array([float(sets.label(example)) for example in examples]), scores


def fit(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[float, float]:
    """Slope and intercept by gradient descent on the weighted log loss."""
    logits, labels, weights = [], [], []
    for truth, scores in parts:
        clipped = np.clip(scores, 1e-4, 1 - 1e-4)
        logits.append(np.log(clipped / (1 - clipped)))
        labels.append(truth)
        weights.append(np.where(truth == 1, 0.5 / truth.mean(), 0.5 / (1 - truth.mean())) / len(truth))
    x, y, w = (np.concatenate(part) for part in (logits, labels, weights))
    slope, intercept = 1.0, 0.0
    for _ in range(5000):
        gradient = w * (1 / (1 + np.exp(-(slope * x + intercept))) - y)
        slope -= 0.1 * float((gradient * x).sum())
        intercept -= 0.1 * float(gradient.sum())
    return slope, intercept


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    arguments = options.parse_args()
    parts = [
        raw_probabilities(arguments.data, name, extractor)
        for extractor in ("rules", "sentences")
        for name in DEVELOPMENT
    ]
    slope, intercept = fit(parts)
    calibration = Calibration(round(slope, 3), round(intercept, 3))
    arguments.out.write_text(
        json.dumps({"slope": calibration.slope, "intercept": calibration.intercept, "fitted_on": DEVELOPMENT}) + "\n"
    )
    for (labels, scores), name in zip(parts, DEVELOPMENT * 2, strict=True):
        entailment = np.stack([1 - scores, scores, np.zeros_like(scores)], axis=1)
        calibrated = 1 - calibration.apply(entailment)[:, 0]
        once = np.ones((1, len(labels)))
        before, after = (metrics.balanced_accuracy(labels, p > 0.5, once).values[0] for p in (scores, calibrated))
        area = metrics.auc(labels, scores, once).values[0]
        print(f"{name}: AUC {area:.3f}, balanced accuracy at 0.5 {before:.3f} -> {after:.3f}")
    print(calibration)


if __name__ == "__main__":
    main()
