"""Records from .jsonl, .json and .csv files (each also .gz) and from standard input, one at a time.

Every record gives an Example, or an ItemError that names file and line. InputError is raised only for a file that
cannot be read at all.
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
SUFFIXES = (".jsonl", ".json", ".csv")
FILE_TYPES = f"{', '.join(SUFFIXES)}, each also with .gz"


@dataclass(frozen=True, slots=True)
class Source:
    """A file of records, or the bytes of standard input in `data`, which can be read only once.

    `suffix`: one of SUFFIXES, without ".gz". `dataset`: the dataset of records that name none.
    """

    name: str
    suffix: str
    dataset: str
    path: Path | None = None
    data: bytes | None = None

    def open(self) -> BinaryIO:
        """The bytes, decompressed."""
        if self.path is None:
            return io.BytesIO(self.data or b"")
        if self.path.suffix == ".gz":
            return gzip.open(self.path)  # type: ignore[return-value]
        return self.path.open("rb")

    def digest(self) -> str:
        """A hash of the bytes as stored: 32 hexadecimal digits."""
        with self.path.open("rb") if self.path else io.BytesIO(self.data or b"") as stream:
            return hashlib.file_digest(stream, "blake2b").hexdigest()[:32]


def sources(names: Iterable[str]) -> list[Source]:
    """The sources for command-line arguments. A folder stands for the files of records in it, sorted by name.

    Raises InputError or UsageError.
    """
    return [source(file) for name in names for file in _files(name)]


def _files(name: str) -> list[str]:
    if name == STDIN or not Path(name).is_dir():
        return [name]
    paths = sorted(str(path) for path in Path(name).iterdir() if path.is_file() and suffix_of(path) in SUFFIXES)
    if not paths:
        raise InputError(f"{name} contains no file of records", f"supported: {FILE_TYPES}")
    return paths


def suffix_of(path: Path) -> str:
    """The last suffix other than ".gz", in lower case, or ""."""
    suffixes = [suffix for suffix in path.suffixes if suffix != ".gz"]
    return suffixes[-1].lower() if suffixes else ""


def source(name: str) -> Source:
    """The source for a command-line argument. Raises InputError or UsageError."""
    if name == STDIN:
        return Source("standard input", ".jsonl", "stdin", data=sys.stdin.buffer.read())
    path = Path(name)
    if not path.exists():
        raise InputError(f"{name} does not exist", "check the path")
    suffix = suffix_of(path)
    if suffix not in SUFFIXES:
        raise UsageError(f"{name}: unsupported file type", f"supported: {FILE_TYPES}")
    if not path.is_file():
        raise InputError(f"{name} is not a file")
    return Source(name, suffix, path.name.split(".")[0], path)


def digest(sources: Sequence[Source]) -> str:
    """A hash of the bytes, datasets and suffixes of all sources: 24 hexadecimal digits."""
    parts = "\n".join(f"{source.dataset} {source.suffix} {source.digest()}" for source in sources)
    return hashlib.blake2b(parts.encode(), digest_size=12).hexdigest()


def read(sources: Iterable[Source], columns: Mapping[str, str] | None = None) -> Iterator[Example | ItemError]:
    """Every record of every source, in order. `columns`: field name -> the name of that field in the file."""
    return (item for _, item in read_with_places(sources, columns))


def read_with_places(
    sources: Iterable[Source], columns: Mapping[str, str] | None = None
) -> Iterator[tuple[str, Example | ItemError]]:
    """Every record with its file and line."""
    number = 0
    for source in sources:
        for place, record in _records(source):
            number += 1
            yield place, _example(place, record, number, source, columns)


def values(sources: Iterable[Source]) -> Iterator[tuple[str, object]]:
    """The decoded value of every record, with its file and line. A RecordError replaces one that is not decodable."""
    return (placed for source in sources for placed in _records(source))


def count(sources: Iterable[Source]) -> int:
    """The number of records, for a progress bar."""
    return sum(1 for source in sources for _ in _records(source))


def _example(
    place: str, record: object, number: int, source: Source, columns: Mapping[str, str] | None
) -> Example | ItemError:
    try:
        if isinstance(record, RecordError):
            raise record
        return example(record, number, source.dataset, columns)
    except RecordError as problem:
        return failed(problem, place, record)


def _records(source: Source) -> Iterator[tuple[str, object]]:
    """The place and the decoded value of each record. A RecordError takes the place of one that is not decodable."""
    readers = {".jsonl": _json_lines, ".json": _json_file, ".csv": _csv_rows}
    try:
        yield from readers[source.suffix](source)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(f"{source.name} cannot be read: {problem}") from problem


def _json_lines(source: Source) -> Iterator[tuple[str, object]]:
    with source.open() as stream:
        for number, line in enumerate(stream, 1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line.strip():
                yield f"{source.name}, line {number}", _decoded(line)


def _json_file(source: Source) -> Iterator[tuple[str, object]]:
    with source.open() as stream:
        value = _decoded(stream.read().removeprefix(b"\xef\xbb\xbf"))
    if isinstance(value, RecordError):
        raise InputError(
            f"{source.name} cannot be read: {value.message}", "rename it to .jsonl if each line is a record"
        )
    if isinstance(value, list):
        for number, record in enumerate(value, 1):
            yield f"{source.name}, record {number}", record
    else:
        yield source.name, value


def _csv_rows(source: Source) -> Iterator[tuple[str, object]]:
    csv.field_size_limit(2**31 - 1)
    with source.open() as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="", errors="strict")
        reader = csv.reader(lines)
        try:
            header = next(reader, None)
            if header is None:
                return
            for row in reader:
                place = f"{source.name}, line {reader.line_num}"
                if not row:
                    continue
                if len(row) != len(header):
                    message = f"the number of cells ({len(row)}) differs from the number of columns ({len(header)})"
                    yield place, RecordError(message)
                    continue
                cells = zip(header, row, strict=True)
                optional = ("id", "question", "model", "dataset", "samples")
                yield place, {name: cell for name, cell in cells if cell or name not in optional}
        except (UnicodeDecodeError, csv.Error) as problem:
            raise InputError(
                f"{source.name}, near line {reader.line_num + 1}: {problem}", "save the file as UTF-8"
            ) from problem


def _decoded(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as problem:
        return RecordError(f"byte {problem.start + 1} is not UTF-8", "save the file as UTF-8")
    except json.JSONDecodeError as problem:
        return RecordError(f"invalid JSON: {problem.msg} at character {problem.pos + 1}")
    except RecursionError:
        return RecordError("unsupported JSON: brackets are nested too deep")
    except ValueError as problem:  # an integer of more digits than Python converts
        return RecordError(f"unsupported JSON: {problem}")


def field_map(pairs: Iterable[str]) -> dict[str, str]:
    """Options --map FIELD=COLUMN as field name -> column name. Raises UsageError."""
    columns = {}
    for pair in pairs:
        name, equals, column = pair.partition("=")
        if not equals or not column or name not in FIELDS:
            raise UsageError(f"--map {pair}: invalid mapping", f"write FIELD=COLUMN. Fields: {', '.join(FIELDS)}")
        columns[name] = column
    return columns
