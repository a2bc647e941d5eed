"""Progress within a record: a part counts what it works through, and the command line shows it.

    for sentence in steps(sentences, "sentences"):
        ...

Nobody listens by default, and then counting costs nothing. There is one listener in a process, since it has one
terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")
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


def steps(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items. Each is reported as done when the next one is taken."""
    for done, item in enumerate(items):
        report(what, done, len(items))
        yield item
    report(what, len(items), len(items))
