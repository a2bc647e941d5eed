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
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graph_eval.errors import InputError, UsageError
from graph_eval.formats.csv_rows import CsvRows, cells
from graph_eval.formats.json_lists import BrokenList, elements
from graph_eval.formats.records import (
    FIELDS,
    LIMITS,
    REQUIRED,
    RecordError,
    example,
    failed,
    known_names,
    missing_columns,
)
from graph_eval.formats.streams import GZIP, TooMuchUnpacked, Unpacked, lines, not_utf8, text_stream, too_long
from graph_eval.formats.text_lists import list_of_texts
from graph_eval.settings import LimitSettings, size_text
from graph_eval.types import Example, ItemError

STDIN = "-"
SUFFIXES = (".jsonl", ".json", ".csv")
FILE_TYPES = f"{', '.join(SUFFIXES)}, each also with .gz"
FORMATS = tuple(suffix.removeprefix(".") for suffix in SUFFIXES)
OPTIONAL = ("id", "question", "model", "dataset", "samples")  # fields that an empty cell leaves out
MAX_LISTED = 300  # characters of the column names in a message
Columns = Mapping[str, str]  # field name -> the name of that field in the file
Placed = Iterator[tuple[str, object]]  # place and decoded value of each record; a RecordError replaces a bad one


@dataclass(frozen=True, slots=True)
class Source:
    """A file of records. `suffix`: one of SUFFIXES, without ".gz". `dataset`: the dataset of records that name none.

    `required`: the fields that no record may lack. `copy`: the temporary file at `path` that holds standard input,
    which can be read only once. It is deleted with the source.
    """

    name: str
    suffix: str
    dataset: str
    path: Path
    limits: LimitSettings = LIMITS
    copy: Any = field(default=None, repr=False, compare=False)
    required: Sequence[str] = REQUIRED

    def open(self) -> io.BufferedReader:
        """The bytes, decompressed and in UTF-8. Raises InputError if they are no text."""
        stream: io.BufferedReader | None = None
        try:
            stream = self.path.open("rb")
            if self.path.suffix == ".gz" or (self.copy and stream.peek(len(GZIP)).startswith(GZIP)):
                stream.close()
                unpacked = Unpacked(gzip.GzipFile(self.path), self.limits.max_unpacked)
                stream = io.BufferedReader(unpacked)
            return text_stream(self.name, stream)
        except BaseException:
            if stream is not None:
                stream.close()
            raise

    def digest(self) -> str:
        """A hash of the bytes as stored: 32 hexadecimal digits."""
        try:
            with self.path.open("rb") as stream:
                return hashlib.file_digest(stream, "blake2b").hexdigest()[:32]
        except OSError as problem:
            raise _forbidden(self.name, problem) from None


def sources(
    names: Iterable[str],
    form: str | None = None,
    limits: LimitSettings = LIMITS,
    required: Sequence[str] = REQUIRED,
) -> list[Source]:
    """The sources for command-line arguments. A folder stands for the files of records in it, sorted by name.

    `form`: one of FORMATS, whatever the names of the files are. `required`: the fields that no record may lack. Raises
    InputError or UsageError.
    """
    return [replace(source(file, form, limits), required=required) for name in names for file in _files(name)]


def _files(name: str) -> list[str]:
    if name == STDIN or not os.path.isdir(name):
        return [name]
    try:
        paths = sorted(str(path) for path in Path(name).iterdir() if path.is_file() and suffix_of(path) in SUFFIXES)
    except OSError as problem:
        raise _forbidden(name, problem) from None
    if not paths:
        raise InputError(f"{name} contains no file of records", f"supported: {FILE_TYPES}")
    return paths


def _forbidden(name: str, problem: OSError | ValueError) -> InputError:
    reason = problem.strerror if isinstance(problem, OSError) else problem
    return InputError(f"{name[:200]} cannot be read: {reason}", "check the path and its permissions")


def suffix_of(path: Path) -> str:
    """The last suffix other than ".gz", in lower case, or ""."""
    suffixes = [suffix for suffix in path.suffixes if suffix != ".gz"]
    return suffixes[-1].lower() if suffixes else ""


