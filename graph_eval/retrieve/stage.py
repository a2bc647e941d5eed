"""The stage `ground`: finds passages for responses without a context, before their claims are judged.

Each claim (or each response) becomes a query, transforms turn it into others, a retriever finds passages for each of
them, and reciprocal rank fusion joins the rankings. All passages of a response together are its context.

With several hops a claim on which the passages say nothing (Neutral) is asked for again in other words.
What was asked and found is the JSON value `Result.fields["grounding"]`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_eval.checkers.checker import Checker
from graph_eval.errors import UsageError
from graph_eval.isolation import isolated
from graph_eval.registry import create, names
from graph_eval.retrieve.foreign import as_retriever
from graph_eval.retrieve.fuse import fused
from graph_eval.retrieve.queries import VERSION as QUERIES
from graph_eval.retrieve.queries import claim_query, history_of, other_queries, response_queries
from graph_eval.retrieve.retriever import STAGE, Query, Retriever
from graph_eval.retrieve.transform.chain import TransformChain
from graph_eval.retrieve.transform.transform import Subject
from graph_eval.settings import Settings
from graph_eval.stage import Stage, commonest, example_of, record_name
from graph_eval.types import GROUNDING, CheckTask, Claim, Example, ItemError, Label, Passage, Result, Text, writable

VERSION = "ground-1"
DEEPER = 4  # times as many passages as are used are found for each of several queries
OWN = ("ground", "ground_by", "ground_passages", "ground_hops", "transform", "transform_with", "fusion_k")


class GroundStage(Stage):
    """Gives passages to each response that has none. Earlier verdicts on it go: they were on another context.

    `checker`: tells with several hops which claims are still Neutral. Raises UsageError for a transform that needs the
    fields of a corpus that has none.
    """

    name = STAGE

    def __init__(
        self, retriever: Retriever, transform: TransformChain, settings: Settings, checker: Checker | None = None
    ) -> None:
        self.retriever, self.transform = retriever, transform
        self._settings = settings
        self.hops = settings.retrieval.ground_hops
        self.checker = checker if self.hops > 1 else None
        if transform.needs_fields and not retriever.fields:
            raise UsageError(
                f"--transform {settings.retrieval.transform}: the passages have no fields that a filter could name",
                "leave out filter, or write the corpus as .jsonl files with further fields",
            )

    @property
    def settings(self) -> Mapping[str, Any]:
        judging = ("checker", "threshold", *self.checker.reads) if self.checker else ()
        return self._settings.affecting_results((*OWN, *self.retriever.reads, *self.transform.reads, *judging))

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{QUERIES}"

    @property
    def fingerprints(self) -> Mapping[str, str]:
        parts = {self.name: self.fingerprint, "retriever": self.retriever.fingerprint}
        parts |= {"transform": self.transform.fingerprint} if self.transform.transforms else {}
        return parts | ({"checker": self.checker.fingerprint} if self.checker else {})

    @property
    def roles(self) -> tuple[str, ...]:
        return (self.name, "retriever", "transform", "checker", "corrector", "second_checker")

    def takes(self, result: Result) -> bool:
        """A response without passages, or with those of an earlier search, also one that failed."""
        if result.example is None or not (result.error is None or result.error.stage == self.name):
            return False
        return not result.example.passages or GROUNDING in result.fields

    def run(self, results: Sequence[Result]) -> list[Result]:
        groundings = [_Grounding(result) for result in results]
        how = self._settings.retrieval
        for hop in range(1, self.hops + 1):
            searches = [search for grounding in groundings for search in grounding.next_searches(hop, how.ground_by)]
            if not searches:
                break
            self._search(searches)
            for grounding in groundings:
                grounding.collect(hop)
            if self.checker is not None and hop < self.hops:
                self._judge(self.checker, groundings)
        return [self._grounded(grounding) for grounding in groundings]

    # ---- one hop ----

    def _search(self, searches: Sequence[_Search]) -> None:
        """Transforms the queries of all searches, asks for each distinct query once, and fuses what they found."""
        fields = self.retriever.fields
        subjects = [replace(search.subject, fields=fields) for search in searches]
        for search, queries in zip(searches, self.transform.transform(subjects), strict=True):
            if isinstance(queries, ItemError):
                search.error = queries
            else:
                written = (query._replace(text=writable(query.text)) for query in queries if query.text.strip())
                search.queries = [query for query in dict.fromkeys(written) if query not in search.asked]
        how = self._settings.retrieval
        alone = [search for search in searches if len(search.queries) <= 1]
        several = [search for search in searches if len(search.queries) > 1]
        # What is fused is found deeper: a passage that is good for two queries may be the best for neither.
        for group, depth in ((alone, how.ground_passages), (several, DEEPER * how.ground_passages)):
            distinct = list(dict.fromkeys(query for search in group for query in search.queries))
            found = dict(zip(distinct, self._retrieve(distinct, depth), strict=True))
            for search in group:
                search.fuse([found[query] for query in search.queries], how.ground_passages, how.fusion_k)

    def _retrieve(self, queries: Sequence[Query], k: int) -> Sequence[Sequence[Passage] | ItemError]:
        found = isolated(self.name, queries, lambda some: self.retriever.retrieve(some, k), lambda query: query.text)
        return [ranking if isinstance(ranking, ItemError) else [*map(_writable, ranking)] for ranking in found]

    def _judge(self, checker: Checker, groundings: Sequence[_Grounding]) -> None:
        """Keeps the claims that are Neutral for the next hop. One that cannot be judged is not asked for again: the
        stage `check` names its error."""
        waiting = [grounding for grounding in groundings if grounding.pending]
        tasks = [
            CheckTask(Text.of(grounding.example), tuple(grounding.pending), tuple(grounding.passages.values()))
            for grounding in waiting
        ]
        checked = isolated(self.name, tasks, checker.check)
        for grounding, judgements in zip(waiting, checked, strict=True):
            labels = [] if isinstance(judgements, ItemError) else [judgement.label for judgement in judgements]
            grounding.settle(labels)

    # ---- the result ----

    def _grounded(self, grounding: _Grounding) -> Result:
        result = grounding.result
        if error := grounding.error():
            return self.failed(result, replace(error, id=record_name(result)))
        example = replace(grounding.example, passages=tuple(grounding.passages.values()))
        claims = tuple(claim.of_text(example.key) for claim in result.claims)
        renamed = {old.id: new.id for old, new in zip(result.claims, claims, strict=True)}
        how = self._settings.retrieval
        fields = {name: _renamed(value, renamed) for name, value in result.fields.items() if name != GROUNDING}
        fields[GROUNDING] = {
            "retriever": how.ground,
            "transform": how.transform,
            "by": how.ground_by,
            "searches": [_renamed(search.to_field(), renamed) for search in grounding.searches],
        }
        return Result(result.n, example, claims, fields=fields)

    def failed(self, result: Result, error: ItemError) -> Result:
        """The claims stay. The verdicts go, as those of an earlier context."""
        return Result(result.n, result.example, result.claims, error=error, fields=result.fields)


@dataclass(eq=False)
class _Search:
    """One search: for a claim, or for the response as a whole. `label`: the claim's after it, None if not judged."""

    subject: Subject
    hop: int
    asked: frozenset[Query] = frozenset()  # at earlier hops, for the same claim
    queries: Sequence[Query] = ()
    passages: Sequence[Passage] = ()
    label: Label | None = None
    error: ItemError | None = None

    def fuse(self, found: Sequence[Sequence[Passage] | ItemError], most: int, k: float) -> None:
        """Keeps the best passages of all queries. The first error of a query is that of the search."""
        rankings: list[Sequence[Passage]] = []
        for ranking in found:
            if isinstance(ranking, ItemError):
                self.error = self.error or ranking
            else:
                rankings.append(ranking)
        self.passages = [] if self.error else fused(rankings, k, most)

    def to_field(self) -> dict[str, Any]:
        value: dict[str, Any] = {
            "claim": self.subject.claim.id if self.subject.claim else None,
            "hop": self.hop,
            "queries": [_query(query) for query in self.queries],
            "passages": [passage.id for passage in self.passages],
            "label": None if self.label is None else str(self.label),
        }
        return value | ({"error": str(self.error)} if self.error else {})


