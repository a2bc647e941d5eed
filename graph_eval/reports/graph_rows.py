"""The plain values that the drawing shows: responses, entities as nodes, claims as edges, and windows of evidence.

Nodes and edges are those of `to_networkx`. Texts that many claims share (a response, a window of a passage) are in
tables of their own, and a claim refers to them by place: this keeps a page of 20,000 claims small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from graph_eval.graph.networkx import to_networkx
from graph_eval.graph.samples import compared, said
from graph_eval.graph.searches import by_claim
from graph_eval.reports.topics import topic
from graph_eval.types import Claim, Correction, Example, Judgement, Match, Relation, Result

if TYPE_CHECKING:
    from networkx import MultiDiGraph

Row = dict[str, Any]


class ShownRun(NamedTuple):
    """Results under the name of their run."""

    name: str
    results: Iterable[Result]


class GraphRows:
    """The rows of a drawing. Places count from 0.

    `nodes`: id, name, kind (entity, sentence, blank), named. A sentence claim is a node. `edges`: kind (claim,
    mentions, stated), from and to (ids of nodes). A claim has `response` (a place in `responses`), `place` (in its
    response), `samples` (how many support it, contradict it, and in all), `searches` (what was asked for it and what
    was found) and `evidence` (a place in `windows`, and the spans of the found words in that window). A stated edge
    `refutes` claims, which it names by their places in its response.
    """

    def __init__(self, runs: Sequence[ShownRun]) -> None:
        self.nodes: list[Row] = []
        self.edges: list[Row] = []
        self.responses: list[Row] = []
        self.windows: list[Row] = []
        self._node_ids: dict[str, int] = {}
        self._window_ids: dict[tuple[str, int, int], int] = {}
        self._subjects: dict[object, int] = {}  # responses to one question, or over one context, share a number
        for number, run in enumerate(runs):
            self._claims: dict[str, Row] = {}
            self._places: dict[str, int] = {}
            self._add(to_networkx(self._seen(run.results, number)))
            for claim in self._claims:  # a sentence claim is a node, with the verdict of its run
                self._node_ids.pop(claim, None)

    def _seen(self, results: Iterable[Result], run: int) -> Iterator[Result]:
        """Passes results on, and keeps what the graph does not hold of them. Of the same record only the first."""
        for result in results:
            example = result.example
            if example is not None:
                if example.key in self._places:
                    continue
                self._places[example.key] = len(self.responses)
                self.responses.append(self._response(result, example, run))
                self._keep_claims(result, example)
            elif result.error is not None:
                failed = {"n": result.n, "id": result.name, "error": str(result.error), "run": run, "subject": -1}
                self.responses.append(failed)
            yield result

    def _response(self, result: Result, example: Example, run: int) -> Row:
        subject = (example.dataset, example.question or tuple(passage.id for passage in example.passages))
        return _filled(
            n=result.n,
            id=example.id,
            model=example.model,
            dataset=example.dataset,
            question=example.question,
            text=example.response,
            label=result.label,
            p=result.p_inconsistent,
            error=str(result.error) if result.error else None,
            run=run,
            subject=self._subjects.setdefault(subject, len(self._subjects)),
        )

    def _keep_claims(self, result: Result, example: Example) -> None:
        judgements: dict[str, Judgement] = {item.claim.id: item.judgement for item in result.findings}
        corrections = {item.claim_id: item for item in result.revision.corrections} if result.revision else {}
        passages = {passage.id: passage for passage in example.passages}
        refuting = {
            identity: " ".join(dict.fromkeys(_sentence(claim, example) for claim in claims))
            for identity, claims in result.refutations.items()
        }
        told = [item for item in compared(result) if item.support is not None]
        counts = {item.claim_id: [item.supported, item.contradicted, item.samples] for item in told}
        against: dict[str, list[str]] = {}
        for entry in said(result, example):
            if entry.relation is Relation.REFUTED_BY:
                against.setdefault(entry.claim_id, []).append(entry.claim.text)
        searches = by_claim(result)
        for place, claim in enumerate(result.claims):
            judgement = judgements.get(claim.id)
            row = _filled(
                response=self._places[example.key],
                place=place,
                text=claim.text,
                sentence=list(claim.sentence),
                topic=topic(claim, judgement, example.response),
                stated=refuting.get(claim.id),
                correction=_correction(corrections.get(claim.id)),
                samples=counts.get(claim.id),
                said=list(dict.fromkeys(against.get(claim.id, ()))) or None,
                searches=[search.row for search in searches.get(claim.id, ())] or None,
            )
            if judgement is not None:
                row |= _filled(
                    label=judgement.label,
                    p=judgement.p_inconsistent,
                    flagged=judgement.flagged or None,
                    reason=judgement.reason,
                    error=str(judgement.error) if judgement.error else None,
                    marked=_marked(claim, judgement, example.response) if judgement.flagged else None,
                )
                for evidence in judgement.evidence[:1]:
                    if passage := passages.get(evidence.passage_id):
                        window = self._window(passage.id, evidence.span.start, evidence.span.end, passage.text)
                        self.windows[window] |= _filled(source=passage.source)
                        start, end = evidence.span
                        found = sorted(
                            {
                                (max(span.start, start) - start, min(span.end, end) - start)
                                for location in evidence.locations
                                for span in location.spans
                                if span.overlaps(evidence.span)
                            }
                        )
                        row["evidence"] = [window, found]
            self._claims[claim.id] = row

    def _window(self, passage: str, start: int, end: int, text: str) -> int:
        place = self._window_ids.setdefault((passage, start, end), len(self.windows))
        if place == len(self.windows):
            self.windows.append({"text": text[start:end]})
        return place

    def _add(self, graph: MultiDiGraph) -> None:
        for key, attributes in graph.nodes(data=True):
            if key in self._node_ids:
                continue
            kind = attributes["kind"]
            self._node_ids[key] = len(self.nodes)
            row = _filled(
                id=len(self.nodes), kind=kind, name=attributes.get("name"), named=attributes.get("named") or None
            )
            if kind == "sentence":
                row |= self._claims[key]
            self.nodes.append(row)
        for start, end, key, attributes in graph.edges(keys=True, data=True):
            kind = attributes["kind"]
            row = {"kind": kind, "from": self._node_ids[start], "to": self._node_ids[end]}
            if kind == "claim":
                row |= self._claims[key] | {"predicate": attributes.get("predicate", "")}
            elif kind == "stated":
                row |= {
                    "response": self._places[attributes["response"]],
                    "predicate": attributes.get("predicate", ""),
                    "text": attributes["claim"],
                    "refutes": [self._claims[claim]["place"] for claim in attributes["refutes"].split()],
                }
            self.edges.append(row)


def _filled(**values: Any) -> Row:
    """The values without those that say nothing."""
    return {name: value for name, value in values.items() if value is not None and value != ""}


def _sentence(claim: Claim, example: Example) -> str:
    """The sentence of the passage that a claim of the context is from."""
    text = next((passage.text for passage in example.passages if passage.id == claim.text_id), "")
    return " ".join(claim.sentence.of(text).split()) or claim.text


def _marked(claim: Claim, judgement: Judgement, response: str) -> list[str] | None:
    """The words of a flagged claim that the checker doubts, else those that its evidence does not contain.

    None if they are most of the claim: then they stand out no more.
    """
    words = [span.of(response) for span in judgement.unsupported]
    if not words:
        words = [
            word
            for evidence in judgement.evidence[:1]
            for location in evidence.locations
            if location.match is not Match.EMPTY
            for word in location.missing
        ]
    words = list(dict.fromkeys(words))
    return words if 0 < 2 * sum(map(len, words)) <= len(claim.text) else None


def _correction(correction: Correction | None) -> Mapping[str, Any] | None:
    if correction is None:
        return None
    return _filled(
        status=correction.status,
        reason=correction.reason,
        edits=[[edit.old, edit.new] for edit in correction.edits] or None,
    )
