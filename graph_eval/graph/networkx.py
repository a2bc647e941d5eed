"""Results as a networkx MultiDiGraph and back: entities are nodes, claims are edges with their verdicts.

Attributes are strings, numbers and booleans only, so that every format which networkx writes can hold them. Unknown
values are left out. `kind` is the kind of a node or an edge:

    node entity      name, named
    node sentence    a sentence claim, with the attributes of a claim
    node blank       the empty object of a claim ("the lamp | fell")
    edge claim       subject -> object; key: the claim's id
    edge mentions    sentence -> entity of a triplet from the same sentence
    edge stated      subject -> object: a claim of the context that `refutes` claims of the response (their ids,
                     separated by spaces), with its `evidence_source`

A claim's attributes: claim, predicate, label, p_inconsistent, flagged, reason, error, evidence (the deciding words of
the context), evidence_source, refuted_by (what the context states instead), response (its key), response_id, model, n,
place (in its response), and `result`: the claim and its verdict as a result's JSON. After self-checking also
inconsistency (the score over the samples), supported, contradicted and samples (their numbers), and support, the share
of samples that support the claim. The graph's own attribute
`responses` holds the results without their claims, one JSON object per line. Revisions are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import networkx as nx

from graph_eval.errors import InputError
from graph_eval.formats.results import from_json, to_json
from graph_eval.graph.entities import entity, names_nothing, names_of
from graph_eval.graph.rows import NO_OBJECT, stating
from graph_eval.graph.samples import compared
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


def to_networkx(results: Result | Iterable[Result]) -> nx.MultiDiGraph:
    """The claim graph of one or many results. `ClaimGraph.results(run)` gives the results in a store."""
    graph = nx.MultiDiGraph()
    lines = []
    for result in [results] if isinstance(results, Result) else results:
        lines.append(_json(replace(result, claims=(), judgements=(), revision=None)))
        if result.example is not None:
            _add(graph, result, result.example)
    graph.graph["responses"] = "\n".join(lines)
    return graph


def from_networkx(graph: nx.MultiDiGraph) -> Iterator[Result]:
    """The results whose claims are in the graph.

    Changes of the graph count: a claim that was removed is gone, and label, p_inconsistent, flagged and reason are
    those of its edge or sentence node. The verdict of a whole response stays as it was. Raises InputError if the graph
    was not made by `to_networkx`.
    """
    if not graph.is_multigraph():
        raise InputError(
            "not a multigraph: parallel claims would be merged",
            "read the file with nx.read_graphml(FILE, force_multigraph=True)",
        )
    if "responses" not in graph.graph:
        raise InputError("the graph has no attribute 'responses'", "pass a graph that was made by to_networkx")
    pairs_of: dict[str, list[tuple[Claim, Judgement | None]]] = {}  # by the key of their response
    for identity, attributes in sorted(claims(graph), key=lambda claim: claim[1].get("place", 0)):
        try:
            pairs_of.setdefault(str(attributes["response"]), []).append(_claim(attributes))
        except (KeyError, IndexError, ValueError) as problem:
            raise InputError(
                f"claim {identity}: invalid attributes: {problem!r}", "keep the attributes that to_networkx gave it"
            ) from None
    for line in filter(None, graph.graph["responses"].split("\n")):
        result = from_json(line)
        pairs = pairs_of.get(result.example.key, []) if result.example else []
        judgements = tuple(judgement for _, judgement in pairs if judgement is not None)
        if judgements and len(judgements) < len(pairs):
            raise InputError(
                f"response {result.example and result.example.id}: {len(pairs) - len(judgements)} of {len(pairs)} "
                "claims have no verdict",
                "set the attribute 'flagged' on all claims of a response or on none",
            )
        ids = {claim.id for claim, _ in pairs}
        links = tuple(link for link in result.links if link.claim_id in ids)
        yield replace(result, claims=tuple(claim for claim, _ in pairs), judgements=judgements, links=links)


def _claim(attributes: Attributes) -> tuple[Claim, Judgement | None]:
    original = from_json(str(attributes["result"]))
    claim = original.claims[0]
    if "flagged" not in attributes:
        return claim, None
    judgement = original.judgements[0] if original.judgements else Judgement(claim.id, None, None, flagged=False)
    label, p_inconsistent, reason = (attributes.get(name) for name in ("label", "p_inconsistent", "reason"))
    return claim, replace(
        judgement,
        label=None if label is None else Label(str(label)),
        p_inconsistent=None if p_inconsistent is None else float(p_inconsistent),
        flagged=bool(attributes["flagged"]),
        reason=None if reason is None else str(reason),
    )


def _json(result: Result) -> str:
    """The result's JSON, with escapes for characters that are invalid in XML."""
    return UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", to_json(result))


