"""Converts results to the rows for the statements of cypher/write, and back.

A graph holds all that a result holds. What no query asks for (slots with their spans, locations, nested fields of the
record) is JSON text on the node or relationship that it belongs to, so that an exported run equals the loaded one byte
for byte. What may differ between runs on the same response is on the relationships of the run: PRODUCED and JUDGED.
Rows are sorted by id, so that concurrent transactions take their locks in one order.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from graph_eval.graph.connection import Row
from graph_eval.graph.entities import BREAKING, Entity, entity, mentioned, name_key, names_nothing, names_of
from graph_eval.graph.names import Names
from graph_eval.graph.samples import compared, said
from graph_eval.graph.searches import searches
from graph_eval.text.normalise import STOP_WORDS, stem, words
from graph_eval.types import (
    Claim,
    Correction,
    Edit,
    Evidence,
    Example,
    ItemError,
    Judgement,
    Kind,
    Label,
    Link,
    Location,
    Match,
    Origin,
    Passage,
    Relation,
    Result,
    Revision,
    Run,
    Scores,
    Slot,
    Span,
    Status,
    Text,
    content_hash,
)

Scope = Literal["dataset", "response"]
HUMAN = "human:"  # prefix of the checker of a person's run
UNREAD = "unread"  # origin of a record that could not be read
VERDICT = ("label", "p_inconsistent", "flagged")  # the properties by which a claim shows a verdict
PLACE = ("place", "confidence")  # those by which it shows its place in a run
SPEAKER = "(the response)"  # the subject of a sentence claim
NO_OBJECT = "(no object)"
MOST_IN_CAPTION = 6  # words
INTEGERS = range(-(2**63), 2**63)  # that a store takes


def run_row(run: Run) -> Row:
    """The properties of a run's node. The graph shows the verdicts of a `human` run only on request."""
    checker = str(run.settings.get("checker", ""))
    return {
        "id": run.id,
        "stage": run.stage,
        "extractor": run.settings.get("extractor"),
        "checker": checker,
        "threshold": run.settings.get("threshold"),
        "aggregate": run.settings.get("aggregate"),
        "human": checker.startswith(HUMAN),
        "input": run.input,
        "settings": _json(run.settings),
        "fingerprints": _json(run.fingerprints),
        "versions": _json(run.versions),
    }


@dataclass(slots=True)
class Rows:
    """One chunk of results as parameters of statements.

    Each attribute is named as its file in cypher/write and holds the rows by id, so that nothing is written twice.
    `places`: what claims show of their place in this run.
    `share_names`: what a name is one entity in.
    """

    share_names: Scope = "dataset"
    responses: dict[str, Row] = field(default_factory=dict)
    passages: dict[str, Row] = field(default_factory=dict)
    contexts: dict[tuple[str, int, str], Row] = field(default_factory=dict)
    samples: dict[tuple[str, str], Row] = field(default_factory=dict)
    entities: dict[str, Row] = field(default_factory=dict)
    claims: dict[str, Row] = field(default_factory=dict)
    places: dict[str, Row] = field(default_factory=dict)
    statements: dict[str, Row] = field(default_factory=dict)
    stated: dict[str, Row] = field(default_factory=dict)
    relations: dict[str, Row] = field(default_factory=dict)
    mentions: dict[tuple[str, str], Row] = field(default_factory=dict)
    judged: dict[str, Row] = field(default_factory=dict)
    evidence: dict[tuple[str, int], Row] = field(default_factory=dict)
    revisions: dict[str, Row] = field(default_factory=dict)
    corrections: dict[tuple[str, str], Row] = field(default_factory=dict)
    refuted: dict[tuple[str, str], Row] = field(default_factory=dict)
    supported: dict[tuple[str, str], Row] = field(default_factory=dict)
    compared: dict[str, Row] = field(default_factory=dict)
    searches: dict[str, Row] = field(default_factory=dict)
    asked: dict[str, Row] = field(default_factory=dict)
    found: dict[tuple[str, int], Row] = field(default_factory=dict)

    def of(self, statement: str) -> list[Row]:
        """The rows of a statement, sorted by id."""
        rows: dict[Any, Row] = getattr(self, statement)
        return [rows[key] for key in sorted(rows)]


