"""Retrieval on RefChecker's noisy questions (arXiv 2405.14486): 62 questions of MS MARCO, each with about ten passages,
and the claims of seven language models, which people labelled against these passages.

All passages are one corpus. Recall@k is the share of claims with a passage of the same question among the first k, by
retriever and by what is asked. Precision@5 is the share of the first five that are of the same question.

Then the checker judges each claim, on the passages of its question and on those that each retriever finds for it. A
claim that people did not label Entailment is inconsistent. `deciding` is the share of claims that are not flagged on
the given passages, for which the passage that decided so is among those that were found.

Intervals are percentiles over resamples of questions, since the claims of a question depend on each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from graph_eval.bench.benchmark import Bench, Benchmark, Measurement, Table
from graph_eval.bench.sets.refchecker import ORIGIN, LabelledAnswer, read_answers
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.threshold import as_checker
from graph_eval.chunks import chunks
from graph_eval.errors import InputError
from graph_eval.extractors.wording import as_sentence
from graph_eval.formats.labelled import Track
from graph_eval.isolation import isolated
from graph_eval.metrics import Array, Sample, auc, balanced_accuracy, mean, weights
from graph_eval.registry import create
from graph_eval.retrieve.bm25 import BM25Retriever
from graph_eval.retrieve.corpus import Corpus
from graph_eval.retrieve.dense import DenseRetriever
from graph_eval.retrieve.fuse import reciprocal_rank_fusion
from graph_eval.retrieve.hybrid import HybridRetriever
from graph_eval.retrieve.queries import claim_query, other_queries
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.settings import Settings
from graph_eval.types import CheckTask, Claim, ItemError, Judgement, Label, Passage, Slot, Span, Text, content_hash
from graph_eval.version import versions

SETTING = "noisy_context"
DEPTHS = (1, 5, 20)
K = 5  # passages that a claim is judged on, as by default
KS = (1, 3, 5, 10, 20)  # the same for hybrid
UNDECIDED = 0.5  # the score of a claim that could not be judged
TOGETHER = 32  # claims that are judged in one call
FORMS: Mapping[str, Callable[[Claim, str], list[Query]]] = {
    "question": lambda _, question: [Query(question)],
    "claim query": lambda claim, question: [claim_query(claim, question)],
    "claim query without question": lambda claim, _: [claim_query(claim, None)],
    "triplet": lambda claim, _: [Query(claim.text)],
    "RRF of triplet, its ends, question": other_queries,
}
RECALLED = ("retriever", "query", *(f"recall@{depth}" for depth in DEPTHS), f"precision@{K}")
JUDGED = ("passages", "k", "by", "errors", "auc", "accuracy", "auc_above_given")
SIGNED = ("auc_above_given",)
ASKED = "claim query"  # what the stage `ground` asks
Rankings = Sequence[Sequence[Passage]]


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim with the passages of its question. `label` 1: people did not find it entailed by them."""

    id: str
    question: str
    response: str  # the id of the response that it is of
    text: Text
    claim: Claim
    passages: tuple[Passage, ...]
    label: int


@dataclass(frozen=True)
class Retrieval(Benchmark):
    """Recall of the passages, and the verdicts on them. The limit is the number of questions."""

    name = "retrieval"
    title = "The search for passages"

    def measure(self, bench: Bench) -> Measurement:
        settings = bench.settings
        claims = list(read(bench.folder(), bench.limit))
        corpus = Corpus.of(passage for item in claims for passage in item.passages)
        retrievers = retrievers_of(corpus, settings)
        checker = as_checker(create("checker", settings.checker, settings), settings.threshold)
        drawn = drawn_by_question(claims)
        found: dict[tuple[str, str], Rankings] = {}
        pairs = [(name, form) for name in retrievers for form in FORMS]
        for name, form in bench.track(iter(pairs), len(pairs), "searching"):
            queries = [FORMS[form](item.claim, item.question) for item in claims]
            found[name, form] = ranked(retrievers[name], queries, max(DEPTHS), settings.retrieval.fusion_k)
        recalls = [
            {"retriever": name, "query": form, **recall(claims, rankings, drawn)}
            for (name, form), rankings in found.items()
        ]
        judged = verdicts(claims, {name: found[name, ASKED] for name in retrievers}, checker, drawn, bench.track)
        parts = {name: retriever.fingerprint for name, retriever in retrievers.items()}
        return Measurement(
            [
                Table("recall", "Passages of the claim's question among the first", recalls, RECALLED),
                Table(
                    "verdicts", "Verdicts on what was found, beside those on the given passages", judged, JUDGED, SIGNED
                ),
            ],
            [{"id": item.id, "question": item.question, "label": item.label} for item in claims],
            data={
                "questions": len({item.question for item in claims}),
                "claims": len(claims),
                "inconsistent": sum(item.label for item in claims),
                "passages": len(corpus.passages),
                "digest": corpus.digest,
            },
            about={
                "settings": settings.affecting_results(("checker", *checker.reads, "ground_encoder", "fusion_k")),
                "fingerprints": {"checker": checker.fingerprint, **parts},
                "versions": versions() | {"bm25s": version("bm25s")},
                "threshold": checker.threshold,
            },
        )


