"""Records from .jsonl, .json and .csv files (each also .gz) and from standard input, one at a time.

Every record gives an Example or an ItemError that names file and line; only a file that cannot be read at all
raises InputError.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from graph_eval.errors import InputError, UsageError
from graph_eval.formats.records import FIELDS, RecordError, example, failed
from graph_eval.types import Example, ItemError

STDIN = "-"
KINDS = (".jsonl", ".json", ".csv")


@dataclass(frozen=True, slots=True)
class Source:
    """A file of records; `data` holds the bytes of standard input, which can be read only once."""

    name: str
    kind: str
    dataset: str
    path: Path | None = None
    data: bytes | None = None

    def open(self) -> BinaryIO:
        if self.path is None:
            return io.BytesIO(self.data or b"")
        if self.path.suffix == ".gz":
            return gzip.open(self.path)  # type: ignore[return-value]
        return self.path.open("rb")

    def digest(self) -> str:
        with self.path.open("rb") if self.path else io.BytesIO(self.data or b"") as stream:
            return hashlib.file_digest(stream, "blake2b").hexdigest()[:32]


def sources(names: Iterable[str]) -> list[Source]:
    """The sources that arguments name; a folder stands for the files of records in it, by name."""
    return [source(file) for name in names for file in _files(name)]


def _files(name: str) -> list[str]:
    if name == STDIN or not Path(name).is_dir():
        return [name]
    found = sorted(str(path) for path in Path(name).iterdir() if path.is_file() and kind_of(path) in KINDS)
    if not found:
        raise InputError(f"{name} holds no file of records", f"put {', '.join(KINDS)} into it, each also .gz")
    return found


def kind_of(path: Path) -> str:
    suffixes = [suffix for suffix in path.suffixes if suffix != ".gz"]
    return suffixes[-1].lower() if suffixes else ""


def source(name: str) -> Source:
    """The source that a command-line argument names. Raises InputError or UsageError."""
    if name == STDIN:
        return Source("standard input", ".jsonl", "stdin", data=sys.stdin.buffer.read())
    path = Path(name)
    kind = kind_of(path)
    if kind not in KINDS:
        raise UsageError(f"{name}: what kind of file is this?", f"name it {', '.join(KINDS)}, each also .gz")
    if not path.is_file():
        raise InputError(f"{name} does not exist" if not path.exists() else f"{name} is no file")
    return Source(name, kind, path.name.split(".")[0], path)


def digest(sources: Sequence[Source]) -> str:
    """Changes with any byte of any source, and with their names, on which dataset names depend."""
    parts = "\n".join(f"{item.dataset} {item.kind} {item.digest()}" for item in sources)
    return hashlib.blake2b(parts.encode(), digest_size=12).hexdigest()


def read(sources: Iterable[Source], renamed: Mapping[str, str] | None = None) -> Iterator[Example | ItemError]:
    """Every record of every source, in order. `renamed`: our field name -> the file's."""
    number = 0
    for item in sources:
        for place, record in _records(item):
            number += 1
            yield _example(place, record, number, item, renamed)


def count(sources: Iterable[Source]) -> int:
    """How many records there are, for a progress bar."""
    return sum(1 for item in sources for _ in _records(item))


def _example(
    place: str, record: object, number: int, item: Source, renamed: Mapping[str, str] | None
) -> Example | ItemError:
    try:
        if isinstance(record, RecordError):
            raise record
        return example(record, number, item.dataset, renamed)
    except RecordError as problem:
        return failed(problem, place, record)


def _records(item: Source) -> Iterator[tuple[str, object]]:
    """Places and decoded records; a RecordError stands for what could not be decoded."""
    readers = {".jsonl": _json_lines, ".json": _json_file, ".csv": _csv_rows}
    try:
        yield from readers[item.kind](item)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(f"{item.name} cannot be read: {problem}") from problem


def _json_lines(item: Source) -> Iterator[tuple[str, object]]:
    with item.open() as stream:
        for number, line in enumerate(stream, 1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line.strip():
                yield f"{item.name}, line {number}", _decoded(line)


def _json_file(item: Source) -> Iterator[tuple[str, object]]:
    with item.open() as stream:
        value = _decoded(stream.read().removeprefix(b"\xef\xbb\xbf"))
    if isinstance(value, RecordError):
        raise InputError(f"{item.name} cannot be read: {value.message}", "one record a line? name it .jsonl")
    if isinstance(value, list):
        for number, record in enumerate(value, 1):
            yield f"{item.name}, record {number}", record
    else:
        yield item.name, value


def _csv_rows(item: Source) -> Iterator[tuple[str, object]]:
    csv.field_size_limit(2**31 - 1)
    with item.open() as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="", errors="strict")
        reader = csv.reader(lines)
        try:
            header = next(reader, None)
            if header is None:
                return
            for row in reader:
                place = f"{item.name}, line {reader.line_num}"
                if not row:
                    continue
                if len(row) != len(header):
                    yield place, RecordError(f"{len(row)} cells under {len(header)} column names")
                    continue
                cells = zip(header, row, strict=True)
                optional = ("id", "question", "model", "dataset", "samples")
                yield place, {name: cell for name, cell in cells if cell or name not in optional}
        except (UnicodeDecodeError, csv.Error) as problem:
            raise InputError(
                f"{item.name}, near line {reader.line_num + 1}: {problem}", "save it as UTF-8"
            ) from problem


def _decoded(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as problem:
        return RecordError(f"byte {problem.start + 1} is not UTF-8", "save the file as UTF-8")
    except json.JSONDecodeError as problem:
        return RecordError(f"no JSON: {problem.msg} at character {problem.pos + 1}")
    except RecursionError:
        return RecordError("no JSON that can be read: brackets are nested too deep")
    except ValueError as problem:  # an integer of more digits than Python converts
        return RecordError(f"no JSON that can be read: {problem}")


def field_map(pairs: Iterable[str]) -> dict[str, str]:
    """--map options as our field name -> the file's. Raises UsageError."""
    found = {}
    for pair in pairs:
        name, equals, column = pair.partition("=")
        if not equals or not column or name not in FIELDS:
            raise UsageError(f"--map {pair}", f"write FIELD=COLUMN with a field of {', '.join(FIELDS)}")
        found[name] = column
    return found
