"""Published sets: what a right file of each format gives, and what is said of a wrong one."""

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph_eval.bench.sets import ALL, PUBLISHED, TABLE2, counts, published_set
from graph_eval.bench.sets.edits import cases
from graph_eval.bench.sets.originals import ORIGINALS
from graph_eval.bench.sets.refchecker import LabelledTriplet, read_answers
from graph_eval.cli.main import main
from graph_eval.errors import InputError, UsageError
from graph_eval.formats.labelled import label, labelled_files
from graph_eval.types import Example, Label

Rows = Sequence[Any]


def write(path: Path, rows: Rows) -> Path:
    """The rows as JSON lines, or for .json as one list; packed for .gz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row) for row in rows]
    text = f"[{', '.join(lines)}]" if ".json." in f"{path.name}." else "".join(f"{line}\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def record(n: int, value: object = 0, **more: object) -> dict[str, object]:
    return {"id": f"r{n}", "context": "The lamp is blue.", "response": f"Lamp {n} is blue.", "label": value, **more}


def examples(data: Path, name: str, **options: Any) -> list[Example]:
    found = list(published_set(data, name, **options))
    assert all(isinstance(item, Example) for item in found)
    return [item for item in found if isinstance(item, Example)]


@pytest.fixture
def qags(tmp_path: Path) -> Path:
    """QAGS-XSum with the rows that it must have."""
    published = PUBLISHED["qags-x"]
    rows = [record(n, int(n < published.inconsistent)) for n in range(published.rows)]
    write(tmp_path / published.path, rows)
    return tmp_path


# ---- the file of records ----


def test_the_file_of_records(qags: Path) -> None:
    found = published_set(qags, "qags-x")
    assert (len(found), found.title) == (239, "QAGS-XSum")
    assert sum(label(item) or 0 for item in found if isinstance(item, Example)) == 123
    assert examples(qags, "qags-x")[0].dataset == "qags-x"


def test_other_counts_are_an_error_with_both(qags: Path) -> None:
    path = qags / PUBLISHED["qags-x"].path
    write(path, [record(n) for n in range(5)])
    with pytest.raises(InputError, match="5 rows, 0 inconsistent; expected 239 rows, 123 inconsistent"):
        published_set(qags, "qags-x")
    with pytest.raises(InputError, match="expected 239 rows"):
        counts(qags, "qags-x")
    assert len(published_set(qags, "qags-x", limit=3)) == 3, "a part of the file was asked for"


def test_the_label_balance_counts_too(qags: Path) -> None:
    write(qags / PUBLISHED["qags-x"].path, [record(n) for n in range(239)])
    with pytest.raises(InputError, match="239 rows, 0 inconsistent; expected 239 rows, 123 inconsistent"):
        published_set(qags, "qags-x")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"context": "c", "response": "r"}, r'line 2: column "label" is missing; the row has "context", "response"'),
        ({"context": "c", "label": 0}, r'line 2: column "response" is missing'),
        ({"response": "r", "label": 0}, r'line 2: column "context" is missing'),
        (record(2, "consistent"), r"line 2: \"label\" is 'consistent', expected 0 or 1"),
        (record(2, True), r'line 2: "label" is True, expected 0 or 1'),
        (record(2, 2), r'line 2: "label" is 2, expected 0 or 1'),
        (record(2, None), r'line 2: "label" is None, expected 0 or 1'),
        (record(2, 0, response=5), r'line 2: "response" is 5, expected a text'),
        (record(2, 0, context=["a", 1]), r"line 2: \"context\" is \['a', 1\], expected a list of texts"),
        ([1], "line 2: the row is no JSON object"),
    ],
)
def test_a_wrong_row_is_an_error_with_file_line_and_column(tmp_path: Path, row: object, message: str) -> None:
    path = write(tmp_path / PUBLISHED["summeval"].path, [record(1), row])
    with pytest.raises(InputError, match=message) as caught:
        published_set(tmp_path, "summeval", limit=2)
    assert str(path) in str(caught.value)
    assert "github.com/Yale-LILY/SummEval" in str(caught.value)


def test_a_missing_file_is_an_error_with_both_names_and_the_origin(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        published_set(tmp_path, "qags-c")
    for text in ("qags/qags_cnndm.jsonl.gz does not exist", "qags/mturk_cnndm.jsonl", "github.com/W4ngatang/qags"):
        assert text in str(caught.value)
    with pytest.raises(InputError, match=r"claims_dev.* or the originals in .*refchecker/human_annotations_v1"):
        published_set(tmp_path, "refchecker")
    with pytest.raises(InputError, match="the format of the original is not read"):
        published_set(tmp_path, "polytope")


def test_a_damaged_file_is_an_error(qags: Path) -> None:
    path = qags / PUBLISHED["qags-x"].path
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="cannot be read"):
        published_set(qags, "qags-x")
    path.write_bytes(b"no gzip")
    with pytest.raises(InputError, match="cannot be read"):
        published_set(qags, "qags-x")
    path.write_bytes(gzip.compress(b'{"response": \n'))
    with pytest.raises(InputError, match="line 1: invalid JSON"):
        published_set(qags, "qags-x")
    path.write_bytes(gzip.compress(b"\n"))
    with pytest.raises(InputError, match="is empty"):
        published_set(qags, "qags-x")


# ---- parts ----


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    rows = [record(n, n % 2, split="dev" if n < 4 else "train") for n in range(10)]
    write(tmp_path / PUBLISHED["expertqa"].path, rows)
    return tmp_path


def test_only_the_development_part_is_read_by_default(claims: Path) -> None:
    default = published_set(claims, "expertqa", counted=False)
    assert [item.id for item in examples(claims, "expertqa", counted=False)] == ["r0", "r1", "r2", "r3"]
    assert len(default) == 4
    train = published_set(claims, "expertqa", part="train", counted=False)
    whole = published_set(claims, "expertqa", part=ALL, counted=False)
    assert (len(train), len(whole)) == (6, 10)
    assert len({default.digest, train.digest, whole.digest}) == 3
    limited = published_set(claims, "expertqa", limit=2, part="train")
    assert len(limited) == len(list(limited)) == 2
    assert [item.id for item in examples(claims, "expertqa", limit=2, part="train")] == ["r4", "r5"]


def test_an_unknown_part_is_an_error(claims: Path) -> None:
    with pytest.raises(UsageError, match=r"no part 'test'\n.*train, dev, all"):
        published_set(claims, "expertqa", limit=1, part="test")
    write(claims / PUBLISHED["summeval"].path, [record(1)])
    with pytest.raises(UsageError, match="summeval has no part 'dev'"):
        published_set(claims, "summeval", limit=1, part="dev")


def test_a_row_without_its_part_is_an_error(claims: Path) -> None:
    path = claims / PUBLISHED["expertqa"].path
    write(path, [record(1)])
    with pytest.raises(InputError, match='column "split" is missing'):
        published_set(claims, "expertqa", limit=1)
    write(path, [record(1, split="test")])
    with pytest.raises(InputError, match="\"split\" is 'test', expected 'train' or 'dev'"):
        published_set(claims, "expertqa", limit=1)


def test_a_part_of_the_users_own_records(tmp_path: Path) -> None:
    path = write(tmp_path / "own.jsonl", [record(1, split="a"), record(2, split="b"), record(3), "no record"])
    whole = labelled_files([str(path)], [])
    part = replace(whole, part="b")
    assert [getattr(item, "id", None) for item in part] == ["r2", None], "what cannot be read stays an error"
    assert (len(whole), len(part)) == (4, 2)
    assert whole.digest != part.digest


# ---- originals ----


def worker(*answers: str) -> list[dict[str, str]]:
    return [{"response": answer} for answer in answers]


def qags_row(*sentences: tuple[str, list[dict[str, str]]]) -> dict[str, Any]:
    return {"article": "A.", "summary_sentences": [{"sentence": s, "responses": r} for s, r in sentences]}


def summeval_row(*scores: object) -> dict[str, Any]:
    experts = [{"consistency": score, "fluency": 1} for score in scores]
    return {"id": "dm-test-1", "model_id": "M1", "text": "A.", "decoded": "S.", "expert_annotations": experts}


def ragtruth_row(source: str, labels: object, **more: object) -> dict[str, Any]:
    row = {"id": f"a{source}", "source_id": source, "model": "m", "response": "No one knows.", "split": "test"}
    return {**row, "labels": labels, **more}


SPAN = {"start": 0, "end": 2, "text": "No", "label_type": "Evident Conflict"}
SOURCES = [
    {"source_id": "1", "task_type": "QA",
     "source_info": {"question": "Who?", "passages": "passage 1:Ada.\n\npassage 2:Bo.\nCy: passage 3: too.\n\n"}},
    {"source_id": "2", "task_type": "Summary", "source_info": "text"},
]  # fmt: skip


def claim(support: object, *evidence: str) -> dict[str, Any]:
    return {"claim_string": "It rains [1][2].", "evidence": list(evidence), "support": support}


def wikibio_row(*annotation: str) -> dict[str, Any]:
    return {
        "gpt3_text": "A. B.", "gpt3_sentences": ["A.", "B."], "annotation": list(annotation), "wiki_bio_text": "C.",
        "wiki_bio_test_idx": 7, "gpt3_text_samples": ["D.", "E."],
    }  # fmt: skip


def edit(value: object, **more: object) -> dict[str, Any]:
    row = {"id": "x_0", "doc": "A.", "summary": "B.", "original_summary": "C.", "edit_types": []}
    return {**row, "label": value, **more}


def defacto_row(wrong: object, summary: object = "") -> dict[str, Any]:
    errors = {"has_error": wrong, "intrinsic_error": False, "extrinsic_error": wrong}
    return {"article": "A.", "candidate": "B.", "feedback": {"summary": summary}, **errors}


def wice_row(value: object) -> dict[str, Any]:
    return {"claim": "C.", "evidence": ["A.", "B."], "label": value, "meta": {"id": "dev1"}}


FACTCC_ROW = {"id": "cnn-test-1", "text": "A.", "claim": "B.", "filepath": "x"}
BUMP_ROW = {"article": "A.", "reference_summary": "R.", "edited_summary": "E.", "error_type": "Intrinsic Entity Error"}
# Name of the set, files with their rows, expected (response, label) of the records.
RIGHT: dict[str, tuple[str, dict[str, Rows], list[tuple[str, int]]]] = {
    "qags-c": ("qags-c", {"qags/mturk_cnndm.jsonl": [
        qags_row(("S one.", worker("yes", "no", "yes")), ("S two.", worker("yes", "yes", "yes"))),
        qags_row(("S one.", worker("yes", "yes", "yes")), ("S two.", worker("no", "yes", "no"))),
    ]}, [("S one. S two.", 0), ("S one. S two.", 1)]),
    "qags-x": ("qags-x", {"qags/mturk_xsum.jsonl": [qags_row(("S.", worker("no", "no", "yes")))]}, [("S.", 1)]),
    "summeval": ("summeval", {"summeval/model_annotations.aligned.paired.jsonl": [
        summeval_row(5, 5, 5), {**summeval_row(5, 4, 5), "model_id": "M2"},
    ]}, [("S.", 0), ("S.", 1)]),
    "factcc": ("factcc", {"factcc/data-dev.jsonl": [
        {**FACTCC_ROW, "label": "CORRECT"}, {**FACTCC_ROW, "label": "INCORRECT"},
    ]}, [("B.", 0), ("B.", 1)]),
    "summedits": ("summedits", {
        "summedits/summedits_news.json": [edit(1), edit(0, id="x_1")],
        "summedits/summedits_podcast.json": [edit(0, id="y_1")],
    }, [("B.", 0), ("B.", 1), ("B.", 1)]),
    "wice": ("wice", {"wice/dev.jsonl": [
        {**wice_row(value), "meta": {"id": value}} for value in ("supported", "partially_supported", "not_supported")
    ]}, [("C.", 0), ("C.", 1), ("C.", 1)]),
    "ragtruth": ("ragtruth", {
        "ragtruth/response.jsonl": [
            ragtruth_row("1", [SPAN]), ragtruth_row("2", [SPAN]), ragtruth_row("1", [], id="b", split="train"),
            ragtruth_row("1", [], id="c"),
        ],
        "ragtruth/source_info.jsonl": SOURCES,
    }, [("No one knows.", 1), ("No one knows.", 0)]),
    "defacto": ("defacto", {"defacto/val.jsonl": [
        defacto_row(False), defacto_row(True, "D."), defacto_row(True), defacto_row(True, None),
    ]}, [("B.", 0), ("B.", 1), ("D.", 0), ("B.", 1), ("B.", 1)]),
    "bump": ("bump", {
        "bump/task1_dataset.json": [BUMP_ROW, {**BUMP_ROW, "edited_summary": "F."}],
    }, [("E.", 1), ("R.", 0), ("F.", 1)]),
    "expertqa": ("expertqa", {"expertqa/r2_compiled_anon.jsonl": [{"question": "Q?", "answers": {
        "gpt4": {"claims": [claim("Complete", "[1] https://a.b/c")]},
        "rr_sphere_gpt4": {"claims": [
            claim("Complete", "[1] https://a.b/c\n\nIt rains.", "[2] https://a.b/d"), claim("Incomplete", "Snow."),
            claim("Partial", "x"), claim("Missing"), claim("N/A", "x"), claim(None, "x"),
            claim("Complete", "http://a "),
        ]},
    }}]}, [("It rains.", 0), ("It rains.", 1)]),
    "wikibio": ("wikibio", {"wikibio_gpt3/dataset.json": [
        wikibio_row("accurate", "accurate"), {**wikibio_row("accurate", "minor_inaccurate"), "wiki_bio_test_idx": 8},
    ]}, [("A. B.", 0), ("A. B.", 1)]),
}  # fmt: skip


@pytest.mark.parametrize("case", RIGHT)
def test_originals_are_read_in_their_own_format(tmp_path: Path, case: str) -> None:
    name, files, expected = RIGHT[case]
    for path, rows in files.items():
        write(tmp_path / path, rows)
    found = examples(tmp_path, name)
    assert [(item.response, label(item)) for item in found] == expected
    assert len({item.id for item in found}) == len(found)
    assert all(item.passages and item.dataset == name for item in found)
    assert counts(tmp_path, name).original


def test_every_format_of_originals_has_a_case() -> None:
    assert set(RIGHT) == set(ORIGINALS)


def test_what_originals_hold_beside_the_label(tmp_path: Path) -> None:
    for case in ("ragtruth", "expertqa", "wikibio", "defacto"):
        for path, rows in RIGHT[case][1].items():
            write(tmp_path / path, rows)
    answer = examples(tmp_path, "ragtruth")[0]
    assert [passage.text for passage in answer.passages] == ["Ada.", "Bo.\nCy: passage 3: too."]
    assert (answer.question, answer.model) == ("Who?", "m")
    assert answer.meta["spans"] == [{"start": 0, "end": 2, "type": "Evident Conflict"}]
    assert len(published_set(tmp_path, "ragtruth")) == 2, "the test split, since train is in the weights"
    assert len(published_set(tmp_path, "ragtruth", part=ALL)) == 3
    assert [passage.text for passage in examples(tmp_path, "expertqa")[0].passages] == ["It rains."]
    assert examples(tmp_path, "wikibio")[0].samples == ("D.", "E.")
    assert [item.id for item in examples(tmp_path, "defacto")][:3] == [
        "defacto-val-0", "defacto-val-1", "defacto-val-1-fix",
    ]  # fmt: skip
    with pytest.raises(UsageError, match="defacto has no part 'dev'"):
        cases(tmp_path, "defacto", "dev")


def without(row: dict[str, Any], column: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != column}


WRONG: dict[str, tuple[str, str, Rows, str]] = {
    "qags, other votes": ("qags-x", "qags/mturk_xsum.jsonl", [qags_row(("S.", worker("yes", "maybe", "no")))],
        r"line 1, summary_sentences 1, responses 2: \"response\" is 'maybe', expected 'yes' or 'no'"),
    "qags, even votes": ("qags-x", "qags/mturk_xsum.jsonl", [qags_row(("S.", worker("yes", "no")))],
        "expected an odd number of workers"),
    "qags, no sentence": ("qags-x", "qags/mturk_xsum.jsonl", [qags_row()], "expected at least one sentence"),
    "qags, no article": ("qags-x", "qags/mturk_xsum.jsonl", [without(qags_row(("S.", worker("yes"))), "article")],
        'line 1: column "article" is missing; the row has "summary_sentences"'),
    "summeval, not paired": ("summeval", "summeval/model_annotations.aligned.paired.jsonl",
        [without(summeval_row(5, 5, 5), "text")], 'column "text" is missing'),
    "summeval, share": ("summeval", "summeval/model_annotations.aligned.paired.jsonl", [summeval_row(5, 0.8)],
        r'expert_annotations 2: "consistency" is 0.8, expected 1 or 2 or 3 or 4 or 5'),
    "summeval, no experts": ("summeval", "summeval/model_annotations.aligned.paired.jsonl", [summeval_row()],
        "expected the scores of the experts"),
    "factcc, numbers": ("factcc", "factcc/data-dev.jsonl", [{**FACTCC_ROW, "label": 1}],
        '"label" is 1, expected \'CORRECT\' or \'INCORRECT\''),
    "factcc, not paired": ("factcc", "factcc/data-dev.jsonl", [without(FACTCC_ROW, "text")],
        'column "text" is missing'),
    "summedits, words": ("summedits", "summedits/summedits_news.json", [edit("consistent")],
        "record 1: \"label\" is 'consistent', expected 1 or 0"),
    "wice, other words": ("wice", "wice/dev.jsonl", [wice_row("supported"), wice_row("refuted")],
        "line 2: \"label\" is 'refuted', expected 'supported' or 'partially_supported' or 'not_supported'"),
    "wice, text": ("wice", "wice/dev.jsonl", [{**wice_row("supported"), "evidence": "A."}],
        "\"evidence\" is 'A.', expected a list of texts"),
    "defacto, numbers": ("defacto", "defacto/val.jsonl", [defacto_row(1)], '"has_error" is 1, expected True or False'),
    "bump, no edit": ("bump", "bump/task1_dataset.json", [without(BUMP_ROW, "edited_summary")],
        'column "edited_summary" is missing'),
    "expertqa, other support": ("expertqa", "expertqa/r2_compiled_anon.jsonl",
        [{"question": "Q?", "answers": {"rr": {"claims": [claim("Full", "x")]}}}],
        "answers, rr, claims 1: \"support\" is 'Full', expected 'Complete'"),
    "wikibio, other label": ("wikibio", "wikibio_gpt3/dataset.json", [wikibio_row("accurate", "wrong")],
        "expected accurate, minor_inaccurate, major_inaccurate, not 'wrong'"),
    "wikibio, too few labels": ("wikibio", "wikibio_gpt3/dataset.json", [wikibio_row("accurate")],
        "expected a label for each of the 2 sentences"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_original_is_an_error_with_what_was_expected(tmp_path: Path, case: str) -> None:
    name, path, rows, message = WRONG[case]
    write(tmp_path / path, rows)
    with pytest.raises(InputError, match=message) as caught:
        published_set(tmp_path, name)
    assert str(tmp_path / path) in str(caught.value)
    assert PUBLISHED[name].origin in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "sources", "message"),
    [
        ([ragtruth_row("9", [])], SOURCES, "\"source_id\" is '9', expected the source_id of a row of source_info"),
        ([ragtruth_row("1", None)], SOURCES, '"labels" is None, expected a list of objects'),
        ([ragtruth_row("1", [], split="val")], SOURCES, "\"split\" is 'val', expected 'train' or 'test'"),
        ([ragtruth_row("1", [])], [{**SOURCES[0], "task_type": "Chat"}], "\"task_type\" is 'Chat', expected 'QA'"),
        ([ragtruth_row("1", [])], [{**SOURCES[0], "source_info": {"question": "Q?", "passages": "Ada."}}],
            "\"passages\" is 'Ada.', expected \"passage 1:\""),
        ([ragtruth_row("1", [])], None, "source_info.jsonl does not exist"),
    ],
)  # fmt: skip
def test_answers_of_ragtruth_need_their_sources(tmp_path: Path, rows: Rows, sources: Rows | None, message: str) -> None:
    write(tmp_path / "ragtruth/response.jsonl", rows)
    if sources:
        write(tmp_path / "ragtruth/source_info.jsonl", sources)
    with pytest.raises(InputError, match=message):
        published_set(tmp_path, "ragtruth")


# ---- RefChecker ----


def triplet(model: str, question: str, index: int, **more: object) -> dict[str, Any]:
    row: dict[str, Any] = {
        "setting": "noisy_context", "llm": model, "id": question, "claim_index": index, "question": "Who?",
        "response": f"By {model}.", "reference": ["Ada.", "Bo."], "triplet": ["a", "is", str(index)],
        "human_label": "Entailment",
    }  # fmt: skip
    return {**row, **more}


def test_answers_of_refchecker_with_their_triplets(tmp_path: Path) -> None:
    rows = [
        triplet("m", "1", 1, human_label="Neutral"), triplet("m", "2", 0), triplet("m", "1", 0),
        triplet("n", "1", 0, human_label="Contradiction"), triplet("m", "1", 0, setting="accurate_context"),
    ]  # fmt: skip
    write(tmp_path / "refchecker/claims_dev.jsonl.gz", rows)
    first, *others = read_answers(tmp_path)
    assert (first.id, first.setting, first.model, first.question) == ("noisy_context/m/1", "noisy_context", "m", "Who?")
    assert [passage.text for passage in first.passages] == ["Ada.", "Bo."]
    assert first.triplets == (
        LabelledTriplet(0, ("a", "is", "0"), Label.ENTAILMENT),
        LabelledTriplet(1, ("a", "is", "1"), Label.NEUTRAL),
    )
    assert [item.id for item in others] == ["noisy_context/m/2", "noisy_context/n/1", "accurate_context/m/1"]
    assert [item.id for item in read_answers(tmp_path, 1)] == [first.id, *(item.id for item in others[1:])]
    found = examples(tmp_path, "refchecker", limit=9)
    assert [(item.response, label(item)) for item in found][:2] == [("A is 0.", 0), ("A is 1.", 1)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"human_label": "Abstain"}, "expected 'Entailment' or 'Neutral' or 'Contradiction'"),
        ({"human_label": None}, "\"human_label\" is None, expected 'Entailment'"),
        ({"triplet": ["a", "b"]}, "expected three texts"),
        ({"reference": []}, "expected at least one text"),
        ({"setting": "open"}, "expected 'zero_context' or 'noisy_context' or 'accurate_context'"),
        ({"claim_index": "0"}, "expected a whole number"),
    ],
)
def test_a_wrong_triplet_is_an_error(tmp_path: Path, change: dict[str, object], message: str) -> None:
    write(tmp_path / "refchecker/claims_dev.jsonl.gz", [triplet("m", "1", 0, **change)])
    with pytest.raises(InputError, match=message):
        read_answers(tmp_path)


def test_triplets_of_an_answer_have_one_response(tmp_path: Path) -> None:
    rows = [triplet("m", "1", 0), triplet("m", "1", 1, response="Other.")]
    write(tmp_path / "refchecker/claims_dev.jsonl.gz", rows)
    with pytest.raises(InputError, match=r"line 2: \"response\" is 'Other\.', expected the same as in .*line 1"):
        read_answers(tmp_path)


def test_originals_of_refchecker(tmp_path: Path) -> None:
    folder = tmp_path / "refchecker"
    answers = [
        {"id": "1", "response": "By Ada.", "claude2_response_kg": [
            {"triplet": ["it", "is by", "Ada"], "human_label": "Contradiction"}]},
        {"id": "2", "response": "I do not know.", "claude2_response_kg": []},
    ]  # fmt: skip
    write(folder / "human_annotations_v1/zero_context/nq_llama2_70b_chat_answers.json", answers)
    with pytest.raises(InputError, match=r"nq\.json does not exist\n.*download_data\.sh"):
        read_answers(tmp_path)
    asked = [{"id": name, "question": "Who?", "context": ["Bo."]} for name in ("1", "2")]
    write(folder / "data/zero_context/nq.json", asked[:1])
    with pytest.raises(InputError, match="\"id\" is '2', expected the id of a question in"):
        read_answers(tmp_path)
    write(folder / "data/zero_context/nq.json", asked)
    first, second = read_answers(tmp_path)
    assert (first.id, first.triplets[0].label) == ("zero_context/llama2_70b_chat/1", Label.CONTRADICTION)
    assert (second.response, second.triplets) == ("I do not know.", ())
    assert (counts(tmp_path, "refchecker").rows, len(published_set(tmp_path, "refchecker"))) == (1, 1)


def test_no_answers_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"claims_dev\.jsonl\.gz does not exist"):
        read_answers(tmp_path)


# ---- the list ----


def test_what_is_known_of_each_set() -> None:
    for name, published in PUBLISHED.items():
        assert published.licence, name
        assert published.kind, name
        assert published.origin.startswith("https://"), name
        assert 0 < published.inconsistent < published.rows, name
        assert published.development <= bool(published.trained_on), "a set for development has a reason"
        assert published.part is None or published.part in published.parts
    assert not any(PUBLISHED[name].trained_on for name in TABLE2)


def test_the_command_lists_the_sets(qags: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(qags / "wice/dev.jsonl", RIGHT["wice"][1]["wice/dev.jsonl"])
    write(qags / PUBLISHED["factcc"].path, [record(1)])

    def listed(*arguments: str) -> Callable[[str], str]:
        assert main(["bench", "sets", *arguments]) == 0
        lines = capsys.readouterr().out.splitlines()
        return lambda name: next(line for line in lines if line.startswith(f"{name} "))

    line = listed()
    assert all(text in line("qags-x") for text in ("239", "51.5%", "none stated", "reported"))
    assert "development, part dev" in line("expertqa")
    line = listed("--data", str(qags))
    assert "yes, counts hold" in line("qags-x")
    assert "original: 3 rows, 66.7%" in line("wice")
    assert "no:" in line("factcc")
    assert "no:" in line("summeval")
