"""Measures which phrases of the graph are one entity, against the pairs of tests/data/mentions.jsonl.

    python examples/measure_merges.py --data DIR

DIR holds summeval/, factcc/, refchecker/ and real/ with one .jsonl.gz file each, with id, context and response. Prints
precision (of the pairs that are merged, the share that a person calls the same) and recall, and the named nodes of each
set.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from graph_eval import GraphEval
from graph_eval.graph.entities import entity, names_nothing
from graph_eval.types import Example, Passage, Result, Slot

PAIRS = Path(__file__).parent.parent / "tests" / "data" / "mentions.jsonl"
FILES = {
    "summeval": "summeval/summeval.jsonl.gz",
    "factcc": "factcc/factcc.jsonl.gz",
    "refchecker": "refchecker/claims_dev.jsonl.gz",
    "expertqa": "real/expertqa.jsonl.gz",
    "defacto": "real/defacto.jsonl.gz",
}


def records(name: str, path: Path, wanted: set[str]) -> Iterator[Example]:
    """The records of a set with these ids, each once."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            identity = f"{row['llm']}-{row['id']}" if name == "refchecker" else str(row["id"])
            if identity in wanted:
                wanted.discard(identity)
                context = row.get("context", row.get("reference"))
                texts = [context] if isinstance(context, str) else context
                yield Example(
                    identity, name, row["response"], tuple(Passage.of(text) for text in texts if text.strip())
                )


def slots(result: Result) -> list[Slot]:
    ends = (slot for claim in result.claims for slot in (claim.subject, claim.object))
    return [slot for slot in ends if slot is not None and not names_nothing(slot)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    pairs = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    ids = defaultdict(set)
    for pair in pairs:
        ids[pair["set"]].add(pair["id"])
    found: dict[tuple[str, str], tuple[Example, list[Slot]]] = {}
    for name, wanted in ids.items():
        results = GraphEval().extract(records(name, data / FILES[name], set(wanted)))
        nodes = {}
        for result in results:
            if result.example is not None:
                found[name, result.example.id] = result.example, slots(result)
                nodes |= {node.key: node for node in (entity(slot, result.example) for slot in slots(result))}
        named = sum(node.named for node in nodes.values())
        print(f"{name}: {len(results)} responses, {len(nodes)} entities, {named} of them named")
    for part in ("dev", "test"):
        counts = dict.fromkeys(("right", "wrong", "missed", "not found"), 0)
        for pair in (pair for pair in pairs if pair["part"] == part):
            example, own = found[pair["set"], pair["id"]]
            by_text = {slot.text: slot for slot in own}
            if pair["one"] not in by_text or pair["other"] not in by_text:
                counts["not found"] += 1
                continue
            one, other = (entity(by_text[pair[side]], example).key for side in ("one", "other"))
            if one == other:
                counts["right" if pair["same"] else "wrong"] += 1
            elif pair["same"]:
                counts["missed"] += 1
        precision = counts["right"] / max(1, counts["right"] + counts["wrong"])
        recall = counts["right"] / max(1, counts["right"] + counts["missed"])
        print(f"{part}: precision {precision:.3f}, recall {recall:.3f}, {counts}")


if __name__ == "__main__":
    main()
