"""The offline corrector: words of the context in the place of words that it does not support.

Each sentence with a flagged claim is read beside its evidence by a tagger and pointer; candidates change one run of
its words; a ranker weighs them. A claim is offered those that keep to its own words, and none that is less likely right
than the corrector dares: then it stays flagged. The checker has no say here, only later, when an edit is judged: by
itself it prefers what says less. Reading the best candidates again in their place, by the tagger and by the NLI model,
was tried and brought nothing (see graph_eval/weights/corrector/README.md).
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

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.windows import index, terms
from graph_eval.correctors.candidates import Candidate, Candidates, Known, Token, tokens
from graph_eval.correctors.corrector import Corrector
from graph_eval.correctors.ranker import Ranker
from graph_eval.correctors.reader import EditReader
from graph_eval.correctors.splice import own_words
from graph_eval.extractors.rules.parser import Parser
from graph_eval.registry import corrector
from graph_eval.resources import folder
from graph_eval.settings import Settings
from graph_eval.text.normalise import readable, stem, words
from graph_eval.types import CorrectTask, Passage, Proposal, Span

RULES = "builtin-2"
WORDS = 110  # of evidence
BESIDE = 0.35  # part of its neighbour's score that a sentence of the context gets
PROPOSED = 3  # candidates of a claim
PASSAGES = 500  # that are remembered


@dataclass(frozen=True, slots=True)
class Said:
    """What a passage holds: stems of its words, its words as one text, how often it uses each word, and each word
    with its tag."""

    stems: frozenset[str]
    spoken: str
    used: Counter[str]
    tagged: Counter[tuple[str, str]]


@dataclass(slots=True)
class Sentence:
    """A sentence of a response, the words of its context that speak of the same, and how it could be mended."""

    text: str
    passages: tuple[Passage, ...]
    evidence: list[str]
    words: list[Token] = field(default_factory=list)
    known: Known = field(default_factory=lambda: Known("", [], frozenset(), ""))
    candidates: list[Candidate] = field(default_factory=list)
    chances: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        return self.text, tuple(passage.id for passage in self.passages)


@corrector("builtin", reads=("threads",))
class BuiltinCorrector(Corrector):
    """Everything it needs is in the package."""

    def __init__(self, threads: int = 0) -> None:
        weights = folder("weights/corrector")
        self._path = weights / "ranker.json"
        self._parser = Parser.builtin()
        self._reader = EditReader(weights, folder("weights/nli") / "tokenizer.json", threads)
        self._passages: dict[str, Said] = {}
        self._lock = threading.Lock()

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
        asked = [(task.claim.sentence.of(task.text.text), task.passages) for task in tasks]
        found = {sentence.key: sentence for sentence in self.sentences(asked)}
        for sentence in found.values():
            self._rank(sentence)
        return [
            self._of_claim(task, found[text, tuple(passage.id for passage in passages)])
            for task, (text, passages) in zip(tasks, asked, strict=True)
        ]

    # ---- reading ----

    def sentences(self, asked: Sequence[tuple[str, tuple[Passage, ...]]]) -> list[Sentence]:
        """Each different sentence with its context, read, with its candidates."""
        found = [Sentence(text, passages, evidence_of(text, passages)) for text, passages in dict.fromkeys(asked)]
        texts = dict.fromkeys(text for sentence in found for text in (sentence.text, *sentence.evidence) if text)
        parsed = dict(zip(texts, map(tokens, self._parser.parse(list(texts))), strict=True))
        for sentence in found:
            sentence.words = parsed.get(sentence.text, [])
            sentence.known = self._known(sentence, [parsed[text] for text in sentence.evidence])
        open_ones = [sentence for sentence in found if sentence.words and sentence.evidence]
        readings = self._reader.read([(_text(sentence), sentence.text) for sentence in open_ones])
        for sentence, reading in zip(open_ones, readings, strict=True):
            parts = (sentence.text, sentence.words, sentence.known, reading)
            sentence.candidates = Candidates(*parts, self._reader.vectors).all()
        return found

    def _known(self, sentence: Sentence, evidence: Sequence[Sequence[Token]]) -> Known:
        """The evidence as one text and its words, beside what the whole context holds."""
        starts = [0, *accumulate(len(text) + 1 for text in sentence.evidence)]
        found: list[Token] = []
        for start, own in zip(starts, evidence, strict=False):
            first = len(found)
            found += [
                replace(
                    token,
                    span=Span(token.span.start + start, token.span.end + start),
                    head=token.head + first,
                    reach=(token.reach[0] + first, token.reach[1] + first),
                )
                for token in own
            ]
        said = [self._said(passage) for passage in sentence.passages]
        stems = frozenset().union(*(item.stems for item in said)) if said else frozenset()
        used: Counter[str] = Counter()
        tagged: Counter[tuple[str, str]] = Counter()
        for item in said:
            used.update(item.used)
            tagged.update(item.tagged)
        salient: dict[str, list[str]] = {}
        for (xpos, word), _ in sorted(tagged.items(), key=lambda entry: (-entry[1], entry[0])):
            salient.setdefault(xpos, []).append(word)
        return Known(_text(sentence), found, stems, "  ".join(item.spoken for item in said), used, salient)

    def _said(self, passage: Passage) -> Said:
        with self._lock:
            if passage.id not in self._passages:
                while len(self._passages) >= PASSAGES:
                    del self._passages[next(iter(self._passages))]
                self._passages[passage.id] = self._read_passage(passage)
            return self._passages[passage.id]

    def _read_passage(self, passage: Passage) -> Said:
        texts = [readable(span.of(passage.text)) for span in index(passage).spans]
        found = [word for word, _ in words(" ".join(texts))]
        parsed = [tokens(doc) for doc in self._parser.parse([text for text in texts if text])]
        tagged = Counter((token.xpos, token.text) for doc in parsed for token in doc if token.content)
        stems = frozenset(map(stem, found)) | index(passage).terms
        return Said(stems, f" {' '.join(found)} ", Counter(found), tagged)

    # ---- proposing ----

    def _rank(self, sentence: Sentence) -> None:
        chances = self.ranker.probabilities([item.features for item in sentence.candidates])
        order = np.argsort(-chances, kind="stable")
        sentence.candidates = [sentence.candidates[place] for place in order]
        sentence.chances = chances[order]

    def _of_claim(self, task: CorrectTask, sentence: Sentence) -> list[Proposal]:
        """The candidates that keep to the claim's own words, as far as the corrector dares."""
        start = task.claim.sentence.start
        bounds = own_words(task.text.text, task.claim)
        found = []
        for item, chance in zip(sentence.candidates, sentence.chances, strict=True):
            edit = item.edit(sentence.text, sentence.words)
            span = Span(edit.span.start + start, edit.span.end + start)
            inside = any(bound.start <= span.start and span.end <= bound.end for bound in bounds)
            if inside and chance >= self.ranker.dares:
                found.append(Proposal(edits=(replace(edit, span=span),), score=float(chance)))
        return found[:PROPOSED]