def to_rows(results: Iterable[Result], share_names: Scope = "dataset") -> Rows:
    """The rows of a chunk. A record that could not be read is a response without text, of origin `unread`.

    `share_names`: what a name is one entity in.
    """
    rows = Rows(share_names)
    for result in results:
        if result.example is not None:
            _add(rows, result, result.example, Origin.RESPONSE)
        elif result.error is not None:
            key = content_hash(UNREAD, result.n, _error_fields(result.error))
            name = result.error.id or result.error.place or result.name
            rows.responses[key] = {
                "id": key,
                "own": {"name": name, "text": "", "origin": UNREAD},
                "verdict": {"n": result.n, "error": _error_text(result.error), "fields": _fields_text(result)},
            }
    return rows


def _add(rows: Rows, result: Result, example: Example, origin: Origin) -> None:
    key = example.key
    sources = [passage.source for passage in example.passages]
    samples = [sample.id for sample in Text.of_samples(example)]
    rows.responses[key] = {
        "id": key,
        "own": {
            "name": example.id,
            "dataset": example.dataset,
            "model": example.model,
            "question": example.question,
            "text": example.response,
            "origin": str(origin),
            **askable(example.meta),
        },
        "verdict": {
            "n": result.n,
            "label": _text(result.label),
            "p_inconsistent": result.p_inconsistent,
            "flagged_rate": result.flagged_rate,
            "error": _error_text(result.error),
            "fields": _fields_text(result),
            "meta": _json(example.meta) if example.meta else None,
            "sources": _json(sources) if any(sources) else None,
            "claims": [claim.id for claim in result.claims],
            "confidences": [float(claim.confidence) for claim in result.claims],
            "stated": [claim.id for claim in result.context_claims],
            "stated_confidences": [float(claim.confidence) for claim in result.context_claims],
            "samples": samples,
            "revision": _revised(result.revision, example).key if result.revision else None,
        },
    }
    for position, passage in enumerate(example.passages):
        rows.passages[passage.id] = {"id": passage.id, "own": {"text": passage.text}}
        context: Row = {"response": key, "passage": passage.id, "position": position, "source": passage.source}
        rows.contexts[key, position, passage.id] = context
    for position, (identity, sample) in enumerate(zip(samples, example.samples, strict=True)):
        properties: Row = {"name": f"{example.id}, sample {position + 1}", "dataset": example.dataset, "text": sample}
        properties |= {"model": example.model, "question": example.question, "origin": str(Origin.SAMPLE)}
        rows.samples[key, identity] = {"id": identity, "response": key, "position": position, "own": properties}
    names = names_of(example)
    rows.places |= places_of([claim.id for claim in result.claims], [claim.confidence for claim in result.claims])
    for claim in result.claims:
        _add_claim(rows, claim, example, names, origin, key)
        rows.statements[claim.id] = {"id": claim.id, "response": key}
    _add_stated(rows, result, example, names)
    _add_consistency(rows, result, example)
    _add_searches(rows, result, key)
    texts = {passage.id: passage.text for passage in example.passages}
    claims = {claim.id: claim for claim in result.claims}
    for judgement in result.judgements:
        add_judgement(rows, judgement, texts, claims[judgement.claim_id].parts_at(judgement.unsupported))
    if result.revision is not None:
        _add_revision(rows, result.revision, result.n, example)


def places_of(claims: Sequence[str], confidences: Sequence[float]) -> dict[str, Row]:
    """What the claims of one response show of their place in a run."""
    return {
        claim: {"place": place, "confidence": float(confidence)}
        for place, (claim, confidence) in enumerate(zip(claims, confidences, strict=True))
    }


