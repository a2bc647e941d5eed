"""What self-checking found of one response, as JSON values with texts: for printing, and for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graph_eval.types import CONSISTENCY, Claim, Finding, Result, Span

SAMPLING = "sampling"  # the field that names the samples that could not be drawn


def consistency_of(result: Result) -> Mapping[str, Any] | None:
    """The value of the field `consistency`, or None for a response that was not compared with samples."""
    value = result.fields.get(CONSISTENCY)
    return value if isinstance(value, Mapping) else None


def sampling_of(result: Result) -> Mapping[str, Any]:
    """Which samples could not be drawn: `failed`, their errors, `draws`, their numbers, and the `fingerprint` of the
    sampler. {} if there are none."""
    value = result.fields.get(SAMPLING)
    return value if isinstance(value, Mapping) else {}


def record(result: Result) -> dict[str, Any]:
    """`id`, `model`, `method`, `threshold`, `score`, `flagged`, `samples`, `left_out`, `silent`, `not_drawn`,
    `sentences`, `claims`, `entities` and `error`. A high score means that the text is probably made up. `silent`: why
    the response says nothing that could be compared, so that it has no score; None for any other. `not_drawn`: the
    errors of the samples that the model did not give.

    A sentence has `text`, `span`, `score` and `flagged`. A claim has these, its counts of samples and `samples_say`
    (what each sample says on it): None and [] unless the method compares claims. If it was also judged against a
    context, it has its `verdict`.
    """
    example = result.example
    found = consistency_of(result) or {}
    names = ("method", "threshold", "score", "flagged", "samples", "left_out", "silent")
    value: dict[str, Any] = {"id": result.name, "model": example.model if example else None}
    value |= {name: found.get(name) for name in names}
    value["not_drawn"] = list(sampling_of(result).get("failed", ()))
    response = example.response if example else ""
    value["sentences"] = [
        {"text": Span(*item["span"]).of(response), **{name: item[name] for name in ("span", "score", "flagged")}}
        for item in found.get("sentences", ())
    ]
    compared = {item["id"]: item for item in found.get("claims", ())}
    findings = {finding.claim.id: finding for finding in result.findings}
    value["claims"] = [
        _claim(compared.get(claim.id), claim, findings.get(claim.id))
        for claim in result.claims
        if claim.id in compared or claim.id in findings
    ]
    value["entities"] = list(found.get("entities", ()))
    value["error"] = str(result.error) if result.error else None
    return value


def _claim(item: Mapping[str, Any] | None, claim: Claim, finding: Finding | None) -> dict[str, Any]:
    """`item`: the claim's entry in the field `consistency`, None if the method compares no claims."""
    names = ("score", "flagged", "supported", "contradicted", "samples")
    value: dict[str, Any] = {"text": claim.text, "span": [claim.spans[0].start, claim.spans[-1].end]}
    item = item or {}
    value |= {name: item.get(name) for name in names}
    value["samples_say"] = [
        {"sample": link["sample"], "relation": link["relation"], "text": link["text"]} for link in item.get("links", ())
    ]
    if "error" in item:
        value["error"] = item["error"]
    if finding is not None:
        judgement = finding.judgement
        value["verdict"] = {
            "label": judgement.label,
            "p_inconsistent": judgement.p_inconsistent,
            "flagged": judgement.flagged,
        }
    return value
