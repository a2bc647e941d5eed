"""Creates a part by name, "name" or "name:argument": an extractor, a checker, a corrector, a method of self-checking, a
retriever, or a transform of queries.

A decorator declares a part where it is defined:

    @checker("nli", argument="MODEL", example="nli:roberta-large-mnli", reads=("threads", *OF_TORCH), extra="hf")
    class NLIChecker(Checker):
        @classmethod
        def of(cls, argument: str | None, settings: Settings) -> NLIChecker: ...

The registry finds the parts of this package by importing the modules of the folders in `ROOMS`. It finds the parts of
other packages by the entry-point groups `graph_eval.extractors`, `graph_eval.checkers`, `graph_eval.correctors`,
`graph_eval.methods`, `graph_eval.retrievers` and `graph_eval.transforms`. An entry point refers to such a class, or to
a callable that receives (argument, settings) and returns the part.
"""

from __future__ import annotations

import contextlib
import inspect
import pkgutil
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from shlex import quote
from typing import Any, TypeVar

from graph_eval.errors import UsageError, suggestion
from graph_eval.settings import DECLARED, Settings

ROOMS = {
    "extractor": "graph_eval.extractors",
    "checker": "graph_eval.checkers",
    "corrector": "graph_eval.correctors",
    "method": "graph_eval.consistency",
    "retriever": "graph_eval.retrieve",
    "transform": "graph_eval.retrieve.transform",
}
Factory = Callable[[str | None, Settings], Any]
Class = TypeVar("Class", bound=type)


@dataclass(frozen=True, slots=True)
class Part:
    """The declaration of a part.

    `seam`: a key of `ROOMS`. `argument`: a name for the text after the colon, such as
    "MODEL". In brackets, as in "[FOLDER]", it is optional. None: the part has no argument. `example`: a name with an
    argument. `extra`: the optional dependencies that the part needs (`pip install 'graph_eval[extra]'`).
    """

    seam: str
    name: str
    factory: Factory
    argument: str | None = None
    example: str | None = None
    extra: str | None = None

    @property
    def usage(self) -> str:
        """The syntax of the part's name on the command line."""
        if self.argument is None:
            return self.name
        optional = self.argument.startswith("[")
        return f"{self.name}[:{self.argument[1:]}" if optional else f"{self.name}:{self.argument}"

    def make(self, argument: str | None, settings: Settings) -> Any:
        """Creates the part. Raises UsageError for a missing or an unexpected argument."""
        spec = f"{self.name}:{argument}" if argument is not None else self.name
        if argument is not None and self.argument is None:
            raise UsageError(f"{self.seam} {spec!r}: {self.name} takes no argument", f"write {self.name}")
        argument = (argument or "").strip() or None
        if argument is None and self.argument is not None and not self.argument.startswith("["):
            example = f", for example {quote(self.example)}" if self.example else ""  # ">" would redirect in a shell
            raise UsageError(f"{self.seam} {spec!r}: missing {self.argument}", f"write {self.usage}{example}")
        return self.factory(argument, settings)


_parts: dict[tuple[str, str], Part] = {}
_classes: dict[tuple[str, str], str] = {}  # names of the classes that declare them


def _declaring(seam: str) -> Callable[..., Callable[[Class], Class]]:
    def declare(
        name: str,
        *,
        argument: str | None = None,
        example: str | None = None,
        reads: tuple[str, ...] = (),
        extra: str | None = None,
    ) -> Callable[[Class], Class]:
        """Declares the class as the part with this name. `reads`: the settings that it reads."""

        def apply(cls: Class) -> Class:
            if unknown := [setting for setting in reads if setting not in DECLARED]:
                raise ValueError(f"{cls.__qualname__} reads unknown settings: {', '.join(unknown)}")
            if (taken := _classes.get((seam, name), cls.__qualname__)) != cls.__qualname__:
                raise ValueError(f"{seam} {name!r} is declared by {taken} already")
            _classes[seam, name] = cls.__qualname__
            cls.reads = reads  # type: ignore[attr-defined]
            cls.declaration = Part(seam, name, cls.of, argument, example, extra)  # type: ignore[attr-defined]
            _parts[seam, name] = cls.declaration  # type: ignore[attr-defined]
            return cls

        return apply

    return declare


extractor = _declaring("extractor")
checker = _declaring("checker")
corrector = _declaring("corrector")
method = _declaring("method")
retriever = _declaring("retriever")
transform = _declaring("transform")
_scanning = threading.Lock()


@cache
def _scan(seam: str) -> None:
    room = import_module(ROOMS[seam])
    for module in pkgutil.walk_packages(room.__path__, f"{ROOMS[seam]}."):
        import_module(module.name)


def parts(seam: str) -> dict[str, Part]:
    """The declarations of this package's parts, by name."""
    with _scanning:
        _scan(seam)
    return {name: part for (kind, name), part in sorted(_parts.items()) if kind == seam}


def _find(seam: str, name: str) -> Part | None:
    """The part of that name, if the module that declares it has that name too: then no other one is imported."""
    with _scanning:
        if (seam, name) not in _parts and name.isidentifier():
            module = f"{ROOMS[seam]}.{name}"
            if find_spec(module) is not None:
                import_module(module)
    return _parts.get((seam, name))


def names(seam: str) -> list[str]:
    """Every name that `create` accepts for this kind of part, from this package and from installed ones."""
    return sorted({*parts(seam), *(point.name for point in entry_points(group=f"graph_eval.{seam}s"))})


def create(seam: str, spec: str, settings: Settings | None = None) -> Any:
    """Creates the part that `spec` names. Raises UsageError for an unknown name or an invalid argument."""
    name, colon, argument = spec.partition(":")
    part = _find(seam, name) or parts(seam).get(name)
    if part is None:
        point = next(iter(entry_points(group=f"graph_eval.{seam}s", name=name)), None)
        if point is None:
            hint = suggestion(name, names(seam)) or f"known {seam}s: {', '.join(names(seam))}"
            raise UsageError(f"unknown {seam} {name!r}", hint)
        part = _plugin(seam, point)
    return part.make(argument if colon else None, settings or Settings())


def _plugin(seam: str, point: EntryPoint) -> Part:
    """The declaration of an entry point of another package."""
    target = point.load()
    declared = getattr(target, "declaration", None)
    if isinstance(declared, Part):
        return declared
    factory = _taking_settings(target, point)

    def make(argument: str | None, settings: Settings) -> Any:
        part = factory(argument, settings)
        if not declared_by_class(part) and not getattr(part, "reads", ()):
            with contextlib.suppress(AttributeError):  # an object that does not allow new attributes
                part.reads = tuple(DECLARED)  # it received all settings, so a run has to name them all

        return part

    return Part(seam, point.name, make, "[ARGUMENT]")


def declared_by_class(part: Any) -> bool:
    """Whether the class of the part declares what it reads."""
    return "declaration" in vars(type(part))


def _taking_settings(target: Callable[..., Any], point: EntryPoint) -> Factory:
    try:
        inspect.signature(target).bind(None, None)
    except TypeError:
        warnings.warn(
            f"entry point {point.name} = {point.value} takes only an argument; from version 0.4 on it must take "
            "(argument, settings)",
            DeprecationWarning,
            stacklevel=2,
        )
        return lambda argument, _: target(argument)
    except ValueError:  # a callable without a signature
        pass
    return target