def record_row(row: Mapping[str, Any]) -> Row:
    """What a response shows of the record of a run. `row`: one of cypher/export/records."""
    gone = dict.fromkeys(row["fields"])
    fields = gone | askable(json.loads(row["meta"] or "{}"))
    return {"id": row["id"], "fields": fields, "sources": json.loads(row["sources"] or "[]")}


def _add_claim(
    rows: Rows, claim: Claim, example: Example, names: Names, origin: Origin, response: str | None = None
) -> None:
    properties: Row = {
        "kind": str(claim.kind),
        "origin": str(origin),
        "text": claim.text,
        "sentence": list(claim.sentence),
    }
    predicate = "states"
    if claim.subject is not None and claim.predicate is not None and claim.object is not None:
        slots = (claim.subject, claim.predicate, claim.object)
        properties |= {
            "subject": claim.subject.text,
            "predicate": claim.predicate.text,
            "object": claim.object.text,
            "predicate_key": predicate_key(claim.predicate.text),
            "slots": _json([(slot.spans, int(slot.resolved), int(slot.inferred)) for slot in slots]),
        }
        predicate = claim.predicate.text
        ends = [_add_entity(rows, slot, claim, example, names) for slot in (claim.subject, claim.object)]
    else:
        # So that a flagged sentence is found as every other claim: its response states it.
        ends = [_add_blank(rows, ("speaker", response or claim.text_id), SPEAKER, example)]
        ends.append(_add_blank(rows, ("sentence", claim.id), claim.text, example))
    rows.relations[claim.id] = {
        "claim_id": claim.id,
        "subject": ends[0],
        "object": ends[1],
        "response": response,
        "origin": str(origin),
        "kind": str(claim.kind),
        "predicate": predicate,
    }
    rows.claims[claim.id] = {"id": claim.id, "own": properties}
    for node in mentioned(claim, example, names, _shared(rows, example)):
        _put_entity(rows, node, example)
        rows.mentions[claim.id, node.key] = {"claim": claim.id, "entity": node.key}


def _add_stated(rows: Rows, result: Result, example: Example, names: Names) -> None:
    """The claims of the passages, and the links to them.

    Named entities are those of the dataset, other entities belong to the passage.
    """
    for claim in result.context_claims:
        _add_claim(rows, claim, stating(claim, example), names, Origin.PASSAGE)
        rows.stated[claim.id] = {"id": claim.id, "passage": claim.text_id}
    groups = {Relation.REFUTED_BY: rows.refuted, Relation.SUPPORTED_BY: rows.supported}
    for position, link in enumerate(result.links):
        row: Row = {"claim": link.claim_id, "stated": link.context_claim_id, "position": position}
        groups[link.relation][link.claim_id, link.context_claim_id] = row


def _add_consistency(rows: Rows, result: Result, example: Example) -> None:
    """How many samples support and contradict each claim, and what those samples state.

    Named entities are those of the dataset, other entities belong to the sample.
    """
    counts = {count.claim_id: count for count in compared(result)}
    for count in counts.values():
        rows.compared[count.claim_id] = {
            "claim": count.claim_id,
            "own": {name: value for name, value in count._asdict().items() if name != "claim_id"},
        }
    texts = Text.of_samples(example)
    groups = {Relation.REFUTED_BY: rows.refuted, Relation.SUPPORTED_BY: rows.supported}
    for position, item in enumerate(said(result, example)):
        sample = replace(example, id=item.claim.text_id, response=texts[item.sample].text, passages=(), samples=())
        _add_claim(rows, item.claim, sample, names_of(sample), Origin.SAMPLE, item.claim.text_id)
        rows.statements[item.claim.id] = {"id": item.claim.id, "response": item.claim.text_id}
        count = counts[item.claim_id]
        supports = item.relation is Relation.SUPPORTED_BY
        groups[item.relation][item.claim_id, item.claim.id] = {
            "claim": item.claim_id,
            "stated": item.claim.id,
            "position": position,
            "sample": item.sample,
            "count": count.supported if supports else count.contradicted,
            "samples": count.samples,
        }


