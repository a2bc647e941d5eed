"""Encoders of transformers: vectors of texts (mean over tokens, as sentence-transformers) and of their tokens."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.hf.engine import Encoded, Engine
from graph_eval.checkers.hf.loading import Source, load_tokenizer, model_of, needs_hf
from graph_eval.consistency.embedding import Matrix
from graph_eval.settings import Settings

VERSION = "encoder-2"
MAX_TOKENS = 512


class Encoder:
    """`model`: a name on the hub, or a folder. `layer`: the layer whose states are the vectors, 0 for the input of the
    first one; None for the last. Safe to use from several threads. A pickled copy loads its model again."""

    def __init__(self, model: str, settings: Settings | None = None, layer: int | None = None) -> None:
        needs_hf()
        settings = settings or Settings()
        self.source = Source(model, None)
        self.layer = layer
        self.tokenizer = load_tokenizer(self.source)
        self.limit = min(MAX_TOKENS, self.tokenizer.model_max_length)
        torch = settings.torch
        pad = self.tokenizer.pad_token_id or 0
        self.engine = Engine(self._load, pad, torch.device, torch.dtype, torch.batch_tokens, settings.threads)
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        settings = Settings.of(
            device=self.engine.devices,
            dtype=self.engine.dtype,
            batch_tokens=self.engine.budget,
            threads=self.engine.threads,
        )
        return Encoder, (self.source.name, settings, self.layer)

    @property
    def engines(self) -> tuple[Engine, ...]:
        return (self.engine,)

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.source.fingerprint}:{self.layer}:{self.engine.dtype}"

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Array (texts, dimensions): the mean of all tokens' vectors, special tokens included."""

        def pooled(model: Any, tensors: dict[str, Any]) -> Any:
            states, mask = self._states(model, tensors), tensors["attention_mask"].unsqueeze(-1)
            return (states * mask).sum(1) / mask.sum(1)

        return np.array([*self._run([self._encode(text.strip()) for text in texts], pooled)])

    def embed_tokens(self, texts: Sequence[str]) -> list[tuple[Matrix, NDArray[np.bool_]]]:
        """See `embedding.TokenEmbedder`."""
        # The vocabulary of GPT-2 tells a first word from one behind a blank, and BERTScore reads the latter.
        blank = " " * type(self.tokenizer).__name__.startswith(("Roberta", "GPT2"))
        encoded = [self._encode(blank + text.strip()) for text in texts]
        special = {self.tokenizer.cls_token_id, self.tokenizer.sep_token_id}
        words = [np.array([token not in special for token in item.ids]) for item in encoded]
        rows = self._run(encoded, self._states)
        return [(row[: len(own)], own) for row, own in zip(rows, words, strict=True)]

    def _states(self, model: Any, tensors: dict[str, Any]) -> Any:
        """Array (texts, tokens, dimensions)."""
        if self.layer is None:
            return model(**tensors).last_hidden_state
        return model(**tensors, output_hidden_states=True).hidden_states[self.layer]

    def _run(self, encoded: Sequence[Encoded], forward: Callable[[Any, dict[str, Any]], Any]) -> list[Matrix]:
        rows = []
        for row in self.engine.run(encoded, forward) if encoded else ():
            if isinstance(row, Exception):
                raise row
            rows.append(row)
        return rows

    def _encode(self, text: str) -> Encoded:
        with self._lock:
            inputs = self.tokenizer(text, truncation=True, max_length=self.limit, verbose=False)
        return Encoded(inputs["input_ids"], inputs.get("token_type_ids"))

    def _load(self, device: Any, dtype: Any) -> Any:
        from transformers import AutoModel

        model = model_of(AutoModel, self.source, dtype, unused="pooler")
        if self.layer is not None:
            _cut(model, self.layer + 1)
        return model.to(device)


def _cut(model: Any, count: int) -> None:
    """Keeps the first `count` layers of an encoder; the states below the last of them stay the same.

    One more than is read is kept, because some architectures normalise the states of the last layer.
    """
    from torch.nn import ModuleList

    total = getattr(model.config, "num_hidden_layers", 0)
    stacks = [module for module in model.modules() if isinstance(module, ModuleList) and len(module) == total]
    if len(stacks) == 1 and count < total:
        del stacks[0][count:]
        model.config.num_hidden_layers = count
