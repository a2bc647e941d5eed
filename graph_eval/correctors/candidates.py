"""Edits that could mend a sentence: words of its context in the place of words that are wrong.

A candidate changes one run of words. What takes its place comes from the context: where the pointer says that the right
words stand; numbers, names and months of the same kind; words with the same tag, of the evidence and of what the
context uses most. Words that were put in are deleted with what hangs on them, a "not" is taken out again. A hundred and
more candidates are weighed by what is cheap to know of each (`FEATURES`) and of how they stand to each other
(`RELATIVE`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.correctors.reader import ADDED, OPPOSITE, REPLACED, RIGHT, Array, Reading
from graph_eval.text.normalise import STOP_WORDS, fold, stem
from graph_eval.text.quantities import numbers
from graph_eval.types import Edit, Span

Vectors = Callable[[Sequence[str]], Array]
OPEN = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
NOMINAL = frozenset({"NOUN", "PROPN", "ADJ", "NUM"})
MONTHS = frozenset("january february march april may june july august september october november december".split())
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
NEGATIVE = frozenset({"not", "n't", "n’t", "never", "hardly", "rarely", "only"})
FAILING = {"fail": "", "fails": "s", "failed": "ed", "refuse": "", "refuses": "s", "refused": "ed"}
HELPERS = {"do": "", "does": "s", "did": "ed"}
LOOSE = frozenset(
    "amod advmod nmod obl obl:unmarked acl acl:relcl advcl advcl:relcl conj appos compound nummod parataxis".split()
)
JOINING = frozenset({"but", "and", "or", "except", "excluding", "without", "however", "although"})
ASKED = 24  # spans of a sentence that the pointer is asked about
TOP = 4  # places that it gives for each
LONGEST_RUN = 5  # words of a nominal span that is replaced
LONGEST_DELETION = 12  # words
SUSPECT = 0.15  # probability of being wrong from which a word may be deleted
FARTHEST_P = -12.0  # logarithm of a probability that is as good as none
RUNS = (0.25, 0.5, 0.75)  # probabilities from which neighbouring wrong words are one span

SALIENT = 12  # words of one tag that the context uses most
KINDS = ("pointer", "number", "calendar", "name", "word", "salient", "negation", "deletion")
FEATURES = (
    *KINDS,
    *"err_mean err_max err_min rest rest_sum replaced added opposite fits_replaced fits_added".split(),
    *"pointer_p pointed null old_absent old_any new_absent new_any old_stated new_stated left right".split(),
    *"old_length new_length change repeated overlap proper capital same_tag same_relation same_head rank first".split(),
    *"same_before same_after alike used_new used_old".split(),
)
RELATIVE = tuple("p_to_best p_to_span err_to_worst p_rank both left_over taken".split())  # to the other candidates


@dataclass(frozen=True, slots=True)
class Token:
    """A word with its part of speech (upos, xpos), its relation, and the words (first, last) that hang on it."""

    text: str
    key: str  # folded stem
    upos: str
    xpos: str
    span: Span
    relation: str
    head: int
    reach: tuple[int, int]

    @property
    def content(self) -> bool:
        return self.upos in OPEN and fold(self.text) not in STOP_WORDS

    @property
    def mark(self) -> bool:
        return not any(map(str.isalnum, self.text))


def tokens(doc: Any) -> list[Token]:
    found = []
    for token in doc:
        upos, _, xpos = token.tag_.partition("|")
        span = Span(token.idx, token.idx + len(token.text))
        reach = (token.left_edge.i, token.right_edge.i)
        found.append(Token(token.text, stem(fold(token.text)), upos, xpos, span, token.dep_, token.head.i, reach))
    return found


@dataclass(slots=True)
class Candidate:
    """The words from `first` to before `end` become `new`; `edit` says so in characters of the sentence."""

    first: int
    end: int
    new: str
    kind: str
    place: tuple[int, int] | None = None  # of the new words in the evidence: first, last
    features: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def edit(self, sentence: str, words: Sequence[Token]) -> Edit:
        span = Span(words[self.first].span.start, words[self.end - 1].span.end)
        return Edit(span, span.of(sentence), self.new)


@dataclass(slots=True)
class Known:
    """The evidence of a sentence as words, and what all of the context holds: stems, and its words as one text."""

    text: str
    words: list[Token]
    stems: frozenset[str]
    spoken: str
    used: Mapping[str, int] = field(default_factory=dict)  # how often the context has a word
    salient: Mapping[str, Sequence[str]] = field(default_factory=dict)  # its words by tag, the most used first
    following: Counter[tuple[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        lowered = ["", *(token.text.lower() for token in self.words), ""]
        self.following = Counter(pairwise(lowered))

    def states(self, words: Sequence[str]) -> bool:
        return f" {' '.join(words)} " in self.spoken


class Candidates:
    """All candidates of one sentence, with their features."""

    def __init__(self, sentence: str, words: list[Token], known: Known, reading: Reading, vectors: Vectors) -> None:
        self.sentence, self.words, self.known = sentence, words, known
        self.lowered = [token.text.lower() for token in words]
        self.vectors = vectors
        self.tags = reading.word_tags([token.span for token in words])
        self.wrong = 1.0 - self.tags[:, RIGHT]
        self.absent = np.array([float(token.content and token.key not in known.stems) for token in words])
        self._found: dict[tuple[int, int, str], Candidate] = {}
        asked = self._spans()[:ASKED]
        own, there = ([token.span for token in part] for part in (words, known.words))
        pointers = reading.pointers(own, there, [(first, end - 1) for first, end in asked])
        self._pointers = dict(zip(asked, pointers, strict=True))

    def all(self) -> list[Candidate]:
        self._pointed()
        self._same_kind()
        self._words()
        self._negations()
        self._deletions()
        found = [item for item in self._found.values() if self._changes(item)]
        texts = [self._old(item) for item in found] + [item.new for item in found]
        vectors = self.vectors(texts)
        alike = (vectors[: len(found)] * vectors[len(found) :]).sum(-1) if found else ()
        for item, share in zip(found, alike, strict=True):
            item.features = self._features(item, float(share))
        relate(found)
        return found

    def _old(self, item: Candidate) -> str:
        return item.edit(self.sentence, self.words).old

    def _add(self, first: int, end: int, new: str, kind: str, place: tuple[int, int] | None = None) -> None:
        known = self._found.setdefault((first, end, new.lower()), Candidate(first, end, new, kind, place))
        if place is not None and known.place != place:
            known.place = max(filter(None, (known.place, place)), key=lambda other: self._log_p(first, end, other))

    def _log_p(self, first: int, end: int, place: tuple[int, int] | None) -> float:
        pointer = self._pointers.get((first, end))
        return FARTHEST_P if pointer is None or place is None else max(FARTHEST_P, pointer.log_p(*place))

    def _changes(self, item: Candidate) -> bool:
        old = self._old(item)
        whole = item.end - item.first == len(self.words)
        return not says_the_same(old, item.new) and not (whole and not item.new)

    # ---- spans ----

    def _spans(self) -> list[tuple[int, int]]:
        """Runs of words (first, end) that may stand for others, the most suspect first."""
        words, count = self.words, len(self.words)
        found = {
            (at, at + 1)
            for at, token in enumerate(words)
            if not token.mark and (token.content or self.wrong[at] > 2 * SUSPECT)
        }
        for first, end in runs(token.upos in NOMINAL for token in words):
            for start in range(first, end):
                for stop in range(start + 2, min(end, start + LONGEST_RUN) + 1):
                    found.add((start, stop))
        for least in RUNS:
            for first, end in runs(self.wrong > least):
                if end - first <= LONGEST_DELETION:
                    found.add((first, end))
                    if end + 1 < count and self.wrong[end + 1] > least:
                        found.add((first, end + 2))
        for at, token in enumerate(words):
            start = at
            while token.upos == "VERB" and start and (words[start - 1].upos == "AUX" or self._negates(start - 1)):
                start -= 1
            if start < at:
                found.add((start, at + 1))

        def suspect(span: tuple[int, int]) -> float:
            first, end = span
            own = self.wrong[first:end].mean() + 0.35 * self.absent[first:end].mean() + 0.02 * (end - first)
            return -float(own)

        return sorted(found, key=lambda span: (suspect(span), span))

    def _negates(self, at: int) -> bool:
        return self.lowered[at] in NEGATIVE or self.lowered[at] == "to" or self.lowered[at] in FAILING

    # ---- ways to change ----

    def _pointed(self) -> None:
        there = self.known.words
        for (first, end), pointer in self._pointers.items():
            for begin, last in pointer.best(TOP) if pointer is not None else ():
                new = Span(there[begin].span.start, there[last].span.end).of(self.known.text)
                if any(map(str.isalnum, new)):
                    self._add(first, end, new, "pointer", (begin, last))

    def _same_kind(self) -> None:
        for at, token in enumerate(self.words):
            kind = kind_of(token)
            if kind is not None:
                for place, other in enumerate(self.known.words):
                    if kind_of(other) == kind and other.key != token.key:
                        form = "calendar" if kind in ("month", "weekday") else "number"
                        self._add(at, at + 1, other.text, form, (place, place))
        own = list(runs(token.upos == "PROPN" and kind_of(token) is None for token in self.words))
        others = list(runs(token.upos == "PROPN" and kind_of(token) is None for token in self.known.words))
        for first, end in own:
            for start, stop in others:
                span = Span(self.known.words[start].span.start, self.known.words[stop - 1].span.end)
                if stop - start <= LONGEST_RUN:
                    self._add(first, end, span.of(self.known.text), "name", (start, stop - 1))

    def _words(self) -> None:
        """Words of the same kind, from the evidence or much used in the context, for those that may be wrong."""
        for at, token in enumerate(self.words):
            if not token.content or kind_of(token) is not None or self.wrong[at] + self.absent[at] < SUSPECT:
                continue
            for place, other in enumerate(self.known.words):
                if other.content and other.xpos == token.xpos and other.key != token.key:
                    self._add(at, at + 1, other.text, "word", (place, place))
            for other_text in self.known.salient.get(token.xpos, ())[:SALIENT]:
                if stem(fold(other_text)) != token.key:
                    self._add(at, at + 1, other_text, "salient")

    def _negations(self) -> None:
        low, words = self.lowered, self.words
        for at, word in enumerate(low):
            if word in ("not", "n't", "n’t") and at and low[at - 1] in HELPERS:
                verb = at + 1
                while verb < len(words) and words[verb].upos == "ADV":
                    verb += 1
                if verb < len(words) and words[verb].upos in ("VERB", "AUX"):
                    adverbs = "".join(f"{words[place].text} " for place in range(at + 1, verb))
                    form = inflected(low[verb], HELPERS[low[at - 1]], self.known)
                    self._add(at - 1, verb + 1, adverbs + form, "negation")
            elif word == "longer" and at and low[at - 1] == "no":
                self._add(at - 1, at + 1, "", "negation")
            elif word in NEGATIVE and at:
                if low[at - 1] == "but":
                    self._add(at - 1, at + 1, "and", "negation")
                elif low[at - 1] in ("ca", "wo"):
                    self._add(at - 1, at + 1, {"ca": "can", "wo": "will"}[low[at - 1]], "negation")
                else:
                    self._add(at, at + 1, "", "negation")
            elif word in FAILING and at + 2 < len(words) and low[at + 1] == "to":
                self._add(at, at + 3, inflected(low[at + 2], FAILING[word], self.known), "negation")

    def _deletions(self) -> None:
        spans = {
            self._with_comma(*token.reach)
            for token in self.words
            if token.relation in LOOSE and token.reach[1] - token.reach[0] < LONGEST_DELETION
        }
        spans |= {(first, end) for least in RUNS for first, end in runs(self.wrong > least)}
        borders = [at for at, token in enumerate(self.words) if token.text in (",", ";")]
        last = len(self.words) - (1 if self.words and self.words[-1].mark else 0)
        for start, end in pairwise([*borders, last]):
            spans.add((start, end))
        for at, word in enumerate(self.lowered):
            if word in JOINING and at > 1:
                end = next((border for border in [*borders, last] if border > at), last)
                spans.add((at - (self.words[at - 1].text == ","), end))
        for first, end in spans:
            if 0 < end - first <= LONGEST_DELETION and (
                self.wrong[first:end].max() > SUSPECT or self.absent[first:end].any()
            ):
                self._add(first, end, "", "deletion")

    def _with_comma(self, first: int, last: int) -> tuple[int, int]:
        while last > first and self.words[last].mark:
            last -= 1
        return (first - (first > 0 and self.words[first - 1].text == ","), last + 1)

    # ---- what is known of a candidate ----

    def _features(self, item: Candidate, alike: float) -> NDArray[np.float64]:
        first, end, words, low = item.first, item.end, self.words, self.lowered
        wrong, tags = self.wrong[first:end], self.tags[first:end]
        others = np.delete(self.wrong, slice(first, end))
        new = [word.lower() for word in re.findall(r"[$£€]?\w+(?:[.,’'\-]\w+)*|[^\w\s]", item.new)]
        old = low[first:end]
        old_content = [token for token in words[first:end] if token.content]
        new_content = [word for word in new if fold(word) not in STOP_WORDS and word[:1].isalnum()]
        left = low[first - 1] if first else ""
        right = low[end] if end < len(low) else ""
        following = self.known.following
        known_share = [stem(fold(word)) not in self.known.stems for word in new_content]
        source = self.known.words[item.place[0]] if item.place is not None else None
        pointer = self._pointers.get((first, end))
        around = beside(words, first)[0], beside(words, end - 1)[1]
        there: tuple[str | None, str | None] = (None, None)
        if item.place is not None:
            there = beside(self.known.words, item.place[0])[0], beside(self.known.words, item.place[1])[1]
        safe = 1.0 - tags[:, RIGHT] + 1e-6
        values = {
            item.kind: 1.0,
            "err_mean": wrong.mean(),
            "err_max": wrong.max(),
            "err_min": wrong.min(),
            "rest": others.max() if len(others) else 0.0,
            "rest_sum": min(4.0, float(others.sum())),
            "replaced": tags[:, REPLACED].mean(),
            "added": tags[:, ADDED].mean(),
            "opposite": tags[:, OPPOSITE].mean(),
            "fits_replaced": (tags[:, REPLACED] / safe).mean() if new and item.kind != "negation" else 0.0,
            "fits_added": (tags[:, ADDED] / safe).mean() if not new or item.kind == "negation" else 0.0,
            "pointer_p": self._log_p(first, end, item.place),
            "pointed": float(pointer is not None and item.place is not None),
            "null": max(FARTHEST_P, pointer.absent) if pointer is not None else FARTHEST_P / 2,
            "old_absent": _share(self.absent[at] for at in range(first, end) if words[at].content),
            "old_any": float(bool(old_content)),
            "new_absent": _share(map(float, known_share)),
            "new_any": float(bool(new_content)),
            "old_stated": float(self.known.states([fold(word) for word in old if word[:1].isalnum()])),
            "new_stated": float(bool(new) and self.known.states([fold(word) for word in new if word[:1].isalnum()])),
            "left": min(3, following[left, new[0] if new else right]) - min(3, following[left, old[0]]),
            "right": min(3, following[new[-1] if new else left, right]) - min(3, following[old[-1], right]),
            "old_length": float(end - first),
            "new_length": float(len(new)),
            "change": float(abs(len(new) - (end - first))),
            "repeated": float(len({*new_content} & {*low[max(0, first - 4) : first], *low[end : end + 4]})),
            "overlap": len({*new} & {*old}) / max(1, len(old)),
            "proper": float(all(token.upos == "PROPN" for token in words[first:end])),
            "capital": float(item.new[:1].isupper() == words[first].text[:1].isupper()) if new and first else 1.0,
            "same_tag": float(source is not None and source.xpos == words[first].xpos),
            "same_relation": float(source is not None and source.relation == words[first].relation),
            "same_head": float(
                source is not None and self.known.words[source.head].key == words[words[first].head].key
            ),
            "rank": float((self.wrong > wrong.max()).sum()) / 4,
            "first": float(first == 0),
            "same_before": float(around[0] is not None and around[0] == there[0]),
            "same_after": float(around[1] is not None and around[1] == there[1]),
            "alike": alike if new else 0.0,
            "used_new": math.log1p(max((self.known.used.get(fold(word), 0) for word in new_content), default=0)),
            "used_old": math.log1p(max((self.known.used.get(fold(t.text), 0) for t in old_content), default=0)),
        }
        return np.array([float(values.get(name, 0.0)) for name in FEATURES])


def relate(found: Sequence[Candidate]) -> None:
    """Adds to each candidate's features how it stands among those of its sentence, in the order of RELATIVE."""
    if not found:
        return
    table = np.array([item.features for item in found])
    p, wrong, most, rest = (table[:, FEATURES.index(name)] for name in ("pointer_p", "err_mean", "err_max", "rest_sum"))
    spans: dict[tuple[int, int], float] = {}
    for item, own in zip(found, p, strict=True):
        spans[item.first, item.end] = max(spans.get((item.first, item.end), -np.inf), float(own))
    for place, item in enumerate(found):
        taken = wrong[place] * (item.end - item.first)
        more = [
            p[place] - p.max(),
            p[place] - spans[item.first, item.end],
            wrong[place] - wrong.max(),
            float((p > p[place]).sum()) / 5,
            most[place] * math.exp(p[place] / 2),
            rest[place] - taken,
            taken,
        ]
        item.features = np.concatenate([item.features, more])


