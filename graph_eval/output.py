"""Files that the user asks for: complete or not there at all, and readable by their owner alone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from graph_eval.errors import UsageError

TEXT: Any = {"encoding": "utf-8", "errors": "backslashreplace", "newline": "\n"}
STREAMS = re.compile(r"/dev|/proc/\d+/fd")  # folders of devices, and of the open files of a process
PRIVATE, SHARED = 0o600, 0o666  # modes of new files; the process's umask is taken from the second


@contextmanager
def output_file(path: Path, hint: str = "choose another file", mode: int = PRIVATE) -> Iterator[TextIO]:
    """A text file that appears under its name when it is complete. Raises UsageError if it cannot be written.

    A file that exists keeps its mode. A device, a pipe or an open file (/dev/stdout) is written as it is, behind what
    it holds. Any other file is written under another name first. What lies there already, such as a link that somebody
    planted, is removed and never followed.
    """
    with _opened(path, hint, mode, "w", TEXT) as stream:
        yield stream


@contextmanager
def _opened(path: Path, hint: str, mode: int, how: str, form: Mapping[str, Any]) -> Iterator[Any]:
    temporary = path.with_name(path.name + ".tmp")
    try:
        if is_stream(path):
            with path.open(how.replace("w", "a"), **form) as device:  # what it holds already stays
                yield device
            return
        if path.is_file():
            mode = path.stat().st_mode & 0o777
        temporary.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        stream = os.fdopen(os.open(temporary, flags, mode), how, **form)
    except OSError as problem:
        raise UsageError(f"{path} cannot be written: {problem.strerror}", hint) from None
    try:
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def is_stream(path: Path) -> bool:
    """Whether it is a device, a pipe, or a name of an open file: /dev/stdout must not be replaced by a file."""
    if STREAMS.fullmatch(str(path.parent.resolve())):
        return not path.is_dir()
    return path.exists() and not path.is_file() and not path.is_dir()


def write_text(path: Path, text: str, hint: str = "choose another file", mode: int = PRIVATE) -> None:
    """Writes a file as `output_file` does. Raises UsageError if it cannot be written, also for a full disk."""
    _write(path, text, hint, mode, "w", TEXT)


def write_bytes(path: Path, content: bytes, hint: str = "choose another file") -> None:
    """Writes a file that is no text as `write_text` does."""
    _write(path, content, hint, PRIVATE, "wb", {})


def _write(path: Path, content: str | bytes, hint: str, mode: int, how: str, form: Mapping[str, Any]) -> None:
    try:
        with _opened(path, hint, mode, how, form) as stream:
            stream.write(content)
    except OSError as problem:
        raise UsageError(f"{path} cannot be written: {problem.strerror}", hint) from None
