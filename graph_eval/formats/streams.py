"""Streams of input files: decompressed up to a limit, decoded to UTF-8, and cut into lines of limited length.

Memory stays flat: of a line or a file that is too long no more than the limit is held.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, AnyStr

from graph_eval.errors import InputError
from graph_eval.formats.records import RecordError
from graph_eval.settings import LimitSettings, size_text

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BLOCK = 1 << 16  # bytes that are read at a time
BYTE_ORDER_MARKS = {  # those of UTF-32 first: they begin with those of UTF-16
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
    codecs.BOM_UTF8: "UTF-8-SIG",
}
SIGNATURES = {
    b"%PDF": "a PDF file",
    b"PK\x03\x04": "a ZIP archive (also .docx, .xlsx)",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"SQLite format 3": "an SQLite database",
    b"PAR1": "a Parquet file",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
}
GZIP = b"\x1f\x8b"
NOT_OF_TEXT = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1b")
MOST_NOT_OF_TEXT = 0.05  # of the first bytes; a file of records with a broken line has less
ALPHABETS = frozenset(range(7))  # high bytes in UTF-16: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic
HIGH_SHARE = 0.8  # of high bytes in a text in UTF-16
MOST_NOT_OF_LETTERS = 0.3  # of low bytes


class TooMuchUnpacked(Exception):  # noqa: N818
    """A compressed file is longer than the limit. What comes before the limit has been read."""


class Unpacked(io.RawIOBase):
    """The first `limit` bytes of a stream. Reading on raises TooMuchUnpacked if there are more."""

    def __init__(self, stream: io.BufferedIOBase, limit: int) -> None:
        self._stream, self._left = stream, limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        data = self._stream.read(min(len(view), self._left) or 1)
        if len(data) > self._left:
            raise TooMuchUnpacked
        self._left -= len(data)
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


class Recoded(io.RawIOBase):
    """A text of another encoding as UTF-8. Raises UnicodeDecodeError where it is not of that encoding."""

    def __init__(self, stream: io.BufferedReader, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        data = None
        while not self._ready and data != b"":
            data = self._stream.read1(BLOCK)
            self._ready = self._decoder.decode(data, final=not data).encode("utf-8")
        view = memoryview(buffer)
        part = self._ready[: len(view)]
        self._ready = self._ready[len(part) :]
        view[: len(part)] = part
        return len(part)

    def close(self) -> None:
        self._stream.close()
        super().close()


def text_stream(name: str, stream: io.BufferedReader) -> io.BufferedReader:
    """The stream in UTF-8 without a byte order mark. UTF-16 and UTF-32 are read where they have that mark.

    Raises InputError if it is no text, or UTF-16 without the mark.
    """
    start = stream.peek(BLOCK)
    mark = next((mark for mark in BYTE_ORDER_MARKS if start.startswith(mark)), None)
    if mark == codecs.BOM_UTF8:
        stream.read(len(mark))
        return stream
    if mark is not None:
        return io.BufferedReader(Recoded(stream, BYTE_ORDER_MARKS[mark]))
    _require_text(name, start)
    return stream


def _require_text(name: str, start: bytes) -> None:
    if start.startswith(GZIP):
        raise InputError(f"{name} is compressed with gzip", "give it a name that ends in .gz")
    for signature, kind in SIGNATURES.items():
        if start.startswith(signature):
            raise InputError(f"{name} is {kind}, not text", "pass a text file in UTF-8")
    for first, encoding in ((1, "UTF-16LE"), (0, "UTF-16BE")):
        high, low = start[first::2], start[1 - first :: 2]
        if len(high) > 1 and _share(high, ALPHABETS) >= HIGH_SHARE and _share(low, NOT_OF_TEXT) < MOST_NOT_OF_LETTERS:
            raise InputError(
                f"{name} is {encoding} without a byte order mark", f"convert it: iconv -f {encoding} -t UTF-8"
            )
    if sum(byte in NOT_OF_TEXT for byte in start) > MOST_NOT_OF_TEXT * len(start):
        raise InputError(f"{name} is a binary file, not text", "pass a text file in UTF-8")


def _share(part: bytes, values: frozenset[int]) -> float:
    return sum(byte in values for byte in part) / len(part) if part else 0.0


def lines(stream: IO[AnyStr], limit: int, ends: tuple[AnyStr, ...]) -> Iterator[AnyStr | None]:
    """The lines of a stream, with their ends. None: a line of more than `limit` bytes (characters of a text)."""
    while line := stream.readline(limit + 2):
        if line.endswith(ends) or len(line) <= limit:
            yield line
            continue
        while line and not line.endswith(ends):
            line = stream.readline(BLOCK)
        yield None


def too_long(limits: LimitSettings, what: str = "the line") -> RecordError:
    return RecordError(f"{what} is longer than {size_text(limits.max_line)}", "raise the limit: --max-line SIZE")


def not_utf8(problem: UnicodeDecodeError) -> tuple[str, str]:
    """Message and hint for bytes that are not UTF-8."""
    found = problem.object[problem.start : problem.start + 1]
    letter = found.decode("cp1252", "replace")
    hint = "save the file as UTF-8"
    if letter.isalpha():
        hint += f" (0x{found.hex().upper()} is {letter!r} in Windows-1252: iconv -f WINDOWS-1252 -t UTF-8)"
    return f"byte {problem.start + 1} is not UTF-8", hint
