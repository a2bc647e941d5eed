"""Measures the quality of extracted claims, without a checker.

Agreement compares claims with the human-checked triplets of RefChecker (arXiv 2405.14486). R@t is the share of
reference triplets for which a claim of the response has token F1 >= t, without articles. P@t is the share of claims for
which a reference triplet has token F1 >= t. Several claims may match one reference.

Coverage is the share of content words that are in a slot of a triplet, over the responses of every set. "Of what is
stated" excludes citations, preambles and sentences that state nothing. The table also counts two errors: a slot whose
words differ from those at its spans, and a sentence without a claim.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph_eval.bench.benchmark import Bench, PlanBenchmark, Row, Table, Work, grouped, without_errors
from graph_eval.bench.sets import published_set, title_of
from graph_eval.bench.sets.refchecker import LabelledAnswer, read_answers
from graph_eval.extractors.coverage import Coverage
from graph_eval.extractors.rules.extractor import prepare
from graph_eval.extractors.statement import states_something
from graph_eval.sources import Records
from graph_eval.text.normalise import content_words
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, Example, Kind, Result, Text

REFERENCE = "refchecker"
COVERED = ("qags-c", "qags-x", "summeval", "wikibio")
LEVELS = (0.5, 0.7)
COUNTS = (
    "triplets",
    "sentence_claims",
    "slots",
    "violations",
    "sentences",
    "sentences_that_state_nothing",
    "headings_of_lists",
    "sentences_without_a_claim",
)
WORDS = ("words", "covered", "words_stated", "covered_of_stated")


@dataclass(frozen=True)
class Extraction(PlanBenchmark):
    """The claims of an extractor against those of people, and how much of each response they cover."""

    name = "extraction"
    title = "Claims against human-checked triplets"

    def work(self, bench: Bench) -> Iterator[Work]:
        plan = bench.ge.plan("extract")
        answers = read_answers(bench.folder())[: bench.limit]
        triplets = {answer.id: answer for answer in answers}
        examples = [
            Example(answer.id, REFERENCE, answer.response, question=answer.question, model=answer.model)
            for answer in answers
        ]
        yield Work(REFERENCE, title_of(REFERENCE), "claims", Records(examples), plan, triplets)
        for name in COVERED:
            found = published_set(bench.folder(), name, bench.limit)
            yield Work(name, found.title, "claims", Records.labelled(found), plan)

    def item(self, work: Work, result: Result) -> Row:
        if result.example is None:
            raise ValueError(f"record {result.n} has no example")
        row: Row = {"id": result.example.id, "model": result.example.model}
        if work.context:
            row |= _matches(work.context[result.example.id], result.claims)
        return row | _coverage(result.example, result.claims)

    def tables(self, items: Sequence[Row]) -> list[Table]:
        reference = [item for item in without_errors(items) if item["set"] == REFERENCE]
        agreements = [{"model": "all", **agreement(reference)}]
        by_model = grouped(reference, "model")
        agreements += [{"model": model, **agreement(by_model[model])} for model in sorted(by_model)]
        coverage = [{"set": name, **completeness(some)} for name, some in grouped(items, "set").items()]
        coverage.append({"set": "all", **completeness(items)})
        return [
            Table("agreement", "Claims against RefChecker's human-checked triplets", agreements),
            Table("coverage", "How much of the responses the claims cover", coverage, across=True),
        ]


def _matches(answer: LabelledAnswer, claims: Sequence[Claim]) -> Row:
    """The agreement of one response's claims with its reference."""
    reference = [tokens(" ".join(item.triplet)) for item in answer.triplets]
    stated = [tokens(claim.text) for claim in claims]
    table = [[token_f1(a, b) for b in stated] for a in reference]
    row: Row = {"reference": len(reference), "claims": len(stated)}
    for level in LEVELS:
        row[f"found@{level}"] = sum(max(line, default=0.0) >= level for line in table)
        row[f"right@{level}"] = sum(
            max((line[column] for line in table), default=0.0) >= level for column in range(len(stated))
        )
    return row


def agreement(items: Sequence[Row]) -> Row:
    """Pooled recall and precision. None if there are no reference triplets or no claims."""

    def total(name: str) -> int:
        return sum(item[name] for item in items)

    def share(part: int, whole: int) -> float | None:
        return round(part / whole, 4) if whole else None

    figures: Row = {"responses": len(items), "reference": total("reference"), "claims": total("claims")}
    for level in LEVELS:
        figures[f"R@{level}"] = share(total(f"found@{level}"), total("reference"))
        figures[f"P@{level}"] = share(total(f"right@{level}"), total("claims"))
    return figures


def completeness(items: Sequence[Row]) -> Row:
    kept = without_errors(items)
    totals = {name: sum(item[name] for item in kept) for name in (*WORDS, *COUNTS)}
    return {
        "coverage": round(totals["covered"] / max(1, totals["words"]), 4),
        "coverage_of_what_is_stated": round(totals["covered_of_stated"] / max(1, totals["words_stated"]), 4),
        "responses": len(items),
        "failed": len(items) - len(kept),
        **{name: totals[name] for name in COUNTS},
    }


def _coverage(example: Example, claims: Sequence[Claim]) -> Row:
    counts = dict.fromkeys((*WORDS, *COUNTS), 0)
    text = example.response
    units = prepare(Text.of(example)).units
    cover = Coverage(slot.spans for claim in claims for slot in claim.slots)
    stated = {place for unit in units if unit.surface for place in unit.surface.offsets}
    for _, span in content_words(text):
        held = cover.holds(span.start)
        counts["words"] += 1
        counts["covered"] += held
        if span.start in stated:
            counts["words_stated"] += 1
            counts["covered_of_stated"] += held
    for claim in claims:
        counts["triplets"] += claim.kind is Kind.TRIPLET
        counts["sentence_claims"] += claim.kind is Kind.SENTENCE
        for slot in claim.slots:
            counts["slots"] += 1
            counts["violations"] += (
                not (slot.resolved or slot.inferred) and slot.verbatim(text).lower() != slot.text.lower()
            )
    for sentence in sentences(text):
        words = sentence.span.of(text)
        counts["sentences"] += 1
        if not states_something(words):
            counts["sentences_that_state_nothing"] += 1
        elif not any(claim.sentence.overlaps(sentence.span) for claim in claims):
            used = any(span.overlaps(sentence.span) for claim in claims for span in claim.spans)
            heading = words.rstrip("*_ ").endswith(":")
            counts["headings_of_lists" if heading or used else "sentences_without_a_claim"] += 1
    return counts


def tokens(text: str) -> Counter[str]:
    text = text.lower().replace("’", "'").replace("'s", " ")
    return Counter(word for word in re.findall(r"[a-z0-9]+(?:[.,][0-9]+)*", text) if word not in ("a", "an", "the"))


def token_f1(first: Counter[str], second: Counter[str]) -> float:
    common = (first & second).total()
    return 2 * common / (first.total() + second.total()) if common else 0.0
