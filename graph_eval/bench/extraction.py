"""Measures the quality of extracted claims, without a checker.

Agreement compares claims with the human-checked triplets of RefChecker (arXiv 2405.14486). R@t is the share of
reference triplets for which a claim of the response has token F1 >= t, without articles. P@t is the share of claims for
which a reference triplet has token F1 >= t. Several claims may match one reference.

Coverage is the share of content words that are in a slot of a triplet, over the responses of every set. "Of what is
stated" excludes citations, preambles and sentences that state nothing. The table also counts two errors: a slot whose
words differ from those at its spans, and a sentence without a claim.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

from graph_eval.bench.record import record
from graph_eval.bench.sets import PUBLISHED
from graph_eval.errors import InputError
from graph_eval.extractors.coverage import Coverage
from graph_eval.extractors.rules.extractor import prepare
from graph_eval.extractors.statement import states_something
from graph_eval.formats.labelled import Track
from graph_eval.jobs import Job
from graph_eval.pipeline import GraphEval
from graph_eval.plan import Plan
from graph_eval.runs.resume import RunDirectory
from graph_eval.settings import Settings
from graph_eval.sources import Records
from graph_eval.text.normalise import content_words
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, Example, Kind, Result, Text, content_hash

REFERENCE = "refchecker/claims_dev.jsonl.gz"
ORIGIN = "https://github.com/amazon-science/RefChecker"
WIKIBIO_ORIGIN = "https://github.com/potsawee/selfcheckgpt"
COVERED = {name: PUBLISHED[name].path for name in ("qags-c", "qags-x", "summeval")} | {
    "wikibio": "wikibio_gpt3/wikibio_passages.jsonl.gz"
}
LEVELS = (0.5, 0.7)
COUNTS = (
    "responses,failed,triplets,sentence claims,slots,violations,sentences,sentences that state nothing,"
    "headings of lists,sentences without a claim"
).split(",")


Triplet = tuple[str, ...]


def extraction(
    data: Path, settings: Settings, limit: int | None, track: Track, runs: Path | None = None
) -> dict[str, Any]:
    """Agreement and coverage as the value of their JSON file.

    `limit`: the maximum number of responses per set. `runs`: a folder for one run directory per set. Stored results are
    used again.
    """
    plan = GraphEval(settings=settings).plan("extract")
    answers, triplets = _answers(data / REFERENCE)
    examples = {"refchecker": answers[:limit]}
    for name, path in COVERED.items():
        origin = PUBLISHED[name].origin if name in PUBLISHED else WIKIBIO_ORIGIN
        published = islice(rows_of(data / path, origin), limit)
        examples[name] = [Example(f"{n}", name, row["response"]) for n, row in enumerate(published)]
    extracted = {name: _extracted(plan, part, name, runs, track) for name, part in examples.items()}
    items = [_item(result, triplets[result.example.id]) for result in extracted["refchecker"].results if result.example]
    models = sorted({str(item["model"]) for item in items})
    rows = [{"set": "refchecker", "model": "all", **agreement(items)}]
    rows += [{"set": "refchecker", "model": m, **agreement([i for i in items if i["model"] == m])} for m in models]
    coverage = [{"set": name, **completeness([part])} for name, part in extracted.items()]
    coverage.append({"set": "all", **completeness(list(extracted.values()))})
    digests = {name: _digest(part) for name, part in examples.items()}
    return record(
        "extraction", {"extract": plan}, settings.threads, digests, agreement=rows, coverage=coverage, items=items
    )


@dataclass(slots=True)
class Extracted:
    """The results of a set. `seconds`: CPU time of the `done` results that were computed in this process."""

    results: list[Result]
    done: int = 0
    seconds: float = 0.0


def _extracted(plan: Plan, examples: Sequence[Example], name: str, runs: Path | None, track: Track) -> Extracted:
    extracted = Extracted([])

    def timed(run: Callable[[list[Result]], list[Result]], chunks: Iterable[list[Result]]) -> Iterator[list[Result]]:
        for chunk in chunks:
            began = process_time()
            results = run(chunk)
            extracted.seconds += process_time() - began
            extracted.done += len(results)
            yield results

    sinks = [RunDirectory(runs / f"{name}-claims")] if runs else []
    job = Job(Records(examples, _digest(examples), len(examples)), plan, sinks, timed)
    extracted.results.extend(track(job.results(), len(examples), name))
    return extracted


def _digest(examples: Sequence[Example]) -> str:
    return content_hash(*(example.key for example in examples))


def _item(result: Result, triplets: Sequence[Triplet]) -> dict[str, Any]:
    """The agreement of one response's claims with its reference."""
    reference = [tokens(" ".join(triplet)) for triplet in triplets]
    stated = [tokens(claim.text) for claim in result.claims]
    table = [[token_f1(a, b) for b in stated] for a in reference]
    item: dict[str, Any] = {
        "id": result.example.id if result.example else "",
        "model": result.example.model if result.example else "",
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
    """Pooled recall and precision. None if there are no reference triplets or no claims."""

    def total(name: str) -> int:
        return sum(item[name] for item in items)

    def share(part: int, whole: int) -> float | None:
        return round(part / whole, 4) if whole else None

    figures: dict[str, Any] = {"responses": len(items), "reference": total("reference"), "claims": total("claims")}
    for level in LEVELS:
        figures[f"R@{level}"] = share(total(f"found@{level}"), total("reference"))
        figures[f"P@{level}"] = share(total(f"right@{level}"), total("claims"))
    return figures


def completeness(parts: Sequence[Extracted]) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    for result in (result for part in parts for result in part.results):
        counts["responses"] += 1
        counts["failed"] += result.error is not None
        if result.example is not None and result.error is None:
            _count(result.example, result.claims, counts)
    seconds, done = sum(part.seconds for part in parts), sum(part.done for part in parts)
    return {
        "coverage": round(counts["covered"] / max(1, counts["words"]), 4),
        "coverage of what is stated": round(counts["covered of stated"] / max(1, counts["words stated"]), 4),
        "responses per CPU second": round(done / seconds, 1) if seconds else None,
        **{name: counts[name] for name in COUNTS},
    }


def _count(example: Example, claims: Sequence[Claim], counts: Counter[str]) -> None:
    text = example.response
    units = prepare(Text.of(example)).units
    cover = Coverage(slot.spans for claim in claims for slot in claim.slots)
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


def _answers(path: Path) -> tuple[list[Example], dict[str, list[Triplet]]]:
    """RefChecker's responses, and their human-checked triplets by response id."""
    examples: dict[str, Example] = {}
    triplets: dict[str, list[Triplet]] = defaultdict(list)
    for row in rows_of(path, ORIGIN):
        name = "/".join((row["setting"], row["llm"], row["id"]))
        examples[name] = Example(name, "refchecker", row["response"], question=row["question"], model=row["llm"])
        triplets[name].append(tuple(row["triplet"]))
    return list(examples.values()), triplets


def rows_of(path: Path, origin: str) -> Iterator[dict[str, Any]]:
    """The rows of a published file. Its format is known: it may only be missing or damaged."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist", f"download it from {origin} into the --data folder") from None
    except (OSError, EOFError, ValueError) as problem:
        raise InputError(f"{path} cannot be read: {problem}") from problem
