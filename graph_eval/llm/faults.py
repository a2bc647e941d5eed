"""What goes wrong between here and a provider: to be tried again, this request's fault, or everybody's."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from graph_eval.errors import ModelError

OF_ITEM = frozenset({"ContextWindowExceededError", "ContentPolicyViolationError"})  # 400s that speak of one text
REFUSED = frozenset({400, 401, 403, 404, 405, 413, 422})  # asking again changes nothing
LONGEST_MESSAGE = 500  # characters of a provider's error
# Providers whose variables do not follow PROVIDER_API_KEY.
VARIABLES = {
    "azure": "AZURE_API_KEY, AZURE_API_BASE and AZURE_API_VERSION",
    "azure_ai": "AZURE_AI_API_KEY and AZURE_AI_API_BASE",
    "bedrock": "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION_NAME",
    "sagemaker": "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION_NAME",
    "vertex_ai": "GOOGLE_APPLICATION_CREDENTIALS, VERTEXAI_PROJECT and VERTEXAI_LOCATION",
    "hosted_vllm": "HOSTED_VLLM_API_KEY (and --api-base)",
}


class TryError(Exception):
    """A try that may be repeated, after `pause` seconds if the server said so."""

    def __init__(self, message: str, pause: float | None = None, unreachable: bool = False) -> None:
        super().__init__(message)
        self.pause = pause
        self.unreachable = unreachable


class RefusedError(Exception):
    """A refusal of this one request."""


def provider(model: str) -> str:
    return model.split("/")[0] if "/" in model else "openai"


def key_variable(model: str) -> str | None:
    """The variable that holds the key, where one is enough."""
    return None if provider(model) in VARIABLES else f"{provider(model).upper()}_API_KEY"


def variables(model: str) -> str:
    """The variables that say who asks, in words."""
    return VARIABLES.get(provider(model)) or str(key_variable(model))


def explained(problem: Exception, model: str, answered: bool, own_server: bool) -> Exception:
    """What an exception of litellm means: try again, leave this request, or give up."""
    kind, status = type(problem).__name__, getattr(problem, "status_code", None)
    headers = headers_of(problem)
    said = f"{model}: {short(str(problem))}"
    if kind in OF_ITEM:
        return RefusedError(short(str(problem)))
    if isinstance(problem, ImportError) or (status != 408 and "pip install" in str(problem)):
        return ModelError(said, f"install what {provider(model)} needs")
    if kind == "UnsupportedParamsError":
        return ModelError(said, "leave that option out, or choose a value that the model takes")
    variable = key_variable(model)
    if not headers and variable and not os.environ.get(variable) and not own_server:
        return ModelError(said, f"set {variables(model)}")
    if status in (401, 403):
        return ModelError(said, f"set {variables(model)} to a key that may use this model")
    if status == 404:
        return ModelError(said, f"is the model's name right? --api-base (GRAPH_EVAL_API_BASE)? {variables(model)}?")
    if status in REFUSED:
        if answered:
            return RefusedError(short(str(problem)))
        return ModelError(said, f"is {variables(model)} of this provider, and does it take every option that is set?")
    if kind == "Timeout":
        return TryError("no answer in time")
    return TryError(short(str(problem)), retry_after(headers), unreachable=not headers)


def headers_of(problem: BaseException | None) -> Mapping[str, str]:
    """The headers of the server's answer, which litellm leaves on some cause of its exception; none if none came."""
    while problem is not None:
        for holder in (problem, getattr(problem, "response", None)):
            if headers := getattr(holder, "headers", None):
                found: Mapping[str, str] = headers
                return found
        problem = problem.__cause__ or problem.__context__
    return {}


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds until the server wants to be asked again: Retry-After holds them, or a date."""
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
    """One line, without litellm's own prefixes."""
    line = " ".join(message.split())
    while (cut := re.match(r"(?:litellm\.)?\w*(?:Error|Exception|Timeout)(?: -|:) ", line)) and cut.end() < len(line):
        line = line[cut.end() :]
    return line if len(line) <= LONGEST_MESSAGE else line[:LONGEST_MESSAGE] + "…"
