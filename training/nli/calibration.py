"""Fits the calibration of the builtin checker on development sets and writes it beside the weights.

    python training/nli/calibration.py --data DATA --out graph_eval/weights/nli/calibration.json [--ablate]

DATA holds the folders factcc, polytope, wice and nli. The responses of FactCC, PolyTope and WiCE dev (contexts of at
most 1,000 words), and the claims that people wrote about a piece of evidence in the held-out split of the training mix,
are cut into claims by the extractors `rules` and `sentences`, and every sentence and triplet is read against all
windows that the checker has for it. The weights are fitted so that the largest p(inconsistent) of a response's claims
separates consistent from inconsistent responses: logistic loss, with equal weight for every set and, within a set, for
its consistent and its inconsistent responses, so that 0.5 means one half. The held-out split takes part in fitting the
intercept but not the weights: it is so similar to the training data of the NLI model that all other features would get
no weight. No benchmark is read. The printed figures are of five-fold cross-validation, no context in two folds.
--ablate adds figures without each group of features, and with triplets or sentences alone.
"""

import argparse
import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graph_eval import Example, Passage, registry
from graph_eval.bench import metrics, sets
from graph_eval.checkers.builtin import BuiltinChecker, Hypothesis
from graph_eval.checkers.calibration import Calibration
from graph_eval.checkers.features import Features
from graph_eval.types import CheckTask, Text

DEVELOPMENT = ("factcc", "polytope", "wice")
HELD_OUT = "heldout"
EVIDENCE = ("fever", "fever_sym", "fm2", "healthver", "covidfact", "begin", "wice")  # sources: claims about documents
EXTRACTORS = ("rules", "sentences")
MAX_CONTEXT = 1000  # words
FOLDS = 5
PENALTY = 0.003  # on squared weights of standardised features
STEPS, RATE = 1500, 0.02
# The sentence's share in judging a triplet. Fitted on responses it would be 1, at no measurable gain (--ablate). Then
# all triplets of a sentence would be flagged together, and the graph could not show which of them is wrong.
SHARE = 0.5
FLAT = Calibration(dict.fromkeys(Features._fields, 1.0), 0.0, 0.5)  # with it all windows are read
# Named thresholds, and the sets that each is chosen on.
NAMED = {"summary": ("factcc", "polytope"), "free-text": ("wice", HELD_OUT)}
MIN_GAIN = 0.02  # of balanced accuracy by a named threshold
GROUPS = {
    "NLI": ("entailment", "contradiction"),
    "alignment": ("alignment", "weakest"),
    "lexical": ("coverage", "letters", "novel"),
    "numbers": ("numbers",),
    "negation": ("negation",),
}


@dataclass(slots=True)
class Responses:
    """The claims of all responses of one set and extractor, one after the other.

    `triplet` and `sentence`: features (claims, features), a sentence claim has its sentence's in both. `confidence`
    (claims,). `starts`: the index of a response's first claim. `labels` (responses,) 1 = inconsistent. `contexts`
    (responses,): numbers that equal contexts share. Responses that are verbatim throughout have no claims and are
    counted in `settled` by label.
    """

    name: str
    triplet: np.ndarray
    sentence: np.ndarray
    confidence: np.ndarray
    starts: np.ndarray
    labels: np.ndarray
    contexts: np.ndarray
    settled: tuple[float, float]

    def log_odds(self, weights: np.ndarray, intercept: float, share: float) -> tuple[np.ndarray, np.ndarray]:
        """Of every response, and the place of the claim that decides it."""
        part = self.part(share)
        claims = intercept + (1 - part) * (self.triplet @ weights) + part * (self.sentence @ weights)
        ends = [*self.starts[1:], len(claims)]
        places = np.array([start + claims[start:end].argmax() for start, end in zip(self.starts, ends, strict=True)])
        return claims[places], places

    @property
    def unseen(self) -> bool:
        """Whether its texts are of another kind than those that the NLI model was trained on."""
        return not self.name.startswith(HELD_OUT)

    def part(self, share: float) -> np.ndarray:
        return 1 - (1 - share) * self.confidence

    def of(self, chosen: np.ndarray) -> "Responses":
        """Only these responses (a mask)."""
        ends = [*self.starts[1:], len(self.confidence)]
        kept = [range(start, end) for start, end, take in zip(self.starts, ends, chosen, strict=True) if take]
        places = np.array([place for run in kept for place in run], dtype=int)
        starts = np.cumsum([0, *(len(run) for run in kept)])[:-1]
        claims = (self.triplet[places], self.sentence[places], self.confidence[places])
        settled = (self.settled[0] * chosen.mean(), self.settled[1] * chosen.mean())
        return Responses(self.name, *claims, starts, self.labels[chosen], self.contexts[chosen], settled)


