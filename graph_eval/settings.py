"""Every setting, by group. Precedence: flag > GRAPH_EVAL_* variable > graph-eval.toml > default.

Each setting is declared once, as a field of one of the classes below. Its name is the same everywhere:
`temperature` is `--temperature`, `GRAPH_EVAL_TEMPERATURE`, `temperature` in graph-eval.toml (at the top level or in the
table `[llm]`), and `Settings.llm.temperature` in Python. graph-eval.toml is read from the current folder.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from graph_eval.errors import SettingsError, suggestion

FILE = "graph-eval.toml"
MAX_DEPTH = 150  # of a record: pydantic reads and writes about 200 levels, and a revision holds its record deeper
PREFIX = "GRAPH_EVAL_"
OTHER_VARIABLES = frozenset({"GRAPH_EVAL_REQUIRE"})  # read by the test-suite, not a setting

# A password may hold "/", "?" and "@" too. The digits behind a host's colon are a port, and no password.
URL_SECRET = re.compile(
    r"(?P<before>\b[a-z][a-z0-9+.-]{1,30}://)"
    r"(?:[^/\s:@]{0,500}:(?!\d{1,5}(?:[/\s'\"]|\Z))[^\s]{0,2000}@|[^/\s]{1,500}@)?"
    r"(?P<rest>[^\s?]*)(?P<query>\?[^\s'\"]+)?",
    re.IGNORECASE,
)

KEY_SECRET = re.compile(
    r"\b(?:sk|gsk|hf|xai|pplx|ghp|nvapi|AIza)[-_]?(?:(?=[\w-]{0,60}\d)[\w-]{12,400}|(?<=[-_])\w{20,400})"
    r"|(?:(?<=\bBearer )|(?<=\bBasic ))[^\s\"',]{1,2000}"
)
NAMED_SECRET = re.compile(
    r"(?P<name>\b(?:[\w-]{0,40}[-_])?(?:api[-_]?key|access[-_]?key|access[-_]?token|auth[-_]?token|password|secret)"
    r"[\"']?(?:=|:\s?(?=[\"'])|(?<=x-api-key):\s?)[\"']?)"
    r"[^\s\"'&,;)]{1,2000}",
    re.IGNORECASE,
)

ExtractMode = Literal["grapheval", "triplets", "subsentences"]
CheckMode = Literal["joint", "single"]
Ensemble = Literal["mean", "vote", "any"]
Structured = Literal["auto", "on", "off"]
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh"]
OnUnsupported = Literal["keep", "drop", "hedge"]
GroundBy = Literal["claim", "response"]
Dtype = Literal["auto", "float32", "bfloat16", "float16", "int8"]


SWITCH = dict.fromkeys(("true", "on", "yes", "1"), True) | dict.fromkeys(("false", "off", "no", "0"), False)


def without_secrets(text: str) -> str:
    """The text with its keys hidden, and with the user, password and parameters of its URLs."""

    def shown(url: re.Match[str]) -> str:
        user = "" if url["before"] + url["rest"] + (url["query"] or "") == url[0] else "***@"
        return url["before"] + user + url["rest"] + ("?***" if url["query"] else "")

    return NAMED_SECRET.sub(r"\g<name>***", KEY_SECRET.sub("***", URL_SECRET.sub(shown, text)))


def probability_or_name(value: Any) -> float | str:
    """Converts the text of a threshold to a number, or to the name of a threshold."""
    try:
        return float(value)
    except ValueError:
        if isinstance(value, str) and value.strip():
            return value.strip()
        raise


def bounds(value: Any) -> tuple[float, float]:
    """Converts "0.1,0.9" or [0.1, 0.9]. Raises ValueError for anything but two probabilities in order."""
    low, high = map(float, value.split(",") if isinstance(value, str) else value)
    if not 0.0 <= low <= high <= 1.0:
        raise ValueError
    return low, high


def on_or_off(value: Any) -> bool:
    """Converts the text of a switch. Raises ValueError for another one than true, on, yes, 1 and their opposites."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text not in SWITCH:
        raise ValueError
    return SWITCH[text]


UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMG]?)B?", re.IGNORECASE)


