"""Writes the candidates of sentences that people corrected or falsified, with their features and what is right.

    python training/corrector/rate_candidates.py --data DATA --weights FOLD0 --weights FOLD1 --out DIR
    python training/corrector/rate_candidates.py --data DATA --weights TAGGER --fold 0 --out DIR
    python training/corrector/rate_candidates.py --data DATA --weights TAGGER --part dev --out DIR

Read: half "a" of SummEdits, DeFacto and BUMP (graph_eval/bench/sets/edits.py) and corrected answers (human.py), and
with `--part dev` the dev splits of DeFacto and BUMP. A sentence is read with the tagger whose fold it is in, which did
not learn from its article (human.py). A candidate is right if a core hunk is gone and no new one came. Of consistent
sentences those are kept that the NLI model may flag, and none of their candidates is right.

Written: NAME.jsonl, of each sentence its text, its evidence, its fold of five, its candidates; NAME.npz, the features
of all candidates, one behind the other.
"""

import argparse
import gzip
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from human import corrected, fold_of

from graph_eval.bench.sets.edits import Case, cases, is_restored, keys, wrong_sentences
from graph_eval.correctors.builtin import BuiltinCorrector
from graph_eval.correctors.splice import applied
from graph_eval.text.sentences import sentences
from graph_eval.types import Edit, Example, Passage, Span, content_hash

PARTS = {
    "train": (("summedits", "a"), ("defacto", "train"), ("bump", "train")),
    "dev": (("defacto", "dev"), ("bump", "dev")),
}
MADE = ("heldout", "ranker")  # splits of corrupted.py and twins.py
FOLDS = 5
CHUNK = 24  # sentences read at once
DOUBTED = 0.75  # a consistent sentence that the NLI model entails more surely is not flagged
LEAST_WORDS = 3
NEAR = 30  # characters: an edit farther from every core hunk is not compared with the right text


@dataclass(frozen=True, slots=True)
class Asked:
    case: Case
    span: Span
    own: Counter
    before: Counter
    places: tuple[Span, ...] = ()  # of the core hunks, with the characters around them

    @property
    def text(self) -> str:
        return self.span.of(self.case.example.response)


def asked(found: Sequence[Case]) -> Iterator[Asked]:
    for case in found:
        text = case.example.response
        before = case.keys(text)
        if case.label:
            for span, own in wrong_sentences(case):
                places = tuple(Span(hunk.span.start - NEAR, hunk.span.end + NEAR) for hunk in own)
                yield Asked(case, span, keys(own), before, places)
        else:
            spans = [sentence.span for sentence in sentences(text)]
            spans = [span for span in spans if len(span.of(text).split()) >= LEAST_WORDS]
            yield from (Asked(case, span, Counter(), before) for span in spans)


def is_right(one: Asked, edits: Sequence[Edit]) -> bool:
    if not one.case.label or not edits:
        return False
    start = one.span.start
    touched = [Span(edit.span.start + start - 1, edit.span.end + start + 1) for edit in edits]
    if not any(span.overlaps(place) for span in touched for place in one.places):
        return False
    moved = [Edit(Span(edit.span.start + start, edit.span.end + start), edit.old, edit.new) for edit in edits]
    return is_restored(one.before, one.own, one.case.keys(applied(one.case.example.response, moved)))


def made_cases(path: Path) -> list[Case]:
    """The rows that the tagger does not learn from."""
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for number, line in enumerate(stream):
            row = json.loads(line)
            if row["split"] in MADE:
                example = Example(f"{row['split']}-{number}", "made", row["h"], (Passage.of(row["p"]),))
                found.append(Case(example, int(bool(row["edits"])), row["right"]))
    return found


