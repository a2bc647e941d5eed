"""How good the extracted claims are, without any checker.

Agreement: against the human-checked triplets of RefChecker (arXiv 2405.14486). A reference triplet is found (R@t)
where a claim of the response has token F1 >= t with it, articles ignored; P@t is the same for claims. Several claims
may find one reference: these are not one-to-one matches.

Coverage: over the responses of every set, the share of content words that lie in a slot of some triplet ("of what is
stated" leaves out citations, preambles and sentences that state nothing), and what must never happen: a slot that
says other words than its spans, a sentence without a claim.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from graph_eval.bench.record import record
from graph_eval.bench.sets import KNOWN, Track
from graph_eval.chunks import chunks
from graph_eval.errors import InputError
from graph_eval.extract.asserting import states_something
from graph_eval.extract.rules.extractor import Cover, prepare
from graph_eval.pipeline import GraphEval
from graph_eval.settings import Settings
from graph_eval.text.normalise import content_words
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, ItemError, Kind, Text, content_hash

REFERENCE = "refchecker/claims_dev.jsonl.gz"
ORIGIN = "https://github.com/amazon-science/RefChecker"
COVERED = {name: KNOWN[name].path for name in ("qags-c", "qags-x", "summeval")} | {
    "wikibio": "wikibio_gpt3/wikibio_passages.jsonl.gz"
}
LEVELS = (0.5, 0.7)
COUNTS = (
    "responses,failed,triplets,sentence claims,slots,violations,sentences,sentences that state nothing,"
    "headings of lists,sentences without a claim"
).split(",")


@dataclass(frozen=True, slots=True)
class Answer:
    """A response with its human-checked triplets."""

    id: str
    model: str
    text: Text
    triplets: tuple[tuple[str, ...], ...]


def extraction(data: Path, settings: Settings, limit: int | None, track: Track) -> dict[str, Any]:
    """Agreement and coverage as the value of their JSON file. `limit`: responses of each set."""
    ge = GraphEval(settings=settings)
    answers = _answers(data / REFERENCE)[:limit]
    found = _extracted(ge, [answer.text for answer in answers], track, "RefChecker")
    items = [_item(answer, claims.found) for answer, claims in zip(answers, found, strict=True)]
    rows = [{"set": "refchecker", "model": "all", **agreement(items)}]
    for model in sorted({answer.model for answer in answers}):
        own = [item for item in items if item["model"] == model]
        rows.append({"set": "refchecker", "model": model, **agreement(own)})
    covered = {"refchecker": found}
    for name, path in COVERED.items():
        texts = [Text(f"{name}-{n}", row["response"]) for n, row in enumerate(_rows(data / path))][:limit]
        covered[name] = _extracted(ge, texts, track, name)
    coverage = [{"set": name, **completeness(part)} for name, part in covered.items()]
    everything = [pair for part in covered.values() for pair in part]
    coverage.append({"set": "all", **completeness(everything)})
    digest = content_hash(*([pair.text.text for pair in part] for part in covered.values()))
    return record("extraction", ge, {"all": digest}, agreement=rows, coverage=coverage, items=items)


@dataclass(frozen=True, slots=True)
class Extracted:
    """A text and its claims, or the reason why there are none; seconds of processor time for its share."""

    text: Text
    found: list[Claim] | ItemError
    seconds: float

    @property
    def claims(self) -> list[Claim]:
        return [] if isinstance(self.found, ItemError) else self.found


def _extracted(ge: GraphEval, texts: Sequence[Text], track: Track, name: str) -> list[Extracted]:
    def stream() -> Iterator[Extracted]:
        for part in chunks(texts, ge.settings.chunk):
            began = process_time()
            found = ge.extractor.extract(part)
            share = (process_time() - began) / len(part)
            yield from (Extracted(text, claims, share) for text, claims in zip(part, found, strict=True))

    return list(track(stream(), len(texts), name))


def _item(answer: Answer, found: list[Claim] | ItemError) -> dict[str, Any]:
    """How one response's claims agree with its reference."""
    claims = [] if isinstance(found, ItemError) else found
    reference = [tokens(" ".join(triplet)) for triplet in answer.triplets]
    stated = [tokens(claim.text) for claim in claims]
    table = [[token_f1(a, b) for b in stated] for a in reference]
    item: dict[str, Any] = {
        "id": answer.id,
        "model": answer.model,
        "reference": len(reference),
        "claims": len(stated),
    }
    for level in LEVELS:
        item[f"found@{level}"] = sum(max(line, default=0.0) >= level for line in table)
        item[f"right@{level}"] = sum(
            max((line[column] for line in table), default=0.0) >= level for column in range(len(stated))
        )
    return item


