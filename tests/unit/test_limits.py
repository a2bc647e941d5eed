"""Odd and hostile files: limits that are errors of one record, and files that are no UTF-8, no CSV or no text."""

import gzip
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_eval.errors import InputError, SettingsError
from graph_eval.formats import files
from graph_eval.formats.csv_rows import CsvRows
from graph_eval.formats.json_lists import BrokenList, elements
from graph_eval.formats.results import from_json, to_json
from graph_eval.pipeline import GraphEval
from graph_eval.settings import MAX_DEPTH, LimitSettings, Settings, load, size, size_text
from graph_eval.sources import RecordFiles, Records, as_result
from graph_eval.types import Example, ItemError, Passage, Result, Revision

GOOD = {"response": "r", "context": "c"}
LINE = json.dumps(GOOD)
TABLE = "response;context\nr;c\nr;c\n"


def nested(depth: int) -> list[Any]:
    value: list[Any] = [1]
    for _ in range(depth - 1):
        value = [value]
    return value


def write(path: Path, content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return str(path)


def read(name: str, form: str | None = None, **limits: int) -> list[Example | ItemError]:
    sources = [files.source(name, form, LimitSettings(**limits))]
    items = list(files.read(sources))
    assert files.count(sources) == len(items)
    return items


def problem(item: Example | ItemError) -> str:
    assert isinstance(item, ItemError)
    return str(item)


# ---- settings ----


@pytest.mark.parametrize(
    ("text", "count", "shown"),
    [
        ("50MB", 50_000_000, "50 MB"),
        ("1.5 gb", 1_500_000_000, "1.5 GB"),
        (4096, 4096, "4.096 KB"),
        ("7B", 7, "7 bytes"),
    ],
)
def test_sizes(text: object, count: int, shown: str) -> None:
    assert size(text) == count
    assert size_text(count) == shown
    assert load({"max_line": text}, {}).limits.max_line == count


@pytest.mark.parametrize(
    ("name", "value"), [("max_line", "big"), ("max_passage", "-1MB"), ("max_depth", MAX_DEPTH + 1), ("max_unpacked", 0)]
)
def test_a_limit_that_is_none_is_refused(name: str, value: object) -> None:
    with pytest.raises(SettingsError, match=name):
        load({name: value}, {})


# ---- depth ----


@pytest.mark.parametrize("field", ["context", "meta", "unused"])
@pytest.mark.parametrize("depth", [300, 900, 10_000, 100_000])
def test_a_deep_field_is_the_error_of_its_line(tmp_path: Path, field: str, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    record = ", ".join(f'"{name}": {deep if name == field else json.dumps("x")}' for name in {**GOOD, field: ""})
    name = write(tmp_path / "a.jsonl", f"{LINE}\n{{{record}}}\n{LINE}\n")
    first, second, third = read(name)
    assert isinstance(first, Example)
    assert isinstance(third, Example)
    assert "line 2" in problem(second)
    assert "nested" in problem(second)
    if depth < 900:
        assert f"--max-depth N (at most {MAX_DEPTH})" in problem(second)


def test_results_of_the_largest_depth_are_written_and_read_again() -> None:
    record = {**GOOD, "meta": nested(MAX_DEPTH - 1)}
    result = as_result(record, 0, LimitSettings(max_depth=MAX_DEPTH))
    assert result.error is None
    for _ in range(5):  # rounds of correction
        result = Result(0, result.example, revision=Revision("t", (), result))
    assert from_json(to_json(result)) == result
    assert as_result({**GOOD, "meta": nested(MAX_DEPTH)}, 0, LimitSettings(max_depth=MAX_DEPTH)).error is not None


def test_deep_records_in_python_are_errors_of_their_own() -> None:
    deep = nested(100_000)
    records = [GOOD, {**GOOD, "x": deep}, Example("e", "", "r", (Passage.of("c"),), meta={"x": nested(300)})]
    assert len(Records(records).digest) == 24
    found = list(Records(records).results())
    assert [result.error is None for result in found] == [True, False, False]
    assert found[2].error is not None
    assert found[2].error.id == "e"


def test_python_has_the_limits_of_its_settings() -> None:
    ge = GraphEval(extractor="sentences", settings=Settings.of(max_passage=10))
    (result,) = ge.extract([{"response": "r", "context": "longer than ten bytes"}])
    assert result.error is not None
    assert "--max-passage" in str(result.error)


# ---- lines and passages ----


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_a_long_line_is_left_out_and_the_next_one_read(tmp_path: Path, ending: str) -> None:
    long = json.dumps({**GOOD, "pad": "x" * 200_000})
    name = write(tmp_path / "a.jsonl", f"{LINE}\n{long}\n{LINE}\n{long}{ending}")
    items = read(name, max_line=1000)
    assert [isinstance(item, Example) for item in items] == [True, False, True, False]
    assert problem(items[1]) == f"{name}, line 2: the line is longer than 1 KB (raise the limit: --max-line SIZE)"
    assert all(isinstance(item, Example) for item in read(name, max_line=len(long)))


def test_the_limit_of_a_line_is_exact(tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", LINE)
    assert isinstance(read(name, max_line=len(LINE))[0], Example)
    assert "longer" in problem(read(name, max_line=len(LINE) - 1)[0])


def test_a_long_passage(tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", f"{json.dumps({**GOOD, 'context': ['c', 'é' * 600]})}\n{LINE}\n")
    first, second = read(name, max_passage=1000)
    assert '"context" has a passage of 1.2 KB, longer than 1 KB (split the passage' in problem(first)
    assert "--max-passage" in problem(first)
    assert isinstance(second, Example)
    assert isinstance(read(name, max_passage=1200)[0], Example)


def test_limits_identify_an_input(tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", LINE)
    assert RecordFiles([name]).digest == RecordFiles([name], limits=LimitSettings()).digest
    assert RecordFiles([name]).digest != RecordFiles([name], limits=LimitSettings(max_line=10)).digest


# ---- .gz ----


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl.gz", f"{LINE}\n" * 1000),
        ("a.json.gz", "[" + f"{LINE},\n" * 999 + LINE + "]"),
        ("a.csv.gz", "response,context\n" + "r,c\n" * 1000),
    ],
)
def test_what_comes_before_the_limit_of_an_archive_is_read(tmp_path: Path, name: str, content: str) -> None:
    path = write(tmp_path / name, content)
    assert len(read(path)) == 1000
    assert len(read(path, max_unpacked=len(content))) == 1000
    *before, last = read(path, max_unpacked=len(content) // 2)
    assert 480 <= len(before) <= 500
    assert all(isinstance(item, Example) for item in before)
    assert problem(last).startswith(f"{path}, after record {len(before)}: more than ")
    assert "--max-unpacked" in problem(last)


@pytest.mark.parametrize(
    ("name", "head", "part", "tail", "records"),
    [
        ("one.jsonl.gz", b'{"response": "', b"a" * 1_000_000, b'"}\n', 1),
        ("many.jsonl.gz", b"", LINE.encode() + b" " * 100_000 + b"\n", b"", 499),
        ("list.json.gz", b"[" + LINE.encode(), b"," + LINE.encode() + b" " * 100_000, b"]", 500),
        ("quote.csv.gz", b'response,context\n"', b"a" * 1_000_000 + b"\n", b"", 1),
    ],
)
def test_a_large_archive_needs_little_memory(
    tmp_path: Path, name: str, head: bytes, part: bytes, tail: bytes, records: int
) -> None:
    with gzip.open(tmp_path / name, "wb", 1) as stream:
        stream.write(head)
        for _ in range(50_000_000 // len(part)):
            stream.write(part)
        stream.write(tail)
    tracemalloc.start()
    try:
        source = RecordFiles([str(tmp_path / name)], limits=LimitSettings(max_line=2_000_000))
        errors = sum(result.error is not None for result in source.results())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000
    assert (source.total, errors) == (records, 0 if name[0] in "ml" else records)


# ---- lists ----


class Slowly(io.RawIOBase):
    """Gives one byte at a time, so that every token is cut."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part, self.data = self.data[:1], self.data[1:]
        buffer[: len(part)] = part
        return len(part)


def cut(text: str, limit: int = 100, slowly: bool = False) -> list[bytes | None]:
    raw: Any = Slowly(text.encode()) if slowly else io.BytesIO(text.encode())
    return list(elements(io.BufferedReader(raw), limit))


@pytest.mark.parametrize("slowly", [False, True])
@pytest.mark.parametrize(
    "value",
    [
        [],
        [1],
        [[], {}, [[]]],
        [{"a": "],}[{\\", "b": ['\\"', {"c": [1, 2]}]}, "é,]", None],
    ],
)
def test_elements_of_a_list(value: list[object], slowly: bool) -> None:
    for indent in (None, 2):
        text = json.dumps(value, indent=indent, ensure_ascii=False)[1:] + " \n"
        assert [json.loads(element or b"") for element in cut(text, 1000, slowly)] == value


def test_an_element_that_is_too_long_is_left_out() -> None:
    for slowly in (False, True):
        assert cut(f'1, "{"x" * 101}", [{"1," * 60}1], 2]', slowly=slowly) == [b"1", None, None, b" 2"]


@pytest.mark.parametrize("text", ["1, 2", "[1]", "1] 2", "1}", ""])
def test_a_list_that_does_not_end(text: str) -> None:
    with pytest.raises(BrokenList):
        cut(text)


def test_a_bad_element_is_the_error_of_its_record(tmp_path: Path) -> None:
    deep = '{"response": "r", "context": "c", "x": ' + "[" * 5000 + "]" * 5000 + "}"
    long = json.dumps({**GOOD, "pad": "x" * 20_000})
    name = write(tmp_path / "a.json", f"[{LINE}, {{broken}}, {deep}, {long}, {LINE}]")
    items = read(name, max_line=15_000)
    assert [isinstance(item, Example) for item in items] == [True, False, False, False, True]
    for item, words in zip(items[1:4], ("invalid JSON", "nested too deep", "--max-line"), strict=True):
        assert words in problem(item)
    assert "--max-line" in problem(read(write(tmp_path / "b.json", long), max_line=1000)[0])
    with pytest.raises(InputError, match="the list does not end"):
        read(write(tmp_path / "c.json", f"[{LINE}"))


# ---- encodings and kinds of files ----


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize(
    ("suffix", "text"),
    [("jsonl", f"{LINE}\n{LINE}\n"), ("json", f"[{LINE}, {LINE}]"), ("csv", TABLE), ("jsonl.gz", f"{LINE}\n{LINE}\n")],
)
def test_a_byte_order_mark_is_understood(tmp_path: Path, encoding: str, suffix: str, text: str) -> None:
    items = read(write(tmp_path / f"a.{suffix}", text.encode(encoding)))
    assert [item.response for item in items if isinstance(item, Example)] == ["r", "r"]
    for mark, name in (("\ufeff", "utf-16-le"), ("\ufeff", "utf-16-be")):
        assert len(read(write(tmp_path / f"b.{suffix}", (mark + text).encode(name)))) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"{LINE}\n".encode("utf-16-le"), "is UTF-16LE without a byte order mark"),
        (f"{LINE}\n".encode("utf-16-be"), "is UTF-16BE without a byte order mark"),
        ('{"response": "Москва", "context": "Город на реке"}\n'.encode("utf-16-le"), "is UTF-16LE without"),
        (b"%PDF-1.7\n%\xe2\xe3", "is a PDF file, not text"),
        (b"PK\x03\x04\x14\x00", "is a ZIP archive"),
        (b"\x89PNG\r\n\x1a\n", "is a PNG picture"),
        (gzip.compress(LINE.encode(), mtime=0), "is compressed with gzip"),
        (bytes(range(256)) * 4, "is a binary file"),
    ],
)
@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv"])
def test_what_is_no_text_in_utf8_is_named(tmp_path: Path, content: bytes, message: str, suffix: str) -> None:
    with pytest.raises(InputError) as caught:
        read(write(tmp_path / f"a.{suffix}", content))
    assert message in caught.value.message
    assert caught.value.hint


def test_half_a_character_at_the_end_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not UTF-16-LE throughout: truncated data"):
        read(write(tmp_path / "a.jsonl", f"{LINE}\n".encode("utf-16") + b"\x00"))


def test_latin_letters_of_another_encoding_are_named(tmp_path: Path) -> None:
    line = json.dumps({"response": "Café", "context": "c"}, ensure_ascii=False).encode("latin-1")
    first, second = read(write(tmp_path / "a.jsonl", line + b"\n" + LINE.encode()))
    assert "byte 18 is not UTF-8 (save the file as UTF-8 (0xE9 is 'é' in Windows-1252" in problem(first)
    assert isinstance(second, Example)
    with pytest.raises(InputError, match="is not UTF-8") as caught:
        read(write(tmp_path / "a.csv", "response,context\nCafé,c\n".encode("latin-1")))
    assert "Windows-1252" in (caught.value.hint or "")


def test_a_broken_line_makes_no_binary_file(tmp_path: Path) -> None:
    assert len(read(write(tmp_path / "a.jsonl", f"{LINE}\n\0\0\n{LINE}\n"))) == 3


# ---- CSV ----


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_header_tells_the_delimiter(tmp_path: Path, delimiter: str) -> None:
    rows = [["id", "response", "context"], ["7", 'a, b; c "d"\nnext', "c | d"]]
    text = "".join(delimiter.join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) + "\r\n" for row in rows)
    (item,) = read(write(tmp_path / "a.csv", text))
    assert isinstance(item, Example)
    assert (item.id, item.response, item.passages[0].text) == ("7", 'a, b; c "d"\nnext', "c | d")


@pytest.mark.parametrize("columns", [{}, {"response": "answer", "context": "text"}])
def test_a_file_without_a_header_names_its_first_line(tmp_path: Path, columns: dict[str, str]) -> None:
    name = write(tmp_path / "a.csv", "The tower is old.,It opened in 1889.\na,b\n")
    for work in (lambda: list(files.read([files.source(name)], columns)), lambda: RecordFiles([name], columns)):
        with pytest.raises(InputError) as caught:
            work()
        assert '"The tower is old.", "It opened in 1889."' in caught.value.message
        assert "--map response=COLUMN" in (caught.value.hint or "")
    named = write(tmp_path / "b.csv", "answer;text\na;b\n")
    assert RecordFiles([named], {"response": "answer", "context": "text"}).total == 1


def test_a_long_row_is_left_out(tmp_path: Path) -> None:
    closed = 'r,c\n"open, ""quoted""\n' + "r,c\n" * 1000 + '",c\nr,c\n'
    name = write(tmp_path / "a.csv", f'response,context\nr,c\n{"x" * 5000},c\n{closed}"not closed\n' + "r,c\n" * 1000)
    items = read(name, max_line=1000)
    assert [isinstance(item, Example) for item in items] == [True, False, True, False, True, False]
    for place, line in ((1, 3), (3, 5), (5, 1008)):
        assert f"line {line}: the row is longer than 1 KB" in problem(items[place])
        assert "--max-line" in problem(items[place])


PIECES = st.lists(st.sampled_from(['"', '""', ",", "\n", "\r\n", "a", "bc " * 9, '"x\ny"', ',"']), max_size=40)


@settings(max_examples=500, deadline=None)
@given(PIECES, st.integers(1, 60))
def test_a_limit_leaves_out_long_rows_and_no_others(pieces: list[str], limit: int) -> None:
    text = "response,context\n" + "".join(pieces)

    def rows(limit: int) -> list[tuple[int, list[str]]]:
        """The rows with their first lines: two rows may have the same cells."""
        reader = CsvRows(io.StringIO(text, newline=""), limit, {"response"})
        return [(reader.start, row) for row in reader if row]

    some = rows(limit + 20)
    assert [row for row in rows(len(text)) if row in some] == some


def test_a_list_with_a_gap_is_an_error(tmp_path: Path) -> None:
    (item,) = read(write(tmp_path / "a.csv", 'response,context\nr,"[""a"", null]"\n'))
    assert isinstance(item, ItemError)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", range(16, 24))
def test_the_end_of_a_line_is_never_parted(end: str, size: int) -> None:
    text = end.join(["response,context", "r" * size + ",c", '"' + "q" * size + '",c', "r,c", ""])
    reader = CsvRows(io.StringIO(text, newline=""), 20, {"response"})
    rows = [(row is None, reader.start, reader.number) for row in reader]
    assert [place for _, *place in rows] == [[1, 1], [2, 2], [3, 3], [4, 4]]


@pytest.mark.parametrize("before", ["\n", "\r\n \n", "sep=,\n", "SEP=,\r\n"])
def test_lines_before_a_header_are_skipped(tmp_path: Path, before: str) -> None:
    (item,) = read(write(tmp_path / "a.csv", f"{before}response,context\nr,c\n"))
    assert isinstance(item, Example)


def test_a_declared_delimiter_counts(tmp_path: Path) -> None:
    (item,) = read(write(tmp_path / "a.csv", "sep=;\nresponse;context\nr, s;c\n"))
    assert isinstance(item, Example)
    assert item.response == "r, s"


def test_two_columns_of_a_name_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match='two columns "response"'):
        read(write(tmp_path / "a.csv", "response,response,context\na,b,c\n"))


@pytest.mark.parametrize(
    ("column", "cell", "texts"),
    [
        ("contexts", "\"['It is red.', 'It isn''t.']\"", None),
        ("contexts", '"[\'It is red.\', ""It isn\'t blue.""]"', ["It is red.", "It isn't blue."]),
        ("context", '"[""one"", ""two""]"', ["one", "two"]),
        ("context", "[1] See the note [2]", ["[1] See the note [2]"]),
        ("context", '"[1, 2]"', ["[1, 2]"]),
        ("context", '" [""one"", ""two""]"', ["one", "two"]),
        ("context", '"[""a\\/b"", ""\\ud83d\\ude00""]"', ["a/b", "😀"]),
        ("context", "['one' 'two']", ["one", "two"]),
        ("context", '"[\'one\'\n ""isn\'t""]"', ["one", "isn't"]),
        ("context", "\"['one', 'two' 'three']\"", ["['one', 'two' 'three']"]),
        ("context", "\"('one', 'two')\"", ["one", "two"]),
        ("context", "('one')", ["('one')"]),
        ("context", "(see p. 2)", ["(see p. 2)"]),
        ("context", '"[{""text"": ""one"", ""source"": ""a""}]"', ["one"]),
        ("context", "\"[__import__('os').getpid()]\"", ["[__import__('os').getpid()]"]),
    ],
)
def test_a_cell_that_is_a_list_of_texts_holds_passages(
    tmp_path: Path, column: str, cell: str, texts: list[str] | None
) -> None:
    (item,) = read(write(tmp_path / "a.csv", f"answer,response,{column}\nr,r,{cell}\n"))
    assert isinstance(item, Example)
    if texts is not None:
        assert [passage.text for passage in item.passages] == texts


@pytest.mark.parametrize(
    ("content", "message", "option"),
    [
        (TABLE, 'is CSV with the columns "response", "context"', "--input-format csv"),
        ("id,answer,contexts\n1,a,b\n", 'is CSV with the columns "id", "answer", "contexts"', "--input-format csv"),
        (json.dumps([GOOD], indent=1), "has one JSON value over several lines", "--input-format json"),
        (json.dumps(GOOD, indent=1), "has one JSON value over several lines", "--input-format json"),
    ],
)
def test_another_format_is_named_once(tmp_path: Path, content: str, message: str, option: str) -> None:
    name = write(tmp_path / "a.jsonl", content)
    with pytest.raises(InputError, match=message) as caught:
        read(name)
    assert option in (caught.value.hint or "")
    assert all(isinstance(item, Example) for item in read(name, option.split()[-1]))


@pytest.mark.parametrize(("form", "content"), [("jsonl", LINE), ("json", f"[{LINE}]"), ("csv", TABLE[:20])])
def test_the_format_of_a_file_of_any_name(tmp_path: Path, form: str, content: str) -> None:
    for name in ("a.txt", "a.csv", "a"):
        assert isinstance(read(write(tmp_path / name, content + "\n"), form)[0], Example)


def test_a_first_line_that_is_only_broken_is_its_own_error(tmp_path: Path) -> None:
    items = read(write(tmp_path / "a.jsonl", f"hello, world\n{LINE}\n"))
    assert [isinstance(item, Example) for item in items] == [False, True]
