"""A gate in front of a user: the answer, the marked answer, or "I don't know" (real-time SelfCheckGPT).

    with Gate("openai/gpt-4o-mini", samples=5, deadline=4.0) as gate:
        outcome = gate.ask("Where was Marie Curie born?")
        print(outcome.text)

The model is asked for the answer and, at the same time, for samples. Each sample is compared with the answer as it
comes. A sentence passes if its score is at most the threshold. If the score of the whole answer is above the threshold,
the user gets "I don't know". If only some sentences are, they are marked. The gate stops as soon as no further sample
can change that, so its decision is the one that all samples give. What a deadline leaves unchecked counts as not
passed.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import warnings
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from concurrent.futures import Future, wait
from contextlib import aclosing, closing
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf
from numbers import Integral, Real
from time import monotonic
from types import TracebackType
from typing import Any

from graph_eval.consistency.foreign import as_method
from graph_eval.consistency.method import STAGE, Consistency, Method, mean, sound
from graph_eval.consistency.sampler import Sampler, text_of
from graph_eval.consistency.samples import MEANING, LeftOut, Prepared, prepare
from graph_eval.errors import GraphEvalError, GraphEvalWarning, UsageError
from graph_eval.extractors.extractor import as_extractor
from graph_eval.isolation import failure, isolated
from graph_eval.llm.client import as_model
from graph_eval.llm.model import LLM, Completion, Request, completed
from graph_eval.registry import create
from graph_eval.settings import Settings, load
from graph_eval.text.notice import LanguageNotice
from graph_eval.text.sentences import sentences
from graph_eval.types import Claim, Example, ItemError, Result, Span, Text

UNKNOWN_TEXT = "I don't know."
OPEN, CLOSE = "[[", "]]"  # around sentences that did not pass
ANSWER = 0  # the number of the request for the answer; samples count from 1
CLOSING = 10.0  # seconds that `close` waits for requests that were sent
DEADLINE, NO_ANSWER, NO_CLAIMS, NO_SAMPLE = "deadline", "no answer", "no claims", "no sample"


class Decision(StrEnum):
    ANSWER = "answer"
    MARKED = "marked"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class GatedSentence:
    """A sentence of the answer. `score` in [0, 1], high = made up; None if nothing in it could be compared.

    `checked`: enough samples were compared to decide. An unchecked sentence has not passed.
    """

    text: str
    span: Span
    score: float | None
    passed: bool
    checked: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the gate lets through.

    `score`: of the whole answer, over the samples that were compared. `samples`: wanted; `compared`: compared with the
    answer; `sent`: requests for samples that were sent; `failed`: the errors of samples that say nothing. `reason`:
    "deadline", "no answer", "no claims" (their extraction failed), "no sample", or None if every sentence was decided.
    `error`: of the answer or of its claims. `seconds`: since the question.
    """

    decision: Decision
    answer: str
    sentences: tuple[GatedSentence, ...]
    score: float | None
    samples: int
    compared: int
    sent: int
    failed: tuple[ItemError, ...] = ()
    reason: str | None = None
    error: ItemError | None = None
    seconds: float = 0.0
    unknown: str = UNKNOWN_TEXT

    @property
    def text(self) -> str:
        """The text for the user."""
        if self.decision is Decision.UNKNOWN:
            return self.unknown
        return self.marked() if self.decision is Decision.MARKED else self.answer

    @property
    def unchecked(self) -> tuple[GatedSentence, ...]:
        """The sentences that were not checked."""
        return tuple(sentence for sentence in self.sentences if not sentence.checked)

    @property
    def saved(self) -> float:
        """The share of the samples that an early decision did not need, in [0, 1]. 0 if something else ended it."""
        if self.reason is not None:
            return 0.0
        return 1.0 - (self.compared + len(self.failed)) / self.samples

    def marked(self, before: str = OPEN, after: str = CLOSE) -> str:
        """The answer. Marks stand around each sentence that did not pass."""
        parts, position = [], 0
        for sentence in self.sentences:
            if not sentence.passed:
                parts += [self.answer[position : sentence.span.start], before, sentence.text, after]
                position = sentence.span.end
        return "".join([*parts, self.answer[position:]])