def _add(graph: nx.MultiDiGraph, result: Result, example: Example) -> None:
    in_sentence: dict[object, list[str]] = {}
    verdicts = {finding.claim.id: finding for finding in result.findings}
    refuted = result.refutations
    over_samples = {item.claim_id: item for item in compared(result)}
    for place, claim in enumerate(result.claims):
        attributes = _attributes(claim, verdicts.get(claim.id), result, example) | {"place": place}
        if claim.id in refuted:
            attributes["refuted_by"] = " ".join(other.text for other in refuted[claim.id])
        if (item := over_samples.get(claim.id)) is not None:
            counts = {"supported": item.supported, "contradicted": item.contradicted, "samples": item.samples}
            attributes |= counts
            attributes |= {} if item.support is None else {"support": round(item.support, 6)}
            attributes |= {} if item.score is None else {"inconsistency": item.score}
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
    """Adds the triplets of the context that refute claims. Sentences of the context are left out."""
    refutes: dict[str, list[str]] = {}
    for identity, refuting in result.refutations.items():
        for other in refuting:
            refutes.setdefault(other.id, []).append(identity)
    sources = {passage.id: passage.source for passage in example.passages}
    for claim in result.context_claims:
        if claim.id in refutes and claim.subject is not None and claim.object is not None:
            passage = stating(claim, example)
            ends = [_node(graph, slot, claim, example, passage) for slot in (claim.subject, claim.object)]
            attributes: dict[str, Any] = {
                "kind": "stated",
                "claim": claim.text,
                "predicate": claim.predicate.text if claim.predicate else None,
                "refutes": " ".join(refutes[claim.id]),
                "evidence_source": sources.get(claim.text_id),
                "response": example.key,
            }
            key = f"{claim.id}<{example.key}"
            graph.add_edge(*ends, key=key, **{name: value for name, value in attributes.items() if value is not None})


def _node(graph: nx.MultiDiGraph, slot: Slot, claim: Claim, example: Example, passage: Example | None = None) -> str:
    """The slot's node. An unnamed entity of a passage equals one that the response writes with the same words."""
    if names_nothing(slot):
        text = slot.text.strip()
        blank = content_hash("blank", claim.id, example.key, *([text] if text else []))
        graph.add_node(blank, kind="blank", name=text or NO_OBJECT, response=example.key)
        return blank
    node = entity(slot, passage or example, example.key, names_of(example))
    if node.key not in graph:
        graph.add_node(node.key, kind="entity", name=node.name, named=node.named)
        if not node.named:
            graph.nodes[node.key]["response"] = example.key
    return node.key


def _attributes(claim: Claim, finding: Finding | None, result: Result, example: Example) -> Attributes:
    attributes: dict[str, Any] = {
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
        attributes |= {
            "label": judgement.label and str(judgement.label),
            "p_inconsistent": judgement.p_inconsistent,
            "flagged": judgement.flagged,
            "reason": judgement.reason,
            "error": str(judgement.error) if judgement.error else None,
        }
        passages = {passage.id: passage for passage in example.passages}
        for evidence in judgement.evidence[:1]:
            if passage := passages.get(evidence.passage_id):
                attributes |= {"evidence": evidence.span.of(passage.text), "evidence_source": passage.source}
    return {name: value for name, value in attributes.items() if value is not None}


def claims(graph: nx.MultiDiGraph) -> Iterator[tuple[str, Attributes]]:
    """The id and the attributes of every claim: those of edges, then those of sentence nodes."""
    for _, _, key, attributes in graph.edges(keys=True, data=True):
        if attributes["kind"] == "claim":
            yield key, attributes
    for node, attributes in graph.nodes(data=True):
        if attributes["kind"] == "sentence":
            yield node, attributes
