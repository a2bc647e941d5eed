"""A user's files as passages: text, Markdown, HTML, PDF and JSON lines, one file or a folder of them.

A passage is some paragraphs that follow each other, of about 100 words together. Its source names the file and where
in its text the passage stands: "guide/loans.md#1200-1710" (characters from 0; of HTML and PDF those of the extracted
text), or the line of a JSONL file: "faq.jsonl:12".

What cannot be read is left out and named; the rest goes on.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graph_eval.errors import InputError, MissingPartError
from graph_eval.retrieve.html import text_of_html
from graph_eval.retrieve.retriever import SHOWN_VALUES
from graph_eval.text.sentences import sentences
from graph_eval.types import Passage, Span, content_hash, writable

VERSION = "corpus-4"
WORDS = 100  # of a passage; a sentence is never cut
WORD_LENGTH = 10  # characters that count as a word at least: Chinese and Japanese have no spaces
MOST_BYTES = 100_000_000  # of a file
TEXT_FIELDS = ("text", "context", "passage", "content")  # of a JSON object, the first one that it has
PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n")
MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class Problem(NamedTuple):
    """A file, or a line of one, that was left out."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


Found = tuple[Passage, dict[str, str]]  # a passage and the values of its fields


class UnreadableError(Exception):
    """A file, or a line, that cannot be read."""


@dataclass(frozen=True, slots=True)
class File:
    """`name`: its path below the folder. `size` in bytes, `changed` in nanoseconds: by them a change is seen."""

    name: str
    path: Path
    size: int
    changed: int

    @property
    def state(self) -> list[Any]:
        return [self.name, self.size, self.changed]


@dataclass(frozen=True)
class Corpus:
    """Passages, with the values of their fields if they have any, and what could not be read.

    `digest`: of the contents.
    """

    passages: Sequence[Passage]
    values: Sequence[Mapping[str, str]]
    problems: Sequence[Problem] = ()
    digest: str = ""

    @classmethod
    def of(cls, passages: Iterable[Passage | str]) -> Corpus:
        """The corpus of passages in memory, equal ones once."""
        found = [item if isinstance(item, Passage) else Passage.of(item) for item in passages]
        distinct = list({passage.id: passage for passage in found if passage.text.strip()}.values())
        digest = content_hash("corpus", *((passage.id, passage.source) for passage in distinct))
        return cls(distinct, [{}] * len(distinct), (), digest)

    @classmethod
    def of_rows(cls, rows: Iterable[Any], problems: Sequence[Problem], digest: str) -> Corpus:
        """The corpus of the values that `rows` gives."""
        items = [(Passage.of(text, source), values) for text, source, values in rows]
        return cls([passage for passage, _ in items], [values for _, values in items], problems, digest)

    def rows(self) -> Iterator[list[Any]]:
        """Text, source and values of each passage, as JSON values."""
        for passage, values in zip(self.passages, self.values, strict=True):
            yield [passage.text, passage.source, values]

    @cached_property
    def fields(self) -> dict[str, list[str]]:
        """The fields of the passages, each with its commonest values."""
        counts: dict[str, Counter[str]] = {}
        for values in self.values:
            for name, value in values.items():
                counts.setdefault(name, Counter())[value] += 1
        return {name: [value for value, _ in counts[name].most_common(SHOWN_VALUES)] for name in sorted(counts)}

    @cached_property
    def _with_value(self) -> dict[tuple[str, str], NDArray[np.int64]]:
        """The places of the passages by the name and the case-folded value of a field."""
        found: dict[tuple[str, str], list[int]] = {}
        for place, values in enumerate(self.values):
            for name, value in values.items():
                found.setdefault((name, value.casefold()), []).append(place)
        return {pair: np.array(places, dtype=np.int64) for pair, places in found.items()}

    def places(self, where: Sequence[tuple[str, str]]) -> NDArray[np.int64] | None:
        """The places of the passages whose fields have these values, whatever their case. None without a condition."""
        if not where:
            return None
        none = np.array([], dtype=np.int64)
        first, *others = (self._with_value.get((name, value.casefold()), none) for name, value in where)
        for other in others:
            first = np.intersect1d(first, other, assume_unique=True)
        return first

    @cached_property
    def repeated(self) -> int:
        """How many passages have the text of an earlier one, with other values of fields."""
        return len(self.passages) - len({passage.id for passage in self.passages})

    def first(self, places: Iterable[int], k: int) -> list[Passage]:
        """The first `k` passages at these places, equal texts once."""
        found: dict[str, Passage] = {}
        for place in places:
            found.setdefault(self.passages[place].id, self.passages[place])
        return list(found.values())[:k]


