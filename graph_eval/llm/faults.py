"""Classifies the errors of a provider: worth a retry, an error of one request, or an error of every request."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from graph_eval.errors import ModelError
from graph_eval.settings import without_secrets

REQUEST_ERRORS = frozenset({"ContextWindowExceededError", "ContentPolicyViolationError"})  # status 400, of one text
UNPAID = 402  # the status of an account without credit
PERMANENT_STATUSES = frozenset({400, 405, 413, 422})  # a retry gives the same answer
AGAIN = "run the command again, with a new -o: cached answers are not requested again"  # the hint of an error
KEY_NAMES = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")  # ends of the names of variables with secrets
LEAST_KEY = 8  # characters of a secret: a shorter one may be any word
MAX_MESSAGE = 500  # characters of a provider's error
KEY = re.compile(r"key|credential|token|authenticat|environment", re.IGNORECASE)  # what an error of a missing key names
NAMED_KEY = re.compile(r"\b[A-Z][A-Z0-9_]{1,40}_API_KEY\b")
# A quota that a wait does not fill again, unless the message says when to retry
QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|credit balance is too low", re.IGNORECASE)
RETRY = re.compile(r"retry (?:in|after)|retrydelay", re.IGNORECASE)
# Providers whose variables are not named PROVIDER_API_KEY.
VARIABLES = {
    "azure": "AZURE_API_KEY, AZURE_API_BASE and AZURE_API_VERSION",
    "azure_ai": "AZURE_AI_API_KEY and AZURE_AI_API_BASE",
    "bedrock": "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION_NAME",
    "sagemaker": "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION_NAME",
    "vertex_ai": "GOOGLE_APPLICATION_CREDENTIALS, VERTEXAI_PROJECT and VERTEXAI_LOCATION",
    "hosted_vllm": "HOSTED_VLLM_API_KEY (and --api-base)",
}


class TransientError(Exception):
    """An attempt that may be repeated. `pause`: seconds to wait, if the server named them. `unreachable`: the server
    sent no answer at all."""

    def __init__(self, message: str, pause: float | None = None, unreachable: bool = False) -> None:
        super().__init__(message)
        self.pause = pause
        self.unreachable = unreachable


class RefusedError(Exception):
    """A request that has no answer and gets none by a retry, where others may succeed. `hint`: what to change."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def provider(model: str) -> str:
    return model.split("/")[0] if "/" in model else "openai"


def key_variable(model: str) -> str | None:
    """The environment variable with the key. None for a provider that needs several variables."""
    return None if provider(model) in VARIABLES else f"{provider(model).upper()}_API_KEY"


def variables(model: str) -> str:
    """The environment variables that a model's provider needs, in words."""
    return VARIABLES.get(provider(model)) or str(key_variable(model))


def classified(problem: Exception, model: str, custom_server: bool) -> Exception:
    """The TransientError, RefusedError or ModelError that an exception of litellm means.

    Only a missing or refused key, an unknown model or provider, and a missing package concern every request.
    `custom_server`: whether an API base is set; such servers may need no key.
    """
    kind, status = type(problem).__name__, getattr(problem, "status_code", None)
    headers = headers_of(problem)
    message = f"{model}: {short(str(problem))}"
    if kind in REQUEST_ERRORS:
        return RefusedError(short(str(problem)))
    if isinstance(problem, ImportError) or (status != 408 and "pip install" in str(problem)):
        return ModelError(message, f"install the packages that {provider(model)} needs")
    if "LLM Provider NOT provided" in str(problem):
        return ModelError(f"{model}: unknown provider", "write PROVIDER/MODEL, e.g. openai/gpt-4o-mini")
    if "Missing credentials" in str(problem):
        return ModelError(f"{model}: missing credentials", f"set {variables(model)}")
    variable = key_variable(model)
    if not headers and variable and not os.environ.get(variable) and not custom_server and KEY.search(str(problem)):
        named = NAMED_KEY.search(str(problem))
        return ModelError(message, f"set {named[0] if named else variables(model)}")
    if status in (401, 403):
        return ModelError(message, f"set {variables(model)} to a key that has access to this model")
    if status == 404:
        return ModelError(message, f"check the model's name, --api-base (GRAPH_EVAL_API_BASE) and {variables(model)}")
    if status in PERMANENT_STATUSES:
        return RefusedError(short(str(problem)), "omit options that the model does not accept, or shorten the texts")
    exhausted = QUOTA.search(str(problem)) and retry_after(headers) is None and not RETRY.search(str(problem))
    if exhausted or status == UNPAID:
        return RefusedError(short(str(problem)), "check the plan and the billing of the account")
    if kind == "Timeout":
        return TransientError("the request timed out")
    return TransientError(
        short(str(problem)), retry_after(headers), unreachable=not headers and _is_of_connection(problem)
    )


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    """The exception and those that it comes from."""
    while problem is not None:
        yield problem
        problem = problem.__cause__ or problem.__context__


def _is_of_connection(problem: BaseException) -> bool:
    """Whether no server answered. An answer that cannot be read is an exception without headers too."""
    kinds = {kind.__name__ for cause in _causes(problem) for kind in type(cause).__mro__}
    return not kinds.isdisjoint({"OSError", "TransportError"})  # of Python, and of httpx


def headers_of(problem: BaseException | None) -> Mapping[str, str]:
    """The headers of the server's answer, which litellm keeps on a cause of its exception; empty if there was none."""
    for cause in _causes(problem):
        for holder in (cause, getattr(cause, "response", None)):
            if headers := getattr(holder, "headers", None):
                values: Mapping[str, str] = headers
                return values
    return {}


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds to wait that the header Retry-After names, as a number or as a date; None without a valid one."""
    value = headers.get("retry-after")
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None


def short(message: str) -> str:
    """An error message as one line of limited length, without litellm's own prefixes and without secrets."""
    line = " ".join(message.partition("Traceback (most recent call last)")[0].split())
    for value in {value for name, value in os.environ.items() if name.endswith(KEY_NAMES) and len(value) >= LEAST_KEY}:
        line = line.replace(value, "***")
    line = without_secrets(line)
    while (cut := re.match(r"(?:litellm\.)?\w*(?:Error|Exception|Timeout)(?: -|:) ", line)) and cut.end() < len(line):
        line = line[cut.end() :]
    return line if len(line) <= MAX_MESSAGE else line[:MAX_MESSAGE] + "…"
