"""A profile fits the scores of a checker to a person's labels: a line on the log odds of p_inconsistent.

Fitted on many labels it may also hold weights of the checker's signs, for claims that have them.

`graph-eval calibrate` writes a profile, `graph_eval.fitting` fits it, and `--profile` applies it. Two kinds of
judgements keep their p_inconsistent: claims that the context states word for word, and claims without any passage.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from graph_eval.checkers.builtin import VERBATIM
from graph_eval.checkers.calibration import probability
from graph_eval.checkers.checker import Checker
from graph_eval.checkers.merge import NO_PASSAGE, labelled, rounded
from graph_eval.checkers.threshold import RejudgingChecker, ThresholdChecker
from graph_eval.errors import InputError, UsageError
from graph_eval.types import Judgement, content_hash

FORMAT = "graph_eval profile"
VERSION, WITH_WEIGHTS = 1, 2  # of the format: without weights of signs, and with them
LEAST = 1e-6  # the smallest probability that has log odds here: scores are rounded to six digits
AGAIN = "write it again: graph-eval calibrate LABELLED -o profile.json"


@dataclass(frozen=True, slots=True)
class FittedOn:
    """A part that a profile was fitted with: its name on the command line, and its fingerprint."""

    name: str
    fingerprint: str


class Line(NamedTuple):
    """log odds of the new p_inconsistent = `slope` * log odds of the checker's + `intercept`."""

    slope: float
    intercept: float


class Weights(NamedTuple):
    """A line, and the sum of `signs` (weights by name) times the checker's signs on top of it."""

    slope: float
    intercept: float
    signs: Mapping[str, float]

    def mapped(self, p: float, signs: Mapping[str, float]) -> float:
        """The probability of a claim with these signs. Raises KeyError if one is missing."""
        more = sum(weight * signs[name] for name, weight in self.signs.items())
        return mapped(p, self.slope, self.intercept + more)


@dataclass(frozen=True, slots=True)
class Profile:
    """log odds of the new p_inconsistent = `slope` * log odds of the checker's + `intercept`.

    `weights`: used in place of this line for claims that have all signs; None: the line holds for all claims.
    `extractor`: None if the labelled claims come from several extractors. `thresholds`: recommended ones, by name.
    `labels`: the kind and the number of labels. `cross_validation`: the figures. `graph_eval`: the version that wrote
    the profile.
    """

    checker: FittedOn
    extractor: FittedOn | None
    slope: float
    intercept: float
    thresholds: Mapping[str, float]
    labels: Mapping[str, Any] = field(default_factory=dict)
    cross_validation: Mapping[str, Any] = field(default_factory=dict)
    graph_eval: str = ""
    weights: Weights | None = None

    @classmethod
    def read(cls, path: str | Path) -> Profile:
        """Raises InputError, with the field, for anything but a profile."""
        try:
            value = json.loads(Path(path).read_text("utf-8"))
        except OSError as problem:
            raise InputError(
                f"the profile {path} cannot be read: {problem.strerror}",
                "pass the file that graph-eval calibrate wrote",
            ) from None
        except ValueError as problem:
            raise InputError(f"the profile {path} is not JSON: {problem}", AGAIN) from None
        return _Reader(path).profile(value)

    @property
    def version(self) -> int:
        """That of its file. An earlier graph_eval, which would ignore the weights, refuses the file."""
        return VERSION if self.weights is None else WITH_WEIGHTS

    @property
    def value(self) -> dict[str, Any]:
        """The content of its file."""
        return {
            "format": FORMAT,
            "version": self.version,
            "graph_eval": self.graph_eval,
            "checker": _named(self.checker),
            "extractor": _named(self.extractor),
            "labels": dict(self.labels),
            "slope": self.slope,
            "intercept": self.intercept,
            **({} if self.weights is None else {"weights": self.weights._asdict()}),
            "thresholds": dict(self.thresholds),
            "cross_validation": dict(self.cross_validation),
        }

    @property
    def text(self) -> str:
        """Its file."""
        return json.dumps(self.value, ensure_ascii=False, indent=2) + "\n"

    @property
    def fingerprint(self) -> str:
        return f"profile-{self.version}:{content_hash(json.dumps(self.value, sort_keys=True))}"

    def applied(self, judgement: Judgement, threshold: float) -> Judgement:
        """The judgement with the fitted p_inconsistent, and label and flag by this threshold."""
        p = judgement.p_inconsistent
        if p is not None and not kept(judgement):
            judgement = replace(judgement, p_inconsistent=self._mapped(p, judgement.signs))
        return labelled(judgement, threshold)

    def _mapped(self, p: float, signs: Mapping[str, float]) -> float:
        if self.weights is not None and self.weights.signs.keys() <= signs.keys():
            return self.weights.mapped(p, signs)
        return mapped(p, self.slope, self.intercept)


