"""Makes wrong claims out of entailed ones, with the place of every wrong word and of the words it stands for.

    PYTHONPATH=training/nli python training/corrector/corrupted.py --data mix.jsonl.gz --embeddings CHECKPOINT.pt \
        --tokenizer graph_eval/weights/nli/tokenizer.json --out corrupted.jsonl.gz --count 60000 --seed 1

Read: entailed pairs of mix.jsonl.gz that people wrote, and sentences of its premises, some of them restated. Written,
one JSON object a line: {"p": premise, "h": claim, "edits": [[start, end, tag, [[start, end], ...]], ...], "split"}. The
characters from start to end of the claim are wrong. Tag 1: they stand for words of the premise, which are at the places
listed (none: it has no such words). 2: they were put in. 3: the premise says the opposite, or a "not" behind them is
gone. A claim without edits is right. "right": the claim before. With --written claims and sentences of contexts that
were written for this project (training/nli/written.jsonl) come as split "ranker": the tagger does not learn from them,
the ranker does. Wrong words are of the right kind: another name, number or date, often one of the
same premise; a word that stands near in the embeddings of CHECKPOINT.pt ({"model": state dict}); an opposite; a "not";
a detail more.
"""

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import lexicon
import numpy as np
import torch
from changes import (
    FIGURE,
    FORM_OF_BE,
    NEGATED,
    RESTATEMENTS,
    Setting,
    adjuncts,
    base_form,
    changeable,
    kind,
    names,
    noun_phrase,
    other_figure,
    subtree,
)
from made import Maker, read, split
from packed import writer
from spacy.tokens import Doc, Token
from tokenizers import Tokenizer

from graph_eval.extractors.rules.extractor import RulesExtractor
from graph_eval.parsing.parser import Parser
from graph_eval.text.normalise import words

REPLACED, ADDED, OPPOSITE = 1, 2, 3
RIGHT = 0.15  # share of claims that stay as they are
COUNTS = (1, 1, 1, 1, 2, 2, 3)  # wrong places of a claim
RESTATED = 0.5  # share of claims that are restated before
NEAREST = 40  # words of the same kind that can take a word's place
COMMON = 6000  # words of a kind that can be put in
LONGEST_DETAIL = 9  # words
WRITTEN_CLAIMS = 2  # of a context
ADVERBS = tuple(
    "only never rarely reluctantly hardly supposedly previously initially secretly repeatedly unsuccessfully".split()
)
JOINED = ("and", "and", "or", "as well as", "but not")


@dataclass(frozen=True, slots=True)
class Wrong:
    """The characters from start to end of a right claim become `new`; `truth`: what the premise says in their place.

    `before` and `after` of the new words are right again.
    """

    start: int
    end: int
    new: str
    tag: int
    truth: str = ""
    before: str = ""
    after: str = ""


