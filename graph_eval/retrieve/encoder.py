"""Encoders: vectors of passages and of queries, for dense retrieval.

The offline encoder adds up the word embeddings of the package's own weights, by how rare a word piece is in the corpus
(Arora, Liang and Ma, ICLR 2017), in directions of equal variance (whitening, arXiv 2103.15316). It runs no layer of a
network. `SentenceEncoder` is a model of the package sentence_transformers, `ObjectEncoder` an object with `embed`.
"""

from __future__ import annotations

import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graph_eval.errors import MissingPartError, UsageError
from graph_eval.foreign import ForeignPart
from graph_eval.onnx_model import OnnxModel
from graph_eval.progress import report
from graph_eval.resources import folder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Floats = NDArray[np.float32]
AT_ONCE = 256  # passages that are encoded together


class Encoded(NamedTuple):
    """`vectors`: (passages, dimensions), of any length. `learnt`: what the encoder has to know of the corpus to encode
    a query, in any shape."""

    vectors: Floats
    learnt: Floats


class Encoder(ABC):
    """Encodes the passages of a corpus and then queries. Safe to use from several threads."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A text that changes whenever the same text could get another vector."""

    @abstractmethod
    def passages(self, texts: Sequence[str]) -> Encoded:
        """Raises ValueError if the vectors are no array (texts, dimensions) of finite numbers."""

    @abstractmethod
    def queries(self, texts: Sequence[str], learnt: Floats) -> Floats:
        """Array (texts, dimensions); the vector 0 of a text without a known word. `learnt`: of the passages.

        Raises ValueError as `passages` does.
        """


# ---- the offline encoder ----

WEIGHTS = "weights/nli"
EMBEDDINGS = "/enc/embeddings/word_embeddings/Gather_output_0"  # of the word pieces, before positions and layers
PIECES = 30_522  # of BERT's uncased vocabulary
FIRST_WORD = "the"  # before it stand single characters; from it on, pieces by falling frequency
PRIOR = 100  # passages that the expected frequencies count as
EVEN = 0.1  # added to each variance, as a share of their mean: small directions are mostly noise


class WordEncoder(Encoder):
    """The offline encoder: of the checker's weights, which of the three shipped models find best."""

    def __init__(self) -> None:
        self._model = folder(WEIGHTS) / "model.onnx"
        self._tokenizer = folder(WEIGHTS) / "tokenizer.json"
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, Floats, NDArray[np.float64]] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()

    @cached_property
    def fingerprint(self) -> str:
        return f"words-1:{OnnxModel(self._model, self._tokenizer).digest}"

    def passages(self, texts: Sequence[str]) -> Encoded:
        tokenizer, _, expected = self._load()
        rows: list[NDArray[np.int32]] = []
        counts = np.zeros(len(expected))
        for start in range(0, len(texts), AT_ONCE):
            for ids in pieces(texts[start : start + AT_ONCE], tokenizer):
                counts[np.unique(ids)] += 1
                rows.append(ids)
            report("passages", len(rows), len(texts))
        weights = rarity(counts, len(texts), expected)
        return Encoded(self._sums(rows, weights), weights)

    def queries(self, texts: Sequence[str], learnt: Floats) -> Floats:
        return self._sums(pieces(texts, self._load()[0]), learnt)

    def _sums(self, rows: Sequence[NDArray[np.int32]], weights: Floats) -> Floats:
        """Each text by itself, so that its vector does not depend on others."""
        _, table, _ = self._load()
        vectors: Floats = np.zeros((len(rows), table.shape[1]), dtype=np.float32)
        for vector, ids in zip(vectors, rows, strict=True):
            if len(ids):
                vector[:] = weights[ids] @ table[ids]
        return vectors

    def _load(self) -> tuple[Tokenizer, Floats, NDArray[np.float64]]:
        """The tokenizer, the vectors of the word pieces, and the share of passages that are expected to have each.

        That share is 1 for a piece that is no word, such as a full stop: it then weighs nothing.
        """
        with self._lock:
            if self._loaded is None:
                try:
                    from tokenizers import Tokenizer

                    vectors = embeddings(self._model, EMBEDDINGS, PIECES)
                except ImportError as problem:
                    hint = "pip install onnxruntime tokenizers"
                    raise MissingPartError(f"{problem.name} is not installed", hint) from problem
                tokenizer = Tokenizer.from_file(str(self._tokenizer))
                tokenizer.no_truncation()
                tokenizer.no_padding()
                rank, is_word = ranks(tokenizer)
                frequency = np.where(is_word & (rank > 0), 1 / np.maximum(rank, 1), 0.0)  # Zipf's law
                expected = np.where(is_word, -np.expm1(-100 / (10 * np.maximum(rank, 1))), 1.0)  # in 100 words
                self._loaded = tokenizer, whitened(vectors, frequency / frequency.sum()), expected
        return self._loaded


