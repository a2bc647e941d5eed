"""Checkers that were published for this task, each with its own input form, limit and reading of the output.

A claim is read against a whole passage, as published, where both fit into the model's limit. A longer passage is read
in parts of whole sentences, and the part that supports the claim best decides. Of several passages, one that supports
the claim is enough. A model that was published with its own chunks keeps them.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np

from graph_eval.checkers.checker import Checker
from graph_eval.checkers.hf.engine import Array, Encoded, Engine, input_error
from graph_eval.checkers.hf.loading import Source, load_tokenizer, model_of
from graph_eval.checkers.merge import judgement_from
from graph_eval.checkers.windows import Window
from graph_eval.nli.scores import binary, softmax
from graph_eval.settings import Settings
from graph_eval.text.sentences import over, runs
from graph_eval.types import CheckTask, Claim, Judgement, Passage, Scores, Span

RULES = "published-2"
Pair = tuple[str, str]
PROBE = ("A Premise, 12 words.", "a claim of it")


class ModelChecker(Checker):
    """A checker with a model of transformers: its tokenizer, its weights and the engine that runs it.

    `repository` and `revision`: of the weights on the hub. A folder, `model`, can take their place. `limit`: tokens
    that the model reads. `rules`: the version of the code that judges. `threshold`: on 1 - P(consistent).

    Safe to use from several threads: a lock guards the tokenizer, and the engine makes one run at a time. A pickled
    copy loads its model again.
    """

    repository: ClassVar[str]
    revision: ClassVar[str] = "main"
    rules: ClassVar[str] = RULES
    limit: int = 512
    threshold = 0.5

    def __init__(self, model: str | None = None, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        self._lock = threading.RLock()  # for the tokenizer, whose truncation is switched on and off by `cut`
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

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.RLock())

    @property
    def engines(self) -> tuple[Engine, ...]:
        return (self.engine,)

    @property
    def fingerprint(self) -> str:
        return f"{type(self).__name__}:{self.rules}:{self.source.fingerprint}:{self.engine.dtype}"

    def load_tokenizer(self) -> Any:
        return load_tokenizer(self.source)

    @abstractmethod
    def load(self, device: Any, dtype: Any) -> Any:
        """The torch module."""


class PublishedChecker(ModelChecker):
    """A model that reads pairs of a premise and a claim."""

    # ---- what a published model defines ----

    def load(self, device: Any, dtype: Any) -> Any:
        """The torch module: a classifier of sequences by default."""
        from transformers import AutoModelForSequenceClassification

        return model_of(AutoModelForSequenceClassification, self.source, dtype).to(device)

    @abstractmethod
    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        """(premise, hypothesis) pairs in the published input form, however long. Called with the lock held."""

    @abstractmethod
    def cut(self, pair: Pair) -> Encoded:
        """A pair that is longer than the limit, as the published code cuts it. Called with the lock held."""

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        """Tensors of a batch -> (n, columns)."""
        return model(**tensors).logits

    @abstractmethod
    def scores(self, row: Array) -> Scores:
        """The published reading of one row of `forward`."""

    def premise(self, question: str | None, window: Window) -> str:  # noqa: ARG002
        """The text of a window as the model reads it."""
        return window.text

    # ---- judging ----

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        by_task = [[passage for passage in task.passages if passage.text.strip()] for task in tasks]
        passages_and_claims = [
            (passage, claim.text)
            for task, passages in zip(tasks, by_task, strict=True)
            for claim in task.claims
            for passage in passages
        ]
        with self._lock:
            windows = iter(self.windows(passages_and_claims))
        premises = [
            [
                (claim, [(self.premise(task.text.question, w), w) for _ in passages for w in next(windows)])
                for claim in task.claims
            ]
            for task, passages in zip(tasks, by_task, strict=True)
        ]
        pairs = dict.fromkeys(
            (premise, part)
            for claims in premises
            for claim, of_claim in claims
            for part in self.hypotheses(claim.text)
            for premise, _ in of_claim
        )
        scores = dict(zip(pairs, self.read(list(pairs)), strict=True))
        return [[self._judgement(claim, of_claim, scores) for claim, of_claim in claims] for claims in premises]

    def _judgement(
        self, claim: Claim, premises: Sequence[tuple[str, Window]], scores: dict[Pair, Scores | Exception]
    ) -> Judgement:
        """`premises`: the windows of the claim, each with its text for the model."""
        parts = self.hypotheses(claim.text)
        rows = [[scores[premise, part] for part in parts] for premise, _ in premises]
        for score in (score for row in rows for score in row):
            if isinstance(score, Exception):
                return Judgement.failed(claim.id, input_error(score))
        windows = [window for _, window in premises]
        table = np.array(rows, dtype=float).reshape(len(windows), len(parts), 3)
        means = [Scores(*map(float, row)) for row in table.mean(axis=1)]
        p = self.p_inconsistent(windows, table) if windows else None
        return judgement_from(claim.id, list(zip(windows, means, strict=True)), self.threshold, p)

    def p_inconsistent(self, windows: Sequence[Window], table: Array) -> float:
        """From the scores (windows, parts of the claim, 3): the passage that supports the parts best decides."""
        by_passage: dict[str, list[int]] = {}
        for row, window in enumerate(windows):
            by_passage.setdefault(window.passage_id, []).append(row)
        return 1.0 - max(float(table[rows, :, 0].max(axis=0).mean()) for rows in by_passage.values())

    def hypotheses(self, claim: str) -> list[str]:
        """The parts of a claim that are read one by one: by default the claim itself."""
        return [claim]

    def read(self, pairs: Sequence[Pair]) -> list[Scores | Exception]:
        """Scores of (premise, hypothesis) pairs, or the error of a pair."""
        return [row if isinstance(row, Exception) else self.scores(row) for row in self.rows(pairs)]

    def rows(self, pairs: Sequence[Pair]) -> list[Array | Exception]:
        """The row of `forward` for each pair, or the error of a pair."""
        with self._lock:
            inputs = [
                encoded if len(encoded.ids) <= self.limit else self.cut(pair)
                for pair, encoded in zip(pairs, self.encode(pairs), strict=True)
            ]
        return self.engine.run(inputs, self.forward)

    def score(self, pairs: Sequence[Pair]) -> Array:
        """Array (n, 3): P(entailment), P(neutral), P(contradiction). Raises the first error of a pair."""
        rows = []
        for scores in self.read(pairs):
            if isinstance(scores, Exception):
                raise scores
            rows.append(scores)
        return np.array(rows).reshape(-1, 3)

    def windows(self, passages_and_claims: Sequence[tuple[Passage, str]]) -> list[list[Window]]:
        """For each passage and claim the whole passage, or runs of its sentences that fit with the claim."""
        with self._lock:
            lengths = self.lengths([(passage.text, claim) for passage, claim in passages_and_claims])
            return [
                [whole(passage)] if length <= self.limit else self._parts(passage, claim)
                for (passage, claim), length in zip(passages_and_claims, lengths, strict=True)
            ]

    def lengths(self, pairs: Sequence[Pair]) -> list[int]:
        """Tokens of each pair in the published input form. Called with the lock held."""
        return [len(encoded.ids) for encoded in self.encode(pairs)]

    def _parts(self, passage: Passage, claim: str) -> list[Window]:
        room = max(1, self.limit - self.lengths([("", claim)])[0])
        parts = map(over, runs(passage.text, room, lambda part: self.tokens(part) + 1))
        return [Window(passage.id, span, span.of(passage.text)) for span in parts] or [whole(passage)]

    def tokens(self, text: str) -> int:
        """The number of tokens of a text, without special ones."""
        with self._lock:
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
        """The frame, or None for a tokenizer that does more than put special tokens around its texts."""
        if not tokenizer.is_fast:
            return None
        tokenizer.backend_tokenizer.no_truncation()
        tokenizer.backend_tokenizer.no_padding()
        first, second = (
            encoding.ids for encoding in tokenizer.backend_tokenizer.encode_batch(PROBE, add_special_tokens=False)
        )
        (pair,) = together(tokenizer, [PROBE])
        ids = list(pair.ids)
        special = tokenizer(*PROBE, return_special_tokens_mask=True)["special_tokens_mask"]
        start = special.index(0)
        end = start + len(first)
        second_start = next((index for index in range(end, len(ids)) if not special[index]), end)
        types = None if pair.types is None else (pair.types[start], pair.types[second_start])
        frame = cls(ids[:start], ids[end:second_start], ids[second_start + len(second) :], types)
        return frame if frame.around(first, second) == pair else None

    @property
    def size(self) -> int:
        """The number of special tokens."""
        return len(self.before) + len(self.between) + len(self.after)

    def around(self, first: list[int], second: list[int]) -> Encoded:
        """The pair of two texts, given by their tokens."""
        ids = [*self.before, *first, *self.between, *second, *self.after]
        if self.types is None:
            return Encoded(ids)
        second_start = len(self.before) + len(first) + len(self.between)
        return Encoded(ids, [self.types[0]] * second_start + [self.types[1]] * (len(ids) - second_start))


class PairClassifier(PublishedChecker):
    """A cross-encoder over the tokenizer's pair of premise and hypothesis."""

    def __init__(self, model: str | None = None, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        self._frame = Frame.of(self.tokenizer)

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        if self._frame is None:
            return together(self.tokenizer, pairs)
        ids = self._ids(pairs)
        return [self._frame.around(ids[premise], ids[claim]) for premise, claim in pairs]

    def lengths(self, pairs: Sequence[Pair]) -> list[int]:
        if self._frame is None:
            return super().lengths(pairs)
        ids = self._ids(pairs)
        return [self._frame.size + len(ids[premise]) + len(ids[claim]) for premise, claim in pairs]

    def _ids(self, pairs: Sequence[Pair]) -> dict[str, list[int]]:
        """The token ids of each text. A text of several pairs is tokenised once."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        encodings = self.tokenizer.backend_tokenizer.encode_batch(texts, add_special_tokens=False)
        return {text: encoding.ids for text, encoding in zip(texts, encodings, strict=True)}

    def cut(self, pair: Pair) -> Encoded:
        """Cuts the end of the premise. Where the claim takes half of the limit or more, both texts are cut."""
        truncation = "only_first" if self.tokens(pair[1]) < self.limit // 2 else True
        inputs = self.tokenizer(*pair, truncation=truncation, max_length=self.limit, verbose=False)
        if self._frame is not None:
            self.tokenizer.backend_tokenizer.no_truncation()  # the call above switched it on
        return Encoded(inputs["input_ids"], inputs.get("token_type_ids"))


class PromptedChecker(PublishedChecker):
    """A model that reads premise and hypothesis in one text."""

    @abstractmethod
    def prompt(self, premise: str, hypothesis: str) -> str:
        """The published text of both."""

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        texts = [self.prompt(*pair) for pair in pairs]
        return [Encoded(ids) for ids in self.tokenizer(texts, verbose=False)["input_ids"]] if texts else []

    def cut(self, pair: Pair) -> Encoded:
        """Cuts the end of the text."""
        inputs = self.tokenizer(self.prompt(*pair), truncation=True, max_length=self.limit, verbose=False)
        return Encoded(inputs["input_ids"])


class PromptedClassifier(PromptedChecker):
    """A classifier of one text into unsupported and supported."""

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        return model(**tensors).logits[:, :2]

    def scores(self, row: Array) -> Scores:
        return binary(float(softmax(row)[1]))


def together(tokenizer: Any, pairs: Sequence[Pair]) -> list[Encoded]:
    """Pairs as the tokenizer encodes them."""
    if not pairs:
        return []
    inputs = tokenizer([premise for premise, _ in pairs], [claim for _, claim in pairs], verbose=False)
    types = inputs.get("token_type_ids") or [None] * len(pairs)
    return [Encoded(ids, kinds) for ids, kinds in zip(inputs["input_ids"], types, strict=True)]


def whole(passage: Passage) -> Window:
    """The window of a whole passage."""
    return Window(passage.id, Span(0, len(passage.text)), passage.text)


def chunks_of(passage: Passage, groups: Iterable[Sequence[Span]]) -> list[Window]:
    """One window for each group of sentences, joined by blanks. A passage without sentences is one window."""
    text = passage.text
    windows = [Window(passage.id, over(group), " ".join(span.of(text) for span in group)) for group in groups]
    return windows or [whole(passage)]


@lru_cache(maxsize=50_000)
def _tokens(tokenizer: Any, text: str) -> int:
    return len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