def says_the_same(old: str, new: str) -> bool:
    """Whether only the spelling would change, or a name lose its end: six and 6, COVID-19 and COVID."""
    before, after = fold(old), fold(new)
    if before == after or (after and before.startswith(f"{after}-")):
        return True
    figures = [number.value for number in numbers(old)]
    return len(figures) == 1 and figures == [number.value for number in numbers(new)] and _bare(old) and _bare(new)


def _bare(text: str) -> bool:
    """One word: a number and nothing beside it."""
    return " " not in text.strip()


def _share(values: Any) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def runs(marks: Any) -> Iterator[tuple[int, int]]:
    """(first, end) of neighbouring true marks."""
    start = None
    place = -1
    for place, mark in enumerate(marks):
        if mark and start is None:
            start = place
        elif not mark and start is not None:
            yield start, place
            start = None
    if start is not None:
        yield start, place + 1


def beside(words: Sequence[Token], at: int) -> tuple[str | None, str | None]:
    """The nearest content words before and after."""
    before = next((words[place].key for place in range(at - 1, -1, -1) if words[place].content), None)
    after = next((words[place].key for place in range(at + 1, len(words)) if words[place].content), None)
    return before, after


def kind_of(token: Token) -> str | None:
    """What a word can be exchanged for whatever stands around it."""
    word = token.text.lower()
    if word in MONTHS and token.upos in ("PROPN", "NOUN"):
        return "month"
    if word in WEEKDAYS:
        return "weekday"
    if token.upos != "NUM" and not word[:1].isdigit():
        return None
    return "year" if re.fullmatch(r"1[5-9]\d\d|20\d\d", word) else "number"


