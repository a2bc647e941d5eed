"""litellm, imported at first use, with its telemetry, callbacks and download of price lists off."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import warnings
from collections.abc import Iterator
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

        library.Message(content="", role="assistant")  # pydantic warns when it builds this schema at first use
    library.telemetry = False
    library.suppress_debug_info = True
    library.turn_off_message_logging = True
    for hooks in ("callbacks", "input_callback", "success_callback", "failure_callback", "service_callback"):
        setattr(library, hooks, [])
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return library
