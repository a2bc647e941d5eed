"""Objects of a user as parts: what the adapters of extractors, checkers and correctors share."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from graph_eval.fingerprints import fingerprint_of

if TYPE_CHECKING:
    from graph_eval.llm.model import LLM

Output = TypeVar("Output")


class ForeignPart:
    """Wraps an object or a function. Only one thread at a time calls it, since it need not be thread-safe.

    `reads`, `models` and `fingerprint` are those of the object, if it has them. A pickled copy keeps the fingerprint.
    """

    def __init__(self, part: Any) -> None:
        self.part = part
        self.reads: tuple[str, ...] = tuple(getattr(part, "reads", ()))
        self._fingerprint = fingerprint_of(part)
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.part,), {"_fingerprint": self._fingerprint}

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    @property
    def models(self) -> tuple[LLM, ...]:
        return tuple(getattr(self.part, "models", ()))

    def _call(self, function: Callable[..., Output], *arguments: Any) -> Output:
        with self._lock:
            return function(*arguments)
