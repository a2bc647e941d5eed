"""Makes pairs out of groups of claims that a language model wrote for this purpose.

    python training/nli/written.py --data training/nli/written.jsonl --seed 1 --out written.jsonl.gz

A line of written.jsonl: {"context": text, "claims": [[label, kind, claim], ...]}; label "E" entailed, "N" not stated,
"C" contradicted; in a claim that is not entailed [[ ]] stands around its wrong words. Rows as train.py reads them:
{"p", "h", "l", "split", "src": "written", "kind", "g", "w"}. A claim that is not entailed and the entailed claim of its
context that is most like it share "g". Every claim is written twice: with its context, and with sentences of another
context around it. Of one context in ten, which its hash chooses, all claims are held out.
"""

import argparse
import gzip
import io
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from marks import unmarked

from graph_eval.text.normalise import words
from graph_eval.text.sentences import sentences
from graph_eval.types import content_hash

LABELS = {"E": 0, "N": 1, "C": 2}
HELDOUT = 10  # of so many contexts one is held out
MOST_WORDS = 150  # of a premise
LOWER = 0.1  # share of pairs in lower case


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    label: int
    kind: str
    text: str
    wrong: tuple[tuple[int, int], ...]  # spans of the wrong words

    @classmethod
    def of(cls, label: str, kind: str, marked: str) -> "WrittenClaim":
        """Raises ValueError for marks that do not fit the label, and KeyError for an unknown label."""
        text, spans = unmarked(marked)
        if (label == "E") != (not spans):
            raise ValueError(f"marks of {marked!r}, label {label}")
        return cls(LABELS[label], kind, text, tuple((span.start, span.end) for span in spans))


def read(path: Path) -> list[tuple[str, list[WrittenClaim]]]:
    """Contexts with their claims. Raises ValueError naming the line that is none."""
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            found.append((row["context"], [WrittenClaim.of(*claim) for claim in row["claims"]]))
        except (KeyError, TypeError, ValueError) as problem:
            raise ValueError(f"{path}, line {number}: {problem}") from problem
    return found


def is_heldout(context: str) -> bool:
    return int(content_hash(context)[:8], 16) % HELDOUT == 0


def likeness(first: str, second: str) -> float:
    return SequenceMatcher(None, *([word for word, _ in words(text)] for text in (first, second))).ratio()


def nearest(claim: WrittenClaim, entailed: Sequence[WrittenClaim]) -> WrittenClaim | None:
    """The entailed claim that is most like it."""
    return max(entailed, key=lambda other: likeness(other.text, claim.text), default=None)


def paired(claims: Sequence[WrittenClaim]) -> Iterator[tuple[int, WrittenClaim]]:
    """Each claim with the number of its group: that of the entailed claim that is most like it."""
    entailed = [claim for claim in claims if claim.label == 0]
    for claim in claims:
        twin = claim if claim.label == 0 else nearest(claim, entailed)
        yield (0 if twin is None else entailed.index(twin)), claim


def surrounded(context: str, other: str, chance: random.Random) -> str:
    """The context with one or two sentences of another around it."""
    strange = [sentence.span.of(other) for sentence in sentences(other)]
    strange = strange[: chance.choice((1, 2))]
    before = chance.randrange(len(strange) + 1)
    text = " ".join([*strange[:before], context, *strange[before:]])
    return text if len(text.split()) <= MOST_WORDS else context


def rows(groups: Sequence[tuple[str, list[WrittenClaim]]], chance: random.Random) -> Iterator[dict[str, object]]:
    for number, (context, claims) in enumerate(groups):
        split = "heldout" if is_heldout(context) else "train"
        other = chance.choice(groups)[0]
        for copy in ("plain", "surrounded") if split == "train" else ("plain",):
            premise = context if copy == "plain" else surrounded(context, other, chance)
            lower, stop = chance.random() < LOWER, chance.random() < 0.7
            for group, claim in paired(claims):
                text = claim.text if stop else claim.text.rstrip(".")
                yield {
                    "p": premise.lower() if lower else premise,
                    "h": text.lower() if lower else text,
                    "l": claim.label,
                    "src": "written",
                    "kind": claim.kind,
                    "split": split,
                    "g": f"{number} {group} {copy}",
                    "w": claim.wrong,
                }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    count = 0
    # Without the time of day, the same seed makes the same bytes.
    with gzip.GzipFile(given.out, "wb", mtime=0) as packed, io.TextIOWrapper(packed, encoding="utf-8") as stream:
        for row in rows(read(given.data), random.Random(f"{given.seed} written")):
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    print(f"{count} rows")


if __name__ == "__main__":
    main()