def files_of(root: Path) -> tuple[list[File], list[Problem]]:
    """The files of a corpus that may be read, sorted by name, and those that may not.

    Files with other names than those of `READERS`, and hidden ones (".name"), are not looked at. A link that leads out
    of the folder is left out, and so is a link to a folder. Raises InputError if there is no such file or folder, or no
    file to read.
    """
    try:
        exists = root.exists()
    except OSError as problem:  # such as a name that is too long
        raise InputError(f"{root} cannot be read: {problem.strerror}", "pass a file or a folder") from None
    if not exists:
        raise InputError(f"{root} does not exist", "pass a file or a folder")
    home = root.resolve()
    supported = f"supported: {', '.join(READERS)}"
    if home.is_file() and not _is_readable(home.name):
        raise InputError(f"{root} is a file of another kind", supported)
    found: list[File] = []
    problems: list[Problem] = []
    names = [home] if home.is_file() else sorted(_names(home, problems))
    for path in names:
        name = path.name if path == home else path.relative_to(home).as_posix()
        try:
            outside = path != home and not path.resolve().is_relative_to(home)
            status = path.stat()
        except (OSError, RuntimeError) as problem:  # RuntimeError: links in a circle
            problems.append(Problem(name, getattr(problem, "strerror", None) or "its links go in a circle"))
            continue
        if outside:
            problems.append(Problem(name, "it is a link out of the folder"))
        elif not path.is_file():
            problems.append(Problem(name, "it is not a file"))
        elif status.st_size > MOST_BYTES:
            problems.append(Problem(name, f"it is larger than {MOST_BYTES // 1_000_000} MB"))
        else:
            found.append(File(name, path, status.st_size, status.st_mtime_ns))
    if not found:
        reason = f": {problems[0]}" if problems else ""
        raise InputError(f"{root} has no file to read{reason}", supported)
    return found, problems


