"""RefChecker's answers of seven language models, with triplets that people labelled (arXiv 2405.14486).

Two layouts are read:

* `refchecker/claims_dev.jsonl.gz`, a row for each labelled triplet: `setting`, `llm`, `id` (of the question),
  `claim_index`, `question`, `response`, `reference` (passages), `triplet` (three texts), `human_label`. Answers without
  a triplet are not in it.
* the original: the folder `benchmark` of the repository as `refchecker`. `human_annotations_v1/SETTING/*_answers.json`
  has for each answer `id`, `response` and `claude2_response_kg` (`triplet`, `human_label`). The questions and their
  passages (`id`, `question`, `context`) are in `data/SETTING/{nq,msmarco,dolly}.json`, which the repository's
  `data/download_data.sh` makes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graph_eval.bench.sets.rows import Row, rows
from graph_eval.types import Label, Passage

CLAIMS = Path("refchecker/claims_dev.jsonl.gz")
FOLDER = Path("refchecker/human_annotations_v1")
QUESTIONS = {
    "zero_context": Path("refchecker/data/zero_context/nq.json"),
    "noisy_context": Path("refchecker/data/noisy_context/msmarco.json"),
    "accurate_context": Path("refchecker/data/accurate_context/dolly.json"),
}
ORIGIN = "https://github.com/amazon-science/RefChecker"
ANSWERS = "_answers.json"  # end of the name of an original file
LABELS = {str(label): label for label in (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)}
SETTINGS = {name: name for name in QUESTIONS}


@dataclass(frozen=True, slots=True)
class LabelledTriplet:
    """A triplet of an answer. `index`: its place among those of the answer. `label`: of people, against the passages.

    `label` is Entailment, Neutral or Contradiction.
    """

    index: int
    triplet: tuple[str, str, str]
    label: Label


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """An answer of a language model. `id`: SETTING/MODEL/QUESTION. `setting`: zero_context, noisy_context (retrieved
    passages) or accurate_context. `passages`: what it was labelled against. `triplets` may be empty: an abstention.
    """

    setting: str
    model: str
    id: str
    question: str
    response: str
    passages: tuple[Passage, ...]
    triplets: tuple[LabelledTriplet, ...]


def read_answers(data: Path, limit: int | None = None) -> list[LabelledAnswer]:
    """The answers in the folder `data`, in the order of the file. `limit`: their number for each setting and model.

    Raises InputError if there is no file, or one with a missing column, another type or another label.
    """
    is_original = not (data / CLAIMS).is_file() and original_files(data)
    answers = _originals(data) if is_original else _joined(rows(data / CLAIMS, ORIGIN))
    counts: Counter[tuple[str, str]] = Counter()
    kept = []
    for answer in answers:
        counts[answer.setting, answer.model] += 1
        if limit is None or counts[answer.setting, answer.model] <= limit:
            kept.append(answer)
    return kept


def original_files(data: Path) -> list[Path]:
    """The original files in the folder `data` that have answers or their questions."""
    answers = sorted((data / FOLDER).glob(f"*/*{ANSWERS}"))
    return [*answers, *(data / path for path in QUESTIONS.values() if (data / path).is_file())] if answers else []


def _joined(claims: Iterator[Row]) -> Iterator[LabelledAnswer]:
    """The answers of rows of triplets. Those of an answer need not be neighbours."""
    first: dict[str, Row] = {}
    triplets: dict[str, list[LabelledTriplet]] = {}
    for row in claims:
        name = "/".join((row.one_of("setting", SETTINGS), row.text("llm"), row.name("id")))
        given = first.setdefault(name, row)
        for column in ("question", "response", "reference"):
            if row.value(column) != given.value(column):
                raise row.unexpected(column, f"the same as in {given.place}")
        found = triplets.setdefault(name, [])
        found.append(_triplet(row, row.integer("claim_index")))
    for name, row in first.items():
        yield LabelledAnswer(
            row.text("setting"),
            row.text("llm"),
            name,
            row.text("question"),
            row.text("response"),
            _passages(row, "reference"),
            tuple(sorted(triplets[name], key=lambda item: item.index)),
        )


def _originals(data: Path) -> Iterator[LabelledAnswer]:
    for setting, path in QUESTIONS.items():
        answers = sorted((data / FOLDER / setting).glob(f"*{ANSWERS}"))
        if not answers:
            continue
        questions = {row.name("id"): row for row in rows(data / path, f"{ORIGIN} (benchmark/data/download_data.sh)")}
        for file in answers:
            model = file.name.removesuffix(ANSWERS).partition("_")[2]
            for row in rows(file, ORIGIN):
                if (asked := questions.get(row.name("id"))) is None:
                    raise row.unexpected("id", f"the id of a question in {data / path}")
                yield LabelledAnswer(
                    setting,
                    model,
                    "/".join((setting, model, row.name("id"))),
                    asked.text("question"),
                    row.text("response"),
                    _passages(asked, "context"),
                    tuple(_triplet(part, n) for n, part in enumerate(row.rows("claude2_response_kg"))),
                )


def _triplet(row: Row, index: int) -> LabelledTriplet:
    parts = row.texts("triplet")
    if len(parts) != 3:
        raise row.unexpected("triplet", "three texts")
    return LabelledTriplet(index, (parts[0], parts[1], parts[2]), row.one_of("human_label", LABELS))


def _passages(row: Row, column: str) -> tuple[Passage, ...]:
    texts = row.texts(column)
    if not texts:
        raise row.unexpected(column, "at least one text")
    return tuple(map(Passage.of, texts))
