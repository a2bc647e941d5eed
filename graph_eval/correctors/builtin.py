"""The offline corrector: words of the context replace words that it does not support, or such words are deleted.

A tagger and pointer reads each sentence with a flagged claim beside its evidence. Candidates change one run of its
words. A first ranker rates them. The best of them are read again in their place by the NLI model: as they are, and,
where the sentence has the new words already, with both phrases exchanged. A second ranker gives each that stays
grammatical the probability that it is the edit which a person would make. A claim gets the candidates that change only
its own words, the most likely first. `min_probability` says which of them may be applied.

The NLI model alone is no judge of edits, because it prefers those that say less.

Of a claim that the context does not mention, the corrector also says which phrases carry it: `--on-unsupported drop`
leaves the smallest of them out that has most of the claim's unsupported words.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.gather import gather
from graph_eval.checkers.windows import index
from graph_eval.correctors.candidates import (
    DELETING,
    Candidate,
    Candidates,
    Doubt,
    SentenceContext,
    Token,
    tokens,
    with_preposition,
)
from graph_eval.correctors.corrector import Corrector
from graph_eval.correctors.exchange import exchanged
from graph_eval.correctors.fluency import Fluency
from graph_eval.correctors.grammar import fault, is_other_number
from graph_eval.correctors.ranker import Rankers
from graph_eval.correctors.reader import EditReader
from graph_eval.correctors.second_reading import REREAD, Verdict, second_features
from graph_eval.correctors.splice import SpliceError, applied, claim_spans, edits_of
from graph_eval.nli.scorer import OnnxScorer
from graph_eval.parsing.parser import Parser
from graph_eval.registry import corrector
from graph_eval.resources import folder
from graph_eval.settings import Settings
from graph_eval.text.normalise import readable, stem, words
from graph_eval.types import Claim, CorrectTask, Edit, EditProposal, Label, Passage, Proposal, Span, Unsupported

RULES = "builtin-10"
MAX_PROPOSALS = 3  # for one claim
LEAST_PROBABILITY = 0.25  # from which a candidate is at least a suggestion: one in four of them is right
MAX_DELETIONS = 3  # for one claim
TRIED_DELETIONS = 8  # of a claim, whose grammar is looked at
LEAST_CARRIED = 0.5  # share of the claim's unsupported words that a deletion takes away
SURE_DOUBT = 0.5  # of the NLI model, from which a word is unsupported
FLUENCY_FLOOR = (-2.5, -5.0)  # changes of the mean and of the lowest log probability of a word; 98% of human edits pass
MAX_CACHED_PASSAGES = 500


@dataclass(frozen=True, slots=True)
class PassageWords:
    """Statistics of a passage.

    `stems`: of its words. `folded_text`: its folded words, a blank before and behind each. `counts`: how often it has
    each word. `tag_counts`: how often it has each (tag, content word).
    """

    stems: frozenset[str]
    folded_text: str
    counts: Counter[str]
    tag_counts: Counter[tuple[str, str]]


@dataclass(slots=True)
class Sentence:
    """A sentence of a response with its evidence and its candidates. `probabilities`: of each candidate."""

    text: str
    passages: tuple[Passage, ...]
    evidence: list[str]
    words: list[Token] = field(default_factory=list)
    context: SentenceContext = field(default_factory=lambda: SentenceContext("", [], frozenset(), ""))
    candidates: list[Candidate] = field(default_factory=list)
    probabilities: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    deletions: list[Candidate] = field(default_factory=list)  # those that delete words, the shortest first
    verdict: Verdict = field(default_factory=Verdict)  # of the NLI model on the sentence, given its evidence

    def edits(self, candidate: Candidate) -> tuple[Edit, ...]:
        """The edits of the sentence's text that a candidate makes, with fitting articles. () if it makes none."""
        claim = Claim.whole("", self.text, Span(0, len(self.text)))
        try:
            return edits_of(self.text, claim, EditProposal(candidate.edits(self.text, self.words)))
        except SpliceError:
            return ()

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        return self.text, tuple(passage.id for passage in self.passages)

    @property
    def evidence_text(self) -> str:
        return " ".join(self.evidence)


