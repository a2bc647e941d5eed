"""Figures of a checker on the development splits of real answers, judged by people.

    PYTHONPATH=training/nli python training/nli/development.py --data DATA/real \\
        [--claims DATA/refchecker/claims_dev.jsonl.gz] [--checker builtin] [--extractor rules] [--threshold 0.5] \\
        [--sets ragtruth defacto ...] [--most 300] [--out FILE]

Every answer goes through the checker as a user's record does. A sentence's p is the largest p_inconsistent of its
claims, a response's that of its sentences; what makes no claim counts as 0. RAGTruth: by sentence and by response, and
of the flagged sentences the precision, the recall and the share of right sentences that are flagged. The others: AUC by
response. RefChecker: its triplets as claims of one line. --out: one line a response, to fit or to read.
"""

import argparse
import contextlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from claims import records
from real import CONTRADICTED, NEUTRAL, lines, spans_of, stated_sentences, verdict

from graph_eval import GraphEval, metrics

SETS = ("ragtruth", "expertqa", "attrbench", "factcheck_gpt", "defacto")


def dev_rows(data: Path, name: str, most: int | None) -> list[dict[str, Any]]:
    rows = [row for row in lines(data / f"{name}.jsonl.gz") if row["split"] == "dev"]
    if name == "ragtruth":
        rows = [row for row in rows if row.get("quality", "good") == "good"]
    if name == "factcheck_gpt":  # evidence on another subject is two thirds of the errors
        rows = [row for row in rows if row.get("stance") != "irrelevant"]
    random.Random(5).shuffle(rows)
    return rows[:most]


def auc(labels: Sequence[int], scores: Sequence[float]) -> float:
    return float(metrics.auc(np.array(labels), np.array(scores), np.ones((1, len(labels)))).values[0])


def judged(
    rows: Sequence[dict[str, Any]], evaluator: GraphEval
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each row with its sentences: `span`, `p`, `wrong` (None: marked by too little to say), the label of its worst
    claim, and of each claim p with the unsupported words."""
    records = [
        {
            "id": str(number),
            "response": row["response"],
            "context": row["context"] if isinstance(row["context"], str) else list(row["context"]),
            **({"question": row["question"]} if row.get("question") else {}),
        }
        for number, row in enumerate(rows)
    ]
    for row, result in zip(rows, evaluator.pipe(records), strict=True):
        found = []
        for span in stated_sentences(row["response"]):
            own = [
                (finding.judgement.label, finding.judgement.p_inconsistent or 0.0, finding.judgement.unsupported)
                for finding in result.findings
                if finding.claim.sentence.overlaps(span)
            ]
            marked = verdict([span], spans_of(row)) if row.get("spans") else 0
            found.append(
                {
                    "span": [span.start, span.end],
                    "p": max((p for _, p, _ in own), default=0.0),
                    "wrong": marked,
                    "label": max(own, key=lambda entry: entry[1])[0] if own else None,
                    "words": [(p, [[word.start, word.end] for word in words]) for _, p, words in own],
                }
            )
        yield row, found


def figures(name: str, both: Sequence[tuple[dict[str, Any], list[dict[str, Any]]]], threshold: float) -> str:
    """AUC by response, and what the threshold flags: of the sentences where their labels are known."""
    labels = [int(bool(row["label"])) for row, _ in both]
    scores = [max((sentence["p"] for sentence in found), default=0.0) for _, found in both]
    shown = [f"{name}: {len(labels)} responses, {np.mean(labels):.3f} wrong, AUC {auc(labels, scores):.3f}"]
    if name == "ragtruth":
        single = [sentence for _, found in both for sentence in found if sentence["wrong"] is not None]
        labels = [int(bool(sentence["wrong"])) for sentence in single]
        scores = [sentence["p"] for sentence in single]
        shown.append(f"{len(labels)} sentences, {np.mean(labels):.3f} wrong, AUC {auc(labels, scores):.3f}")
    flagged = [bool(label) for label, p in zip(labels, scores, strict=True) if p > threshold]
    right, wrong = labels.count(0), labels.count(1)
    precision, recall = sum(flagged) / max(1, len(flagged)), sum(flagged) / max(1, wrong)
    false = (len(flagged) - sum(flagged)) / max(1, right)
    if name == "ragtruth":
        shown.append(f"span F1 {span_f1(both, threshold):.3f}")
        shown.append(f"labels {dict(Counter(kinds(both, threshold)))}")
    shown.append(f"at {threshold}: precision {precision:.3f}, recall {recall:.3f}, right ones flagged {false:.3f}")
    return " | ".join(shown)


def span_f1(both: Sequence[tuple[dict[str, Any], list[dict[str, Any]]]], threshold: float) -> float:
    """F1 by characters of the unsupported words of flagged claims against the annotators' marks."""
    return character_f1(
        (
            [span for sentence in found for p, words in sentence["words"] if p > threshold for span in words],
            [(span.start, span.end) for span, _ in spans_of(row)],
        )
        for row, found in both
    )


def character_f1(responses: Iterable[tuple[Iterable[Sequence[int]], Iterable[Sequence[int]]]]) -> float:
    """F1 by characters over all responses, from the found spans and the marked ones of each."""
    hits = size = 0
    for found, marked in responses:
        said, truth = ({at for start, end in spans for at in range(start, end)} for spans in (found, marked))
        hits, size = hits + len(said & truth), size + len(said) + len(truth)
    return 2 * hits / max(1, size)


def kinds(both: Sequence[tuple[dict[str, Any], list[dict[str, Any]]]], threshold: float) -> Iterator[tuple[str, str]]:
    """Of flagged sentences that are wrong: what the annotators call it, and the label."""
    for _, found in both:
        for sentence in found:
            if sentence["wrong"] and sentence["p"] > threshold:
                yield {CONTRADICTED: "conflict", NEUTRAL: "baseless"}.get(sentence["wrong"], "other"), sentence["label"]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--claims", type=Path)
    options.add_argument("--sets", nargs="*", default=SETS)
    options.add_argument("--checker", default="builtin")
    options.add_argument("--extractor", default="rules")
    options.add_argument("--threshold", type=float, default=0.5)
    options.add_argument("--most", type=int, help="rows of a set, which a fixed seed chooses")
    options.add_argument("--out", type=Path)
    given = options.parse_args()
    evaluator = GraphEval(extractor=given.extractor, checker=given.checker)
    sets = {name: dev_rows(given.data, name, given.most) for name in given.sets}
    if given.claims:
        claims = list(records(given.claims))
        random.Random(5).shuffle(claims)
        sets["refchecker"] = claims[: given.most]
    with contextlib.ExitStack() as stack:
        written = stack.enter_context(given.out.open("w", encoding="utf-8")) if given.out else None
        for name, rows in sets.items():
            both = list(judged(rows, evaluator))
            print(figures(name, both, given.threshold), flush=True)
            for row, found in both if written else ():
                record = {"set": name, "id": row["id"], "label": row["label"], "sentences": found}
                written.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