def examples_of(data: Path, name: str) -> list[Example]:
    """The labelled records of a development set."""
    if name == HELD_OUT:
        return held_out(data / "nli" / "mix.jsonl.gz")
    return [
        item
        for item in sets.known(data, name)
        if isinstance(item, Example) and sum(len(p.text.split()) for p in item.passages) <= MAX_CONTEXT
    ]


def held_out(path: Path) -> list[Example]:
    """Pairs of the held-out split, which the NLI model was not trained on; 1: not entailed."""
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for number, line in enumerate(stream):
            row = json.loads(line)
            if row["split"] == HELD_OUT and row["src"] in EVIDENCE:
                label = {"label": int(row["l"] != 0)}
                found.append(Example(str(number), HELD_OUT, row["h"], (Passage.of(row["p"]),), meta=label))
    return found


def collect(data: Path, name: str, extractor: str, checker: BuiltinChecker) -> Responses:
    """Reads every claim of a set against all its windows."""
    examples = examples_of(data, name)
    numbers = {context: number for number, context in enumerate(dict.fromkeys(item.passages for item in examples))}
    triplet: list[Features] = []
    sentence: list[Features] = []
    confidence, starts, labels, contexts, settled = [], [], [], [], [0, 0]
    cut = registry.create("extractor", extractor)
    for start in range(0, len(examples), 64):
        chunk = examples[start : start + 64]
        texts = [Text.of(item) for item in chunk]
        tasks = [
            CheckTask(text, tuple(claims), item.passages)
            for item, text, claims in zip(chunk, texts, cut.extract(texts), strict=True)
        ]
        by_task = checker.claim_readings(tasks)
        readings = [reading for task in by_task for reading in task]
        checker.read(
            hypothesis for reading in readings for hypothesis in (reading.sentence, reading.triplet) if hypothesis
        )
        for item, task in zip(chunk, by_task, strict=True):
            unsettled = [reading for reading in task if reading.sentence is not None]
            label = int(bool(sets.label(item)))
            if not unsettled:
                settled[label] += 1
                continue
            starts.append(len(triplet))
            labels.append(label)
            contexts.append(numbers[item.passages])
            for reading in unsettled:
                sentence.append(features_of(reading.sentence))
                triplet.append(features_of(reading.triplet or reading.sentence))
                confidence.append(reading.claim.confidence if reading.triplet else 1.0)
    return Responses(
        f"{name} {extractor}",
        np.array(triplet),
        np.array(sentence),
        np.array(confidence),
        np.array(starts),
        np.array(labels),
        np.array(contexts),
        (settled[0], settled[1]),
    )


def features_of(hypothesis: Hypothesis | None) -> Features:
    """Those of the passage that supports the text most (the development sets have one passage each)."""
    if hypothesis is None or not hypothesis.readings:
        raise ValueError("no window was read")
    return min(hypothesis.features(), key=lambda features: features.entailment)


@dataclass(frozen=True, slots=True)
class Fitted:
    weights: np.ndarray
    intercept: float
    share: float


def fit(parts: Sequence[Responses], allowed: np.ndarray, share: float | None = None) -> Fitted:
    """Weights from the sets of documents, then the level from all."""
    fitted = fit_weights([part for part in parts if part.unseen], allowed, share)
    low, high = -10.0, 10.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        too_high = 0.0
        for part in parts:
            odds = part.log_odds(fitted.weights, middle, fitted.share)[0]
            too_high += float(((1 / (1 + np.exp(-odds)) - part.labels) * balance(part.labels, part.settled)).sum())
        low, high = (low, middle) if too_high > 0 else (middle, high)
    return Fitted(fitted.weights, low, fitted.share)