def kept(judgement: Judgement) -> bool:
    """Whether a profile leaves p_inconsistent as it is."""
    return judgement.reason in (VERBATIM, NO_PASSAGE)


def log_odds(p: float) -> float:
    """The log odds of a probability, which is kept off 0 and 1."""
    p = min(1.0 - LEAST, max(LEAST, p))
    return math.log(p) - math.log1p(-p)


def mapped(p: float, slope: float, intercept: float) -> float:
    """The probability whose log odds lie on that line."""
    return rounded(probability(slope * log_odds(p) + intercept))


class ProfileChecker(RejudgingChecker):
    """Judges as `checker` does, with the probabilities of a profile. Its threshold is 0.5.

    `name`: of the checker, for messages. Raises UsageError if the profile was fitted on another checker.
    """

    def __init__(self, checker: Checker, profile: Profile, name: str = "") -> None:
        if checker.fingerprint != profile.checker.fingerprint:
            fitted = profile.checker.name
            if name in ("", fitted):
                message = f"the profile was fitted on other weights or settings of {fitted}"
            else:
                message = f"the profile was fitted on the checker {fitted}, not on {name}"
            raise UsageError(message, f"use the checker as it was, or {AGAIN}")
        super().__init__(checker, threshold=0.5)
        self.profile = profile
        self.reads = (*checker.reads, "profile")
        self.thresholds = profile.thresholds

    @property
    def fingerprint(self) -> str:
        return f"{self.checker.fingerprint}:{self.profile.fingerprint}"

    def rejudged(self, judgement: Judgement) -> Judgement:
        return self.profile.applied(judgement, self.threshold)


def with_profile(checker: Checker, profile: Profile, name: str = "") -> Checker:
    """The checker with that profile, which is applied only once."""
    inner = checker.checker if isinstance(checker, ThresholdChecker) else checker
    if isinstance(inner, ProfileChecker) and inner.profile == profile:
        return checker
    return ProfileChecker(checker, profile, name)


def _named(part: FittedOn | None) -> dict[str, str] | None:
    return None if part is None else {"name": part.name, "fingerprint": part.fingerprint}


class _Reader:
    """Reads the fields of a profile's file, and names the field in every error."""

    def __init__(self, path: str | Path) -> None:
        self._path = path

    def profile(self, value: object) -> Profile:
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise self._error("format", f"must be {FORMAT!r}")
        if value.get("version") not in (VERSION, WITH_WEIGHTS):
            known = f"this graph_eval reads versions {VERSION} and {WITH_WEIGHTS}"
            raise self._error("version", f"is {value.get('version')!r}, and {known}")
        slope, weights = self._slope(value), None
        if value["version"] == WITH_WEIGHTS:
            own = self._object(value, "weights")
            signs = self._object(own, "signs", "weights.")
            weights = Weights(
                self._slope(own, "weights."),
                self._number(own, "intercept", "weights."),
                {name: self._number(signs, name, "weights.signs.") for name in signs},
            )
        thresholds = self._object(value, "thresholds")
        levels = {name: self._number(thresholds, name, "thresholds.") for name in thresholds}
        for name, level in levels.items():
            if not 0.0 <= level <= 1.0:
                raise self._error(f"thresholds.{name}", "must be a probability between 0 and 1")
        return Profile(
            self._part(value, "checker"),
            None if value.get("extractor") is None else self._part(value, "extractor"),
            slope,
            self._number(value, "intercept"),
            levels,
            self._object(value, "labels"),
            self._object(value, "cross_validation"),
            self._text(value, "graph_eval"),
            weights,
        )

    def _slope(self, value: Mapping[str, Any], before: str = "") -> float:
        slope = self._number(value, "slope", before)
        if slope < 0:
            raise self._error(f"{before}slope", "must not be negative")
        return slope

    def _part(self, value: Mapping[str, Any], name: str) -> FittedOn:
        part = self._object(value, name)
        return FittedOn(self._text(part, "name", f"{name}."), self._text(part, "fingerprint", f"{name}."))

    def _object(self, value: Mapping[str, Any], name: str, before: str = "") -> dict[str, Any]:
        found = self._field(value, name, before)
        if not isinstance(found, dict):
            raise self._error(before + name, "must be an object")
        return found

    def _text(self, value: Mapping[str, Any], name: str, before: str = "") -> str:
        found = self._field(value, name, before)
        if not isinstance(found, str):
            raise self._error(before + name, "must be a string")
        return found

    def _number(self, value: Mapping[str, Any], name: str, before: str = "") -> float:
        found = self._field(value, name, before)
        if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
            raise self._error(before + name, "must be a number")
        return float(found)

    def _field(self, value: Mapping[str, Any], name: str, before: str = "") -> Any:
        if name not in value:
            raise self._error(before + name, "is missing")
        return value[name]

    def _error(self, name: str, message: str) -> InputError:
        return InputError(f'the profile {self._path}: "{name}" {message}', AGAIN)
