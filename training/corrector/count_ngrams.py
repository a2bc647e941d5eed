"""Counts the n-grams of word classes for graph_eval/correctors/fluency.py.

    python training/corrector/count_ngrams.py --data DATA --words 400000 --out graph_eval/weights/corrector/fluency.npz

Read: English EWT train (its own tags), and sentences of premises and entailed claims that people wrote, from the train
split of DATA/nli/mix.jsonl.gz, tagged by the package's parser. Trigrams that came once are left out.
"""

import argparse
import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from graph_eval.correctors.candidates import tokens
from graph_eval.correctors.fluency import END, ORDER, START, classes, key, word_class
from graph_eval.parsing.parser import Parser
from graph_eval.text.sentences import sentences

LEAST_TRIGRAMS = 2
CHUNK = 2000  # sentences parsed at once
LEAST_WORDS, MOST_WORDS = 6, 45


def treebank(path: Path) -> Iterator[list[str]]:
    own: list[str] = []
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 10 and fields[0].isdigit():
                own.append(word_class(fields[1], fields[3], fields[4]))
            elif not line.strip() and own:
                yield own
                own = []


def tagged(path: Path, count: int, chance: random.Random) -> Iterator[list[str]]:
    found = set()
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            if row["split"] == "train" and not row["src"].startswith("syn_"):
                found.update(sentence.span.of(row["p"]) for sentence in sentences(row["p"]))
                if row["l"] == 0:
                    found.add(row["h"])
    usable = sorted(text for text in found if LEAST_WORDS <= len(text.split()) <= MOST_WORDS and text[-1:] in ".!?")
    chance.shuffle(usable)
    parser = Parser.builtin()
    read = 0
    for start in range(0, len(usable), CHUNK):
        for doc in parser.parse(usable[start : start + CHUNK]):
            read += len(doc)
            yield classes(tokens(doc))
        if read >= count:
            return


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--words", type=int, default=400_000, help="of the mix")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    counts: Counter[tuple[str, ...]] = Counter()
    texts = words = 0
    sources = (
        treebank(given.data / "ud" / "en_ewt-train.conllu.gz"),
        tagged(given.data / "nli" / "mix.jsonl.gz", given.words, random.Random(given.seed)),
    )
    for source in sources:
        for found in source:
            padded = [*[START] * (ORDER - 1), *found, END]
            texts, words = texts + 1, words + len(found)
            for at in range(ORDER - 1, len(padded)):
                counts.update(tuple(padded[at - size + 1 : at + 1]) for size in range(1, ORDER + 1))
    totals: Counter[tuple[str, ...]] = Counter()
    followers: dict[tuple[str, ...], int] = defaultdict(int)
    for ngram, count in counts.items():
        totals[ngram[:-1]] += count
        followers[ngram[:-1]] += 1
    kept = {key(ngram): count for ngram, count in counts.items() if len(ngram) < ORDER or count >= LEAST_TRIGRAMS}
    histories = {key(history): (total, followers[history]) for history, total in totals.items() if total > 1}
    ngrams, known = sorted(kept), sorted(histories)
    np.savez_compressed(
        given.out,
        keys=np.array(ngrams, dtype=np.uint32),
        counts=np.array([kept[each] for each in ngrams], dtype=np.uint32),
        histories=np.array(known, dtype=np.uint32),
        totals=np.array([histories[each][0] for each in known], dtype=np.uint32),
        followers=np.array([histories[each][1] for each in known], dtype=np.uint32),
    )
    size = given.out.stat().st_size / 1e6
    print(f"{texts} sentences, {words} words, {len(ngrams)} n-grams, {len(known)} histories, {size:.2f} MB")


if __name__ == "__main__":
    main()
