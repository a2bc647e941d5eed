"""Fingerprints of functions and objects that a user passes in Python.

Two different functions never share a fingerprint. A function that is defined by its code and by plain values has the
same fingerprint in every process, so that its runs can be resumed. Anything else gets a new fingerprint in every
process. To choose the fingerprint yourself, set the attribute `fingerprint` of the function or object.

The content of a function is its bytecode, its defaults and attributes, and the values that it reads from its closure
and its module: plain values, lists, tuples, sets, dictionaries, patterns, other functions (by their content), and
objects with a `fingerprint`. The standard library, installed packages and graph_eval count by name and version. The
content of the user's classes and modules is not determined: a function that reads one gets a new fingerprint.
"""

from __future__ import annotations

import builtins
import dis
import enum
import functools
import platform
import re
import sys
import sysconfig
import types
import uuid
from collections.abc import Iterator
from importlib import metadata
from operator import attrgetter
from pathlib import Path
from typing import Any

from graph_eval.types import content_hash
from graph_eval.version import __version__

PLAIN = frozenset({str, int, float, complex, bool, bytes, type(None), type(Ellipsis)})
DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)


class OpaqueError(Exception):
    """The content of a value cannot be determined."""


def name_of(part: Any) -> str:
    """The settings name of a part passed as an object: "object:MODULE.NAME"."""
    target = part if hasattr(part, "__qualname__") else type(part)
    return f"object:{getattr(target, '__module__', '?')}.{target.__qualname__}"


def fingerprint_of(part: Any) -> str:
    """The fingerprint of a function or an object: its attribute `fingerprint`, a hash of its content, or a new one.

    Call it once for each object and keep the result. If the content is unknown, every call returns another fingerprint.
    """
    fingerprint = getattr(part, "fingerprint", None)
    if isinstance(fingerprint, str):
        return fingerprint
    name = name_of(part).removeprefix("object:")
    try:
        return f"{name}:{content_hash(_Reader().content(part))}"
    except (OpaqueError, RecursionError):
        return f"{name}:{uuid.uuid4().hex}"


class _Reader:
    """Reads the content of one object. A repeated value, as in a recursive function, is replaced by its number."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._read: list[Any] = []  # keeps the values alive, since the id of a freed one is used again

    def content(self, value: Any) -> Any:
        """The content of the value as JSON: equal for equal values only. Raises OpaqueError for unknown content."""
        kind = type(value)
        if kind in PLAIN:
            return [kind.__name__, repr(value)]
        if kind is tuple:
            return ["tuple", [self.content(item) for item in value]]
        if kind in (set, frozenset):  # without an order: each item is read by itself
            return [kind.__name__, sorted(repr(_Reader().content(item)) for item in value)]
        if kind is re.Pattern:
            return ["pattern", self.content(value.pattern), value.flags]
        if isinstance(fingerprint := getattr(value, "fingerprint", None), str):
            return ["fingerprint", fingerprint]
        if (version := _version_of(value)) is not None:
            return ["installed", *version]
        if id(value) in self._numbers:
            return ["reference", self._numbers[id(value)]]
        self._numbers[id(value)] = len(self._numbers)
        self._read.append(value)
        return self._compound(value, kind)

    def _compound(self, value: Any, kind: type) -> Any:
        if kind is list:
            return ["list", [self.content(item) for item in value]]
        if kind is dict:
            return ["dict", [[self.content(key), self.content(item)] for key, item in value.items()]]
        if kind is types.FunctionType:
            return self._function(value)
        if kind is types.MethodType:
            return ["method", self.content(value.__func__), self.content(value.__self__)]
        if kind is types.BuiltinMethodType:
            return ["builtin method", value.__name__, self.content(value.__self__)]
        if kind is functools.partial:
            return ["partial", self.content(value.func), self.content(value.args), self.content(value.keywords)]
        if isinstance(value, enum.Enum):
            return ["enum", self.content(kind), value.name]
        raise OpaqueError(kind.__qualname__)

    def _function(self, function: types.FunctionType) -> Any:
        try:
            closure = [cell.cell_contents for cell in function.__closure__ or ()]
        except ValueError:  # a variable without a value yet
            raise OpaqueError(function.__qualname__) from None
        attributes = {name: value for name, value in vars(function).items() if name != "__wrapped__"}
        variables = []
        for name in sorted(set(_global_names(function.__code__))):
            if name in function.__globals__:
                variables.append((name, function.__globals__[name]))
            elif not hasattr(builtins, name):
                raise OpaqueError(name)
        imported = [(name, _version(name.partition(".")[0])) for name in sorted(set(_imports(function.__code__)))]
        if any(version is None for _, version in imported):  # a module of the user
            raise OpaqueError(function.__qualname__)
        values = [function.__defaults__, function.__kwdefaults__, attributes, closure, variables, imported]
        return [
            "function",
            function.__module__,
            function.__qualname__,
            self._code(function.__code__),
            [self.content(value) for value in values],
        ]

    def _code(self, code: types.CodeType) -> Any:
        constants = [
            self._code(value) if isinstance(value, types.CodeType) else self.content(value) for value in code.co_consts
        ]
        counts = [code.co_flags, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount]
        names = [code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars]
        return ["code", code.co_code.hex(), code.co_exceptiontable.hex(), constants, counts, names]


def _global_names(code: types.CodeType) -> Iterator[str]:
    """The global names that the code, and the functions inside it, read."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _global_names(constant)


def _imports(code: types.CodeType) -> Iterator[str]:
    """The modules that the code, and the functions inside it, import; "" for a relative import."""
    for instruction in dis.get_instructions(code):
        if instruction.opname == "IMPORT_NAME":
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _imports(constant)


def _version_of(value: Any) -> tuple[str, str, str] | None:
    """(module, name, version) of a module, class or function of an installed package; None for anything else."""
    if isinstance(value, types.ModuleType):
        version = _version(value.__name__.partition(".")[0])
        return (value.__name__, "", version) if version else None
    if isinstance(value, DESCRIPTORS):  # such as str.upper
        owner = _version_of(value.__objclass__)
        return (owner[0], f"{owner[1]}.{value.__name__}", owner[2]) if owner else None
    if not isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
        return None
    module, name = value.__module__, value.__qualname__
    version = _version(module.partition(".")[0]) if module else None
    try:
        same = attrgetter(name)(sys.modules[module]) is value if version else False
    except (AttributeError, KeyError):
        return None
    return (module, name, version) if version and same else None


@functools.cache
def _version(package: str) -> str | None:
    """The version of a package of the standard library, of an installed one, or of graph_eval."""
    if package in sys.stdlib_module_names:
        return platform.python_version()
    if package == __name__.partition(".")[0]:
        return __version__
    file = getattr(sys.modules.get(package), "__file__", None)
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    if file is None or not any(Path(file).is_relative_to(folder) for folder in folders):
        return None
    distributions = metadata.packages_distributions().get(package, [])
    return " ".join(sorted(f"{name} {metadata.version(name)}" for name in set(distributions))) or None
