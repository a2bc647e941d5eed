"""The interface of a language model (`LLM`), and the adapter that makes a plain function one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from graph_eval.errors import GraphEvalError
from graph_eval.fingerprints import fingerprint_of
from graph_eval.isolation import failure, logger
from graph_eval.types import ItemError, writable

STAGE = "model"
EXPECTED = "return a Completion, or an ItemError, for each request"


class Message(NamedTuple):
    """`role`: system, user or assistant. `shared`: the length of the beginning that requests about the same texts have
    in common, in characters."""

    role: str
    content: str
    shared: int = 0


class Token(NamedTuple):
    """A token and its log probability. `alternatives`: the most likely tokens at the same place, with theirs."""

    text: str
    logprob: float
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model. `schema`: the JSON Schema of the answer, for models that support structured output.

    `logprobs`: whether log probabilities of the tokens are requested. `caches`: whether the provider is asked to cache
    the shared beginning, because other requests follow that have it too. `draw`: the number of a sample. Requests with
    different numbers are sent and cached apart, although the model is asked the same.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = field(default=None, hash=False)
    logprobs: bool = False
    caches: bool = False
    draw: int = 0

    @property
    def beginning(self) -> tuple[str, ...] | None:
        """The texts up to the end of the first shared part, or None without one."""
        for place, message in enumerate(self.messages):
            if message.shared:
                before = (earlier.content for earlier in self.messages[:place])
                return (*before, message.content[: message.shared])
        return None

    def followed_by(self, answer: str, reply: str) -> Request:
        """The request that continues this conversation after `answer` with the user's `reply`."""
        turns = (Message("assistant", answer), Message("user", reply))
        return replace(self, messages=(*self.messages, *turns))


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer. `truncated`: it was cut off at the token limit."""

    text: str
    tokens: tuple[Token, ...] = ()
    truncated: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", writable(self.text))


class LLM(Protocol):
    """A language model. Implementations must be safe to call from several threads.

    `fingerprint` identifies the model and its options: it changes when the same request could get another answer. A
    class with the attribute `stoppable = True` takes `stop`, an event, as the second argument of `complete`: once it is
    set, nothing more is sent. `graph_eval.testing.models.LLMContract` tests an implementation.
    """

    @property
    def fingerprint(self) -> str: ...

    def complete(self, requests: Sequence[Request]) -> list[Completion | ItemError]:
        """One entry for each request, in order. A request that failed gives an ItemError.

        Raises ModelError where no request can succeed, e.g. without a valid key.
        """
        ...


def completed(
    model: LLM, requests: Sequence[Request], stop: threading.Event | None = None
) -> list[Completion | ItemError]:
    """What a model of any class returns, one entry for each request. Anything else is an error of the request.

    `stop`: ends the work of a model that can be stopped: it sends no further request, and tries none again.
    """
    if not requests:
        return []
    stopping = {"stop": stop} if stop is not None and getattr(model, "stoppable", False) else {}
    found: Any = model.complete(requests, **stopping)
    answers = None if isinstance(found, str) or not isinstance(found, Iterable) else list(found)
    if answers is None or len(answers) != len(requests):
        what = _named(found) if answers is None else f"{len(answers)} answers"
        count = "1 request" if len(requests) == 1 else f"{len(requests)} requests"
        return [ItemError(STAGE, f"the model returned {what} for {count}", EXPECTED)] * len(requests)
    return [
        answer
        if isinstance(answer, Completion | ItemError)
        else ItemError(STAGE, f"the model returned {_named(answer)} as an answer", EXPECTED)
        for answer in answers
    ]


def _named(value: object) -> str:
    return "None" if value is None else f"an object of type {type(value).__name__}"


class FunctionModel:
    """A function from a prompt to an answer, as a model. The prompt is all messages, joined by empty lines.

    The function is called by every thread that uses the model. The model can be pickled if the function can.
    """

    def __init__(self, function: Callable[[str], str]) -> None:
        self._function = function
        self.fingerprint = fingerprint_of(function)

    def __reduce__(self) -> tuple[Any, ...]:
        return FunctionModel, (self._function,), {"fingerprint": self.fingerprint}

    def complete(self, requests: Sequence[Request]) -> list[Completion | ItemError]:
        return [self._complete_one(request) for request in requests]

    def _complete_one(self, request: Request) -> Completion | ItemError:
        prompt = "\n\n".join(message.content for message in request.messages)
        try:
            answer = self._function(prompt)
            if answer is None:  # str() would make the answer "None" of it
                return ItemError(STAGE, "the function of the model returned None", "return the answer as a text")
            return Completion(str(answer))
        except GraphEvalError:
            raise
        except Exception as problem:
            logger.exception("the function of a model failed")
            return failure(STAGE, problem)
