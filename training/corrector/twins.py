"""Writes wrong claims, each with the right claim of its context that differs from it least.

    PYTHONPATH=training/nli python training/corrector/twins.py --written training/nli/written.jsonl --out twins.jsonl.gz
    PYTHONPATH=training/nli python training/corrector/twins.py --pairs made.jsonl.gz --out near-misses.jsonl.gz

Read: contexts that were written for this project, or pairs of the NLI model's training data whose groups ("g") hold
right and wrong claims of one premise (made.py, quantities.py, real.py). Rows as corrupted.py and human.py write them,
with "right", the right claim, and "src" "twins". Rows of contexts that the NLI model learnt from train the tagger
("split" "train"). Those of held-out contexts (`written.py`) are for the rankers ("split" "ranker"), which compare what
the NLI model says before and after an edit. Claims whose nearest right claim is in other words have no twin and are
left out. One right claim of each context is written too, with no edits.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path

from human import rows_of
from packed import writer
from written import WrittenClaim, is_heldout, likeness, nearest, read

from graph_eval.bench.sets.edits import Case
from graph_eval.text.normalise import words
from graph_eval.text.sentences import sentences
from graph_eval.types import Example, Passage

MOST_RUNS = 2  # of words that differ
MOST_WORDS = 5  # that differ
LEAST_LIKENESS = 0.7


def differs_little(wrong: str, right: str) -> bool:
    before, after = ([word for word, _ in words(text)] for text in (wrong, right))
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    runs = [max(end - start, last - first) for step, start, end, first, last in steps if step != "equal"]
    return 0 < len(runs) <= MOST_RUNS and sum(runs) <= MOST_WORDS


def twin(wrong: WrittenClaim, entailed: list[WrittenClaim]) -> WrittenClaim | None:
    right = nearest(wrong, entailed)
    if right is None or likeness(right.text, wrong.text) < LEAST_LIKENESS:
        return None
    one = all(len(sentences(claim.text)) == 1 for claim in (wrong, right))
    return right if one and differs_little(wrong.text, right.text) else None


def groups(path: Path) -> Iterator[tuple[str, list[WrittenClaim], str]]:
    """(premise, claims, split) of each group of the NLI model's training data that has claims of both kinds."""
    found: dict[tuple[str, str, str], list[WrittenClaim]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for row in map(json.loads, stream):
            if "g" in row and "w" in row:
                claim = WrittenClaim(row["l"], str(row.get("kind")), row["h"], tuple(map(tuple, row["w"])))
                found.setdefault((row["p"], str(row["g"]), row["split"]), []).append(claim)
    for (premise, _, split), claims in found.items():
        if len({claim.label == 0 for claim in claims}) == 2:
            yield premise, claims, "train" if split == "train" else "ranker"


def contexts(path: Path) -> Iterator[tuple[str, list[WrittenClaim], str]]:
    """(context, claims, split) of written.jsonl."""
    for context, claims in read(path):
        yield context, claims, "ranker" if is_heldout(context) else "train"


def rows(found: Iterable[tuple[str, list[WrittenClaim], str]], chance: random.Random) -> Iterator[dict[str, object]]:
    for context, claims, split in found:
        entailed = [claim for claim in claims if claim.label == 0]
        if not entailed:
            continue
        pairs = [(claim.text, right.text) for claim in claims if claim.label and (right := twin(claim, entailed))]
        same = chance.choice(entailed).text
        for wrong, right in (*pairs, (same, same)):
            example = Example("", "twins", wrong, (Passage.of(context),))
            for row in rows_of(Case(example, int(wrong != right), right)):
                if wrong == right or row["edits"]:  # not only words like "at most" differ
                    # Without a fold: of these contexts each is for the tagger or for the rankers, whatever its article.
                    yield row | {"right": right, "split": split, "src": "twins", "fold": None}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = options.add_mutually_exclusive_group(required=True)
    source.add_argument("--written", type=Path, help="written.jsonl")
    source.add_argument("--pairs", type=Path, help="rows as train.py reads them")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    source = contexts(given.written) if given.written else groups(given.pairs)
    found = list(rows(source, random.Random(f"{given.seed} twins")))
    random.Random(f"{given.seed} order").shuffle(found)  # so that a limit takes some of all contexts
    with writer(given.out) as write:
        for row in found:
            write(row)
    print(f"{sum(bool(row['edits']) for row in found)} wrong claims with a twin, {len(found)} rows")


if __name__ == "__main__":
    main()