def source(name: str, form: str | None = None, limits: LimitSettings = LIMITS) -> Source:
    """The source for a command-line argument, see `sources`. Raises InputError or UsageError."""
    suffix = f".{form}" if form else None
    if name == STDIN:
        copy = tempfile.NamedTemporaryFile(prefix="graph-eval-")  # noqa: SIM115
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        return Source("standard input", suffix or ".jsonl", "stdin", Path(copy.name), limits, copy)
    path = Path(name)
    try:
        path.stat()
    except FileNotFoundError:
        raise InputError(f"{name} does not exist", "check the path") from None
    except (OSError, ValueError) as problem:
        raise _forbidden(name, problem) from None
    suffix = suffix or suffix_of(path)
    if suffix not in SUFFIXES:
        raise UsageError(
            f"{name}: unsupported file type",
            f"supported: {FILE_TYPES}; --input-format {'|'.join(FORMATS)} reads a file of any name",
        )
    if not path.is_file():
        raise InputError(f"{name} is not a file")
    return Source(name, suffix, path.name.split(".")[0], path, limits)


def digest(sources: Sequence[Source]) -> str:
    """A hash of the bytes, datasets, suffixes and limits of all sources: 24 hexadecimal digits."""
    parts = "\n".join(
        f"{source.dataset} {source.suffix} {source.digest()}" + (f" {source.limits}" if source.limits != LIMITS else "")
        for source in sources
    )
    return hashlib.blake2b(parts.encode(), digest_size=12).hexdigest()


def read(sources: Iterable[Source], columns: Columns | None = None) -> Iterator[Example | ItemError]:
    """Every record of every source, in order."""
    return (item for _, item in read_with_places(sources, columns))


def read_with_places(
    sources: Iterable[Source], columns: Columns | None = None
) -> Iterator[tuple[str, Example | ItemError]]:
    """Every record with its file and line. Raises InputError for a CSV file without the columns of a record."""
    number = 0
    for source in sources:
        for place, record in _records(source, columns or {}):
            number += 1
            yield place, _example(place, record, number, source, columns)


def values(sources: Iterable[Source]) -> Placed:
    """The decoded value of every record, with its file and line. A RecordError replaces one that is not decodable."""
    return (placed for source in sources for placed in _records(source))


def count(sources: Iterable[Source], columns: Columns | None = None) -> int:
    """The number of records, for a progress bar. Raises the InputErrors of `read`."""
    return sum(1 for source in sources for _ in _records(source, columns or {}))


def _example(place: str, record: object, number: int, source: Source, columns: Columns | None) -> Example | ItemError:
    try:
        if isinstance(record, RecordError):
            raise record
        return example(record, number, source.dataset, columns, source.limits, source.required)
    except RecordError as problem:
        return failed(problem, place, record)


def _records(source: Source, columns: Columns | None = None) -> Placed:
    """The records of one source. `columns`: None where its rows are no records with a response and a context."""
    readers = {".jsonl": _json_lines, ".json": _json_file, ".csv": _csv_rows}
    number = 0
    try:
        for placed in readers[source.suffix](source, columns):
            yield placed
            number += 1
    except TooMuchUnpacked:
        message = f"more than {size_text(source.limits.max_unpacked)} unpacked, the rest is not read"
        yield f"{source.name}, after record {number}", RecordError(message, "raise the limit: --max-unpacked SIZE")
    except UnicodeDecodeError as problem:  # of the whole file: a line in UTF-8 has an error of its own
        raise InputError(
            f"{source.name} is not {problem.encoding.upper()} throughout: {problem.reason}", "save the file as UTF-8"
        ) from problem
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(f"{source.name} cannot be read: {problem}") from problem


def _json_lines(source: Source, columns: Columns | None) -> Placed:
    first = True
    with source.open() as stream:
        for number, line in enumerate(lines(stream, source.limits.max_line, (b"\n",)), 1):
            if line is None:
                yield f"{source.name}, line {number}", too_long(source.limits)
            elif line.strip():
                if first:
                    _require_json_line(source, line, columns or {})
                yield f"{source.name}, line {number}", _decoded(line)
            first = first and line is not None and not line.strip()


