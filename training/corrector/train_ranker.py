"""Trains the ranker of the builtin corrector on half "a" of SummEdits and writes it beside the weights.

    python training/corrector/train_ranker.py --data DATA --out graph_eval/weights/corrector/ranker.json

Every sentence of a falsified summary that holds a core hunk (graph_eval/bench/correction.py) gives its candidates, and
so does every sentence of a consistent one. A candidate is right where a core hunk has gone and no new one has come; for
consistent sentences none is. Printed are figures over five folds by document: of the first choice of each sentence, how
many are right from which probability on, and which share of the wrong sentences they restore; the same by kind of
candidate.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from graph_eval.bench.correction import Case, cases, true_sentences
from graph_eval.correctors.builtin import BuiltinCorrector, Sentence
from graph_eval.correctors.candidates import FEATURES, RELATIVE, Candidate
from graph_eval.correctors.ranker import MAX_DEVIATION, Ranker
from graph_eval.correctors.splice import SpliceError, applied, edits_of
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, Edit, EditProposal, Span, content_hash

NAMES = (*FEATURES, *RELATIVE)
FOLDS = 5
SEEDS = 5
HIDDEN = 24
EPOCHS = 40
DECAY = 0.5
RATE = 0.01
BATCH = 2048
CHUNK = 24  # sentences read at once
MIN_PROBABILITY = 0.45  # chosen on the printed figures: three of four edits are right
THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(slots=True)
class Asked:
    """A sentence of a summary, and which of its candidates are right."""

    fold: int
    wrong: bool
    sentence: Sentence
    right: np.ndarray


def right(case: Case, start: int, sentence: Sentence, item: Candidate, own: Counter, before: Counter) -> bool:
    edit = item.edit(sentence.text, sentence.words)
    text = case.example.response
    claim = Claim.whole("", sentence.text, Span(0, len(sentence.text)))
    try:
        made = edits_of(sentence.text, claim, EditProposal((edit,)))
    except SpliceError:
        return False
    moved = [Edit(Span(part.span.start + start, part.span.end + start), part.old, part.new) for part in made]
    after = Counter(hunk.key for hunk in case.hunks(applied(text, moved)))
    return bool(own - after) and not after - before


def read(corrector: BuiltinCorrector, found: Sequence[Case]) -> list[Asked]:
    """The sentences with all their candidates."""
    waiting = []
    for case in found:
        fold = int(content_hash("fold", *(passage.id for passage in case.example.passages)), 16) % FOLDS
        text = case.example.response
        spans = [span for span, _ in true_sentences(case)] if case.label else [s.span for s in sentences(text)]
        waiting += [(case, fold, span) for span in spans]
    asked = []
    for start in range(0, len(waiting), CHUNK):
        part = waiting[start : start + CHUNK]
        keys = [(span.of(case.example.response), case.example.passages) for case, _, span in part]
        held = {sentence.key: sentence for sentence in corrector.sentences(keys)}
        for (case, fold, span), (text, passages) in zip(part, keys, strict=True):
            sentence = held[text, tuple(passage.id for passage in passages)]
            before = Counter(hunk.key for hunk in case.hunks(case.example.response))
            own = Counter(hunk.key for place, hunks in true_sentences(case) if place == span for hunk in hunks)
            labels = [
                bool(case.label) and right(case, span.start, sentence, item, own, before)
                for item in sentence.candidates
            ]
            # Summaries of one document share sentences, but not what is right about them.
            own_copy = replace(sentence, candidates=[replace(item) for item in sentence.candidates])
            asked.append(Asked(fold, bool(case.label), own_copy, np.array(labels, dtype=bool)))
        print(f"\r{len(asked)}/{len(waiting)} sentences", end="", flush=True)
    print()
    return asked


def fit(features: np.ndarray, labels: np.ndarray, names: Sequence[str], seeds: int = SEEDS) -> dict:
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
        steps = EPOCHS * max(1, math.ceil(len(x) / BATCH))
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1)
        for _ in range(EPOCHS):
            order = torch.randperm(len(x))
            for start in range(0, len(x), BATCH):
                rows = order[start : start + BATCH]
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
    return {
        "names": list(names),
        "mean": mean.round(4).tolist(),
        "scale": scale.round(4).tolist(),
        "networks": networks,
    }


def stacked(asked: Sequence[Asked]) -> tuple[np.ndarray, np.ndarray]:
    features = np.array([item.features for one in asked for item in one.sentence.candidates])
    return features, np.concatenate([one.right for one in asked])


def table(chances: Sequence[np.ndarray], asked: Sequence[Asked]) -> None:
    """The first choice of every sentence, by the probability from which it is made."""
    wrong = sum(one.wrong for one in asked)
    firsts = [
        (float(p.max()), bool(one.right[p.argmax()]), one.wrong, one.sentence.candidates[int(p.argmax())].kind)
        for p, one in zip(chances, asked, strict=True)
        if len(p)
    ]
    print(
        f"right first {sum(r for _, r, _, _ in firsts) / wrong:.3f} of {wrong}, "
        f"any right {sum(one.right.any() for one in asked) / wrong:.3f}"
    )
    for least in THRESHOLDS:
        made = [(r, w, k) for p, r, w, k in firsts if p >= least]
        given = [(r, k) for r, w, k in made if w]
        if not given:
            continue
        kinds = Counter(k for _, k in given)
        good = Counter(k for r, k in given if r)
        rates = " ".join(f"{kind} {good[kind] / count:.2f} ({count})" for kind, count in kinds.most_common())
        print(
            f"  from {least}: precision {sum(r for r, _ in given) / len(given):.3f}, restored "
            f"{sum(r for r, _ in given) / wrong:.3f}, edited {len(given) / wrong:.3f}; consistent edited "
            f"{sum(not w for _, w, _ in made) / max(1, len(asked) - wrong):.3f}; {rates}"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--limit", type=int, help="summaries, for a trial")
    given = options.parse_args()
    corrector = BuiltinCorrector()
    asked = read(corrector, cases(given.data, "a", given.limit))

    folds: list[Ranker] = []
    for fold in range(FOLDS):
        value = fit(*stacked([one for one in asked if one.fold != fold]), NAMES)
        folds.append(Ranker.of(value | {"dares": MIN_PROBABILITY}))
    chances = [folds[one.fold].probabilities([c.features for c in one.sentence.candidates]) for one in asked]
    table(chances, asked)
    value = fit(*stacked(asked), NAMES) | {"dares": MIN_PROBABILITY}
    given.out.write_text(json.dumps(value, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
