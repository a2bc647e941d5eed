"""Writes wrong claims of written contexts, each with the right claim that differs from it least: for the rankers.

    PYTHONPATH=training/nli python training/corrector/twins.py --written training/nli/written.jsonl --out twins.jsonl.gz

Written, one JSON object a line, as corrupted.py writes them: {"p": context, "h": claim, "edits": the marked wrong
words, "right": its twin, "split": "ranker"}. Read are the contexts that the NLI model did not learn from
(`written.py`). Claims whose nearest right claim is in other words have no twin and are left out. One right claim of
each context is written too, with no edits.
"""

import argparse
import gzip
import io
import json
import random
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from corrupted import REPLACED
from written import WrittenClaim, is_heldout, likeness, read

from graph_eval.text.normalise import words

MOST_RUNS = 2  # of words that differ
MOST_WORDS = 5  # that differ
LEAST_LIKENESS = 0.7


def differs_little(wrong: str, right: str) -> bool:
    before, after = ([word for word, _ in words(text)] for text in (wrong, right))
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    runs = [max(end - start, last - first) for step, start, end, first, last in steps if step != "equal"]
    return 0 < len(runs) <= MOST_RUNS and sum(runs) <= MOST_WORDS


def twin(wrong: WrittenClaim, entailed: list[WrittenClaim]) -> WrittenClaim | None:
    nearest = max(entailed, key=lambda claim: likeness(claim.text, wrong.text), default=None)
    if nearest is None or likeness(nearest.text, wrong.text) < LEAST_LIKENESS:
        return None
    return nearest if differs_little(wrong.text, nearest.text) else None


def rows(path: Path, chance: random.Random) -> Iterator[dict[str, object]]:
    for context, claims in read(path):
        if not is_heldout(context):
            continue
        entailed = [claim for claim in claims if claim.label == 0]
        for claim in claims:
            if claim.label and (right := twin(claim, entailed)):
                edits = [[start, end, REPLACED, []] for start, end in claim.wrong]
                yield {"p": context, "h": claim.text, "edits": edits, "right": right.text, "split": "ranker"}
        if entailed:
            right = chance.choice(entailed)
            yield {"p": context, "h": right.text, "edits": [], "right": right.text, "split": "ranker"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--written", type=Path, required=True, help="written.jsonl")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    found = list(rows(given.written, random.Random(f"{given.seed} twins")))
    random.Random(f"{given.seed} order").shuffle(found)  # so that a limit takes some of all contexts
    with gzip.GzipFile(given.out, "wb", mtime=0) as packed, io.TextIOWrapper(packed, encoding="utf-8") as stream:
        for row in found:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{sum(bool(row['edits']) for row in found)} wrong claims with a twin, {len(found)} rows")


if __name__ == "__main__":
    main()