def agreement(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Pooled recall and precision; None where there is nothing to find or nothing was claimed."""

    def total(name: str) -> int:
        return sum(item[name] for item in items)

    def share(part: int, whole: int) -> float | None:
        return round(part / whole, 4) if whole else None

    figures: dict[str, Any] = {"responses": len(items), "reference": total("reference"), "claims": total("claims")}
    for level in LEVELS:
        figures[f"R@{level}"] = share(total(f"found@{level}"), total("reference"))
        figures[f"P@{level}"] = share(total(f"right@{level}"), total("claims"))
    return figures


def completeness(found: Iterable[Extracted]) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    seconds = 0.0
    for item in found:
        counts["responses"] += 1
        counts["failed"] += isinstance(item.found, ItemError)
        seconds += item.seconds
        if not isinstance(item.found, ItemError):
            _count(item.text.text, prepare(item.text).units, item.claims, counts)
    return {
        "coverage": round(counts["covered"] / max(1, counts["words"]), 4),
        "coverage of what is stated": round(counts["covered of stated"] / max(1, counts["words stated"]), 4),
        "responses per CPU second": round(counts["responses"] / seconds, 1) if seconds else None,
        **{name: counts[name] for name in COUNTS},
    }


def _count(text: str, units: Sequence[Any], claims: Sequence[Claim], counts: Counter[str]) -> None:
    cover = Cover(slot.spans for claim in claims for slot in claim.slots)
    stated = {place for unit in units if unit.surface for place in unit.surface.offsets}
    for _, span in content_words(text):
        held = cover.holds(span.start)
        counts["words"] += 1
        counts["covered"] += held
        if span.start in stated:
            counts["words stated"] += 1
            counts["covered of stated"] += held
    for claim in claims:
        counts["triplets"] += claim.kind is Kind.TRIPLET
        counts["sentence claims"] += claim.kind is Kind.SENTENCE
        for slot in claim.slots:
            counts["slots"] += 1
            counts["violations"] += not (slot.resolved or slot.inferred) and slot.verbatim(text) != slot.text
    for sentence in sentences(text):
        words = sentence.span.of(text)
        counts["sentences"] += 1
        if not states_something(words):
            counts["sentences that state nothing"] += 1
        elif not any(claim.sentence.overlaps(sentence.span) for claim in claims):
            used = any(span.overlaps(sentence.span) for claim in claims for span in claim.spans)
            heading = words.rstrip("*_ ").endswith(":")
            counts["headings of lists" if heading or used else "sentences without a claim"] += 1


def tokens(text: str) -> Counter[str]:
    text = text.lower().replace("’", "'").replace("'s", " ")
    return Counter(word for word in re.findall(r"[a-z0-9]+(?:[.,][0-9]+)*", text) if word not in ("a", "an", "the"))


def token_f1(first: Counter[str], second: Counter[str]) -> float:
    common = (first & second).total()
    return 2 * common / (first.total() + second.total()) if common else 0.0


def _answers(path: Path) -> list[Answer]:
    texts: dict[tuple[str, str, str], Text] = {}
    triplets: dict[tuple[str, str, str], list[tuple[str, ...]]] = defaultdict(list)
    for row in _rows(path):
        key = (row["setting"], row["llm"], row["id"])
        texts.setdefault(key, Text("/".join(key), row["response"], row["question"]))
        triplets[key].append(tuple(row["triplet"]))
    return [Answer(text.id, key[1], text, tuple(triplets[key])) for key, text in texts.items()]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a published file, whose form is known; it only may be missing or broken."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist", f"--data names the folder that holds it; from {ORIGIN}") from None
    except (OSError, EOFError, ValueError) as problem:
        raise InputError(f"{path} cannot be read: {problem}") from problem
