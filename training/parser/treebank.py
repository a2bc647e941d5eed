"""Sentences of Universal Dependencies treebanks, and copies of them in the forms that answers of models take.

A word's tag is "UPOS|XPOS": the clause rules read both. Of the dependency subtypes only those that a rule reads are
kept; the others fall back to their universal relation, which leaves the parser fewer labels to learn.
"""

import gzip
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

SUBTYPES = frozenset(
    "nsubj:pass nsubj:outer csubj:pass obl:agent obl:unmarked nmod:poss nmod:unmarked nmod:desc aux:pass "
    "acl:relcl advcl:relcl compound:prt cc:preconj det:predet flat:foreign".split()
)
MAX_ITEM_WORDS = 15


@dataclass(frozen=True, slots=True)
class Sentence:
    """`heads[i]` is the place of word i's head, counted from 1; 0 is the root. `spaces[i]`: a space follows word i."""

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def text(self) -> str:
        pairs = zip(self.words, self.spaces, strict=True)
        return "".join(word + " " * space for word, space in pairs).rstrip()

    def children(self) -> list[list[int]]:
        """The places (from 0) of each word's dependents."""
        below: list[list[int]] = [[] for _ in self.words]
        for place, head in enumerate(self.heads):
            if head:
                below[head - 1].append(place)
        return below

    def taken(self, places: Sequence[int]) -> "Sentence":
        """The words at these places (from 0), in this order. A word whose head is left out becomes a root."""
        new = {place: number for number, place in enumerate(places, 1)}
        heads = [new.get(self.heads[place] - 1, 0) for place in places]
        return Sentence(
            tuple(self.words[place] for place in places),
            tuple(self.spaces[place] or place + 1 not in new for place in places),
            tuple(self.tags[place] for place in places),
            tuple(heads),
            tuple(self.relations[place] if head else "root" for place, head in zip(places, heads, strict=True)),
        )


def read(path: Path) -> Iterator[Sentence]:
    """The sentences of a gzip'd CoNLL-U file that have at least two words."""
    rows: list[list[str]] = []
    joined: set[int] = set()  # words of a contraction that are not its last
    last: dict[int, bool] = {}  # whether a space follows the contraction that ends with this word
    with gzip.open(path, "rt", encoding="utf8") as lines:
        for line in lines:
            columns = line.rstrip("\n").split("\t")
            if len(columns) < 10:
                if not line.strip():
                    if len(rows) > 1:
                        yield _sentence(rows, joined, last)
                    rows, joined, last = [], set(), {}
            elif columns[0].isdigit():
                rows.append(columns)
            elif "-" in columns[0]:
                first, end = map(int, columns[0].split("-"))
                joined.update(range(first, end))
                last[end] = "SpaceAfter=No" not in columns[9]


def _sentence(rows: list[list[str]], joined: set[int], last: dict[int, bool]) -> Sentence:
    return Sentence(
        tuple(row[1] for row in rows),
        tuple(
            number not in joined and last.get(number, "SpaceAfter=No" not in row[9])
            for number, row in enumerate(rows, 1)
        ),
        tuple(f"{row[3]}|{row[4]}" for row in rows),
        tuple(int(row[6]) for row in rows),
        tuple(relation(row[7]) for row in rows),
    )


def relation(label: str) -> str:
    return label if label in SUBTYPES else label.split(":")[0]


# Copies


def lower_cased(sentence: Sentence) -> Sentence:
    return replace(sentence, words=tuple(word.lower() for word in sentence.words))


def unpunctuated(sentence: Sentence) -> Sentence:
    """Without the marks on which no word depends."""
    below = sentence.children()
    kept = [place for place, tag in enumerate(sentence.tags) if below[place] or not tag.startswith("PUNCT")]
    return sentence.taken(kept) if len(kept) > 1 else sentence


def without_stop(sentence: Sentence) -> Sentence:
    """Without the mark at its end, as the items of a list are written."""
    places = range(len(sentence))
    ends = sentence.tags[-1].startswith("PUNCT") and not sentence.children()[-1]
    return sentence.taken(places[:-1]) if ends and len(sentence) > 2 else sentence


def item(sentence: Sentence, chance: random.Random) -> Sentence:
    """A noun phrase of the sentence on its own, as in a list; the sentence without its stop where it has none."""
    below = sentence.children()
    found = []
    for head, tag in enumerate(sentence.tags):
        if tag.partition("|")[0] not in ("NOUN", "PROPN") or sentence.relations[head] == "root":
            continue
        words = _subtree(below, head, lambda place: sentence.relations[place] in ("case", "mark", "cc", "punct"))
        if 2 <= len(words) <= MAX_ITEM_WORDS and words[-1] - words[0] == len(words) - 1:
            found.append(words)
    return sentence.taken(chance.choice(found)) if found else without_stop(sentence)


def _subtree(below: list[list[int]], head: int, outside: Callable[[int], bool] | None = None) -> list[int]:
    """A word and what depends on it, without those of its dependents that `outside` accepts."""
    words, waiting = [head], [place for place in below[head] if not (outside and outside(place))]
    while waiting:
        words.append(waiting.pop())
        waiting += below[words[-1]]
    return sorted(words)


def question(sentence: Sentence) -> Sentence | None:
    """The statement as a question: its auxiliary or copula in front of its subject. None if it has no such form."""
    below = sentence.children()
    root = sentence.relations.index("root")
    subjects = [place for place in below[root] if sentence.relations[place] in ("nsubj", "nsubj:pass")]
    helpers = [place for place in below[root] if sentence.relations[place] in ("aux", "aux:pass", "cop")]
    if len(subjects) != 1 or not helpers or sentence.words[-1] not in ".?!":
        return None
    subject = _subtree(below, subjects[0])
    helper = min(helpers)
    if subject[-1] - subject[0] != len(subject) - 1 or subject[-1] > helper or below[helper]:
        return None
    before, after = list(range(subject[0])), [p for p in range(subject[-1] + 1, len(sentence)) if p != helper]
    if before and sentence.tags[before[-1]].split("|")[1] in ("WDT", "WP", "WRB"):
        return None
    turned = sentence.taken([*before, helper, *subject, *after])
    words = list(turned.words)
    if not before:
        words[0] = words[0].capitalize()
        name = sentence.tags[subject[0]].startswith("PROPN") or words[1] == "I"
        words[1] = words[1] if name else words[1][:1].lower() + words[1][1:]
    words[-1] = "?"
    return replace(turned, words=tuple(words), spaces=(*(True for _ in words[:-2]), False, False))


def varied(sentence: Sentence, chance: random.Random) -> Sentence:
    """The sentence or, three times in ten, one of its copies."""
    draw = chance.random()
    if draw < 0.06:
        return lower_cased(sentence)
    if draw < 0.10:
        return lower_cased(unpunctuated(sentence))
    if draw < 0.16:
        return unpunctuated(sentence)
    if draw < 0.20:
        return without_stop(sentence)
    if draw < 0.25:
        return item(sentence, chance)
    if draw < 0.30:
        return question(sentence) or sentence
    return sentence
