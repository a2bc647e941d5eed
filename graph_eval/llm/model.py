"""The seam of language models, and how a plain function fits it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from graph_eval.errors import GraphEvalError
from graph_eval.types import ItemError, content_hash

STAGE = "model"


class Message(NamedTuple):
    role: str  # system, user or assistant
    content: str


class Token(NamedTuple):
    """A token of an answer, its log probability, and the likeliest tokens in its place with theirs."""

    text: str
    logprob: float
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked. `schema`: the JSON Schema of the answer, for models that can keep to one."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = field(default=None, hash=False)
    logprobs: bool = False

    def followed_by(self, answer: str, reply: str) -> Request:
        """The request that goes on after the answer."""
        more = (Message("assistant", answer), Message("user", reply))
        return Request((*self.messages, *more), self.schema, self.logprobs)


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer. `truncated`: it ends where the model ran out of tokens."""

    text: str
    tokens: tuple[Token, ...] = ()
    truncated: bool = False


class LLM(Protocol):
    """`fingerprint` changes whenever the same request could be answered by another model or in another manner."""

    @property
    def fingerprint(self) -> str: ...

    def complete(self, requests: Sequence[Request]) -> list[Completion | ItemError]:
        """One entry a request, in order."""
        ...


class FunctionModel:
    """A function from a prompt to an answer, as a model. The prompt is all messages, joined by empty lines."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self._function = function
        name = getattr(function, "__qualname__", type(function).__qualname__)
        self.fingerprint = content_hash("function", getattr(function, "__module__", ""), name)

    def complete(self, requests: Sequence[Request]) -> list[Completion | ItemError]:
        return [self._one(request) for request in requests]

    def _one(self, request: Request) -> Completion | ItemError:
        try:
            return Completion(str(self._function("\n\n".join(message.content for message in request.messages))))
        except GraphEvalError:
            raise
        except Exception as problem:
            return ItemError(STAGE, f"{type(problem).__name__}: {problem}")
