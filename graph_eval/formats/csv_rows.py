"""The rows of CSV files: their delimiter is read from the header, and no row can fill the memory."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Set
from typing import TextIO

from graph_eval.formats.streams import BLOCK

DELIMITERS = (",", ";", "\t", "|")
ENDS = ("\n", "\r")
DECLARED = re.compile(r"sep=(?P<delimiter>.)\s*", re.IGNORECASE)  # a first line that spreadsheets write


def cells(line: str, known: Set[str]) -> tuple[list[str], str]:
    """The cells of a header, and the delimiter by which most of them are known names. By default it is the comma."""
    rows = {delimiter: next(csv.reader([line], delimiter=delimiter), []) for delimiter in DELIMITERS}
    delimiter = max(DELIMITERS, key=lambda delimiter: len(known & set(rows[delimiter])))
    return rows[delimiter], delimiter


class LongRow(ValueError):  # noqa: N818
    """A row is longer than the limit."""


class Quotes:
    """Follows the quotation marks of a row from one piece of it to the next. `open`: the next character is quoted."""

    def __init__(self, delimiter: str) -> None:
        self._starts = (delimiter, *ENDS, "")  # what stands before a cell
        self.reset()

    def reset(self) -> None:
        self.open = self._closed = False
        self._last = ""

    def read(self, piece: str) -> None:
        end, place = 0, piece.find('"')
        while place >= 0:
            if self.open:
                self.open, self._closed = False, True
            else:  # a mark that follows a closing one is a doubled one, inside the cell
                before = piece[place - 1] if place else self._last
                self.open = before in self._starts or (self._closed and place == end)
                self._closed = False
            end = place + 1
            place = piece.find('"', end)
        self._closed = self._closed and end == len(piece)
        self._last = piece[-1:]


class CsvRows:
    """The rows of a CSV file, opened with newline="". None: a row of more than `limit` characters.

    Reading goes on behind such a row. Blank lines before the header are skipped. `number`: of the line that was read
    last, from 1. `start`: of the first line of its row. `known`: names that columns may have. Raises UnicodeDecodeError
    and csv.Error.
    """

    def __init__(self, text: TextIO, limit: int, known: Set[str]) -> None:
        csv.field_size_limit(2**31 - 1)
        self.number = self.start = 0
        self._text, self._limit, self._known = text, limit, known
        self._size = 0  # of the row that is read
        self._pending = ""  # a character that was read too far

    def __iter__(self) -> Iterator[list[str] | None]:
        first = self._line()
        while first and not first.strip():
            first = self._line()
        if declared := DECLARED.fullmatch(first):
            delimiter, first = declared["delimiter"], self._line()
        else:
            delimiter = cells(first, self._known)[1]
        quotes = Quotes(delimiter)
        while True:
            try:
                for row in csv.reader(self._counted(first, quotes), delimiter=delimiter):
                    self._size = 0
                    yield row
                return
            except LongRow:
                first = ""
                yield None

    def _line(self) -> str:
        """The next line, or as much of it as exceeds the limit. "" at the end."""
        line = self._read(self._limit + 2)
        self.number += bool(line)
        return line

    def _read(self, size: int) -> str:
        """The rest of the line, or `size` characters of it. A line's end of two characters is never parted."""
        line, self._pending = self._pending, ""
        if not line.endswith(ENDS):
            line += self._text.readline(size)
        if line.endswith("\r"):
            following = self._text.readline(1)
            if following == "\n":
                return line + following
            self._pending = following
        return line

    def _counted(self, line: str, quotes: Quotes) -> Iterator[str]:
        """The lines from this one on, or from the next one if it is empty. Raises LongRow behind a row that is too
        long."""
        self._size = 0
        while line := line or self._line():
            if self._size == 0:
                quotes.reset()
                self.start = self.number
            quotes.read(line)
            self._size += len(line)
            if self._size > self._limit:
                self._skip(line, quotes)
                raise LongRow
            yield line
            line = ""

    def _skip(self, line: str, quotes: Quotes) -> None:
        """Reads to the end of the row. A line's end between quotation marks is none of the row's."""
        while line and (quotes.open or not line.endswith(ENDS)):
            ended = line.endswith(ENDS)
            line = self._read(BLOCK)
            self.number += ended and bool(line)
            quotes.read(line)