def read(data: Path, limit: int | None = None) -> Iterator[LabelledClaim]:
    """The claims of the first `limit` questions. Raises InputError if the file does not exist or is another one."""
    answers = [answer for answer in read_answers(data) if answer.setting == SETTING]
    if not answers:
        raise InputError(f"{data} has no claim of the setting {SETTING}", f"download them from {ORIGIN}")
    chosen = set(islice(dict.fromkeys(answer.question for answer in answers), limit))
    for answer in answers:
        if answer.question in chosen:
            yield from _labelled(answer)


def _labelled(answer: LabelledAnswer) -> Iterator[LabelledClaim]:
    for item in answer.triplets:
        wording = as_sentence(" ".join(item.triplet))
        text = Text(content_hash(answer.question, wording), wording, answer.question)
        subject, predicate, object_ = item.triplet
        slots = (Slot(subject, inferred=True), Slot(predicate, inferred=True), Slot(object_, inferred=True))
        response = answer.id.removeprefix(f"{SETTING}/")
        yield LabelledClaim(
            f"{response}/{item.index}",
            answer.question,
            response,
            text,
            Claim.triplet(text.id, slots, wording, Span(0, len(wording))),
            answer.passages,
            int(item.label is not Label.ENTAILMENT),
        )


def retrievers_of(corpus: Corpus, settings: Settings) -> dict[str, Retriever]:
    words = BM25Retriever(corpus)
    dense = DenseRetriever(corpus, None, settings.retrieval.ground_encoder)
    return {"bm25": words, "dense": dense, "hybrid": HybridRetriever([words, dense], settings.retrieval.fusion_k)}


def drawn_by_question(claims: Sequence[LabelledClaim]) -> Array:
    """How often each claim is drawn, with all others of its question: (1 + resamples, claims)."""
    places = {question: place for place, question in enumerate(dict.fromkeys(item.question for item in claims))}
    return weights(len(places))[:, [places[item.question] for item in claims]]


# ---- recall ----


def ranked(retriever: Retriever, queries: Sequence[Sequence[Query]], depth: int, fusion_k: float) -> Rankings:
    """For each claim the first `depth` passages. Those of several queries are joined by reciprocal rank fusion.

    Each distinct query is asked once. Raises InputError if a search fails.
    """
    distinct = list(dict.fromkeys(query for some in queries for query in some))
    found: dict[Query, Sequence[Passage]] = {}
    for query, ranking in zip(distinct, retriever.retrieve(distinct, depth), strict=True):
        if isinstance(ranking, ItemError):
            raise InputError(str(ranking), ranking.hint)
        found[query] = ranking
    return [_joined([found[query] for query in some], depth, fusion_k) for some in queries]


def _joined(rankings: Rankings, depth: int, fusion_k: float) -> Sequence[Passage]:
    if len(rankings) == 1:
        return rankings[0]
    return [passage for passage, _ in reciprocal_rank_fusion(rankings, fusion_k)][:depth]


def recall(claims: Sequence[LabelledClaim], rankings: Rankings, drawn: Array) -> dict[str, Any]:
    """Recall@k and precision@5, and for each claim the first rank, from 1, of a passage of its question."""
    right = [
        np.array([passage.id in {given.id for given in item.passages} for passage in ranking], dtype=bool)
        for item, ranking in zip(claims, rankings, strict=True)
    ]
    row: dict[str, Any] = {}
    for depth in DEPTHS:
        hits = np.array([float(found[:depth].any()) for found in right])
        row[f"recall@{depth}"] = mean(hits, drawn).figure()._asdict()
    row[f"precision@{K}"] = mean(np.array([found[:K].sum() / K for found in right]), drawn).figure()._asdict()
    row["ranks"] = [int(found.argmax()) + 1 if found.any() else None for found in right]
    return row


