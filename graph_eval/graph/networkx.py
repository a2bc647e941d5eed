"""Results as a networkx MultiDiGraph and back: entities are nodes, claims are edges with their verdicts.

Attributes are texts, numbers and truth values only, so that every format which networkx writes can hold them; what
is unknown is left out. `kind` says what a node or an edge is:

    node entity      name, named
    node sentence    a sentence claim; it carries the claim's attributes itself
    node blank       where a claim has no object ("the lamp | fell")
    edge claim       subject -> object; key: the claim's id
    edge mentions    sentence -> entity of a triplet from the same sentence
    edge stated      subject -> object: what the context states instead of the claims that it `refutes` (their ids,
                     apart by blanks); with its `evidence_source`

A claim's attributes: claim, predicate, label, p_inconsistent, flagged, reason, error, evidence (the deciding words of
the context), evidence_source, refuted_by (what the context states instead), response (its key), response_id, model, n,
place (in its response), and `result`: the claim and its verdict as a result's JSON. The graph's own attribute
`responses` holds the results without their claims, one JSON object a line. Revisions stay out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import networkx as nx

from graph_eval.errors import InputError
from graph_eval.formats.results import from_json, to_json
from graph_eval.graph.entities import entity
from graph_eval.graph.rows import stating
from graph_eval.types import (
    Claim,
    Example,
    Finding,
    Judgement,
    Kind,
    Label,
    Result,
    Slot,
    content_hash,
)

Attributes = dict[str, str | int | float | bool]
UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML


class Hub(NamedTuple):
    """An entity's node with the number of claims that speak of it, and how many of them are flagged."""

    node: str
    flagged: int
    claims: int


class Part(NamedTuple):
    """Nodes that are connected with each other, with the keys of the responses that connect them."""

    nodes: frozenset[str]
    responses: frozenset[str]


def to_networkx(results: Result | Iterable[Result]) -> nx.MultiDiGraph:
    """The claim graph of one result or of many; `store.results(run)` gives those of a store."""
    graph = nx.MultiDiGraph()
    lines = []
    for result in [results] if isinstance(results, Result) else results:
        lines.append(_json(replace(result, claims=(), judgements=(), revision=None)))
        if result.example is not None:
            _add(graph, result, result.example)
    graph.graph["responses"] = "\n".join(lines)
    return graph


def from_networkx(graph: nx.MultiDiGraph) -> Iterator[Result]:
    """The results whose claims the graph holds.

    The graph's word counts: a claim that was taken out is gone, and label, p_inconsistent, flagged and reason are
    those of its edge or sentence. A response's own verdict stays as it was. Raises InputError where the graph is none
    that `to_networkx` made.
    """
    if not graph.is_multigraph():
        raise InputError(
            "this is no multigraph: parallel claims would be one", "nx.read_graphml(FILE, force_multigraph=True)"
        )
    if "responses" not in graph.graph:
        raise InputError("the graph holds no responses", "only a graph of to_networkx can be turned back")
    held: dict[str, list[tuple[Claim, Judgement | None]]] = {}
    for identity, attributes in sorted(claims(graph), key=lambda found: found[1].get("place", 0)):
        try:
            held.setdefault(str(attributes["response"]), []).append(_claim(attributes))
        except (KeyError, IndexError, ValueError) as problem:
            raise InputError(
                f"claim {identity}: {problem!r}", "a claim's attributes have to stay those that to_networkx made"
            ) from None
    for line in filter(None, graph.graph["responses"].split("\n")):
        result = from_json(line)
        own = held.get(result.example.key, []) if result.example else []
        judged = tuple(judgement for _, judgement in own if judgement is not None)
        if judged and len(judged) < len(own):
            raise InputError(f"response {result.example and result.example.id}: only some of its claims are judged")
        ids = {claim.id for claim, _ in own}
        links = tuple(link for link in result.links if link.claim_id in ids)
        yield replace(result, claims=tuple(claim for claim, _ in own), judgements=judged, links=links)


def _claim(attributes: Attributes) -> tuple[Claim, Judgement | None]:
    kept = from_json(str(attributes["result"]))
    claim = kept.claims[0]
    if "flagged" not in attributes:
        return claim, None
    before = kept.judgements[0] if kept.judgements else Judgement(claim.id, None, None, flagged=False)
    label, p_inconsistent, reason = (attributes.get(name) for name in ("label", "p_inconsistent", "reason"))
    return claim, replace(
        before,
        label=None if label is None else Label(str(label)),
        p_inconsistent=None if p_inconsistent is None else float(p_inconsistent),
        flagged=bool(attributes["flagged"]),
        reason=None if reason is None else str(reason),
    )