def fold_of_five(case: Case) -> int:
    return int(content_hash("ranker", *(passage.id for passage in case.example.passages)), 16) % FOLDS


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--weights", type=Path, action="append", required=True, help="one for each fold, or one")
    options.add_argument("--part", choices=tuple(PARTS), default="train")
    options.add_argument("--fold", type=int, help="only articles of this fold (human.py), for one tagger without it")
    options.add_argument("--limit", type=int, help="texts of each set")
    options.add_argument("--made", type=Path, help="rows of corrupted.py or twins.py: read these instead of the sets")
    options.add_argument("--name", default="made-train", help="of what is written for --made; it begins with 'made'")
    options.add_argument("--threads", type=int, default=0)
    options.add_argument("--set", help="only this one")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    correctors = [BuiltinCorrector(given.threads, weights) for weights in given.weights]
    given.out.mkdir(parents=True, exist_ok=True)
    if given.made:
        write(given.out / given.name, made_cases(given.made)[: given.limit], correctors)
        return
    for name, part in PARTS[given.part]:
        if given.set in (None, name):
            found = of_fold(cases(given.data, name, part), given.fold)
            write(given.out / f"{name}-{part}", found[: given.limit], correctors)
    if given.part == "train" and given.set in (None, "made-answers"):
        answers = corrected(given.data / "real" / "ragtruth.jsonl.gz")
        write(given.out / "made-answers", of_fold(answers, given.fold)[: given.limit], correctors)


def of_fold(found: Sequence[Case], fold: int | None) -> list[Case]:
    return [case for case in found if fold in (None, fold_of(case.example.passages))]


def write(path: Path, found: Sequence[Case], correctors: Sequence[BuiltinCorrector]) -> None:
    began = time.time()
    waiting: list[list[Asked]] = [[] for _ in correctors]
    for one in asked(found):
        waiting[fold_of(one.case.example.passages) % len(correctors)].append(one)
    rows: list[np.ndarray] = []
    count = right = reachable = wrong = 0
    with path.with_suffix(".jsonl").open("w", encoding="utf-8") as stream:
        for corrector, own in zip(correctors, waiting, strict=True):
            for start in range(0, len(own), CHUNK):
                part = own[start : start + CHUNK]
                pairs = [(one.text, one.case.example.passages) for one in part]
                by_key = {sentence.key: sentence for sentence in corrector.sentences(pairs)}
                for one, (text, passages) in zip(part, pairs, strict=True):
                    sentence = by_key[text, tuple(passage.id for passage in passages)]
                    surely_right = not one.case.label and sentence.verdict.entailment > DOUBTED
                    if not sentence.candidates or surely_right:
                        continue
                    edits = [sentence.edits(item) for item in sentence.candidates]
                    labels = [is_right(one, own_edits) for own_edits in edits]
                    candidates = [
                        [[[*edit.span, edit.new] for edit in own_edits], item.kind, int(label)]
                        for own_edits, item, label in zip(edits, sentence.candidates, labels, strict=True)
                    ]
                    row = {
                        "wrong": one.case.label,
                        "fold": fold_of_five(one.case),
                        "text": text,
                        "evidence": sentence.evidence_text,
                        "right": one.case.original if len(sentences(one.case.original)) == 1 else None,
                        "hunks": [[" ".join(old), " ".join(new)] for old, new in one.own.elements()],
                        "candidates": candidates,
                    }
                    stream.write(json.dumps(row, ensure_ascii=False) + "\n")
                    rows.append(np.array([item.features for item in sentence.candidates], dtype=np.float32))
                    count += 1
                    wrong += one.case.label
                    right += sum(labels)
                    reachable += any(labels)
                print(
                    f"\r{path.name}: {count} of {sum(map(len, waiting))}, {time.time() - began:.0f} s",
                    end="",
                    flush=True,
                )
    np.savez(path.with_suffix(".npz"), features=np.concatenate(rows), counts=np.array([len(row) for row in rows]))
    print(
        f"\n{path.name}: {wrong} wrong sentences, {count - wrong} right ones; a right candidate for "
        f"{reachable / max(1, wrong):.3f} of them, {sum(map(len, rows)) / count:.0f} candidates a sentence"
    )


if __name__ == "__main__":
    main()
