"""Trains the rankers of the builtin corrector and writes them beside the weights.

    python training/corrector/train_ranker.py --rows DIR --out graph_eval/weights/corrector/ranker.json

DIR: what rate_candidates.py wrote, for the train and the dev parts. The first ranker learns from all candidates, the
second one from the best of them, read again by the NLI model. For the second ranker and for the printed figures each
candidate is rated by a first ranker that did not learn from its article (five folds). On the texts that people wrote,
the probabilities of the second ranker are calibrated, and the least probability is chosen from which --precision of the
first choices are right, also out of fold.

Printed are, for each set and from each probability on, how many first choices are right, which share of the wrong
sentences they restore, and how many consistent sentences that the NLI model may flag they would change. The reliability
diagram says which share of the probabilities comes true.
"""

import argparse
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from graph_eval.correctors.candidates import FEATURES, RELATIVE, tokens
from graph_eval.correctors.fluency import Fluency
from graph_eval.correctors.ranker import MAX_DEVIATION, Ranker
from graph_eval.correctors.second_reading import REREAD, SECOND_FEATURES, Verdict, second_features
from graph_eval.correctors.splice import applied
from graph_eval.nli.scorer import OnnxScorer
from graph_eval.parsing.parser import Parser
from graph_eval.resources import folder
from graph_eval.types import Edit, Span

FOLDS = 5
SEEDS = 3
HIDDEN = 24
EPOCHS, BATCH = 12, 8192  # of the first ranker, which learns from some 900,000 candidates
SECOND_EPOCHS, SECOND_BATCH = 40, 512
DECAY = 0.5
RATE = 0.01
THRESHOLDS = (0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7)
BINS = 10  # of the reliability diagram
MADE = "made"  # begins the names of sets that no person wrote: they train, but no level is chosen on them
LEAST_EDITS = 50  # on which a level is chosen
NEWTON_STEPS = 50
MOST_READ = {  # sentences read again
    "summedits-a": 900,
    "defacto-train": 600,
    "bump-train": 500,
    "made-answers": 400,
    "made-train": 200,
    "made-twins": 700,
}


@dataclass(slots=True)
class Rated:
    """A sentence with its candidates. `edits`: of each, in offsets of the sentence."""

    name: str
    wrong: bool
    fold: int
    text: str
    evidence: str
    right_text: str | None
    edits: list[list[Edit]]
    kinds: list[str]
    right: np.ndarray
    features: np.ndarray
    p: np.ndarray = field(default_factory=lambda: np.zeros(0))
    best: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=int))  # places of the candidates read again
    second: np.ndarray = field(default_factory=lambda: np.zeros((0, len(SECOND_FEATURES))))

    @property
    def best_right(self) -> np.ndarray:
        return self.right[self.best]


def read(path: Path) -> list[Rated]:
    """Sentences as rate_candidates.py wrote them. Candidates that make no edit are left out."""
    packed = np.load(path.with_suffix(".npz"))
    table = np.split(packed["features"], np.cumsum(packed["counts"])[:-1])
    found = []
    with path.with_suffix(".jsonl").open(encoding="utf-8") as stream:
        for line, features in zip(stream, table, strict=True):
            row = json.loads(line)
            kept = [place for place, (edits, *_) in enumerate(row["candidates"]) if edits]
            edits = [
                [Edit(Span(start, end), row["text"][start:end], new) for start, end, new in row["candidates"][place][0]]
                for place in kept
            ]
            found.append(
                Rated(
                    path.name,
                    bool(row["wrong"]),
                    row["fold"],
                    row["text"],
                    row["evidence"],
                    row["right"],
                    edits,
                    [row["candidates"][place][1] for place in kept],
                    np.array([row["candidates"][place][2] for place in kept], dtype=bool),
                    features[kept],
                )
            )
    return found


def fit(features: np.ndarray, labels: np.ndarray, names: Sequence[str], seeds: int, epochs: int, batch: int) -> dict:
    """A ranker as ranker.json holds it."""
    mean, scale = features.mean(0), features.std(0).clip(min=1e-3)
    x = torch.tensor(((features - mean) / scale).clip(-MAX_DEVIATION, MAX_DEVIATION), dtype=torch.float32)
    y = torch.tensor(labels, dtype=torch.float32)
    networks = []
    for seed in range(seeds):
        torch.manual_seed(seed)
        model = nn.Sequential(nn.Linear(x.shape[1], HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1))
        with torch.no_grad():
            model[2].bias.fill_(math.log(max(1e-3, float(y.mean()))))
        optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
        steps = epochs * max(1, math.ceil(len(x) / batch))
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1)
        for _ in range(epochs):
            order = torch.randperm(len(x))
            for start in range(0, len(x), batch):
                rows = order[start : start + batch]
                loss = functional.binary_cross_entropy_with_logits(model(x[rows])[:, 0], y[rows])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
        hidden, out = model[0], model[2]
        networks.append(
            {
                "hidden": hidden.weight.detach().numpy().T.round(4).tolist(),
                "hidden_bias": hidden.bias.detach().numpy().round(4).tolist(),
                "out": out.weight.detach().numpy()[0].round(4).tolist(),
                "out_bias": round(float(out.bias.detach()), 4),
            }
        )
    return {"names": list(names), "mean": _listed(mean), "scale": _listed(scale), "networks": networks}


