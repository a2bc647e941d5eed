"""A language model behind litellm: any provider, or an OpenAI-compatible server given by `api_base`.

litellm is imported at the first request, with its telemetry, callbacks and download of price lists off. Transient
errors (429, 5xx, timeouts, cut connections, empty answers) are retried, permanent ones (400, 401, 403, 404) are not.
The first request is sent alone, so that an invalid key costs one attempt instead of hundreds.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import random
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast
from weakref import WeakValueDictionary

from graph_eval.errors import MissingPartError, ModelError
from graph_eval.llm.cache import AnswerCache, cache_path
from graph_eval.llm.faults import RefusedError, TransientError, classified, key_variable
from graph_eval.llm.model import LLM, STAGE, Completion, FunctionModel, Request, Token
from graph_eval.llm.options import Options
from graph_eval.settings import Settings
from graph_eval.types import ItemError, content_hash

FIRST_PAUSE, MAX_PAUSE = 0.5, 60.0  # seconds
TOP_LOGPROBS = 5  # alternatives to a token whose probabilities are requested
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


STOPPED = ItemError(STAGE, "the request was not sent: the run was stopped")


class LiteLLM:
    """A model by its litellm name, e.g. "openai/gpt-4o-mini".

    Safe to use from several threads. A pickled client has the same name, options and cache file, and new totals.
    Raises MissingPartError if litellm is not installed.
    """

    def __init__(self, name: str, options: Options | None = None, cache: AnswerCache | None = None) -> None:
        if importlib.util.find_spec("litellm") is None:
            raise MissingPartError("litellm is not installed", "pip install 'graph_eval[llm]'")
        self.name = name
        self.options = options or Options()
        self.totals = Totals()
        self._cache = cache
        self._answered = False  # whether the model has answered a request
        self._reachable = False  # whether a request has returned, so that others may be sent at the same time
        self._first_request = threading.Lock()

    def __reduce__(self) -> tuple[type[LiteLLM], tuple[object, ...]]:
        return LiteLLM, (self.name, self.options, self._cache)

    @property
    def fingerprint(self) -> str:
        return f"{self.name}:{self.options.fingerprint}"

    def complete(self, requests: Sequence[Request]) -> list[Completion | ItemError]:
        """Answers in order; equal requests are sent once. Raises ModelError if no request can be answered."""
        keys = [self._key(request) for request in requests]
        answers: dict[str, Completion | ItemError] = dict(
            self._cache.get(list(dict.fromkeys(keys))) if self._cache else {}
        )
        self.totals.add(cached=len(answers))
        missing = {key: request for key, request in zip(keys, requests, strict=True) if key not in answers}
        answers |= dict(zip(missing, self._send_all(list(missing.items())), strict=True))
        return [answers[key] for key in keys]

    def _key(self, request: Request) -> str:
        schema = dict(request.schema) if request.schema else None
        return content_hash(self.fingerprint, request.messages, schema, request.logprobs)

    def _send_all(self, requests: Sequence[tuple[str, Request]]) -> list[Completion | ItemError]:
        if not requests:
            return []
        stop = threading.Event()
        pool = ThreadPoolExecutor(min(self.options.concurrency, len(requests)), "model")
        futures: list[Future[Completion | ItemError]] = []
        try:
            futures = [pool.submit(self._send, key, request, stop) for key, request in requests]
            return [future.result() for future in futures]
        except BaseException:
            # Requests already sent are paid for: their answers are awaited and cached. The others are never sent.
            stop.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _send(self, key: str, request: Request, stop: threading.Event) -> Completion | ItemError:
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
                self._reachable = True
        except BaseException:
            stop.set()
            raise
        if isinstance(answer, Completion):
            self._answered = True
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

    def _answer(self, request: Request, stop: threading.Event) -> Completion | ItemError:
        """The answer, after up to `retries` + 1 attempts. Raises ModelError for an error of every request."""
        arguments = self._arguments(request)
        tries = self.options.retries + 1
        for number in range(tries):
            self.totals.add(tries=1)
            try:
                return self._attempt(arguments)
            except TransientError as problem:
                last = problem
            except RefusedError as problem:
                return ItemError(STAGE, f"{self.name}: {problem}")
            if number + 1 < tries:
                pause = last.pause if last.pause is not None else FIRST_PAUSE * 2**number * random.uniform(0.8, 1.2)  # noqa: S311
                if self._pause(min(pause, MAX_PAUSE), stop):
                    return STOPPED
        message = f"{self.name}: {last} (tried {'once' if tries == 1 else f'{tries} times'})"
        if last.unreachable and not self._reachable:
            raise ModelError(message, "check that the server runs and that --api-base is right")
        return ItemError(STAGE, message, "run the command again: cached answers are not requested again")

    @staticmethod
    def _pause(seconds: float, stop: threading.Event) -> bool:
        """Waits. Returns whether the run was stopped meanwhile."""
        return stop.wait(seconds)

    def _arguments(self, request: Request) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "model": self.name,
            "messages": [message._asdict() for message in request.messages],
            "timeout": self.options.timeout,
            "max_retries": 0,
            "num_retries": 0,
            **self.options.sampling(),
        }
        if self.options.api_base:
            arguments["api_base"] = self.options.api_base
            if (variable := key_variable(self.name)) and not os.environ.get(variable):
                arguments["api_key"] = NO_KEY
        if request.logprobs and "logprobs" in self._parameters():
            arguments |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        if request.schema and self._supports_schema():
            schema = {"name": "answer", "schema": dict(request.schema), "strict": True}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
        return arguments

    def _supports_schema(self) -> bool:
        if self.options.structured == "auto":
            return bool(litellm().supports_response_schema(self.name))
        return self.options.structured == "on"

    def _parameters(self) -> Sequence[str]:
        return litellm().get_supported_openai_params(self.name) or ()

    def _attempt(self, arguments: dict[str, Any]) -> Completion:
        """One attempt. Raises TransientError if it may be repeated, else ModelError or RefusedError."""
        try:
            response = litellm().completion(**arguments)
        except Exception as problem:
            raise classified(problem, self.name, self._answered, bool(self.options.api_base)) from problem
        self._count(response)
        try:
            choice = response.choices[0]
            text = choice.message.content or ""
        except (AttributeError, IndexError):
            raise TransientError("the answer has no content") from None
        if choice.finish_reason == "content_filter":
            raise RefusedError("the provider's content filter withheld the answer")
        if not text.strip():
            raise TransientError("the answer is empty")
        return Completion(text, tuple(tokens(choice)), choice.finish_reason == "length")

    def _count(self, response: Any) -> None:
        usage = getattr(response, "usage", None)
        with contextlib.suppress(Exception):  # a model without a price
            self.totals.add(dollars=litellm().completion_cost(response, model=self.name), priced=1)
        self.totals.add(
            prompt_tokens=getattr(usage, "prompt_tokens", 0) or 0,
            answer_tokens=getattr(usage, "completion_tokens", 0) or 0,
        )


_importing = threading.Lock()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Hides warnings of litellm's code. One thread at a time, because warning filters are global in the process."""
    with _importing, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@cache
def litellm() -> Any:
    """The library, configured to send nothing but the requests themselves."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # otherwise the import downloads a price list
    with _quiet():
        import litellm as library

        library.Message(content="", role="assistant")  # pydantic warns when it builds this schema at first use
    library.telemetry = False
    library.suppress_debug_info = True
    library.turn_off_message_logging = True
    for hooks in ("callbacks", "input_callback", "success_callback", "failure_callback", "service_callback"):
        setattr(library, hooks, [])
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return library


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
    """
    if not isinstance(model, str):
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
