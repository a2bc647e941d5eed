"""Makes pairs without a label, which a teacher judges (distil.py), out of labelled ones.

    python training/nli/unlabelled.py --data written.jsonl.gz real.jsonl.gz --count 50000 --seed 1 \\
        --out unlabelled.jsonl.gz

Three kinds, in turn: a claim whose premise lacks one or two of its sentences; a part of a claim, from one comma or
conjunction to another; a claim beside the premise of a row nearby in the file, mostly of the same context.
"""

import argparse
import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from packed import writer

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'])")
PART = re.compile(r",?\s+(?=(?:and|or|but|which|who|because|so|while|after|before|when|if|unless|until)\b)|[,;:]\s+")
LEAST_WORDS = 4  # of a part
MOST_SHARE = 0.75  # of a claim's words in a part
NEAR = 40  # rows around a row, from which another premise comes
NONE = 4  # label
Row = dict[str, object]


def fewer(premise: str, chance: random.Random) -> str | None:
    """The premise without one or two sentences."""
    parts = SENTENCE.split(premise)
    if len(parts) < 3:
        return None
    for _ in range(chance.choice((1, 2))):
        parts.pop(chance.randrange(len(parts)))
    return " ".join(parts)


def part(claim: str, chance: random.Random) -> str | None:
    """A part of the claim between commas or conjunctions; None where it is too short or nearly the whole."""
    breaks = list(PART.finditer(claim))
    starts, ends = [0, *(found.end() for found in breaks)], [*(found.start() for found in breaks), len(claim)]
    first = chance.randrange(len(starts))
    text = claim[starts[first] : ends[chance.randrange(first, len(ends))]].strip()
    return text if LEAST_WORDS <= len(text.split()) <= MOST_SHARE * len(claim.split()) else None


def pairs(rows: list[Row], count: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """`count` pairs (premise, claim). Raises ValueError where no more can be made."""
    made = failed = 0
    while made < count:
        at = chance.randrange(len(rows))
        premise, claim = str(rows[at]["p"]), str(rows[at]["h"])
        other = str(rows[max(0, min(len(rows) - 1, at + chance.randint(-NEAR, NEAR)))]["p"])
        shorter, piece = fewer(premise, chance), part(claim, chance)
        choice = [(shorter, claim), (premise, piece), (other if other != premise else None, claim)][made % 3]
        if choice[0] and choice[1]:
            yield choice[0], choice[1]
            made, failed = made + 1, 0
        else:
            failed += 1
            if failed > 100 * len(rows):
                raise ValueError("no further pair of this kind can be made")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, nargs="+", required=True)
    options.add_argument("--count", type=int, required=True, help="pairs of each file")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    with writer(given.out) as write:
        for path in given.data:
            with gzip.open(path, "rt", encoding="utf-8") as stream:
                rows = [row for line in stream if (row := json.loads(line))["split"] == "train"]
            for premise, claim in pairs(rows, given.count, random.Random(f"{given.seed} {path.name}")):
                write({"p": premise, "h": claim, "l": NONE, "src": "unlabelled", "split": "train"})


if __name__ == "__main__":
    main()