def _add_searches(rows: Rows, result: Result, response: str) -> None:
    """The searches for a response and for its claims, and what they found. Each run has searches of its own."""
    for search in searches(result):
        name = f"{search.claim_id or response}:{search.hop}"
        rows.searches[name] = {"search": name, "response": response, "own": search.row}
        if search.claim_id is not None:
            rows.asked[name] = {"search": name, "claim": search.claim_id}
        for rank, passage in enumerate(search.passages):
            rows.found[name, rank] = {"search": name, "passage": passage, "rank": rank}


def stating(claim: Claim, example: Example) -> Example:
    """The passage of a context claim as a separate record, because its unnamed entities are not the response's."""
    text = next((passage.text for passage in example.passages if passage.id == claim.text_id), "")
    return Example(claim.text_id, example.dataset, text)


def _add_entity(rows: Rows, slot: Slot, claim: Claim, example: Example, names: Names) -> str:
    """The id of the slot's node.

    An empty object ("the lamp | fell") and a pronoun that was not resolved get a separate node, which no other claim
    can share.
    """
    if not names_nothing(slot):
        node = entity(slot, example, names=names, shared=_shared(rows, example))
        _put_entity(rows, node, example)
        return node.key
    text = slot.text.strip()
    return _add_blank(rows, ("blank", claim.id, *([text] if text else [])), text or NO_OBJECT, example)


def _add_blank(rows: Rows, identity: tuple[str, ...], text: str, example: Example) -> str:
    """The id of a node that names nothing, without a key by which others could find it."""
    key = content_hash(*identity)
    properties = {"name": caption(text), "text": text, "key": "", "named": False, "dataset": example.dataset}
    rows.entities[key] = {"id": key, "own": properties}
    return key


def _shared(rows: Rows, example: Example) -> str:
    return example.dataset if rows.share_names == "dataset" else example.key


def _put_entity(rows: Rows, node: Entity, example: Example) -> None:
    properties: Row = {"name": node.name if node.named else caption(node.name), "text": node.name}
    properties |= {"key": name_key(node.name), "named": node.named, "dataset": example.dataset}
    rows.entities.setdefault(node.key, {"id": node.key, "own": properties})


def caption(text: str) -> str:
    """A phrase shortened to the words of its head, which stand before its first clause or prepositional phrase."""
    parts = text.split()
    if len(parts) <= MOST_IN_CAPTION:
        return " ".join(parts)
    breaks = [place for place in range(2, MOST_IN_CAPTION + 1) if parts[place].lower() in BREAKING]
    cut = breaks[-1] if breaks else MOST_IN_CAPTION
    return " ".join(parts[:cut]).rstrip(",;:–—-") + " …"


def askable(meta: Mapping[str, Any]) -> Row:
    """The other fields of a record as properties that a query can ask for: `meta_model`, `meta_outputs_cost`.

    Nested objects get one property for each value in them. Values that a property cannot hold are left out.
    """
    found: Row = {}
    level = [("meta", meta)]
    while level:
        prefix, values = level.pop()
        for name, value in values.items():
            key = f"{prefix}_{re.sub(r'[^0-9A-Za-z_]', '_', str(name))}"
            if isinstance(value, Mapping):
                level.append((key, value))
            elif _is_property(value):
                found[key] = list(value) if isinstance(value, list | tuple) else value
    return found


def _is_property(value: object) -> bool:
    """Whether a store takes a value as a property: a text, a number, true or false, or a list of values of one type."""
    if isinstance(value, list | tuple):
        return len({type(part) for part in value}) == 1 and all(
            not isinstance(part, list | tuple) and _is_property(part) for part in value
        )
    return isinstance(value, str | int | float) and refused_number(value) is None


