"""Fits what pronouns are bound by, on pronouns whose phrases readers named, and measures it.

    python training/extractor/fit_binding.py --data REAL [--weights FOLDER]

Read: the held-out texts of pronouns.jsonl.gz, which the NLI model was not trained on. Printed, in folds over the texts:
of the pronouns that are bound the share that is bound rightly, and of those that stand for a named phrase the share
that is, by level, beside what the rules alone bind; the same without the model's belief; and the weights.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from logistic import fitted, probabilities
from marks import HERE, belief, digest, read, readings
from numpy.typing import NDArray

from graph_eval.extractors.rules.binding import Binder

FOLDS = 6
PENALTY = 10.0
LEVELS = (0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
BELIEF = ("belief", "ahead", "alone")


@dataclass(slots=True)
class Pronoun:
    """Of each candidate its features and whether it is right. `named`: some phrase of the text is."""

    text: int
    features: NDArray[np.float64]
    right: NDArray[np.bool_]
    ruled: NDArray[np.bool_]
    named: bool


def pronouns(data: Path, binder: Binder) -> tuple[list[str], list[Pronoun]]:
    """The names of the features, and the pronouns of the held-out texts."""
    marked = [one for one in read(HERE / "pronouns.jsonl.gz", data) if one.heldout]
    names: list[str] = []
    found = []
    for number, (one, (_, choices)) in enumerate(zip(marked, readings([m.text for m in marked]), strict=True)):
        marks = {(start, end): (set(right), set(others)) for start, end, right, others in one.marks}
        for choice in choices:
            place = (choice.place.start, choice.place.end)
            if place not in marks:
                continue
            right, others = marks[place]
            known = [c for c in choice.candidates if digest(c.name) in right | others]
            if known:
                rows = binder.features(choice.text, known)
                names = list(rows[0])
                found.append(
                    Pronoun(
                        number,
                        np.array([list(row.values()) for row in rows]),
                        np.array([digest(c.name) in right for c in known]),
                        np.array([bool(row["ruled"]) for row in rows]),
                        bool(right),
                    )
                )
    return names, found


def report(title: str, found: list[Pronoun], p: list[NDArray[np.float64]]) -> None:
    named = sum(one.named for one in found)
    print(title)
    for level in LEVELS:
        bound = [one.right[own.argmax()] for one, own in zip(found, p, strict=True) if own.max() >= level]
        print(
            f"  from {level}: {len(bound)} bound, {np.mean(bound):.3f} of them rightly, {sum(bound) / named:.3f} of all"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="the folder with ragtruth.jsonl.gz")
    options.add_argument("--weights", type=Path, help="folder of an NLI model; without it the builtin one")
    given = options.parse_args()
    names, found = pronouns(given.data, Binder(belief(given.weights)))
    ruled = [one.right[one.ruled.argmax()] for one in found if one.ruled.any()]
    named = sum(one.named for one in found)
    print(
        f"{len(found)} pronouns, {named} stand for a phrase; the rules bind {len(ruled)}, {np.mean(ruled):.3f} of them"
    )
    print(f"rightly, {sum(ruled) / named:.3f} of all")
    folds = np.array([one.text % FOLDS for one in found])
    for title, used in (
        ("without belief", [name not in BELIEF for name in names]),
        ("with belief", [True] * len(names)),
    ):
        p: list[NDArray[np.float64]] = [np.zeros(0)] * len(found)
        for fold in range(FOLDS):
            rest = [one for one, own in zip(found, folds, strict=True) if own != fold]
            weights = fitted(
                np.concatenate([one.features for one in rest])[:, used],
                np.concatenate([one.right for one in rest]).astype(float),
                PENALTY,
            )
            for place in np.flatnonzero(folds == fold):
                p[place] = probabilities(found[place].features[:, used], weights)
        report(title, found, p)
    weights = fitted(
        np.concatenate([one.features for one in found]),
        np.concatenate([one.right for one in found]).astype(float),
        PENALTY,
    )
    print(f"BIAS = {weights[-1]:.2f}")
    print("WEIGHTS =", json.dumps(dict(zip(names, weights[:-1].round(2).tolist(), strict=True)), indent=4))


if __name__ == "__main__":
    main()