def pieces(texts: Sequence[str], tokenizer: Tokenizer) -> list[NDArray[np.int32]]:
    """The ids of the word pieces of each text."""
    encoded = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
    return [np.array(item.ids, dtype=np.int32) for item in encoded]


def ranks(tokenizer: Tokenizer) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The rank of each word piece by frequency, from 1, at most 0 for single characters. And whether it is a word."""
    vocabulary = tokenizer.get_vocab()
    is_word = np.zeros(len(vocabulary), dtype=bool)
    for piece, place in vocabulary.items():
        is_word[place] = not piece.startswith("[") and any(map(str.isalnum, piece))
    return np.arange(len(vocabulary)) - vocabulary[FIRST_WORD] + 1, is_word


def rarity(counts: NDArray[np.float64], passages: int, expected: NDArray[np.float64]) -> Floats:
    """-log of the share of passages that have each word piece; among few passages mostly of the expected share.

    The half is for pieces that no passage has: in a query they would otherwise weigh more than all others.
    """
    share = (counts + PRIOR * expected + 0.5) / (passages + PRIOR + 1)
    return np.where(expected < 1, -np.log(share), 0.0).astype(np.float32)


def whitened(vectors: Floats, frequency: NDArray[np.float64]) -> Floats:
    """The vectors of the word pieces, so that those of a text have mean 0 and nearly the same variance everywhere.

    The map is the symmetric one of all that do this: it is the same on every machine, eigenvectors are not.
    """
    share = frequency.astype(np.float32)
    centred = vectors - share @ vectors
    values, axes = np.linalg.eigh(((centred * share[:, None]).T @ centred).astype(np.float64))
    scales = (np.maximum(values, 0) + EVEN * values.mean()) ** -0.5
    found: Floats = centred @ ((axes * scales) @ axes.T).astype(np.float32)
    return found


def embeddings(model: Path, tensor: str, count: int) -> Floats:
    """The embeddings of so many word pieces, (pieces, dimensions), out of the file of a model that reads input_ids.

    Raises ValueError if the model has no such tensor.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # it warns of each weight of the layers that are cut off
    session = onnxruntime.InferenceSession(cut(model.read_bytes(), tensor), options, providers=["CPUExecutionProvider"])
    some = np.zeros((1, 1), dtype=np.int64)
    others = {item.name: some for item in session.get_inputs() if item.name != "input_ids"}
    found: Floats = session.run(None, {"input_ids": np.arange(count)[None], **others})[0][0]
    return found


GRAPH = 7  # the numbers of the fields in onnx.proto: of ModelProto,
NODE, OUTPUT = 1, 12  # of GraphProto,
NODE_OUTPUT = 2  # of NodeProto
FLOAT = b"\x12\x04\x0a\x02\x08\x01"  # ValueInfoProto.type = {tensor_type {elem_type: FLOAT}}


def cut(model: bytes, tensor: str) -> bytes:
    """The ONNX model that computes one inner float tensor of this one, and nothing that comes later.

    An ONNX file is a protobuf message, so a sequence of fields; nodes stand in the order in which they are computed.
    This keeps the nodes up to the one that makes the tensor, makes the tensor the only output, and copies the other
    fields: without the package onnx, and onnxruntime would otherwise run all layers. Raises ValueError if the graph has
    no such tensor.
    """
    parts: list[bytes | memoryview] = []
    for number, field, value in fields(memoryview(model)):
        if number == GRAPH:
            kept = list(_up_to(value, tensor.encode()))
            name = tensor.encode()
            info = b"\x0a" + _varint(len(name)) + name + FLOAT
            kept.append(b"\x62" + _varint(len(info)) + info)  # field OUTPUT
            parts += [b"\x3a", _varint(sum(map(len, kept))), *kept]  # field GRAPH
        else:
            parts.append(field)
    return b"".join(parts)


def _up_to(graph: memoryview, tensor: bytes) -> Iterator[bytes | memoryview]:
    found = False
    for number, field, value in fields(graph):
        if number == OUTPUT or (number == NODE and found):
            continue
        if number == NODE:
            found = any(inner == NODE_OUTPUT and name == tensor for inner, _, name in fields(value))
        yield field
    if not found:
        raise ValueError(f"the model has no tensor {tensor.decode()!r}")


