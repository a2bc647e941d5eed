"""The frozen data classes that the stages exchange, with methods that only derive values from their fields.

Offsets count Unicode code points of the text that they refer to. An end is exclusive. Probabilities are in [0, 1].
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from pandas import DataFrame

# Field names in files and in the graph that differ from those here. They keep older files readable.
FILE_NAMES = {"context_claims": "stated", "context_claim_id": "stated_id"}
IN_FILES = {"alias_generator": lambda name: FILE_NAMES.get(name, name), "populate_by_name": True}

UNCERTAIN = 0.3  # p_inconsistent from which a claim is uncertain: by the builtin checker a third of these are wrong
CONSISTENCY = "consistency"  # the field of a result that self-checking adds
GROUNDING = "grounding"  # the field of a result whose passages were searched for

_compact = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


class Span(NamedTuple):
    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end

    def moved(self, offset: int) -> Span:
        return Span(self.start + offset, self.end + offset)


class Label(StrEnum):
    ENTAILMENT = "Entailment"
    NEUTRAL = "Neutral"
    CONTRADICTION = "Contradiction"
    ABSTAIN = "Abstain"

    @property
    def mark(self) -> str:
        """The sign that stands beside the label's colour."""
        return {"Entailment": "✓", "Neutral": "?", "Contradiction": "✗", "Abstain": "–"}[self]


class Kind(StrEnum):
    TRIPLET = "triplet"
    SENTENCE = "sentence"


class Origin(StrEnum):
    RESPONSE = "response"
    SAMPLE = "sample"
    REVISION = "revision"
    PASSAGE = "passage"


def writable(text: str) -> str:
    """The text with "?" for each half of a character (a lone surrogate), which no file takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def now() -> str:
    """The time in UTC, in whole seconds: "2026-01-31T12:00:00+00:00"."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def content_hash(*parts: object) -> str:
    """24 hexadecimal digits: a BLAKE2b hash of the parts and of the boundaries between them."""
    data = _compact(parts).encode("ascii")
    return hashlib.blake2b(data, digest_size=12).hexdigest()


LONGEST_SHOWN = 80  # characters of a text in a repr


def shown(kind: str, /, **values: object) -> str:
    """A short repr: "Passage(text='The tower ...')". Values that are None are left out, long texts are cut."""
    parts = (f"{name}={_cut(value)!r}" for name, value in values.items() if value is not None)
    return f"{kind}({', '.join(parts)})"


def _cut(value: object) -> object:
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, str):
        return str(value) if len(value) <= LONGEST_SHOWN else value[: LONGEST_SHOWN - 1] + "…"
    return value


def above(module: str) -> Any:
    """A module of a higher level, by its name below the package.

    A value shows and writes itself, but the files that know how stand above its own. They are loaded when they are
    called, by name as those of the public names are, so that no import points upward.
    """
    return import_module(f"graph_eval.{module}")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of context. Its id is a hash of the text, so equal passages have the same id."""

    id: str
    text: str
    source: str | None = None

    @classmethod
    def of(cls, text: str, source: str | None = None) -> Passage:
        return cls(content_hash("passage", text), text, source)

    def __repr__(self) -> str:
        return shown("Passage", text=self.text, source=self.source)


@dataclass(frozen=True, slots=True)
class Example:
    """One record: a response and the passages that should support it."""

    id: str
    dataset: str
    response: str
    passages: tuple[Passage, ...] = ()
    question: str | None = None
    model: str | None = None
    samples: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The id of the response in a graph: the same response to the same context has the same key."""
        passages = tuple(passage.id for passage in self.passages)
        return _response_key(self.dataset, self.id, self.model, self.question, self.response, passages)

    def __repr__(self) -> str:
        return shown("Example", id=self.id, model=self.model, response=self.response, passages=len(self.passages))


@lru_cache(maxsize=64)  # read again for every claim of a response
def _response_key(*parts: str | tuple[str, ...] | None) -> str:
    return content_hash(*parts)


@dataclass(frozen=True, slots=True)
class Text:
    """A text with claims. `focus` limits extraction. The rest of the text is still used to resolve references."""

    id: str
    text: str
    question: str | None = None
    origin: Origin = Origin.RESPONSE
    focus: tuple[Span, ...] | None = None

    @classmethod
    def of(cls, example: Example) -> Text:
        return cls(example.key, example.response, example.question)

    @classmethod
    def of_samples(cls, example: Example) -> tuple[Text, ...]:
        """The samples of a record, in order. Equal samples have different ids: their places are part of them."""
        return tuple(
            cls(content_hash("sample", example.key, place, sample), sample, example.question, Origin.SAMPLE)
            for place, sample in enumerate(example.samples)
        )

    def in_focus(self, span: Span) -> bool:
        return self.focus is None or any(span.overlaps(part) for part in self.focus)


