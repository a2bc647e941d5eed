"""Makes training pairs for the NLI model out of marked pronouns and triplets: what it must believe, and what not.

    PYTHONPATH=training/nli python training/extractor/pairs.py --data REAL --seed 1 --out references.jsonl.gz

Rows as training/nli/train.py reads them. A sentence with a phrase that its pronoun stands for is entailed by the text
up to there ("src" "pronoun"), the same sentence with another phrase is not, and shares its "g"; so does a triplet that
readers marked as wrong ("src" "triplet"; of the right ones half are taken), and shares the "g" of a right one of its
sentence. Of held-out texts all are written.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from marks import HERE, digest, read, readings, slots
from packed import writer

from graph_eval.types import Span

MOST_WORDS = 60  # of a sentence
OTHERS = 2  # phrases that a pronoun does not stand for, for each that it does
SHARE = 0.5  # of the right triplets
NOT_ENTAILED = 3
Row = dict[str, object]


def pronouns(data: Path, chance: random.Random) -> Iterator[Row]:
    marked = list(read(HERE / "pronouns.jsonl.gz", data))
    for number, (one, (_, choices)) in enumerate(zip(marked, readings([m.text for m in marked]), strict=True)):
        marks = {(start, end): (set(right), set(others)) for start, end, right, others in one.marks}
        for choice in choices:
            right, others = marks.get((choice.pronoun.start, choice.pronoun.end), (set(), set()))
            named = {name.lower(): wording for name, wording in choice.wordings.items() if digest(name) in right}
            true = list(named.values())
            false = [
                wording
                for name, wording in choice.wordings.items()
                if digest(name) in others and not any(name.lower() in other or other in name.lower() for other in named)
            ]
            if not one.heldout:
                chance.shuffle(false)
                true, false = true[:1], false[: OTHERS if true else 1]
            for label, wordings in ((0, true), (NOT_ENTAILED, false)):
                for wording in wordings:
                    if len(wording.split()) <= MOST_WORDS:
                        yield {
                            "p": choice.context,
                            "h": wording,
                            "l": label,
                            "src": "pronoun",
                            "split": "heldout" if one.heldout else "train",
                            "g": f"p{number} {choice.pronoun.start}",
                        }


def triplets(data: Path, chance: random.Random) -> Iterator[Row]:
    marked = list(read(HERE / "triplets.jsonl.gz", data))
    for number, (one, (drafts, _)) in enumerate(zip(marked, readings([m.text for m in marked]), strict=True)):
        rows: dict[Span, list[Row]] = defaultdict(list)
        for draft in drafts:
            mark = one.marks.get(digest(" | ".join(slots(draft))))
            if mark and (one.heldout or mark == "wrong" or chance.random() < SHARE):
                rows[draft.unit.sentence.span].append(
                    {
                        "p": draft.context,
                        "h": draft.sentence,
                        "l": NOT_ENTAILED if mark == "wrong" else 0,
                        "src": "triplet",
                        "split": "heldout" if one.heldout else "train",
                    }
                )
        for place, own in enumerate(rows.values()):
            right = [row for row in own if row["l"] == 0]
            for row in (right[:1] + [row for row in own if row["l"]]) if right else ():
                row["g"] = f"t{number} {place}"
            yield from own


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="the folder with ragtruth.jsonl.gz")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    chance, count = random.Random(f"{given.seed} references"), 0
    with writer(given.out) as write:
        for rows in (pronouns(given.data, chance), triplets(given.data, chance)):
            for row in rows:
                write(row)
                count += 1
    print(f"{count} rows")


if __name__ == "__main__":
    main()
