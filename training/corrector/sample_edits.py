"""Draws edits of the benchmark for a reader, who does not learn where they come from.

    python training/corrector/sample_edits.py --data DATA --bench summedits.json --bench defacto.json --count 300 \
        --out DIR

--bench: what `graph-eval bench correction -o FILE` wrote. Of each sentence that an applied edit touches: the sentence
before and after, and the sentences of the context that are nearest to it. Written: DIR/read.jsonl with a number, for
the reader; DIR/key.jsonl with the set, the record's id and the edits of the same number. The reader says of each
sentence after its edits whether it is grammatical, and whether its new words are right: the context supports them, and
they are about the same thing as the old ones.
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

from graph_eval.bench.sets import ALL, published_set
from graph_eval.correctors.builtin import evidence_of
from graph_eval.correctors.splice import applied
from graph_eval.text.sentences import sentences
from graph_eval.types import Edit, Example, Span


def edited(example: Example, edits: list[Edit]) -> Iterator[tuple[str, str, list[Edit]]]:
    """(sentence before, sentence after, its edits)"""
    for sentence in sentences(example.response):
        span = sentence.span
        own = [edit for edit in edits if span.start <= edit.span.start and edit.span.end <= span.end]
        if own:
            text = span.of(example.response)
            inside = [Edit(Span(e.span.start - span.start, e.span.end - span.start), e.old, e.new) for e in own]
            yield text, applied(text, inside), inside


def rows(data: Path, path: Path) -> Iterator[tuple[dict, dict]]:
    value = json.loads(path.read_text("utf-8"))
    name = value["set"]
    examples = {item.id: item for item in published_set(data, name, part=ALL) if isinstance(item, Example)}
    routes = {item["route"] for item in value["items"]}
    for item in value["items"]:
        if item["route"] != ("given" if "given" in routes else "end_to_end") or "error" in item:
            continue
        example = examples[item["id"]]
        edits = [Edit(Span(start, end), old, new) for start, end, old, new in item["edits"]]
        for before, after, own in edited(example, edits):
            evidence = evidence_of(before, example.passages)
            shown = {"before": before, "after": after, "context": evidence}
            yield shown, {"set": name, "id": example.id, "edits": [[*edit.span, edit.old, edit.new] for edit in own]}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--bench", type=Path, action="append", required=True)
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    found = [row for path in given.bench for row in rows(given.data, path)]
    random.Random(given.seed).shuffle(found)
    given.out.mkdir(parents=True, exist_ok=True)
    with (
        (given.out / "read.jsonl").open("w", encoding="utf-8") as shown,
        (given.out / "key.jsonl").open("w", encoding="utf-8") as known,
    ):
        for number, (row, key) in enumerate(found[: given.count], 1):
            shown.write(json.dumps({"n": number} | row, ensure_ascii=False) + "\n")
            known.write(json.dumps({"n": number} | key, ensure_ascii=False) + "\n")
    print(f"{min(given.count, len(found))} of {len(found)} edited sentences")


if __name__ == "__main__":
    main()
