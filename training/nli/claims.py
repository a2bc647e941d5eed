"""RefChecker's human-labelled claims as records of their own, for `graph-eval bench table2 --route response`.

    python training/nli/claims.py DATA/refchecker/claims_dev.jsonl.gz claims.jsonl
    graph-eval bench table2 claims.jsonl --route response

A claim is its triplet read as one line; its context the references; its label 1 unless a person found it entailed.
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path


def records(path: Path, setting: str | None = None) -> Iterator[dict[str, object]]:
    """One record a claim; `setting`: only claims of it."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for row in map(json.loads, stream):
            if setting in (None, row["setting"]):
                yield {
                    "id": f"{row['id']}-{row['llm']}-{row['claim_index']}",
                    "response": " ".join(row["triplet"]) + ".",
                    "context": row["reference"],
                    "label": int(row["human_label"] != "Entailment"),
                }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("claims", type=Path)
    options.add_argument("out", type=Path)
    options.add_argument("--setting", help="only zero_context, noisy_context or accurate_context")
    given = options.parse_args()
    with given.out.open("w", encoding="utf-8") as out:
        for record in records(given.claims, given.setting):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
