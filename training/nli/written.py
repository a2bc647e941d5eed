"""Makes pairs out of groups of claims that a language model wrote for this purpose.

    python training/nli/written.py --data training/nli/written.jsonl --seed 1 --out written.jsonl.gz

A line of written.jsonl: {"context": text, "claims": [[label, kind, claim], ...]}; label "E" entailed, "N" not stated,
"C" contradicted; in a claim that is not entailed [[ ]] stands around its wrong words. Rows as train.py reads them:
{"p", "h", "l", "split", "src": "written", "kind", "g", "w"}. The premise holds the sentences of the context that have
most to do with the claim, up to 90 or 130 words, somewhat more than the checker gathers: of a whole context train.py
might cut off the end, and with it what entails the claim. Around every second premise of the training split stand
sentences of another context of it, where there is room. A claim that is not entailed and an entailed claim of its
context that is like it share "g" and the premise. Of one context in ten, which its hash chooses, all claims are held
out.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from marks import unmarked
from packed import writer

from graph_eval.checkers.gather import gather
from graph_eval.checkers.windows import index
from graph_eval.text.normalise import words
from graph_eval.text.sentences import sentences
from graph_eval.types import Passage, content_hash

LABELS = {"E": 0, "N": 1, "C": 2}
HELDOUT = 10  # of so many contexts one is held out
SIZES = (90, 130)  # words of a premise
MOST_WORDS = 150  # of a premise with sentences of another context
SURROUNDED = 0.5  # share of premises with sentences of another context
LOWER = 0.1  # share of pairs in lower case
LIKE = 0.6  # likeness from which two claims are twins


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


def grouped(claims: Sequence[WrittenClaim]) -> list[list[WrittenClaim]]:
    """Each entailed claim with those that are not entailed and most like it. What is like none stands alone."""
    entailed = [claim for claim in claims if claim.label == 0]
    groups = [[claim] for claim in entailed]
    for claim in claims:
        if claim.label != 0:
            twin = nearest(claim, entailed)
            if twin is not None and likeness(twin.text, claim.text) >= LIKE:
                groups[entailed.index(twin)].append(claim)
            else:
                groups.append([claim])
    return groups


def surrounded(text: str, other: str, chance: random.Random) -> str:
    """The text with one or two sentences of another around it."""
    strange = [sentence.span.of(other) for sentence in sentences(other)]
    strange = strange[: chance.choice((1, 2))]
    before = chance.randrange(len(strange) + 1)
    longer = " ".join([*strange[:before], text, *strange[before:]])
    return longer if len(longer.split()) <= MOST_WORDS else text


def rows(groups: Sequence[tuple[str, list[WrittenClaim]]], chance: random.Random) -> Iterator[dict[str, object]]:
    others = [context for context, _ in groups if not is_heldout(context)]
    for number, (context, claims) in enumerate(groups):
        split = "heldout" if is_heldout(context) else "train"
        other = chance.choice([own for own in others if own != context] or [context])
        for place, members in enumerate(grouped(claims)):
            most_words = chance.choice(SIZES) if split == "train" else SIZES[-1]
            query = " ".join(claim.text for claim in members)
            passages = [index(Passage.of(context))]
            text = " ".join(window.text for window in gather(passages, query, most_words, fill=True))
            if split == "train" and chance.random() < SURROUNDED:
                text = surrounded(text, other, chance)
            lower, stop = chance.random() < LOWER, chance.random() < 0.7
            for claim in members:
                said = claim.text if stop else claim.text.rstrip(".")
                yield {
                    "p": text.lower() if lower else text,
                    "h": said.lower() if lower else said,
                    "l": claim.label,
                    "src": "written",
                    "kind": claim.kind,
                    "split": split,
                    "g": f"{number} {place}",
                    "w": claim.wrong,
                }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    count = 0
    with writer(given.out) as write:
        for row in rows(read(given.data), random.Random(f"{given.seed} written")):
            write(row)
            count += 1
    print(f"{count} rows")


if __name__ == "__main__":
    main()
