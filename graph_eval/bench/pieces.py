"""Finished pieces of a measurement, in a file of JSON lines, so that an interrupted one does not do them again.

Each line is [key, seconds, value]. A key is a hash of all that the value depends on, so a piece of other texts, parts
or versions is not found. A measurement that is a plan of stages has a run directory instead.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, TypeVar

from graph_eval.errors import RunError
from graph_eval.runs.resume import lock
from graph_eval.types import ItemError, content_hash
from graph_eval.version import versions

Value = TypeVar("Value")


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def key_of(kind: Any, value: Any, *more: object) -> str:
    """The key of a piece that depends on this value of the type `kind`, on `more`, and on the versions."""
    return content_hash(_adapter(kind).dump_json(value).decode("utf-8"), *more, versions())


class Pieces:
    """The pieces in an open file, which is locked. Without a file nothing is stored."""

    def __init__(self, stream: BinaryIO | None = None) -> None:
        self._stream = stream
        self._known: dict[str, tuple[float, Any]] = {}  # by key: the seconds and the value as JSON
        end = 0
        for line in stream or ():
            if not line.endswith(b"\n"):  # torn by a kill
                break
            end += len(line)
            key, seconds, value = json.loads(line)
            self._known[key] = (seconds, value)
        if stream:
            os.ftruncate(stream.fileno(), end)

    def made(self, key: str, kind: Any, make: Callable[[], Value]) -> tuple[Value, float]:
        """What `make` returns, which is of the type `kind`, and the seconds that it took, now or when it was stored.

        When this returns, the piece is on disk, unless it holds an error: then it is made again the next time.
        """
        if key in self._known:
            seconds, stored = self._known[key]
            with suppress(ValueError):  # a value that other code wrote is made again
                known: Value = _adapter(kind).validate_python(stored)
                return known, seconds
        began = monotonic()
        value = make()
        seconds = monotonic() - began
        failed = isinstance(value, list | tuple) and any(isinstance(item, ItemError) for item in value)
        if self._stream and not failed:
            written = _adapter(kind).dump_json(value)
            self._stream.write(b"[%s,%s,%s]\n" % (json.dumps(key).encode(), json.dumps(seconds).encode(), written))
            self._stream.flush()
            os.fsync(self._stream.fileno())
        return value, seconds


@contextmanager
def pieces_in(path: Path | None) -> Iterator[Pieces]:
    """The pieces in a file, which may not exist yet. Raises RunError if it cannot be used."""
    if path is None:
        yield Pieces()
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("a+b")
    except OSError as problem:
        raise RunError(f"{path} cannot be written: {problem.strerror}", "choose another -o") from None
    with stream:
        lock(stream, path)
        stream.seek(0)
        try:
            pieces = Pieces(stream)
        except (ValueError, TypeError, RecursionError):
            raise RunError(f"{path} is damaged", "delete it") from None
        yield pieces
