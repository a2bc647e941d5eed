"""Table 1 of GraphEval (arXiv 2407.10793): what the labelled sets contain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_eval.bench.benchmark import Bench, Benchmark, Measurement, Row, Table, grouped, without_errors
from graph_eval.bench.sets import TABLE2, title_of
from graph_eval.formats.labelled import Labelled, label
from graph_eval.types import Example

PUBLISHED_WORDS = {"qags-x": 18, "qags-c": 49, "summeval": 63}  # mean words of a response in the paper


@dataclass(frozen=True)
class Table1(Benchmark):
    """Number of responses, share of consistent ones, and mean number of words."""

    name = "table1"
    title = "The labelled sets"

    def measure(self, bench: Bench) -> Measurement:
        sets = bench.sets(TABLE2)
        items = [item for labelled in sets for item in _items(labelled)]
        rows = [_row(name, some) for name, some in grouped(items, "set").items()]
        return Measurement(
            [Table("table1", self.title, rows)], items, data={labelled.name: labelled.digest for labelled in sets}
        )


def _items(labelled: Labelled) -> list[Row]:
    items: list[Row] = []
    for n, example in enumerate(labelled):
        place: Row = {"set": labelled.name, "n": n}
        if not isinstance(example, Example):
            items.append(place | {"error": str(example)})
            continue
        items.append(
            place
            | {
                "id": example.id,
                "label": label(example),
                "words": len(example.response.split()),
                "context_words": sum(len(passage.text.split()) for passage in example.passages),
            }
        )
    return items


def _row(name: str, items: Sequence[Row]) -> Row:
    kept = without_errors(items)

    def mean(field: str) -> float | None:
        return round(sum(item[field] for item in kept) / len(kept), 1) if kept else None

    return {
        "set": title_of(name),
        "n": len(kept),
        "errors": len(items) - len(kept),
        "consistent": round(sum(1 - item["label"] for item in kept) / len(kept), 4) if kept else None,
        "words_of_a_response": mean("words"),
        "words_in_the_paper": PUBLISHED_WORDS.get(name),
        "words_of_a_context": mean("context_words"),
    }
