"""The builtin checker: a small NLI cross-encoder on onnxruntime and a judge on top, their weights in the package.

33 million parameters in 8 and 4 bit; see graph_eval/weights/nli/README.md for data, figures and limits.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.calibration import Judge, probability
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.features import Doubts, Reading, doubts
from graph_eval.checkers.merge import judge
from graph_eval.checkers.pairs import batches, by_size
from graph_eval.checkers.session import OnnxModel, padded
from graph_eval.checkers.threshold import named_threshold
from graph_eval.checkers.verbatim import stated_at
from graph_eval.checkers.windows import IndexedPassage, Window, WindowSelector, index
from graph_eval.registry import checker
from graph_eval.resources import folder
from graph_eval.settings import Settings
from graph_eval.text.normalise import readable
from graph_eval.types import CheckTask, Claim, Judgement, Kind, Passage, Scores

if TYPE_CHECKING:
    pass

LONGEST_CLAIM = 160  # tokens; the rest of the room is the premise's
BUDGET = 512  # tokens a batch: larger ones leave the cache
BEYOND_DOUBT = 0.4  # p_inconsistent down from which nothing more is read
COPIED = Scores(1.0, 0.0, 0.0)  # of what a passage states word for word
VERBATIM = "verbatim"


class OnnxScorer(OnnxModel):
    """An exported cross-encoder. Output: logits (n, 3), and how each token matches the premise."""

    max_tokens = 320

    def __init__(self, weights: Path, threads: int = 0) -> None:
        super().__init__(weights / "model.onnx", weights / "tokenizer.json", threads)

    @property
    def fingerprint(self) -> str:
        return f"onnx-2:{self.digest}:{self.max_tokens}"

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.floating[Any]]:
        return np.array([reading.scores for reading in self.read(pairs)]).reshape(-1, 3)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """Scores of (premise, hypothesis) pairs, and how well the hypothesis' word pieces match the premise's."""
        encoded = self.encode(pairs)
        lengths = [len(ids) for ids, _ in encoded]
        groups = list(batches(lengths, min(BUDGET, 1 + sum(lengths) // self._threads)))
        feeds = [padded([encoded[place] for place in batch]) for batch in groups]
        found: list[Reading | None] = [None] * len(pairs)
        for batch, (logits, matches) in zip(groups, self.run(feeds), strict=True):
            for place, scores, row in zip(batch, softmax(logits).tolist(), matches, strict=True):
                ids, types = encoded[place]
                pieces = np.sort(row[types.index(1) : len(ids) - 1])  # without the [SEP] at the end
                weakest = pieces[: max(1, len(pieces) // 3)]
                found[place] = Reading(
                    Scores(*scores), *(float(part.mean()) if len(part) else 0.0 for part in (pieces, weakest))
                )
        return [reading for reading in found if reading is not None]

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[int], list[int]]]:
        """Token ids and types of every pair, cut to `max_tokens`."""
        _, tokenizer = self.load()
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


def softmax(logits: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Over the last axis."""
    exact = logits.astype(np.float64)
    exponentials = np.exp(exact - exact.max(axis=-1, keepdims=True))
    result: NDArray[np.float64] = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return result


@dataclass(slots=True)
class Inquiry:
    """One text, a sentence or a triplet in words, and what was read about it in the passages of its task."""

    text: str
    passages: Mapping[str, IndexedPassage]  # by id
    steps: list[list[Window]]
    read: list[tuple[Window, Reading]] = field(default_factory=list)
    log_odds: float = math.inf  # of being unsupported

    def doubts(self, wanted: Collection[str] = Doubts._fields) -> list[Doubts]:
        """What each passage that was read leaves open."""
        by_passage: dict[str, list[tuple[Window, Reading]]] = {}
        for window, reading in self.read:
            by_passage.setdefault(window.passage_id, []).append((window, reading))
        return [doubts(self.text, self.passages[passage], found, wanted) for passage, found in by_passage.items()]

    def weigh(self, judge: Judge) -> None:
        """The passage that leaves least doubt decides."""
        self.log_odds = min(map(judge.log_odds, self.doubts(judge.used)))


@dataclass(slots=True)
class Plan:
    """How one claim is judged: word for word, or by its sentence, or by both together."""

    claim: Claim
    stated: Window | None = None
    sentence: Inquiry | None = None
    own: Inquiry | None = None


