"""Fits the calibration of the builtin checker on development sets and writes it beside the weights.

    PYTHONPATH=training/nli python training/nli/calibration.py --data DATA \
        --out graph_eval/weights/nli/calibration.json [--ablate] [--most 300] [--weights FOLDER]

DATA holds the folders real, factcc, polytope and wice. The answers of the dev splits are cut into claims by the
extractor `rules`, and every claim is read against all premises that the checker has for it. The weights are fitted so
that p(inconsistent) is the chance that a person finds a claim unsupported: logistic loss at the rates at which the
answers of a set are wrong. RAGTruth's annotators marked words, as the errors of the everyday answers of tests/data are:
there each claim has a label of its own. Elsewhere the largest p of a response's claims meets the label of the response.
No benchmark is read, nor are the everyday answers that are held out.

The printed figures are of five-fold cross-validation, no context in two folds. Where sentences have labels they are by
sentence, a sentence's p being the largest of its claims. --ablate adds figures without each feature. --most: rows of a
set, which a fixed seed chooses.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import everyday
import numpy as np
from development import character_f1, dev_rows
from real import NOT_ENTAILED, spans_of, stated_sentences, verdict

from graph_eval import Example, Passage, metrics, registry
from graph_eval.bench import sets
from graph_eval.checkers.builtin import BuiltinChecker
from graph_eval.checkers.calibration import Calibration
from graph_eval.checkers.features import Features
from graph_eval.formats.labelled import label
from graph_eval.nli.scorer import OnnxScorer
from graph_eval.types import CheckTask, Span, Text

REAL = ("ragtruth", "expertqa", "attrbench", "factcheck_gpt", "defacto")
SUMMARIES = ("factcc", "polytope", "wice")
EVERYDAY = "everyday"
SPANS = frozenset({"ragtruth", EVERYDAY})  # sets whose wrong words are marked
# Shares of the sets in the loss; 1 if not named. RAG answers set the level: they are what most answers are like.
SHARES: Mapping[str, float] = {"ragtruth": 20.0, EVERYDAY: 4.0}
SETS = (*REAL, *SUMMARIES, EVERYDAY)
MAX_CONTEXT = 1000  # words of a summary's source
FOLDS = 5
PRIOR = 2.0  # claims
PENALTY = 0.01  # on squared weights of standardised features: those that say the same share their weight
STEPS, RATE = 1200, 0.02
ALL = Calibration(dict.fromkeys(Features._fields, 1.0), 30.0)  # nothing is decided with it: all premises are read
NAMED = {"claims": ("expertqa", "attrbench", "factcheck_gpt", "wice"), "summary": ("factcc", "polytope", "defacto")}
MIN_GAIN = 0.02  # of F1 by a named threshold
STRICT = 0.73  # least precision by the threshold `strict`: nearly three flags of four
GAIN = 0.89  # share of what a perfect next checker would gain that a cascade has to keep
WORD_LEVELS = (-3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)  # log odds
NUMBERS = Features._fields.index("numbers")
SUPPORTED, UNSUPPORTED, UNKNOWN = 0, 1, -1
LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9)


@dataclass(slots=True)
class Part:
    """The claims of one set, response by response.

    `features` (claims, features); `settled` (claims,): log odds of claims that need no model, NaN for all others;
    `owns` (claims,): labels of claims; `sentences` and `rows` (claims,): numbers of their sentence and response;
    `stated` (sentences,): labels of sentences, UNKNOWN where the marks say too little; `within` (sentences,): the
    sentence's response; `labels` (responses,); `contexts` (responses,): numbers that equal contexts share; `words`
    (claims,): the unsupported words by level; `marks` (responses,): the annotators'.
    """

    name: str
    features: np.ndarray
    settled: np.ndarray
    owns: np.ndarray
    sentences: np.ndarray
    rows: np.ndarray
    stated: np.ndarray
    within: np.ndarray
    labels: np.ndarray
    contexts: np.ndarray
    words: list[dict[float, tuple[Span, ...]]]
    marks: list[list[Span]]

    def odds(self, fitted: "Fitted") -> np.ndarray:
        """Log odds of every claim."""
        found = fitted.intercept + self.features @ fitted.weights
        found = np.where(self.features[:, NUMBERS] > 0, found.clip(min=fitted.number_floor), found)
        return np.where(np.isnan(self.settled), found, self.settled)

    def by_sentence(self, odds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Labels and log odds of the sentences with a known label."""
        worst = np.full(len(self.stated), -50.0)
        np.maximum.at(worst, self.sentences, odds)
        known = self.stated != UNKNOWN
        return self.stated[known], worst[known]

    def by_response(self, odds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        worst = np.full(len(self.labels), -50.0)
        np.maximum.at(worst, self.rows, odds)
        return self.labels, worst

    def units(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What is fitted: places of claims, the number of the unit of each, labels of the units.

        A unit is a claim where claims have labels, else a response. `chosen` (responses,): a mask.
        """
        open_ = np.isnan(self.settled) & chosen[self.rows]
        if self.name in SPANS:
            places = np.flatnonzero(open_ & (self.owns != UNKNOWN))
            return places, np.arange(len(places)), self.owns[places]
        places = np.flatnonzero(open_)
        found, numbers = np.unique(self.rows[places], return_inverse=True)
        return places, numbers, self.labels[found]


def examples_of(data: Path, name: str, most: int | None) -> list[tuple[Example, list[tuple[Any, int]]]]:
    """The labelled records of a development set, each with what its annotators marked."""
    if name == EVERYDAY:
        read = everyday.answers(everyday.DATA / "everyday.jsonl")
        return [
            (
                replace(answer.example, meta={"label": int(not answer.right)}),
                [(span, NOT_ENTAILED) for span in answer.wrong],
            )
            for answer in read
        ][:most]
    if name in SUMMARIES:
        return [
            (item, [])
            for item in sets.published_set(data, name)
            if isinstance(item, Example) and sum(len(p.text.split()) for p in item.passages) <= MAX_CONTEXT
        ][:most]
    found = []
    for row in dev_rows(data / "real", name, most):
        context = [row["context"]] if isinstance(row["context"], str) else row["context"]
        passages = tuple(Passage.of(text) for text in context if text.strip())
        meta = {"label": int(bool(row["label"]))}
        example = Example(row["id"], name, row["response"], passages, question=row.get("question"), meta=meta)
        found.append((example, spans_of(row) if row.get("spans") else []))
    return found


def collect(data: Path, name: str, checker: BuiltinChecker, most: int | None) -> Part:
    """Reads every claim of a set against all its premises."""
    both = examples_of(data, name, most)
    numbers = {context: number for number, context in enumerate(dict.fromkeys(item.passages for item, _ in both))}
    extractor = registry.create("extractor", "rules")
    claims: dict[str, list[Any]] = {key: [] for key in ("features", "settled", "owns", "sentences", "rows")}
    words: list[dict[float, tuple[Span, ...]]] = []
    stated: list[int] = []
    within: list[int] = []
    for start in range(0, len(both), 32):
        chunk = both[start : start + 32]
        texts = [Text.of(item) for item, _ in chunk]
        cut = extractor.extract(texts)
        tasks = [
            CheckTask(text, tuple(own), item.passages) for (item, _), text, own in zip(chunk, texts, cut, strict=True)
        ]
        by_task = checker.claim_readings(tasks)
        checker.read(by_task)
        for number, ((item, marked), readings) in enumerate(zip(chunk, by_task, strict=True), start):
            spans = list(stated_sentences(item.response))
            first = len(stated)
            stated += [_label(verdict([span], marked)) for span in spans]
            within += [number] * len(spans)
            for reading in readings:
                claim = reading.claim
                at = next((place for place, span in enumerate(spans) if span.overlaps(claim.sentence)), None)
                if at is None:  # a line that opens a list: no sentence of the annotators'
                    continue
                claims["features"].append(reading.features() if reading.sentence else [0.0] * len(Features._fields))
                claims["settled"].append(np.nan if reading.sentence else -50.0 if reading.verbatim else 50.0)
                claims["owns"].append(_label(verdict(claim.spans, marked)))
                claims["sentences"].append(first + at)
                claims["rows"].append(number)
                levels = WORD_LEVELS if name in SPANS else ()
                words.append({level: reading.unsupported(item.response, level) for level in levels})
    return Part(
        name,
        *(np.array(claims[key]) for key in ("features", "settled", "owns", "sentences", "rows")),
        np.array(stated),
        np.array(within),
        np.array([int(bool(label(item))) for item, _ in both]),
        np.array([numbers[item.passages] for item, _ in both]),
        words,
        [[span for span, _ in marked] for _, marked in both],
    )


def _label(found: int | None) -> int:
    return UNKNOWN if found is None else UNSUPPORTED if found else SUPPORTED


@dataclass(frozen=True, slots=True)
class Fitted:
    weights: np.ndarray
    intercept: float
    number_floor: float = -np.inf

    def calibration(self, thresholds: Mapping[str, float]) -> Calibration:
        weights = {name: round(float(value), 4) for name, value in zip(Features._fields, self.weights, strict=True)}
        return Calibration(weights, round(self.intercept, 4), thresholds, round(self.number_floor, 4))


def fit(parts: Sequence[Part], chosen: Sequence[np.ndarray], allowed: np.ndarray) -> Fitted:
    """Weights >= 0 by projected Adam. `chosen`: of each part a mask of responses; `allowed`: of features."""
    every = [(part, *part.units(mask)) for part, mask in zip(parts, chosen, strict=True)]
    scale = np.concatenate([part.features[places] for part, places, _, _ in every]).std(axis=0).clip(min=1e-6)
    shares = np.array([SHARES.get(part.name, 1.0) for part in parts])
    shares /= shares.sum()
    values = np.append(np.where(allowed, 0.3 / scale, 0.0), -1.0)
    units = np.append(1 / scale, 1.0)
    first = second = np.zeros_like(values)
    for step in range(1, STEPS + 1):
        gradient = np.append(PENALTY * 2 * values[:-1] * scale**2, 0.0)
        for share, (part, places, numbers, labels) in zip(shares, every, strict=True):
            odds = part.features[places] @ values[:-1] + values[-1]
            worst = places[_worst(odds, numbers, len(labels))]
            inputs = part.features[worst]
            wrong = (1 / (1 + np.exp(-(inputs @ values[:-1] + values[-1]))) - labels) * share / len(labels)
            gradient[:-1] += wrong @ inputs
            gradient[-1] += wrong.sum()
        gradient *= units
        first, second = 0.9 * first + 0.1 * gradient, 0.99 * second + 0.01 * gradient**2
        move = RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        values = values - move * units
        values[:-1] = np.where(allowed, values[:-1].clip(min=0), 0.0)
    fitted = Fitted(values[:-1], float(values[-1]))
    return replace(fitted, number_floor=floor(fitted, every)) if allowed[NUMBERS] else fitted


def floor(fitted: Fitted, units: Sequence[tuple[Part, np.ndarray, np.ndarray, np.ndarray]]) -> float:
    """The log odds of claims that lack a quantity and would not be flagged: how often they are wrong all the same.

    There are few. So the share of wrong ones among all claims that lack a quantity counts as PRIOR of them.
    """
    passed, every = [], []
    for part, places, numbers, labels in units:
        if part.name not in SPANS:  # a wrong response has right claims too
            continue
        lacking = part.features[places, NUMBERS] > 0
        every += labels[numbers[lacking]].tolist()
        passed += labels[numbers[lacking & (part.odds(fitted)[places] <= 0)]].tolist()
    usual = (sum(every) + 1) / (len(every) + 2)
    share = (sum(passed) + PRIOR * usual) / (len(passed) + PRIOR)
    return float(np.log(share / (1 - share)))


def _worst(odds: np.ndarray, numbers: np.ndarray, count: int) -> np.ndarray:
    """The place of the highest log odds of each unit."""
    order = np.lexsort((odds, numbers))
    last: np.ndarray = np.searchsorted(numbers[order], np.arange(count), side="right") - 1
    return order[last]


def cross_validated(parts: Sequence[Part], allowed: np.ndarray) -> list[np.ndarray]:
    """Log odds of every claim by a calibration that was fitted without its context."""
    found = [np.zeros(len(part.rows)) for part in parts]
    for fold in range(FOLDS):
        fitted = fit(parts, [part.contexts % FOLDS != fold for part in parts], allowed)
        for odds, part in zip(found, parts, strict=True):
            held = (part.contexts % FOLDS == fold)[part.rows]
            odds[held] = part.odds(fitted)[held]
    return found


@dataclass(slots=True)
class Scored:
    """Labels and probabilities of the items of one set: sentences where they have labels, else responses."""

    name: str
    labels: np.ndarray
    p: np.ndarray

    @classmethod
    def of(cls, part: Part, odds: np.ndarray, *, responses: bool = False) -> "Scored":
        by_sentence = part.name in SPANS and not responses
        labels, worst = part.by_sentence(odds) if by_sentence else part.by_response(odds)
        return cls(part.name, labels, 1 / (1 + np.exp(-worst)))

    def auc(self) -> float:
        return float(metrics.auc(self.labels, self.p, np.ones((1, len(self.labels)))).values[0])

    def at(self, threshold: float) -> tuple[float, float, float]:
        """Precision, recall, and the share of right items that are flagged."""
        flagged = self.p > threshold
        hits = float((flagged & (self.labels == 1)).sum())
        false = float((flagged & (self.labels == 0)).sum())
        wrong, right = (max(1, int((self.labels == label).sum())) for label in (1, 0))
        return hits / max(1.0, hits + false), hits / wrong, false / right

    def f1(self, threshold: float) -> float:
        precision, recall, _ = self.at(threshold)
        return 2 * precision * recall / max(1e-9, precision + recall)

    def bins(self) -> list[tuple[float, float, int]]:
        """The reliability diagram: of each tenth that has items, mean p, share of wrong ones, and how many."""
        place = np.minimum((self.p * 10).astype(int), 9)
        return [
            (float(self.p[place == b].mean()), float(self.labels[place == b].mean()), int((place == b).sum()))
            for b in range(10)
            if (place == b).any()
        ]

    def calibration_error(self) -> float:
        """Expected calibration error over ten equal bins (Naeini et al. 2015)."""
        return sum(abs(mean - share) * count for mean, share, count in self.bins()) / len(self.p)


def shown(scored: Scored) -> str:
    precision, recall, false = scored.at(0.5)
    return (
        f"{scored.name:<14}{len(scored.p):>6} items, {scored.labels.mean():.3f} wrong | AUC {scored.auc():.3f} | "
        f"at 0.5 precision {precision:.3f} recall {recall:.3f} false flags {false:.3f} | "
        f"ECE {scored.calibration_error():.3f}"
    )


def span_f1(part: Part, flagged: np.ndarray, level: float) -> float:
    """F1 by characters of the unsupported words of flagged claims against the annotators' marks."""
    found: list[list[Span]] = [[] for _ in part.marks]
    for place in np.flatnonzero(flagged):
        found[part.rows[place]] += part.words[place][level]
    return character_f1(zip(found, part.marks, strict=True))


def named_thresholds(scored: Sequence[Scored]) -> dict[str, float]:
    """Thresholds for one kind of text where they beat 0.5, and the lowest of LEVELS with a precision of STRICT."""
    found = {}
    grid = [round(0.05 * step, 2) for step in range(1, 20)]
    for name, members in NAMED.items():
        own = [entry for entry in scored if entry.name in members]
        reached = {level: float(np.mean([entry.f1(level) for entry in own])) for level in grid} if own else {0.5: 0.0}
        best = max(reached, key=lambda level: (reached[level], -abs(level - 0.5)))
        print(f"threshold {name}: {best} has F1 {reached[best]:.3f}, 0.5 has {reached[0.5]:.3f}")
        if reached[best] - reached[0.5] > MIN_GAIN:
            found[name] = best
    strict = [level for level in LEVELS if level > 0.5 and scored[0].at(level)[0] >= STRICT]
    return found | ({"strict": strict[0]} if strict else {})


def cascade(part: Part, odds: np.ndarray, bounds: tuple[float, float]) -> tuple[float, float]:
    """The share of claims that a cascade with these bounds sends on, and its share of the gain in accuracy.

    The next checker is one that knows the annotators' labels. The whole gain is that of sending all claims to it.
    """
    p = 1 / (1 + np.exp(-odds))
    if part.name in SPANS:
        truth = np.where(part.owns == UNKNOWN, part.stated[part.sentences], part.owns) == UNSUPPORTED
        units, labels = part.sentences, part.stated
    else:
        truth, units, labels = part.labels[part.rows] == UNSUPPORTED, part.rows, part.labels
    sent = (p > bounds[0]) & (p < bounds[1])

    def accuracy(flags: np.ndarray) -> float:
        flagged = np.zeros(len(labels), bool)
        np.logical_or.at(flagged, units, flags)
        known = labels != UNKNOWN
        return float((flagged[known] == (labels[known] == UNSUPPORTED)).mean())

    alone = accuracy(p > 0.5)
    return float(sent.mean()), (accuracy(np.where(sent, truth, p > 0.5)) - alone) / (accuracy(truth) - alone)


def doubtful(part: Part, odds: np.ndarray) -> tuple[float, float]:
    """The bounds that send the fewest claims on and keep the share GAIN."""
    grid = [(round(low / 100, 2), round(high / 100, 2)) for low in range(2, 50, 2) for high in range(50, 100, 2)]
    reached = {bounds: cascade(part, odds, bounds) for bounds in grid}
    return min((bounds for bounds in grid if reached[bounds][1] >= GAIN), key=lambda bounds: reached[bounds][0])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--features", nargs="+", choices=Features._fields, default=Features._fields)
    options.add_argument("--weights", type=Path, help="of the NLI model; default: those of the package")
    options.add_argument("--most", type=int)
    options.add_argument("--ablate", action="store_true")
    given = options.parse_args()
    used = np.array([name in given.features for name in Features._fields])
    checker = BuiltinChecker(calibration=ALL)
    if given.weights:
        checker.scorer = OnnxScorer(given.weights)
    parts = [collect(given.data, name, checker, given.most) for name in SETS]

    def show(title: str, allowed: np.ndarray) -> tuple[list[Scored], list[np.ndarray]]:
        odds = cross_validated(parts, allowed)
        scored = [Scored.of(part, own) for part, own in zip(parts, odds, strict=True)]
        print(f"{title}: mean AUC {np.mean([entry.auc() for entry in scored]):.3f}")
        for entry in scored:
            print("  " + shown(entry))
        for part, own in zip(parts, odds, strict=True):
            if part.name in SPANS:
                print("  by response: " + shown(Scored.of(part, own, responses=True)), flush=True)
        return scored, odds

    scored, odds = show("these features", used)
    flagged = odds[0] > 0
    reached = {level: span_f1(parts[0], flagged, level) for level in WORD_LEVELS}
    # The level hardly matters to F1: of nearly equal ones the highest, which marks the fewest words.
    word_level = max(level for level in reached if reached[level] >= max(reached.values()) - 0.005)
    print("span F1 by level of words", {level: round(value, 3) for level, value in reached.items()})
    for entry in scored:
        print(entry.name, "reliability", " ".join(f"{p:.2f}:{share:.2f}({count})" for p, share, count in entry.bins()))
    for level in LEVELS:
        precision, recall, false = scored[0].at(level)
        print(f"RAGTruth at {level}: precision {precision:.3f}, recall {recall:.3f}, false flags {false:.3f}")
    bounds = doubtful(parts[0], odds[0])
    for part, own in zip(parts[:2], odds, strict=False):
        for low in (0.3, 0.2, 0.15, 0.1, 0.08, 0.06, 0.04):
            sent, gain = cascade(part, own, (low, bounds[1]))
            print(f"cascade on {part.name}, doubtful {low},{bounds[1]}: {sent:.3f} of claims sent on, gain {gain:.3f}")
    if given.ablate:
        for name in given.features:
            show(f"without {name}", used & np.array([other != name for other in Features._fields]))
        for name in given.features:
            show(f"only {name}", np.array([other == name for other in Features._fields]))
    fitted = fit(parts, [np.ones(len(part.labels), bool) for part in parts], used)
    calibration = fitted.calibration(named_thresholds(scored))
    written = {
        "weights": dict(calibration.weights),
        "intercept": calibration.intercept,
        "thresholds": dict(calibration.thresholds),
        "number_floor": calibration.number_floor,
        "word_level": word_level,
        "doubtful": bounds,
        "fitted_on": list(SETS),
    }
    print(json.dumps(written))
    given.out.write_text(json.dumps(written, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
