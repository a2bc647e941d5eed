"""RefChecker's human-labelled claims as records of their own, for `graph-eval bench table2 --route response`.

    python training/nli/claims.py DATA/refchecker/claims_dev.jsonl.gz claims.jsonl
    graph-eval bench table2 claims.jsonl --route response

A claim is its triplet read as one line; its context the references; its label 1 unless a person found it entailed.
"""

import argparse
import gzip
import json
from pathlib import Path


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("claims", type=Path)
    options.add_argument("out", type=Path)
    options.add_argument("--setting", help="only zero_context, noisy_context or accurate_context")
    given = options.parse_args()
    with gzip.open(given.claims, "rt", encoding="utf-8") as stream, given.out.open("w", encoding="utf-8") as out:
        for line in stream:
            row = json.loads(line)
            if given.setting in (None, row["setting"]):
                record = {
                    "id": f"{row['id']}-{row['llm']}-{row['claim_index']}",
                    "response": " ".join(row["triplet"]) + ".",
                    "context": row["reference"],
                    "label": int(row["human_label"] != "Entailment"),
                }
                out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