@dataclass(slots=True)
class Draws:
    """The state of one question: what has arrived, and the scores of each sentence against each compared sample."""

    question: str
    passages: Sequence[str]
    wanted: int
    began: float
    sent: int = 0
    answer: str | None = None
    error: ItemError | None = None
    spans: tuple[Span, ...] = ()
    silent: bool = False  # the answer says nothing that could be compared
    claims: tuple[Claim, ...] = ()
    waiting: list[str] = field(default_factory=list)  # samples that came before the answer
    rows: list[list[float | None]] = field(default_factory=list)  # the sentences' scores, for each compared sample
    totals: list[float | None] = field(default_factory=list)  # the answer's score, for each compared sample
    failed: list[ItemError] = field(default_factory=list)

    @property
    def left(self) -> int:
        """The samples that can still be compared, those that were compared among them."""
        return self.wanted - len(self.failed)

    @property
    def pending(self) -> int:
        return self.left - len(self.rows) - len(self.waiting)

    def bounds(self, place: int) -> tuple[float, float] | None:
        """The least and the largest score that a sentence can end with, None for one that cannot be compared."""
        return self._bounds([row[place] for row in self.rows])

    def response_bounds(self) -> tuple[float, float] | None:
        """The least and the largest score that the answer can end with, None if it cannot be compared."""
        return self._bounds(self.totals)

    def _bounds(self, column: Sequence[float | None]) -> tuple[float, float] | None:
        if any(value is None for value in column):
            return None
        if not self.left:
            return 0.0, 1.0
        total, unknown = sum(value or 0.0 for value in column), self.left - len(column)
        return round(total / self.left, 6), round((total + unknown) / self.left, 6)