def evidence_of(text: str, passages: Sequence[Passage]) -> list[str]:
    """The sentences of the context that share most words with the sentence, rare words counting more, and what stands
    beside them; in the order of the context, up to WORDS words."""
    indexed = [index(passage) for passage in passages]
    wanted = terms(readable(text))
    held = Counter(term for item in indexed for stems in item.stems for term in stems)
    total = 1 + sum(len(item.stems) for item in indexed)
    scored: list[tuple[float, int, str]] = []
    for item in indexed:
        own = [sum(math.log(total / held[term]) for term in sorted(wanted & stems)) for stems in item.stems]
        for place, (span, score) in enumerate(zip(item.spans, own, strict=True)):
            near = max((own[other] for other in (place - 1, place + 1) if 0 <= other < len(own)), default=0.0)
            scored.append((score + BESIDE * near, len(scored), readable(span.of(item.passage.text))))
    kept: list[tuple[int, str]] = []
    count = 0
    for _, place, sentence in sorted(scored, key=lambda entry: (-entry[0], entry[1])):
        size = len(sentence.split())
        if sentence and (not kept or count + size <= WORDS):
            kept.append((place, sentence))
            count += size
        if count > WORDS - 8:
            break
    return list(dict.fromkeys(sentence for _, sentence in sorted(kept)))


def _text(sentence: Sentence) -> str:
    return " ".join(sentence.evidence)
