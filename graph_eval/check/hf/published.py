"""Checkers that were published for this task, each with its own input form, limit and reading of the output.

A claim is read against a whole passage, as published, where both fit into the model's limit; a longer passage is read
in parts of whole sentences, and the part that supports the claim best decides. Several passages: one that supports it
is enough.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from graph_eval.check.hf.engine import Array, Encoded, Engine
from graph_eval.check.hf.loading import Source, load_tokenizer, pretrained
from graph_eval.check.merge import judge
from graph_eval.check.seam import failed
from graph_eval.check.windows import Window
from graph_eval.chunks import isolated
from graph_eval.settings import Settings
from graph_eval.text.sentences import runs
from graph_eval.types import CheckTask, Claim, ItemError, Judgement, Passage, Scores, Span

RULES = "published-1"
Pair = tuple[str, str]
PROBE = ("A Premise, 12 words.", "a claim of it")


class PublishedChecker(ABC):
    """`repository` and `revision`: where the weights lie; a folder can take their place. `limit`: tokens that the model
    reads. `threshold`: on 1 - P(consistent)."""

    repository: ClassVar[str]
    revision: ClassVar[str] = "main"
    limit: int = 512
    threshold: float = 0.5

    def __init__(self, model: str | None = None, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        self.source = Source(model or self.repository, None if model else self.revision)
        self.tokenizer = self.load_tokenizer()
        pad = self.tokenizer.pad_token_id
        self.engine = Engine(
            self.load,
            0 if pad is None else pad,
            settings.device,
            settings.dtype,
            settings.batch_tokens,
            settings.threads,
        )

    @classmethod
    def of(cls, argument: str, settings: Settings) -> PublishedChecker:
        return cls(argument or None, settings)

    @property
    def fingerprint(self) -> str:
        return f"{type(self).__name__}:{RULES}:{self.source.fingerprint}:{self.engine.dtype}"

    # ---- what a model says of itself ----

    def load_tokenizer(self) -> Any:
        return load_tokenizer(self.source)

    @abstractmethod
    def load(self, device: Any, dtype: Any) -> Any:
        """The torch module."""

    @abstractmethod
    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        """(premise, hypothesis) pairs in the published input form, not cut."""

    @abstractmethod
    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        """Tensors of a batch -> (n, columns)."""

    @abstractmethod
    def scores(self, row: Array) -> Scores:
        """The published reading of one row of `forward`."""

    # ---- judging ----

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        return isolated(tasks, self._check, failed)

    def _check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement] | ItemError]:
        asked = [
            (passage, claim)
            for task in tasks
            for claim in task.claims
            for passage in task.passages
            if passage.text.strip()
        ]
        windows = iter(self.windows(asked))
        planned = [
            [
                (claim, [w for passage in task.passages if passage.text.strip() for w in next(windows)])
                for claim in task.claims
            ]
            for task in tasks
        ]
        pairs = dict.fromkeys((w.text, claim.text) for plans in planned for claim, found in plans for w in found)
        read = dict(zip(pairs, self.read(list(pairs)), strict=True))
        return [[self._judge(claim, found, read) for claim, found in plans] for plans in planned]

    def _judge(self, claim: Claim, windows: Sequence[Window], read: dict[Pair, Scores | Exception]) -> Judgement:
        scored: list[tuple[Window, Scores]] = []
        for window in windows:
            found = read[window.text, claim.text]
            if isinstance(found, Exception):
                return Judgement.failed(claim.id, failed(found))
            scored.append((window, found))
        return judge(claim.id, scored, self.threshold)

    def read(self, pairs: Sequence[Pair]) -> list[Scores | Exception]:
        """Scores of (premise, hypothesis) pairs; an error where one could not be read."""
        rows = self.engine.run(list(map(self._cut, self.encode(pairs))), self.forward)
        return [row if isinstance(row, Exception) else self.scores(row) for row in rows]

    def score(self, pairs: Sequence[Pair]) -> Array:
        """(n, 3). Raises what a pair failed with."""
        found = []
        for item in self.read(pairs):
            if isinstance(item, Exception):
                raise item
            found.append(item)
        return np.array(found).reshape(-1, 3)

    def _cut(self, item: Encoded) -> Encoded:
        """A claim that alone is too long loses its end."""
        if len(item.ids) <= self.limit:
            return item
        return Encoded(item.ids[: self.limit], None if item.types is None else item.types[: self.limit])

    def windows(self, asked: Sequence[tuple[Passage, Claim]]) -> list[list[Window]]:
        """The whole passage, or runs of sentences of it that fit with the claim."""
        whole = self.encode([(passage.text, claim.text) for passage, claim in asked])
        return [
            [Window(passage.id, Span(0, len(passage.text)), passage.text)]
            if len(item.ids) <= self.limit
            else self._parts(passage, claim)
            for (passage, claim), item in zip(asked, whole, strict=True)
        ]

    def _parts(self, passage: Passage, claim: Claim) -> list[Window]:
        text = passage.text
        room = max(1, self.limit - len(self.encode([("", claim.text)])[0].ids))
        parts = list(runs(text, room, lambda part: _tokens(self.tokenizer, part) + 1)) or [Span(0, len(text))]
        return [Window(passage.id, span, span.of(text)) for span in parts]


class PairClassifier(PublishedChecker):
    """A cross-encoder over the tokenizer's pair of premise and hypothesis."""

    def __init__(self, model: str | None = None, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        self._joins = False
        if self.tokenizer.is_fast:
            self.tokenizer.backend_tokenizer.no_truncation()
            self.tokenizer.backend_tokenizer.no_padding()
            self._joins = self._joined([PROBE]) == self._together([PROBE])

    def load(self, device: Any, dtype: Any) -> Any:
        from transformers import AutoModelForSequenceClassification

        model = pretrained(AutoModelForSequenceClassification.from_pretrained, self.source, dtype=dtype)
        return model.to(device)

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        return self._joined(pairs) if self._joins else self._together(pairs)

    def _together(self, pairs: Sequence[Pair]) -> list[Encoded]:
        if not pairs:
            return []
        found = self.tokenizer([premise for premise, _ in pairs], [claim for _, claim in pairs], verbose=False)
        types = found.get("token_type_ids") or [None] * len(pairs)
        return [Encoded(ids, kinds) for ids, kinds in zip(found["input_ids"], types, strict=True)]

    def _joined(self, pairs: Sequence[Pair]) -> list[Encoded]:
        """The same, each text taken apart once."""
        backend = self.tokenizer.backend_tokenizer
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        known = dict(zip(texts, backend.encode_batch(texts, add_special_tokens=False), strict=True))
        typed = "token_type_ids" in self.tokenizer.model_input_names
        found = [backend.post_process(known[premise], known[claim]) for premise, claim in pairs]
        return [Encoded(item.ids, item.type_ids if typed else None) for item in found]

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        return model(**tensors).logits


@lru_cache(maxsize=50_000)
def _tokens(tokenizer: Any, text: str) -> int:
    return len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def prompted(tokenizer: Any, texts: Sequence[str]) -> list[Encoded]:
    """Each text as one input."""
    return [Encoded(ids) for ids in tokenizer(list(texts), verbose=False)["input_ids"]] if texts else []


def binary(consistent: float) -> Scores:
    """A model that knows two labels: what is not consistent is neutral."""
    return Scores(consistent, 1.0 - consistent, 0.0)
