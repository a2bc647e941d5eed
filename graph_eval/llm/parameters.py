"""The parameters of a request that a model takes: by litellm's own mapping, and by what its server has refused.

Nothing is assumed from a model's name. A parameter that litellm cannot map to the provider is left out. litellm does
not know every model and deployment: a parameter that the server names in its refusal is left out of all further
requests.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from typing import Any

from graph_eval.llm.library import body, litellm, mapped

REPLACEMENTS = {"max_tokens": "max_completion_tokens"}  # sent instead of a parameter that was refused
CACHE_MARK = "cache_control"  # on the part of a message up to which the provider is to cache a prompt
PAIR = ("logprobs", "top_logprobs")  # neither is of use without the other
REFUSING = (400, 422)  # statuses of a refusal
NEAR = 60  # characters between a parameter's name and the words that refuse it
# Earlier ones are kept where two exclude each other: models that reason take no temperature.
ORDER = "reasoning_effort response_format max_tokens seed logprobs top_logprobs temperature top_p top_k".split()
REFUSAL = re.compile(
    r"unsupported|(?:not|n['’]t) (?:be )?(?:support|allow|permit|accept|available|compatible)|unrecogni[sz]ed"
    r"|unexpected|unknown|deprecated|no longer|extra (?:input|field)|invalid (?:param|arg|field|value)|only the default"
    r"|extraneous|incompatible|cannot be (?:used|set|specified)|must be (?:1\b|unset|omitted)",
    re.IGNORECASE,
)


class Parameters:
    """Those of one model. Safe to use from several threads.

    `native`: parameters that are sent only where the provider has them itself, as a preset's.
    """

    def __init__(self, model: str, native: frozenset[str] = frozenset()) -> None:
        self._model = model
        self._native = native
        self._refused: dict[str, None] = {}
        self._left_out: dict[str, None] = {}
        self._known: dict[str, dict[str, Any]] = {}
        self._marks: bool | None = None
        self._lock = threading.Lock()

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of the parameters that were wanted and not sent."""
        return tuple(self._left_out)

    def accepted(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters to send, of those that are wanted."""
        key = repr(sorted(wanted.items()))
        with self._lock:
            if key not in self._known:
                self._known[key] = self._accepted(wanted)
            return dict(self._known[key])

    @property
    def cache_marks(self) -> bool:
        """Whether litellm passes marks of what to cache on to the provider, and the server has not refused them."""
        if self._marks is None:
            self._marks = self._passes_marks_on()
        return self._marks and CACHE_MARK not in self._refused

    def refuse(self, problem: BaseException | None, sent: Iterable[str]) -> bool:
        """Reads the server's refusal of a request, an exception of litellm. `sent`: the names of its parameters.

        Returns whether it names a parameter that is now left out.
        """
        if getattr(problem, "status_code", None) not in REFUSING:
            return False
        known = (*ORDER, *REPLACEMENTS.values(), CACHE_MARK)
        named = [name for name in sent if name in known and _refuses(str(problem), name)]
        with self._lock:
            # Another thread may have read the same refusal first: the request is worth sending again all the same.
            self._refused |= dict.fromkeys(named)
            self._known.clear()
        return bool(named)

    def _accepted(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name in sorted(wanted, key=ORDER.index):
            sent = REPLACEMENTS.get(name, name) if name in self._refused else name
            if sent not in self._refused and self._maps({**found, sent: wanted[name]}, sent):
                found[sent] = wanted[name]
        if not all(name in found for name in PAIR):
            found = {name: value for name, value in found.items() if name not in PAIR}
        self._left_out |= dict.fromkeys(
            name for name in wanted if name not in found and REPLACEMENTS.get(name) not in found
        )
        return found

    def _passes_marks_on(self) -> bool:
        """Whether a mark survives litellm's own conversion of a request."""
        part = {"type": "text", "text": "x", CACHE_MARK: {"type": "ephemeral"}}
        message = {"role": "user", "content": [part, {"type": "text", "text": "y"}]}
        try:
            converted = body(self._model, [message], {})
        except Exception:  # a provider that litellm does not know, or whose conversion is not a function: no marks
            return False
        return any(name in repr(converted) for name in (CACHE_MARK, "cachePoint"))

    def _maps(self, parameters: Mapping[str, Any], name: str) -> bool:
        """Whether litellm can map the parameters to the provider; for one that has to be native: to its own."""
        library = litellm()
        try:
            own = mapped(self._model, parameters)[-1]
        except library.UnsupportedParamsError:
            return False
        except library.BadRequestError:  # an unknown provider: the request itself will say so
            return True
        return name not in self._native or name not in own.get("extra_body", {})


def _refuses(message: str, name: str) -> bool:
    """Whether the message refuses the parameter, also as providers write it ("topLogprobs"): in quotation marks, or
    near the words that refuse."""
    folded = message.lower().replace("_", "")
    words = list(REFUSAL.finditer(folded))
    for place in re.finditer(rf"(?<![a-z]){name.replace('_', '')}(?![a-z])", folded):
        quoted = folded[place.start() - 1 : place.start()] in tuple("'\"`‘“") and words
        if quoted or any(place.start() - NEAR < word.end() and word.start() < place.end() + NEAR for word in words):
            return True
    return False
