"""A language model behind litellm: any provider, or an OpenAI-compatible server given by `api_base`.

litellm is imported at the first request (see `llm.library`). Transient
errors (429, 5xx, timeouts, cut connections, empty answers) are retried, permanent ones (400, 401, 403, 404) are not.
The first request is sent alone, so that an invalid key costs one attempt instead of hundreds.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import queue
import random
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any, cast
from weakref import WeakValueDictionary

from graph_eval.errors import GraphEvalWarning, MissingPartError, ModelError, UsageError
from graph_eval.llm import batch
from graph_eval.llm.batch_lines import dollars
from graph_eval.llm.cache import AnswerCache, cache_path
from graph_eval.llm.faults import AGAIN, RefusedError, TransientError, classified, key_variable, short
from graph_eval.llm.library import litellm, quiet
from graph_eval.llm.model import LLM, STAGE, Completion, FunctionModel, Request, Token
from graph_eval.llm.options import Options
from graph_eval.llm.parameters import CACHE_MARK, Parameters
from graph_eval.settings import Settings
from graph_eval.types import ItemError, content_hash

FIRST_PAUSE, MAX_PAUSE = 0.5, 60.0  # seconds
TOP_LOGPROBS = 5  # alternatives to a token whose probabilities are requested
MOST_UNREACHABLE = 3  # requests in a row, and none answered: then the server is down
CONNECT_TIMEOUT = 15.0  # seconds
NO_KEY = "none"  # sent to a server that needs no key, as litellm requires one


@dataclass(slots=True)
class Totals:
    """Counts of a model's requests, and their cost.

    `answers`: received from the model. `cached`: read from the cache. `tries`: attempts, retries included. `priced`:
    calls whose model is in litellm's price list; `dollars` is their cost.
    """

    answers: int = 0
    cached: int = 0
    failed: int = 0
    tries: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    priced: int = 0
    dollars: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def add(self, **amounts: float) -> None:
        with self._lock:
            for name, amount in amounts.items():
                setattr(self, name, getattr(self, name) + amount)

    @property
    def requests(self) -> int:
        """Requests that are done: answered, read from the cache, or failed."""
        return self.answers + self.cached + self.failed


NO_SERVER = "check that the server runs and that --api-base is right"
STOPPED = ItemError(STAGE, "the request has no answer: the run was stopped")
OFTEN = 0.1  # seconds between two looks at the event of the call, while the caller's is waited for


class Stop:
    """What ends the requests of one call: an event of its own, which an error of all requests sets, or the caller's."""

    def __init__(self, given: threading.Event | None = None) -> None:
        self._own = threading.Event()
        self._given = given

    def set(self) -> None:
        self._own.set()

    def is_set(self) -> bool:
        return self._own.is_set() or (self._given is not None and self._given.is_set())

    def wait(self, seconds: float) -> bool:
        """Waits until one of them is set, for at most so long. Returns whether one is."""
        if self._given is None:
            return self._own.wait(seconds)
        end = monotonic() + seconds
        while not self.is_set() and (left := end - monotonic()) > 0:
            self._given.wait(min(left, OFTEN))
        return self.is_set()