PARTS = ("subject", "predicate", "object")  # the names of a triplet's slots, in order


@dataclass(frozen=True, slots=True)
class Slot:
    """Subject, predicate or object of a claim, with the spans of its words.

    Unless `resolved` (a pronoun or a short name was replaced) or `inferred` (without words in the text, or with words
    of the question), `text` equals the words at `spans` joined by blanks, but for the capital letter of a word that
    only begins its sentence ("In 1990 it closed": "closed in", "1990").
    """

    text: str
    spans: tuple[Span, ...] = ()
    resolved: bool = False
    inferred: bool = False

    def verbatim(self, text: str) -> str:
        """The words of `text` at the slot's spans, joined by blanks."""
        return " ".join(span.of(text) for span in self.spans)


@dataclass(frozen=True, slots=True)
class Claim:
    """An edge of the knowledge graph, or a whole sentence if triplets do not cover its content.

    `text` is the sentence that a checker judges. A sentence claim has no slots. `confidence` in [0, 1]: the
    extractor's estimate that the triplet has the meaning of its sentence.
    """

    id: str
    text_id: str
    kind: Kind
    text: str
    sentence: Span
    subject: Slot | None = None
    predicate: Slot | None = None
    object: Slot | None = None
    confidence: float = 1.0

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(slot for slot in (self.subject, self.predicate, self.object) if slot is not None)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of the claim's words in the response, in order of position."""
        words = {span for slot in self.slots for span in slot.spans}
        return tuple(sorted(words)) or (self.sentence,)

    def parts_at(self, spans: Sequence[Span]) -> tuple[str, ...]:
        """The names of the slots whose words overlap one of the spans. () for a sentence claim."""
        return tuple(
            part
            for part, slot in zip(PARTS, self.slots, strict=False)
            if any(own.overlaps(span) for own in slot.spans for span in spans)
        )

    @classmethod
    def triplet(
        cls,
        text_id: str,
        slots: tuple[Slot, Slot, Slot],
        text: str,
        sentence: Span,
        confidence: float = 1.0,
    ) -> Claim:
        parts = [(slot.text, slot.spans, int(slot.resolved), int(slot.inferred)) for slot in slots]
        identity = content_hash(text_id, Kind.TRIPLET, parts, sentence, text)
        return cls(identity, text_id, Kind.TRIPLET, text, sentence, *slots, confidence=confidence)

    @classmethod
    def whole(cls, text_id: str, text: str, sentence: Span) -> Claim:
        identity = content_hash(text_id, Kind.SENTENCE, sentence, text)
        return cls(identity, text_id, Kind.SENTENCE, text, sentence)

    def of_text(self, text_id: str) -> Claim:
        """The same claim of a text with another id, such as the same response to another context."""
        if self.subject is None or self.predicate is None or self.object is None:
            return replace(Claim.whole(text_id, self.text, self.sentence), confidence=self.confidence)
        slots = (self.subject, self.predicate, self.object)
        return Claim.triplet(text_id, slots, self.text, self.sentence, self.confidence)

    def __repr__(self) -> str:
        slots = " → ".join(slot.text for slot in self.slots) or None
        return shown("Claim", kind=self.kind, slots=slots, text=self.text)


class Scores(NamedTuple):
    """Probabilities that sum to 1. A binary checker has neutral = 1 - P(consistent) and contradiction = 0."""

    entailment: float
    neutral: float
    contradiction: float


COLUMNS = (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)  # of Scores, in their order


class Match(StrEnum):
    """How well the words of a slot match a passage."""

    EXACT = "exact"
    NORMALISED = "normalised"
    SIMILAR = "similar"
    MISSING = "missing"
    EMPTY = "empty"  # the slot has no content words ("is", "of the")