@checker("builtin", reads=("threads", "threshold"))
class BuiltinChecker(Checker):
    """The default: NLI and plain signs of doubt, weighed by a small learner.

    A claim is supported where a passage states it, or its sentence, word for word. Else its sentence is read
    against the best windows of its passages; the triplets of a sentence that stands beyond doubt are supported with
    it, all others are read for themselves, against single sentences, and judged together with their sentence.
    Settings and weights were chosen on development sets (FactCC, PolyTope, WiCE dev).
    """

    def __init__(self, threads: int = 0, threshold: float | str | None = None, judge: Judge | None = None) -> None:
        weights = folder("weights/nli")
        self.scorer = OnnxScorer(weights, threads)
        self.judge = judge or Judge.read(weights / "judge.json")
        self.thresholds = self.judge.thresholds
        self._threshold = 0.5 if threshold is None else named_threshold(threshold, self.thresholds)
        self.selector = WindowSelector(sizes=(1, 3), passages=3)
        self.beyond_doubt = BEYOND_DOUBT

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> BuiltinChecker:  # noqa: ARG003
        return cls(settings.threads, settings.threshold)

    @property
    def threshold(self) -> float:
        return self._threshold

    @property
    def fingerprint(self) -> str:
        return f"{self.scorer.fingerprint}:{self.selector.fingerprint}:builtin-3:{self.beyond_doubt}:{self.judge}"

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        plans = self.plans(tasks)
        self.read(inquiry for task in plans for plan in task if (inquiry := plan.sentence))
        self.read(inquiry for task in plans for plan in task if (inquiry := plan.own) and self._in_doubt(plan.sentence))
        return [[self._judge(plan) for plan in task] for task in plans]

    def plans(self, tasks: Sequence[CheckTask]) -> list[list[Plan]]:
        """What is to be read, for every claim of every task."""
        return [self._plans(task) for task in tasks]

    def _plans(self, task: CheckTask) -> list[Plan]:
        sentences = [readable(claim.sentence.of(task.text.text)) for claim in task.claims]
        # The triplets of a sentence share it: it is looked for once.
        texts = dict.fromkeys((*(claim.text for claim in task.claims), *sentences))
        stated = {text: self._stated(text, task.passages) for text in texts}
        plans = [
            Plan(claim, stated=stated[claim.text] or stated[sentence])
            for claim, sentence in zip(task.claims, sentences, strict=True)
        ]
        # A sentence claim is its own sentence, however the extractor worded it.
        open_plans = [
            (plan, plan.claim.text if plan.claim.kind is Kind.SENTENCE else sentence)
            for plan, sentence in zip(plans, sentences, strict=True)
            if plan.stated is None
        ]
        asked = list(dict.fromkeys(text for plan, sentence in open_plans for text in (sentence, plan.claim.text)))
        passages = {passage.id: index(passage) for passage in task.passages}
        windows = self.selector.select(task.passages, asked)
        whole = {sentence for _, sentence in open_plans}
        inquiries = {
            # A triplet holds less than its sentence: the one best sentence of a passage is enough for it.
            text: Inquiry(text, passages, by_size(found)[: None if text in whole else 1])
            for text, found in zip(asked, windows, strict=True)
            if found
        }
        for plan, sentence in open_plans if inquiries else ():
            plan.sentence = inquiries[sentence]
            plan.own = inquiries[plan.claim.text] if plan.claim.kind is Kind.TRIPLET else None
        return plans

    def _stated(self, text: str, passages: Sequence[Passage]) -> Window | None:
        for passage in passages:
            if span := stated_at(text, passage):
                return Window(passage.id, span, text)
        return None

    def read(self, inquiries: Iterable[Inquiry]) -> None:
        """Reads one step of windows after the other, all inquiries in one call, while they are in doubt."""
        waiting = list({id(inquiry): inquiry for inquiry in inquiries}.values())
        while waiting := [inquiry for inquiry in waiting if inquiry.steps and self._in_doubt(inquiry)]:
            steps = [(inquiry, inquiry.steps.pop(0)) for inquiry in waiting]
            pairs = dict.fromkeys((window.text, inquiry.text) for inquiry, step in steps for window in step)
            table = dict(zip(pairs, self.scorer.read(list(pairs)), strict=True))
            for inquiry, step in steps:
                inquiry.read += [(window, table[window.text, inquiry.text]) for window in step]
                inquiry.weigh(self.judge)

    def _in_doubt(self, inquiry: Inquiry | None) -> bool:
        """Whether more windows could change the label: they can only lower the probability."""
        return inquiry is None or probability(inquiry.log_odds) > min(self.beyond_doubt, self.threshold)

    def _judge(self, plan: Plan) -> Judgement:
        if plan.stated is not None:
            return judge(plan.claim.id, [(plan.stated, COPIED)], self.threshold, reason=VERBATIM)
        if plan.sentence is None:
            return judge(plan.claim.id, (), self.threshold)
        odds, read = plan.sentence.log_odds, plan.sentence.read
        if plan.own is not None and plan.own.read and plan.own is not plan.sentence:
            odds = self.judge.combined(plan.own.log_odds, odds, plan.claim.confidence)
            read = plan.own.read if probability(odds) > self.threshold else [*plan.own.read, *read]
        scored = [(window, reading.scores) for window, reading in read]
        return judge(plan.claim.id, scored, self.threshold, probability(odds))
