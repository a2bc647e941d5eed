"""Candidate edits of a sentence: words of its context replace words that may be wrong.

A candidate changes one run of words. Its new words come from the context: the words that the pointer names, numbers,
names and months of the same kind, words of the evidence with the same tag, and words with the same tag that the context
uses most. Other candidates delete what a sentence can do without: phrases, clauses, conjuncts, some of the words before
a noun, a first name. Others take out a negation. Of a candidate whose new words the sentence has already,
`exchange` makes one that lets both phrases change places. Each candidate is described by `FEATURES`, and by how it
compares with the others of its sentence (`RELATIVE`).

What people change was counted on the train splits of DeFacto and BUMP: weights/corrector/README.md.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.correctors.reader import ADDED, OPPOSITE, REPLACED, RIGHT, Array, Reading
from graph_eval.text.normalise import STOP_WORDS, fold, stem
from graph_eval.text.quantities import MONTH_NAMES, numbers
from graph_eval.types import Edit, Span

Vectors = Callable[[Sequence[str]], Array]
NEW_WORD = re.compile(r"[$£€]?\w+(?:[.,’'\-]\w+)*|[^\w\s]")
OPEN = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
NOMINAL = frozenset({"NOUN", "PROPN", "ADJ", "NUM"})
MONTHS = frozenset(MONTH_NAMES)
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
NEGATIVE = frozenset({"not", "n't", "n’t", "never", "hardly", "rarely", "only"})
# Verbs that negate another one, and auxiliaries of a negation, with the form of the verb that remains without them.
FAILING = {"fail": "", "fails": "s", "failed": "ed", "refuse": "", "refuses": "s", "refused": "ed"}
DO_FORMS = {"do": "", "does": "s", "did": "ed"}
OPTIONAL = frozenset(  # relations of words that a sentence can do without
    "amod advmod nmod nmod:poss nmod:unmarked obl obl:unmarked acl acl:relcl advcl advcl:relcl conj appos compound"
    " nummod parataxis flat".split()
)
QUANTIFIERS = frozenset("several many some few dozens hundreds thousands millions both numerous various".split())
JOINING = frozenset({"but", "and", "or", "except", "excluding", "without", "however", "although"})
MAX_SPANS = 24  # of a sentence, for which the pointer is computed
MAX_PLACES = 4  # that the pointer names for each span
MAX_NOMINAL_WORDS = 5  # of a nominal span that is replaced
MAX_DELETED_WORDS = 18
MAX_MODIFIERS = 6  # words before a noun of which some are deleted
MIN_P_WRONG = 0.15  # probability of being wrong from which a word may be deleted
MIN_LOG_P = -12.0  # smaller log probabilities are clipped
RUN_THRESHOLDS = (0.25, 0.5, 0.75)  # probabilities from which neighbouring wrong words are one span
MAX_OBJECT_WORDS = 4  # behind a preposition
MAX_FREQUENT_WORDS = 12  # of one tag

# The ranker's weights are bound to these names and their order.
KINDS = tuple("pointer number calendar name word salient negation deletion modifier conjunct quantity".split())
DELETING = frozenset({"deletion", "modifier", "conjunct"})
RELATIONS = {  # of the deleted words, in groups
    "of_noun": frozenset("nmod nmod:poss nmod:unmarked appos".split()),
    "of_verb": frozenset("obl obl:unmarked advmod".split()),
    "of_name": frozenset("compound flat".split()),
    "quality": frozenset("amod nummod".split()),
    "clause": frozenset("acl acl:relcl advcl advcl:relcl parataxis".split()),
    "joined": frozenset({"conj"}),
}
FEATURES = (
    *KINDS,
    *"err_mean err_max err_min rest rest_sum replaced added opposite fits_replaced fits_added".split(),
    *"pointer_p pointed null old_absent old_any new_absent new_any old_stated new_stated left right".split(),
    *"old_length new_length change repeated overlap proper capital same_tag same_relation same_head rank first".split(),
    *"same_before same_after alike used_new used_old".split(),
    *"doubt_mean doubt_max doubt_rest doubt_sum entailed contradicted absent_rest covered names numbers words".split(),
    *RELATIONS,
)
RELATIVE = tuple("p_to_best p_to_span err_to_worst p_rank both left_over taken".split())  # to the other candidates


@dataclass(frozen=True, slots=True)
class Token:
    """A word with its part of speech, its relation, and the words (first, last) of its subtree."""

    text: str
    key: str  # folded stem
    upos: str
    xpos: str
    span: Span
    relation: str
    head: int
    subtree: tuple[int, int]

    @property
    def is_content(self) -> bool:
        return self.upos in OPEN and fold(self.text) not in STOP_WORDS

    @property
    def is_mark(self) -> bool:
        return not any(map(str.isalnum, self.text))


def tokens(doc: Any) -> list[Token]:
    """The words of a parsed sentence."""
    words = []
    for token in doc:
        upos, _, xpos = token.tag_.partition("|")
        span = Span(token.idx, token.idx + len(token.text))
        subtree = (token.left_edge.i, token.right_edge.i)
        words.append(Token(token.text, stem(fold(token.text)), upos, xpos, span, token.dep_, token.head.i, subtree))
    return words


@dataclass(slots=True)
class Candidate:
    """Replaces the words of a sentence from `first` to before `end` by `new`. `second`: an edit that belongs to it."""

    first: int
    end: int
    new: str
    kind: str
    place: tuple[int, int] | None = None  # of the new words in the evidence: first, last
    features: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    second: Candidate | None = None

    @property
    def new_words(self) -> list[str]:
        """The new words and marks, in lower case."""
        return [word.lower() for word in NEW_WORD.findall(self.new)]

    def edits(self, sentence: str, words: Sequence[Token]) -> tuple[Edit, ...]:
        """The edits of the sentence's text, in its order."""
        own = (self, self.second) if self.second else (self,)
        return tuple(sorted((part.edit(sentence, words) for part in own), key=lambda edit: edit.span))

    def edit(self, sentence: str, words: Sequence[Token]) -> Edit:
        """The edit of its own words, without `second`."""
        span = Span(words[self.first].span.start, words[self.end - 1].span.end)
        # A mark that is replaced by a word leaves its neighbours without a blank.
        left = words[self.first].is_mark and sentence[: span.start][-1:].isalnum() and self.new[:1].isalnum()
        right = words[self.end - 1].is_mark and sentence[span.end :][:1].isalnum() and self.new[-1:].isalnum()
        return Edit(span, span.of(sentence), " " * left + self.new + " " * right)


