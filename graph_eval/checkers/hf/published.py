"""Checkers that were published for this task, each with its own input form, limit and reading of the output.

A claim is read against a whole passage, as published, where both fit into the model's limit; a longer passage is read
in parts of whole sentences, and the part that supports the claim best decides. Several passages: one that supports it
is enough. A model that was published with chunks of its own has them.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np

from graph_eval.checkers.builtin import softmax
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.hf.engine import Array, Encoded, Engine
from graph_eval.checkers.hf.loading import Source, load_tokenizer, model_of
from graph_eval.checkers.merge import judge
from graph_eval.checkers.windows import Window
from graph_eval.isolation import failure
from graph_eval.settings import Settings
from graph_eval.text.sentences import over, runs
from graph_eval.types import CheckTask, Claim, Judgement, Passage, Scores, Span

RULES = "published-2"
Pair = tuple[str, str]
PROBE = ("A Premise, 12 words.", "a claim of it")


class PublishedChecker(Checker):
    """`repository` and `revision`: where the weights lie; a folder can take their place. `limit`: tokens that the model
    reads. `threshold`: on 1 - P(consistent)."""

    repository: ClassVar[str]
    revision: ClassVar[str] = "main"
    limit: int = 512
    threshold = 0.5

    def __init__(self, model: str | None = None, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        self._lock = threading.Lock()  # of the tokenizer, which is changed as it cuts
        self.source = Source(model or self.repository, None if model else self.revision)
        self.tokenizer = self.load_tokenizer()
        pad = self.tokenizer.pad_token_id
        self.engine = Engine(
            self.load,
            0 if pad is None else pad,
            settings.torch.device,
            settings.torch.dtype,
            settings.torch.batch_tokens,
            settings.threads,
        )

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> Self:
        return cls(argument, settings)

    @property
    def engines(self) -> tuple[Engine, ...]:
        return (self.engine,)

    @property
    def fingerprint(self) -> str:
        return f"{type(self).__name__}:{RULES}:{self.source.fingerprint}:{self.engine.dtype}"

    # ---- what a model says of itself ----

    def load_tokenizer(self) -> Any:
        return load_tokenizer(self.source)

    def load(self, device: Any, dtype: Any) -> Any:
        """The torch module: a classifier of sequences, unless a model says otherwise."""
        from transformers import AutoModelForSequenceClassification

        return model_of(AutoModelForSequenceClassification, self.source, dtype).to(device)

    @abstractmethod
    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        """(premise, hypothesis) pairs in the published input form, however long."""

    @abstractmethod
    def cut(self, pair: Pair) -> Encoded:
        """A pair that is longer than the limit, as the published code cuts it."""

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        """Tensors of a batch -> (n, columns)."""
        return model(**tensors).logits

    @abstractmethod
    def scores(self, row: Array) -> Scores:
        """The published reading of one row of `forward`."""

    def premise(self, question: str | None, window: Window) -> str:  # noqa: ARG002
        """What the model is shown of a window."""
        return window.text

    # ---- judging ----

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        with self._lock:
            return self._check(tasks)

    def _check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        passages = [[passage for passage in task.passages if passage.text.strip()] for task in tasks]
        asked = [
            (passage, claim.text)
            for task, own in zip(tasks, passages, strict=True)
            for claim in task.claims
            for passage in own
        ]
        windows = iter(self.windows(asked))
        planned = [
            [
                (claim, [(self.premise(task.text.question, w), w) for _ in own for w in next(windows)])
                for claim in task.claims
            ]
            for task, own in zip(tasks, passages, strict=True)
        ]
        pairs = dict.fromkeys(
            (premise, part)
            for plans in planned
            for claim, found in plans
            for part in self.hypotheses(claim.text)
            for premise, _ in found
        )
        read = dict(zip(pairs, self.read(list(pairs)), strict=True))
        return [[self._judge(claim, found, read) for claim, found in plans] for plans in planned]

    def _judge(
        self, claim: Claim, windows: Sequence[tuple[str, Window]], read: dict[Pair, Scores | Exception]
    ) -> Judgement:
        parts = self.hypotheses(claim.text)
        found = [[read[premise, part] for part in parts] for premise, _ in windows]
        for item in (item for row in found for item in row):
            if isinstance(item, Exception):
                return Judgement.failed(claim.id, failure("check", item))
        table = np.array(found, dtype=float).reshape(len(windows), len(parts), 3)
        means = [Scores(*map(float, row)) for row in table.mean(axis=1)]
        scored = [(window, scores) for (_, window), scores in zip(windows, means, strict=True)]
        return judge(claim.id, scored, self.threshold, self.p_inconsistent(windows, table) if windows else None)

    def p_inconsistent(self, windows: Sequence[tuple[str, Window]], table: Array) -> float:
        """From the scores (windows, parts of the claim, 3): one passage that supports every part best is enough."""
        passages: dict[str, list[int]] = {}
        for row, (_, window) in enumerate(windows):
            passages.setdefault(window.passage_id, []).append(row)
        return 1.0 - max(float(table[rows, :, 0].max(axis=0).mean()) for rows in passages.values())

    def hypotheses(self, claim: str) -> list[str]:
        """The parts of a claim that are read one by one: the claim, unless it was published otherwise."""
        return [claim]

    def read(self, pairs: Sequence[Pair]) -> list[Scores | Exception]:
        """Scores of (premise, hypothesis) pairs; an error where one could not be read."""
        return [row if isinstance(row, Exception) else self.scores(row) for row in self.rows(pairs)]

    def rows(self, pairs: Sequence[Pair]) -> list[Array | Exception]:
        """What `forward` gives for each pair."""
        inputs = [
            item if len(item.ids) <= self.limit else self.cut(pair)
            for pair, item in zip(pairs, self.encode(pairs), strict=True)
        ]
        return self.engine.run(inputs, self.forward)

    def score(self, pairs: Sequence[Pair]) -> Array:
        """(n, 3). Raises what a pair failed with."""
        found = []
        for item in self.read(pairs):
            if isinstance(item, Exception):
                raise item
            found.append(item)
        return np.array(found).reshape(-1, 3)

    def windows(self, asked: Sequence[tuple[Passage, str]]) -> list[list[Window]]:
        """For passages and claims the whole passage, or runs of sentences of it that fit with the claim."""
        lengths = self.lengths([(passage.text, claim) for passage, claim in asked])
        return [
            [whole(passage)] if length <= self.limit else self._parts(passage, claim)
            for (passage, claim), length in zip(asked, lengths, strict=True)
        ]

    def lengths(self, pairs: Sequence[Pair]) -> list[int]:
        """Tokens of each pair in the published input form."""
        return [len(item.ids) for item in self.encode(pairs)]

    def _parts(self, passage: Passage, claim: str) -> list[Window]:
        room = max(1, self.limit - self.lengths([("", claim)])[0])
        parts = map(over, runs(passage.text, room, lambda part: self.tokens(part) + 1))
        return [Window(passage.id, span, span.of(passage.text)) for span in parts] or [whole(passage)]

    def tokens(self, text: str) -> int:
        return _tokens(self.tokenizer, text)


@dataclass(frozen=True, slots=True)
class Frame:
    """The special tokens around the two texts of a pair, and the type of each text with what follows it."""

    before: list[int]
    between: list[int]
    after: list[int]
    types: tuple[int, int] | None

    @classmethod
    def of(cls, tokenizer: Any) -> Frame | None:
        """None where the tokenizer does more than put tokens around its texts."""
        if not tokenizer.is_fast:
            return None
        tokenizer.backend_tokenizer.no_truncation()
        tokenizer.backend_tokenizer.no_padding()
        first, second = (item.ids for item in tokenizer.backend_tokenizer.encode_batch(PROBE, add_special_tokens=False))
        (pair,) = together(tokenizer, [PROBE])
        ids = list(pair.ids)
        special = tokenizer(*PROBE, return_special_tokens_mask=True)["special_tokens_mask"]
        start = special.index(0)
        end = start + len(first)
        again = next((place for place in range(end, len(ids)) if not special[place]), end)
        types = None if pair.types is None else (pair.types[start], pair.types[again])
        frame = cls(ids[:start], ids[end:again], ids[again + len(second) :], types)
        return frame if frame.around(first, second) == pair else None

    @property
    def size(self) -> int:
        return len(self.before) + len(self.between) + len(self.after)

    def around(self, first: list[int], second: list[int]) -> Encoded:
        ids = [*self.before, *first, *self.between, *second, *self.after]
        if self.types is None:
            return Encoded(ids)
        ahead = len(self.before) + len(first) + len(self.between)
        return Encoded(ids, [self.types[0]] * ahead + [self.types[1]] * (len(ids) - ahead))


class PairClassifier(PublishedChecker):
    """A cross-encoder over the tokenizer's pair of premise and hypothesis."""

    def __init__(self, model: str | None = None, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        self._frame = Frame.of(self.tokenizer)

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        if self._frame is None:
            return together(self.tokenizer, pairs)
        known = self._parts_of(pairs)
        return [self._frame.around(known[premise], known[claim]) for premise, claim in pairs]

    def lengths(self, pairs: Sequence[Pair]) -> list[int]:
        if self._frame is None:
            return super().lengths(pairs)
        known = self._parts_of(pairs)
        return [self._frame.size + len(known[premise]) + len(known[claim]) for premise, claim in pairs]

    def _parts_of(self, pairs: Sequence[Pair]) -> dict[str, list[int]]:
        """The tokens of each text, taken apart once."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        found = self.tokenizer.backend_tokenizer.encode_batch(texts, add_special_tokens=False)
        return {text: item.ids for text, item in zip(texts, found, strict=True)}

    def cut(self, pair: Pair) -> Encoded:
        """Its premise loses its end; only where the claim alone is too long, both do."""
        what = "only_first" if self.tokens(pair[1]) < self.limit // 2 else True
        found = self.tokenizer(*pair, truncation=what, max_length=self.limit, verbose=False)
        if self._frame is not None:
            self.tokenizer.backend_tokenizer.no_truncation()  # which the call above has set
        return Encoded(found["input_ids"], found.get("token_type_ids"))


class PromptedChecker(PublishedChecker):
    """A model that is shown premise and hypothesis in one text."""

    @abstractmethod
    def prompt(self, premise: str, hypothesis: str) -> str: ...

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        texts = [self.prompt(*pair) for pair in pairs]
        return [Encoded(ids) for ids in self.tokenizer(texts, verbose=False)["input_ids"]] if texts else []

    def cut(self, pair: Pair) -> Encoded:
        """It loses its end."""
        found = self.tokenizer(self.prompt(*pair), truncation=True, max_length=self.limit, verbose=False)
        return Encoded(found["input_ids"])


class PromptedClassifier(PromptedChecker):
    """A classifier of one text into unsupported and supported."""

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        return model(**tensors).logits[:, :2]

    def scores(self, row: Array) -> Scores:
        return binary(float(softmax(row)[1]))


def together(tokenizer: Any, pairs: Sequence[Pair]) -> list[Encoded]:
    """Pairs by the tokenizer's own call."""
    if not pairs:
        return []
    found = tokenizer([premise for premise, _ in pairs], [claim for _, claim in pairs], verbose=False)
    types = found.get("token_type_ids") or [None] * len(pairs)
    return [Encoded(ids, kinds) for ids, kinds in zip(found["input_ids"], types, strict=True)]


def whole(passage: Passage) -> Window:
    return Window(passage.id, Span(0, len(passage.text)), passage.text)


def chunks_of(passage: Passage, groups: Iterable[Sequence[Span]]) -> list[Window]:
    """Groups of sentences, put together by blanks; of a passage without a sentence the whole."""
    text = passage.text
    found = [Window(passage.id, over(group), " ".join(span.of(text) for span in group)) for group in groups]
    return found or [whole(passage)]


@lru_cache(maxsize=50_000)
def _tokens(tokenizer: Any, text: str) -> int:
    return len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def binary(consistent: float) -> Scores:
    """A model that knows two labels: what is not consistent is neutral."""
    return Scores(consistent, 1.0 - consistent, 0.0)
