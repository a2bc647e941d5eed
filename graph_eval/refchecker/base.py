"""Texts, claims and extractions as RefChecker has them (refchecker/base.py of 0.2.17)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from graph_eval.errors import UsageError
from graph_eval.types import ItemError, Span

if TYPE_CHECKING:
    from spacy.language import Language

MAX_CHARACTERS = 1 << 30  # of a text; the default of spaCy is meant for its parser
BLANKS = " \n\r"
EMPTY_LINES = ((re.compile(r"(\n\s*)+\n"), "\n"), (re.compile(r"(\r\s*)+\r"), "\r"))


class RCSentence:
    """A sentence, or with `is_blank` the white space beside one. `start`, `end`: the positions of spaCy's sentence
    among the tokens of the text. None for white space."""

    def __init__(self, sentence_text: str, is_blank: bool, start: int | None = None, end: int | None = None) -> None:
        self.text = sentence_text
        self.is_blank = is_blank
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text, "is_blank": self.is_blank, "start": self.start, "end": self.end}

    @classmethod
    def from_dict(cls, sent_dict: dict[str, Any]) -> RCSentence:
        return cls(sent_dict["text"], sent_dict["is_blank"], sent_dict["start"], sent_dict["end"])


class RCText:
    """A response in sentences, by spaCy's rules. The ids of the sentences are "1" and up. White space has none."""

    def __init__(self, response_text: str) -> None:
        self.orig_text = response_text
        self.nlp = sentencizer()
        self.sentences: list[RCSentence] = []
        self.indexed_response: str | None = None
        self._sent_id_to_index: dict[str, int] = {}
        self._spans: list[Span] = []  # of the sentences that are not blank
        self.sentencize()

    def sentencize(self) -> None:
        """Reads the sentences of `orig_text`."""
        self.sentences, self._spans = [], []
        for found in self.nlp(self.orig_text).sents:
            text = found.text
            words = text.strip(BLANKS)
            first = len(text) - len(text.lstrip(BLANKS))
            last = first + len(words)
            if first:
                self.sentences.append(RCSentence(text[:first], is_blank=True))
            if words:
                self.sentences.append(RCSentence(words, is_blank=False, start=found.start, end=found.end))
                self._spans.append(Span(found.start_char + first, found.start_char + last))
            if text[last:]:
                self.sentences.append(RCSentence(text[last:], is_blank=True))
        indices = [index for index, sentence in enumerate(self.sentences) if not sentence.is_blank]
        self._sent_id_to_index = {str(number): index for number, index in enumerate(indices, 1)}

    def get_indexed_response(self, condense_newlines: bool) -> str:
        """The text with "[ID] " before each sentence. `condense_newlines`: without empty lines. The first call decides
        about that, as in RefChecker: later ones return its text."""
        if self.indexed_response is None:
            ids = {index: sent_id for sent_id, index in self._sent_id_to_index.items()}
            parts = []
            for index, sentence in enumerate(self.sentences):
                text = sentence.text
                for pattern, line_end in EMPTY_LINES if condense_newlines else ():
                    text = pattern.sub(line_end, text)
                if index in ids:
                    text = f"[{ids[index]}] {text}" + " " * (index < len(self.sentences) - 1)
                parts.append(text)
            self.indexed_response = "".join(parts)
        return self.indexed_response

    def get_sentence_by_id(self, sent_id: str) -> RCSentence:
        """Raises UsageError for an unknown id."""
        if sent_id not in self._sent_id_to_index:
            raise UsageError(f"unknown sentence {sent_id!r}", f'pass a text from "1" to "{len(self._spans)}"')
        return self.sentences[self._sent_id_to_index[sent_id]]

    def get_sentence_ids(self) -> list[str]:
        return list(self._sent_id_to_index)

    def ids_at(self, span: Span) -> list[str]:
        """The ids of the sentences that overlap the characters of the span."""
        return [str(number) for number, own in enumerate(self._spans, 1) if own.overlaps(span)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "sents": [sentence.to_dict() for sentence in self.sentences],
            "sent_id_to_index": self._sent_id_to_index,
        }


@dataclass(slots=True, repr=False)
class RCClaim:
    """`format`: triplet or subsentence. `content`: three texts, or one. `attributed_sent_ids`: the ids of the
    response's sentences that the claim was taken from (`RCText`)."""

    format: str
    content: str | list[str]
    attributed_sent_ids: list[str] | None = None

    def __repr__(self) -> str:
        if self.format == "triplet":
            return self.get_content(preserve_triplet_form=True)
        return f"{self.content} " + "".join(f"[{sent_id}]" for sent_id in self.attributed_sent_ids or ())

    def get_content(self, preserve_triplet_form: bool = False) -> str:
        """The text, or the parts joined by blanks. `preserve_triplet_form`: ("subject", "predicate", "object")."""
        if isinstance(self.content, str):
            return self.content
        if self.format == "triplet" and preserve_triplet_form:
            return "({})".format(", ".join(f'"{part}"' for part in self.content))
        return " ".join(self.content)

    def to_dict(self) -> dict[str, Any]:
        return {"format": self.format, "content": self.content, "attributed_sent_ids": self.attributed_sent_ids}

    @classmethod
    def from_dict(cls, claim_dict: dict[str, Any]) -> RCClaim:
        return cls(claim_dict["format"], claim_dict["content"], claim_dict["attributed_sent_ids"])


@dataclass(slots=True)
class ExtractionResult:
    """The claims of one response, or the error of its extraction. `response`: an `RCText` for claims of the format
    subsentence, whose sentences they name."""

    claims: list[RCClaim] = field(default_factory=list)
    response: str | RCText | None = None
    extractor_response: str | None = None
    error: ItemError | None = None


@cache
def sentencizer() -> Language:
    """spaCy's rules for English sentences."""
    from spacy.lang.en import English

    nlp = English(max_length=MAX_CHARACTERS)
    nlp.add_pipe("sentencizer")
    return nlp