@dataclass(slots=True)
class SentenceContext:
    """The evidence of a sentence, and statistics of its whole context.

    `text`, `words`: of the evidence. `stems`: of all words of the context. `folded_text`: the folded words of the
    context, a blank before and behind each. `counts`: how often the context has a word. `frequent_words`: words of the
    context by tag, the most frequent first. `bigrams`: pairs of neighbouring words of the evidence, in lower case.
    """

    text: str
    words: list[Token]
    stems: frozenset[str]
    folded_text: str
    counts: Mapping[str, int] = field(default_factory=dict)
    frequent_words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    bigrams: Counter[tuple[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        lowered = ["", *(token.text.lower() for token in self.words), ""]
        self.bigrams = Counter(pairwise(lowered))

    def contains(self, words: Sequence[str]) -> bool:
        """Whether the context has the folded words in this order, side by side."""
        return f" {' '.join(words)} " in self.folded_text


@dataclass(frozen=True, slots=True)
class Doubt:
    """What the NLI model says of a sentence, given its evidence.

    `words` (words of the sentence): probabilities that the evidence does not support each. `entailment`,
    `contradiction`: of the sentence.
    """

    words: NDArray[np.float64]
    entailment: float
    contradiction: float


class Candidates:
    """All candidates of one sentence, with their features."""

    def __init__(
        self,
        sentence: str,
        words: list[Token],
        context: SentenceContext,
        reading: Reading,
        doubt: Doubt,
        vectors: Vectors,
    ) -> None:
        self.sentence, self.words, self.context, self.doubt = sentence, words, context, doubt
        self.lowered = [token.text.lower() for token in words]
        self.vectors = vectors
        self.tags = reading.word_tags([token.span for token in words])
        self.wrong = 1.0 - self.tags[:, RIGHT]
        self.absent = np.array([float(token.is_content and token.key not in context.stems) for token in words])
        self._by_change: dict[tuple[int, int, str], Candidate] = {}
        spans = self._spans()[:MAX_SPANS]
        sentence_spans, evidence_spans = ([token.span for token in part] for part in (words, context.words))
        pointers = reading.pointers(sentence_spans, evidence_spans, [(first, end - 1) for first, end in spans])
        self._pointers = dict(zip(spans, pointers, strict=True))

    def all(self) -> list[Candidate]:
        self._add_pointed()
        self._add_same_kind()
        self._add_same_tag()
        self._add_without_negation()
        self._add_deletions()
        self._add_without_modifiers()
        self._add_without_conjuncts()
        candidates = [candidate for candidate in self._by_change.values() if self._is_change(candidate)]
        texts = [self._old(candidate) for candidate in candidates] + [candidate.new for candidate in candidates]
        vectors = self.vectors(texts)
        count = len(candidates)
        similarities = (vectors[:count] * vectors[count:]).sum(-1) if candidates else ()
        for candidate, similarity in zip(candidates, similarities, strict=True):
            candidate.features = self._features(candidate, float(similarity))
        add_relative_features(candidates)
        return candidates

    def _old(self, candidate: Candidate) -> str:
        return candidate.edit(self.sentence, self.words).old

    def _add(self, first: int, end: int, new: str, kind: str, place: tuple[int, int] | None = None) -> None:
        candidate = self._by_change.setdefault((first, end, new.lower()), Candidate(first, end, new, kind, place))
        if place is not None and candidate.place != place:
            places = filter(None, (candidate.place, place))
            candidate.place = max(places, key=lambda other: self._log_p(first, end, other))

    def _log_p(self, first: int, end: int, place: tuple[int, int] | None) -> float:
        pointer = self._pointers.get((first, end))
        return MIN_LOG_P if pointer is None or place is None else max(MIN_LOG_P, pointer.log_p(*place))

    def _is_change(self, candidate: Candidate) -> bool:
        if is_respelling(self._old(candidate), candidate.new):
            return False
        if not candidate.new:
            return candidate.end - candidate.first < len(self.words)
        return not self._doubles(candidate) and not self._mixes_names(candidate)

    def _mixes_names(self, candidate: Candidate) -> bool:
        """Whether a part of a name would stand beside one of another: "Mo Farrant" with "Selina" of "Selina Croft"."""
        words, first, end = self.words, candidate.first, candidate.end
        if not all(word.upos == "PROPN" for word in words[first:end]):
            return False
        beside = []  # the new words with those beside them
        if end < len(words) and words[end].relation == "flat" and first <= words[end].head < end:
            beside.append(f"{candidate.new} {words[end].text}")
        if words[first].relation == "flat" and words[first].head < first:
            beside.append(f"{words[first - 1].text} {candidate.new}")
        return not all(name in self.context.text for name in beside)

    def _doubles(self, candidate: Candidate) -> bool:
        """Whether its first or last new word stands beside it already ("was was fastest")."""
        new = candidate.new_words
        beside = self.lowered[: candidate.first][-1:], self.lowered[candidate.end :][:1]
        return bool(new) and (new[:1] == beside[0] or new[-1:] == beside[1])

    # ---- spans ----

    def _spans(self) -> list[tuple[int, int]]:
        """Runs of words (first, end) that may be replaced, the most suspect first."""
        words, count = self.words, len(self.words)
        spans = {
            (at, at + 1)
            for at, token in enumerate(words)
            if not token.is_mark and (token.is_content or max(self.wrong[at], self.doubt.words[at]) > 2 * MIN_P_WRONG)
        }
        for first, end in runs(token.upos in NOMINAL for token in words):
            for start in range(first, end):
                for stop in range(start + 2, min(end, start + MAX_NOMINAL_WORDS) + 1):
                    spans.add((start, stop))
        for threshold in RUN_THRESHOLDS:
            for first, end in runs(self.wrong > threshold):
                if end - first <= MAX_DELETED_WORDS:
                    spans.add((first, end))
                    if end + 1 < count and self.wrong[end + 1] > threshold:
                        spans.add((first, end + 2))
        for at, token in enumerate(words):
            start = at
            while token.upos == "VERB" and start and (words[start - 1].upos == "AUX" or self._in_negation(start - 1)):
                start -= 1
            if start < at:
                spans.add((start, at + 1))

        def suspicion(span: tuple[int, int]) -> float:
            first, end = span
            return float(self.wrong[first:end].mean() + 0.35 * self.absent[first:end].mean() + 0.02 * (end - first))

        return sorted(spans, key=lambda span: (-suspicion(span), span))

    def _in_negation(self, at: int) -> bool:
        """Whether the word may belong to a negated verb."""
        return self.lowered[at] in NEGATIVE or self.lowered[at] == "to" or self.lowered[at] in FAILING

    # ---- candidates ----

    def _add_pointed(self) -> None:
        evidence = self.context.words
        for (first, end), pointer in self._pointers.items():
            for begin, last in pointer.best(MAX_PLACES) if pointer is not None else ():
                new = Span(evidence[begin].span.start, evidence[last].span.end).of(self.context.text)
                if any(map(str.isalnum, new)):
                    self._add(first, end, new, "pointer", (begin, last))

    def _add_same_kind(self) -> None:
        for at, token in enumerate(self.words):
            kind = kind_of(token)
            if kind is not None:
                for place, other in enumerate(self.context.words):
                    if kind_of(other) == kind and other.key != token.key:
                        feature = "calendar" if kind in ("month", "weekday") else "number"
                        self._add(at, at + 1, other.text, feature, (place, place))
                    elif kind == "number" and other.text.lower() in QUANTIFIERS:
                        self._add(at, at + 1, other.text.lower(), "quantity", (place, place))
        names = list(runs(token.upos == "PROPN" and kind_of(token) is None for token in self.words))
        evidence_names = list(runs(token.upos == "PROPN" and kind_of(token) is None for token in self.context.words))
        for first, end in names:
            for start, stop in evidence_names:
                span = Span(self.context.words[start].span.start, self.context.words[stop - 1].span.end)
                if stop - start <= MAX_NOMINAL_WORDS:
                    self._add(first, end, span.of(self.context.text), "name", (start, stop - 1))

    def _add_same_tag(self) -> None:
        """Replaces words that may be wrong by words with the same tag, of the evidence or frequent in the context."""
        for at, token in enumerate(self.words):
            suspicion = max(self.wrong[at], self.doubt.words[at]) + self.absent[at]
            if not token.is_content or kind_of(token) is not None or suspicion < MIN_P_WRONG:
                continue
            for place, other in enumerate(self.context.words):
                if other.is_content and other.xpos == token.xpos and other.key != token.key:
                    self._add(at, at + 1, other.text, "word", (place, place))
            for other_text in self.context.frequent_words.get(token.xpos, ())[:MAX_FREQUENT_WORDS]:
                if stem(fold(other_text)) != token.key:
                    self._add(at, at + 1, other_text, "salient")

    def _add_without_negation(self) -> None:
        lowered, words = self.lowered, self.words
        for at, word in enumerate(lowered):
            if word in ("not", "n't", "n’t") and at and lowered[at - 1] in DO_FORMS:
                verb = at + 1
                while verb < len(words) and words[verb].upos == "ADV":
                    verb += 1
                if verb < len(words) and words[verb].upos in ("VERB", "AUX"):
                    adverbs = "".join(f"{words[place].text} " for place in range(at + 1, verb))
                    form = inflected(lowered[verb], DO_FORMS[lowered[at - 1]], self.context)
                    self._add(at - 1, verb + 1, adverbs + form, "negation")
            elif word == "longer" and at and lowered[at - 1] == "no":
                self._add(at - 1, at + 1, "", "negation")
            elif word in NEGATIVE and at:
                if lowered[at - 1] == "but":
                    self._add(at - 1, at + 1, "and", "negation")
                elif lowered[at - 1] in ("ca", "wo"):
                    self._add(at - 1, at + 1, {"ca": "can", "wo": "will"}[lowered[at - 1]], "negation")
                else:
                    self._add(at, at + 1, "", "negation")
            elif word in FAILING and at + 2 < len(words) and lowered[at + 1] == "to":
                self._add(at, at + 3, inflected(lowered[at + 2], FAILING[word], self.context), "negation")

    def _add_deletions(self) -> None:
        spans = {
            self._with_comma(*token.subtree)
            for token in self.words
            if token.relation in OPTIONAL and token.subtree[1] - token.subtree[0] < MAX_DELETED_WORDS
        }
        spans |= {(first, end) for threshold in RUN_THRESHOLDS for first, end in runs(self.wrong > threshold)}
        borders = [at for at, token in enumerate(self.words) if token.text in (",", ";")]
        last = len(self.words) - (1 if self.words and self.words[-1].is_mark else 0)
        for start, end in pairwise([*borders, last]):
            spans.add((start, end))
        for at, word in enumerate(self.lowered):
            if word in JOINING and at > 1:
                end = next((border for border in [*borders, last] if border > at), last)
                spans.add((at - (self.words[at - 1].text == ","), end))
        for first, end in spans:
            self._add_deletion(first, end, "deletion")

    def _add_without_modifiers(self) -> None:
        """Deletes some of the neighbouring words before a noun, or of the words of a name."""
        for at, token in enumerate(self.words):
            if token.upos not in ("NOUN", "PROPN"):
                continue
            start = at
            while start and self._is_modifier(start - 1, at):
                start -= 1
            start = max(start, at - MAX_MODIFIERS)
            for first in range(start, at):
                for end in range(first + 1, at + 1):
                    self._add_deletion(first, end, "modifier")
            # "Tom Smith" without "Tom": the first word of a name is its head.
            end = at + 1
            while end < len(self.words) and self.words[end].relation == "flat" and self.words[end].head == at:
                end += 1
            for stop in range(at + 1, end):
                self._add_deletion(at, stop, "modifier")
                self._add_deletion(start, stop, "modifier")

    def _is_modifier(self, at: int, noun: int) -> bool:
        """Whether the word stands before the noun and hangs on it, or on a word between them."""
        word = self.words[at]
        return at < word.head <= noun and word.upos not in ("DET", "ADP", "AUX", "PRON", "CCONJ", "SCONJ")

    def _add_without_conjuncts(self) -> None:
        """Deletes the first of two conjuncts with the conjunction: "Ann and Bob" without "Ann and"."""
        for at, token in enumerate(self.words):
            if token.relation == "conj" and token.head < at:
                first = self.words[token.head].subtree[0]
                head = token.head
                while first < head and self.words[first].upos in ("DET", "ADP"):
                    first += 1
                end = next((place + 1 for place in range(head + 1, at) if self.lowered[place] in JOINING), None)
                if end is not None:
                    self._add_deletion(first, end, "conjunct")

    def _add_deletion(self, first: int, end: int, kind: str) -> None:
        """Deletes words if one of them may be wrong, or is not in the context."""
        if 0 < end - first <= MAX_DELETED_WORDS and (
            self.wrong[first:end].max() > MIN_P_WRONG
            or self.doubt.words[first:end].max() > MIN_P_WRONG
            or self.absent[first:end].any()
        ):
            self._add(first, end, "", kind)

    def _with_comma(self, first: int, last: int) -> tuple[int, int]:
        while last > first and self.words[last].is_mark:
            last -= 1
        return (first - (first > 0 and self.words[first - 1].text == ","), last + 1)

    # ---- features ----

    def _features(self, candidate: Candidate, similarity: float) -> NDArray[np.float64]:
        new = candidate.new_words
        values = {
            candidate.kind: 1.0,
            **self._tag_features(candidate, bool(new)),
            **self._pointer_features(candidate),
            **self._word_features(candidate, new),
            **self._context_features(candidate, new),
            **self._doubt_features(candidate),
            "alike": similarity if new else 0.0,
        }
        return np.array([float(values.get(name, 0.0)) for name in FEATURES])

    def _tag_features(self, candidate: Candidate, replaces: bool) -> dict[str, float]:
        """The tagger's probabilities for the old words and for the rest of the sentence."""
        first, end = candidate.first, candidate.end
        wrong, tags = self.wrong[first:end], self.tags[first:end]
        rest = np.delete(self.wrong, slice(first, end))
        safe = 1.0 - tags[:, RIGHT] + 1e-6
        negation = candidate.kind == "negation"
        return {
            "err_mean": wrong.mean(),
            "err_max": wrong.max(),
            "err_min": wrong.min(),
            "rest": rest.max() if len(rest) else 0.0,
            "rest_sum": min(4.0, float(rest.sum())),
            "replaced": tags[:, REPLACED].mean(),
            "added": tags[:, ADDED].mean(),
            "opposite": tags[:, OPPOSITE].mean(),
            "fits_replaced": (tags[:, REPLACED] / safe).mean() if replaces and not negation else 0.0,
            "fits_added": (tags[:, ADDED] / safe).mean() if not replaces or negation else 0.0,
            "rank": float((self.wrong > wrong.max()).sum()) / 4,
        }

    def _doubt_features(self, candidate: Candidate) -> dict[str, float]:
        """The NLI model's doubts about the old words and about the rest, and what kind of words they are."""
        first, end, words = candidate.first, candidate.end, self.words
        doubts = self.doubt.words
        rest = np.delete(doubts, slice(first, end))
        old = range(first, end)
        content = [at for at, token in enumerate(words) if token.is_content]
        relations = {words[at].relation for at in old if not first <= words[at].head < end or words[at].head == at}
        return {
            "doubt_mean": doubts[first:end].mean(),
            "doubt_max": doubts[first:end].max(),
            "doubt_rest": rest.max() if len(rest) else 0.0,
            "doubt_sum": min(4.0, float(rest.sum())),
            "entailed": self.doubt.entailment,
            "contradicted": self.doubt.contradiction,
            "absent_rest": min(4.0, sum(self.absent[at] for at in content if at not in old)),
            "covered": 1.0 - _mean(self.absent[at] for at in content),
            "names": _mean(float(words[at].upos == "PROPN") for at in old),
            "numbers": float(any(kind_of(words[at]) is not None for at in old)),
            "words": math.log1p(len(words)),
            **{name: float(bool(relations & group)) for name, group in RELATIONS.items()},
        }

    def _pointer_features(self, candidate: Candidate) -> dict[str, float]:
        """The pointer's scores for the position of the new words in the evidence."""
        first, end, place = candidate.first, candidate.end, candidate.place
        pointer = self._pointers.get((first, end))
        return {
            "pointer_p": self._log_p(first, end, place),
            "pointed": float(pointer is not None and place is not None),
            "null": max(MIN_LOG_P, pointer.absent) if pointer is not None else MIN_LOG_P / 2,
        }

    def _word_features(self, candidate: Candidate, new: Sequence[str]) -> dict[str, float]:
        """Comparisons of the old words with the new ones."""
        first, end, words, lowered = candidate.first, candidate.end, self.words, self.lowered
        old = lowered[first:end]
        nearby = {*lowered[max(0, first - 4) : first], *lowered[end : end + 4]}
        same_case = candidate.new[:1].isupper() == words[first].text[:1].isupper()
        return {
            "old_any": float(any(token.is_content for token in words[first:end])),
            "new_any": float(bool(_content_words(new))),
            "old_length": float(end - first),
            "new_length": float(len(new)),
            "change": float(abs(len(new) - (end - first))),
            "repeated": float(len({*_content_words(new)} & nearby)),
            "overlap": len({*new} & {*old}) / max(1, len(old)),
            "proper": float(all(token.upos == "PROPN" for token in words[first:end])),
            "capital": float(same_case) if new and first else 1.0,
            "first": float(first == 0),
        }

    def _context_features(self, candidate: Candidate, new: Sequence[str]) -> dict[str, float]:
        """Whether the context has the old words and the new ones, how often, and between which neighbours."""
        first, end, words, context = candidate.first, candidate.end, self.words, self.context
        old, old_content = self.lowered[first:end], [token for token in words[first:end] if token.is_content]
        new_content = _content_words(new)
        left = self.lowered[first - 1] if first else ""
        right = self.lowered[end] if end < len(words) else ""
        new_start, new_end = (new[0], new[-1]) if new else (right, left)
        bigrams, counts = context.bigrams, context.counts
        source = context.words[candidate.place[0]] if candidate.place is not None else None
        around = neighbours(words, first)[0], neighbours(words, end - 1)[1]
        around_source: tuple[str | None, str | None] = (None, None)
        if candidate.place is not None:
            start, last = candidate.place
            around_source = neighbours(context.words, start)[0], neighbours(context.words, last)[1]
        return {
            "old_absent": _mean(self.absent[at] for at in range(first, end) if words[at].is_content),
            "new_absent": _mean(float(stem(fold(word)) not in context.stems) for word in new_content),
            "old_stated": float(context.contains([fold(word) for word in old if word[:1].isalnum()])),
            "new_stated": float(bool(new) and context.contains([fold(word) for word in new if word[:1].isalnum()])),
            "left": min(3, bigrams[left, new_start]) - min(3, bigrams[left, old[0]]),
            "right": min(3, bigrams[new_end, right]) - min(3, bigrams[old[-1], right]),
            "same_tag": float(source is not None and source.xpos == words[first].xpos),
            "same_relation": float(source is not None and source.relation == words[first].relation),
            "same_head": float(source is not None and context.words[source.head].key == words[words[first].head].key),
            "same_before": float(around[0] is not None and around[0] == around_source[0]),
            "same_after": float(around[1] is not None and around[1] == around_source[1]),
            "used_new": math.log1p(max((counts.get(fold(word), 0) for word in new_content), default=0)),
            "used_old": math.log1p(max((counts.get(fold(token.text), 0) for token in old_content), default=0)),
        }


def _content_words(words: Sequence[str]) -> list[str]:
    return [word for word in words if fold(word) not in STOP_WORDS and word[:1].isalnum()]


def with_preposition(candidate: Candidate, words: Sequence[Token], evidence: Sequence[Token]) -> Candidate | None:
    """With the preposition that the evidence has behind the new words, where it speaks of the same thing.

    "cleared of theft" is "charged with theft", not "charged of theft". None where nothing has to change.
    """
    new, at = candidate.new_words, candidate.end
    if not new or at >= len(words) or words[at].upos != "ADP":
        return None
    wanted = _object(words[at + 1 :])
    followed = (place + len(new) for place in occurrences(new, evidence[:-1]))
    found = [
        evidence[behind].text.lower()
        for behind in followed
        if evidence[behind].upos == "ADP" and wanted & _object(evidence[behind + 1 :])
    ]
    if not found or words[at].text.lower() in found:
        return None
    return replace(candidate, end=at + 1, new=f"{candidate.new} {found[0]}")


def occurrences(wanted: list[str], words: Sequence[Token]) -> list[int]:
    """The places where the words, which are in lower case, stand side by side."""
    lowered = [word.text.lower() for word in words]
    return [at for at in range(len(words) - len(wanted) + 1) if lowered[at : at + len(wanted)] == wanted]


def _object(words: Sequence[Token]) -> set[str]:
    """The stems of the content words that directly follow a preposition."""
    own = takewhile(lambda word: word.upos in (*NOMINAL, "DET", "PRON", "VERB"), words[:MAX_OBJECT_WORDS])
    return {word.key for word in own if word.is_content}


def add_relative_features(candidates: Sequence[Candidate]) -> None:
    """Adds to each candidate's features its comparison with the others of its sentence, in the order of RELATIVE."""
    if not candidates:
        return
    table = np.array([candidate.features for candidate in candidates])
    columns = (table[:, FEATURES.index(name)] for name in ("pointer_p", "err_mean", "err_max", "rest_sum"))
    p, wrong, max_wrong, rest = columns
    best: dict[tuple[int, int], float] = {}  # of each span
    for candidate, own_p in zip(candidates, p, strict=True):
        span = candidate.first, candidate.end
        best[span] = max(best.get(span, -np.inf), float(own_p))
    for place, candidate in enumerate(candidates):
        taken = wrong[place] * (candidate.end - candidate.first)
        relative = [
            p[place] - p.max(),
            p[place] - best[candidate.first, candidate.end],
            wrong[place] - wrong.max(),
            float((p > p[place]).sum()) / 5,
            max_wrong[place] * math.exp(p[place] / 2),
            rest[place] - taken,
            taken,
        ]
        candidate.features = np.concatenate([candidate.features, relative])


def is_respelling(old: str, new: str) -> bool:
    """Whether only the spelling would change or a name would lose its end: six and 6, COVID-19 and COVID."""
    before, after = fold(old), fold(new)
    if before == after or (after and before.startswith(f"{after}-")):
        return True
    values = [number.value for number in numbers(old)]
    return len(values) == 1 and values == [number.value for number in numbers(new)] and _bare(old) and _bare(new)


def _bare(text: str) -> bool:
    """Whether the text is one word."""
    return " " not in text.strip()


def _mean(values: Iterable[float]) -> float:
    """0 for no values."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def runs(marks: Iterable[Any]) -> Iterator[tuple[int, int]]:
    """(first, end) of every run of true marks."""
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


def neighbours(words: Sequence[Token], at: int) -> tuple[str | None, str | None]:
    """The keys of the nearest content words before and after."""
    before = next((words[place].key for place in range(at - 1, -1, -1) if words[place].is_content), None)
    after = next((words[place].key for place in range(at + 1, len(words)) if words[place].is_content), None)
    return before, after


def kind_of(token: Token) -> str | None:
    """The kind of a number or date word, which may be replaced by any word of its kind. None for other words."""
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


def inflected(verb: str, form: str, context: SentenceContext) -> str:
    """The infinitive in its "s" or "ed" form, or unchanged for "". Its last letter is doubled as in the context."""
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
        return doubled if context.contains([doubled]) else verb + ("d" if verb.endswith("e") else "ed")
    return verb