@dataclass(frozen=True, slots=True)
class Variant:
    """A candidate with its edits, and the sentence after them."""

    candidate: Candidate
    edits: tuple[Edit, ...]
    text: str


@corrector("builtin", reads=("threads",))
class BuiltinCorrector(Corrector):
    """The corrector whose weights ship in the package.

    `threads`: how many threads the model uses, 0 for one a core. `drops`: whether it also says which phrases can be
    left out. It may be used from several threads, and be pickled: a copy loads its weights again.
    """

    def __init__(self, threads: int = 0, weights: Path | None = None, drops: bool = False) -> None:
        weights = weights or folder("weights/corrector")
        self._threads, self._drops = threads, drops
        self._path = weights / "ranker.json"
        self._parser = Parser.builtin(threads)
        self._reader = EditReader(weights, folder("weights/nli") / "tokenizer.json", threads)
        self._scorer = OnnxScorer(folder("weights/nli"), threads)
        self._fluency = Fluency.builtin()
        self._cache: dict[str, PassageWords] = {}  # by passage id
        self._lock = threading.Lock()  # of the cache

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._threads, self._path.parent, self._drops)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> BuiltinCorrector:  # noqa: ARG003
        return cls(settings.threads, drops=settings.correction.on_unsupported == "drop")

    @cached_property
    def rankers(self) -> Rankers:
        return Rankers.read(self._path)

    @property
    def fingerprint(self) -> str:
        digest = hashlib.blake2b(self._path.read_bytes(), digest_size=8).hexdigest()
        parts = (self._parser.fingerprint, self._reader.digest, self._scorer.digest, self._fluency.digest, digest)
        return ":".join((RULES, *parts))

    @property
    def min_probability(self) -> float:  # type: ignore[override]
        return self.rankers.min_probability

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal]]:
        pairs = [(task.claim.sentence.of(task.text.text), task.passages) for task in tasks]
        by_key = {sentence.key: sentence for sentence in self.sentences(pairs)}
        own = [by_key[text, tuple(passage.id for passage in passages)] for text, passages in pairs]
        editable: dict[int, list[list[Span]]] = {}  # of each sentence: what each of its flagged claims allows to change
        for task, sentence in zip(tasks, own, strict=True):
            editable.setdefault(id(sentence), []).append(_bounds(task))
        self._rank([sentence for sentence in by_key.values() if id(sentence) in editable], editable)
        deletions = self._deletions(tasks, own)
        return [
            [
                *self._proposals(task, sentence),
                *([Unsupported(0.0, left_out)] if task.judgement.label is Label.NEUTRAL else ()),
            ]
            for task, sentence, left_out in zip(tasks, own, deletions, strict=True)
        ]

    def faults(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        texts = dict.fromkeys(text for pair in pairs for text in pair)
        parsed = dict(zip(texts, map(tokens, self._parser.parse(list(texts))), strict=True))
        return [self._fault(parsed[before], parsed[after]) for before, after in pairs]

    def _fault(self, before: Sequence[Token], after: Sequence[Token]) -> str | None:
        """Why an edited sentence reads worse: a fault of grammar, or words that hardly ever stand side by side."""
        if reason := fault(before, after):
            return reason
        if not is_other_number(before, after) and any(
            change < floor for change, floor in zip(self._fluency.change(before, after), FLUENCY_FLOOR, strict=True)
        ):
            return "the sentence would read worse"
        return None

    # ---- reading ----

    def sentences(self, pairs: Sequence[tuple[str, tuple[Passage, ...]]]) -> list[Sentence]:
        """Each different pair of a sentence's text and its passages, with its candidates."""
        unique = [Sentence(text, passages, evidence_of(text, passages)) for text, passages in dict.fromkeys(pairs)]
        texts = dict.fromkeys(text for sentence in unique for text in (sentence.text, *sentence.evidence) if text)
        parsed = dict(zip(texts, map(tokens, self._parser.parse(list(texts))), strict=True))
        for sentence in unique:
            sentence.words = parsed.get(sentence.text, [])
            sentence.context = self._context(sentence, [parsed[text] for text in sentence.evidence])
        with_evidence = [sentence for sentence in unique if sentence.words and sentence.evidence]
        readings = self._reader.read([(sentence.evidence_text, sentence.text) for sentence in with_evidence])
        verdicts = self._scorer.read([(sentence.evidence_text, sentence.text) for sentence in with_evidence])
        for sentence, reading, verdict in zip(with_evidence, readings, verdicts, strict=True):
            sentence.verdict = Verdict.of(verdict)
            doubt = doubt_of(sentence.verdict, sentence.words)
            parts = (sentence.text, sentence.words, sentence.context, reading, doubt)
            sentence.candidates = Candidates(*parts, self._reader.vectors).all()
        return unique

    def _context(self, sentence: Sentence, evidence: Sequence[Sequence[Token]]) -> SentenceContext:
        """The evidence as one text with its words, and the statistics of all passages."""
        starts = [0, *accumulate(len(text) + 1 for text in sentence.evidence)]
        evidence_words: list[Token] = []
        for start, parsed in zip(starts, evidence, strict=False):
            first = len(evidence_words)
            evidence_words += [
                replace(
                    token,
                    span=token.span.moved(start),
                    head=token.head + first,
                    subtree=(token.subtree[0] + first, token.subtree[1] + first),
                )
                for token in parsed
            ]
        passages = [self._passage_words(passage) for passage in sentence.passages]
        stems = frozenset().union(*(passage.stems for passage in passages)) if passages else frozenset()
        counts: Counter[str] = Counter()
        tag_counts: Counter[tuple[str, str]] = Counter()
        for passage in passages:
            counts.update(passage.counts)
            tag_counts.update(passage.tag_counts)
        frequent: dict[str, list[str]] = {}
        for (xpos, word), _ in sorted(tag_counts.items(), key=lambda entry: (-entry[1], entry[0])):
            frequent.setdefault(xpos, []).append(word)
        folded = "  ".join(passage.folded_text for passage in passages)
        return SentenceContext(sentence.evidence_text, evidence_words, stems, folded, counts, frequent)

    def _passage_words(self, passage: Passage) -> PassageWords:
        """The statistics of a passage, from the cache or computed. The oldest entry leaves a full cache."""
        with self._lock:
            if passage.id not in self._cache:
                while len(self._cache) >= MAX_CACHED_PASSAGES:
                    del self._cache[next(iter(self._cache))]
                self._cache[passage.id] = self._read_passage(passage)
            return self._cache[passage.id]

    def _read_passage(self, passage: Passage) -> PassageWords:
        texts = [readable(span.of(passage.text)) for span in index(passage).spans]
        folded = [word for word, _ in words(" ".join(texts))]
        parsed = [tokens(doc) for doc in self._parser.parse([text for text in texts if text])]
        tag_counts = Counter((token.xpos, token.text) for doc in parsed for token in doc if token.is_content)
        stems = frozenset(map(stem, folded)) | index(passage).terms
        return PassageWords(stems, f" {' '.join(folded)} ", Counter(folded), tag_counts)

    # ---- proposing ----

    def _rank(self, found: Sequence[Sentence], editable: Mapping[int, Sequence[Sequence[Span]]]) -> None:
        """Leaves each sentence its best candidates, the most likely first."""
        for sentence in found:
            deletions = [candidate for candidate in sentence.candidates if candidate.kind in DELETING]
            sentence.deletions = sorted(deletions, key=lambda candidate: candidate.end - candidate.first)
            odds = self.rankers.first.probabilities([candidate.features for candidate in sentence.candidates])
            bounds = [span for own in editable[id(sentence)] for span in own]
            ranked = []
            for place in np.argsort(-odds, kind="stable"):
                edits = sentence.edits(sentence.candidates[place])
                if edits and _allowed(edits, bounds):
                    ranked.append(int(place))
                if len(ranked) == REREAD:
                    break
            sentence.candidates = [sentence.candidates[place] for place in ranked]
            sentence.probabilities = odds[ranked]
        found = [sentence for sentence in found if sentence.candidates]
        tried = {
            id(sentence): [_variants(sentence, candidate, editable[id(sentence)]) for candidate in sentence.candidates]
            for sentence in found
        }
        texts = dict.fromkeys(
            variant.text for candidates in tried.values() for variants in candidates for variant in variants
        )
        parsed = dict(zip(texts, map(tokens, self._parser.parse(list(texts))), strict=True))
        pairs = dict.fromkeys(
            (sentence.evidence_text, variant.text)
            for sentence in found
            for variants in tried[id(sentence)]
            for variant in variants
        )
        verdicts = dict(zip(pairs, map(Verdict.of, self._scorer.read(list(pairs))), strict=True))
        for sentence in found:
            self._rank_again(sentence, tried[id(sentence)], verdicts, parsed)

    def _rank_again(
        self,
        sentence: Sentence,
        tried: Sequence[Sequence[Variant]],
        verdicts: Mapping[tuple[str, str], Verdict],
        parsed: Mapping[str, list[Token]],
    ) -> None:
        """Rates the best candidates by the NLI model's verdicts on the edited sentences, and by how these read.

        A candidate is an exchange of two phrases where the evidence entails that more. `verdicts`: by evidence
        and text. `parsed`: by text.
        """

        def verdict(variant: Variant) -> Verdict:
            return verdicts[sentence.evidence_text, variant.text]

        texts = {variant.text for variants in tried for variant in variants}
        faults = {text: self._fault(sentence.words, parsed[text]) for text in texts}
        chosen: dict[tuple[Edit, ...], tuple[Variant, float]] = {}  # with the first ranker's probability
        for variants, probability in zip(tried, sentence.probabilities, strict=True):
            sound = [variant for variant in variants if faults[variant.text] is None]
            best = max(sound or variants[:1], key=lambda variant: verdict(variant).entailment)
            chosen.setdefault(best.edits, (best, probability))
        kept = [variant for variant, _ in chosen.values()]
        first = np.array([probability for _, probability in chosen.values()])
        kinds, edits = [variant.candidate.kind for variant in kept], [variant.edits for variant in kept]
        after = [parsed[variant.text] for variant in kept]
        changes = [self._fluency.change(sentence.words, words) for words in after]
        read = list(map(verdict, kept))
        features = second_features(kinds, edits, first, sentence.verdict, read, changes)
        probabilities = self.rankers.second.probabilities(features)
        order = [int(place) for place in np.argsort(-probabilities, kind="stable") if faults[kept[place].text] is None]
        sentence.candidates = [kept[place].candidate for place in order]
        sentence.probabilities = probabilities[order]

    def _proposals(self, task: CorrectTask, sentence: Sentence) -> list[Proposal]:
        """The best candidates that change only the claim's own words."""
        start, bounds = task.claim.sentence.start, _bounds(task)
        proposals: list[Proposal] = []
        for candidate, probability in zip(sentence.candidates, sentence.probabilities, strict=True):
            edits = sentence.edits(candidate)
            if probability >= LEAST_PROBABILITY and _allowed(edits, bounds):
                proposals.append(EditProposal(_moved(edits, start), float(probability), round(float(probability), 4)))
        return proposals[:MAX_PROPOSALS]

    def _deletions(self, tasks: Sequence[CorrectTask], own: Sequence[Sentence]) -> list[tuple[tuple[Edit, ...], ...]]:
        """Of each claim that the context does not mention: edits of the sentence's words that leave out a phrase with
        most of the claim's unsupported words, the smallest first. Nothing if the corrector does not drop."""
        tried: list[list[tuple[Edit, ...]]] = [
            list(self._carrying(task, sentence)) if self._drops and task.judgement.label is Label.NEUTRAL else []
            for task, sentence in zip(tasks, own, strict=True)
        ]
        pairs = [
            (sentence.text, applied(sentence.text, edits))
            for sentence, found in zip(own, tried, strict=True)
            for edits in found
        ]
        faults = iter(self.faults(pairs))
        return [
            tuple([_moved(edits, task.claim.sentence.start) for edits in found if next(faults) is None][:MAX_DELETIONS])
            for task, found in zip(tasks, tried, strict=True)
        ]

    def _carrying(self, task: CorrectTask, sentence: Sentence) -> Iterator[tuple[Edit, ...]]:
        """The smallest deletions that take most of the claim's unsupported words away."""
        start, bounds = task.claim.sentence.start, _bounds(task)
        marked = [span.moved(-start) for span in task.judgement.unsupported]
        own = [
            place
            for place, word in enumerate(sentence.words)
            if word.is_content and any(bound.overlaps(word.span) for bound in bounds)
        ]
        carried = {place for place in own if any(map(sentence.words[place].span.overlaps, marked))}
        carried = carried or {place for place in own if sentence.verdict.doubt(sentence.words[place].span) > SURE_DOUBT}
        found: dict[tuple[Edit, ...], None] = {}
        for candidate in sentence.deletions if carried else ():
            share = len(carried & set(range(candidate.first, candidate.end))) / len(carried)
            edits = sentence.edits(candidate)
            if share >= LEAST_CARRIED and edits and _allowed(edits, bounds):
                found[edits] = None
            if len(found) == TRIED_DELETIONS:
                break
        return iter(found)


def _bounds(task: CorrectTask) -> list[Span]:
    """What a claim allows to change, in offsets of its sentence."""
    start = task.claim.sentence.start
    return [span.moved(-start) for span in claim_spans(task.text.text, task.claim)]


def _allowed(edits: Sequence[Edit], bounds: Sequence[Span]) -> bool:
    """Whether each edit lies in one of the spans, or begins with the blank before it."""
    return all(
        any(bound.start - 1 <= edit.span.start and edit.span.end <= bound.end for bound in bounds) for edit in edits
    )


def _variants(sentence: Sentence, candidate: Candidate, bounds: Sequence[Sequence[Span]]) -> list[Variant]:
    """A candidate, with the preposition that fits, then its exchange of two phrases.

    `bounds`: of each claim. Every claim that allows the bare candidate has to allow them too, or it would lose its
    edit. The first is the bare candidate where its preposition is not allowed.
    """
    edits = sentence.edits(candidate)
    allowing = [own for own in bounds if _allowed(edits, own)]

    def variant(made: Candidate | None) -> Variant | None:
        own = sentence.edits(made) if made else ()
        allowed = bool(own and allowing) and all(_allowed(own, span) for span in allowing)
        return Variant(made, own, applied(sentence.text, own)) if made and allowed else None

    single = variant(with_preposition(candidate, sentence.words, sentence.context.words))
    exchange = variant(exchanged(candidate, sentence.text, sentence.words))
    single = single or Variant(candidate, edits, applied(sentence.text, edits))
    return [single, exchange] if exchange else [single]


def _moved(edits: Sequence[Edit], start: int) -> tuple[Edit, ...]:
    """Edits of a sentence as edits of the text in which it begins at `start`."""
    return tuple(replace(edit, span=edit.span.moved(start)) for edit in edits)


def doubt_of(verdict: Verdict, words: Sequence[Token]) -> Doubt:
    """What the NLI model says of the words of a sentence: of each the doubt about its worst piece."""
    doubts = np.array([verdict.doubt(word.span) for word in words])
    return Doubt(doubts, verdict.entailment, verdict.contradiction)


def evidence_of(text: str, passages: Sequence[Passage]) -> list[str]:
    """The sentences of the context that have most to do with the sentence, in the order of the context."""
    return [window.text for window in gather([index(passage) for passage in passages], readable(text), fill=True)]