@dataclass(slots=True)
class Corruptor:
    """What can be put in: words of the corpus by kind, the nearest first, names and phrases by kind."""

    chance: random.Random
    near: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    phrases: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    qualities: list[str] = field(default_factory=list)
    words: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def learn(self, docs: Sequence[Doc], vectors: Callable[[list[str]], np.ndarray]) -> None:
        for doc in docs:
            for part in names(doc):
                self.names[kind(part)].append(part.text)
            for token in changeable(doc):
                self.words[token.tag_].append(token.text)
                if token.dep_ == "amod":
                    self.qualities.append(token.text)
            self.details += adjuncts(doc)
            self.phrases += [part.text for part in phrases(doc)]
            self.details += [part for token in doc if (part := detail(token))]
        for tag, found in self.words.items():
            common = [word for word, count in Counter(found).most_common(COMMON) if count > 1]
            if len(common) > NEAREST:
                table = vectors(common)
                order = np.argsort(-(table @ table.T), axis=1)[:, 1 : NEAREST + 1]
                for word, row in zip(common, order, strict=True):
                    self.near[tag, word] = [common[place] for place in row]

    def wrong(self, doc: Doc, setting: Setting) -> list[Wrong]:
        """Up to three wrong places of a claim, in order, apart from each other."""
        chance = self.chance
        found: list[Wrong] = []
        for _ in range(0 if chance.random() < RIGHT else chance.choice(COUNTS)):
            way = chance.choices((self.replaced, self.negated, self.opposed, self.added), (55, 12, 13, 20))[0]
            options = [
                item
                for item in way(doc, setting)
                if all(item.end < other.start - 1 or item.start > other.end + 1 for other in found)
            ]
            if options:
                found.append(chance.choice(options))
        return sorted(found, key=lambda item: item.start)

    def replaced(self, doc: Doc, setting: Setting) -> Iterator[Wrong]:
        """One of each kind: so that names and numbers, which are few, come as often as words."""
        for options in (self._figures, self._calendar, self._names, self._words, self._words, self._phrases):
            if items := [item for item in options(doc, setting) if item.new.lower() != item.truth.lower()]:
                yield self.chance.choice(items)

    def _figures(self, doc: Doc, setting: Setting) -> Iterator[Wrong]:
        for match in FIGURE.finditer(doc.text):
            others = [other[2] for other in FIGURE.finditer(setting.premise) if other[2] != match[2]]
            new = (
                self.chance.choice(others) if others and self.chance.random() < 0.3 else other_figure(match[2], setting)
            )
            if new:
                yield Wrong(match.start(2), match.end(2), new, REPLACED, match[2])

    def _calendar(self, doc: Doc, _setting: Setting) -> Iterator[Wrong]:
        for order in lexicon.ORDERED:
            for word in order:
                for match in re.finditer(rf"\b{word}\b", doc.text):
                    other = self.chance.choice([other for other in order if other != word])
                    yield Wrong(*match.span(), other, REPLACED, word)

    def _names(self, doc: Doc, setting: Setting) -> Iterator[Wrong]:
        for part in names(doc):
            stated = [other.text for parsed in setting.parsed for other in names(parsed) if kind(other) == kind(part)]
            own = [other.text for other in names(doc) if other.text != part.text]
            pool = self.names[kind(part)]
            choice = stated + own if self.chance.random() < 0.4 else self.chance.sample(pool, min(3, len(pool)))
            for new in choice:
                if new not in part.text and part.text not in new:
                    yield Wrong(part.start_char, part.end_char, new, REPLACED, part.text)
            if len(part) > 1 and pool:
                half = self.chance.choice(tuple(part))
                new = self.chance.choice(pool).split()[-1]
                yield Wrong(half.idx, half.idx + len(half), new, REPLACED, half.text)

    def _words(self, doc: Doc, setting: Setting) -> Iterator[Wrong]:
        for token in changeable(doc):
            pool = self.near.get((token.tag_, token.text)) or self.words[token.tag_]
            stated = [
                other.text
                for parsed in setting.parsed
                for other in changeable(parsed)
                if other.tag_ == token.tag_ and other.text not in doc.text
            ]
            options = stated if stated and self.chance.random() < 0.2 else pool
            if options:
                yield Wrong(token.idx, token.idx + len(token), self.chance.choice(options), REPLACED, token.text)

    def _phrases(self, doc: Doc, _setting: Setting) -> Iterator[Wrong]:
        for part in phrases(doc):
            options = [self.chance.choice(self.phrases)]
            last = part[-1]
            options += self.chance.sample(near := self.near.get((last.tag_, last.text), []), min(1, len(near)))
            for new in options:
                yield Wrong(part.start_char, part.end_char, new, REPLACED, part.text)

    def negated(self, doc: Doc, _setting: Setting) -> Iterator[Wrong]:
        """A "not" put in, or taken out."""
        text = doc.text
        taken_out = [
            Wrong(match.start(1), match.end(), match[1], OPPOSITE, before="") for match in NEGATED.finditer(text)
        ]
        if taken_out:
            yield from taken_out
            return
        for match in FORM_OF_BE.finditer(text):
            word = self.chance.choice(("not", "not", "n't", "never", "no longer"))
            gap = "" if word == "n't" else " "
            if match[1] not in ("can", "will", "may", "might") or gap:
                yield Wrong(match.end(), match.end(), word, ADDED, before=gap)
        for verb in doc:
            base = base_form(verb)
            if base and verb.tag_ in {"VERB|VBD", "VERB|VBZ"}:
                past = verb.tag_.endswith("D")
                new = self.chance.choice(
                    ("did not", "didn't", "failed to") if past else ("does not", "doesn't", "fails to")
                )
                yield Wrong(verb.idx, verb.idx + len(verb), new, ADDED, after=f" {base}")

    def opposed(self, doc: Doc, setting: Setting) -> Iterator[Wrong]:
        for table in (lexicon.OPPOSITES, lexicon.PHRASES):
            for old, options in table.items():
                if old in doc.text.lower():
                    for match in re.finditer(rf"\b{re.escape(old)}\b", doc.text):
                        tag = REPLACED if setting.states(old) else OPPOSITE
                        yield Wrong(*match.span(), self.chance.choice(options), tag, match[0])

    def added(self, doc: Doc, setting: Setting) -> Iterator[Wrong]:
        """A quality, an adverb, one more of a list, a detail: nothing of which the premise says."""
        chance, text = self.chance, doc.text
        found = []
        for token in doc:
            upos = token.tag_.partition("|")[0]
            if upos == "NOUN" and self.qualities:
                found.append(Wrong(token.idx, token.idx, chance.choice(self.qualities), ADDED, after=" "))
            if upos == "VERB" and token.i:
                found.append(Wrong(token.idx, token.idx, chance.choice(ADVERBS), ADDED, after=" "))
        for part in (*phrases(doc), *names(doc)):
            pool = self.names[kind(part)] if part in names(doc) else self.phrases
            if pool:
                new = f"{chance.choice(JOINED)} {chance.choice(pool)}"
                found.append(Wrong(part.end_char, part.end_char, new, ADDED, before=" "))
        end = len(text.rstrip(".!? "))
        ends = [end, end] + [
            subtree(token).end_char for token in doc if token.dep_ in {"obj", "nsubj", "obl"} and token.i + 1 < len(doc)
        ]
        for place in ends if self.details else ():
            new = chance.choice((*chance.sample(self.details, 2), chance.choice(lexicon.TAILS)))
            found.append(Wrong(place, place, new, ADDED, before=" "))
        yield from (item for item in chance.sample(found, min(4, len(found))) if not setting.states(item.new))


