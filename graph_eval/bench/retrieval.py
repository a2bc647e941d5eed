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
from typing import NamedTuple

import numpy as np

from graph_eval.bench.benchmark import Bench, Benchmark, Measurement, Row, Table
from graph_eval.bench.sets.refchecker import ORIGIN, LabelledAnswer, read_answers
from graph_eval.checkers.checker import Checker
from graph_eval.chunks import chunks
from graph_eval.errors import InputError
from graph_eval.extractors.wording import as_sentence
from graph_eval.formats.labelled import Track
from graph_eval.isolation import isolated
from graph_eval.metrics import Array, Sample, auc, balanced_accuracy, mean, weights
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

SET, SETTING = "refchecker", "noisy_context"
GIVEN = "given"  # the route on the passages of the claim's question
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
        settings, checker = bench.settings, bench.ge.checker
        claims = list(read(bench.folder(), bench.limit))
        corpus = Corpus.of(passage for item in claims for passage in item.passages)
        retrievers = retrievers_of(corpus, settings)
        drawn = drawn_by_question(claims)
        found: dict[tuple[str, str], Rankings] = {}
        pairs = [(name, form) for name in retrievers for form in FORMS]
        for name, form in bench.track(iter(pairs), len(pairs), "searching"):
            queries = [FORMS[form](item.claim, item.question) for item in claims]
            found[name, form] = ranked(retrievers[name], queries, max(DEPTHS), settings.retrieval.fusion_k)
        searched = {pair: places(claims, rankings) for pair, rankings in found.items()}
        recalls = [{"retriever": name, "query": form, **recall(own, drawn)} for (name, form), own in searched.items()]
        asked = {name: found[name, ASKED] for name in retrievers}
        judged, items = verdicts(claims, asked, checker, drawn, bench.track)
        return Measurement(
            [
                Table("recall", "Passages of the claim's question among the first", recalls, RECALLED),
                Table(
                    "verdicts", "Verdicts on what was found, beside those on the given passages", judged, JUDGED, SIGNED
                ),
            ],
            [*_searches(claims, searched), *items],
            {"check": bench.ge.plan("check")},
            {SET: content_hash(corpus.digest, *(f"{item.id} {item.text.id} {item.label}" for item in claims))},
            about={
                "questions": len({item.question for item in claims}),
                "claims": len(claims),
                "inconsistent": sum(item.label for item in claims),
                "passages": len(corpus.passages),
                "retrievers": {name: retriever.fingerprint for name, retriever in retrievers.items()},
                "search": settings.affecting_results(("ground_encoder", "fusion_k")),
                "versions": versions() | {"bm25s": version("bm25s")},
            },
        )


def _searches(claims: Sequence[LabelledClaim], searched: Mapping[tuple[str, str], Sequence[Found]]) -> Iterator[Row]:
    """An item for each claim, with what every search found for it."""
    for n, claim in enumerate(claims):
        own = {", ".join(pair): found[n] for pair, found in searched.items()}
        yield {
            **_place(claim, n, "search"),
            "ranks": {name: found.rank for name, found in own.items()},
            "right": {name: found.right for name, found in own.items()},
        }


def _place(claim: LabelledClaim, n: int, route: str) -> Row:
    return {"set": SET, "route": route, "n": n, "id": claim.id, "question": claim.question, "label": claim.label}


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


class Found(NamedTuple):
    """The first rank, from 1, of a passage of the claim's question, and the number of them among the first five."""

    rank: int | None
    right: int


def places(claims: Sequence[LabelledClaim], rankings: Rankings) -> list[Found]:
    found = []
    for item, ranking in zip(claims, rankings, strict=True):
        given = {passage.id for passage in item.passages}
        ranks = [rank for rank, passage in enumerate(ranking, 1) if passage.id in given]
        found.append(Found(min(ranks, default=None), sum(rank <= K for rank in ranks)))
    return found


