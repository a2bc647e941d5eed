"""A language model that litellm reaches: any provider, or a server of one's own by `api_base`.

litellm is imported at the first request, with its telemetry, callbacks and download of price lists off. What can
succeed later (429, 5xx, timeouts, cut connections, empty answers) is tried again; what cannot (400, 401, 403, 404)
is not. The first request goes out alone: a wrong key costs one try, not hundreds.
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
from graph_eval.llm.cache import AnswerCache, located
from graph_eval.llm.faults import RefusedError, TryError, explained, key_variable
from graph_eval.llm.model import LLM, STAGE, Completion, FunctionModel, Request, Token
from graph_eval.llm.options import Options
from graph_eval.settings import Settings
from graph_eval.types import ItemError, content_hash

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0  # seconds
LIKELIEST = 5  # tokens whose probabilities are asked for
NO_KEY = "none"  # for servers of one's own, which ask for none


@dataclass(slots=True)
class Totals:
    """What a model was asked and what that cost. `dollars` by litellm's price list, of the priced calls only."""

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
    def asked(self) -> int:
        """Requests that came back one way or the other."""
        return self.answers + self.cached + self.failed


STOPPED = ItemError(STAGE, "not asked: the work was stopped")


class LiteLLM:
    """Safe to use from several threads. Raises MissingPartError if litellm is not installed."""

    def __init__(self, name: str, options: Options | None = None, cache: AnswerCache | None = None) -> None:
        if importlib.util.find_spec("litellm") is None:
            raise MissingPartError("litellm is not installed", "pip install 'graph_eval[llm]'")
        self.name = name
        self.options = options or Options()
        self.totals = Totals()
        self._cache = cache
        self._answered = False  # whether the model ever did
        self._open = False  # whether requests may go out side by side
        self._first = threading.Lock()

    @property
    def fingerprint(self) -> str:
        return f"{self.name}:{self.options.fingerprint}"

    def complete(self, requests: Sequence[Request]) -> list[Completion | ItemError]:
        """Answers in order; equal requests are asked once. Raises ModelError where no request could be answered."""
        keys = [self._key(request) for request in requests]
        found: dict[str, Completion | ItemError] = dict(
            self._cache.get(list(dict.fromkeys(keys))) if self._cache else {}
        )
        self.totals.add(cached=len(found))
        wanted = {key: request for key, request in zip(keys, requests, strict=True) if key not in found}
        found |= dict(zip(wanted, self._all(list(wanted.items())), strict=True))
        return [found[key] for key in keys]

    def _key(self, request: Request) -> str:
        schema = dict(request.schema) if request.schema else None
        return content_hash(self.fingerprint, request.messages, schema, request.logprobs)

    def _all(self, wanted: Sequence[tuple[str, Request]]) -> list[Completion | ItemError]:
        if not wanted:
            return []
        stop = threading.Event()
        pool = ThreadPoolExecutor(min(self.options.concurrency, len(wanted)), "model")
        waiting: list[Future[Completion | ItemError]] = []
        try:
            waiting = [pool.submit(self._asked, key, request, stop) for key, request in wanted]
            return [future.result() for future in waiting]
        except BaseException:
            # What is under way is paid for: it is awaited and kept in the cache. What has not begun never does.
            stop.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _asked(self, key: str, request: Request, stop: threading.Event) -> Completion | ItemError:
        try:
            with self._alone_at_first():
                if stop.is_set():
                    return STOPPED
                answer = self._tried(request, stop)
                self._open = True
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
    def _alone_at_first(self) -> Iterator[None]:
        """One request at a time until one has come back: a wrong key costs one try, not one a thread."""
        with contextlib.ExitStack() as held:
            if not self._open:
                held.enter_context(self._first)
                if self._open:
                    held.close()
            yield

    def _tried(self, request: Request, stop: threading.Event) -> Completion | ItemError:
        """The answer, after as many tries as allowed. Raises ModelError for what no request would survive."""
        arguments = self._arguments(request)
        tries = self.options.retries + 1
        for number in range(tries):
            self.totals.add(tries=1)
            try:
                return self._once(arguments)
            except TryError as problem:
                last = problem
            except RefusedError as problem:
                return ItemError(STAGE, f"{self.name}: {problem}")
            if number + 1 < tries:
                pause = last.pause if last.pause is not None else FIRST_PAUSE * 2**number * random.uniform(0.8, 1.2)  # noqa: S311
                if self._paused(min(pause, LONGEST_PAUSE), stop):
                    return STOPPED
        message = f"{self.name}: {last}; tried {tries} times"
        if last.unreachable and not self._open:
            raise ModelError(message, "is the server up, and --api-base right?")
        return ItemError(STAGE, message, "run it again: what was answered is not paid for twice")

    @staticmethod
    def _paused(seconds: float, stop: threading.Event) -> bool:
        """Waits; whether the work was stopped meanwhile."""
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
            arguments |= {"logprobs": True, "top_logprobs": LIKELIEST}
        if request.schema and self._keeps_to_schema():
            schema = {"name": "answer", "schema": dict(request.schema), "strict": True}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
        return arguments

    def _keeps_to_schema(self) -> bool:
        if self.options.structured == "auto":
            return bool(litellm().supports_response_schema(self.name))
        return self.options.structured == "on"

    def _parameters(self) -> Sequence[str]:
        return litellm().get_supported_openai_params(self.name) or ()

    def _once(self, arguments: dict[str, Any]) -> Completion:
        """One try. Raises TryError for what may be tried again, ModelError or RefusedError for what may not."""
        try:
            response = litellm().completion(**arguments)
        except Exception as problem:
            raise explained(problem, self.name, self._answered, bool(self.options.api_base)) from problem
        self._count(response)
        try:
            choice = response.choices[0]
            text = choice.message.content or ""
        except (AttributeError, IndexError):
            raise TryError("the answer has no content") from None
        if choice.finish_reason == "content_filter":
            raise RefusedError("the provider's content filter held the answer back")
        if not text.strip():
            raise TryError("the answer is empty")
        return Completion(text, tuple(tokens(choice)), choice.finish_reason == "length")

    def _count(self, response: Any) -> None:
        usage = getattr(response, "usage", None)
        with contextlib.suppress(Exception):  # a model that the price list lacks
            self.totals.add(dollars=litellm().completion_cost(response, model=self.name), priced=1)
        self.totals.add(
            prompt_tokens=getattr(usage, "prompt_tokens", 0) or 0,
            answer_tokens=getattr(usage, "completion_tokens", 0) or 0,
        )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without the warnings of litellm's own code."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@cache
