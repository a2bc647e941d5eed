"""The offline corrector: words of the context replace words that it does not support.

A tagger and pointer reads each sentence with a flagged claim beside its evidence. Candidates change one run of its
words, and a ranker rates them. A claim gets the candidates that change only its own words and reach the ranker's
minimum probability. Without such a candidate it stays flagged. The checker is not used here but only when an edit is
judged, because it prefers edits that say less. Reading the best candidates again in their place, by the tagger and by
the NLI model, was tried and did not help (see graph_eval/weights/corrector/README.md).
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.windows import index, terms
from graph_eval.correctors.candidates import Candidate, Candidates, SentenceContext, Token, tokens
from graph_eval.correctors.corrector import Corrector
from graph_eval.correctors.ranker import Ranker
from graph_eval.correctors.reader import EditReader
from graph_eval.correctors.splice import claim_spans
from graph_eval.parsing.parser import Parser
from graph_eval.registry import corrector
from graph_eval.resources import folder
from graph_eval.settings import Settings
from graph_eval.text.normalise import readable, stem, words
from graph_eval.types import CorrectTask, EditProposal, Passage, Proposal, Span

RULES = "builtin-2"
MAX_EVIDENCE_WORDS = 110
MIN_FREE_WORDS = 8  # with less room than this no further sentence is tried as evidence
NEIGHBOUR_WEIGHT = 0.35  # share of its better neighbour's score that a sentence of the context gets
MAX_PROPOSALS = 3  # for one claim
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

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        return self.text, tuple(passage.id for passage in self.passages)

    @property
    def evidence_text(self) -> str:
        return " ".join(self.evidence)


@corrector("builtin", reads=("threads",))
class BuiltinCorrector(Corrector):
    """The corrector whose weights ship in the package.

    `threads`: how many threads the model uses, 0 for one a core. It may be used from several threads, and be pickled:
    a copy loads its weights again.
    """

    def __init__(self, threads: int = 0) -> None:
        weights = folder("weights/corrector")
        self._threads = threads
        self._path = weights / "ranker.json"
        self._parser = Parser.builtin()
        self._reader = EditReader(weights, folder("weights/nli") / "tokenizer.json", threads)
        self._cache: dict[str, PassageWords] = {}  # by passage id
        self._lock = threading.Lock()  # of the cache

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._threads,)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> BuiltinCorrector:  # noqa: ARG003
        return cls(settings.threads)

    @cached_property
    def ranker(self) -> Ranker:
        return Ranker.read(self._path)

    @property
    def fingerprint(self) -> str:
        digest = hashlib.blake2b(self._path.read_bytes(), digest_size=8).hexdigest()
        parts = (self._parser.fingerprint, self._reader.digest, digest)
        return ":".join((RULES, *parts))

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal]]:
        pairs = [(task.claim.sentence.of(task.text.text), task.passages) for task in tasks]
        by_key = {sentence.key: sentence for sentence in self.sentences(pairs)}
        for sentence in by_key.values():
            self._rank(sentence)
        return [
            self._proposals(task, by_key[text, tuple(passage.id for passage in passages)])
            for task, (text, passages) in zip(tasks, pairs, strict=True)
        ]

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
        for sentence, reading in zip(with_evidence, readings, strict=True):
            parts = (sentence.text, sentence.words, sentence.context, reading)
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
                    span=Span(token.span.start + start, token.span.end + start),
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

    def _rank(self, sentence: Sentence) -> None:
        probabilities = self.ranker.probabilities([candidate.features for candidate in sentence.candidates])
        order = np.argsort(-probabilities, kind="stable")
        sentence.candidates = [sentence.candidates[place] for place in order]
        sentence.probabilities = probabilities[order]

    def _proposals(self, task: CorrectTask, sentence: Sentence) -> list[Proposal]:
        """The best candidates that change only the claim's own words and reach the minimum probability."""
        start = task.claim.sentence.start
        bounds = claim_spans(task.text.text, task.claim)
        proposals: list[Proposal] = []
        for candidate, probability in zip(sentence.candidates, sentence.probabilities, strict=True):
            edit = candidate.edit(sentence.text, sentence.words)
            span = Span(edit.span.start + start, edit.span.end + start)
            inside = any(bound.start <= span.start and span.end <= bound.end for bound in bounds)
            if inside and probability >= self.ranker.min_probability:
                proposals.append(EditProposal((replace(edit, span=span),), float(probability)))
        return proposals[:MAX_PROPOSALS]


def evidence_of(text: str, passages: Sequence[Passage]) -> list[str]:
    """The sentences of the context that are nearest to the sentence, in the order of the context.

    A sentence's score is the sum of the weights of the words that it shares, rare words counting more, and a part of
    its better neighbour's score. Sentences are taken by their score, up to MAX_EVIDENCE_WORDS words.
    """
    indexed = [index(passage) for passage in passages]
    sentence_terms = terms(readable(text))
    frequencies = Counter(term for passage in indexed for stems in passage.stems for term in stems)
    total = 1 + sum(len(passage.stems) for passage in indexed)
    scored: list[tuple[float, int, str]] = []
    for passage in indexed:
        scores = [
            sum(math.log(total / frequencies[term]) for term in sorted(sentence_terms & stems))
            for stems in passage.stems
        ]
        for place, (span, score) in enumerate(zip(passage.spans, scores, strict=True)):
            near = max((scores[other] for other in (place - 1, place + 1) if 0 <= other < len(scores)), default=0.0)
            scored.append((score + NEIGHBOUR_WEIGHT * near, len(scored), readable(span.of(passage.passage.text))))
    kept: list[tuple[int, str]] = []
    count = 0
    for _, place, sentence in sorted(scored, key=lambda entry: (-entry[0], entry[1])):
        size = len(sentence.split())
        if sentence and (not kept or count + size <= MAX_EVIDENCE_WORDS):
            kept.append((place, sentence))
            count += size
        if count > MAX_EVIDENCE_WORDS - MIN_FREE_WORDS:
            break
    return list(dict.fromkeys(sentence for _, sentence in sorted(kept)))