def _listed(values: np.ndarray) -> list[float]:
    return [round(float(value), 4) for value in values]


def fit_first(rated: Sequence[Rated], seeds: int = SEEDS) -> dict:
    features = np.concatenate([one.features for one in rated])
    return fit(features, np.concatenate([one.right for one in rated]), (*FEATURES, *RELATIVE), seeds, EPOCHS, BATCH)


def fit_second(rated: Sequence[Rated], seeds: int = SEEDS) -> dict:
    features = np.concatenate([one.second for one in rated])
    return fit(
        features, np.concatenate([one.best_right for one in rated]), SECOND_FEATURES, seeds, SECOND_EPOCHS, SECOND_BATCH
    )


def some(rated: Sequence[Rated]) -> list[Rated]:
    """Of each set as many sentences as are read again, drawn at random."""
    found = []
    for name in dict.fromkeys(one.name for one in rated):
        own = [one for one in rated if one.name == name]
        random.Random(name).shuffle(own)
        found += own[: MOST_READ.get(name)]
    return found


def rate_first(rated: Sequence[Rated], ranker_of: Callable[[Rated], Ranker]) -> None:
    for one in rated:
        one.p = ranker_of(one).probabilities(one.features)
        one.best = np.argsort(-one.p, kind="stable")[:REREAD]


def reread(rated: Sequence[Rated], threads: int) -> None:
    """The features of the second ranker."""
    scorer, parser, fluency = OnnxScorer(folder("weights/nli"), threads), Parser.builtin(), Fluency.builtin()
    for start in range(0, len(rated), 64):
        part = rated[start : start + 64]
        texts = [[one.text, *(applied(one.text, one.edits[place]) for place in one.best)] for one in part]
        pairs = [(one.evidence, text) for one, own in zip(part, texts, strict=True) for text in own]
        readings = iter(scorer.read(pairs))
        unique = dict.fromkeys(text for own in texts for text in own)
        parsed = dict(zip(unique, map(tokens, parser.parse(list(unique))), strict=True))
        for one, own in zip(part, texts, strict=True):
            verdicts = [Verdict.of(next(readings)) for _ in own]
            changes = [fluency.change(parsed[own[0]], parsed[text]) for text in own[1:]]
            edits = [one.edits[place] for place in one.best]
            kinds = [one.kinds[place] for place in one.best]
            one.second = second_features(kinds, edits, one.p[one.best], verdicts[0], verdicts[1:], changes)
        print(f"\rread again: {start + len(part)} of {len(rated)}", end="", flush=True)
    print()


def chosen(rated: Sequence[Rated], p: Sequence[np.ndarray], places: Sequence[np.ndarray]) -> list[tuple]:
    """(sentence, probability, place) of the best candidate of each sentence."""
    found = zip(rated, p, places, strict=True)
    return [(one, float(own.max()), int(at[own.argmax()])) for one, own, at in found if len(own)]


def table(title: str, rated: Sequence[Rated], firsts: Sequence[tuple]) -> None:
    wrong = sum(one.wrong for one in rated)
    good = sum(bool(one.right[place]) for one, _, place in firsts)
    reachable = sum(bool(one.right.any()) for one in rated)
    print(f"{title}: {wrong} wrong, right first {good / wrong:.3f}, any right {reachable / wrong:.3f}")
    for least in THRESHOLDS:
        made = [(one, place) for one, p, place in firsts if p >= least]
        given = [(bool(one.right[place]), one.kinds[place]) for one, place in made if one.wrong]
        if not given:
            continue
        kinds, rights = Counter(kind for _, kind in given), Counter(kind for right, kind in given if right)
        rates = " ".join(f"{kind} {rights[kind] / count:.2f} ({count})" for kind, count in kinds.most_common(6))
        changed = sum(not one.wrong for one, _ in made) / max(1, len(rated) - wrong)
        rights_made = sum(right for right, _ in given)
        print(
            f"  {least}: precision {rights_made / len(given):.3f}, restored {rights_made / wrong:.3f}, "
            f"edited {len(given) / wrong:.3f}, consistent {changed:.3f}; {rates}"
        )


