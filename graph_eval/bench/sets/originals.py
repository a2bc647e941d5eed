"""Published sets in the file formats of their originals.

A set's originals are in its folder of the data folder, under their own names. Formats, as read in the repositories:

* QAGS (`data/mturk_*.jsonl`): `article`; `summary_sentences`, each with a `sentence` and the `responses` of three
  workers (`response`: yes or no). A sentence is consistent by majority, a summary iff all its sentences are.
* SummEval (`model_annotations.aligned.paired.jsonl`, paired with its articles by `pair_data.py`): `id`, `model_id`,
  `text`, `decoded`, `expert_annotations`. Consistent iff all experts gave the consistency 5.
* FactCC (`data-dev.jsonl` of val or test, paired by `pair_data.py`): `id`, `text`, `claim`, `label`.
* SummEdits (`data/summedits/summedits_DOMAIN.json`): `id`, `doc`, `summary`, `original_summary`, `edit_types`, `label`,
  which is 1 for a consistent summary.
* WiCE (`data/entailment_retrieval/claim/*.jsonl`): `claim`, `evidence` (sentences), `label`, `meta`.
* RAGTruth (`dataset/response.jsonl`, `source_info.jsonl`): answers of the task QA. Inconsistent iff `labels`, the
  marked spans, are not empty.
* DeFacto (`data/*.jsonl`): `article`, `candidate`, `has_error`, `feedback` with the corrected `summary`, which makes a
  record of its own.
* BUMP (`data/task?_dataset.json`): `article`, `reference_summary` (consistent), `edited_summary` (inconsistent).
* ExpertQA (`data/r2_compiled_anon.jsonl`): `answers` by system, each with `claims` (`claim_string`, `evidence`,
  `support`). Only Complete and Incomplete are labels. Claims without a text as evidence are left out, and so are the
  systems whose evidence is only an address.
* WikiBio-GPT3 (`dataset*.json`): `gpt3_text`, `gpt3_sentences`, `annotation` of each sentence, `wiki_bio_text`,
  `gpt3_text_samples`, `wiki_bio_test_idx`. Inconsistent iff a sentence is not accurate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph_eval.bench.sets.rows import Row, rows
from graph_eval.types import content_hash

Record = dict[str, Any]
ERRORS = {True: 1, False: 0}
WORKERS = {"yes": True, "no": False}
SCORES = {score: score for score in range(1, 6)}
FACTCC = {"CORRECT": 0, "INCORRECT": 1}
SUMMEDITS = {1: 0, 0: 1}
WICE = {"supported": 0, "partially_supported": 1, "not_supported": 1}
SUPPORT = {"Complete": 0, "Incomplete": 1, "Partial": None, "Missing": None, "N/A": None, None: None}
ACCURACY = {"accurate": 0, "minor_inaccurate": 1, "major_inaccurate": 1}
TASKS = {"QA": True, "Summary": False, "Data2txt": False}
SPLITS = {"train": "train", "test": "test"}
WITHOUT_TEXT = ("gpt4", "bing_chat")  # systems of ExpertQA
PASSAGE = re.compile(r"^passage \d+:", re.MULTILINE)
CITATION = re.compile(r"\s*\[\d+\]")
NUMBER_AND_ADDRESS = re.compile(r"^(\[\d+\] )?https?://\S+\s*")


@dataclass(frozen=True, slots=True)
class Original:
    """A format of originals.

    `folder`: of the set. `pattern`: of the names of its files. `records`: those of a row, which is named
    by its file and number, with the rows of another file by their key. `joined`: the name of that file, and the column
    that is the key. `parts`: values of `split`. `part`: the
    one that is read by default, None: all.
    """

    folder: str
    pattern: str
    records: Callable[[Row, str, Mapping[str, Row]], Iterator[Record]]
    joined: tuple[str, str] | None = None
    parts: tuple[str, ...] = ()
    part: str | None = None

    def files(self, data: Path) -> list[Path]:
        """The files that are there, the joined one last. Empty if there is none."""
        found = sorted((data / self.folder).glob(self.pattern))
        return [*found, data / self.folder / self.joined[0]] if found and self.joined else found

    def read(self, data: Path, origin: str) -> Iterator[tuple[str, Record]]:
        """The records with their places, a repeated one once.

        Raises InputError for a file that is missing, damaged or of another format.
        """
        found = self.files(data)
        others: dict[str, Row] = {}
        if self.joined:
            others = {row.name(self.joined[1]): row for row in rows(found.pop(), origin)}
        known: dict[str, Record] = {}
        for path in found:
            for n, row in enumerate(rows(path, origin)):
                for record in self.records(row, f"{self.folder}-{path.stem}-{n}", others):
                    if known.setdefault(record["id"], record) is record or known[record["id"]] != record:
                        yield row.place, record


def _qags(row: Row, name: str, _others: Mapping[str, Row]) -> Iterator[Record]:
    sentences = row.rows("summary_sentences")
    if not sentences:
        raise row.unexpected("summary_sentences", "at least one sentence")
    wrong = []
    for sentence in sentences:
        votes = [worker.one_of("response", WORKERS) for worker in sentence.rows("responses")]
        if not len(votes) % 2:
            raise sentence.unexpected("responses", "an odd number of workers")
        wrong.append(2 * sum(votes) < len(votes))
    texts = [sentence.text("sentence") for sentence in sentences]
    yield {
        "id": name,
        "context": row.text("article"),
        "response": " ".join(texts),
        "label": int(any(wrong)),
        "sentences": texts,
        "sentence_label": [int(one) for one in wrong],
    }


def _summeval(row: Row, _name: str, _others: Mapping[str, Row]) -> Iterator[Record]:
    scores = [expert.one_of("consistency", SCORES) for expert in row.rows("expert_annotations")]
    if not scores:
        raise row.unexpected("expert_annotations", "the scores of the experts")
    yield {
        "id": f"{row.name('id')}-{row.text('model_id')}",
        "context": row.text("text"),
        "response": row.text("decoded"),
        "model": row.text("model_id"),
        "label": int(any(score < max(SCORES) for score in scores)),
    }


def _factcc(row: Row, name: str, _others: Mapping[str, Row]) -> Iterator[Record]:
    yield {
        "id": name,
        "context": row.text("text"),
        "response": row.text("claim"),
        "label": row.one_of("label", FACTCC),
        "doc_id": row.name("id"),
    }


def _summedits(row: Row, _name: str, _others: Mapping[str, Row]) -> Iterator[Record]:
    yield {
        "id": row.name("id"),
        "context": row.text("doc"),
        "response": row.text("summary"),
        "label": row.one_of("label", SUMMEDITS),
        "original_summary": row.text("original_summary"),
        "edit_types": row.texts("edit_types"),
    }


def _wice(row: Row, _name: str, _others: Mapping[str, Row]) -> Iterator[Record]:
    yield {
        "id": row.row("meta").name("id"),
        "context": " ".join(row.texts("evidence")),
        "response": row.text("claim"),
        "label": row.one_of("label", WICE),
    }


def _ragtruth(row: Row, _name: str, sources: Mapping[str, Row]) -> Iterator[Record]:
    source = sources.get(row.name("source_id"))
    if source is None:
        raise row.unexpected("source_id", "the source_id of a row of source_info.jsonl")
    if not source.one_of("task_type", TASKS):
        return
    asked = source.row("source_info")
    passages = [text.strip() for text in PASSAGE.split(asked.text("passages"))[1:]]
    if not passages:
        raise asked.unexpected("passages", '"passage 1:", and so on, at the start of lines')
    marked = row.rows("labels")
    spans = [
        {"start": span.integer("start"), "end": span.integer("end"), "type": span.text("label_type")} for span in marked
    ]
    yield {
        "id": row.name("id"),
        "context": passages,
        "question": asked.text("question"),
        "response": row.text("response"),
        "model": row.text("model"),
        "label": int(bool(spans)),
        "spans": spans,
        "split": row.one_of("split", SPLITS),
    }


def _defacto(row: Row, name: str, _others: Mapping[str, Row]) -> Iterator[Record]:
    context = row.text("article")
    wrong = row.one_of("has_error", ERRORS)
    kinds = {name: bool(row.one_of(f"{name}_error", ERRORS)) for name in ("intrinsic", "extrinsic")}
    yield {
        "id": name,
        "context": context,
        "response": row.text("candidate"),
        "label": wrong,
        "model": "pegasus",
        "err": kinds,
    }
    feedback = row.row("feedback")
    corrected = feedback.text("summary") if feedback.value("summary") is not None else ""
    if wrong and corrected.strip():
        yield {
            "id": f"{name}-fix",
            "context": context,
            "response": corrected,
            "label": 0,
            "model": "human-edit",
        }


def _bump(row: Row, name: str, _others: Mapping[str, Row]) -> Iterator[Record]:
    context, reference = row.text("article"), row.text("reference_summary")
    yield {
        "id": name,
        "context": context,
        "response": row.text("edited_summary"),
        "label": 1,
        "err": {row.text("error_type"): True},
    }
    # Pairs of the same article share the reference, and so its record.
    yield {
        "id": f"bump-{content_hash(context, reference)}-ref",
        "context": context,
        "response": reference,
        "label": 0,
    }


def _expertqa(row: Row, name: str, _others: Mapping[str, Row]) -> Iterator[Record]:
    answers = row.row("answers")
    for system in answers.fields:
        for n, claim in enumerate(answers.row(system).rows("claims")):
            label = claim.one_of("support", SUPPORT)
            if label is None or system in WITHOUT_TEXT:
                continue
            texts = [NUMBER_AND_ADDRESS.sub("", text).strip() for text in claim.texts("evidence")]
            if passages := [text for text in texts if text]:
                yield {
                    "id": f"{name}-{system}-{n}",
                    "context": passages,
                    "question": row.text("question"),
                    "response": CITATION.sub("", claim.text("claim_string")).strip(),
                    "model": system,
                    "label": label,
                }


def _wikibio(row: Row, _name: str, _others: Mapping[str, Row]) -> Iterator[Record]:
    sentences, labels = row.texts("gpt3_sentences"), row.texts("annotation")
    if len(labels) != len(sentences):
        raise row.unexpected("annotation", f"a label for each of the {len(sentences)} sentences")
    if unknown := [label for label in labels if label not in ACCURACY]:
        raise row.unexpected("annotation", f"{', '.join(ACCURACY)}, not {unknown[0]!r}")
    yield {
        "id": f"wikibio-{row.name('wiki_bio_test_idx')}",
        "context": row.text("wiki_bio_text"),
        "response": row.text("gpt3_text"),
        "label": int(any(ACCURACY[label] for label in labels)),
        "sentences": sentences,
        "annotation": labels,
        "samples": row.texts("gpt3_text_samples"),
    }


ORIGINALS = {
    "qags-c": Original("qags", "mturk_cnndm.jsonl", _qags),
    "qags-x": Original("qags", "mturk_xsum.jsonl", _qags),
    "summeval": Original("summeval", "model_annotations.aligned.paired.jsonl", _summeval),
    "factcc": Original("factcc", "data-dev.jsonl", _factcc),
    "summedits": Original("summedits", "summedits_*.json", _summedits),
    "wice": Original("wice", "dev.jsonl", _wice),
    "ragtruth": Original(
        "ragtruth", "response.jsonl", _ragtruth, ("source_info.jsonl", "source_id"), tuple(SPLITS), "test"
    ),
    "defacto": Original("defacto", "*.jsonl", _defacto),
    "bump": Original("bump", "task?_dataset.json", _bump),
    "expertqa": Original("expertqa", "r2_compiled_anon*.jsonl", _expertqa),
    "wikibio": Original("wikibio_gpt3", "dataset*.json", _wikibio),
}
