"""How a model is asked: sampling, limits, and what is tried again."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from graph_eval.errors import SettingsError
from graph_eval.settings import Settings
from graph_eval.types import content_hash

# GraphEval (arXiv 2407.10793, section 6) asks Claude 2 with these.
PRESETS: dict[str, dict[str, Any]] = {"grapheval": {"temperature": 1.0, "top_p": 1.0, "top_k": 250}}
SAMPLING = ("temperature", "top_p", "top_k", "max_tokens", "seed")


@dataclass(frozen=True, slots=True)
class Options:
    """None leaves a value to the provider. `timeout` in seconds a try, `retries` beyond the first try, `concurrency`
    requests at once. `structured`: answers by JSON Schema "on", "off", or "auto": where litellm knows that the model
    can."""

    temperature: float | None = 0.0
    top_p: float | None = None
    top_k: int | None = None
    max_tokens: int | None = None
    seed: int | None = None
    api_base: str | None = None
    structured: str = "auto"
    timeout: float = 120.0
    retries: int = 4
    concurrency: int = 32

    @classmethod
    def of(cls, settings: Settings) -> Options:
        """The preset's values, those that were set in their place. Raises SettingsError for an unknown preset."""
        values: dict[str, Any] = {}
        if settings.llm.preset is not None:
            if settings.llm.preset not in PRESETS:
                raise SettingsError(f"there is no preset {settings.llm.preset!r}", f"known: {', '.join(PRESETS)}")
            values |= PRESETS[settings.llm.preset]
        values |= {name: value for name in SAMPLING if (value := settings.get(name)) is not None}
        rest = ("api_base", "structured", "timeout", "retries", "concurrency")
        return cls(**values, **{name: settings.get(name) for name in rest})

    def sampling(self) -> dict[str, Any]:
        """What goes into every request."""
        return {name: value for name in SAMPLING if (value := getattr(self, name)) is not None}

    @property
    def fingerprint(self) -> str:
        """Of what may change an answer."""
        values = asdict(self)
        return content_hash({name: values[name] for name in (*SAMPLING, "api_base", "structured")})