def refused_number(value: object) -> float | None:
    """A number in a value, or in its lists and objects, that no store takes: NaN, an infinite or a too large one."""
    if isinstance(value, float):
        return None if math.isfinite(value) else value
    if isinstance(value, int):
        return None if value in INTEGERS else value
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return next((number for number in map(refused_number, parts) if number is not None), None)


def add_judgement(rows: Rows, judgement: Judgement, texts: Mapping[str, str], unsupported: Sequence[str] = ()) -> None:
    """Adds the rows of one verdict. `texts`: the passages by id, for the words of the evidence. `unsupported`: the
    slots that hold unsupported words."""
    verdict = {
        "label": _text(judgement.label),
        "p_inconsistent": judgement.p_inconsistent,
        "flagged": judgement.flagged,
        "reason": judgement.reason,
        "error": _error_text(judgement.error),
        "unsupported": _json(judgement.unsupported),
        "unsupported_parts": list(unsupported),
        "decided_by": judgement.decided_by,
    }
    rows.judged[judgement.claim_id] = {"claim": judgement.claim_id, "verdict": verdict}
    for rank, evidence in enumerate(judgement.evidence):
        rows.evidence[judgement.claim_id, rank] = {
            "claim": judgement.claim_id,
            "passage": evidence.passage_id,
            "rank": rank,
            "own": {
                **evidence.scores._asdict(),
                "text": evidence.span.of(texts.get(evidence.passage_id, "")),
                "start": evidence.span.start,
                "end": evidence.span.end,
                "locations": _json([(at.part, at.match, at.spans, at.missing) for at in evidence.locations]),
            },
        }


def _add_revision(rows: Rows, revision: Revision, n: int, example: Example) -> None:
    revised = _revised(revision, example)
    inner = revision.result or Result(n, revised)
    if revised.key != example.key:
        _add(rows, inner, revised, Origin.REVISION)
        rows.revisions[example.key] = {"response": example.key, "revision": revised.key}
    for position, correction in enumerate(revision.corrections):
        corrected = _corrected(correction, inner) or correction.claim_id
        rows.corrections[correction.claim_id, corrected] = {
            "claim": correction.claim_id,
            "corrected": corrected,
            "own": {
                "position": position,
                "status": str(correction.status),
                "reason": correction.reason,
                "p_before": correction.p_before,
                "p_after": correction.p_after,
                "probability": correction.probability,
                "edits": _json([asdict(edit) for edit in correction.edits]),
            },
        }


def _revised(revision: Revision, example: Example) -> Example:
    """The record with the corrected response. It equals `example` if nothing was changed."""
    if revision.result is not None and revision.result.example is not None:
        return revision.result.example
    return replace(example, response=revision.text, samples=(), meta={})


def _corrected(correction: Correction, revised: Result) -> str | None:
    """The id of the claim of the revised text with the new words of an applied correction."""
    if correction.status is not Status.APPLIED:
        return None
    insertions = [edit.new for edit in correction.edits if edit.new]
    return next((claim.id for claim in revised.claims if any(new in claim.text for new in insertions)), None)


def predicate_key(text: str) -> str:
    """The key by which spellings of a predicate are compared: stems of its content words, or else all its words."""
    spelled = [word for word, _ in words(text)]
    return " ".join(stem(word) for word in spelled if word not in STOP_WORDS) or " ".join(spelled)


# ---- rows to results ----


