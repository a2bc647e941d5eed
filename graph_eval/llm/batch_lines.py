"""The lines of the files of a batch: a request is a line of JSON, and so is its answer or its error."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from graph_eval.llm.library import body, litellm

ENDPOINT = "/v1/chat/completions"
OK = 200  # HTTP status


class LineError(Exception):
    """The provider's error of one request of a batch. `status_code`: as of an exception of litellm, or None."""

    def __init__(self, message: str, status_code: object) -> None:
        super().__init__(message)
        self.status_code = status_code


def line(key: str, model: str, messages: list[dict[str, str]], parameters: Mapping[str, Any]) -> str:
    """The line of a request, with its end. Its answer has the same key."""
    value = {"custom_id": key, "method": "POST", "url": ENDPOINT, "body": body(model, messages, parameters)}
    return json.dumps(value) + "\n"


def outcomes(text: str) -> Iterator[tuple[str, Any]]:
    """(custom_id, the JSON of an answer or a LineError) of the lines of a batch's file. Other lines are left out."""
    for written in text.split("\n"):
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
            value = json.loads(written)
            yield str(value["custom_id"]), _outcome(value.get("response") or {}, value.get("error"))


def _outcome(response: Mapping[str, Any], error: Any) -> Any:
    status, found = response.get("status_code"), response.get("body")
    if not error and isinstance(found, dict) and status in (OK, None) and not found.get("error"):
        return found
    reason = error or found
    while isinstance(reason, dict):
        reason = reason.get("error") or reason.get("message") or json.dumps(reason)
    return LineError(str(reason or "the provider gave no answer and no reason"), status)


def dollars(usage: Any, model: str) -> float:
    """The cost of an answer of a batch. Raises an exception of litellm for a model without a price."""
    library = litellm()
    library.get_model_info(model)
    return float(sum(library.cost_calculator.batch_cost_calculator(usage, model)))
