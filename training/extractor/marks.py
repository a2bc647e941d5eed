"""What was marked in texts of elsewhere: which phrase a pronoun stands for, and which triplets are wrong.

A language model read the texts one by one for this project. No person checked its marks.

pronouns.jsonl.gz, a line for each text: {"source", "text", "split", "marks": [[start, end, right, others], ...]}: the
place of a pronoun, and the phrases that the rules named as `digest`s: those that it stands for (none: a clause, nobody
in particular, or a phrase that the rules do not name), and the others.
triplets.jsonl.gz: "marks" is {digest of "subject | predicate | object": "right", "mild" or "wrong"}, with the marks of
`fit_confidence.py`.

"source" "ragtruth": the answer with the id "text" of RAGTruth's QA train split; "written": the context of
training/nli/written.jsonl whose digest is "text". One text in five is held out from the training of the NLI model.
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph_eval.extractors.rules.belief import Belief
from graph_eval.extractors.rules.binding import Binder, Choice
from graph_eval.extractors.rules.extractor import ReadDraft, TextReader, prepare
from graph_eval.nli.scorer import OnnxScorer
from graph_eval.parsing.parser import Parser
from graph_eval.types import Text, content_hash

HERE = Path(__file__).parent
WRITTEN = HERE.parent / "nli" / "written.jsonl"
BATCH = 50  # texts


@dataclass(frozen=True, slots=True)
class MarkedText:
    text: Text
    heldout: bool
    marks: Any


class RuleBinder(Binder):
    """Accepts all that the rules choose, and keeps the choices with the texts that they were made in."""

    def __init__(self) -> None:
        super().__init__(Belief.builtin())
        self.choices: list[Choice] = []

    def accepts(self, choice: Choice) -> bool:
        self.choices.append(choice)
        return True


def digest(text: str) -> str:
    return content_hash(text)[:10]


def read(path: Path, data: Path) -> Iterator[MarkedText]:
    """The marked texts. `data`: the folder with ragtruth.jsonl.gz. Texts that are not there any more are left out."""
    answers, contexts = {}, {}
    with gzip.open(data / "ragtruth.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            answers[row["id"]] = Text(row["id"], row["response"], row.get("question"))
    for line in WRITTEN.read_text("utf-8").splitlines():
        context = json.loads(line)["context"]
        contexts[digest(context)] = Text(digest(context), context)
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            text = (answers if row["source"] == "ragtruth" else contexts).get(row["text"])
            if text is not None:
                yield MarkedText(text, row["split"] == "heldout", row["marks"])


def readings(texts: list[Text], shipped: Binder | None = None) -> Iterator[tuple[list[ReadDraft], list[Choice]]]:
    """What the rules make of each text: its drafts, and the choices for its pronouns.

    With `shipped` it accepts the choices, else all are.
    """
    parser = Parser.builtin()
    for start in range(0, len(texts), BATCH):
        prepared = [prepare(text) for text in texts[start : start + BATCH]]
        docs = iter(parser.parse([line for one in prepared for line in one.surfaces()]))
        for one in prepared:
            binder = RuleBinder()
            reader = TextReader(one, [next(docs) for _ in one.surfaces()], shipped or binder)
            yield reader.read(), binder.choices


def slots(draft: ReadDraft) -> tuple[str, str, str]:
    return draft.draft.subject.text, draft.draft.predicate.text, draft.draft.object.text


def belief(weights: Path | None) -> Belief:
    """That of the weights in a folder, or of the builtin ones."""
    return Belief.builtin() if weights is None else Belief(OnnxScorer(weights, keep_end=True))