class LiteLLM:
    """A model by its litellm name, e.g. "openai/gpt-4o-mini".

    Safe to use from several threads. A pickled client has the same name, options and cache file, and new totals.
    `stoppable`: `complete` takes an event that stops it. Raises MissingPartError if litellm is not installed, and
    UsageError for batches where they cannot be sent.
    """

    stoppable = True

    def __init__(self, name: str, options: Options | None = None, cache: AnswerCache | None = None) -> None:
        if importlib.util.find_spec("litellm") is None:
            raise MissingPartError("litellm is not installed", "pip install 'graph_eval[llm]'")
        self.name = name
        self.options = options or Options()
        self.totals = Totals()
        self._cache = cache
        if self.options.batch:
            batch.require(name, cache, self.options.api_base)
        self._reachable = False  # whether the server has answered, so that requests may be sent at the same time
        self._unreachable = 0  # requests that never reached the server before one did
        # Clients of one server share the lock: litellm keeps one connection pool for them, and two that open it at the
        # same time would leave one of two pools open.
        self._first_request = _first_requests.setdefault((name, self.options.api_base), threading.Lock())
        self._parameters: Parameters | None = None

    def __reduce__(self) -> tuple[type[LiteLLM], tuple[object, ...]]:
        return LiteLLM, (self.name, self.options, self._cache)

    @property
    def fingerprint(self) -> str:
        return f"{self.name}:{self.options.fingerprint}"

    def complete(
        self, requests: Sequence[Request], stop: threading.Event | None = None
    ) -> list[Completion | ItemError]:
        """Answers in order; equal requests are sent once. Raises ModelError if no request can be answered.

        `stop`: once it is set nothing more is sent, but for batches, and a request without an answer gives an
        ItemError.
        """
        keys = [self._key(request) for request in requests]
        answers: dict[str, Completion | ItemError] = dict(
            self._cache.get(list(dict.fromkeys(keys))) if self._cache else {}
        )
        self.totals.add(cached=len(answers))
        missing = {key: request for key, request in zip(keys, requests, strict=True) if key not in answers}
        beginnings = Counter(request.beginning for request in missing.values())
        missing = {
            key: replace(request, caches=request.beginning is not None and beginnings[request.beginning] > 1)
            for key, request in missing.items()
        }
        if self.options.batch and self._cache:
            answers |= self._send_batch(missing, self._cache)
        else:
            answers |= dict(zip(missing, self._send_all(list(missing.items()), stop), strict=True))
        return [answers[key] for key in keys]

    def _key(self, request: Request) -> str:
        schema = dict(request.schema) if request.schema else None
        messages = [(message.role, message.content) for message in request.messages]
        draw = (request.draw,) if request.draw else ()  # keys without a number stay what they were
        return content_hash(self.fingerprint, messages, schema, request.logprobs, *draw)

    def _send_batch(self, requests: Mapping[str, Request], cache: AnswerCache) -> dict[str, Completion | ItemError]:
        """The answers by key, by the provider's batch API."""
        batches = batch.Batches(
            self.name,
            cache,
            self._connection(),
            self._arguments,
            self._wanted,
            self.parameters,
            partial(self._read, in_batch=True),
            self.options.retries + 1,
        )
        answers = batches.complete(requests)
        answered = sum(isinstance(answer, Completion) for answer in answers.values())
        self.totals.add(tries=len(answers), answers=answered, failed=len(answers) - answered)
        return answers

    def _send_all(
        self, requests: Sequence[tuple[str, Request]], given: threading.Event | None
    ) -> list[Completion | ItemError]:
        if not requests:
            return []
        stop = Stop(given)
        pool = ThreadPoolExecutor(min(self.options.concurrency, len(requests)), "model")
        futures: list[Future[Completion | ItemError]] = []
        try:
            futures = [pool.submit(self._send, key, request, stop) for key, request in requests]
            return [future.result() for future in futures]
        except BaseException as problem:
            # Requests already sent are paid for: their answers are awaited and cached. The others are never sent.
            stop.set()
            running = sum(future.running() for future in futures)
            if running and isinstance(problem, KeyboardInterrupt):
                sent = "the request that was sent" if running == 1 else f"the {running} requests that were sent"
                warnings.warn(f"{self.name}: waiting for {sent}", GraphEvalWarning, stacklevel=2)
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _send(self, key: str, request: Request, stop: Stop) -> Completion | ItemError:
        """The answer to one request, counted and cached."""
        try:
            with self._first_alone():
                if stop.is_set():
                    return STOPPED
                try:
                    answer = self._answer(request, stop)
                except BaseException:
                    stop.set()  # before the lock is free: the next request waits for it
                    raise
                if answer is STOPPED:
                    return STOPPED
        except BaseException:
            stop.set()
            raise
        if isinstance(answer, Completion):
            if self._cache:
                self._cache.put(key, self.name, answer)
            self.totals.add(answers=1)
        else:
            self.totals.add(failed=1)
        return answer

    @contextlib.contextmanager
    def _first_alone(self) -> Iterator[None]:
        """Allows one request at a time until one has returned, so that an invalid key fails only once."""
        with contextlib.ExitStack() as locks:
            if not self._reachable:
                locks.enter_context(self._first_request)
                if self._reachable:
                    locks.close()
            yield

    def _answer(self, request: Request, stop: Stop) -> Completion | ItemError:
        """The answer, after up to `retries` + 1 attempts. Raises ModelError for an error of every request."""
        tries = self.options.retries + 1
        for number in range(tries):
            self.totals.add(tries=1)
            try:
                return self._with_parameters(request, stop)
            except TransientError as problem:
                last = problem
            except RefusedError as problem:
                self._reachable = True
                return ItemError(STAGE, f"{self.name}: {problem}", problem.hint)
            if number + 1 < tries and self._pause(pause_after(number, last), stop):
                return STOPPED
        message = f"{self.name}: {last} (tried {'once' if tries == 1 else f'{tries} times'})"
        if not last.unreachable:
            self._reachable = True
        elif not self._reachable:
            self._unreachable += 1
            if self._unreachable >= MOST_UNREACHABLE:
                raise ModelError(message, NO_SERVER)
        return ItemError(STAGE, message, NO_SERVER if last.unreachable and not self._reachable else AGAIN)

    @staticmethod
    def _pause(seconds: float, stop: Stop) -> bool:
        """Waits. Returns whether the run was stopped meanwhile."""
        return stop.wait(seconds)

    @property
    def parameters(self) -> Parameters:
        """The parameters that the model takes."""
        if self._parameters is None:
            self._parameters = Parameters(self.name, frozenset(self.options.native))
        return self._parameters

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of the parameters that were wanted, and that the model does not take."""
        return self._parameters.left_out if self._parameters else ()

    def _with_parameters(self, request: Request, stop: Stop) -> Completion | ItemError:
        """One attempt, repeated while the server refuses it for a parameter: that one is then left out."""
        wanted = self._wanted(request)
        while True:
            parameters = self.parameters.accepted(wanted)
            try:
                return self._attempt(self._arguments(request) | parameters)
            except (ModelError, RefusedError) as problem:
                if not self.parameters.refuse(problem.__cause__, (*parameters, CACHE_MARK)):
                    raise
                if stop.is_set():
                    return STOPPED

    def _wanted(self, request: Request) -> dict[str, Any]:
        """The parameters of the request that a model need not take."""
        wanted = self.options.sampling()
        if request.logprobs:
            wanted |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        if request.schema and self._supports_schema():
            schema = {"name": "answer", "schema": dict(request.schema), "strict": True}
            wanted["response_format"] = {"type": "json_schema", "json_schema": schema}
        return wanted

    def _arguments(self, request: Request) -> dict[str, Any]:
        messages = self._messages(request)
        return {"model": self.name, "messages": messages, "num_retries": 0, **self._connection()}

    def _connection(self) -> dict[str, Any]:
        """The arguments of every call of litellm."""
        arguments: dict[str, Any] = {"timeout": limits(self.options.timeout), "max_retries": 0}
        if self.options.api_base:
            arguments["api_base"] = self.options.api_base
            if (variable := key_variable(self.name)) and not os.environ.get(variable):
                arguments["api_key"] = NO_KEY
        return arguments

    def _messages(self, request: Request) -> list[dict[str, Any]]:
        marks = request.caches and self.parameters.cache_marks
        found: list[dict[str, Any]] = []
        for role, content, shared in request.messages:
            if marks and shared:
                parts = [{"type": "text", "text": part} for part in (content[:shared], content[shared:])]
                found.append({"role": role, "content": [parts[0] | {CACHE_MARK: {"type": "ephemeral"}}, parts[1]]})
            else:
                found.append({"role": role, "content": content})
        return found

    def _supports_schema(self) -> bool:
        if self.options.structured == "auto":
            return bool(litellm().supports_response_schema(self.name))
        return self.options.structured == "on"

    def _attempt(self, arguments: dict[str, Any]) -> Completion:
        """One attempt. Raises TransientError if it may be repeated, else ModelError or RefusedError."""
        library = litellm()  # its import takes seconds, which are not the server's
        try:
            with _first_call_alone():
                response = within(self.options.timeout, lambda: library.completion(**arguments))
        except TransientError:
            raise
        except Exception as problem:
            raise classified(problem, self.name, bool(self.options.api_base)) from problem
        self._reachable = True
        return self._read(response)

    def _read(self, response: Any, in_batch: bool = False) -> Completion:
        """The answer of a response, whose tokens and cost are counted."""
        self._count(response, in_batch)
        try:
            choice = response.choices[0]
            text = choice.message.content or ""
        except (AttributeError, IndexError):
            raise TransientError("the answer has no content") from None
        if not text.strip() or choice.finish_reason == "content_filter":
            raise no_answer(choice)
        return Completion(text, tuple(tokens(choice)), choice.finish_reason == "length")

    def _count(self, response: Any, in_batch: bool) -> None:
        usage = getattr(response, "usage", None)
        with contextlib.suppress(Exception):  # a model without a price
            cost = dollars(usage, self.name) if in_batch else litellm().completion_cost(response, model=self.name)
            self.totals.add(dollars=cost, priced=1)
        self.totals.add(
            prompt_tokens=getattr(usage, "prompt_tokens", 0) or 0,
            answer_tokens=getattr(usage, "completion_tokens", 0) or 0,
        )


_first_requests: dict[tuple[str, str | None], threading.Lock] = {}  # by model and server
_called = threading.Event()  # whether a call of litellm has returned
_first_call = threading.Lock()


@contextlib.contextmanager
def _first_call_alone() -> Iterator[None]:
    """One call of litellm at a time until one has returned: the first one imports modules that import each other, and
    two clients that do so at the same time fail. Their warnings are hidden, as those of litellm's own import are."""
    with contextlib.ExitStack() as locks:
        if not _called.is_set():
            locks.enter_context(_first_call)
            if _called.is_set():
                locks.close()
            else:
                locks.enter_context(quiet())
        try:
            yield
        finally:
            _called.set()