def _names(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    def unreadable(problem: OSError) -> None:
        name = os.path.relpath(problem.filename, folder)
        problems.append(Problem(name, problem.strerror or str(problem)))

    for parent, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [
            place for name in folders if (place := Path(parent, name)).is_symlink()
        ]  # os.walk does not follow them
        problems += [Problem(place.relative_to(folder).as_posix(), "it is a link to a folder") for place in links]
        yield from (Path(parent, name) for name in names if _is_readable(name) and not name.startswith("."))


def _is_readable(name: str) -> bool:
    return Path(name).suffix.lower() in READERS


def read(files: list[File]) -> Corpus:
    """The passages of the files, once for each text and values of fields. Raises InputError if none has a passage."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], Found] = {}
    problems: list[Problem] = []
    digest = hashlib.blake2b(VERSION.encode(), digest_size=12)
    for file in files:
        try:
            content = file.path.read_bytes()
            digest.update(f"{file.name}\0{len(content)}\0".encode("utf-8", "surrogateescape") + content)
            for passage, values in READERS[file.path.suffix.lower()](file.name, content, problems):
                found.setdefault((passage.id, tuple(sorted(values.items()))), (passage, values))
        except UnreadableError as problem:
            problems.append(Problem(file.name, str(problem)))
        except OSError as problem:
            problems.append(Problem(file.name, problem.strerror or str(problem)))
    if not found:
        reason = f": {problems[0]}" if problems else ""
        raise InputError(f"the corpus has no passage{reason}", f"add files with text: {', '.join(READERS)}")
    rows = list(found.values())
    return Corpus([passage for passage, _ in rows], [values for _, values in rows], problems, digest.hexdigest())


# ---- the kinds of files ----


def _text(content: bytes) -> str:
    encoding = next((name for mark, name in MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as problem:
        if b"\0" in content and not encoding.startswith("utf-16"):
            raise UnreadableError("it is a binary file") from None
        raise UnreadableError(f"it is not {encoding.upper()} (byte {problem.start}): convert it") from None
    if "\0" in text:
        raise UnreadableError("it is a binary file")
    return text


def _plain(name: str, content: bytes, _: list[Problem]) -> Iterator[Found]:
    yield from _without_fields(name, _text(content))


def _without_fields(name: str, text: str) -> Iterator[Found]:
    return ((passage, {}) for passage in passages_of(name, text))


def _html(name: str, content: bytes, _: list[Problem]) -> Iterator[Found]:
    yield from _without_fields(name, text_of_html(_text(content)))


def _pdf(name: str, content: bytes, _: list[Problem]) -> Iterator[Found]:
    if find_spec("pypdf") is None:
        raise MissingPartError("pypdf is not installed", "pip install 'graph_eval[retrieval]'")
    import io
    import logging

    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    try:
        text = "\n\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
    except Exception as problem:  # a damaged file can raise anything
        raise UnreadableError(f"it is not a readable PDF: {problem}") from None
    if not text.strip():
        raise UnreadableError("it has no text, only pictures perhaps")
    yield from _without_fields(name, text)


def _jsonl(name: str, content: bytes, problems: list[Problem]) -> Iterator[Found]:
    """Each line is a text, or an object with one of `TEXT_FIELDS` (a text or a list of texts).

    Of an object `source` is the passage's source, and other texts, numbers and switches are its fields.
    """
    for number, line in enumerate(_text(content).split("\n"), 1):
        if not line.strip():
            continue
        place = f"{name}:{number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as problem:
            problems.append(Problem(place, f"it is no JSON: {problem}"))
            continue
        source, fields = place, {}
        if isinstance(value, dict):
            name_of_text = next((field for field in TEXT_FIELDS if value.get(field)), None)
            if isinstance(value.get("source"), str):
                source = value["source"]
            others = {key: item for key, item in value.items() if key not in (name_of_text, "source")}
            fields = {writable(k): writable(_shown(v)) for k, v in others.items() if isinstance(v, str | int | float)}
            value = value[name_of_text] if name_of_text else None
        texts = value if isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts):
            problems.append(Problem(place, f"it has no text: write {' or '.join(TEXT_FIELDS)}"))
            continue
        yield from ((Passage.of(writable(text), writable(source)), fields) for text in texts if text.strip())


def _shown(value: str | float) -> str:
    return value if isinstance(value, str) else json.dumps(value)


Reader = Callable[[str, bytes, list[Problem]], Iterator[Found]]
READERS: dict[str, Reader] = {
    ".txt": _plain,
    ".md": _plain,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
    ".jsonl": _jsonl,
}


# ---- passages ----


def passages_of(name: str, text: str) -> Iterator[Passage]:
    """The passages of a text, in order. They leave out nothing but white space."""
    start = end = count = 0
    for unit in _units(text):
        size = words_in(unit.of(text))
        if count and count + size > WORDS:
            yield _passage(name, text, start, end)
            count = 0
        if not count:
            start = unit.start
        end, count = unit.end, count + size
    if count:
        yield _passage(name, text, start, end)


def _passage(name: str, text: str, start: int, end: int) -> Passage:
    return Passage.of(text[start:end], f"{name}#{start}-{end}")


def words_in(text: str) -> int:
    """How many words a text counts as, at least 1 for each `WORD_LENGTH` characters."""
    return max(len(text.split()), len(text) // WORD_LENGTH)


def _units(text: str) -> Iterator[Span]:
    """Paragraphs; those that are too long for a passage in sentences. Marks between sentences belong to the next one,
    those behind the last one to it."""
    start = 0
    for end in [*(match.start() for match in PARAGRAPH_END.finditer(text)), len(text)]:
        paragraph = _stripped(text, start, end)
        start = end
        if not paragraph:
            continue
        if words_in(paragraph.of(text)) <= WORDS:
            yield paragraph
            continue
        ends = [paragraph.start + sentence.span.end for sentence in sentences(paragraph.of(text))]
        for before, after in pairwise([paragraph.start, *ends[:-1], paragraph.end]):
            if unit := _stripped(text, before, after):
                yield unit


def _stripped(text: str, start: int, end: int) -> Span | None:
    piece = text[start:end]
    kept = piece.strip()
    if not kept:
        return None
    start += len(piece) - len(piece.lstrip())
    return Span(start, start + len(kept))