def fit_weights(parts: Sequence[Responses], allowed: np.ndarray, share: float | None) -> Fitted:
    """Weights >= 0 by projected Adam. `allowed`: mask of the features to use. `share` None: it is fitted too."""
    scale = np.concatenate([part.sentence for part in parts]).std(axis=0).clip(min=1e-6)
    values = np.append(np.where(allowed, 0.3 / scale, 0.0), [0.0, 0.5 if share is None else share])
    units = np.append(1 / scale, [1.0, 1.0])
    first = second = np.zeros_like(values)
    for step in range(1, STEPS + 1):
        gradient = np.append(PENALTY * 2 * values[:-2] * scale**2, [0.0, 0.0])
        for part in parts:
            odds, places = part.log_odds(values[:-2], values[-2], values[-1])
            wrong = (1 / (1 + np.exp(-odds)) - part.labels) * balance(part.labels, part.settled) / len(parts)
            mixed = part.part(values[-1])[places][:, None]
            gradient[:-2] += wrong @ ((1 - mixed) * part.triplet[places] + mixed * part.sentence[places])
            gradient[-2] += wrong.sum()
            apart = ((part.sentence - part.triplet)[places] @ values[:-2]) * part.confidence[places]
            gradient[-1] += wrong @ apart
        gradient *= units
        first, second = 0.9 * first + 0.1 * gradient, 0.99 * second + 0.01 * gradient**2
        move = RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        values = values - move * units
        values[:-2] = np.where(allowed, values[:-2].clip(min=0), 0.0)
        values[-1] = values[-1].clip(0, 1) if share is None else share
    return Fitted(values[:-2], float(values[-2]), float(values[-1]))


def balance(labels: np.ndarray, settled: tuple[float, float] = (0, 0)) -> np.ndarray:
    """Weights that sum to one half for either label, over these responses and the settled ones together."""
    good, bad = ((labels == label).sum() + settled[label] for label in (0, 1))
    weights: np.ndarray = np.where(labels == 1, 0.5 / max(1, bad), 0.5 / max(1, good))
    return weights


def cross_validated(parts: Sequence[Responses], allowed: np.ndarray, share: float | None = None) -> list[np.ndarray]:
    """Log odds of every response by a calibration that was fitted without its context."""
    found = [np.zeros(len(part.labels)) for part in parts]
    for fold in range(FOLDS):
        fitted = fit([part.of(part.contexts % FOLDS != fold) for part in parts], allowed, share)
        for odds, part in zip(found, parts, strict=True):
            held = part.contexts % FOLDS == fold
            odds[held] = part.log_odds(fitted.weights, fitted.intercept, fitted.share)[0][held]
    return found


def figures(parts: Sequence[Responses], odds: Sequence[np.ndarray]) -> str:
    """AUC and balanced accuracy at 0.5 by set (mean of the extractors), and the calibration error over all."""
    words, cells, wrong, weight = [], {}, [], []
    for part, found in zip(parts, odds, strict=True):
        labels, p = outcomes(part, found)
        once = np.ones((1, len(labels)))
        area = float(metrics.auc(labels, p, once).values[0])
        cells.setdefault(part.name.split()[0], []).append((area, accuracy(part, found, 0.5)))
        wrong.append((p, labels))
        weight.append(balance(labels) / len(parts))
    for name, found_cells in cells.items():
        area, hits = np.mean(found_cells, axis=0)
        words.append(f"{name} {area:.3f} / {hits:.3f}")
    mean = np.mean([cell for found_cells in cells.values() for cell in found_cells], axis=0)
    p, labels = (np.concatenate(column) for column in zip(*wrong, strict=True))
    error = calibration_error(p, labels, np.concatenate(weight))
    return f"{' | '.join(words)} | mean {mean[0]:.3f} / {mean[1]:.3f} | ECE {error:.3f}"


