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
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graph_eval.bench.benchmark import Bench, PlanBenchmark, Row, Table, Work, grouped, without_errors
from graph_eval.bench.items import resampled
from graph_eval.bench.refchecker import GIVEN, run_of_triplets
from graph_eval.bench.sets.refchecker import ORIGIN, LabelledAnswer, read_answers
from graph_eval.errors import InputError
from graph_eval.extractors.wording import as_sentence
from graph_eval.metrics import Array, Sample, auc, balanced_accuracy, mean
from graph_eval.retrieve.bm25 import BM25Retriever
from graph_eval.retrieve.corpus import Corpus
from graph_eval.retrieve.dense import DenseRetriever
from graph_eval.retrieve.fuse import reciprocal_rank_fusion
from graph_eval.retrieve.hybrid import HybridRetriever
from graph_eval.retrieve.queries import claim_query, other_queries
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.settings import Settings
from graph_eval.sources import RunResults
from graph_eval.stage import example_of
from graph_eval.types import (
    Claim,
    Example,
    ItemError,
    Label,
    Passage,
    Result,
    Slot,
    Span,
    Text,
    content_hash,
)
from graph_eval.version import versions

SET, SETTING = "refchecker", "noisy_context"
SEARCH = "search"  # the route of the items of the searches
DEPTHS = (1, 5, 20)
K = 5  # passages that a claim is judged on, as by default
KS = (1, 3, 5, 10, 20)  # the same for hybrid
UNDECIDED = 0.5  # the score of a claim that could not be judged
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
RECALL = "Passages of the claim's question among the first"
VERDICTS = "Verdicts on what was found, beside those on the given passages"
ASKED = "claim query"  # what the stage `ground` asks
Rankings = Sequence[Sequence[Passage]]


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim with the passages of its question. `label` 1: people did not find it entailed by them."""

    id: str
    question: str
    response: str  # the id of the response that it is of
    claim: Claim
    passages: tuple[Passage, ...]
    label: int


class Route(NamedTuple):
    """A way to judge the claims: on the passages of the question (without `retriever`), or on the first `k` that the
    retriever finds. `by`: for the claim, or for all claims of its response, as the stage `ground` judges."""

    retriever: str | None = None
    k: int | None = None
    by: str = "claim"

    @property
    def name(self) -> str:
        return GIVEN if self.retriever is None else f"{self.retriever}, {self.k} passages of a {self.by}"


ROUTES = (
    Route(),
    Route("bm25", K),
    Route("dense", K),
    *(Route("hybrid", k) for k in KS),
    Route("hybrid", K, "response"),
)


@dataclass(frozen=True)
class Retrieval(PlanBenchmark):
    """Recall of the passages, and the verdicts on them. The limit is the number of questions."""

    name = "retrieval"
    title = "The search for passages"

    def work(self, bench: Bench) -> Iterator[Work]:
        search = _search(bench)
        claims = search.claims
        found = {name: search.rankings(name, ASKED) for name in search.retrievers}
        plan = bench.ge.plan("check")
        supporting: dict[int, str] = {}  # by claim: the given passage that decided that it is consistent
        for route in ROUTES:
            source = _with_passages(claims, _passages(route, claims, found))
            yield Work(SET, "verdicts", route.name, source, plan, supporting)

    def item(self, work: Work, result: Result) -> Row:
        """`label` 1: people did not find the claim entailed. `deciding`: whether the given passage was found that
        decided that the claim is consistent; None: there is no such passage."""
        example, (judgement,) = example_of(result), result.judgements
        p = judgement.p_inconsistent
        row: Row = {
            "id": example.id,
            "source": example.question,
            "label": example.meta["label"],
            "p_inconsistent": None if p is None else round(p, 6),
            "inconsistent": judgement.flagged,
        }
        if work.route == GIVEN:
            if judgement.evidence and not judgement.flagged:
                work.context[result.n] = judgement.evidence[0].passage_id
            return row
        supporting = work.context.get(result.n)
        found = {passage.id for passage in example.passages}
        return row | {"deciding": None if supporting is None else supporting in found}

    def derived(self, bench: Bench, items: Sequence[Row]) -> list[Row]:  # noqa: ARG002
        """An item for each claim, with what every search found for it."""
        search = _search(bench)
        pairs = [(name, form) for name in search.retrievers for form in FORMS]
        found = {
            f"{name}, {form}": places(search.claims, search.rankings(name, form))
            for name, form in bench.track(iter(pairs), len(pairs), "searching")
        }
        return [
            {
                "set": SET,
                "route": SEARCH,
                "n": n,
                "id": claim.id,
                "source": claim.question,
                "label": claim.label,
                "ranks": {name: own[n].rank for name, own in found.items()},
                "right": {name: own[n].right for name, own in found.items()},
            }
            for n, claim in enumerate(search.claims)
        ]

    def tables(self, items: Sequence[Row]) -> list[Table]:
        by_route = grouped(items, "route")
        searches = by_route[SEARCH]
        drawn = resampled(searches)
        return [
            Table("recall", RECALL, list(_recalls(searches, drawn)), RECALLED),
            Table("verdicts", VERDICTS, list(_verdicts(by_route, drawn)), JUDGED, SIGNED),
        ]

    def about(self, bench: Bench) -> Mapping[str, Any]:
        search = _search(bench)
        return {
            "questions": len({item.question for item in search.claims}),
            "claims": len(search.claims),
            "inconsistent": sum(item.label for item in search.claims),
            "passages": len({passage.id for item in search.claims for passage in item.passages}),
            "retrievers": {name: retriever.fingerprint for name, retriever in search.retrievers.items()},
            "search": bench.settings.affecting_results(("ground_encoder", "fusion_k")),
            "versions": versions() | {"bm25s": version("bm25s")},
        }


# ---- work ----


@dataclass
class Search:
    """The claims, the retrievers over all their passages, and what each search found, which is done once."""

    claims: Sequence[LabelledClaim]
    retrievers: Mapping[str, Retriever]
    fusion_k: float
    _found: dict[tuple[str, str], Rankings] = field(default_factory=dict)

    @classmethod
    def of(cls, bench: Bench) -> Search:
        claims = list(read(bench.folder(), bench.limit))
        corpus = Corpus.of(passage for item in claims for passage in item.passages)
        return cls(claims, retrievers_of(corpus, bench.settings), bench.settings.retrieval.fusion_k)

    def rankings(self, name: str, form: str) -> Rankings:
        """For each claim the passages that the retriever finds, asked in this form."""
        if (name, form) not in self._found:
            queries = [FORMS[form](item.claim, item.question) for item in self.claims]
            self._found[name, form] = ranked(self.retrievers[name], queries, max(DEPTHS), self.fusion_k)
        return self._found[name, form]


def _search(bench: Bench) -> Search:
    return bench.once(Retrieval.name, lambda: Search.of(bench))


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
        subject, predicate, object_ = item.triplet
        slots = (Slot(subject, inferred=True), Slot(predicate, inferred=True), Slot(object_, inferred=True))
        response = answer.id.removeprefix(f"{SETTING}/")
        yield LabelledClaim(
            f"{response}/{item.index}",
            answer.question,
            response,
            Claim.triplet(content_hash(answer.question, wording), slots, wording, Span(0, len(wording))),
            answer.passages,
            int(item.label is not Label.ENTAILMENT),
        )


def retrievers_of(corpus: Corpus, settings: Settings) -> dict[str, Retriever]:
    words = BM25Retriever(corpus)
    dense = DenseRetriever(corpus, None, settings.retrieval.ground_encoder)
    return {"bm25": words, "dense": dense, "hybrid": HybridRetriever([words, dense], settings.retrieval.fusion_k)}


def _passages(route: Route, claims: Sequence[LabelledClaim], found: Mapping[str, Rankings]) -> Rankings:
    """The passages that each claim is judged on."""
    if route.retriever is None:
        return [item.passages for item in claims]
    first = [ranking[: route.k] for ranking in found[route.retriever]]
    return first if route.by == "claim" else _of_responses(claims, first)


def _of_responses(claims: Sequence[LabelledClaim], found: Rankings) -> Rankings:
    """For each claim the passages of all claims of its response, each once."""
    together: dict[str, dict[str, Passage]] = defaultdict(dict)
    for item, passages in zip(claims, found, strict=True):
        together[item.response] |= {passage.id: passage for passage in passages}
    return [tuple(together[item.response].values()) for item in claims]


def _with_passages(claims: Sequence[LabelledClaim], passages: Rankings) -> RunResults:
    """The claims of people as results that have a claim, each with its passages, of which there may be none."""
    results = []
    for n, (item, own) in enumerate(zip(claims, passages, strict=True)):
        example = Example(item.id, SET, item.claim.text, tuple(own), item.question, meta={"label": item.label})
        results.append(Result(n, example, (item.claim.of_text(Text.of(example).id),)))
    # The id of a claim depends on its text, whose id is a hash of question, response and passages.
    digest = content_hash(*((result.claims[0].id, item.label) for result, item in zip(results, claims, strict=True)))
    return run_of_triplets(results, digest)


# ---- search ----


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


# ---- tables ----


def _recalls(searches: Sequence[Row], drawn: Array) -> Iterator[Row]:
    """A row for each search: a retriever and what it was asked."""
    for name in searches[0]["ranks"]:
        retriever, _, query = name.partition(", ")
        found = [Found(item["ranks"][name], item["right"][name]) for item in searches]
        yield {"retriever": retriever, "query": query, **recall(found, drawn)}


def recall(found: Sequence[Found], drawn: Array) -> Row:
    """Recall@k and precision@5."""
    row: Row = {}
    for depth in DEPTHS:
        hits = np.array([float(item.rank is not None and item.rank <= depth) for item in found])
        row[f"recall@{depth}"] = mean(hits, drawn).figure()._asdict()
    row[f"precision@{K}"] = mean(np.array([item.right / K for item in found]), drawn).figure()._asdict()
    return row


def _verdicts(by_route: Mapping[str, Sequence[Row]], drawn: Array) -> Iterator[Row]:
    """A row for each route. A claim that could not be judged is undecided and not flagged."""
    given: Mapping[str, Sample] = {}
    unjudged = {"p_inconsistent": None, "inconsistent": False, "deciding": None}
    for route in ROUTES:
        own = by_route[route.name]
        items = [
            {"label": search["label"], **unjudged, **item}
            for search, item in zip(by_route[SEARCH], own, strict=True)  # a failed item has no label of its own
        ]
        found = statistics(items, drawn)
        row: Row = {"passages": route.retriever or GIVEN, "k": route.k, "by": route.by}
        row |= {name: sample.figure()._asdict() for name, sample in found.items()}
        row |= {f"{name}_above_given": found[name].above(sample)._asdict() for name, sample in given.items()}
        row["errors"] = len(own) - len(without_errors(own))
        if given:
            row["deciding"] = deciding(items, drawn).figure()._asdict()
        yield row
        given = given or found


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