class Gate:
    """`model`: a litellm name, a function from a prompt to an answer, or an `LLM`. It gives the answer at the setting
    `temperature` and the samples at `sample_temperature`.

    `method`: a name or an object; one that compares with all samples at once never stops early. `samples`: the number
    of samples, by default the setting `sample_count`. `threshold`: in [0, 1], by default the setting
    `consistency_threshold` or that of the method. `deadline`: seconds from the question on, for the answer, the
    samples, their claims and the comparisons; None for no limit. Requests are not awaited any longer then. A comparison
    or an extraction of claims that has begun is finished, and no further one begins: by a method that asks a model
    (`prompt`, `graph:llm:MODEL`) it takes as long as its requests. `at_once`: the number of samples in flight, by
    default all; with fewer, an early stop saves the requests that were not sent. `unknown`: the text for "I don't
    know".

    Several threads may use one gate. A request that was sent cannot be taken back: it ends by itself, and `close` waits
    a while for it. Once the outcome is known, a model by its litellm name sends nothing more: no request that waits for
    its turn, and none again. A function, or a model of your own, cannot be stopped once it is called. Raises UsageError
    for a value of another type or range.
    """

    def __init__(
        self,
        model: str | Callable[[str], str] | LLM,
        method: str | Method | Any = "nli",
        *,
        samples: int | None = None,
        threshold: float | None = None,
        deadline: float | None = None,
        at_once: int | None = None,
        unknown: str = UNKNOWN_TEXT,
        settings: Settings | None = None,
    ) -> None:
        settings = settings or load()
        self.method = as_method(create("method", method, settings) if isinstance(method, str) else method)
        self.samples = settings.sampling.sample_count if samples is None else samples
        own = settings.sampling.consistency_threshold if threshold is None else threshold
        self.threshold = self.method.threshold if own is None else own
        self.deadline = deadline
        self.at_once = self.samples if at_once is None else at_once
        self.unknown = unknown
        for name in ("samples", "at_once"):
            self._require(name, _is(Integral, getattr(self, name), 1), "a whole number, 1 or more")
        self._require("threshold", _is(Real, self.threshold, 0.0, 1.0), "a number from 0 to 1")
        positive = deadline is None or (_is(Real, deadline) and deadline > 0)
        self._require("deadline", positive, "seconds above 0, or None")
        self._require("unknown", isinstance(unknown, str), "a text")
        self._extractor = as_extractor(create("extractor", settings.extractor, settings))
        self._sampler = Sampler(model, settings)
        self._model = as_model(model, settings)
        self._notice = LanguageNotice(self.method.english_only, 'the method "prompt:MODEL"')
        self._running: set[Future[Any]] = set()
        self._lock = threading.Lock()

    def _require(self, name: str, valid: bool, wanted: str) -> None:
        if not valid:
            raise UsageError(f"invalid {name}: {getattr(self, name)!r}", f"use {wanted}")

    def __enter__(self) -> Gate:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self, seconds: float | None = CLOSING) -> None:
        """Waits for the requests that were sent and are not answered yet: at most `seconds`, None for no limit.

        Warns of those that still run then, since a model may never answer.
        """
        with self._lock:
            running = list(self._running)
        if late := wait(running, seconds).not_done:
            count = "1 request still runs" if len(late) == 1 else f"{len(late)} requests still run"
            warnings.warn(f"the gate is closed while {count}", GraphEvalWarning, stacklevel=2)

    # ---- asking ----

    def ask(self, question: str, passages: Sequence[str] = ()) -> Outcome:
        """The outcome for a question. `passages`: a context for the model, if there is one.

        Raises a GraphEvalError if no request can succeed, for example without a valid key.
        """
        with closing(self.stream(question, passages)) as events:
            for event in events:
                if isinstance(event, Outcome):
                    return event
        raise RuntimeError("the gate gave no outcome")

    def stream(self, question: str, passages: Sequence[str] = ()) -> Generator[GatedSentence | Outcome]:
        """Yields each sentence in order as soon as it is decided, then the outcome.

        No sentence is yielded while the whole answer can still become "I don't know". To cancel, close the generator.
        """
        yield from self._events(question, passages, queue.SimpleQueue(), threading.Event())

    async def ask_async(self, question: str, passages: Sequence[str] = ()) -> Outcome:
        """As `ask`. If the task is cancelled, no further request is sent."""
        async with aclosing(self.stream_async(question, passages)) as events:
            async for event in events:
                if isinstance(event, Outcome):
                    return event
        raise RuntimeError("the gate gave no outcome")

    async def stream_async(
        self, question: str, passages: Sequence[str] = ()
    ) -> AsyncGenerator[GatedSentence | Outcome]:
        """As `stream`. If the task is cancelled or the generator closed, no further request is sent."""
        loop = asyncio.get_running_loop()
        found: asyncio.Queue[Any] = asyncio.Queue()
        arrivals: queue.SimpleQueue[Any] = queue.SimpleQueue()
        stop = threading.Event()

        def tell(event: object) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(found.put_nowait, event)

        def work() -> None:
            try:
                for event in self._events(question, passages, arrivals, stop):
                    tell(event)
                tell(None)
            except BaseException as problem:
                tell(problem)

        self._start(work, "gate")
        try:
            while (event := await found.get()) is not None:
                if isinstance(event, BaseException):
                    raise event
                yield event
        finally:
            stop.set()
            arrivals.put(None)  # wakes the worker, which then stops

    # ---- the loop ----

    def _events(
        self, question: str, passages: Sequence[str], arrivals: queue.SimpleQueue[Any], stop: threading.Event
    ) -> Generator[GatedSentence | Outcome]:
        """`arrivals`: numbers of requests with their answers. `stop`: the caller has cancelled; then None in `arrivals`
        wakes the loop."""
        draws = Draws(question, passages, self.samples, monotonic())
        shown = 0
        try:
            self._send(draws, ANSWER, arrivals, stop)
            for _ in range(min(self.at_once, self.samples)):
                self._send_next(draws, arrivals, stop)
            while not self._decided(draws):
                left = self._seconds_left(draws)
                if left == 0:
                    break  # what has arrived but is not compared yet stays unchecked
                try:
                    arrived = arrivals.get(timeout=None if left is None else min(left, threading.TIMEOUT_MAX))
                except queue.Empty:
                    break
                if stop.is_set():
                    return
                self._take(draws, *arrived)
                if arrived[0] != ANSWER and not stop.is_set() and not self._decided(draws):
                    self._send_next(draws, arrivals, stop)
                for sentence in self._ready(draws, shown):
                    shown += 1
                    yield sentence
            outcome = self._outcome(draws)
            if outcome.decision is not Decision.UNKNOWN:
                yield from outcome.sentences[shown:]
            yield outcome
        finally:
            stop.set()

    def _seconds_left(self, draws: Draws) -> float | None:
        return None if self.deadline is None else max(0.0, draws.began + self.deadline - monotonic())

    def _send_next(self, draws: Draws, arrivals: queue.SimpleQueue[Any], stop: threading.Event) -> None:
        if draws.sent < self.samples:
            draws.sent += 1
            self._send(draws, draws.sent, arrivals, stop)

    def _send(self, draws: Draws, number: int, arrivals: queue.SimpleQueue[Any], stop: threading.Event) -> None:
        """Sends a request in a thread of its own, which puts the answer into `arrivals`."""
        request = self._sampler.request(draws.question, draws.passages, number)
        model = self._model if number == ANSWER else self._sampler.model

        def work() -> None:
            try:
                arrivals.put((number, None if stop.is_set() else _completed(model, request, stop)))
            except BaseException as problem:
                arrivals.put((number, problem))

        self._start(work, "gate request")

    def _start(self, work: Callable[[], None], name: str) -> None:
        """Runs `work` in a thread of its own, which `close` waits for."""
        done: Future[None] = Future()
        with self._lock:
            self._running.add(done)

        def run() -> None:
            try:
                work()
            finally:
                with self._lock:
                    self._running.discard(done)
                done.set_result(None)

        try:
            threading.Thread(target=run, name=name, daemon=True).start()
        except BaseException:  # the system gives no further thread
            with self._lock:
                self._running.discard(done)
            done.set_result(None)
            raise

    def _take(self, draws: Draws, number: int, found: Completion | ItemError | BaseException | None) -> None:
        """Adds what has arrived: compares a sample with the answer, or all samples that came before it."""
        if isinstance(found, BaseException):
            raise found
        text = ItemError(STAGE, "stopped") if found is None else text_of(found)
        if number == ANSWER:
            if isinstance(text, ItemError):
                draws.error = text
                return
            self._prepare(draws, text)
        elif isinstance(text, ItemError):
            draws.failed.append(text)
        else:
            draws.waiting.append(text)
        if draws.answer is not None and not draws.silent:
            self._compare(draws)

    def _prepare(self, draws: Draws, answer: str) -> None:
        draws.answer = answer
        draws.spans = tuple(sentence.span for sentence in sentences(answer))
        self._notice.read([Result(0, self._example(draws))])
        draws.silent = self._prepared(draws, ()).silent is not None
        if self.method.needs_claims and not draws.silent:
            (claims,) = isolated(STAGE, [self._text(draws)], self._extractor.extract)
            if isinstance(claims, ItemError):
                draws.error = claims
            else:
                draws.claims = tuple(claims)

    def _example(self, draws: Draws, samples: Sequence[str] = ()) -> Example:
        return Example("", "", draws.answer or "", question=draws.question, samples=tuple(samples))

    def _text(self, draws: Draws) -> Text:
        return Text.of(self._example(draws))

    def _compare(self, draws: Draws) -> None:
        """Compares the waiting samples, each by itself; all at once, and only when all have come, by other methods.

        In one call, but under a deadline in one call for each, so that none begins after it.
        """
        if not self.method.stepwise and draws.pending:
            return
        at_once = 1 if self.method.stepwise and self.deadline is not None else max(1, len(draws.waiting))
        while draws.waiting and self._seconds_left(draws) != 0:
            samples, draws.waiting[:at_once] = draws.waiting[:at_once], []
            self._compare_with(draws, samples)

    def _prepared(self, draws: Draws, samples: Sequence[str]) -> Prepared:
        (prepared,) = prepare([self._example(draws, samples)], [draws.claims], self.method, self._extractor)
        return prepared

    def _compare_with(self, draws: Draws, answers: Sequence[str]) -> None:
        prepared = self._prepared(draws, answers)
        draws.failed += [_error_of_sample(item) for item in prepared.left_out]
        count = len(prepared.places)
        if not count:
            return
        groups = [[place] for place in range(count)] if self.method.stepwise else [range(count)]
        tasks = [prepared.task.only(group) for group in groups]
        for task, found in zip(tasks, isolated(STAGE, tasks, self.method.compare), strict=True):
            consistency = sound(found, task)
            if isinstance(consistency, ItemError):
                draws.failed += [consistency] * len(task.samples)
                continue
            if error := _error_of(consistency):
                draws.failed += [error] * len(task.samples)
                continue
            row = [sentence.score for sentence in consistency.sentences]
            draws.rows += [row] * len(task.samples)
            draws.totals += [consistency.score] * len(task.samples)

    # ---- deciding ----

    def _decided(self, draws: Draws) -> bool:
        """Whether no further sample can change the outcome."""
        if draws.error is not None:
            return True
        if draws.answer is None:
            return False
        if draws.silent:
            return True
        if draws.pending <= 0 and not draws.waiting:
            return True
        if not self.method.stepwise or not draws.rows:
            return False
        whole = draws.response_bounds()
        if whole is None:
            return True  # no sentence can be compared, whatever comes
        if whole[0] > self.threshold:
            return True
        return whole[1] <= self.threshold and all(self._checked(draws, place) for place in range(len(draws.spans)))

    def _checked(self, draws: Draws, place: int) -> bool:
        if draws.silent:
            return True
        bound = draws.bounds(place)
        return bool(draws.rows) and (bound is None or bound[0] > self.threshold or bound[1] <= self.threshold)

    def _passed(self, draws: Draws, place: int) -> bool:
        if draws.silent:
            return True
        if not draws.rows:
            return False
        bound = draws.bounds(place)
        return bound is None or bound[1] <= self.threshold

    def _ready(self, draws: Draws, shown: int) -> Generator[GatedSentence]:
        """The further sentences that are decided, once the whole answer is sure to pass."""
        if not self.method.stepwise or draws.answer is None or not draws.rows or draws.error is not None:
            return
        whole = draws.response_bounds()
        if whole is not None and whole[1] > self.threshold:
            return
        for place in range(shown, len(draws.spans)):
            if not self._checked(draws, place):
                return
            yield self._sentence(draws, place)

    def _sentence(self, draws: Draws, place: int) -> GatedSentence:
        span = draws.spans[place]
        score = _mean([row[place] for row in draws.rows])
        text = span.of(draws.answer or "")
        return GatedSentence(text, span, score, self._passed(draws, place), self._checked(draws, place))

    def _outcome(self, draws: Draws) -> Outcome:
        seconds = round(monotonic() - draws.began, 6)
        base = Outcome(
            Decision.UNKNOWN,
            draws.answer or "",
            tuple(self._sentence(draws, place) for place in range(len(draws.spans))),
            None,
            self.samples,
            len(draws.rows),
            draws.sent,
            tuple(draws.failed),
            seconds=seconds,
            unknown=self.unknown,
        )
        if draws.answer is None:
            return replace(base, reason=NO_ANSWER if draws.error else DEADLINE, error=draws.error)
        if draws.error is not None:
            return replace(base, reason=NO_CLAIMS, error=draws.error)
        late = not self._decided(draws)
        if draws.silent:  # there is nothing that could be wrong, so it passes as it is
            return replace(base, decision=Decision.ANSWER)
        if not draws.rows:
            return replace(base, reason=DEADLINE if late else NO_SAMPLE)
        bounds = draws.response_bounds()
        high = 0.0 if bounds is None else bounds[1]
        decision = Decision.ANSWER if all(sentence.passed for sentence in base.sentences) else Decision.MARKED
        if high > self.threshold:
            decision = Decision.UNKNOWN
        return replace(base, decision=decision, score=_mean(draws.totals), reason=DEADLINE if late else None)


def _is(kind: type[Integral | Real], value: object, least: float = -inf, most: float = inf) -> bool:
    """Whether a value is a number of that kind in that range. True and False are none here."""
    return isinstance(value, kind) and not isinstance(value, bool) and least <= float(value) <= most


def _mean(column: Sequence[float | None]) -> float | None:
    values = [value for value in column if value is not None]
    return mean(values) if values else None


def _error_of_sample(item: LeftOut) -> ItemError:
    return item.error or ItemError(STAGE, f"the sample is {MEANING[item.reason]}")


def _error_of(consistency: Consistency) -> ItemError | None:
    """The error of a claim that could not be judged: what was not checked has not passed."""
    return next((claim.error for claim in consistency.claims if claim.error is not None), None)


def _completed(model: LLM, request: Request, stop: threading.Event) -> Completion | ItemError:
    try:
        (answer,) = completed(model, [request], stop)
    except GraphEvalError:
        raise
    except Exception as problem:
        return failure(STAGE, problem)
    return answer
