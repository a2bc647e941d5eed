"""A model of the package on onnxruntime, with its tokenizer: loaded at the first use, and named by its content."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.errors import MissingPartError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer


class OnnxModel:
    """Input: token ids, mask and types. `threads` 0 means one a core: batches are read side by side, each in one
    thread, so that an output does not depend on their number."""

    def __init__(self, model: Path, tokenizer: Path, threads: int = 0) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._threads = threads or cores()
        self._lock = threading.Lock()
        self._loaded: tuple[InferenceSession, Tokenizer] | None = None

    @cached_property
    def digest(self) -> str:
        """Of weights and tokenizer."""
        digest = hashlib.blake2b(digest_size=8)
        for path in (self._model, self._tokenizer):
            digest.update(path.read_bytes())
        return digest.hexdigest()

    def session(self, threads: int = 1) -> InferenceSession:
        """A session of its own over the weights."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(str(self._model), options, providers=["CPUExecutionProvider"])

    def run(self, feeds: Sequence[dict[str, NDArray[np.int64]]]) -> list[Any]:
        """The outputs for each batch. One product is too small for several threads to gain much by sharing it."""
        session, _ = self.load()
        if self._threads == 1 or len(feeds) < 2:
            return [session.run(None, feed) for feed in feeds]
        with ThreadPoolExecutor(min(self._threads, len(feeds))) as pool:
            return list(pool.map(lambda feed: session.run(None, feed), feeds))

    def load(self) -> tuple[InferenceSession, Tokenizer]:
        with self._lock:
            if self._loaded is None:
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
                self._loaded = session, tokenizer
        return self._loaded


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def padded(items: Sequence[tuple[list[int], list[int]]]) -> dict[str, NDArray[np.int64]]:
    """Token ids and types of equal length, with the mask that hides the padding."""
    shape = (len(items), max(len(ids) for ids, _ in items))
    feed = {name: np.zeros(shape, dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, (ids, types) in enumerate(items):
        feed["input_ids"][row, : len(ids)] = ids
        feed["attention_mask"][row, : len(ids)] = 1
        feed["token_type_ids"][row, : len(types)] = types
    return feed
