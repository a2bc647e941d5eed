"""litellm, imported at first use, with its telemetry, callbacks and download of price lists off."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

_filters = threading.Lock()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Hides warnings of litellm's code. One thread at a time, because warning filters are global in the process."""
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@cache
def litellm() -> Any:
    """The library, configured to send nothing but the requests themselves."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # otherwise the import downloads a price list
    with quiet():
        import litellm as library

        # Pydantic warns when it builds these schemas at first use, which is later and in any thread.
        library.Message(content="", role="assistant")
        with contextlib.suppress(ImportError):  # newer versions import it at the first request
            importlib.import_module("litellm.llms.github_copilot.per_user_auth")
    library.telemetry = False
    library.suppress_debug_info = True
    library.turn_off_message_logging = True
    for hooks in ("callbacks", "input_callback", "success_callback", "failure_callback", "service_callback"):
        setattr(library, hooks, [])
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return library


def mapped(model: str, parameters: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """(model, provider, parameters), named as the provider names them. Raises an exception of litellm for those that it
    cannot map."""
    library = litellm()
    with quiet():
        name, provider, _, _ = library.get_llm_provider(model)
        return name, provider, library.utils.get_optional_params(model=name, custom_llm_provider=provider, **parameters)


def body(model: str, messages: Sequence[Mapping[str, Any]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON of a direct request, by litellm's own conversion. Raises an exception for a provider that has none."""
    library = litellm()
    name, provider, own = mapped(model, parameters)
    with quiet():
        config = library.utils.ProviderConfigManager.get_provider_chat_config(
            model=name, provider=library.LlmProviders(provider)
        )
        found: dict[str, Any] = config.transform_request(
            model=name, messages=messages, optional_params=own, litellm_params={}, headers={}
        )
    found |= found.pop("extra_body", None) or {}
    found.pop("stream", None)
    return found
