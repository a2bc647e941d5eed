"""Results as a networkx MultiDiGraph: entities are nodes, claims are edges with their verdicts.

Attributes are texts, numbers and truth values only, so that every format which networkx writes can hold them; what
is unknown is left out. `kind` says what a node or an edge is:

    node entity      name, named
    node sentence    a sentence claim; it carries the claim's attributes itself
    node blank       where a claim has no object ("the lamp | fell")
    edge claim       subject -> object; key: the claim's id
    edge mentions    sentence -> entity of a triplet from the same sentence

A claim's attributes: claim, predicate, label, p_inconsistent, flagged, reason, error, evidence (the deciding words of
the context), evidence_source, response (its key), response_id, model, n.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import networkx as nx

from graph_eval.graph.entities import entity
from graph_eval.types import Claim, Example, Finding, Kind, Result, Slot, content_hash

Attributes = dict[str, str | int | float | bool]


def to_networkx(results: Result | Iterable[Result]) -> nx.MultiDiGraph:
    """The claim graph of one result or of many. Results without an example (unreadable records) have no part in it."""
    graph = nx.MultiDiGraph()
    for result in [results] if isinstance(results, Result) else results:
        if result.example is not None:
            _add(graph, result, result.example)
    return graph


def _add(graph: nx.MultiDiGraph, result: Result, example: Example) -> None:
    in_sentence: dict[object, list[str]] = {}
    verdicts = {finding.claim.id: finding for finding in result.findings}
    for claim in result.claims:
        attributes = _attributes(claim, verdicts.get(claim.id), result, example)
        if claim.subject is None or claim.object is None:
            graph.add_node(claim.id, **attributes | {"kind": "sentence"})
            continue
        ends = [_node(graph, slot, claim, example) for slot in (claim.subject, claim.object)]
        graph.add_edge(*ends, key=claim.id, **attributes)
        in_sentence.setdefault(claim.sentence, []).extend(ends)
    for claim in result.claims:
        if claim.kind is Kind.SENTENCE:
            for node in dict.fromkeys(in_sentence.get(claim.sentence, ())):
                if graph.nodes[node]["kind"] == "entity":
                    graph.add_edge(claim.id, node, key=f"{claim.id}>{node}", kind="mentions", response=example.key)


def _node(graph: nx.MultiDiGraph, slot: Slot, claim: Claim, example: Example) -> str:
    if not slot.text.strip():
        blank = content_hash("blank", claim.id)
        graph.add_node(blank, kind="blank", name="", response=example.key)
        return blank
    found = entity(slot, example)
    if found.key not in graph:
        graph.add_node(found.key, kind="entity", name=found.name, named=found.named)
        if not found.named:
            graph.nodes[found.key]["response"] = example.key
    return found.key


def _attributes(claim: Claim, finding: Finding | None, result: Result, example: Example) -> Attributes:
    found: dict[str, Any] = {
        "kind": "claim",
        "claim": claim.text,
        "predicate": claim.predicate.text if claim.predicate else None,
        "response": example.key,
        "response_id": example.id,
        "model": example.model,
        "n": result.n,
    }
    if finding is not None:
        judgement = finding.judgement
        found |= {
            "label": judgement.label and str(judgement.label),
            "p_inconsistent": judgement.p_inconsistent,
            "flagged": judgement.flagged,
            "reason": judgement.reason,
            "error": str(judgement.error) if judgement.error else None,
        }
        passages = {passage.id: passage for passage in example.passages}
        for evidence in judgement.evidence[:1]:
            if passage := passages.get(evidence.passage_id):
                found |= {"evidence": evidence.span.of(passage.text), "evidence_source": passage.source}
    return {name: value for name, value in found.items() if value is not None}


def claims(graph: nx.MultiDiGraph) -> Iterator[tuple[str, Attributes]]:
    """Every claim of the graph with its attributes, edges and sentences alike."""
    for _, _, key, attributes in graph.edges(keys=True, data=True):
        if attributes["kind"] == "claim":
            yield key, attributes
    for node, attributes in graph.nodes(data=True):
        if attributes["kind"] == "sentence":
            yield node, attributes