def limits(timeout: float) -> Any:
    """The timeouts of a connection: to connect and to read apart, as a dead address is known soon."""
    import httpx

    return httpx.Timeout(timeout, connect=min(timeout, CONNECT_TIMEOUT))


def pause_after(number: int, problem: TransientError) -> float:
    """Seconds to wait after a failed attempt, by its number from 0: those that the server named, or twice as many each
    time."""
    seconds = problem.pause
    if seconds is None:
        seconds = FIRST_PAUSE * 2**number * random.uniform(0.8, 1.2)  # noqa: S311
    return min(seconds, MAX_PAUSE)


def within(seconds: float, call: Callable[[], Any]) -> Any:
    """The result of a call that takes no longer than that. Raises TransientError if it does.

    The timeout of a connection starts again with every byte, so a server that drips is never stopped by it. A thread
    cannot be stopped either: it is left alone.
    """
    outcome: queue.SimpleQueue[tuple[Any, Exception | None]] = queue.SimpleQueue()

    def work() -> None:
        try:
            outcome.put((call(), None))
        except Exception as problem:
            outcome.put((None, problem))

    threading.Thread(target=work, name="request", daemon=True).start()
    try:
        value, problem = outcome.get(timeout=seconds)
    except queue.Empty:
        raise TransientError(f"no answer within {seconds:g} seconds") from None
    if problem is not None:
        raise problem
    return value