def reliability(firsts: Sequence[tuple]) -> None:
    """Of first choices: the mean probability and the share that is right, in bins; the expected calibration error."""
    p = np.array([own for _, own, _ in firsts])
    right = np.array([bool(one.right[place]) for one, _, place in firsts])
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    error = 0.0
    for number in range(BINS):
        own = bins == number
        if own.any():
            error += own.mean() * abs(p[own].mean() - right[own].mean())
            print(f"  p {p[own].mean():.2f}: right {right[own].mean():.2f} ({own.sum()})")
    print(f"  expected calibration error {error:.3f}")


def calibrated(odds: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """Slope and offset of the log odds for which the probabilities come true (Platt, 1999), by Newton's method."""
    x = np.stack([odds, np.ones_like(odds)], axis=1)
    weights = np.array([1.0, 0.0])
    for _ in range(NEWTON_STEPS):
        p = 1 / (1 + np.exp(-x @ weights))
        curvature = (x * (p * (1 - p))[:, None]).T @ x
        step = np.linalg.solve(curvature + 1e-6 * np.eye(2), x.T @ (p - right))
        weights = weights - step
        if np.abs(step).max() < 1e-8:
            break
    return float(weights[0]), float(weights[1])


def least_probability(firsts: Sequence[tuple], precision: float) -> float:
    """The least probability, in steps of .05, from which that share of the edits of wrong sentences is right."""
    for hundredths in range(5, 100, 5):
        made = [bool(one.right[place]) for one, p, place in firsts if one.wrong and p >= hundredths / 100]
        if len(made) < LEAST_EDITS:
            break
        if sum(made) >= precision * len(made):
            return hundredths / 100
    raise SystemExit(f"no probability gives {precision} of {LEAST_EDITS} edits or more")


def by_set(title: str, rated: Sequence[Rated], p: Sequence[np.ndarray], places: Sequence[np.ndarray]) -> None:
    for name in dict.fromkeys(one.name for one in rated):
        own = [number for number, one in enumerate(rated) if one.name == name]
        part = [rated[number] for number in own]
        table(f"{title}, {name}", part, chosen(part, [p[n] for n in own], [places[n] for n in own]))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=Path, required=True)
    options.add_argument("--precision", type=float, default=0.75, help="of the edits that are made, out of fold")
    options.add_argument("--threads", type=int, default=0)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    names = sorted(path.with_suffix("") for path in given.rows.glob("*.npz"))
    train = [one for name in names if not name.name.endswith("-dev") for one in read(name)]
    dev = [one for name in names if name.name.endswith("-dev") for one in read(name)]

    folds = [Ranker.of(fit_first([one for one in train if one.fold != fold], 1)) for fold in range(FOLDS)]
    first_value = fit_first(train)
    first = Ranker.of(first_value)
    rate_first(train, lambda one: folds[one.fold])
    rate_first(dev, lambda _: first)
    for title, part in (("first ranker, folds", train), ("first ranker, dev", dev)):
        by_set(title, part, [one.p for one in part], [np.arange(len(one.p)) for one in part])

    train, dev = some(train), some(dev)
    reread([*train, *dev], given.threads)
    seconds = [Ranker.of(fit_second([one for one in train if one.fold != fold], 3)) for fold in range(FOLDS)]
    human = [one for one in train if not one.name.startswith(MADE)]
    odds = np.concatenate([seconds[one.fold].log_odds(one.second) for one in human])
    slope, offset = calibrated(odds, np.concatenate([one.best_right for one in human]))
    print(f"calibration: slope {slope:.3f}, offset {offset:.3f}")
    seconds = [replace(ranker, slope=slope, offset=offset) for ranker in seconds]
    second_value = fit_second(train) | {"slope": round(slope, 4), "offset": round(offset, 4)}
    second = Ranker.of(second_value)
    least = 0.0
    for title, part in (("second ranker, folds", human), ("second ranker, dev", dev)):
        p = [(seconds[one.fold] if part is human else second).probabilities(one.second) for one in part]
        places = [one.best for one in part]
        by_set(title, part, p, places)
        firsts = chosen(part, p, places)
        reliability(firsts)
        if part is human:
            least = least_probability(firsts, given.precision)
            print(f"least probability: {least}")
    value = {"first": first_value, "second": second_value, "min_probability": least}
    given.out.write_text(json.dumps(value, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
