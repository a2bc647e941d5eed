"""LettuceDetect (github.com/KRLabsOrg/LettuceDetect, MIT licence; arXiv 2502.17125): a classifier of tokens.

The model reads a pair: a prompt with all passages and the question, and the whole response. Its second class says that
a token of the response is not supported. p_inconsistent of a claim is the largest P(not supported) of the tokens that
overlap the claim's words. The prompts are those of lettucedetect 0.2.3 for English (prompts/qa_prompt_en.txt and
summary_prompt_en.txt, filled by detectors/prompt_utils.py).

Nothing is cut off. Where the passages do not fit with the response, they are read in groups of whole passages, or of
whole sentences if a passage is too long, and the smallest probability of a token over the groups counts: one group that
supports it is enough, as for the other published checkers. (lettucedetect itself takes the largest one, and cuts a
passage that is too long.) A response that takes more than half of the room is then read in parts of whole sentences,
too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from graph_eval.checkers.hf.engine import Array, Encoded, InputError, input_error
from graph_eval.checkers.hf.loading import from_pretrained, model_of
from graph_eval.checkers.hf.nli import positions
from graph_eval.checkers.hf.published import ModelChecker, Pair
from graph_eval.checkers.merge import judgement_from
from graph_eval.checkers.windows import Window, WindowSelector
from graph_eval.errors import UsageError
from graph_eval.nli.scores import binary, softmax
from graph_eval.registry import checker
from graph_eval.settings import OF_TORCH, Settings
from graph_eval.text.sentences import over, sentences
from graph_eval.types import CheckTask, Claim, Judgement, Passage, Scores, Span

WITH_QUESTION = (
    "Briefly answer the following question:\n{question}\n"
    "Bear in mind that your response should be strictly based on the following {count} passages:\n{passages}\n"
    "In case the passages do not contain the necessary information to answer the question, please reply with: "
    '"Unable to answer based on given passages."\noutput:'
)
WITHOUT_QUESTION = "Summarize the following text:\n{passages}\noutput:"
EXAMPLE = "lettucedetect:KRLabsOrg/lettucedect-base-modernbert-en-v1"

Part = tuple[Passage, Span]  # of a passage
Unit = TypeVar("Unit")


class TooLongError(InputError):
    """The texts that have to be read together are longer than the model reads."""

    hint = "shorten the question, or use another checker"


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model reads at once. `part`: of the answer. `windows`: of the passages in the prompt. `pair`: prompt and
    answer."""

    part: Span
    windows: tuple[Window, ...]
    pair: Pair


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of an answer. `starts`, `ends`: their offsets in it. `values`: one for each, such as its place in the
    input or its probability."""

    starts: NDArray[np.intp]
    ends: NDArray[np.intp]
    values: NDArray[Any]

    def at(self, spans: Sequence[Span]) -> NDArray[Any]:
        """The values of the tokens that overlap one of the spans."""
        chosen = np.zeros(len(self.starts), dtype=bool)
        for span in spans:
            chosen |= (self.starts < span.end) & (span.start < self.ends)
        return self.values[chosen]


@checker("lettucedetect", argument="MODEL", example=EXAMPLE, reads=("threads", *OF_TORCH), extra="hf")
class LettuceDetectChecker(ModelChecker):
    """Any token classifier with LettuceDetect's prompts and its two classes, supported and not supported.

    `limit` is 4,096 tokens as in lettucedetect, or what tokenizer and model can read if that is less. Raises UsageError
    for another kind of model, another number of classes, and a tokenizer that does not report positions.
    """

    rules = "lettucedetect-1"
    limit = 4096

    def __init__(self, model: str, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        from transformers import AutoConfig

        config = from_pretrained(AutoConfig, self.source)
        kinds = config.architectures or ["ForTokenClassification"]
        if not any(kind.endswith("ForTokenClassification") for kind in kinds):
            raise UsageError(f"{model} is no token classifier but {kinds[0]}", f"use a model such as {EXAMPLE}")
        if len(config.id2label) != 2:
            raise UsageError(
                f"{model} has {len(config.id2label)} classes of tokens",
                "use a model with the classes supported and not supported",
            )
        if not self.tokenizer.is_fast:
            raise UsageError(
                f"{model} has no fast tokenizer",
                "choose a model with one: slow tokenizers do not report token positions",
            )
        self.tokenizer.backend_tokenizer.no_truncation()
        self.tokenizer.backend_tokenizer.no_padding()
        self.limit = min(self.limit, self.tokenizer.model_max_length, positions(config))
        self._selector = WindowSelector(sizes=(1,), passages=1)

    def load(self, device: Any, dtype: Any) -> Any:
        from transformers import AutoModelForTokenClassification

        model = model_of(AutoModelForTokenClassification, self.source, dtype)
        model.config.reference_compile = False  # ModernBERT of transformers 4 would compile itself on a GPU
        return model.to(device)

    def forward(self, model: Any, tensors: dict[str, Any]) -> Any:
        padding = tensors["attention_mask"].unsqueeze(-1) == 0
        return model(**tensors).logits.masked_fill(padding, 0.0)

    # ---- judging ----

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        by_task = [[(claim, *located(claim, task.text.text)) for claim in task.claims] for task in tasks]
        with self._lock:
            plans = [
                {answer: self._plan(task, answer) for answer in dict.fromkeys(answer for _, answer, _ in claims)}
                for task, claims in zip(tasks, by_task, strict=True)
            ]
        pairs = dict.fromkeys(
            reading.pair
            for by_answer in plans
            for plan in by_answer.values()
            if not isinstance(plan, TooLongError)
            for reading in plan
        )
        outputs = dict(zip(pairs, self.read(list(pairs)), strict=True))
        return [
            [self._judgement(claim, spans, by_answer[answer], outputs) for claim, answer, spans in claims]
            for claims, by_answer in zip(by_task, plans, strict=True)
        ]

    def read(self, pairs: Sequence[Pair]) -> list[Tokens | Exception]:
        """P(not supported) of each token of the answer, for (prompt, answer) pairs, or the error of a pair."""
        with self._lock:
            encoded = self.encode(pairs)
        rows = self.engine.run([inputs for inputs, _ in encoded], self.forward)
        return [
            row if isinstance(row, Exception) else replace(tokens, values=softmax(row[tokens.values])[:, 1])
            for row, (_, tokens) in zip(rows, encoded, strict=True)
        ]

    def encode(self, pairs: Sequence[Pair]) -> list[tuple[Encoded, Tokens]]:
        """The inputs of (prompt, answer) pairs, and the places of the answer's tokens in them. Called with the lock
        held."""
        if not pairs:
            return []
        prompts, answers = zip(*pairs, strict=True)
        inputs = self.tokenizer(list(prompts), list(answers), return_offsets_mapping=True, verbose=False)
        types = inputs.get("token_type_ids") or [None] * len(pairs)
        encoded = []
        for index, (ids, kinds, offsets) in enumerate(
            zip(inputs["input_ids"], types, inputs["offset_mapping"], strict=True)
        ):
            of_answer = [
                (start, end, place)
                for place, (text, (start, end)) in enumerate(zip(inputs.sequence_ids(index), offsets, strict=True))
                if text == 1 and start < end
            ]
            table = np.array(of_answer, dtype=np.intp).reshape(-1, 3)
            encoded.append((Encoded(ids, kinds), Tokens(*table.T)))
        return encoded

    def _judgement(
        self,
        claim: Claim,
        spans: Sequence[Span],
        plan: list[Reading] | TooLongError,
        outputs: dict[Pair, Tokens | Exception],
    ) -> Judgement:
        if isinstance(plan, TooLongError):
            return Judgement.failed(claim.id, input_error(plan))
        scored_windows: list[tuple[Window, Scores]] = []
        by_part: dict[Span, list[Array]] = {}
        for reading in plan:
            tokens = outputs[reading.pair]
            if isinstance(tokens, Exception):
                return Judgement.failed(claim.id, input_error(tokens))
            start = reading.part.start
            values = tokens.at([span.moved(-start) for span in spans])
            if values.size:
                by_part.setdefault(reading.part, []).append(values)
                scored_windows.append((self._nearest(claim, reading.windows), binary(1.0 - float(values.max()))))
        if plan and not by_part:  # the tokenizer knows none of the claim's characters, so nothing supports it
            return judgement_from(claim.id, [(plan[0].windows[0], binary(0.0))], self.threshold)
        p = max((float(np.min(values, axis=0).max()) for values in by_part.values()), default=None)
        return judgement_from(claim.id, scored_windows, self.threshold, p)

    def _nearest(self, claim: Claim, windows: Sequence[Window]) -> Window:
        """The sentence to show as evidence: the one that shares the most terms with the claim."""
        passages = [Passage(window.passage_id, window.text) for window in windows]
        found = next(iter(self._selector.select(passages, [claim.text])[0]), None)
        if found is None:
            return windows[0]
        start = next(window.span.start for window in windows if window.passage_id == found.passage_id)
        return replace(found, span=Span(start + found.span.start, start + found.span.end))

    # ---- what is read together ----

    def _plan(self, task: CheckTask, answer: str) -> list[Reading] | TooLongError:
        try:
            return self.readings(task.text.question, task.passages, answer)
        except TooLongError as problem:
            return problem

    def readings(self, question: str | None, passages: Sequence[Passage], answer: str) -> list[Reading]:
        """One reading, or as many as it takes for every part of the passages to be read with every part of the answer.

        Without text in the passages there are none. Raises TooLongError for a question that fills half of the limit.
        """
        filled = {passage.id: passage for passage in passages if passage.text.strip()}
        parts = [(passage, Span(0, len(passage.text))) for passage in filled.values()]
        if not parts:
            return []
        everything = Span(0, len(answer))
        if self._fits(question, parts, answer):
            return [reading_of(question, parts, answer, everything)]
        empty = prompt(question, ())
        frame = self._length(empty, "")
        if frame > self.limit // 2:
            raise TooLongError(f"the question and the prompt have {frame} tokens, and the model reads {self.limit}")
        room = (self.limit + frame) // 2
        of_answer = packed(
            [everything],
            lambda run: self._length(empty, over(run).of(answer)) <= room,
            lambda span: pieces(answer, span),
        )
        return [reading for run in of_answer for reading in self._in_groups(question, parts, answer, over(run))]

    def _in_groups(self, question: str | None, parts: Sequence[Part], answer: str, part: Span) -> Iterator[Reading]:
        """Readings of one group of the passages after the other, all with this part of the answer."""
        groups = packed(
            parts,
            lambda group: self._fits(question, group, part.of(answer)),
            lambda unit: [(unit[0], span) for span in pieces(unit[0].text, unit[1])],
        )
        return (reading_of(question, group, answer, part) for group in groups)

    def _fits(self, question: str | None, parts: Sequence[Part], answer: str) -> bool:
        return self._length(prompt(question, joined(parts)), answer) <= self.limit

    def _length(self, text: str, answer: str) -> int:
        return len(self.tokenizer.backend_tokenizer.encode(text, answer))


def located(claim: Claim, text: str) -> tuple[str, tuple[Span, ...]]:
    """The answer that holds the claim's words, and their spans in it: the response, or the claim's own text for a claim
    without words in the response."""
    if any(span.of(text).strip() for span in claim.spans):
        return text, claim.spans
    return claim.text, (Span(0, len(claim.text)),)


def prompt(question: str | None, windows: Sequence[Window]) -> str:
    """The published text of the passages and the question."""
    passages = "\n".join(f"passage {number}: {window.text}" for number, window in enumerate(windows, 1))
    if not question:
        return WITHOUT_QUESTION.format(passages=passages)
    return WITH_QUESTION.format(question=question, count=len(windows), passages=passages)


def reading_of(question: str | None, parts: Sequence[Part], answer: str, part: Span) -> Reading:
    windows = joined(parts)
    return Reading(part, windows, (prompt(question, windows), part.of(answer)))


def joined(parts: Sequence[Part]) -> tuple[Window, ...]:
    """The windows of these parts. Neighbouring parts of a passage are one window."""
    spans: dict[str, tuple[Passage, Span]] = {}
    for passage, span in parts:
        start = spans[passage.id][1].start if passage.id in spans else span.start
        spans[passage.id] = (passage, Span(start, span.end))
    return tuple(Window(passage.id, span, span.of(passage.text)) for passage, span in spans.values())


def packed(
    units: Sequence[Unit], fits: Callable[[Sequence[Unit]], bool], cut: Callable[[Unit], Sequence[Unit]]
) -> Iterator[list[Unit]]:
    """Runs of consecutive units, each as long as fits. A unit that does not fit alone is cut."""
    waiting = list(units)
    while waiting:
        most = 1
        while most < len(waiting) and fits(waiting[:most]):
            most *= 2
        sizes = range(1, min(most, len(waiting)) + 1)
        count = bisect_left(sizes, True, key=lambda size: not fits(waiting[:size]))
        if count:
            yield waiting[:count]
            waiting = waiting[count:]
        else:
            waiting = [*cut(waiting[0]), *waiting[1:]]


def pieces(text: str, span: Span) -> list[Span]:
    """The sentences in a part of a text, each with what stands before it (a list marker). Only white space between them
    is left out. A single sentence is halved, at a blank if it has one. Raises TooLongError for a single character."""
    inner = span.of(text)
    if len(inner) < 2:
        raise TooLongError(f"the character {inner!r} does not fit into what the model reads")
    ends = [sentence.span.end for sentence in sentences(inner)][:-1]
    if not ends:
        middle = len(inner) // 2
        blank = inner.rfind(" ", 0, middle)
        ends = [blank if blank > 0 else middle]
    found = []
    for start, end in pairwise((0, *ends, len(inner))):
        stripped = inner[start:end].strip()
        if stripped:
            start = span.start + inner.index(stripped, start)
            found.append(Span(start, start + len(stripped)))
    return found
