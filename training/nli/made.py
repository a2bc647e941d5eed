"""Makes training pairs out of human ones: near-miss twins, restatements, longer premises.

    python training/nli/made.py --data mix.jsonl.gz --out made.jsonl.gz --twins 20000 --plain 20000 --seed 1

Read: rows of mix.jsonl.gz that people wrote. Written, one JSON object a line: {"p", "h", "l", "split", "src", "kind",
"g", "w"}. A claim that its premise entails (one of a human pair, a sentence of a premise, or a restatement or triplet
of either) and its near misses (changes.py) share "g" and the premise; "kind" names the change, "w" spans its words. The
premise gets up to four more sentences: half of them share rare words with it, the rest are of other topics. "story"
rows are claims about made-up reports (stories.py), "plain" rows human pairs of every label, most with a longer premise.
Training and held-out premises never mix.
"""

import argparse
import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import stories
from changes import NEAR_MISSES, RESTATEMENTS, Bank, Setting
from marks import marked
from packed import writer
from spacy.tokens import Doc

from graph_eval.extractors.rules.extractor import RulesExtractor
from graph_eval.parsing.parser import Parser
from graph_eval.text.normalise import content_words, stem
from graph_eval.text.sentences import sentences
from graph_eval.types import ItemError, Kind, Text

# Near misses are wanted in these parts; the ones that the first model was worst at weigh most.
SHARES = {
    "number": 0.09,
    "date": 0.06,
    "name": 0.12,
    "role": 0.12,
    "passive": 0.07,
    "negation": 0.06,
    "opposite": 0.07,
    "quantity": 0.08,
    "scope": 0.07,
    "addition": 0.12,
    "word": 0.08,
    "splice": 0.06,
}
OF_PEOPLE = (  # sources whose hypotheses people wrote about factual text, and how many parts each gives
    ("fever", 20),
    ("fm2", 10),
    ("lingnli", 18),
    ("mnli", 10),
    ("sanli_wiki", 16),
    ("healthver", 6),
    ("covidfact", 4),
    ("conj_adv", 6),
    ("begin", 4),
    ("fever_sym", 2),
    ("cad_nli", 4),
)
COPIED = 0.45  # share of twins whose claim is a premise sentence, whole or shortened
RESTATED = 0.5  # share of claims that get a restatement beside the near miss
SECOND = 0.25  # share of claims that get a second near miss
LOWER = 0.12  # share of rows in lower case, and of claims alone
TRUSTED = 0.8  # confidence of a triplet that stands for its sentence
WORDS_A_PREMISE = 110


@dataclass(slots=True)
class Source:
    """Human rows of one split, and what their premises say, to fill up other premises."""

    rows: dict[str, list[dict[str, object]]] = field(default_factory=lambda: defaultdict(list))
    sentences: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    holding: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # rare stem -> sentences

    def add(self, row: dict[str, object]) -> None:
        self.rows[str(row["src"])].append(row)

    def index(self) -> None:
        for name, rows in self.rows.items():
            own = dict.fromkeys(text for row in rows for text in split(str(row["p"])) if 5 <= len(text.split()) <= 40)
            self.sentences[name] = list(own)
        seen = Counter(s for own in self.sentences.values() for text in own for s in stems(text))
        for own in self.sentences.values():
            for text in own:
                for s in stems(text):
                    if 2 <= seen[s] <= 60:
                        self.holding[s].append(text)

    def distractors(self, premise: str, name: str, count: int, chance: random.Random) -> list[str]:
        """Sentences of other premises: every second one shares a rare word with this one."""
        near = [text for s in sorted(stems(premise)) for text in self.holding.get(s, ())]
        found: list[str] = []
        for place in range(count):
            pool = near if near and place % 2 == 0 else self.sentences[name]
            text = chance.choice(pool) if pool else ""
            if text and text not in premise and text not in found:
                found.append(text)
        return found


def stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word, _ in content_words(text))


def split(text: str) -> list[str]:
    return [sentence.span.of(text) for sentence in sentences(text)]