def no_answer(choice: Any) -> Exception:
    """The reason why a choice holds no answer."""
    message, finish = choice.message, choice.finish_reason
    if finish == "content_filter":
        return RefusedError("the provider's content filter withheld the answer", "rewrite or leave out that text")
    more = getattr(message, "provider_specific_fields", None) or {}
    if refusal := getattr(message, "refusal", None) or more.get("refusal"):
        return RefusedError(f"the model refused: {short(str(refusal))}", "choose another model for that text")
    if getattr(message, "tool_calls", None):
        return RefusedError("the model called a tool instead of answering", "pass --structured off")
    if finish == "length":
        hint = "increase --max-tokens, or pass a lower --reasoning-effort"
        return RefusedError("the model ran out of tokens before its answer began", hint)
    thoughts = getattr(message, "reasoning_content", None)
    return TransientError("the answer holds thoughts and nothing else" if thoughts else "the answer is empty")


def tokens(choice: Any) -> Iterator[Token]:
    """The answer's tokens with their log probabilities, if the provider returns them."""
    for token in getattr(getattr(choice, "logprobs", None), "content", None) or ():
        alternatives = tuple((other.token, other.logprob) for other in token.top_logprobs or ())
        yield Token(token.token, token.logprob, alternatives)


_clients: WeakValueDictionary[tuple[str, Options, str | None], LiteLLM] = WeakValueDictionary()
_clients_lock = threading.Lock()


def as_model(model: str | Callable[[str], str] | LLM, settings: Settings | None = None) -> LLM:
    """The LLM for `model`: a litellm name, a function from a prompt to an answer, or an `LLM`.

    Calls with the same name and options return the same client: extractor and checker share its limits and totals.
    Raises UsageError for anything else.
    """
    if not isinstance(model, str):
        if not callable(model) and not hasattr(model, "complete"):
            raise UsageError(f"{model!r} is not a model", "pass a name, a function, or an object with .complete")
        return cast("LLM", model) if hasattr(model, "complete") else FunctionModel(model)
    settings = settings or Settings()
    options = Options.of(settings)
    with _clients_lock:
        client = _clients.get((model, options, settings.llm.cache))
        if client is None:
            path = cache_path(settings.llm.cache)
            client = LiteLLM(model, options, AnswerCache(path) if path else None)
            _clients[model, options, settings.llm.cache] = client
    return client
