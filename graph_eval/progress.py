"""Progress within a record: a part counts what it works through, and the command line shows it.

    steps = Steps("sentences", len(sentences))
    for sentence in sentences:
        ...
        steps.take()

Nobody listens by default, and then counting costs nothing. There is one listener in a process, since it has one
terminal.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str, int, int], None]  # what is counted ("sentences"), how many are done, how many there are

_listeners: list[Listener] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Calls the listener for every step that is reported in the meantime, whatever thread reports it."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def report(what: str, done: int, of: int) -> None:
    """Tells the listeners that so many of them are done."""
    for listener in _listeners:
        listener(what, done, of)


class Steps:
    """Counts what one or more threads work through together, and reports each step."""

    def __init__(self, what: str, of: int) -> None:
        self._what, self._of, self._done = what, of, 0
        self._lock = threading.Lock()

    def take(self) -> None:
        with self._lock:
            self._done += 1
            report(self._what, self._done, self._of)