def read(path: Path) -> dict[str, Source]:
    """What people wrote, by split."""
    found = {"train": Source(), "heldout": Source()}
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            if not row["src"].startswith("syn_") and len(row["p"].split()) <= WORDS_A_PREMISE:
                found[row["split"]].add(row)
    for source in found.values():
        source.index()
    return found


@dataclass(slots=True)
class Maker:
    source: Source
    chance: random.Random
    parser: Parser
    extractor: RulesExtractor
    bank: Bank = field(default_factory=Bank)
    made: Counter[str] = field(default_factory=Counter)

    def premise(self, row: dict[str, object]) -> list[str]:
        """Sentences: the row's own in their order, others around them."""
        own = split(str(row["p"])) or [str(row["p"])]
        count = self.chance.choice((0, 1, 1, 2, 2, 3, 3, 4))
        others = self.source.distractors(str(row["p"]), str(row["src"]), count, self.chance)
        while others and sum(len(text.split()) for text in own + others) > WORDS_A_PREMISE:
            others.pop()
        before = self.chance.randrange(len(others) + 1)
        return [*others[:before], *own, *others[before:]]

    def twins(self, count: int) -> Iterator[dict[str, object]]:
        """Claims with their near misses, about `count` of them."""
        picked = list(self.picked(count))
        texts = dict.fromkeys(text for premise, claim in picked for text in (*premise, claim))
        parsed = dict(zip(texts, self.parser.parse(list(texts)), strict=True))
        triplets = self._triplets([claim for _, claim in picked])
        for _, claim in picked:
            self.bank.add(parsed[claim])
        restated: list[tuple[list[str], list[str], str]] = []
        for premise, claim in picked:  # a restatement is parsed too before it is changed
            setting = Setting(" ".join(premise), [parsed[text] for text in premise], self.bank, self.chance)
            others = [text for change in RESTATEMENTS.values() if (text := change(parsed[claim], setting))]
            others += self.chance.sample(triplets[claim], min(1, len(triplets[claim])))
            restated.append((premise, [text for text in others if text != claim], claim))
        extra = dict.fromkeys(text for _, others, _ in restated for text in others)
        parsed |= dict(zip(extra, self.parser.parse(list(extra)), strict=True))
        for group, (premise, others, claim) in enumerate(restated):
            setting = Setting(" ".join(premise), [parsed[text] for text in premise], self.bank, self.chance)
            yield from self._group(f"g{group}", setting, parsed, claim, others)

    def _triplets(self, claims: Sequence[str]) -> dict[str, list[str]]:
        """What the extractor makes of each claim: this is what the checker is going to read."""
        found: dict[str, list[str]] = {}
        apart = self.extractor.extract([Text(str(number), claim) for number, claim in enumerate(claims)])
        for claim, part in zip(claims, apart, strict=True):
            own = [] if isinstance(part, ItemError) else part
            found[claim] = [item.text for item in own if item.kind is Kind.TRIPLET and item.confidence >= TRUSTED]
        return found

    def picked(self, count: int) -> Iterator[tuple[list[str], str]]:
        """(premise, entailed claim)"""
        parts = sum(part for _, part in OF_PEOPLE)
        for name, part in OF_PEOPLE:
            rows = [row for row in self.source.rows[name] if row["l"] == 0 and usable(str(row["h"]))]
            wanted = min(len(rows), int(count * (1 - COPIED) * part / parts))
            for row in self.chance.sample(rows, wanted):
                yield self.premise(row), str(row["h"])
        pool = [
            row
            for name in ("fever", "fm2", "wice", "covidfact", "lingnli", "sanli_wiki")
            for row in self.source.rows[name]
        ]
        for row in self.chance.sample(pool, min(len(pool), int(count * COPIED))):
            premise = self.premise(row)
            claims = [text for text in premise if usable(text) and len(text.split()) >= 6]
            if claims:
                yield premise, self.chance.choice(claims)

    def _group(
        self, group: str, setting: Setting, parsed: dict[str, Doc], claim: str, others: Sequence[str]
    ) -> Iterator[dict[str, object]]:
        chance = self.chance
        true = [claim, *(others if chance.random() < RESTATED else ())]
        base = chance.choice(true)
        false: dict[str, tuple[str, int]] = {}
        for _ in range(1 + (chance.random() < SECOND)):
            for kind in sorted(NEAR_MISSES, key=lambda kind: self.made[kind] / SHARES[kind] + 40 * chance.random()):
                change, label = NEAR_MISSES[kind]
                text = None if kind in false else change(parsed[base], setting)
                if text and text.lower() not in {other.lower() for other in true} and not setting.states(text):
                    false[kind] = (text, label)
                    self.made[kind] += 1
                    break
        if not false:
            return
        rows = [("entailed", base, 0)] + [(kind, text, label) for kind, (text, label) in false.items()]
        if base != claim:
            rows.append(("entailed", claim, 0))
        premise, claims = self.spelled(setting.premise, [text for _, text, _ in rows])
        yield from marked(
            [
                {"p": premise, "h": text, "l": label, "src": "made", "kind": kind, "g": group}
                for (kind, _, label), text in zip(rows, claims, strict=True)
            ]
        )

    def stories(self, count: int) -> Iterator[dict[str, object]]:
        """Claims about small made-up reports, with their near misses (stories.py)."""
        for number, rows in enumerate(stories.groups(count, self.chance)):
            premise = str(rows[0]["p"])
            premise, claims = self.spelled(premise, [str(row["h"]) for row in rows])
            yield from marked(
                [row | {"p": premise, "h": claim, "g": f"s{number}"} for row, claim in zip(rows, claims, strict=True)]
            )

    def plain(self, count: int) -> Iterator[dict[str, object]]:
        """Human pairs of every label, most of them in a longer premise."""
        pool = [
            row for name, rows in self.source.rows.items() for row in self.chance.sample(rows, min(len(rows), 5000))
        ]
        for row in self.chance.sample(pool, min(len(pool), count)):
            text = " ".join(self.premise(row)) if self.chance.random() < 0.6 else str(row["p"])
            premise, (claim,) = self.spelled(text, [str(row["h"])])
            yield {"p": premise, "h": claim, "l": row["l"], "src": "plain", "kind": str(row["src"])}

    def spelled(self, premise: str, claims: list[str]) -> tuple[str, list[str]]:
        """Case and full stops as they happen to come, alike for a claim and its twins."""
        chance = self.chance.random()
        if chance < LOWER:
            premise = premise.lower()
        if chance < 2 * LOWER:
            claims = [text.lower() for text in claims]
        if self.chance.random() < 0.5:
            claims = [text.rstrip(".") for text in claims]
        else:
            claims = [text if text.endswith((".", "!", "?")) else text + "." for text in claims]
        return premise, claims


