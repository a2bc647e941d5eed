"""Balanced accuracy of whole responses at the checker's own threshold, any claim flagged.

    python training/nli/evaluate.py --data ../shared/data [--extractor rules] [--sets qags-c qags-x]

Prints n, balanced accuracy, AUC, errors, and how claims and time were spent. The first three sets are for
development; the others are benchmarks: measure on them, choose nothing by them.
"""

import argparse
import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from graph_eval import GraphEval, Result
from graph_eval.settings import Settings

SETS = {
    "factcc": "factcc/factcc.jsonl.gz",
    "polytope": "polytope/polytope.jsonl.gz",
    "wice": "wice/wice_claim_dev.jsonl.gz",
    "qags-c": "qags/qags_cnndm.jsonl.gz",
    "qags-x": "qags/qags_xsum.jsonl.gz",
    "summeval": "summeval/summeval.jsonl.gz",
}


def rows(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf8") as lines:
        yield from map(json.loads, lines)


def balanced_accuracy(labels: np.ndarray, flagged: np.ndarray) -> float:
    return float((flagged[labels == 1].mean() + (~flagged[labels == 0]).mean()) / 2)


def auc(labels: np.ndarray, scores: np.ndarray) -> float:
    """The chance that an inconsistent response scores higher than a consistent one, ties counted half."""
    bad, good = scores[labels == 1], scores[labels == 0]
    higher = (bad[:, None] > good[None, :]).mean()
    return float(higher + (bad[:, None] == good[None, :]).mean() / 2)


def evaluate(ge: GraphEval, records: list[dict]) -> dict[str, float]:
    fields = ("id", "response", "context")
    began = time.perf_counter()
    results: list[Result] = list(ge.pipe({name: record[name] for name in fields} for record in records))
    seconds = time.perf_counter() - began
    done = [n for n, result in enumerate(results) if result.error is None]
    labels = np.array([records[n]["label"] for n in done])
    scores = np.array([results[n].p_inconsistent or 0.0 for n in done])
    flagged = np.array([results[n].inconsistent for n in done])
    claims = [judgement for result in results for judgement in result.judgements]
    return {
        "n": len(records),
        "errors": len(records) - len(done),
        "balanced accuracy": round(balanced_accuracy(labels, flagged), 3),
        "AUC": round(auc(labels, scores), 3),
        "claims per response": round(len(claims) / len(records), 2),
        "verbatim": round(sum(j.reason == "verbatim" for j in claims) / max(1, len(claims)), 3),
        "responses per second": round(len(records) / seconds, 1),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--extractor", default="rules")
    options.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    arguments = options.parse_args()
    ge = GraphEval(settings=Settings(extractor=arguments.extractor))
    list(ge.pipe([{"response": "It loads.", "context": "It loads the weights."}]))
    for name in arguments.sets:
        records = list(rows(arguments.data / SETS[name]))
        print(name, arguments.extractor, json.dumps(evaluate(ge, records)), flush=True)


if __name__ == "__main__":
    main()
