"""Every setting, by concern: flag > GRAPH_EVAL_* variable > graph-eval.toml > default.

Each setting is declared once, as a field of one of the classes below. Its name is the same wherever it is written:
`temperature` is `--temperature`, `GRAPH_EVAL_TEMPERATURE`, `temperature` in graph-eval.toml (at the top level or in the
table `[llm]`), and `Settings.llm.temperature` in Python. graph-eval.toml is read from the current folder.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
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


def probability_or_name(value: Any) -> float | str:
    """A threshold as it is written in a flag, a variable or the file."""
    try:
        return float(value)
    except ValueError:
        if isinstance(value, str) and value.strip():
            return value.strip()
        raise


def setting(
    default: Any,
    convert: Callable[[Any], object] = str,
    *,
    minimum: float | None = None,
    choices: Any = None,
    kind: str | None = None,
    affects_results: bool = True,
) -> Any:
    """Declares one setting.

    `convert`: from what a flag, a variable or the file holds. `choices`: a Literal. `kind`: what to give, in an error
    message. `affects_results`: whether another value could give other results; such settings identify a run.
    """
    known = get_args(choices) if choices is not None else None
    kind = kind or ("an integer" if convert is int else "a number" if convert is float else "a text")
    metadata = {
        "convert": convert,
        "minimum": minimum,
        "choices": known,
        "kind": kind,
        "affects_results": affects_results,
    }
    return field(default=default, metadata=metadata)


def _validate(settings: Any) -> None:
    for item in fields(settings):
        value = getattr(settings, item.name)
        minimum, choices = item.metadata.get("minimum"), item.metadata.get("choices")
        if choices is not None and value not in choices:
            raise SettingsError(f"{item.name} is {value!r}", f"give one of {', '.join(choices)}")
        number = isinstance(value, int | float)
        if minimum is not None and value is not None and not (number and value >= minimum):
            raise SettingsError(f"{item.name} is {value}", f"give {minimum:g} or more")


@dataclass(frozen=True, slots=True)
class LLMSettings:
    """How language models are asked. `api_base` to `concurrency`: see `llm.options.Options`.

    `prompts`: a folder of templates that replace the package's. `cache`: the file of cached answers, or "off".
    `part_words`: a longer response is read in parts of so many words. `check_batch`: claims in one joint call; 0: all.
    """

    api_base: str | None = setting(None)
    preset: str | None = setting(None)
    temperature: float | None = setting(None, float, minimum=0)
    top_p: float | None = setting(None, float, minimum=0)
    top_k: int | None = setting(None, int, minimum=1)
    max_tokens: int | None = setting(None, int, minimum=1)
    seed: int | None = setting(None, int)
    structured: Structured = setting("auto", choices=Structured)
    timeout: float = setting(120.0, float, minimum=0.001, affects_results=False)
    retries: int = setting(4, int, minimum=0, affects_results=False)
    concurrency: int = setting(32, int, minimum=1, affects_results=False)
    prompts: str | None = setting(None)
    cache: str | None = setting(None, affects_results=False)
    extract_mode: ExtractMode = setting("grapheval", choices=ExtractMode)
    part_words: int = setting(600, int, minimum=1)
    check_mode: CheckMode = setting("joint", choices=CheckMode)
    check_batch: int = setting(0, int, minimum=0)

    def __post_init__(self) -> None:
        _validate(self)


@dataclass(frozen=True, slots=True)
class TorchSettings:
    """How published checkers run: see `checkers.hf.engine.Engine`."""

    device: str = setting("auto", affects_results=False)
    dtype: Dtype = setting("auto", choices=Dtype)
    batch_tokens: int = setting(0, int, minimum=0, affects_results=False)

    def __post_init__(self) -> None:
        _validate(self)


@dataclass(frozen=True, slots=True)
class CorrectionSettings:
    """`second_checker` must accept an edit too. `on_unsupported`: what to do with a claim that the context does not
    mention. `tries`: proposals for one claim. `rounds`: passes over a response, at most."""

    second_checker: str | None = setting(None)
    on_unsupported: OnUnsupported = setting("keep", choices=OnUnsupported)
    tries: int = setting(3, int, minimum=1)
    rounds: int = setting(1, int, minimum=1)

    def __post_init__(self) -> None:
        _validate(self)


@dataclass(frozen=True, slots=True)
class Settings:
    """The parts by name, what every part shares, and the settings of each concern.

    `threshold`: a probability, or the name of one that the checker brings; None means the checker's own. `chunk`:
    records in one unit of work. `threads`: 0 means one for each core. `ensemble`: how several checkers become one
    verdict. `Settings.of(temperature=0.2, chunk=8)` takes all names without their concern.
    """

    extractor: str = setting("rules")
    checker: str = setting("builtin")
    threshold: float | str | None = setting(
        None, probability_or_name, kind="a probability between 0 and 1, or the name of a threshold"
    )
    aggregate: str = setting("any")
    chunk: int = setting(32, int, minimum=1)
    threads: int = setting(0, int, minimum=0, affects_results=False)
    llm: LLMSettings = LLMSettings()
    ensemble: Ensemble = setting("mean", choices=Ensemble)
    torch: TorchSettings = TorchSettings()
    corrector: str = setting("builtin")
    correction: CorrectionSettings = CorrectionSettings()

    def __post_init__(self) -> None:
        _validate(self)
        if isinstance(self.threshold, float | int) and not 0.0 <= self.threshold <= 1.0:
            raise SettingsError(f"threshold is {self.threshold}", "give a probability between 0 and 1")

    @classmethod
    def of(cls, **values: Any) -> Settings:
        """Settings by their names alone. Raises SettingsError for an unknown name or a wrong value."""
        return cls().replace(**values)

    def replace(self, **values: Any) -> Settings:
        """A copy with other values, by their names alone. Raises SettingsError for an unknown name or a wrong value."""
        groups: dict[str, dict[str, Any]] = {}
        for name, value in values.items():
            groups.setdefault(DECLARED[_known(name, "settings")][0], {})[name] = value
        changed = groups.pop("", {})
        changed |= {group: replace(getattr(self, group), **names) for group, names in groups.items()}
        return replace(self, **changed)

    def get(self, name: str) -> Any:
        """The value of one setting by its name alone."""
        group = DECLARED[name][0]
        return getattr(getattr(self, group) if group else self, name)

    def affecting_results(self, names: Iterable[str]) -> dict[str, Any]:
        """Those of the named settings whose values could change a result."""
        chosen = set(names)
        return {
            name: self.get(name)
            for name, (_, item) in DECLARED.items()
            if name in chosen and item.metadata["affects_results"]
        }

    def values(self) -> dict[str, Any]:
        """All settings by their names alone."""
        return {name: self.get(name) for name in DECLARED}


def _declared(cls: type, group: str = "") -> Iterator[tuple[str, tuple[str, Field[Any]]]]:
    for item in fields(cls):
        if is_dataclass(item.default) and not isinstance(item.default, type):
            yield from _declared(type(item.default), item.name)
        else:
            yield item.name, (group, item)


DECLARED: dict[str, tuple[str, Field[Any]]] = dict(_declared(Settings))  # name -> its concern ("" for none), its field
GROUPS = frozenset(group for group, _ in DECLARED.values() if group)
OF_LLM = tuple("api_base preset temperature top_p top_k max_tokens seed structured timeout retries concurrency".split())
OF_LLM += ("prompts", "cache")  # what every part that asks a language model reads
OF_TORCH = tuple(item.name for item in fields(TorchSettings))


def choices(name: str) -> tuple[str, ...]:
    """What a setting with a fixed set of values takes."""
    found: tuple[str, ...] = DECLARED[name][1].metadata["choices"]
    return found


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
        values[name] = _converted(name, value, FILE)
    for variable, value in environment.items():
        if variable.startswith(PREFIX) and variable not in OTHER_VARIABLES:
            name = variable.removeprefix(PREFIX).lower()
            values[name] = _converted(name, value, variable)
    for name, value in (flags or {}).items():
        if value is not None:
            values[name] = _converted(name, value, "option")
    return Settings.of(**values)


def _from_file(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as problem:
        raise SettingsError(f"{path} cannot be read: {problem}", "correct the file, or move it away") from problem
    for group in sorted(GROUPS & values.keys()):
        if isinstance(values[group], dict):
            for name, value in values.pop(group).items():
                if DECLARED[_known(name, f"{FILE}, table [{group}]")][0] != group:
                    raise SettingsError(
                        f"{FILE}, table [{group}]: {name} does not belong there", "move it out of the table"
                    )
                if name in values:
                    raise SettingsError(
                        f"{FILE}: {name} is set twice", f"set it once, at the top level or in [{group}]"
                    )
                values[name] = value
    return values


def _known(name: str, place: str) -> str:
    if name not in DECLARED:
        near = difflib.get_close_matches(name, DECLARED, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known settings: {', '.join(DECLARED)}"
        raise SettingsError(f"{place}: unknown setting {name!r}", hint)
    return name


def _converted(name: str, value: object, place: str) -> object:
    metadata = DECLARED[_known(name, place)][1].metadata
    convert = metadata["convert"]
    try:
        if isinstance(value, bool) or (convert is str and not isinstance(value, str)):
            raise ValueError
        return convert(value)
    except (TypeError, ValueError):
        raise SettingsError(f"{place}: {name} is {value!r}", f"give {metadata['kind']}") from None