class _Grounding:
    """The searches for one response. `pending`: the claims that the next hop asks for."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.example: Example = replace(example_of(result), passages=())
        self._subject = Subject((), self.example.response, self.example.question, history=history_of(self.example))
        self.pending: list[Claim] = list(result.claims)
        self.passages: dict[str, Passage] = {}
        self.searches: list[_Search] = []
        self._of_hop: list[_Search] = []

    def next_searches(self, hop: int, by: str) -> list[_Search]:
        if hop == 1 and by == "response":
            queries = tuple(response_queries(self.example))
            self._of_hop = [_Search(replace(self._subject, queries=queries), hop)] if queries else []
        else:
            self._of_hop = [self._next_search(claim, hop) for claim in self.pending]
        return self._of_hop

    def _next_search(self, claim: Claim, hop: int) -> _Search:
        """What the claim is asked for next: in its own form first, then in another one each time."""
        asked = [query for search in self.searches if search.subject.claim == claim for query in search.queries]
        count = sum(search.subject.claim == claim for search in self.searches)
        forms = [claim_query(claim, self.example.question), *other_queries(claim, self.example.question)]
        failed = tuple(dict.fromkeys(query.text for query in asked))
        form = forms[min(count, len(forms) - 1)]
        subject = replace(self._subject, queries=(form,), claim=claim, failed=failed)
        return _Search(subject, hop, frozenset(asked))

    def collect(self, hop: int) -> None:
        """Takes over what the searches of this hop found. A claim for which nothing new was asked is settled."""
        made = [search for search in self._of_hop if search.queries or search.error or hop == 1]
        idle = [search.subject.claim for search in self._of_hop if search not in made]
        failed = [search.subject.claim for search in made if search.error]
        self.pending = [claim for claim in self.pending if claim not in idle and claim not in failed]
        self.searches += made
        for search in made:
            self.passages |= {p.id: p for p in search.passages if p.id not in self.passages}

    def settle(self, labels: Iterable[Label | None]) -> None:
        """`labels`: of the pending claims, in order; [] if they could not be judged."""
        by_claim = dict(zip((claim.id for claim in self.pending), labels, strict=False))
        for search in self._of_hop:
            if search.subject.claim is not None:
                search.label = by_claim.get(search.subject.claim.id)
        self.pending = [claim for claim in self.pending if by_claim.get(claim.id) is Label.NEUTRAL]

    def error(self) -> ItemError | None:
        """The error of the response: that of a search without which a claim would have no passage of its own.

        A further hop that fails leaves what was found before.
        """
        first = [search for search in self.searches if search.hop == 1]
        errors = [search.error for search in first if search.error is not None]
        if not errors:
            return None
        if len(first) == 1:
            return errors[0]
        cause = commonest(errors)
        return ItemError(STAGE, f"{len(errors)} of {len(first)} searches failed: {cause.message}", cause.hint)


def _writable(passage: Passage) -> Passage:
    """A passage from outside as a file takes it."""
    text, source = writable(passage.text), None if passage.source is None else writable(passage.source)
    return passage if (text, source) == (passage.text, passage.source) else Passage.of(text, source)


def _query(query: Query) -> dict[str, Any]:
    return {"text": query.text} | ({"where": dict(query.where)} if query.where else {})


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A JSON value with other ids of claims: those of a response change with its passages."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {name: _renamed(item, names) for name, item in value.items()}
    return [_renamed(item, names) for item in value] if isinstance(value, list | tuple) else value


def named_retriever(spec: str, settings: Settings) -> Retriever:
    """The retriever that the setting `ground` names: NAME, NAME:ARGUMENT, or the path of a corpus for bm25.

    Raises UsageError for an unknown name.
    """
    name = spec.partition(":")[0]
    if name not in names("retriever"):
        if os.path.exists(spec):  # False for a name that no file can have
            spec = f"bm25:{spec}"
        elif ":" not in spec:
            raise UsageError(
                f"--ground {spec}: no such file or folder, and no retriever of that name",
                f"pass a file, a folder, or one of: {', '.join(names('retriever'))}",
            )
    return as_retriever(create("retriever", spec, settings))
