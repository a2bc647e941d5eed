"""Rows of a published file: JSON objects with their place, whose columns are checked where they are read.

A wrong file is an InputError with its line, its column and what was expected. Nothing is filled in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from graph_eval.errors import InputError
from graph_eval.formats import files
from graph_eval.formats.records import RecordError

T = TypeVar("T")
SHOWN = 60  # characters of an unexpected value in a message


@dataclass(frozen=True, slots=True)
class Row:
    """A JSON object. `place`: its file and line. `origin`: where a user gets the file.

    Each method gives the value of a column, and raises InputError if the column is missing or has another type.
    """

    place: str
    fields: Mapping[str, Any]
    origin: str

    def value(self, column: str) -> Any:
        if column not in self.fields:
            columns = ", ".join(f'"{name}"' for name in self.fields)
            raise InputError(
                f'{self.place}: column "{column}" is missing; the row has {columns or "no columns"}', self._hint
            )
        return self.fields[column]

    def text(self, column: str) -> str:
        """A text, which may be empty."""
        value = self.value(column)
        if not isinstance(value, str):
            raise self.unexpected(column, "a text")
        return value

    def name(self, column: str) -> str:
        """A text or a whole number, as text."""
        value = self.value(column)
        if type(value) not in (str, int):
            raise self.unexpected(column, "a text or a whole number")
        return str(value)

    def texts(self, column: str) -> list[str]:
        """A list of texts, which may be empty."""
        value = self.value(column)
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self.unexpected(column, "a list of texts")
        return value

    def integer(self, column: str) -> int:
        value = self.value(column)
        if type(value) is not int:
            raise self.unexpected(column, "a whole number")
        return value

    def row(self, column: str) -> Row:
        """An object."""
        value = self.value(column)
        if not isinstance(value, dict):
            raise self.unexpected(column, "an object")
        return Row(f"{self.place}, {column}", value, self.origin)

    def rows(self, column: str) -> list[Row]:
        """A list of objects, which may be empty."""
        value = self.value(column)
        if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
            raise self.unexpected(column, "a list of objects")
        return [Row(f"{self.place}, {column} {n}", part, self.origin) for n, part in enumerate(value, 1)]

    def one_of(self, column: str, known: Mapping[Any, T]) -> T:
        """What `known` has for the value of the column. Text and number, or 1 and true, are different values."""
        value = self.value(column)
        for key, meaning in known.items():
            if type(key) is type(value) and key == value:
                return meaning
        raise self.unexpected(column, " or ".join(map(repr, known)))

    def unexpected(self, column: str, expected: str) -> InputError:
        """The error of the value of a column."""
        value = repr(self.fields.get(column))
        shown = value if len(value) <= SHOWN else f"{value[:SHOWN]} ..."
        return InputError(f'{self.place}: "{column}" is {shown}, expected {expected}', self._hint)

    @property
    def _hint(self) -> str:
        return f"download the file again from {self.origin}"


def rows(path: Path, origin: str) -> Iterator[Row]:
    """The rows of a file of JSON lines or of one JSON list, packed or not (.jsonl, .json, each also with .gz).

    Raises InputError if the file does not exist, is damaged or empty, or has a row that is no JSON object.
    """
    if not path.is_file():
        raise InputError(f"{path} does not exist", f"download it from {origin} into the --data folder")
    hint = f"download the file again from {origin}"
    empty = True
    for place, value in files.values([files.source(str(path))]):
        if isinstance(value, RecordError):
            raise InputError(f"{place}: {value.message}", hint)
        if not isinstance(value, dict):
            raise InputError(f"{place}: the row is no JSON object", hint)
        yield Row(place, value, origin)
        empty = False
    if empty:
        raise InputError(f"{path} is empty", hint)
