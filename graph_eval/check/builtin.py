"""The builtin checker: a small NLI cross-encoder on onnxruntime, its weights in the package.

22 million parameters in 8 bit; see graph_eval/weights/nli/README.md for data, figures and limits.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.check.pairs import PairChecker, batches
from graph_eval.check.windows import WindowSelector
from graph_eval.errors import MissingPartError
from graph_eval.resources import folder
from graph_eval.types import Scores

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

LONGEST_CLAIM = 160  # tokens; the rest of the room is the premise's
BUDGET = 512  # tokens a batch: larger ones leave the cache


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling of P(not entailed): p = sigmoid(slope * logit(p) + intercept). The default changes nothing."""

    slope: float = 1.0
    intercept: float = 0.0

    @classmethod
    def read(cls, path: Path) -> Calibration:
        values = json.loads(path.read_text("utf-8"))
        return cls(float(values["slope"]), float(values["intercept"]))

    def apply(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores (n, 3) with entailment calibrated; neutral and contradiction share the rest as before."""
        rest = np.clip(1.0 - scores[:, 0], 1e-6, 1.0 - 1e-6)
        logit = self.slope * np.log(rest / (1.0 - rest)) + self.intercept
        calibrated = 1.0 / (1.0 + np.exp(-logit))
        others = np.clip(scores[:, 1:], 1e-12, None)
        others /= others.sum(axis=1, keepdims=True)
        result: NDArray[np.float64] = np.concatenate([1.0 - calibrated[:, None], others * calibrated[:, None]], axis=1)
        return result


class OnnxScorer:
    """An exported cross-encoder. Input: token ids, mask and types; output: logits (n, 3).

    `threads` 0 means one a core. The session is built at the first pair.
    """

    max_tokens = 320

    def __init__(self, weights: Path, threads: int = 0, calibration: Calibration | None = None) -> None:
        self._weights = weights
        self._threads = threads
        self._calibration = calibration or Calibration()
        self._lock = threading.Lock()
        self._loaded: tuple[InferenceSession, Tokenizer] | None = None

    @cached_property
    def fingerprint(self) -> str:
        digest = hashlib.blake2b(digest_size=8)
        for name in ("model.onnx", "tokenizer.json"):
            digest.update((self._weights / name).read_bytes())
        return f"onnx-1:{digest.hexdigest()}:{self.max_tokens}:{self._calibration}"

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.floating[Any]]:
        encoded = self.encode(pairs)
        logits = np.zeros((len(pairs), 3), dtype=np.float64)
        for batch in batches([len(ids) for ids, _ in encoded], BUDGET):
            logits[batch] = self.session.run(None, padded([encoded[place] for place in batch]))[0]
        return self._calibration.apply(softmax(logits))

    @property
    def session(self) -> InferenceSession:
        return self._load()[0]

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[int], list[int]]]:
        """Token ids and types of every pair, cut to `max_tokens`."""
        _, tokenizer = self._load()
        return [self._cut(item) for item in tokenizer.encode_batch(list(pairs))]

    def _cut(self, item: Any) -> tuple[list[int], list[int]]:
        """Ids and types, the premise cut at its end to fit; a claim only where it alone is too long."""
        ids, types = item.ids, item.type_ids
        if len(ids) <= self.max_tokens:
            return ids, types
        border = types.index(1)  # the premise and its [SEP] lie before, the claim and its [SEP] behind
        premise, claim = ids[: border - 1], ids[border:-1]
        separator = ids[-1]
        claim = claim[: max(LONGEST_CLAIM, self.max_tokens - len(premise) - 2)]
        premise = premise[: self.max_tokens - len(claim) - 2]
        return (
            [*premise, separator, *claim, separator],
            [0] * (len(premise) + 1) + [1] * (len(claim) + 1),
        )

    def _load(self) -> tuple[InferenceSession, Tokenizer]:
        with self._lock:
            if self._loaded is None:
                try:
                    import onnxruntime
                    from tokenizers import Tokenizer
                except ImportError as problem:
                    raise MissingPartError(
                        f"{problem.name} is not installed", "pip install onnxruntime tokenizers"
                    ) from problem
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = self._threads
                options.inter_op_num_threads = 1
                session = onnxruntime.InferenceSession(
                    str(self._weights / "model.onnx"), options, providers=["CPUExecutionProvider"]
                )
                tokenizer = Tokenizer.from_file(str(self._weights / "tokenizer.json"))
                tokenizer.no_truncation()
                tokenizer.no_padding()
                self._loaded = session, tokenizer
        return self._loaded


def padded(items: Sequence[tuple[list[int], list[int]]]) -> dict[str, NDArray[np.int64]]:
    """Token ids and types of equal length, with the mask that hides the padding."""
    shape = (len(items), max(len(ids) for ids, _ in items))
    feed = {name: np.zeros(shape, dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, (ids, types) in enumerate(items):
        feed["input_ids"][row, : len(ids)] = ids
        feed["attention_mask"][row, : len(ids)] = 1
        feed["token_type_ids"][row, : len(types)] = types
    return feed


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    result: NDArray[np.float64] = exponentials / exponentials.sum(axis=1, keepdims=True)
    return result


class BuiltinChecker(PairChecker):
    """The default. Its settings were chosen on development sets (FactCC, PolyTope, WiCE dev)."""

    def __init__(
        self, threads: int = 0, threshold: float | None = None, calibration: Calibration | None = None
    ) -> None:
        weights = folder("weights/nli")
        calibration = calibration or Calibration.read(weights / "calibration.json")
        super().__init__(
            scorer=OnnxScorer(weights, threads, calibration),
            threshold=0.5 if threshold is None else threshold,
            selector=WindowSelector(sizes=(1, 3), passages=3),
            with_sentence=True,
            copied=Scores(0.97, 0.02, 0.01),
            sufficient=0.6,
        )
