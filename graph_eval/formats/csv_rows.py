"""The rows of CSV files: their delimiter is read from the header, and no row can fill the memory."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Set
from itertools import chain
from typing import TextIO

from graph_eval.formats.streams import lines

DELIMITERS = (",", ";", "\t", "|")
ENDS = ("\n", "\r")


def cells(line: str, known: Set[str]) -> tuple[list[str], str]:
    """The cells of a header, and the delimiter by which most of them are known names. By default it is the comma."""
    rows = {delimiter: next(csv.reader([line], delimiter=delimiter), []) for delimiter in DELIMITERS}
    delimiter = max(DELIMITERS, key=lambda delimiter: len(known & set(rows[delimiter])))
    return rows[delimiter], delimiter


class LongRow(ValueError):  # noqa: N818
    """A row is longer than the limit."""


class CsvRows:
    """The rows of a CSV file, opened with newline="". None: a row of more than `limit` characters.

    Reading goes on at the line after such a row. `number`: of the line that was read last, from 1. `known`: names that
    columns may have. Raises UnicodeDecodeError and csv.Error.
    """

    def __init__(self, text: TextIO, limit: int, known: Set[str]) -> None:
        csv.field_size_limit(2**31 - 1)
        self.number = 0
        self._limit, self._known = limit, known
        self._lines = lines(text, limit, ENDS)
        self._size = 0  # of the row that is read

    def __iter__(self) -> Iterator[list[str] | None]:
        first = next(self._lines, "")
        delimiter = cells(first or "", self._known)[1]
        everything = chain([first], self._lines) if first != "" else self._lines
        while True:
            try:
                for row in csv.reader(self._counted(everything), delimiter=delimiter):
                    self._size = 0
                    yield row
                return
            except LongRow:
                yield None

    def _counted(self, everything: Iterator[str | None]) -> Iterator[str]:
        self._size = 0
        for line in everything:
            self.number += 1
            if line is None:
                raise LongRow
            self._size += len(line)
            if self._size > self._limit:
                raise LongRow
            yield line