def size(value: Any) -> int:
    """Converts the text of a size ("50MB", "1.5 GB", "4096") to bytes. Raises ValueError for anything else."""
    parts = SIZE.fullmatch(str(value).strip())
    if parts is None:
        raise ValueError(value)
    return int(float(parts[1]) * UNITS[parts[2].upper()])


def size_text(count: int) -> str:
    """A number of bytes for messages: 50000000 is "50 MB"."""
    unit = next((unit for unit in reversed(UNITS) if count >= UNITS[unit]), "")
    return f"{count / UNITS[unit]:.4g} {unit}B" if unit else f"{count} bytes"


def setting(
    default: Any,
    convert: Callable[[Any], object] = str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: Any = None,
    kind: str | None = None,
    affects_results: bool = True,
) -> Any:
    """Declares one setting.

    `convert`: converts the text of an option, variable or file. `choices`: a Literal with the valid values. `kind`:
    describes a valid value in an error message. `affects_results`: whether another value could change the results. Such
    settings identify a run.
    """
    known = get_args(choices) if choices is not None else None
    kind = kind or ("an integer" if convert is int else "a number" if convert is float else "a text")
    metadata = {
        "convert": convert,
        "minimum": minimum,
        "maximum": maximum,
        "choices": known,
        "kind": kind,
        "affects_results": affects_results,
    }
    return field(default=default, metadata=metadata)


def _validate(settings: Any) -> None:
    for item in fields(settings):
        value = getattr(settings, item.name)
        minimum, choices = item.metadata.get("minimum"), item.metadata.get("choices")
        if item.metadata.get("convert") is on_or_off and not isinstance(value, bool):
            raise SettingsError(f"invalid {item.name}: {value!r}", f"use {item.metadata['kind']}")
        if choices is not None and value not in choices and (value is not None or item.default is not None):
            raise SettingsError(f"invalid {item.name}: {value!r}", f"use one of {', '.join(choices)}")
        number = isinstance(value, int | float)
        if minimum is not None and value is not None and not (number and value >= minimum):
            raise SettingsError(f"invalid {item.name}: {value!r}", f"use {minimum:g} or more")
        maximum = item.metadata.get("maximum")
        if maximum is not None and value is not None and value > maximum:
            raise SettingsError(f"invalid {item.name}: {value!r}", f"use {maximum:g} or less")


@dataclass(frozen=True, slots=True)
class LLMSettings:
    """Settings of requests to language models. `api_base` to `batch`: see `llm.options.Options`.

    `prompts`: a folder of templates that replace those of the package. `cache`: the file of cached answers, or "off".
    `part_words`: longer responses are split into parts of this many words. `check_batch`: the number of claims in one
    joint request. 0 means all.
    """

    api_base: str | None = setting(None)
    preset: str | None = setting(None)
    temperature: float | None = setting(None, float, minimum=0)
    top_p: float | None = setting(None, float, minimum=0)
    top_k: int | None = setting(None, int, minimum=1)
    max_tokens: int | None = setting(None, int, minimum=1)
    seed: int | None = setting(None, int)
    reasoning_effort: Effort | None = setting(None, choices=Effort)
    structured: Structured = setting("auto", choices=Structured)
    timeout: float = setting(120.0, float, minimum=0.001, affects_results=False)
    retries: int = setting(4, int, minimum=0, affects_results=False)
    concurrency: int = setting(32, int, minimum=1, affects_results=False)
    batch: bool = setting(False, on_or_off, kind="true or false", affects_results=False)
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
    """Settings of checkers with published models: see `checkers.hf.engine.Engine`."""

    device: str = setting("auto", affects_results=False)
    dtype: Dtype = setting("auto", choices=Dtype)
    batch_tokens: int = setting(0, int, minimum=0, affects_results=False)

    def __post_init__(self) -> None:
        _validate(self)


@dataclass(frozen=True, slots=True)
class CorrectionSettings:
    """Settings of corrections.

    `second_checker`: another checker that must accept every edit. `on_unsupported`: what to do with a claim that the
    context does not mention. `tries`: the maximum number of proposals for a claim. `rounds`: the maximum number of
    passes over a response. `min_probability`: the probability from which edits of a corrector that gives one are
    applied, in [0, 1]; others are suggestions. None: the corrector's own.
    """

    second_checker: str | None = setting(None)
    on_unsupported: OnUnsupported = setting("keep", choices=OnUnsupported)
    tries: int = setting(3, int, minimum=1)
    rounds: int = setting(1, int, minimum=1)
    min_probability: float | None = setting(None, float, minimum=0, maximum=1)

    def __post_init__(self) -> None:
        _validate(self)


