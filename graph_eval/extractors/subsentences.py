"""Sub-sentences: every clause with its own subject is a claim. No triplets.

A sentence is split where a coordinated, adverbial or parenthetical clause with its own subject begins. A piece keeps
its words as they stand. This follows the sub-sentence claims of RefChecker, where an LLM splits (arXiv 2405.14486).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graph_eval.extractors.extractor import Extractor, distinct
from graph_eval.extractors.rules.surface import Surface, surface
from graph_eval.extractors.statement import states_something
from graph_eval.parsing.parser import Parser
from graph_eval.registry import extractor
from graph_eval.settings import Settings
from graph_eval.text.normalise import readable
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, Span, Text

if TYPE_CHECKING:
    from spacy.tokens import Doc

CLAUSES = frozenset({"conj", "parataxis", "advcl", "ROOT"})
SUBJECTS = frozenset({"nsubj", "nsubj:pass", "csubj", "expl"})
MIN_WORDS = 3  # of a piece


@extractor("subsentences", reads=("threads",))
class SubsentenceExtractor(Extractor):
    """One sentence claim for each clause with its own subject."""

    def __init__(self, parser: Parser | None = None, threads: int = 0) -> None:
        self._parser = parser or Parser.builtin(threads)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> SubsentenceExtractor:  # noqa: ARG003
        return cls(threads=settings.threads)

    @property
    def fingerprint(self) -> str:
        return f"subsentences-2:{self._parser.fingerprint}"

    def extract(self, texts: Sequence[Text]) -> list[list[Claim]]:
        stated = [_stated(text) for text in texts]
        docs = iter(self._parser.parse([line.text for lines in stated for _, line in lines]))
        claims: list[list[Claim]] = []
        for text, lines in zip(texts, stated, strict=True):
            pieces = [piece for span, line in lines for piece in _pieces(next(docs), line, span)]
            claims.append(distinct([Claim.whole(text.id, readable(piece.of(text.text)), piece) for piece in pieces]))
        return claims


def _stated(text: Text) -> list[tuple[Span, Surface]]:
    return [
        (sentence.span, line)
        for sentence in sentences(text.text)
        if text.in_focus(sentence.span)
        and states_something(sentence.span.of(text.text))
        and (line := surface(text.text, sentence.span)).text
    ]


def _pieces(doc: Doc, line: Surface, sentence: Span) -> list[Span]:
    """The sentence's span, split at its inner clauses. Every word is in exactly one piece."""
    starts = {0}
    for token in doc:
        if token.dep_ in CLAUSES and any(child.dep_ in SUBJECTS for child in token.children):
            first = token.left_edge.i
            after = token.right_edge.i + 1
            starts.add(first)
            if after < len(doc):
                starts.add(after)
    kept = [0]
    for cut in sorted(starts)[1:]:
        while cut < len(doc) - 1 and doc[cut].tag_.startswith("PUNCT"):
            cut += 1
        if _words(doc, kept[-1], cut) >= MIN_WORDS and _words(doc, cut, len(doc)) >= MIN_WORDS:
            kept.append(cut)
    ends = [*kept[1:], len(doc)]
    pieces = []
    for first, end in zip(kept, ends, strict=True):
        while end - 1 > first and end < len(doc) and doc[end - 1].tag_.startswith("PUNCT"):
            end -= 1
        last = doc[end - 1]
        span = line.span(doc[first].idx, last.idx + len(last.text))
        pieces.append(Span(sentence.start if first == 0 else span.start, sentence.end if end == len(doc) else span.end))
    return pieces


def _words(doc: Doc, start: int, end: int) -> int:
    return sum(any(map(str.isalnum, token.text)) for token in doc[start:end])