def recall(found: Sequence[Found], drawn: Array) -> Row:
    """Recall@k and precision@5."""
    row: Row = {}
    for depth in DEPTHS:
        hits = np.array([float(item.rank is not None and item.rank <= depth) for item in found])
        row[f"recall@{depth}"] = mean(hits, drawn).figure()._asdict()
    row[f"precision@{K}"] = mean(np.array([item.right / K for item in found]), drawn).figure()._asdict()
    return row


# ---- verdicts ----


def verdicts(
    claims: Sequence[LabelledClaim], found: Mapping[str, Rankings], checker: Checker, drawn: Array, track: Track
) -> tuple[list[Row], list[Row]]:
    """A row for the given passages, for the first five of each retriever, and for other numbers of those of hybrid.

    `by` of a row: a claim is judged on what was found for it, or on all that was found for the claims of its response,
    as the stage `ground` judges. Behind the rows: an item for each row and claim.
    """
    rows: list[Row] = []
    items: list[Row] = []
    given = [item.passages for item in claims]
    base = _judged(claims, given, checker, track, GIVEN)
    own = [_item(item, n, GIVEN, judged) for n, (item, judged) in enumerate(zip(claims, base, strict=True))]
    first = statistics(own, drawn)
    rows.append(_row(GIVEN, None, "claim", own, first, None))
    items += own
    plan = [(name, K, "claim") for name in found if name != "hybrid"]
    plan += [("hybrid", k, "claim") for k in KS] + [("hybrid", K, "response")]
    for name, k, by in plan:
        some = [tuple(ranking[:k]) for ranking in found[name]]
        if by == "response":
            some = _of_responses(claims, some)
        route = f"{name}, {k} passages of a {by}"
        judged = _judged(claims, some, checker, track, route)
        own = [
            _item(claim, n, route, one) | {"deciding": _deciding(before, passages)}
            for n, (claim, one, before, passages) in enumerate(zip(claims, judged, base, some, strict=True))
        ]
        row = _row(name, k, by, own, statistics(own, drawn), first)
        rows.append(row | {"deciding": deciding(own, drawn).figure()._asdict()})
        items += own
    return rows, items


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


def _item(claim: LabelledClaim, n: int, route: str, judged: Judgement) -> Row:
    p = judged.p_inconsistent
    return {
        **_place(claim, n, route),
        "p_inconsistent": None if p is None else round(p, 6),
        "inconsistent": judged.flagged,
        "failed": judged.error is not None,
    }


def _deciding(base: Judgement, passages: Sequence[Passage]) -> bool | None:
    """Whether the passage was found that supports the claim. None: no given passage does."""
    if base.flagged or not base.evidence:
        return None
    return base.evidence[0].passage_id in {passage.id for passage in passages}


def statistics(items: Sequence[Row], drawn: Array) -> dict[str, Sample]:
    """Of the claims of one route."""
    labels = np.array([float(item["label"]) for item in items])
    scores = np.array([UNDECIDED if item["p_inconsistent"] is None else item["p_inconsistent"] for item in items])
    flagged = np.array([float(item["inconsistent"]) for item in items])
    return {
        "auc": auc(labels, scores, drawn),
        "accuracy": mean((flagged == labels).astype(np.float64), drawn),
        "balanced_accuracy": balanced_accuracy(labels, flagged, drawn),
    }


def deciding(items: Sequence[Row], drawn: Array) -> Sample:
    """Of the claims that a given passage supports, those for which that passage was found."""
    supported = np.array([float(item["deciding"] is not None) for item in items])
    return mean(np.array([float(bool(item["deciding"])) for item in items]), drawn * supported)


def _row(
    passages: str,
    k: int | None,
    by: str,
    items: Sequence[Row],
    found: Mapping[str, Sample],
    base: Mapping[str, Sample] | None,
) -> Row:
    row: Row = {"passages": passages, "k": k, "by": by}
    row |= {name: sample.figure()._asdict() for name, sample in found.items()}
    if base is not None:
        row |= {f"{name}_above_given": sample.above(base[name])._asdict() for name, sample in found.items()}
    return row | {"errors": sum(item["failed"] for item in items)}