@dataclass(frozen=True, slots=True)
class SamplingSettings:
    """Settings of sampling and of the consistency over samples.

    `sample_with`: the model that is asked again. `sample_count`: how often. `sample_temperature`: of these requests
    alone. `consistency_threshold`: a response, a sentence or a claim is flagged if its score, in [0, 1], is larger.
    None: that of the method.
    """

    sample_with: str | None = setting(None)
    sample_count: int = setting(5, int, minimum=1)
    sample_temperature: float = setting(0.7, float, minimum=0)
    consistency_threshold: float | None = setting(None, float, minimum=0, maximum=1)

    def __post_init__(self) -> None:
        _validate(self)


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """Settings of the stage `ground`, which finds passages for records without a context.

    `ground`: the retriever. `ground_by`: one search for each claim or for each response. `ground_passages`: the number
    of passages of one search. `ground_hops`: how often a claim may be asked for in other words while it is Neutral.
    `ground_index`: the folder in which the index of a corpus is kept. `ground_encoder`: the model of dense retrieval.
    `transform`: names of transforms of queries, separated by commas. `transform_with`: their language model.
    `fusion_k`: k of reciprocal rank fusion.
    """

    ground: str | None = setting(None)
    ground_by: GroundBy = setting("claim", choices=GroundBy)
    ground_passages: int = setting(5, int, minimum=1)
    ground_hops: int = setting(1, int, minimum=1)
    ground_index: str | None = setting(None, affects_results=False)
    ground_encoder: str | None = setting(None)
    transform: str | None = setting(None)
    transform_with: str | None = setting(None)
    fusion_k: float = setting(60.0, float, minimum=0.001)

    def __post_init__(self) -> None:
        _validate(self)


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """Limits on the input. What exceeds one is an error of its record, and the other records are read.

    `max_line`: bytes of a line of JSON, of one record of a JSON list, or characters of a row of CSV. `max_passage`:
    bytes of one passage. `max_depth`: levels of lists and objects within each other, the record among them; results
    that are nested deeper than its maximum could not be read again. `max_unpacked`: bytes of a .gz file, unpacked.
    """

    max_line: int = setting(50_000_000, size, minimum=1, kind="a size, for example 50MB")
    max_passage: int = setting(10_000_000, size, minimum=1, kind="a size, for example 10MB")
    max_depth: int = setting(100, int, minimum=1, maximum=MAX_DEPTH)
    max_unpacked: int = setting(2_000_000_000, size, minimum=1, kind="a size, for example 2GB")

    def __post_init__(self) -> None:
        _validate(self)