IRREGULAR = dict(
    pair.split(":")
    for pair in """go:went make:made take:took have:had get:got give:gave find:found leave:left meet:met say:said
    tell:told think:thought buy:bought sell:sold see:saw come:came know:knew win:won lose:lost begin:began hold:held
    keep:kept send:sent do:did pay:paid bring:brought feel:felt become:became write:wrote speak:spoke lead:led
    stand:stood understand:understood mean:meant build:built spend:spent grow:grew fall:fell rise:rose run:ran
    set:set put:put cut:cut let:let hit:hit show:showed draw:drew drive:drove eat:ate fight:fought teach:taught
    catch:caught sing:sang sit:sat sleep:slept swear:swore throw:threw wear:wore""".split()
)


def inflected(verb: str, form: str, known: Known) -> str:
    """The infinitive as "s" or "ed" form; "" leaves it. A past tense that the context writes comes first."""
    if form == "s":
        if verb in ("have", "be"):
            return {"have": "has", "be": "is"}[verb]
        if verb.endswith("y") and verb[-2:-1] not in "aeiou":
            return verb[:-1] + "ies"
        return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
    if form == "ed":
        if verb in IRREGULAR:
            return IRREGULAR[verb]
        if verb.endswith("y") and verb[-2:-1] not in "aeiou":
            return verb[:-1] + "ied"
        doubled = verb + verb[-1:] + "ed"
        return doubled if known.states([doubled]) else verb + ("d" if verb.endswith("e") else "ed")
    return verb