def fields(message: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """The fields of a protobuf message: number, all bytes of the field, and those of its value.

    Raises ValueError for a kind of field that no message of ONNX has at these levels.
    """
    start = 0
    while start < len(message):
        key, place = _read_varint(message, start)
        if key & 7 == 0:  # a number
            end = _read_varint(message, place)[1]
        elif key & 7 == 2:  # bytes, with their length before them
            length, place = _read_varint(message, place)
            end = place + length
        elif key & 7 == 5:  # four bytes
            end = place + 4
        else:
            raise ValueError(f"byte {start}: a field of kind {key & 7}")
        yield key >> 3, message[start:end], message[place:end]
        start = end


def _read_varint(message: memoryview, place: int) -> tuple[int, int]:
    """The number in steps of seven bits, the lowest first, and the place after it."""
    number = shift = 0
    while True:
        byte = message[place]
        place += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, place


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


# ---- models of sentence_transformers, and objects ----


class SentenceEncoder(Encoder):
    """A model of sentence_transformers: its folder, or its name on the hub, "NAME" or "NAME@REVISION".

    The prompts of the model for queries and passages are used. Raises MissingPartError without the package, and at the
    first use for a model that cannot be loaded.
    """

    def __init__(self, model: str) -> None:
        if find_spec("sentence_transformers") is None:
            raise MissingPartError("sentence-transformers is not installed", "pip install 'graph_eval[dense]'")
        self.model = model
        self._lock = threading.Lock()
        self._loaded: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model,)

    @cached_property
    def fingerprint(self) -> str:
        place = Path(self.model)
        return f"sentences-1:{_digest(place) if place.is_dir() else self.model}"

    def passages(self, texts: Sequence[str]) -> Encoded:
        encode = self._function("encode_document")
        found = []
        for start in range(0, len(texts), AT_ONCE):
            found.append(_called(encode, texts[start : start + AT_ONCE]))
            report("passages", min(start + AT_ONCE, len(texts)), len(texts))
        return Encoded(np.concatenate(found), np.zeros(0, dtype=np.float32))

    def queries(self, texts: Sequence[str], learnt: Floats) -> Floats:  # noqa: ARG002
        """One by one: padding beside longer texts would change the last digits."""
        encode = self._function("encode_query")
        return np.concatenate([_called(encode, [text]) for text in texts])

    def _function(self, name: str) -> Callable[[Sequence[str]], Any]:
        model = self._load()
        function = getattr(model, name, model.encode)  # version 5 has a function for each

        def encode(texts: Sequence[str]) -> Any:
            with self._lock:
                return function(list(texts), show_progress_bar=False, convert_to_numpy=True)

        return encode

    def _load(self) -> Any:
        with self._lock:
            if self._loaded is None:
                from sentence_transformers import SentenceTransformer

                local = Path(self.model).is_dir()
                name, at, revision = (self.model, "", "") if local else self.model.partition("@")
                try:
                    self._loaded = SentenceTransformer(name, revision=revision if at else None)
                except (OSError, ValueError) as problem:
                    reason = str(problem).strip().splitlines()[0]
                    hint = f"download it on a machine with network access (hf download {name}), or pass its folder"
                    raise MissingPartError(f"loading {name} failed: {reason}", hint) from None
        return self._loaded


class ObjectEncoder(ForeignPart, Encoder):
    """An object with `embed(texts)`, which returns an array (texts, dimensions).

    Its `fingerprint` names the vectors that it makes. Without one that is the same in every process, an index is made
    again in every process.
    """

    def passages(self, texts: Sequence[str]) -> Encoded:
        found = []
        for start in range(0, len(texts), AT_ONCE):
            found.append(self.queries(texts[start : start + AT_ONCE]))
            report("passages", min(start + AT_ONCE, len(texts)), len(texts))
        return Encoded(np.concatenate(found), np.zeros(0, dtype=np.float32))

    def queries(self, texts: Sequence[str], learnt: Floats | None = None) -> Floats:  # noqa: ARG002
        return _called(lambda some: self._call(self.part.embed, list(some)), texts)


def as_encoder(part: Any) -> Encoder:
    """None: the offline encoder. A text: a model of sentence_transformers. Raises UsageError for an unusable object."""
    if part is None:
        return WordEncoder()
    if isinstance(part, Encoder):
        return part
    if isinstance(part, str | Path):
        return SentenceEncoder(str(part))
    if callable(getattr(part, "embed", None)):
        return ObjectEncoder(part)
    raise UsageError(f"{part!r} is not an encoder", "pass the name of a model, or an object with embed(texts)")


def _called(encode: Callable[[Sequence[str]], Any], texts: Sequence[str]) -> Floats:
    """Raises ValueError if the result is no array (texts, dimensions) of finite numbers."""
    vectors: Floats = np.asarray(encode(texts), dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
        raise ValueError(f"the encoder gave an array {vectors.shape} for {len(texts)} texts")
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        text = texts[int(np.argmin(finite))]
        raise ValueError(f"the encoder gave NaN or infinity for {text[:60]!r}")
    return vectors


def _digest(place: Path) -> str:
    """Of the names and contents of the files in a folder."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(place.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(place).as_posix()}\0{path.stat().st_size}\0".encode())
            with path.open("rb") as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()
