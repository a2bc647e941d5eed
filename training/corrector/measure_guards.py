"""Measures the guards of grammar and fluency on edits that people made, and on edits that break the sentence.

    python training/corrector/measure_guards.py --data DATA [--part dev]

Human edits: each wrong text of SummEdits (half "a"), DeFacto and BUMP with one core hunk, and the right one. Bad edits,
made of the right sentences: one to three words left out at random, a word replaced by one of another tag, an article or
an auxiliary left out, a verb in the other number. Printed: which share of human edits passes, which share of bad edits
is caught by the grammar, by the fluency from each level on, and by both.
"""

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from graph_eval.bench.sets.edits import cases, hunks
from graph_eval.correctors.candidates import Token, tokens
from graph_eval.correctors.fluency import Fluency
from graph_eval.correctors.grammar import fault
from graph_eval.correctors.splice import PLURAL, SINGULAR
from graph_eval.parsing.parser import Parser
from graph_eval.text.sentences import sentences

PARTS = {
    "train": (("summedits", "a"), ("defacto", "train"), ("bump", "train")),
    "dev": (("defacto", "dev"), ("bump", "dev")),
}
PASSES = (0.99, 0.98, 0.95)  # shares of human edits that a level lets pass
MOST = 400  # pairs of a set


def without(text: str, words: list[Token], first: int, end: int) -> str:
    return " ".join((text[: words[first].span.start] + text[words[end - 1].span.end :]).split())


def broken(text: str, words: list[Token], chance: random.Random) -> Iterator[tuple[str, str]]:
    """(kind, broken sentence)"""
    inner = [at for at in range(1, len(words) - 2) if not words[at].is_mark]
    if len(inner) < 6:
        return
    first = chance.choice(inner[:-3])
    yield "words left out", without(text, words, first, first + chance.choice((1, 2, 3)))
    at = chance.choice(inner)
    others = [word for word in words if word.upos != words[at].upos and not word.is_mark]
    if others:
        span = words[at].span
        yield "other tag", text[: span.start] + chance.choice(others).text + text[span.end :]
    for kind, found in (
        ("article left out", [at for at in inner if words[at].upos == "DET"]),
        ("auxiliary left out", [at for at in inner if words[at].upos == "AUX"]),
    ):
        if found:
            at = chance.choice(found)
            yield kind, without(text, words, at, at + 1)
    flipped = [(at, (PLURAL | SINGULAR).get(words[at].text.lower())) for at in inner if words[at].upos == "AUX"]
    flipped = [(at, form) for at, form in flipped if form]
    if flipped:
        at, form = chance.choice(flipped)
        span = words[at].span
        yield "other number", text[: span.start] + str(form) + text[span.end :]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--part", choices=tuple(PARTS), default="train")
    options.add_argument("--show", type=int, default=0, help="human edits that do not pass")
    given = options.parse_args()
    chance, parser, fluency = random.Random(1), Parser.builtin(), Fluency.builtin()
    pairs: list[tuple[str, str]] = []
    for name, part in PARTS[given.part]:
        found = []
        for case in cases(given.data, name, part):
            text = case.example.response
            if not case.label or len(hunks(text, case.original)) != 1:
                continue
            old, new = ([sentence.span.of(each) for sentence in sentences(each)] for each in (text, case.original))
            if len(old) == len(new):
                found += [(one, other) for one, other in zip(old, new, strict=True) if one != other]
        pairs += found[:MOST]
    texts = dict.fromkeys(text for pair in pairs for text in pair)
    parsed = dict(zip(texts, map(tokens, parser.parse(list(texts))), strict=True))
    faults = [fault(parsed[one], parsed[other]) for one, other in pairs]
    changes = np.array([fluency.change(parsed[one], parsed[other]) for one, other in pairs])
    print(f"{len(pairs)} human edits: {np.mean([one is None for one in faults]):.3f} pass the grammar")
    for (one, other), reason in zip(pairs, faults, strict=True):
        if reason and given.show > 0:
            given.show -= 1
            print(f"  {reason}\n    {one}\n    {other}")
    levels = {share: np.quantile(changes, 1 - share, axis=0) for share in PASSES}
    print("levels (mean, worst): " + "; ".join(f"{share}: {a:.2f} {b:.2f}" for share, (a, b) in levels.items()))

    bad = [
        (kind, parsed[right], text)
        for right in dict.fromkeys(other for _, other in pairs)
        for kind, text in broken(right, parsed[right], chance)
    ]
    after = map(tokens, parser.parse([text for *_, text in bad]))
    caught: dict[str, Counter] = defaultdict(Counter)
    for (kind, before, _), words in zip(bad, after, strict=True):
        change = fluency.change(before, words)
        by_grammar = fault(before, words) is not None
        for name in (kind, "all"):
            caught[name]["count"] += 1
            caught[name]["grammar"] += by_grammar
            for share, (mean, worst) in levels.items():
                by_fluency = change[0] < mean or change[1] < worst
                caught[name][f"fluency {share}"] += by_fluency
                caught[name][f"both {share}"] += by_fluency or by_grammar
    for name, counts in caught.items():
        total = counts.pop("count")
        print(f"  {name} ({total}): " + ", ".join(f"{each} {count / total:.2f}" for each, count in counts.items()))


if __name__ == "__main__":
    main()