@dataclass(frozen=True, slots=True)
class Location:
    """The position of the words of one part of a claim in a passage.

    `part`: subject, predicate, object, or sentence. `spans`: of the passage, in order. `missing`: content words of the
    part, as the claim spells them, that the passage does not contain.
    """

    part: str
    match: Match
    spans: tuple[Span, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words of a passage that decided the verdict on a claim, and the positions of the claim's words in them.

    `scores`: of these words, or of the premise that holds them.
    """

    passage_id: str
    span: Span
    scores: Scores
    locations: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemError:
    """Error of one item. It replaces the item's output, and the other items continue.

    `answer`: the raw model answer, if a language model was used. `traceback`: of the exception, if there was one.
    """

    stage: str
    message: str
    hint: str | None = None
    place: str | None = None
    id: str | None = None
    answer: str | None = None
    traceback: str | None = None

    def __post_init__(self) -> None:
        for name in ("message", "hint", "answer", "traceback"):
            if value := getattr(self, name):
                object.__setattr__(self, name, writable(value))

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.message}" + (f" ({self.hint})" if self.hint else "")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A checker's verdict on one claim. Label and probability are None if `error` is set.

    `unsupported`: the claim's words that the passages do not support, as offsets in the response, if the checker judges
    words. `decided_by`: the checker of a cascade that decided. `signs`: the numbers that the checker decided by, by
    name, if it gives them; they are kept in memory only, for `graph-eval calibrate`: no file holds them.
    """

    claim_id: str
    label: Label | None
    p_inconsistent: float | None
    flagged: bool
    evidence: tuple[Evidence, ...] = ()
    reason: str | None = None
    error: ItemError | None = None
    unsupported: tuple[Span, ...] = ()
    decided_by: str | None = None
    signs: Mapping[str, float] = field(default_factory=dict, compare=False)

    @classmethod
    def failed(cls, claim_id: str, error: ItemError) -> Judgement:
        return cls(claim_id, None, None, flagged=False, error=error)

    def __repr__(self) -> str:
        error = None if self.error is None else str(self.error)
        flagged = self.flagged if error is None else None
        return shown(
            "Judgement",
            label=self.label,
            p_inconsistent=self.p_inconsistent,
            flagged=flagged,
            reason=self.reason,
            error=error,
        )


@dataclass(frozen=True, slots=True)
class CheckTask:
    """One text with its claims and all its passages."""

    text: Text
    claims: tuple[Claim, ...]
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim with its verdict."""

    claim: Claim
    judgement: Judgement

    @property
    def uncertain(self) -> bool:
        """Whether it is not flagged, but has a p_inconsistent of UNCERTAIN or more."""
        p = self.judgement.p_inconsistent
        return p is not None and p >= UNCERTAIN and not self.judgement.flagged


class Status(StrEnum):
    """The outcome of a proposed correction. A suggested edit is offered and not made: it is too little probable."""

    APPLIED = "applied"
    SUGGESTED = "suggested"
    REJECTED = "rejected"
    UNSUPPORTED = "unsupported"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the words `old` at `span` by `new`. All other characters stay unchanged."""

    span: Span
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class CorrectTask:
    """A flagged claim of a text, its verdict, and all passages."""

    text: Text
    claim: Claim
    judgement: Judgement
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class SlotProposal:
    """New words of the claim's subject, predicate and object, or of its whole sentence if it has no slots.

    `parts`: one text for each slot, or one for the sentence. `score`: larger is better.
    """

    parts: tuple[str, ...]
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class TextProposal:
    """The whole text rewritten. Only changes of the claim's words are applied. `score`: larger is better."""

    text: str
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class EditProposal:
    """Edits of the claim's words. `score`: larger is better.

    `probability`: that a person would make these edits, in [0, 1], or None where the corrector gives none.
    """

    edits: tuple[Edit, ...]
    score: float = 1.0
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The context contains nothing that could replace the claim. `score`: larger is better.

    `deletions`: what could be left out instead of the whole sentence, the smallest first.
    """

    score: float = 1.0
    deletions: tuple[tuple[Edit, ...], ...] = ()


Proposal = SlotProposal | TextProposal | EditProposal | Unsupported  # of a corrector, for one flagged claim


@dataclass(frozen=True, slots=True)
class Correction:
    """The edits of one flagged claim, their status and its reason.

    `edits`: those of the revised text, or with the status `suggested` those that are offered instead. `p_before`,
    `p_after`: p_inconsistent of the claim. `p_after` is None if the claim was not corrected. `probability`: that a
    person would make these edits, in [0, 1], or None where the corrector gives none.
    """

    claim_id: str
    edits: tuple[Edit, ...]
    status: Status
    reason: str | None
    p_before: float
    p_after: float | None = None
    probability: float | None = None

    @property
    def is_made(self) -> bool:
        """Whether the revised text has the edits."""
        return self.status in (Status.APPLIED, Status.UNSUPPORTED) and bool(self.edits)

    @property
    def is_judged(self) -> bool:
        """Whether the edits are made, and the claim was judged again with them."""
        return self.is_made and self.p_after is not None


@dataclass(frozen=True, slots=True)
class Revision:
    """The corrected response, one correction for each flagged claim, and the result of checking it again.

    `result` is None if there was no edit.
    """

    text: str
    corrections: tuple[Correction, ...]
    result: Result | None = None

    @property
    def final_text(self) -> str:
        """The text after the last round of correction."""
        further = self.result.revision if self.result else None
        return further.final_text if further else self.text


class Relation(StrEnum):
    """The relation of a claim of the response to a claim of the context: a relationship type in the graph."""

    REFUTED_BY = "REFUTED_BY"
    SUPPORTED_BY = "SUPPORTED_BY"


@dataclass(frozen=True, slots=True)
class Link:
    """A link from a claim of the response to a claim of the context."""

    __pydantic_config__: ClassVar = IN_FILES

    claim_id: str
    relation: Relation
    context_claim_id: str


@dataclass(frozen=True, slots=True)
class Result:
    """The output for one record of the input.

    `n`: the number of the record, from 0, for display. It need not be unique. `label` is None if `error` is set or
    nothing was judged. `flagged_rate`: the share of its claims that are flagged. `context_claims`: claims of the
    evidence, after a correction. Their `text_id` is the id of their passage. `links`: from claims of the response to
    `context_claims`. `fields`: JSON values that other stages add, by name.
    """

    __pydantic_config__: ClassVar = IN_FILES

    n: int
    example: Example | None
    claims: tuple[Claim, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    label: Label | None = None
    p_inconsistent: float | None = None
    revision: Revision | None = None
    error: ItemError | None = None
    context_claims: tuple[Claim, ...] = ()
    links: tuple[Link, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    flagged_rate: float | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Claims with their verdicts. Empty before the claims are judged."""
        if not self.judgements:
            return ()
        return tuple(Finding(c, j) for c, j in zip(self.claims, self.judgements, strict=True))

    @property
    def flagged(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.judgement.flagged)

    @property
    def uncertain(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.uncertain)

    @property
    def refutations(self) -> dict[str, list[Claim]]:
        """Claims of the context, by the id of the claim that they refute."""
        by_id = {claim.id: claim for claim in self.context_claims}
        refuting: dict[str, list[Claim]] = {}
        for link in self.links:
            if link.relation is Relation.REFUTED_BY:
                refuting.setdefault(link.claim_id, []).append(by_id[link.context_claim_id])
        return refuting

    @property
    def inconsistent(self) -> bool:
        """Whether the verdict on the response is Neutral or Contradiction."""
        return self.label in (Label.NEUTRAL, Label.CONTRADICTION)

    @property
    def name(self) -> str:
        """The id of the record, also of one that failed. Its number, from 1, if it has no id."""
        if self.example is not None:
            return self.example.id
        return (self.error.id if self.error else None) or str(self.n + 1)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: those of a line of results.jsonl."""
        values: dict[str, Any] = json.loads(above("formats.results").to_json(self))
        return values

    def to_dataframe(self) -> DataFrame:
        """One row for each claim, with the columns of the CSV format. Raises MissingPartError without pandas."""
        frame: DataFrame = above("formats.dataframe").dataframe([self])
        return frame

    def _repr_html_(self) -> str:
        html: str = above("reports.notebook").result_html(self)
        return html

    def __repr__(self) -> str:
        claims = len(self.claims)
        flagged = f"{len(self.flagged)} of {claims} claim{'s' * (claims != 1)}" if self.judgements else None
        values: dict[str, object] = {"label": self.label, "p_inconsistent": self.p_inconsistent, "flagged": flagged}
        if self.error is not None:
            values["error"] = str(self.error)
        elif flagged is None:
            values["claims"] = claims
        return shown("Result", id=self.name, **values)


@dataclass(frozen=True, slots=True)
class Run:
    """Identity of a run. Timings and paths are excluded."""

    stage: str
    settings: Mapping[str, Any]
    fingerprints: Mapping[str, str]
    versions: Mapping[str, str]
    input: str

    @property
    def id(self) -> str:
        """A hash of all fields."""
        return content_hash(
            "run", self.stage, dict(self.settings), dict(self.fingerprints), dict(self.versions), self.input
        )