# ---- verdicts ----


def verdicts(
    claims: Sequence[LabelledClaim], found: Mapping[str, Rankings], checker: Checker, drawn: Array, track: Track
) -> list[dict[str, Any]]:
    """A row for the given passages, for the first five of each retriever, and for other numbers of those of hybrid.

    `by` of a row: a claim is judged on what was found for it, or on all that was found for the claims of its response,
    as the stage `ground` judges.
    """
    rows: list[dict[str, Any]] = []
    given = [item.passages for item in claims]
    base = _judged(claims, given, checker, track, "given")
    labels = np.array([float(item.label) for item in claims])
    first = _statistics(labels, base, drawn)
    rows.append(_row("given", None, "claim", base, first, None))
    plan = [(name, K, "claim") for name in found if name != "hybrid"]
    plan += [("hybrid", k, "claim") for k in KS] + [("hybrid", K, "response")]
    for name, k, by in plan:
        some = [tuple(ranking[:k]) for ranking in found[name]]
        if by == "response":
            some = _of_responses(claims, some)
        judged = _judged(claims, some, checker, track, f"{name}, {k} passages of a {by}")
        row = _row(name, k, by, judged, _statistics(labels, judged, drawn), first)
        rows.append(row | {"deciding": _deciding(base, some, drawn).figure()._asdict()})
    return rows


def _of_responses(claims: Sequence[LabelledClaim], found: Rankings) -> list[tuple[Passage, ...]]:
    """For each claim the passages of all claims of its response, each once."""
    together: dict[str, dict[str, Passage]] = defaultdict(dict)
    for item, passages in zip(claims, found, strict=True):
        together[item.response] |= {passage.id: passage for passage in passages}
    return [tuple(together[item.response].values()) for item in claims]


def _judged(
    claims: Sequence[LabelledClaim], passages: Rankings, checker: Checker, track: Track, name: str
) -> list[Judgement]:
    tasks = [CheckTask(item.text, (item.claim,), tuple(own)) for item, own in zip(claims, passages, strict=True)]
    judged = []
    for part in track(chunks(tasks, TOGETHER), -(-len(tasks) // TOGETHER), name):
        for task, item in zip(part, isolated("check", part, checker.check), strict=True):
            judged.append(Judgement.failed(task.claims[0].id, item) if isinstance(item, ItemError) else item[0])
    return judged


def _statistics(labels: Array, judged: Sequence[Judgement], drawn: Array) -> dict[str, Sample]:
    scores = np.array([UNDECIDED if item.p_inconsistent is None else item.p_inconsistent for item in judged])
    flagged = np.array([float(item.flagged) for item in judged])
    return {
        "auc": auc(labels, scores, drawn),
        "accuracy": mean((flagged == labels).astype(np.float64), drawn),
        "balanced_accuracy": balanced_accuracy(labels, flagged, drawn),
    }


def _row(
    passages: str,
    k: int | None,
    by: str,
    judged: Sequence[Judgement],
    statistics: Mapping[str, Sample],
    base: Mapping[str, Sample] | None,
) -> dict[str, Any]:
    row: dict[str, Any] = {"passages": passages, "k": k, "by": by}
    row |= {name: sample.figure()._asdict() for name, sample in statistics.items()}
    if base is not None:
        row["auc_above_given"] = statistics["auc"].above(base["auc"])._asdict()
        row["above_given"] = {name: sample.above(base[name])._asdict() for name, sample in statistics.items()}
    row["errors"] = sum(item.error is not None for item in judged)
    row["scores"] = [None if item.p_inconsistent is None else round(item.p_inconsistent, 6) for item in judged]
    return row


def _deciding(base: Sequence[Judgement], found: Rankings, drawn: Array) -> Sample:
    """Of the claims that are not flagged on the given passages, those whose deciding passage was found."""
    supported = np.array([float(not item.flagged and bool(item.evidence)) for item in base])
    hits = [
        float(bool(item.evidence) and item.evidence[0].passage_id in {passage.id for passage in passages})
        for item, passages in zip(base, found, strict=True)
    ]
    return mean(np.array(hits), drawn * supported)