def _json(result: Result) -> str:
    """The result's JSON, with escapes for what XML cannot hold."""
    return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", to_json(result))


def _add(graph: nx.MultiDiGraph, result: Result, example: Example) -> None:
    in_sentence: dict[object, list[str]] = {}
    verdicts = {finding.claim.id: finding for finding in result.findings}
    refuted = result.refutations
    for place, claim in enumerate(result.claims):
        attributes = _attributes(claim, verdicts.get(claim.id), result, example) | {"place": place}
        if claim.id in refuted:
            attributes["refuted_by"] = " ".join(other.text for other in refuted[claim.id])
        if claim.subject is None or claim.object is None:
            graph.add_node(claim.id, **attributes | {"kind": "sentence"})
            continue
        ends = [_node(graph, slot, claim, example) for slot in (claim.subject, claim.object)]
        graph.add_edge(*ends, key=claim.id, **attributes)
        in_sentence.setdefault(claim.sentence, []).extend(ends)
    _add_stated(graph, result, example)
    for claim in result.claims:
        if claim.kind is Kind.SENTENCE:
            for node in dict.fromkeys(in_sentence.get(claim.sentence, ())):
                if graph.nodes[node]["kind"] == "entity":
                    graph.add_edge(claim.id, node, key=f"{claim.id}>{node}", kind="mentions", response=example.key)


def _add_stated(graph: nx.MultiDiGraph, result: Result, example: Example) -> None:
    """What the context states instead of flagged claims; sentences of the context stay out."""
    refutes: dict[str, list[str]] = {}
    for identity, found in result.refutations.items():
        for other in found:
            refutes.setdefault(other.id, []).append(identity)
    sources = {passage.id: passage.source for passage in example.passages}
    for claim in result.context_claims:
        if claim.id in refutes and claim.subject is not None and claim.object is not None:
            passage = stating(claim, example)
            ends = [_node(graph, slot, claim, example, passage) for slot in (claim.subject, claim.object)]
            own: dict[str, Any] = {
                "kind": "stated",
                "claim": claim.text,
                "predicate": claim.predicate.text if claim.predicate else None,
                "refutes": " ".join(refutes[claim.id]),
                "evidence_source": sources.get(claim.text_id),
                "response": example.key,
            }
            key = f"{claim.id}<{example.key}"
            graph.add_edge(*ends, key=key, **{name: value for name, value in own.items() if value is not None})


def _node(graph: nx.MultiDiGraph, slot: Slot, claim: Claim, example: Example, passage: Example | None = None) -> str:
    """The slot's node. What a passage names without a name is one with what the response calls so."""
    if not slot.text.strip():
        blank = content_hash("blank", claim.id, example.key)
        graph.add_node(blank, kind="blank", name="", response=example.key)
        return blank
    found = entity(slot, passage or example, example.key)
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
        "result": _json(Result(result.n, None, (claim,), (finding.judgement,) if finding else ())),
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


def hubs(graph: nx.MultiDiGraph, limit: int) -> list[Hub]:
    """The entities that most flagged claims speak of, two at least; most first."""
    found = []
    for node, attributes in graph.nodes(data=True):
        if attributes["kind"] == "entity":
            own = [*graph.in_edges(node, data=True), *(e for e in graph.out_edges(node, data=True) if e[0] != e[1])]
            about = [edge for _, _, edge in own if edge["kind"] == "claim"]
            found.append(Hub(node, sum(edge.get("flagged", False) for edge in about), len(about)))
    found.sort(key=lambda hub: (-hub.flagged, -hub.claims, hub.node))
    return [hub for hub in found[:limit] if hub.flagged > 1]


def parts(graph: nx.MultiDiGraph) -> list[Part]:
    """What is connected over several responses, by a name that they share; the largest first."""
    found = []
    for nodes in nx.weakly_connected_components(graph):
        inside = graph.subgraph(nodes)
        responses = {edge["response"] for _, _, edge in inside.edges(data=True)}
        if len(responses) > 1:
            found.append(Part(frozenset(nodes), frozenset(responses)))
    return sorted(found, key=lambda part: (-len(part.responses), min(part.nodes)))
