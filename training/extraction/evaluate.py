"""Measures an extractor against RefChecker's human-checked triplets, and its coverage on the benchmarks' responses.

    python training/extraction/evaluate.py --data ../shared/data [--extractor rules]

A reference triplet is found (R@t) where a claim of the response has token F1 >= t with it, articles ignored; P@t is
the same for claims. Coverage counts content words of a response that lie in a slot of some triplet; "of what is
stated" leaves out citations, preambles ("Based on the passages") and sentences that state nothing.
"""

import argparse
import gzip
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graph_eval import registry
from graph_eval.extract.asserting import states_something
from graph_eval.extract.rules.extractor import Cover, prepare
from graph_eval.text.normalise import content_words
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, ItemError, Kind, Text

CHUNK = 64
BENCHMARKS = {
    "qags-c": ("qags/qags_cnndm.jsonl.gz", "response"),
    "qags-x": ("qags/qags_xsum.jsonl.gz", "response"),
    "summeval": ("summeval/summeval.jsonl.gz", "response"),
    "wikibio": ("wikibio_gpt3/wikibio_passages.jsonl.gz", "response"),
}


@dataclass
class Answer:
    """A response of RefChecker's set with its human-checked triplets."""

    model: str
    question: str
    response: str
    triplets: list[list[str]]


def rows(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf8") as lines:
        yield from map(json.loads, lines)


def answers(path: Path) -> list[Answer]:
    found: dict[tuple[str, str, str], Answer] = {}
    for row in rows(path):
        key = (row["setting"], row["llm"], row["id"])
        answer = found.setdefault(key, Answer(row["llm"], row["question"], row["response"], []))
        answer.triplets.append(row["triplet"])
    return list(found.values())


def tokens(text: str) -> Counter:
    text = text.lower().replace("’", "'").replace("'s", " ")
    return Counter(word for word in re.findall(r"[a-z0-9]+(?:[.,][0-9]+)*", text) if word not in ("a", "an", "the"))


def f1(first: Counter, second: Counter) -> float:
    common = (first & second).total()
    return 2 * common / (first.total() + second.total()) if common else 0.0


def extract(extractor: object, texts: list[Text]) -> list[list[Claim]]:
    found: list[list[Claim]] = []
    for start in range(0, len(texts), CHUNK):
        for result in extractor.extract(texts[start : start + CHUNK]):
            if isinstance(result, ItemError):
                raise SystemExit(f"extraction failed: {result}")
            found.append(result)
    return found


def agreement(items: list[Answer], claims: list[list[Claim]]) -> dict[str, float]:
    counts: Counter = Counter()
    for answer, found in zip(items, claims, strict=True):
        reference = [tokens(" ".join(triplet)) for triplet in answer.triplets]
        stated = [tokens(claim.text) for claim in found]
        table = [[f1(a, b) for b in stated] for a in reference]
        counts["reference"] += len(reference)
        counts["claims"] += len(stated)
        for level in (0.5, 0.7):
            counts[f"R@{level}"] += sum(max(line, default=0) >= level for line in table)
            counts[f"P@{level}"] += sum(
                max((line[column] for line in table), default=0) >= level for column in range(len(stated))
            )
    result = {f"R@{t}": counts[f"R@{t}"] / counts["reference"] for t in (0.5, 0.7)}
    result |= {f"P@{t}": counts[f"P@{t}"] / counts["claims"] for t in (0.5, 0.7)}
    return {name: round(value, 3) for name, value in result.items()} | {
        "claims per response": round(counts["claims"] / len(items), 2)
    }


def completeness(texts: list[Text], claims: list[list[Claim]]) -> dict[str, float]:
    counts: Counter = Counter()
    for text, found in zip(texts, claims, strict=True):
        cover = Cover(slot.spans for claim in found for slot in claim.slots)
        for _, span in content_words(text.text):
            counts["words"] += 1
            counts["covered"] += cover.holds(span.start)
        stated = {place for unit in prepare(text).units if unit.surface for place in unit.surface.offsets}
        for _, span in content_words(text.text):
            if span.start in stated:
                counts["words stated"] += 1
                counts["covered of stated"] += cover.holds(span.start)
        for claim in found:
            counts["triplets"] += claim.kind is Kind.TRIPLET
            counts["sentence claims"] += claim.kind is Kind.SENTENCE
            for slot in claim.slots:
                counts["slots"] += 1
                literal = not (slot.resolved or slot.inferred)
                counts["violations"] += literal and slot.verbatim(text.text) != slot.text
        for sentence in sentences(text.text):
            words = sentence.span.of(text.text)
            counts["sentences"] += 1
            has_claim = any(claim.sentence.overlaps(sentence.span) for claim in found)
            used = any(span.overlaps(sentence.span) for claim in found for span in claim.spans)
            if not states_something(words):
                counts["sentences that state nothing"] += 1
            elif not has_claim:
                heading = words.rstrip("*_ ").endswith(":")
                counts["headings of lists" if heading or used else "sentences without a claim"] += 1
    return {
        "triplet coverage": round(counts["covered"] / max(1, counts["words"]), 4),
        "of what is stated": round(counts["covered of stated"] / max(1, counts["words stated"]), 4),
    } | {
        name: counts[name]
        for name in (
            "triplets",
            "sentence claims",
            "slots",
            "violations",
            "sentences",
            "sentences that state nothing",
            "headings of lists",
            "sentences without a claim",
        )
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--extractor", default="rules")
    arguments = options.parse_args()
    extractor = registry.create("extractor", arguments.extractor)

    items = answers(arguments.data / "refchecker/claims_dev.jsonl.gz")
    texts = [Text(str(n), item.response, item.question) for n, item in enumerate(items)]
    claims = extract(extractor, texts)
    print("refchecker, all", json.dumps(agreement(items, claims)))
    by_model: dict[str, list[int]] = defaultdict(list)
    for n, item in enumerate(items):
        by_model[item.model].append(n)
    for model, places in sorted(by_model.items()):
        part = agreement([items[n] for n in places], [claims[n] for n in places])
        print(f"refchecker, {model}", json.dumps(part))
    print("refchecker", json.dumps(completeness(texts, claims)))
    all_texts, all_claims = list(texts), list(claims)
    for name, (file, field) in BENCHMARKS.items():
        texts = [Text(str(n), row[field]) for n, row in enumerate(rows(arguments.data / file))]
        began = time.process_time()
        claims = extract(extractor, texts)
        rate = len(texts) / (time.process_time() - began)
        print(name, json.dumps(completeness(texts, claims)), f"{rate:.0f} responses per CPU second")
        all_texts += texts
        all_claims += claims
    print("all sets", json.dumps(completeness(all_texts, all_claims)))


if __name__ == "__main__":
    main()
