"""One place for every setting: flag > GRAPH_EVAL_* variable > graph-eval.toml > default.

graph-eval.toml is looked for in the current folder and holds the names of `Settings` at its top level.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from graph_eval.errors import SettingsError

FILE = "graph-eval.toml"
PREFIX = "GRAPH_EVAL_"
OTHER_VARIABLES = frozenset({"GRAPH_EVAL_REQUIRE"})  # read by the test-suite, not a setting


ExtractMode = Literal["grapheval", "triplets", "subsentences"]
CheckMode = Literal["joint", "single"]
Ensemble = Literal["mean", "vote", "any"]
Structured = Literal["auto", "on", "off"]
OnUnsupported = Literal["keep", "drop", "hedge"]
Dtype = Literal["auto", "float32", "bfloat16", "float16", "int8"]


@dataclass(frozen=True, slots=True)
class Settings:
    """`threshold`: a probability, or the name of one that the checker brings; None means its own. `threads` 0 means
    one a core.

    Of language models, where one is used: `api_base` to `concurrency` as in `llm.options.Options`; `prompts`: a folder
    of templates that replace the package's; `cache`: the file of cached answers, or "off"; `extract_mode`,
    `part_words` (a longer response is read in parts), `check_mode`, `check_batch` (claims a joint call, 0: all).
    `ensemble`: how several checkers become one verdict.

    Of published checkers: `device`, `dtype` and `batch_tokens` as in `check.hf.engine.Engine`.

    Of correction: `second_checker` has to accept an edit too; `on_unsupported`: what becomes of a claim that the
    context says nothing about; `tries`: proposals a claim; `rounds`: until nothing is flagged or nothing changes.
    """

    extractor: str = "rules"
    checker: str = "builtin"
    threshold: float | str | None = None
    aggregate: str = "any"
    chunk: int = 32
    threads: int = 0
    api_base: str | None = None
    preset: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    max_tokens: int | None = None
    seed: int | None = None
    structured: Structured = "auto"
    timeout: float = 120.0
    retries: int = 4
    concurrency: int = 32
    prompts: str | None = None
    cache: str | None = None
    extract_mode: ExtractMode = "grapheval"
    part_words: int = 600
    check_mode: CheckMode = "joint"
    check_batch: int = 0
    ensemble: Ensemble = "mean"
    device: str = "auto"
    dtype: Dtype = "auto"
    batch_tokens: int = 0
    corrector: str = "builtin"
    second_checker: str | None = None
    on_unsupported: OnUnsupported = "keep"
    tries: int = 3
    rounds: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.threshold, float | int) and not 0.0 <= self.threshold <= 1.0:
            raise SettingsError(f"threshold is {self.threshold}", "give a probability between 0 and 1")
        if self.chunk < 1:
            raise SettingsError(f"chunk is {self.chunk}", "give the number of records worked on at once")
        if self.threads < 0:
            raise SettingsError(f"threads is {self.threads}", "give 0 for one thread a core, or a number")
        for name, least in LEAST.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise SettingsError(f"{name} is {value}", f"give {least} or more")
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise SettingsError(f"{name} is {getattr(self, name)!r}", f"give one of {', '.join(known)}")

    def of_results(self, correcting: bool = False) -> dict[str, Any]:
        """What results depend on, by name: the settings of a run."""
        parts = [self.extractor, self.checker]
        without = WITHOUT_EFFECT
        if correcting:
            parts += [self.corrector, self.second_checker or ""]
        else:
            without |= OF_CORRECTION
        if not any(model in part for part in parts for model in MODELS):
            without |= OF_MODELS
        if not any(name in part for part in parts for name in PUBLISHED):
            without |= {"dtype"}
        if not any(part.startswith("ensemble:") for part in parts):
            without |= {"ensemble"}
        return {name: value for name, value in asdict(self).items() if name not in without}


LEAST = {
    "temperature": 0,
    "top_p": 0,
    "top_k": 1,
    "max_tokens": 1,
    "timeout": 0.001,
    "retries": 0,
    "concurrency": 1,
    "part_words": 1,
    "check_batch": 0,
    "batch_tokens": 0,
    "tries": 1,
    "rounds": 1,
}
CHOICES = {
    "structured": get_args(Structured),
    "extract_mode": get_args(ExtractMode),
    "check_mode": get_args(CheckMode),
    "ensemble": get_args(Ensemble),
    "on_unsupported": get_args(OnUnsupported),
    "dtype": get_args(Dtype),
}
MODELS = ("llm:", "graphcorrect:", "direct:")  # parts that ask a language model
PUBLISHED = ("nli:", "hhem-", "true", "alignscore", "minicheck", "factcg", "repc:")  # checkers that run on torch
WITHOUT_EFFECT = frozenset({"threads", "timeout", "retries", "concurrency", "cache", "device", "batch_tokens"})
OF_MODELS = frozenset(
    "api_base preset temperature top_p top_k max_tokens seed structured prompts extract_mode part_words check_mode "
    "check_batch".split()
)
OF_CORRECTION = frozenset({"corrector", "second_checker", "on_unsupported", "tries", "rounds"})


def probability_or_name(value: Any) -> float | str:
    """A threshold as it stands in a flag, a variable or the file."""
    try:
        return float(value)
    except ValueError:
        if isinstance(value, str) and value.strip():
            return value.strip()
        raise


INTEGERS = (
    "chunk threads top_k max_tokens seed retries concurrency part_words check_batch batch_tokens tries rounds".split()
)
NUMBERS = "temperature top_p timeout".split()
CONVERTERS: dict[str, Callable[[Any], object]] = {
    "threshold": probability_or_name,
    **dict.fromkeys(INTEGERS, int),
    **dict.fromkeys(NUMBERS, float),
}
KINDS = {
    "threshold": "probability between 0 and 1, or the name of a threshold",
    **dict.fromkeys(INTEGERS, "int"),
    **dict.fromkeys(NUMBERS, "number"),
}


def load(
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] = os.environ,
    folder: Path | None = None,
) -> Settings:
    """Settings from all four places. A flag that is None was not given.

    Raises SettingsError for an unknown name or a value of the wrong type, naming where it stands.
    """
    values: dict[str, Any] = {}
    for name, value in _from_file((folder or Path.cwd()) / FILE).items():
        values[_known(name, FILE)] = _converted(name, value, FILE)
    for variable, value in environment.items():
        if variable.startswith(PREFIX) and variable not in OTHER_VARIABLES:
            name = _known(variable.removeprefix(PREFIX).lower(), variable)
            values[name] = _converted(name, value, variable)
    for name, value in (flags or {}).items():
        if value is not None:
            values[_known(name, "option")] = _converted(name, value, "option")
    return Settings(**values)


def _from_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as problem:
        raise SettingsError(f"{path} cannot be read: {problem}", "mend the file or move it away") from problem


def _known(name: str, place: str) -> str:
    names = [field.name for field in fields(Settings)]
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(names)}"
        raise SettingsError(f"{place}: there is no setting {name!r}", hint)
    return name


def _converted(name: str, value: object, place: str) -> object:
    wanted = CONVERTERS.get(name, str)
    try:
        if isinstance(value, bool) or (wanted is str and not isinstance(value, str)):
            raise ValueError
        return wanted(value)
    except (TypeError, ValueError):
        raise SettingsError(f"{place}: {name} is {value!r}", f"give a {KINDS.get(name, 'str')}") from None
