"""The offline parser: a small spaCy pipeline (tagger and dependency parser) whose weights ship in the package.

Weights are stored as float16 (half the size, no accuracy lost) and read back as float32. The folder contains msgpack
and JSON, and no pickles.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graph_eval.errors import MissingPartError
from graph_eval.resources import folder

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BUILTIN = "weights/parser"
BATCH = 128  # sentences


class Parser:
    """A parser whose weights are loaded at the first call of `parse`.

    Threads may share one: they take turns, since a spaCy pipeline reads one batch at a time. A pickled parser holds
    the folder of its weights and loads them again where it is unpickled.
    """

    def __init__(self, weights: Path) -> None:
        self._weights = weights
        self._nlp: Language | None = None
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Callable[..., Parser], tuple[Any, ...]]:
        if self._weights == folder(BUILTIN):
            return Parser.builtin, ()
        return Parser, (self._weights,)

    @classmethod
    def builtin(cls) -> Parser:
        """The parser that ships in the package: one for each process."""
        return _builtin()

    @property
    def fingerprint(self) -> str:
        """A hash of the weights: 16 hexadecimal digits."""
        digest = hashlib.blake2b(digest_size=8)
        for file in sorted(self._weights.rglob("model")):
            digest.update(file.read_bytes())
        return digest.hexdigest()

    def parse(self, sentences: Sequence[str]) -> list[Doc]:
        """One parsed document for each sentence, in order. A sentence is never split, whatever its punctuation.

        Raises MissingPartError if spaCy is not installed.
        """
        with self._lock:
            if self._nlp is None:
                self._nlp = load_pipeline(self._weights)
            return list(self._nlp.pipe(sentences, batch_size=BATCH))


@cache
def _builtin() -> Parser:
    return Parser(folder(BUILTIN))


def pack(nlp: Language, target: Path) -> None:
    """Writes the pipeline to `target` with float16 weights. The pipeline itself must not be used afterwards."""
    _cast(nlp, np.float16)
    nlp.to_disk(target)
    without_training(target)


def without_training(target: Path) -> None:
    """Removes the training settings and their paths from config.cfg. They are documented in training/parser."""
    from spacy.util import load_config

    config = load_config(target / "config.cfg")
    for section in ("paths", "system", "corpora", "training", "pretraining", "initialize"):
        config.pop(section, None)
    config.to_disk(target / "config.cfg")


def load_pipeline(source: Path) -> Language:
    """The pipeline that `pack` wrote, with float32 weights."""
    try:
        import spacy
    except ImportError as problem:
        raise MissingPartError("spacy is not installed", "pip install spacy") from problem
    nlp = spacy.load(source)
    _cast(nlp, np.float32)
    return nlp


def _cast(nlp: Language, dtype: type[np.floating[Any]]) -> None:
    for _, component in nlp.pipeline:
        model: Any = component.model  # type: ignore[attr-defined]
        for node in model.walk():
            for name in node.param_names:
                if node.has_param(name):
                    node.set_param(name, np.asarray(node.get_param(name), dtype=dtype))