def litellm() -> Any:
    """The library, told to send nothing that nobody asked for."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else importing it downloads a price list
    with _quiet():
        import litellm as library

        library.Message(content="", role="assistant")  # pydantic builds its schema at first use, and warns
    library.telemetry = False
    library.suppress_debug_info = True
    library.turn_off_message_logging = True
    for hooks in ("callbacks", "input_callback", "success_callback", "failure_callback", "service_callback"):
        setattr(library, hooks, [])
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return library


def tokens(choice: Any) -> Iterator[Token]:
    """The answer's tokens with their probabilities, where the provider gives them."""
    for item in getattr(getattr(choice, "logprobs", None), "content", None) or ():
        others = tuple((other.token, other.logprob) for other in item.top_logprobs or ())
        yield Token(item.token, item.logprob, others)


_opened: WeakValueDictionary[tuple[str, Options, str | None], LiteLLM] = WeakValueDictionary()
_opening = threading.Lock()


def as_model(model: str | Callable[[str], str] | LLM, settings: Settings | None = None) -> LLM:
    """A model by its litellm name, a function from a prompt to an answer, or anything that fits the seam.

    The same name with the same options is one client: extractor and checker share its limits and totals.
    """
    if not isinstance(model, str):
        return cast("LLM", model) if hasattr(model, "complete") else FunctionModel(model)
    settings = settings or Settings()
    options = Options.of(settings)
    with _opening:
        found = _opened.get((model, options, settings.llm.cache))
        if found is None:
            path = located(settings.llm.cache)
            found = LiteLLM(model, options, AnswerCache(path) if path else None)
            _opened[model, options, settings.llm.cache] = found
    return found
