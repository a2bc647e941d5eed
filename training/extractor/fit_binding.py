"""Fits which choices of the rules a pronoun is bound by, on pronouns whose phrases readers named, and measures it.

    python training/extractor/fit_binding.py --data REAL [--weights FOLDER]

Read: the held-out texts of pronouns.jsonl.gz, which the NLI model was not trained on. Printed, in folds over the texts:
the AUC, and by level of the pronouns that are bound the share that is bound rightly, and of those that stand for a
named phrase the share that is; beside it what the rules alone bind, and the same without the model's belief; and the
weights.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from logistic import auc, fitted, probabilities
from marks import HERE, belief, digest, read, readings
from numpy.typing import NDArray

from graph_eval.extractors.rules.binding import Binder

FOLDS = 6
PENALTY = 10.0
LEVELS = (0.0, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
BELIEF = ("belief", "ahead", "alone")
Floats = NDArray[np.float64]


def choices(data: Path, binder: Binder) -> tuple[list[dict[str, float]], Floats, NDArray[np.int64], int]:
    """Of the marked choices: features, whether they are right, numbers of their texts; and how many marked pronouns
    stand for a phrase."""
    marked = [one for one in read(HERE / "pronouns.jsonl.gz", data) if one.heldout]
    found, right, texts, named = [], [], [], 0
    for number, (one, (_, made)) in enumerate(zip(marked, readings([m.text for m in marked]), strict=True)):
        marks = {(start, end): (right, others) for start, end, right, others in one.marks}
        named += sum(bool(own) for own, _ in marks.values())
        for choice in made:
            own, others = marks.get((choice.pronoun.start, choice.pronoun.end), ((), ()))
            chosen = digest(next(iter(choice.wordings)))
            if chosen in own or chosen in others:
                found.append(binder.features(choice))
                right.append(float(chosen in own))
                texts.append(number)
    return found, np.array(right), np.array(texts), named


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="the folder with ragtruth.jsonl.gz")
    options.add_argument("--weights", type=Path, help="folder of an NLI model; without it the builtin one")
    given = options.parse_args()
    rows, right, texts, named = choices(given.data, Binder(belief(given.weights)))
    names = list(rows[0])
    x = np.array([list(row.values()) for row in rows])
    for title, used in (
        ("without belief", np.array([name not in BELIEF for name in names])),
        ("with belief", np.ones(len(names), bool)),
    ):
        p = np.zeros(len(right))
        for fold in range(FOLDS):
            own = texts % FOLDS == fold
            p[own] = probabilities(x[own][:, used], fitted(x[~own][:, used], right[~own], PENALTY))
        area = auc(right, p)
        print(f"{title}, in folds: {len(right)} choices, {named} pronouns that stand for a phrase, AUC {area:.3f}")
        for level in LEVELS:
            bound = right[p >= level]
            print(f"  from {level}: {len(bound)} bound, {bound.mean():.3f} rightly, {bound.sum() / named:.3f} of all")
    weights = fitted(x, right, PENALTY)
    by_name = dict(zip(names, weights[:-1].round(2).tolist(), strict=True))
    print(f"BINDING = Logistic({weights[-1]:.2f}, {json.dumps(by_name)})")


if __name__ == "__main__":
    main()
