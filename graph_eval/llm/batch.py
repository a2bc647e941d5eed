"""Requests by the batch API of a provider: one file of requests, which the provider answers within a day.

litellm uploads the file, starts the batch and downloads its answers. An answer belongs to the request with its
`custom_id`, which is the request's key in the cache; positions mean nothing. The cache also holds the ids of batches
that have been sent, so a run that is interrupted while it waits goes on with the same batches when it is started again.
"""

from __future__ import annotations

import inspect
import time
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graph_eval.errors import GraphEvalError, GraphEvalWarning, ModelError, UsageError
from graph_eval.llm.batch_lines import ENDPOINT, LineError, line, outcomes
from graph_eval.llm.cache import AnswerCache
from graph_eval.llm.faults import AGAIN, RefusedError, TransientError, classified, short
from graph_eval.llm.library import litellm, quiet
from graph_eval.llm.model import STAGE, Completion, Request
from graph_eval.llm.parameters import Parameters
from graph_eval.types import ItemError

FIRST_PAUSE, MAX_PAUSE = 1.0, 60.0  # seconds between two looks at a batch
GROWTH = 1.5  # of the pauses
LOOKS = 20  # failed attempts in a row to look at a batch, before the wait is given up
BUCKETS = ("bedrock", "vertex_ai")  # litellm reads and writes their files in storage buckets, in forms of their own
ENDED = {"completed": "has ended", "failed": "failed", "expired": "expired", "cancelled": "was cancelled"}
COLLECT = "run the command again to collect its answers"

OWN_ADDRESS = ("hosted_vllm", "litellm_proxy")  # litellm would send their batches to OpenAI otherwise


def require(model: str, cache: AnswerCache | None, api_base: str | None) -> None:
    """Raises UsageError if the requests to a model cannot be sent as a batch, ModelError for an unknown provider."""
    if cache is None:
        raise UsageError("--batch needs the answer cache, which holds the batches that were sent", "omit --cache off")
    library = litellm()
    try:
        with quiet():
            _, provider, _, base = library.get_llm_provider(model, api_base=api_base)
    except Exception as problem:
        raise classified(problem, model, custom_server=True) from problem
    known = [name for name in providers() if name not in BUCKETS]
    if provider not in known:
        why = "has its batches in a storage bucket" if provider in BUCKETS else "has no batch API in litellm"
        raise UsageError(f"--batch: {provider} {why}", f"omit --batch, or use a model of: {', '.join(known)}")
    if provider in OWN_ADDRESS and not base:
        raise UsageError(f"--batch: {provider} needs an address", "pass --api-base URL")


def providers() -> list[str]:
    """The providers whose batches litellm starts, as the signature of its function names them."""
    hints = typing.get_type_hints(inspect.unwrap(litellm().create_batch))
    return sorted(_texts(hints["custom_llm_provider"]))


def _texts(hint: object) -> Iterator[str]:
    """The texts of a Literal, also within a union."""
    if isinstance(hint, str):
        yield hint
    for argument in typing.get_args(hint):
        yield from _texts(argument)