def phrases(doc: Doc) -> list:
    """Noun phrases of two to four words, without their article."""
    found = []
    for token in doc:
        if token.tag_.startswith("NOUN") and token.dep_ != "compound":
            part = noun_phrase(token)
            start = part.start
            while start < token.i and doc[start].dep_ in {"det", "nmod:poss", "nummod"}:
                start += 1
            part = doc[start : token.i + 1]
            if 2 <= len(part) <= 4 and all(word.text.isalpha() for word in part):
                found.append(part)
    return found


def detail(token: Token) -> str | None:
    """A clause that hangs on a noun or verb and can be said of something else."""
    if token.dep_ not in {"advcl", "acl", "acl:relcl"} or token.i < token.head.i:
        return None
    part = subtree(token)
    return part.text if 3 <= len(part) <= LONGEST_DETAIL else None


def corrupted(text: str, wrong: Sequence[Wrong], premise: str) -> tuple[str, list[list[object]]]:
    """The claim with its wrong places, and these as they are written."""
    made, position, edits = "", 0, []
    for item in wrong:
        made += text[position : item.start]
        new = item.new
        if not made.strip() and text[:1].isupper():
            new = new[:1].upper() + new[1:]
        article = re.search(r"\b([Aa])n? $", made)
        if article and not item.before and new[:1].isalpha():
            made = made[: article.start()] + article[1] + ("n " if new[0].lower() in "aeiou" else " ")
        made += item.before
        edits.append([len(made), len(made) + len(new), item.tag, places(item.truth, premise)])
        made += new + item.after
        position = item.end
    return made + text[position:], edits


