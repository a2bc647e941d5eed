"""Consistency of the graph: each claim of the response against the claims and the text of each sample.

FactSelfCheck (arXiv 2503.17229) asks a large language model whether each edge of the graph is in a sample. Here an edge
that a sample states in the same words is supported by it. All others are judged by a checker, with the sample as the
only passage. A sample supports a claim if the label is Entailment. It contradicts it if the label is Contradiction and
something in the sample is about the claim: it shares words of the predicate or of the object, not only the subject.

The score of a claim is the mean of its p_inconsistent over the samples, 0 where a sample states it in the same words:
with a calibrated checker the expected share of samples that do not support it. A sample speaks against a sentence as
much as against the most doubtful of its claims. The score of a sentence is the mean of that over the samples. A
comparison that fails is left out of these means and named; a response none of whose claims could be judged is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graph_eval.checkers.checker import Checker
from graph_eval.checkers.threshold import as_checker
from graph_eval.checkers.windows import terms
from graph_eval.consistency.method import (
    STAGE,
    ClaimScore,
    Consistency,
    Method,
    SampleLink,
    SampleTask,
    SentenceScore,
    mean,
    of_sentences,
)
from graph_eval.registry import create, method
from graph_eval.settings import Settings
from graph_eval.text.normalise import ARTICLES, readable, words
from graph_eval.text.sentences import sentences
from graph_eval.types import CheckTask, Claim, ItemError, Judgement, Kind, Label, Passage, Relation, Span, Text

VERSION = "graph-4"
BUILTIN = "builtin"
MIN_SHARED_TERMS = 0.34  # share of the terms of the shorter claim that a claim about the same thing must have
COPULAS = frozenset({"is", "are", "was", "were"})
RELATIONS = {Label.ENTAILMENT: Relation.SUPPORTED_BY, Label.CONTRADICTION: Relation.REFUTED_BY}
Key = tuple[tuple[str, ...], ...]


class Comparison(NamedTuple):
    """A claim against one sample. `p`: that the sample does not support it; None if that could not be judged, for the
    reason `error`."""

    p: float | None
    link: SampleLink | None = None
    error: ItemError | None = None


@method("graph", argument="[CHECKER]", example="graph:llm:openai/gpt-4o-mini")
class GraphMethod(Method):
    """`checker`: judges the claims that a sample does not state in the same words; the builtin one by default."""

    needs_claims = True

    def __init__(self, checker: Checker) -> None:
        self.checker = as_checker(checker)
        self.parts = (self.checker,)
        self.reads = self.checker.reads
        self.english_only = self.checker.english_only

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> GraphMethod:
        # A threshold of the settings is that of the verdict against the context, perhaps by another checker.
        return cls(create("checker", argument or BUILTIN, settings.replace(threshold=None)))

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.checker.fingerprint}@{self.checker.threshold}"

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency | ItemError]:
        stated = [
            [exact_matches(task.claims, claims) for claims in _sample_claims(task)] for task in tasks
        ]  # by task and by sample
        checks = [
            CheckTask(task.text, _rest(task.claims, matches), (Passage.of(statement),))
            for task, by_sample in zip(tasks, stated, strict=True)
            for statement, matches in zip(task.theirs(), by_sample, strict=True)
        ]
        # Equal samples of a response are judged once.
        distinct = list(dict.fromkeys(checks))
        verdicts = dict(zip(distinct, self.checker.check(distinct), strict=True))
        judged = iter(checks)
        return [
            _consistency(
                task, [_column(task, place, matches, verdicts[next(judged)]) for place, matches in enumerate(by)]
            )
            for task, by in zip(tasks, stated, strict=True)
        ]


def _sample_claims(task: SampleTask) -> Sequence[Sequence[Claim]]:
    return task.sample_claims or [()] * len(task.samples)


def _rest(claims: Sequence[Claim], matches: dict[str, Claim]) -> tuple[Claim, ...]:
    return tuple(claim for claim in claims if claim.id not in matches)


def exact_matches(claims: Sequence[Claim], others: Sequence[Claim]) -> dict[str, Claim]:
    """The first of the other claims that states the same in the same words, by the id of the claim.

    Case, articles and marks do not count.
    """
    by_key: dict[Key, Claim] = {}
    for other in others:
        by_key.setdefault(claim_key(other), other)
    return {claim.id: by_key[key] for claim in claims if (key := claim_key(claim)) in by_key and any(key)}


def claim_key(claim: Claim) -> Key:
    """What two claims with the same words have in common: the words of each slot, or of the sentence."""
    texts = [slot.text for slot in claim.slots] if claim.kind is Kind.TRIPLET else [claim.text]
    return tuple(tuple(word for word, _ in words(text) if word not in ARTICLES) for text in texts)


def _column(
    task: SampleTask, place: int, matches: dict[str, Claim], verdicts: Sequence[Judgement] | ItemError
) -> list[Comparison]:
    """The claims of a task against one sample. `verdicts`: on those that it does not state in the same words."""
    judged = iter(() if isinstance(verdicts, ItemError) else verdicts)
    column = []
    for claim in task.claims:
        if claim.id in matches:
            column.append(Comparison(0.0, SampleLink(place, Relation.SUPPORTED_BY, matches[claim.id])))
        elif isinstance(verdicts, ItemError):
            column.append(Comparison(None, error=verdicts))
        else:
            column.append(_compared(claim, next(judged), place, task))
    return column


def _compared(claim: Claim, judgement: Judgement, place: int, task: SampleTask) -> Comparison:
    if judgement.error is not None or judgement.p_inconsistent is None or judgement.label is None:
        return Comparison(None, error=judgement.error or ItemError(STAGE, "the checker gave no probability"))
    relation = RELATIONS.get(judgement.label)
    if relation is None:
        return Comparison(judgement.p_inconsistent)
    sample = task.samples[place]
    evidence = judgement.evidence[0].span if judgement.evidence else Span(0, len(task.theirs()[place]))
    evidence = in_sample(evidence, task.theirs()[place], sample.text)
    find = denied_by if relation is Relation.REFUTED_BY else said_by
    said = find(sample, claim, evidence, _sample_claims(task)[place])
    return Comparison(judgement.p_inconsistent, None if said is None else SampleLink(place, relation, said))


def in_sample(span: Span, statement: str, sample: str) -> Span:
    """A place of a sample's statement as a place of the sample.

    A statement is the sample, or begins with a bare answer that was completed ("The capital is Oslo. It ..." for
    "Oslo. It ..."); both end with the same text. What lies in that beginning is the beginning of the sample.
    """
    if statement == sample:
        return span
    opening = next((item.span for item in sentences(sample)), Span(0, len(sample)))
    longer = len(statement) - len(sample)
    start, end = span.start - longer, span.end - longer
    if start < opening.end:  # it begins in the completed sentence
        return Span(0, max(opening.end, end))
    return Span(start, end)


def said_by(sample: Text, claim: Claim, evidence: Span, claims: Sequence[Claim]) -> Claim:
    """What the sample says on a claim: its own claim there that shares the most terms, else the sentence that does."""
    wanted = terms(claim.text)
    near = [other for other in claims if other.sentence.overlaps(evidence)]
    ranked = [(_share(wanted, terms(other.text)), other.kind is Kind.TRIPLET, other) for other in near]
    best = max(ranked, key=lambda entry: entry[:2], default=None)
    if best is not None and best[0] >= MIN_SHARED_TERMS:
        return best[2]
    spans = [item.span for item in sentences(sample.text) if item.span.overlaps(evidence)] or [evidence]
    return _stated(sample, max(spans, key=lambda span: len(terms(span.of(sample.text)) & wanted)))


def denied_by(sample: Text, claim: Claim, evidence: Span, claims: Sequence[Claim]) -> Claim | None:
    """What the sample says instead of a claim. None if it says nothing about it: a checker can take other facts about
    the same subject for a contradiction.

    A claim of the sample comes before a sentence, and what stands in the evidence before all else.
    """
    known = [*claims, *(_stated(sample, item.span) for item in sentences(sample.text))]
    about = [(_about(claim, other), other) for other in known]
    found = [
        ((other.sentence.overlaps(evidence), *nearness, other.kind is Kind.TRIPLET), other)
        for nearness, other in about
        if nearness is not None
    ]
    return max(found, key=lambda entry: entry[0])[1] if found else None


def _about(claim: Claim, other: Claim) -> tuple[bool, float] | None:
    """Whether the other one shares words of the predicate, and the share of all terms. None: it is about something
    else, since it shares the subject at most."""
    theirs = terms(other.text)
    share = _share(terms(claim.text), theirs)
    if claim.kind is not Kind.TRIPLET:
        return (False, share) if share >= MIN_SHARED_TERMS else None
    subject, predicate, _ = (slot.text for slot in claim.slots)
    same = bool(terms(predicate) & theirs) or (_is_copula(claim) and _is_copula(other))
    return (same, share) if same or (terms(claim.text) - terms(subject)) & theirs else None


def _is_copula(claim: Claim) -> bool:
    """Whether the claim says what its subject is: "Bohr was a chemist"."""
    return claim.kind is Kind.TRIPLET and claim.slots[1].text.lower() in COPULAS


def _stated(sample: Text, span: Span) -> Claim:
    """A sentence of the sample as a claim."""
    return Claim.whole(sample.id, readable(span.of(sample.text)), span)


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))


def _consistency(task: SampleTask, columns: Sequence[Sequence[Comparison]]) -> Consistency | ItemError:
    """`columns`: one for each sample, with an entry for each claim."""
    rows = list(zip(*columns, strict=True)) if task.claims else []
    claims = [_claim(claim, row) for claim, row in zip(task.claims, rows, strict=True)]
    if claims and all(claim.score is None for claim in claims):
        error = next(comparison.error for comparison in rows[0] if comparison.error is not None)
        return ItemError(STAGE, f"no claim could be compared: {error.message}", error.hint)
    found = [_sentence(span, task.claims, rows) for span in task.sentences]
    return of_sentences(found, claims)


def _claim(claim: Claim, row: Sequence[Comparison]) -> ClaimScore:
    links = tuple(comparison.link for comparison in row if comparison.link is not None)
    supported = sum(link.relation is Relation.SUPPORTED_BY for link in links)
    values = tuple(comparison.p for comparison in row if comparison.p is not None)
    counts = (supported, len(links) - supported, len(values), links)
    score = mean(values) if values else None
    errors = [comparison.error for comparison in row if comparison.error is not None]
    if not errors:
        return ClaimScore(claim.id, score, *counts, by_sample=values)
    message = f"{len(errors)} of {len(row)} samples could not be compared: {errors[0].message}"
    return ClaimScore(claim.id, score, *counts, error=ItemError(STAGE, message, errors[0].hint))


def _sentence(span: Span, claims: Sequence[Claim], rows: Sequence[Sequence[Comparison]]) -> SentenceScore:
    """The claims of the sentence decide. Without a claim there is nothing to compare."""
    own = [row for claim, row in zip(claims, rows, strict=True) if claim.sentence.overlaps(span)]
    columns = [[comparison.p for comparison in column if comparison.p is not None] for column in zip(*own, strict=True)]
    worst = tuple(max(column) for column in columns if column)
    if not worst:
        return SentenceScore(span, None)
    return SentenceScore(span, mean(worst), worst if len(worst) == len(columns) else ())
