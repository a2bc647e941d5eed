"""Fits the confidence of triplets on triplets that readers marked, and measures it.

    python training/extractor/fit_confidence.py --data REAL [--weights FOLDER]

Read: readings.jsonl, answers written for this purpose; the held-out texts of triplets.jsonl.gz, which the NLI model was
not trained on (`marks.py`); and tests/data/readings_held_out.jsonl, the answers of tests/data/everyday_held_out.jsonl.
A line of the first and the last: {"id", "question", "answer", "triplets": [[subject, predicate, object, mark], ...]}.
The mark of a strict reader: "right", "mild" (true and understandable, but untidy; counted as right), or "wrong"
(malformed, bound to the wrong words, cut, without a condition that matters, or not asserted). Triplets that today's
rules no longer give are left out, and so are new ones, which nobody marked.

Printed: the weights; the AUC of the confidence in six folds over the texts, with and without the model's belief, and on
the held-out readings, with the share of wrong triplets among those that a level keeps; and what is lost if triplets in
their own words are not read by the model from a level of the confidence by form on.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from logistic import auc, fitted, probabilities
from marks import HERE, MarkedText, belief, digest, read, readings, slots
from numpy.typing import NDArray

from graph_eval.extractors.rules.belief import Belief
from graph_eval.extractors.rules.binding import Binder
from graph_eval.extractors.rules.confidence import BELIEVED, FORM
from graph_eval.types import Text

HELD_OUT = HERE.parents[1] / "tests" / "data" / "readings_held_out.jsonl"
FOLDS = 6
PENALTY = 10.0
LEVELS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
SURE_LEVELS = (0.94, 0.95, 0.96, 0.97)
RESOLVED = [place for place, name in enumerate(FORM.weights) if name.startswith("resolved")]
Floats = NDArray[np.float64]


def answers(path: Path) -> Iterator[MarkedText]:
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        marks = {digest(" | ".join(parts)): mark for *parts, mark in row["triplets"]}
        yield MarkedText(Text(row["id"], row["answer"], row["question"]), True, marks)


def measured(texts: Sequence[MarkedText], model: Belief) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Of the marked triplets that today's rules give: the features, whether they are right, and the number of the
    text."""
    found, right, numbers, pairs = [], [], [], []
    for number, (one, (drafts, _)) in enumerate(
        zip(texts, readings([m.text for m in texts], Binder(model)), strict=True)
    ):
        for draft in drafts:
            if mark := one.marks.get(digest(" | ".join(slots(draft)))):
                found.append(list(draft.features.values()))
                pairs.append((draft.context, draft.sentence))
                right.append(float(mark != "wrong"))
                numbers.append(number)
    return np.c_[np.array(found), model.log_odds(pairs)], np.array(right), np.array(numbers)


def report(title: str, right: Floats, p: Floats) -> None:
    print(f"{title}: {len(right)} triplets, {1 - right.mean():.3f} wrong, AUC {auc(right, p):.3f}")
    for level in LEVELS:
        kept = p >= level
        print(f"  from {level}: {kept.mean():.3f} kept, {1 - right[kept].mean():.3f} of them wrong")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="the folder with ragtruth.jsonl.gz")
    options.add_argument("--weights", type=Path, help="folder of an NLI model; without it the builtin one")
    given = options.parse_args()
    model = belief(given.weights)
    texts = [*answers(HERE / "readings.jsonl")]
    texts += [one for one in read(HERE / "triplets.jsonl.gz", given.data) if one.heldout]
    x, y, numbers = measured(texts, model)
    unseen, truth, _ = measured([*answers(HELD_OUT)], model)
    folds, later = [], []
    for name, names in (("FORM", FORM.weights), ("BELIEVED", BELIEVED.weights)):
        columns = slice(len(names))  # the belief is the last one
        p = np.zeros(len(y))
        for fold in range(FOLDS):
            own = numbers % FOLDS == fold
            p[own] = probabilities(x[own][:, columns], fitted(x[~own][:, columns], y[~own], PENALTY))
        weights = fitted(x[:, columns], y, PENALTY)
        folds.append(p)
        later.append(probabilities(unseen[:, columns], weights))
        named = dict(zip(names, weights[:-1].round(2).tolist(), strict=True))
        print(f"{name} = Logistic({weights[-1]:.2f}, {json.dumps(named)})")
    for title, found, right, (form, believed) in (("in folds", x, y, folds), ("held out", unseen, truth, later)):
        report(f"by form, {title}", right, form)
        report(f"believed, {title}", right, believed)
        resolved = found[:, RESOLVED].any(axis=1)
        for level in SURE_LEVELS:
            sure = (form >= level) & ~resolved  # is_sure, but for words of the question
            mixed = auc(right, np.where(sure, form, believed))
            wrong = 1 - right[sure].mean()
            print(f"  sure from {level}: {sure.mean():.3f}, {wrong:.3f} of them wrong, AUC {mixed:.3f}")


if __name__ == "__main__":
    main()