def places(truth: str, premise: str) -> list[list[int]]:
    if not truth:
        return []
    return [list(match.span()) for match in re.finditer(rf"(?<!\w){re.escape(truth)}(?!\w)", premise, re.IGNORECASE)]


def embeddings(checkpoint: Path, tokenizer: Tokenizer) -> Callable[[list[str]], np.ndarray]:
    """Words -> unit vectors (n, hidden): the mean of their pieces' embeddings."""
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)["model"]
    table = state["enc.embeddings.word_embeddings.weight"].float().numpy()
    table = table - table.mean(0)

    def vectors(found: list[str]) -> np.ndarray:
        pieces = [item.ids for item in tokenizer.encode_batch(found, add_special_tokens=False)]
        rows = np.array([table[ids].mean(0) for ids in pieces])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    return vectors


def written(path: Path, chance: random.Random) -> Iterator[tuple[list[str], str]]:
    """(sentences of a context, a claim that it entails or one of its sentences)"""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        context = split(row["context"])
        entailed = [text for label, _, text in row["claims"] if label == "E"]
        for claim in (*chance.sample(entailed, min(WRITTEN_CLAIMS, len(entailed))), chance.choice(context)):
            yield context, claim


def rows(
    maker: Maker,
    corruptor: Corruptor,
    picked: Sequence[tuple[list[str], str]],
    vectors: Callable[[list[str]], np.ndarray],
) -> Iterator[dict]:
    chance, parser = maker.chance, maker.parser
    texts = dict.fromkeys(text for premise, claim in picked for text in (*premise, claim))
    parsed = dict(zip(texts, parser.parse(list(texts)), strict=True))
    corruptor.learn([parsed[claim] for _, claim in picked], vectors)
    claims: list[tuple[Setting, str]] = []
    for premise, claim in picked:
        setting = Setting(" ".join(premise), [parsed[text] for text in premise], maker.bank, chance)
        others = [text for change in RESTATEMENTS.values() if (text := change(parsed[claim], setting))]
        claims.append((setting, chance.choice(others) if others and chance.random() < RESTATED else claim))
    new = dict.fromkeys(claim for _, claim in claims if claim not in parsed)
    parsed |= dict(zip(new, parser.parse(list(new)), strict=True))
    for setting, claim in claims:
        text, edits = corrupted(claim, corruptor.wrong(parsed[claim], setting), setting.premise)
        said = {word for word, _ in words(setting.premise)}
        # Words that all stand in the premise are no detail that it lacks, and no other words than its own.
        if all(tag == OPPOSITE or {w for w, _ in words(text[a:b])} - said or where for a, b, tag, where in edits):
            yield {"p": setting.premise, "h": text, "edits": edits, "right": claim}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="mix.jsonl.gz")
    options.add_argument("--embeddings", type=Path, required=True, help="{'model': state dict} of an encoder")
    options.add_argument("--tokenizer", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--count", type=int, default=60_000)
    options.add_argument("--heldout", type=int, default=1000)
    options.add_argument("--written", type=Path, help="written.jsonl")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    vectors = embeddings(given.embeddings, Tokenizer.from_file(str(given.tokenizer)))
    with writer(given.out) as write:
        for name, source in read(given.data).items():
            chance = random.Random(f"{given.seed} {name}")
            maker = Maker(source, chance, Parser.builtin(), RulesExtractor())
            count = given.count if name == "train" else given.heldout
            tags: Counter[object] = Counter()
            jobs = {name: list(maker.picked(count))} if count else {}
            if given.written and name == "heldout":
                jobs["ranker"] = list(written(given.written, chance))
            for part, picked in jobs.items():
                for row in rows(maker, Corruptor(chance), picked, vectors):
                    write(row | {"split": part})
                    tags.update([f"{part} claims", *(tag for _, _, tag, _ in row["edits"])])
            print(f"{name}: {dict(tags)}")


if __name__ == "__main__":
    main()
