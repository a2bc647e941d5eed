"""Records in: dialects, files, and errors that name file, line and field."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_eval.errors import GraphEvalWarning, InputError, RunError, UsageError
from graph_eval.formats import files
from graph_eval.formats.records import RecordError, example
from graph_eval.formats.results import from_json, read_results, schemas, to_json
from graph_eval.types import (
    Claim,
    Correction,
    Edit,
    Evidence,
    Example,
    ItemError,
    Judgement,
    Label,
    Passage,
    Result,
    Revision,
    Scores,
    Slot,
    Span,
    Status,
)


def texts(item: Example) -> list[str]:
    return [passage.text for passage in item.passages]


def test_a_native_record() -> None:
    item = example(
        {
            "id": 7,
            "response": "r",
            "context": ["a", {"text": "b", "source": "s"}, "a", "  "],
            "question": "q",
            "model": "m",
            "samples": ["s1"],
            "label": 1,
        },
        1,
        "file",
    )
    assert (item.id, item.dataset, item.question, item.model, item.samples) == ("7", "file", "q", "m", ("s1",))
    assert texts(item) == ["a", "b"]
    assert item.passages[1].source == "s"
    assert item.meta == {"label": 1}


@pytest.mark.parametrize(
    ("record", "context", "question"),
    [
        ({"response": "r", "reference": ["a", "b"], "question": "q"}, ["a", "b"], "q"),
        (
            {"user_input": "q", "response": "r", "retrieved_contexts": ["a"], "reference": "expected answer"},
            ["a"],
            "q",
        ),
        (
            {"input": "q", "actual_output": "r", "retrieval_context": ["a"], "context": ["ideal"]},
            ["a"],
            "q",
        ),
        ({"input": "q", "actual_output": "r", "context": ["ideal"]}, ["ideal"], "q"),
        ({"user_input": "q", "response": "r", "context": ["a"], "reference": "expected answer"}, ["a"], "q"),
        ({"question": "q", "answer": "r", "contexts": "['a', 'b']"}, ["a", "b"], "q"),
        ({"response": "r", "context": None}, [], None),
        ({"response": "r", "context": []}, [], None),
        ({"response": "r", "context": ""}, [], None),
    ],
    ids=["refchecker", "ragas", "deepeval", "deepeval-ideal", "ragas-context", "ragas-text", "null", "none", "empty"],
)
def test_dialects(record: dict[str, Any], context: list[str], question: str | None) -> None:
    item = example(record, 1, "file")
    assert (item.response, texts(item), item.question) == ("r", context, question)


@pytest.mark.parametrize(
    ("record", "hint"),
    [
        ({"question": "q", "answer": "r", "context": "c"}, 'add "response", or pass --map response=answer'),
        (
            {"reply": "r", "context": ""},
            'add "response", or pass --map response=COLUMN; the fields are context, reply',
        ),
    ],
)
def test_a_missing_field_names_the_one_that_may_hold_it(record: dict[str, Any], hint: str) -> None:
    with pytest.raises(RecordError) as problem:
        example(record, 1, "f")
    assert problem.value.hint == hint


def test_a_field_may_come_from_another_column() -> None:
    item = example({"answer": "r", "docs": "c", "context": "other"}, 1, "f", {"response": "answer", "context": "docs"})
    assert texts(item) == ["c"]


def test_what_no_name_claims_is_kept() -> None:
    item = example({"user_input": "q", "response": "r", "retrieved_contexts": [], "reference": "gold"}, 1, "f")
    assert item.meta == {"reference": "gold"}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ([], "the record is a list, but must be a JSON object"),
        (None, "the record is null, but must be a JSON object"),
        ({"response": "r"}, '"context" is missing'),
        ({"context": "c"}, '"response" is missing'),
        ({"user_input": "q", "response": "r", "reference": "gold"}, '"context" is missing'),
        ({"response": 3, "context": "c"}, '"response" is a number (3)'),
        ({"response": "r", "context": {"a": 1}}, '"context" is an object'),
        ({"response": "r", "context": ["a", 4]}, '"context" is a list that contains a number (4)'),
        ({"response": "r", "context": "c", "samples": "s"}, '"samples" is a string'),
        ({"response": "r", "context": "c", "id": True}, '"id" is true or false'),
        ({"response": "a\ud800", "context": "c"}, '"response" contains a lone surrogate, which is half of a character'),
        (
            {"response": "a", "context": "c", "x": {"y": ["\udfff"]}},
            '"x" contains a lone surrogate, which is half of a character',
        ),
    ],
)
def test_a_bad_record_names_its_field(record: object, message: str) -> None:
    with pytest.raises(RecordError) as problem:
        example(record, 1, "file")
    assert problem.value.message == message


def write(path: Path, text: str | bytes) -> str:
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)


GOOD = {"response": "r", "context": "c"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", f"{json.dumps(GOOD)}\n\n{json.dumps(GOOD)}\n"),
        ("a.jsonl", b"\xef\xbb\xbf" + f"{json.dumps(GOOD)}\n{json.dumps(GOOD)}".encode()),
        ("a.json", json.dumps([GOOD, GOOD])),
        ("a.csv", "response,context,question\nr,c,\nr,c,\n"),
        ("a.jsonl.gz", f"{json.dumps(GOOD)}\n{json.dumps(GOOD)}\n"),
        ("a.csv.gz", "response,context\nr,c\nr,c\n"),
    ],
)
def test_files(tmp_path: Path, name: str, content: str | bytes) -> None:
    source = files.source(write(tmp_path / name, content))
    items = list(files.read([source]))
    assert files.count([source]) == 2
    for number, item in enumerate(items, 1):
        assert isinstance(item, Example)
        assert (item.response, texts(item), item.dataset, item.id, item.question) == (
            "r",
            ["c"],
            "a",
            str(number),
            None,
        )


def test_a_json_file_may_hold_one_record(tmp_path: Path) -> None:
    assert len(list(files.read([files.source(write(tmp_path / "a.json", json.dumps(GOOD)))]))) == 1


def test_every_line_gives_a_result_and_bad_ones_name_file_and_line(tmp_path: Path) -> None:
    lines = [
        json.dumps(GOOD).encode(),
        b"{broken",
        b'"\xff"',
        b'{"id": "x", "response": 1, "context": ""}',
        b"[" * 5000 + b"]" * 5000,
        b'{"response": "r", "context": "c", "n": ' + b"9" * 5000 + b"}",
        json.dumps(GOOD).encode(),
    ]
    name = write(tmp_path / "answers.jsonl", b"\n".join(lines))
    items = list(files.read([files.source(name)]))
    assert [isinstance(item, ItemError) for item in items] == [False, True, True, True, True, True, False]
    messages = [str(item) for item in items if isinstance(item, ItemError)]
    assert f"{name}, line 2: invalid JSON: Expecting property name" in messages[0]
    assert f"{name}, line 3: byte 2 is not UTF-8" in messages[1]
    assert f'{name}, line 4: "response" is a number (1) (it must be a string)' in messages[2]
    assert "unsupported JSON: brackets are nested too deep" in messages[3]
    assert "unsupported JSON: Exceeds the limit" in messages[4]
    bad = items[3]
    assert isinstance(bad, ItemError)
    assert bad.id == "x"


def test_a_csv_row_of_another_width_is_an_error(tmp_path: Path) -> None:
    items = list(files.read([files.source(write(tmp_path / "a.csv", "response,context\nr\nr,c\n"))]))
    assert isinstance(items[0], ItemError)
    assert items[0].message == "the number of cells (1) differs from the number of columns (2)"
    assert isinstance(items[1], Example)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "{", "cannot be read"),
        ("a.csv", b"response,context\n\xff,c\n", "line 1: byte 18 is not UTF-8"),
        ("a.jsonl.gz", None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_at_all(
    tmp_path: Path, name: str, content: str | bytes | None, message: str
) -> None:
    path = tmp_path / name
    if content is None:
        path.write_bytes(b"no gzip")
    else:
        write(path, content)
    with pytest.raises(InputError, match=message):
        list(files.read([files.source(str(path))]))


def test_an_empty_csv_has_no_records(tmp_path: Path) -> None:
    assert list(files.read([files.source(write(tmp_path / "a.csv", ""))])) == []


def test_unknown_kinds_and_missing_files(tmp_path: Path) -> None:
    text = str(write(tmp_path / "a.txt", ""))
    with pytest.raises(UsageError) as problem:
        files.source(text)
    assert problem.value.message == f"{text}: unsupported file type"
    assert (problem.value.hint or "").startswith("supported: .jsonl, .json, .csv, each also with .gz; --input-format ")
    for name in ("a.jsonl", "b.txt", "RUN"):
        with pytest.raises(InputError, match=f"{name} does not exist") as missing:
            files.source(str(tmp_path / name))
        assert missing.value.hint == "check the path"
    with pytest.raises(InputError, match="contains no file of records"):
        files.sources([str(tmp_path)])
    (tmp_path / "b.jsonl").mkdir()
    with pytest.raises(InputError, match="is not a file"):
        files.source(str(tmp_path / "b.jsonl"))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(GOOD).encode())))
    source = files.source("-")
    assert len(list(files.read([source]))) == 1
    assert len(source.digest()) == 32


def test_the_digest_follows_the_bytes(tmp_path: Path) -> None:
    first = files.digest([files.source(write(tmp_path / "a.jsonl", "{}"))])
    assert first == files.digest([files.source(write(tmp_path / "a.jsonl", "{}"))])
    assert first != files.digest([files.source(write(tmp_path / "a.jsonl", "{ }"))])


def test_an_optional_column_may_be_missing_in_some_records() -> None:
    columns = {"question": "asked.text"}
    assert example({"response": "r", "context": "c", "asked": {"text": "q"}}, 1, "d", columns).question == "q"
    with pytest.warns(GraphEvalWarning, match="some records have no such field, and so no question"):
        assert example({"response": "r", "context": "c"}, 1, "d", columns).question is None
    with pytest.raises(RecordError, match="nosuch"):
        example({"response": "r", "context": "c"}, 1, "d", {"response": "nosuch"})


@pytest.mark.parametrize("pair", ["x", "x=y", "response=", "=y"])
def test_a_wrong_map_is_refused(pair: str) -> None:
    with pytest.raises(UsageError) as problem:
        files.field_map([pair])
    assert problem.value.message == f"--map {pair}: invalid mapping"


spans = st.builds(Span, st.integers(0, 9), st.integers(10, 20))
slots = st.builds(Slot, st.text(), st.lists(spans).map(tuple), st.booleans(), st.booleans())
claims = st.builds(Claim.triplet, st.text(), st.tuples(slots, slots, slots), st.text(), spans)
examples = st.builds(
    Example,
    st.text(),
    st.text(),
    st.text(),
    st.lists(st.builds(Passage.of, st.text())).map(tuple),
    meta=st.dictionaries(st.text(), st.one_of(st.integers(-(2**53), 2**53), st.text(), st.lists(st.booleans()))),
)


@given(examples, claims)
def test_a_result_survives_json(item: Example, claim: Claim) -> None:
    evidence = Evidence("p", Span(0, 1), Scores(0.1, 0.2, 0.7))
    judgement = Judgement(claim.id, Label.CONTRADICTION, 0.9, flagged=True, evidence=(evidence,))
    result = Result(3, item, (claim,), (judgement,), Label.CONTRADICTION, 0.9)
    line = to_json(result)
    assert "\n" not in line
    assert from_json(line) == result


def test_a_revision_survives_json() -> None:
    correction = Correction("c", (Edit(Span(0, 4), "1899", "1889"),), Status.APPLIED, None, 0.9, 0.1)
    revision = Revision("1889", (correction,), Result(0, None, label=Label.ENTAILMENT))
    result = Result(0, None, revision=revision)
    assert from_json(to_json(result)) == result


def test_spans_are_pairs_in_json() -> None:
    claim = Claim.whole("t", "A.", Span(0, 2))
    assert json.loads(to_json(Result(0, None, (claim,))))["claims"][0]["sentence"] == [0, 2]


def test_a_foreign_results_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text('{"n": 0, "example": null}\n{"a": 1}\n')
    with pytest.raises(RunError, match="line 2"):
        list(read_results(path))


def test_schemas_name_the_fields() -> None:
    found = schemas()
    assert set(found["record"]["required"]) == {"response", "context"}
    assert "judgements" in json.dumps(found["result"])
