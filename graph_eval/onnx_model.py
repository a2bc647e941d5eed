"""A model of the package on onnxruntime, with its tokenizer: loaded at the first use, and identified by its content."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from graph_eval.errors import MissingPartError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

AHEAD = 4  # batches that wait for each thread


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Loaded:
    session: InferenceSession
    tokenizer: Tokenizer


_loading = threading.Lock()
_in_use: WeakValueDictionary[tuple[object, ...], Loaded] = WeakValueDictionary()  # by the state of the files


class OnnxModel:
    """A model that reads token ids, mask and types. `threads` 0: one for each core.

    Batches are run side by side, each in one thread, so that an output does not depend on the number of threads. Safe
    to use from several threads: onnxruntime runs one session in many threads, and the tokenizer is not changed after
    loading. Models of the same files share what they load, for as long as one of them is in use: the checker and the
    extractor read with the same weights. A pickled copy loads the model where it is used.
    """

    def __init__(self, model: Path, tokenizer: Path, threads: int = 0) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._threads = threads or cores()
        self._lock = threading.Lock()
        self._loaded: Loaded | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_lock", "_loaded", "digest")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.Lock(), _loaded=None)

    @cached_property
    def digest(self) -> str:
        """Of weights and tokenizer."""
        digest = hashlib.blake2b(digest_size=8)
        for path in (self._model, self._tokenizer):
            digest.update(path.read_bytes())
        return digest.hexdigest()

    def session(self, threads: int = 1) -> InferenceSession:
        """A new session over the weights."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(str(self._model), options, providers=["CPUExecutionProvider"])

    def run(self, feeds: Iterable[dict[str, NDArray[Any]]]) -> Iterator[Any]:
        """The outputs for each batch, in order. A batch is too small for several threads to share it with much gain.

        Feeds are taken a few ahead of the outputs, so that the memory does not grow with their number.
        """
        session = self.load().session
        if self._threads == 1:
            yield from (session.run(None, feed) for feed in feeds)
            return
        rest = iter(feeds)
        first = list(islice(rest, 2))
        if len(first) < 2:  # a single batch needs no other thread
            yield from (session.run(None, feed) for feed in first)
            return
        running: deque[Future[Any]] = deque()
        with ThreadPoolExecutor(self._threads) as pool:
            for feed in chain(first, rest):
                running.append(pool.submit(session.run, None, feed))
                if len(running) > AHEAD * self._threads:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()

    def load(self) -> Loaded:
        """The session and the tokenizer. Raises MissingPartError where onnxruntime or tokenizers is not installed."""
        with self._lock:
            if self._loaded is None:
                with _loading:
                    key = (*_state(self._model), *_state(self._tokenizer))
                    self._loaded = _in_use.get(key) or self._load()
                    _in_use[key] = self._loaded
        return self._loaded

    def _load(self) -> Loaded:
        try:
            from tokenizers import Tokenizer

            session = self.session()
        except ImportError as problem:
            raise MissingPartError(
                f"{problem.name} is not installed", "pip install onnxruntime tokenizers"
            ) from problem
        tokenizer = Tokenizer.from_file(str(self._tokenizer))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return Loaded(session, tokenizer)


def _state(path: Path) -> tuple[object, ...]:
    """Changes whenever the file does. Only the path of a missing file, which the loading then names."""
    try:
        status = path.stat()
    except OSError:
        return (path,)
    return path.resolve(), status.st_ino, status.st_mtime_ns, status.st_size


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def padded(inputs: Sequence[tuple[list[int], list[int]]]) -> dict[str, NDArray[np.int64]]:
    """Token ids and types of equal length, with the mask that hides the padding."""
    shape = (len(inputs), max(len(ids) for ids, _ in inputs))
    feed = {name: np.zeros(shape, dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, (ids, types) in enumerate(inputs):
        feed["input_ids"][row, : len(ids)] = ids
        feed["attention_mask"][row, : len(ids)] = 1
        feed["token_type_ids"][row, : len(types)] = types
    return feed


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices in batches of similar length, each of at most `budget` tokens with its padding (or one input)."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if batch and (len(batch) + 1) * lengths[index] > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
