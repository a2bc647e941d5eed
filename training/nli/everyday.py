"""Figures of a checker on the everyday answers of tests/data, by sentence and by answer.

    python training/nli/everyday.py [--set everyday_forms] [--checker builtin] [--extractor rules] [--threshold 0.5] \
        [--misses]

A line: {"id", "kind", "question", "context": [passage, ...], "answer": [[label, text], ...]}; label "R" right, "W" with
a planted error around which [[ ]] stand, "T" talk that states nothing. Items are joined by a blank, list items by a new
line. Or {"id", "question", "context", "response", "wrong"} with the wrong sentence, or null: its items are sentences.
An item's p is the largest p_inconsistent of its claims, and 0 without a claim. --misses prints what was judged wrongly:
only of the sets that may be read.
"""

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from development import auc
from marks import unmarked
from real import stated_sentences

from graph_eval import Example, GraphEval, Passage
from graph_eval.settings import Settings
from graph_eval.types import Result, Span

DATA = Path(__file__).parents[2] / "tests" / "data"
SETS = (
    "everyday",
    "everyday_held_out",
    "everyday_plain",
    "everyday_forms",
    "everyday_forms_held_out",
    "everyday_subtle",
    "everyday_subtle_held_out",
)
LIST_ITEM = re.compile(r"(?:[-*•]|\d{1,2}[.)])\s")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with the spans of its items, their labels, and the spans of its errors."""

    example: Example
    spans: tuple[Span, ...]
    labels: tuple[str, ...]
    wrong: tuple[Span, ...]  # the words of the planted errors

    @property
    def right(self) -> bool:
        return "W" not in self.labels


def answers(path: Path) -> list[Answer]:
    """Raises ValueError naming the line that is none."""
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            passages = tuple(map(Passage.of, row["context"]))
            if "response" in row:
                found.append(_in_sentences(row, passages))
                continue
            text, spans, labels, wrong = "", [], [], []
            for label, marked in row["answer"]:
                plain, errors = unmarked(marked)
                if label not in ("R", "W", "T") or (label == "W") != bool(errors):
                    raise ValueError(f"label {label!r} of {marked!r}")
                text += ("\n" if LIST_ITEM.match(plain) else " ") * bool(text)
                start = len(text)
                wrong += [Span(start + error.start, start + error.end) for error in errors]
                spans.append(Span(start, start + len(plain)))
                labels.append(label)
                text += plain
            example = Example(row["id"], "everyday", text, passages, question=row["question"])
        except (KeyError, TypeError, ValueError) as problem:
            raise ValueError(f"{path}, line {number}: {problem}") from problem
        found.append(Answer(example, tuple(spans), tuple(labels), tuple(wrong)))
    return found


def _in_sentences(row: dict[str, Any], passages: tuple[Passage, ...]) -> Answer:
    """Raises ValueError if the wrong sentence is not in the response."""
    text, wrong = row["response"], row["wrong"]
    errors = (Span(text.index(wrong), text.index(wrong) + len(wrong)),) if wrong else ()
    spans = tuple(stated_sentences(text))
    labels = tuple("W" if any(span.overlaps(error) for error in errors) else "R" for span in spans)
    example = Example(row["id"], "everyday", text, passages, question=row["question"])
    return Answer(example, spans, labels, errors)


def scores(answer: Answer, result: Result) -> list[float]:
    """p of each item."""
    return [
        max(
            (f.judgement.p_inconsistent or 0.0 for f in result.findings if f.claim.sentence.overlaps(span)), default=0.0
        )
        for span in answer.spans
    ]


def figures(read: Sequence[tuple[Answer, Sequence[float]]], threshold: float) -> str:
    items = [(label, p) for answer, found in read for label, p in zip(answer.labels, found, strict=True)]
    flagged = {label: [p > threshold for own, p in items if own == label] for label in "RWT"}
    single = [(int(label == "W"), p) for label, p in items if label != "T"]
    whole = [(int(not answer.right), max(found)) for answer, found in read]
    right = [p > threshold for wrong, p in whole if not wrong]
    shown = [f"AUC {auc(*zip(*single, strict=True)):.3f} by sentence, {auc(*zip(*whole, strict=True)):.3f} by answer"]
    shown.append(f"at {threshold}: right sentences flagged {sum(flagged['R'])} of {len(flagged['R'])}")
    shown.append(f"wrong ones caught {sum(flagged['W'])} of {len(flagged['W'])}")
    shown.append(f"talk flagged {sum(flagged['T'])} of {len(flagged['T'])}")
    shown.append(f"right answers with a flag {sum(right)} of {len(right)}")
    return " | ".join(shown)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path)
    options.add_argument("--set", choices=SETS, default=SETS[0], help="of the second one only figures are read")
    options.add_argument("--extractor", default="rules")
    options.add_argument("--checker", default="builtin")
    options.add_argument("--threshold", type=float, default=0.5)
    options.add_argument("--misses", action="store_true", help="print every item that is judged wrongly")
    given = options.parse_args()
    read = answers(given.data or DATA / f"{given.set}.jsonl")
    ge = GraphEval(settings=Settings.of(extractor=given.extractor, checker=given.checker))
    results = list(ge.pipe([answer.example for answer in read]))
    judged = [(answer, scores(answer, result)) for answer, result in zip(read, results, strict=True)]
    print(figures(judged, given.threshold))
    for answer, found in judged if given.misses else ():
        for span, label, p in zip(answer.spans, answer.labels, found, strict=True):
            if (label == "W") != (p > given.threshold):
                print(f"{answer.example.id} {label} {p:.2f} {span.of(answer.example.response)}")


if __name__ == "__main__":
    main()