def named_thresholds(parts: Sequence[Responses], odds: Sequence[np.ndarray]) -> dict[str, float]:
    """Thresholds for one kind of text, in steps of .05, where they beat 0.5 by more than a little."""
    found = {}
    for name, members in NAMED.items():
        chosen = [(part, p) for part, p in zip(parts, odds, strict=True) if part.name.split()[0] in members]
        grid = [round(0.05 * step, 2) for step in range(2, 19)]
        reached = {
            threshold: float(np.mean([accuracy(part, p, threshold) for part, p in chosen])) for threshold in grid
        }
        best = max(grid, key=lambda threshold: (reached[threshold], -abs(threshold - 0.5)))
        print(f"threshold {name}: {best} has {reached[best]:.3f}, 0.5 has {reached[0.5]:.3f}")
        if reached[best] - reached[0.5] > MIN_GAIN:
            found[name] = best
    return found


def outcomes(part: Responses, odds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Labels and probabilities of all responses of a set, the settled ones among them."""
    good, bad = map(int, part.settled)
    labels = np.concatenate([part.labels, np.zeros(good), np.ones(bad)])
    return labels, np.concatenate([1 / (1 + np.exp(-odds)), np.zeros(good + bad)])


def accuracy(part: Responses, odds: np.ndarray, threshold: float) -> float:
    """Balanced accuracy over a set."""
    labels, p = outcomes(part, odds)
    return float(metrics.balanced_accuracy(labels, p > threshold, np.ones((1, len(labels)))).values[0])


def calibration_error(p: np.ndarray, labels: np.ndarray, weight: np.ndarray, bins: int = 10) -> float:
    """Expected calibration error: mean distance of probability and share of bad responses, over ten equal bins."""
    place = np.minimum((p * bins).astype(int), bins - 1)
    total = 0.0
    for number in range(bins):
        held = place == number
        if held.any():
            total += abs(float((weight[held] * (p[held] - labels[held])).sum()))
    return total


def ablations(
    parts: Sequence[Responses], show: Callable[[str, Sequence[Responses], np.ndarray, float | None], None]
) -> None:
    every = np.ones(len(Features._fields), dtype=bool)
    for group, names in GROUPS.items():
        show(f"without {group}", parts, np.array([name not in names for name in Features._fields]), SHARE)
    for group, names in GROUPS.items():
        show(f"only {group}", parts, np.array([name in names for name in Features._fields]), SHARE)
    rules = [part for part in parts if part.name.endswith("rules")]
    show("rules: triplets alone", rules, every, 0.0)
    show("rules: mean of both", rules, every, 0.5)
    show("rules: sentences alone", rules, every, 1.0)
    show("rules: learnt", rules, every, None)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument(
        "--features", nargs="+", choices=Features._fields, default=Features._fields, help="default: all"
    )
    options.add_argument("--ablate", action="store_true")
    given = options.parse_args()
    used = np.array([name in given.features for name in Features._fields])
    checker = BuiltinChecker(calibration=FLAT)
    checker.early_exit = -1.0
    parts = [
        collect(given.data, name, extractor, checker) for name in (*DEVELOPMENT, HELD_OUT) for extractor in EXTRACTORS
    ]

    def show(title: str, shown: Sequence[Responses], allowed: np.ndarray, share: float | None = None) -> None:
        print(f"{title:<24}{figures(shown, cross_validated(shown, allowed, share))}", flush=True)

    for part in parts:
        once = np.ones((1, len(part.labels)))
        ends = [*part.starts[1:], len(part.confidence)]
        for column, name in enumerate(Features._fields):
            worst = np.array([part.triplet[a:b, column].max() for a, b in zip(part.starts, ends, strict=True)])
            area = float(metrics.auc(part.labels, worst, once).values[0])
            print(f"{part.name:<20} {name:<14} AUC {area:.3f}")
    show("these features", parts, used, SHARE)
    if given.ablate:
        ablations(parts, show)
    fitted = fit(parts, used, SHARE)
    weights = {name: round(float(value), 4) for name, value in zip(Features._fields, fitted.weights, strict=True)}
    values = {
        "weights": weights,
        "intercept": round(fitted.intercept, 4),
        "share": round(fitted.share, 3),
        "thresholds": named_thresholds(parts, cross_validated(parts, used, SHARE)),
        "fitted_on": (*DEVELOPMENT, HELD_OUT),
    }
    given.out.write_text(json.dumps(values, indent=1) + "\n")
    print(json.dumps(values))


if __name__ == "__main__":
    main()