def usable(claim: str) -> bool:
    return (
        4 <= len(claim.split()) <= 30 and not claim.rstrip().endswith("?") and re.search(r"[a-z]{3}", claim) is not None
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="mix.jsonl.gz")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--twins", type=int, default=20_000, help="claims that get near misses")
    options.add_argument("--stories", type=int, default=10_000, help="claims about made-up reports")
    options.add_argument("--plain", type=int, default=20_000, help="human pairs beside them")
    options.add_argument("--heldout", type=int, default=700, help="of either, from held-out premises")
    options.add_argument("--without", nargs="*", choices=sorted(NEAR_MISSES), default=[], help="kinds to leave out")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    for kind in given.without:
        del NEAR_MISSES[kind]
    with writer(given.out) as write:
        for name, source in read(given.data).items():
            maker = Maker(source, random.Random(f"{given.seed} {name}"), Parser.builtin(), RulesExtractor())
            twins, plain = (given.twins, given.plain) if name == "train" else (given.heldout, given.heldout)
            count = 0
            reports = given.stories if name == "train" else given.stories and given.heldout
            for rows in (maker.twins(twins), maker.stories(reports), maker.plain(plain)):
                for row in rows:
                    write(row | {"split": name})
                    count += 1
            print(f"{name}: {count} rows; near misses: {dict(maker.made.most_common())}")


if __name__ == "__main__":
    main()
