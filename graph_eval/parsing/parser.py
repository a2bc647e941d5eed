"""The offline parser: a biaffine dependency parser on onnxruntime, whose weights ship in the package.

Tokens are those of spaCy's English tokenizer, and a parse is a spaCy `Doc`: `token.tag_` is "UPOS|XPOS", `token.dep_`
and `token.head` are the dependency of Universal Dependencies ("ROOT" for the root). A parse depends on nothing but its
sentence: sentences are read together only with those of the same padded length, so that every product has the same
shape in any company.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.onnx_model import OnnxModel
from graph_eval.parsing.pieces import Pieces, pieces
from graph_eval.parsing.tokens import tokenizer, without_stop
from graph_eval.parsing.trees import tree_of
from graph_eval.progress import report
from graph_eval.resources import folder

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer
    from spacy.tokens import Doc

BUILTIN = "weights/parser"
WORD_PIECES = "weights/nli"  # its tokenizer.json: every encoder of the package reads the same word pieces
STEP = 8  # lengths are padded to a multiple of it
BUDGET = 768  # pieces in a batch
LONGEST = 512  # pieces: the encoder's positions. A longer sentence is read in parts
CERTAINTY = "certainty"  # key of `Doc.user_data`


class Parser:
    """A parser whose weights are loaded at the first call of `parse`. Threads may share one.

    A pickled parser holds the folder of its weights and loads them again where it is unpickled.
    """

    def __init__(self, weights: Path, threads: int = 0) -> None:
        self._weights, self._threads = weights, threads
        self._model = OnnxModel(weights / "model.onnx", folder(WORD_PIECES) / "tokenizer.json", threads)
        self._lock = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._labels: tuple[list[str], list[str]] | None = None

    def __reduce__(self) -> tuple[Callable[..., Parser], tuple[Any, ...]]:
        if self._weights == folder(BUILTIN):
            return Parser.builtin, (self._threads,)
        return Parser, (self._weights, self._threads)

    @classmethod
    def builtin(cls, threads: int = 0) -> Parser:
        """The parser that ships in the package: one for each process and number of threads."""
        return _builtin(threads)

    @property
    def fingerprint(self) -> str:
        """A hash of the weights: 16 hexadecimal digits."""
        return self._model.digest

    def parse(self, sentences: Sequence[str]) -> list[Doc]:
        """One parsed document for each sentence, in order. A sentence is never split, whatever its punctuation.

        `doc.user_data[CERTAINTY]`: for each word the probability in [0, 1] of its head and relation.
        Raises MissingPartError if spaCy, onnxruntime or tokenizers is not installed.
        """
        return self.read(self.tokens(sentences))

    def tokens(self, sentences: Sequence[str]) -> list[Doc]:
        """The sentences as documents without a parse."""
        with self._lock:  # spaCy's tokenizer keeps a cache that threads must not change together
            if self._tokenizer is None:
                self._tokenizer = tokenizer()
            return [without_stop(self._tokenizer(sentence)) for sentence in sentences]

    def read(self, docs: Sequence[Doc]) -> list[Doc]:
        """Documents with the same words, parsed."""
        word_pieces = self._model.load().tokenizer
        relations, tags = self._names()
        whole = pieces([[token.text for token in doc] for doc in docs], word_pieces)
        parts = [(place, start, end) for place, found in enumerate(whole) for start, end in _parts(found)]
        inputs = [whole[place].part(start, end) for place, start, end in parts]
        batches = list(_batches(inputs))
        outputs = self._model.run(_feed([inputs[index] for index in batch]) for batch in batches)
        found: dict[int, _Words] = {}
        for batch, output in zip(batches, outputs, strict=True):
            for row, index in enumerate(batch):
                found[index] = _Words(len(inputs[index].starts) - 1, *(part[row] for part in output))
            report("sentences parsed", len(found), len(inputs))
        parsed = [_Parse() for _ in docs]
        for index, (place, _, _) in enumerate(parts):
            parsed[place].add(found[index], relations, tags)
        return [parse.doc(doc) for parse, doc in zip(parsed, docs, strict=True)]

    def _names(self) -> tuple[list[str], list[str]]:
        """The relations and the tags by the place of their score."""
        if self._labels is None:
            saved = json.loads((self._weights / "labels.json").read_text("utf8"))
            self._labels = saved["relations"], saved["tags"]
        return self._labels


class _Words:
    """The scores of a sentence's words: what `training/parser/biaffine.py` describes, without the padding."""

    def __init__(
        self,
        count: int,
        arcs: NDArray[np.float32],
        relations: NDArray[np.float32],
        heads: NDArray[np.float32],
        tags: NDArray[np.float32],
    ) -> None:
        scores = arcs[1 : count + 1, : count + 1].astype(np.float64)
        scores[np.arange(count), np.arange(1, count + 1)] = -np.inf  # no word depends on itself
        scores -= scores.max(axis=1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
        self.heads = tree_of(scores)
        rows = relations[1 : count + 1].reshape(count, -1, heads.shape[-1])
        labels = np.einsum("wls,ws->wl", rows, heads[self.heads], optimize=False).astype(np.float64)
        self.relations = labels.argmax(axis=1)
        labels -= labels.max(axis=1, keepdims=True)
        self.certainty = np.exp(scores[np.arange(count), self.heads]) / np.exp(labels).sum(axis=1)
        self.tags = tags[1 : count + 1].argmax(axis=1)


class _Parse:
    """The words of one document, which may have been read in parts. Later parts depend on the root of the first."""

    def __init__(self) -> None:
        self.heads: list[int] = []
        self.relations: list[str] = []
        self.tags: list[str] = []
        self.certainty: list[float] = []
        self.root: int | None = None

    def add(self, words: _Words, relations: Sequence[str], tags: Sequence[str]) -> None:
        first = len(self.heads)
        for place, (head, relation) in enumerate(zip(words.heads, words.relations, strict=True)):
            if head:
                self.heads.append(first + int(head) - 1)
                self.relations.append(relations[relation])
                continue
            self.relations.append("ROOT" if self.root is None else "parataxis")
            self.root = first + place if self.root is None else self.root
            self.heads.append(self.root)
        self.tags += [tags[tag] for tag in words.tags]
        self.certainty += [round(float(value), 3) for value in words.certainty]

    def doc(self, plain: Doc) -> Doc:
        from spacy.tokens import Doc

        parsed = Doc(
            plain.vocab,
            words=[token.text for token in plain],
            spaces=[bool(token.whitespace_) for token in plain],
            tags=self.tags,
            heads=self.heads,
            deps=self.relations,
        )
        parsed.user_data[CERTAINTY] = self.certainty
        return parsed


def _parts(whole: Pieces) -> Iterator[tuple[int, int]]:
    """The words of a sentence in parts that the encoder can read: one, if it is not very long."""
    first, count = 0, len(whole.starts) - 1
    if count == 0:
        return
    for word in range(count):
        if whole.starts[word + 1] - whole.starts[first] > LONGEST - 2:
            yield first, word
            first = word
    yield first, count


def _batches(inputs: Sequence[Pieces]) -> Iterator[list[int]]:
    """Places of inputs of equal padded length."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, item in enumerate(inputs):
        by_length[_padded(len(item.ids))].append(place)
    for length, places in sorted(by_length.items()):
        size = max(1, BUDGET // length)
        for start in range(0, len(places), size):
            yield places[start : start + size]


def _padded(length: int) -> int:
    return -(-length // STEP) * STEP


def _feed(inputs: Sequence[Pieces]) -> dict[str, NDArray[Any]]:
    """The inputs of the model: see `training/parser/biaffine.py`."""
    rows, length = len(inputs), _padded(len(inputs[0].ids))
    ids, cases = np.zeros((rows, length), np.int64), np.zeros((rows, length), np.int64)
    visible = np.zeros((rows, 1, 1, length), np.float32)
    shares = np.zeros((rows, length, length), np.float32)
    shares[:, 0, 0] = 1
    for row, item in enumerate(inputs):
        count = len(item.ids)
        ids[row, :count], cases[row, :count], visible[row, :, :, :count] = item.ids, item.cases, 1
        for word, (first, end) in enumerate(zip(item.starts, item.starts[1:], strict=False), 1):
            shares[row, word, first:end] = 1 / (end - first)
    positions = np.broadcast_to(np.arange(length), (rows, length)).astype(np.int64)
    return {"ids": ids, "cases": cases, "positions": positions, "visible": visible, "pieces": shares}


@cache
def _builtin(threads: int) -> Parser:
    return Parser(folder(BUILTIN), threads)