@dataclass(frozen=True, slots=True)
class Settings:
    """The names of the parts, settings that all parts share, and the settings of each group.

    `threshold`: a probability, or the name of a threshold of the checker. None means the checker's default. `profile`:
    a file that `graph-eval calibrate` wrote for the checker. `chunk`: the number of records in a chunk. `threads`: 0
    means one per core. `ensemble`: combines the scores of several checkers. `doubtful`: the bounds of p_inconsistent
    between which a cascade asks the next checker; None means those of each checker.
    `Settings.of(temperature=0.2, chunk=8)` accepts all settings by setting name, without their group.
    """

    extractor: str = setting("rules")
    checker: str = setting("builtin")
    threshold: float | str | None = setting(
        None, probability_or_name, kind="a probability between 0 and 1, or the name of a threshold"
    )
    profile: str | None = setting(None)
    aggregate: str = setting("any")
    chunk: int = setting(32, int, minimum=1)
    threads: int = setting(0, int, minimum=0, affects_results=False)
    llm: LLMSettings = LLMSettings()
    ensemble: Ensemble = setting("mean", choices=Ensemble)
    doubtful: tuple[float, float] | None = setting(None, bounds, kind="two probabilities, as in 0.1,0.9")
    torch: TorchSettings = TorchSettings()
    corrector: str = setting("builtin")
    correction: CorrectionSettings = CorrectionSettings()
    method: str = setting("graph")
    sampling: SamplingSettings = SamplingSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    limits: LimitSettings = LimitSettings()

    def __post_init__(self) -> None:
        _validate(self)
        if isinstance(self.threshold, float | int) and not 0.0 <= self.threshold <= 1.0:
            raise SettingsError(f"invalid threshold: {self.threshold}", "use a probability between 0 and 1")
        try:
            self.doubtful is None or bounds(self.doubtful)
        except (TypeError, ValueError):
            hint = "use two probabilities, as in (0.1, 0.9)"
            raise SettingsError(f"invalid doubtful: {self.doubtful!r}", hint) from None

    @classmethod
    def of(cls, **values: Any) -> Settings:
        """Settings with these values, by setting name. Raises SettingsError for an unknown name or an invalid value."""
        return cls().replace(**values)

    def replace(self, **values: Any) -> Settings:
        """A copy with these values, by setting name. Raises SettingsError for an unknown name or an invalid value."""
        groups: dict[str, dict[str, Any]] = {}
        for name, value in values.items():
            groups.setdefault(DECLARED[_known(name, "settings")][0], {})[name] = value
        changed = groups.pop("", {})
        changed |= {group: replace(getattr(self, group), **names) for group, names in groups.items()}
        return replace(self, **changed)

    def get(self, name: str) -> Any:
        """The value of one setting, by setting name."""
        group = DECLARED[name][0]
        return getattr(getattr(self, group) if group else self, name)

    def affecting_results(self, names: Iterable[str]) -> dict[str, Any]:
        """The values of those named settings that could change a result, as they are written: without secrets."""
        chosen = set(names)
        return {
            name: _written(self.get(name))
            for name, (_, item) in DECLARED.items()
            if name in chosen and item.metadata["affects_results"]
        }

    def values(self) -> dict[str, Any]:
        """All values, by setting name."""
        return {name: self.get(name) for name in DECLARED}


def _written(value: Any) -> Any:
    """A value as a run has it, in JSON and without secrets."""
    if isinstance(value, tuple):
        return list(value)
    return without_secrets(value) if isinstance(value, str) else value


def _declared(cls: type, group: str = "") -> Iterator[tuple[str, tuple[str, Field[Any]]]]:
    for item in fields(cls):
        if is_dataclass(item.default) and not isinstance(item.default, type):
            yield from _declared(type(item.default), item.name)
        else:
            yield item.name, (group, item)


DECLARED: dict[str, tuple[str, Field[Any]]] = dict(_declared(Settings))  # name -> its group ("" for none), its field
GROUPS = frozenset(group for group, _ in DECLARED.values() if group)
OF_LLM = tuple("api_base preset temperature top_p top_k max_tokens seed reasoning_effort".split())
OF_LLM += (
    "structured",
    "timeout",
    "retries",
    "concurrency",
    "batch",
    "prompts",
    "cache",
)  # every part with a language model reads these settings
OF_TORCH = tuple(item.name for item in fields(TorchSettings))


def choices(name: str) -> tuple[str, ...]:
    """The valid values of a setting with a fixed set of values."""
    values: tuple[str, ...] = DECLARED[name][1].metadata["choices"]
    return values


def load(
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] = os.environ,
    folder: Path | None = None,
) -> Settings:
    """Settings from flags, environment, file and defaults. A flag that is None is ignored.

    Raises SettingsError for an unknown name or a value of the wrong type, and names the place.
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
        raise SettingsError(f"{path} cannot be read: {problem}", "correct or remove the file") from problem
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
        hint = suggestion(name, DECLARED) or f"known settings: {', '.join(DECLARED)}"
        raise SettingsError(f"{place}: unknown setting {name!r}", hint)
    return name


def _converted(name: str, value: object, place: str) -> object:
    metadata = DECLARED[_known(name, place)][1].metadata
    convert = metadata["convert"]
    try:
        if (isinstance(value, bool) and convert is not on_or_off) or (convert is str and not isinstance(value, str)):
            raise ValueError
        return convert(value)
    except (TypeError, ValueError):
        raise SettingsError(f"{place}: invalid {name}: {value!r}", f"use {metadata['kind']}") from None