def _require_json_line(source: Source, line: bytes, columns: Columns) -> None:
    """Raises InputError if the first line shows that the file has another format."""
    if line.strip() in (b"[", b"{"):
        raise InputError(
            f"{source.name} has one JSON value over several lines",
            "pass --input-format json, or write each record on a line of its own",
        )
    if line.lstrip()[:1] in (b"[", b"{"):
        return
    known = known_names(columns)
    header, _ = cells(line.decode("utf-8", "replace").strip(), known)
    if len(header) > 1 and known & set(header):
        raise InputError(f"{source.name} is CSV with the columns {_listed(header)}", "pass --input-format csv")


def _json_file(source: Source, columns: Columns | None) -> Placed:  # noqa: ARG001
    limits = source.limits
    with source.open() as stream:
        start = b" "
        while start.isspace():
            start = stream.read(1)
        if start != b"[":
            value = _decoded(start + stream.read(limits.max_line))
            if stream.read(1):
                value = too_long(limits, "the record")
            elif isinstance(value, RecordError):
                raise _unreadable(source, value.message)
            yield source.name, value
            return
        try:
            for number, element in enumerate(elements(stream, limits.max_line), 1):
                record = too_long(limits, "the record") if element is None else _decoded(element)
                yield f"{source.name}, record {number}", record
        except BrokenList as problem:
            raise _unreadable(source, str(problem)) from None


def _unreadable(source: Source, reason: str) -> InputError:
    return InputError(f"{source.name} cannot be read: {reason}", "rename it to .jsonl if each line is a record")


def _csv_rows(source: Source, columns: Columns | None) -> Placed:
    with source.open() as stream, io.TextIOWrapper(stream, encoding="utf-8", newline="") as text:
        reader = CsvRows(text, source.limits.max_line, known_names(columns or {}))
        rows = iter(reader)
        lists = known_names(columns or {}, ("context", "samples"))
        try:
            header = next(rows, None)
            if header is None:
                if reader.number:
                    yield f"{source.name}, line 1", too_long(source.limits, "the header")
                return
            if columns is not None:
                _require_columns(source, header, columns)
            for row in rows:
                place = f"{source.name}, line {reader.number}"
                if row is None:
                    yield f"{source.name}, line {reader.start}", too_long(source.limits, "the row")
                elif row and len(row) != len(header):
                    message = f"the number of cells ({len(row)}) differs from the number of columns ({len(header)})"
                    yield place, RecordError(message)
                elif row:
                    named = zip(header, row, strict=True)
                    yield (
                        place,
                        {
                            name: list_of_texts(cell) if name in lists else cell
                            for name, cell in named
                            if cell or name not in OPTIONAL
                        },
                    )
        except UnicodeDecodeError as problem:
            if problem.encoding != "utf-8":
                raise
            message, hint = not_utf8(problem)
            raise InputError(f"{source.name}, near line {reader.number + 1}: {message}", hint) from problem
        except csv.Error as problem:
            raise InputError(f"{source.name}, near line {reader.number + 1}: {problem}") from problem


def _require_columns(source: Source, header: Sequence[str], columns: Columns) -> None:
    """Raises InputError if the header has not the columns of a record: no row could be read."""
    if double := next((name for name in header if header.count(name) > 1 and name in known_names(columns)), None):
        raise InputError(f'{source.name} has two columns "{double}"', "rename one of them")
    absent = [column for column in columns.values() if column not in header]
    missing = [f'"{name}"' for name in absent or missing_columns(header, columns, source.required)]
    if missing:
        word = "columns" if len(missing) > 1 else "column"
        raise InputError(
            f"{source.name} has no {word} {' and '.join(missing)}; the first line has {_listed(header)}",
            "add a header line with response and context, or pass --map response=COLUMN --map context=COLUMN",
        )


def _listed(names: Sequence[str]) -> str:
    """Names of columns for messages."""
    shown = ", ".join(f'"{name}"' for name in names)
    return shown if len(shown) <= MAX_LISTED else f"{shown[:MAX_LISTED]} ..."


def _decoded(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as problem:
        return RecordError(*not_utf8(problem))
    except json.JSONDecodeError as problem:
        return RecordError(f"invalid JSON: {problem.msg} at character {problem.pos + 1}")
    except RecursionError:
        return RecordError("unsupported JSON: brackets are nested too deep", "flatten the field")
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
