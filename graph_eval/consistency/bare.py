"""Bare answers: "Canberra", asked for the capital of Australia, states that the capital of Australia is Canberra.

The extractor of rules completes them with the words of their question. Here the claims that it makes of the first
sentence of an answer become the statement that a method reads in place of this sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

from graph_eval.extractors.rules.extractor import RulesExtractor
from graph_eval.isolation import isolated
from graph_eval.text.language import is_english
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, ItemError, Kind, Span, Text

MAX_WORDS, MAX_SENTENCES = 12, 3  # of the first sentence of a text, and of a text: longer ones are no bare answers


def openings(stage: str, texts: Sequence[Text]) -> list[tuple[Span, str] | None]:
    """For each text the span of its first sentence and what it states, if it is a bare answer. None: it is none."""
    firsts = [_first(text) for text in texts]
    short = [text for text, span in zip(texts, firsts, strict=True) if span is not None]
    found = iter(isolated(stage, short, RulesExtractor().extract) if short else ())
    return [None if span is None else _opening(span, next(found)) for span in firsts]


def _first(text: Text) -> Span | None:
    """The first sentence of a text that can be a bare answer."""
    if not (text.question or "").strip() or not is_english(f"{text.question} {text.text}"):
        return None
    spans = [sentence.span for sentence in sentences(text.text)]
    if not 0 < len(spans) <= MAX_SENTENCES or len(spans[0].of(text.text).split()) > MAX_WORDS:
        return None
    return spans[0]


def _opening(span: Span, claims: Sequence[Claim] | ItemError) -> tuple[Span, str] | None:
    if isinstance(claims, ItemError):
        return None  # it is compared as it stands
    own = [claim for claim in claims if claim.sentence.overlaps(span)]
    if not own or not all(_has_words_of_question(claim) for claim in own):
        return None
    return span, " ".join(claim.text for claim in own)


def _has_words_of_question(claim: Claim) -> bool:
    """In the first sentence of a text nothing else than the question can give words to a claim."""
    return claim.kind is Kind.TRIPLET and any(slot.inferred and slot.text for slot in claim.slots)
