"""The options of model calls: sampling, limits and retries."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from graph_eval.errors import SettingsError
from graph_eval.settings import Settings
from graph_eval.types import content_hash

# The sampling of Claude 2 in GraphEval (arXiv 2407.10793, section 6).
PRESETS: dict[str, dict[str, Any]] = {"grapheval": {"temperature": 1.0, "top_p": 1.0, "top_k": 250}}
SAMPLING = ("temperature", "top_p", "top_k", "max_tokens", "seed", "reasoning_effort")


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a model. None means the provider's default. What a model does not take is left out of its requests.

    `reasoning_effort`: none to xhigh, as litellm has it. `native`: parameters of a preset, which are sent only where
    the provider has them.
    `timeout`: seconds for one attempt. `retries`: attempts after the first one. `concurrency`: requests at the same
    time. `structured`: answers by JSON Schema "on", "off", or "auto": on where litellm lists the model as capable.
    `batch`: whether requests are sent by the provider's batch API.
    """

    temperature: float | None = 0.0
    top_p: float | None = None
    top_k: int | None = None
    max_tokens: int | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    native: tuple[str, ...] = ()
    api_base: str | None = None
    structured: str = "auto"
    timeout: float = 120.0
    retries: int = 4
    concurrency: int = 32
    batch: bool = False

    @classmethod
    def of(cls, settings: Settings) -> Options:
        """The preset's values, overridden by those that are set. Raises SettingsError for an unknown preset."""
        values: dict[str, Any] = {}
        if settings.llm.preset is not None:
            if settings.llm.preset not in PRESETS:
                raise SettingsError(f"unknown preset {settings.llm.preset!r}", f"known presets: {', '.join(PRESETS)}")
            values |= PRESETS[settings.llm.preset]
        own = {name: value for name in SAMPLING if (value := settings.get(name)) is not None}
        native = tuple(name for name in values if name not in own)
        values |= own
        others = ("api_base", "structured", "timeout", "retries", "concurrency", "batch")
        return cls(**values, native=native, **{name: settings.get(name) for name in others})

    def sampling(self) -> dict[str, Any]:
        """The sampling parameters of every request."""
        return {name: value for name in SAMPLING if (value := getattr(self, name)) is not None}

    @property
    def fingerprint(self) -> str:
        """A hash of the options that could change an answer."""
        values = asdict(self)
        return content_hash({name: values[name] for name in (*SAMPLING, "api_base", "structured")})