def from_row(row: Mapping[str, Any]) -> Result:
    """The result that was written.

    `row`: a row of cypher/export/responses with its passages, samples, claims in order, their verdicts with the
    evidence, and its revision, if any.
    """
    fields = json.loads(row["fields"] or "{}")
    if row["origin"] == UNREAD:
        return Result(row["n"], None, error=_error(row["error"]), fields=fields)
    sources = json.loads(row["sources"]) if row["sources"] else [None] * len(row["passages"])
    example = Example(
        id=row["name"],
        dataset=row["dataset"],
        response=row["text"],
        passages=tuple(
            Passage(passage["id"], passage["text"], source)
            for passage, source in zip(row["passages"], sources, strict=True)
        ),
        question=row["question"],
        model=row["model"],
        samples=tuple(sample["text"] for sample in row["samples"]),
        meta=json.loads(row["meta"] or "{}"),
    )
    return Result(
        n=row["n"],
        example=example,
        claims=tuple(_claim(claim, Text.of(example).id) for claim in row["claims"]),
        judgements=tuple(_judgement(verdict) for verdict in row["verdicts"]),
        label=Label(row["label"]) if row["label"] else None,
        p_inconsistent=row["p_inconsistent"],
        flagged_rate=row["flagged_rate"],
        revision=_revision(row) if row["revision"] else None,
        error=_error(row["error"]),
        context_claims=tuple(_claim(claim, claim["passage"]) for claim in row["stated"]),
        links=tuple(Link(link["claim"], Relation(link["relation"]), link["stated"]) for link in row["links"]),
        fields=fields,
    )


def _revision(row: Mapping[str, Any]) -> Revision:
    """`row["revised"]`: the row of the revised response, None if nothing was changed."""
    revised = from_row(row["revised"]) if row["revised"] else None
    text = revised.example.response if revised and revised.example else row["text"]
    return Revision(text, tuple(_correction(value) for value in row["corrections"]), revised)


def _correction(value: Mapping[str, Any]) -> Correction:
    edits = tuple(Edit(Span(*edit["span"]), edit["old"], edit["new"]) for edit in json.loads(value["edits"]))
    probabilities = value["p_before"], value["p_after"], value["probability"]
    return Correction(value["claim"], edits, Status(value["status"]), value["reason"], *probabilities)


def _claim(row: Mapping[str, Any], text_id: str) -> Claim:
    texts = (row["subject"], row["predicate"], row["object"])
    values = json.loads(row["slots"]) if row["slots"] else (None, None, None)
    subject, predicate, object_ = (_slot(text, value) for text, value in zip(texts, values, strict=True))
    return Claim(
        row["id"],
        text_id,
        Kind(row["kind"]),
        row["text"],
        Span(*row["sentence"]),
        subject,
        predicate,
        object_,
        row["confidence"],
    )


def _slot(text: str, value: Sequence[Any] | None) -> Slot | None:
    if value is None:
        return None
    spans, resolved, inferred = value
    return Slot(text, _spans(spans), bool(resolved), bool(inferred))


def _judgement(row: Mapping[str, Any]) -> Judgement:
    evidence = tuple(
        Evidence(
            window["passage"],
            Span(window["start"], window["end"]),
            Scores(window["entailment"], window["neutral"], window["contradiction"]),
            tuple(_location(*location) for location in json.loads(window["locations"])),
        )
        for window in row["evidence"]
    )
    label = Label(row["label"]) if row["label"] else None
    return Judgement(
        row["claim"],
        label,
        row["p_inconsistent"],
        row["flagged"],
        evidence,
        row["reason"],
        _error(row["error"]),
        _spans(json.loads(row["unsupported"] or "[]")),
        row["decided_by"],
    )


def _location(part: str, match: str, spans: Iterable[Sequence[int]], missing: Iterable[str]) -> Location:
    return Location(part, Match(match), _spans(spans), tuple(missing))


def _spans(values: Iterable[Sequence[int]]) -> tuple[Span, ...]:
    return tuple(Span(*value) for value in values)


def _error_fields(error: ItemError) -> Row:
    return {name: value for name, value in asdict(error).items() if name != "traceback" or value}


def _error_text(error: ItemError | None) -> str | None:
    return None if error is None else _json(_error_fields(error))


def _error(value: str | None) -> ItemError | None:
    return ItemError(**json.loads(value)) if value else None


def _fields_text(result: Result) -> str | None:
    return _json(dict(result.fields)) if result.fields else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