@dataclass(frozen=True, slots=True)
class Batches:
    """The batches of one model.

    `connection`: arguments of every call of litellm. `arguments`: the model and messages of a request, among others.
    `wanted`: the parameters of a request that the model need not take. `read`: reads litellm's response; it raises
    TransientError or RefusedError for one without an answer. `tries`: attempts of a call that may be repeated.
    """

    model: str
    cache: AnswerCache
    connection: Mapping[str, Any]
    arguments: Callable[[Request], Mapping[str, Any]]
    wanted: Callable[[Request], Mapping[str, Any]]
    parameters: Parameters
    read: Callable[[Any], Completion]
    tries: int

    def complete(self, requests: Mapping[str, Request]) -> dict[str, Completion | ItemError]:
        """The answers, by key, which are also put into the cache.

        Requests of a batch that was sent earlier are not sent again. A request that is refused for a parameter is sent
        without it, in another batch.
        """
        answers: dict[str, Completion | ItemError] = {}
        left = dict(requests)
        while left:
            sent = self.cache.batches(list(left))
            answers |= self.cache.get([key for key in left if key not in sent])  # another run may have collected them
            new = {key: request for key, request in left.items() if key not in sent and key not in answers}
            if new:
                sent |= dict.fromkeys(new, self._start(new))
            left = {}
            for batch in dict.fromkeys(sent.values()):
                own = {key: requests[key] for key in sent if sent[key] == batch}
                parameters = {key: self._sent_parameters(request) for key, request in own.items()}
                found = self._collected(batch)
                for key, request in own.items():
                    outcome = found.get(key) or found[""]
                    if isinstance(outcome, LineError) and self.parameters.refuse(outcome, parameters[key]):
                        left[key] = request
                        continue
                    answers[key] = answer = self._answer(batch, outcome)
                    if isinstance(answer, Completion):
                        self.cache.put(key, self.model, answer)
                self.cache.forget_batches(list(own))
        return answers

    def _sent_parameters(self, request: Request) -> dict[str, Any]:
        return self.parameters.accepted(self.wanted(request))

    def _start(self, requests: Mapping[str, Request]) -> str:
        """Sends a batch. Returns its id, which is kept in the cache."""
        data = ""
        for key, request in requests.items():
            data += line(key, self.model, self.arguments(request)["messages"], self._sent_parameters(request))
        try:
            file = self._call("create_file", self.tries, file=("requests.jsonl", data.encode()), purpose="batch")
            # Only once: after a lost answer the batch may be there all the same.
            batch = self._call(
                "create_batch", 1, input_file_id=file.id, endpoint=ENDPOINT, completion_window="24h", model=self.model
            )
        except (TransientError, RefusedError, GraphEvalError) as problem:
            hint = getattr(problem, "hint", None) or "run the command again"
            message = f"{self.model}: the batch cannot be sent: {self._message(problem)}"
            raise ModelError(message, f"{hint}; or omit --batch") from problem
        self.cache.add_batch(batch.id, list(requests))
        return str(batch.id)

    def _collected(self, batch: str) -> dict[str, Any]:
        """The outcomes of a batch by key, after it has ended; under "" that of a request without one."""
        try:
            ended = self._ended(batch)
            found: dict[str, Any] = {}
            for file in (ended.output_file_id, ended.error_file_id):
                if file:
                    content = self._call("file_content", self.tries, file_id=file).content
                    for key, outcome in outcomes(content.decode("utf-8", "replace")):
                        found.setdefault(key, outcome)
        except (TransientError, RefusedError, GraphEvalError) as problem:
            message = f"{self.model}: the answers of batch {batch} cannot be collected: {self._message(problem)}"
            hint = f"{hint}, and then {COLLECT}" if (hint := getattr(problem, "hint", None)) else COLLECT
            raise ModelError(message, f"{hint}; graph-eval cache clear forgets the batch") from problem
        except KeyboardInterrupt:
            waiting = f"{self.model}: batch {batch} goes on at the provider; {COLLECT}"
            warnings.warn(waiting, GraphEvalWarning, stacklevel=2)
            raise
        reasons = [error.message for error in getattr(ended.errors, "data", None) or () if error.message]
        why = f": {short('; '.join(reasons))}" if reasons else ", without an answer to this request"
        return found | {"": LineError(f"batch {batch} {ENDED[ended.status]}{why}", None)}

    def _ended(self, batch: str) -> Any:
        """The batch, after it has ended."""
        pause = FIRST_PAUSE
        while True:
            found = self._call("retrieve_batch", max(LOOKS, self.tries), batch_id=batch, model=self.model)
            if found.status in ENDED:
                return found
            time.sleep(pause)
            pause = min(pause * GROWTH, MAX_PAUSE)

    def _call(self, function: str, tries: int, **arguments: Any) -> Any:
        """Calls litellm. Raises TransientError after that many tries, RefusedError or ModelError at once."""
        library = litellm()
        with quiet():
            _, provider, key, base = library.get_llm_provider(self.model, api_base=self.connection.get("api_base"))
        found = {name: value for name, value in (("api_key", key), ("api_base", base)) if value}
        pause = FIRST_PAUSE
        while True:
            try:
                return getattr(library, function)(
                    custom_llm_provider=provider, **{**found, **self.connection}, **arguments
                )
            except Exception as problem:
                reason = classified(problem, self.model, bool(self.connection.get("api_base")))
                tries -= 1
                if not tries or not isinstance(reason, TransientError):
                    raise reason from problem
            time.sleep(min(pause if reason.pause is None else reason.pause, MAX_PAUSE))
            pause = min(pause * GROWTH, MAX_PAUSE)

    def _answer(self, batch: str, outcome: Any) -> Completion | ItemError:
        """The answer, or the error, of one request. `outcome`: the JSON of an answer, or a LineError."""
        library = litellm()
        try:
            if isinstance(outcome, LineError):
                raise classified(outcome, self.model, custom_server=True)
            response = library.utils.convert_to_model_response_object(
                response_object=outcome, model_response_object=library.ModelResponse()
            )
            return self.read(response)
        except (TransientError, RefusedError, GraphEvalError) as problem:
            return ItemError(STAGE, f"{self.model}: {self._message(problem)}", getattr(problem, "hint", None) or AGAIN)
        except Exception as problem:
            return ItemError(
                STAGE, f"{self.model}: an answer of batch {batch} cannot be read: {short(str(problem))}", AGAIN
            )

    def _message(self, problem: Exception) -> str:
        """The message of a problem without the name of the model."""
        return getattr(problem, "message", str(problem)).removeprefix(f"{self.model}: ")
