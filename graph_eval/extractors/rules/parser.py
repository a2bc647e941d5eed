"""The offline parser: a small spaCy pipeline (tagger and dependency parser) whose weights ship in the package.

Weights are stored as float16 (half the size, no accuracy lost) and read back as float32. Nothing in the folder
is a pickle: spaCy writes msgpack and JSON.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graph_eval.errors import MissingPartError
from graph_eval.resources import folder

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BATCH = 128  # sentences


class Parser:
    """Loads its weights at the first sentence."""

    def __init__(self, weights: Path) -> None:
        self._weights = weights
        self._nlp: Language | None = None
        self._lock = threading.Lock()

    @classmethod
    def builtin(cls) -> Parser:
        return _builtin()

    @property
    def fingerprint(self) -> str:
        """A hash of the weights."""
        digest = hashlib.blake2b(digest_size=8)
        for file in sorted(self._weights.rglob("model")):
            digest.update(file.read_bytes())
        return digest.hexdigest()

    def parse(self, sentences: Sequence[str]) -> Iterator[Doc]:
        """One parsed document a sentence, in order. The sentence is taken as one, however it is punctuated."""
        with self._lock:
            if self._nlp is None:
                self._nlp = load_pipeline(self._weights)
        return self._nlp.pipe(sentences, batch_size=BATCH)


@cache
def _builtin() -> Parser:
    return Parser(folder("weights/parser"))


def pack(nlp: Language, target: Path) -> None:
    """Writes the pipeline to `target` with float16 weights. The pipeline itself is spent afterwards."""
    _cast(nlp, np.float16)
    nlp.to_disk(target)
    without_training(target)


def without_training(target: Path) -> None:
    """Leaves in config.cfg what loading needs; how it was trained, and on which paths, stands in training/parser."""
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
