"""Fingerprints of what a user hands over in Python: functions and objects that do not name one themselves.

Two different functions never share a fingerprint. One that is defined by its code and by plain values has the same
fingerprint in every process, so that a run made with it can be resumed; anything else gets a fingerprint of its own,
which no other process knows. Give the function or object an attribute `fingerprint` to name it yourself.
"""

from __future__ import annotations

import types
import uuid
from typing import Any

from graph_eval.types import content_hash

PLAIN = (str, int, float, complex, bool, bytes, type(None), type(Ellipsis))


class OpaqueError(Exception):
    """A value that cannot be told from another one by its content."""


def name_of(part: Any) -> str:
    """What settings call a part that was given as an object: "object:MODULE.NAME"."""
    target = part if hasattr(part, "__qualname__") else type(part)
    return f"object:{getattr(target, '__module__', '?')}.{target.__qualname__}"


def identity_of(part: Any) -> str:
    """The fingerprint of a function or an object: its own `fingerprint`, a hash of its code, or a new one.

    Ask once for each object and keep the answer: what cannot be told by its content gets another one every time.
    """
    named = getattr(part, "fingerprint", None)
    if isinstance(named, str):
        return named
    name = name_of(part).removeprefix("object:")
    try:
        return f"{name}:{content_hash(_content(part, ()))}"
    except OpaqueError:
        return f"{name}:{uuid.uuid4().hex}"


def _content(value: Any, seen: tuple[int, ...]) -> Any:
    """What distinguishes a value, as JSON. Raises OpaqueError where its content does not tell."""
    if isinstance(value, PLAIN):
        return [type(value).__name__, repr(value)]
    if id(value) in seen:
        return ["again", seen.index(id(value))]
    seen = (*seen, id(value))
    if isinstance(value, tuple | list):
        return [type(value).__name__, [_content(item, seen) for item in value]]
    if isinstance(value, set | frozenset):
        return [type(value).__name__, sorted(map(repr, (_content(item, seen) for item in value)))]
    if isinstance(value, dict):
        return ["dict", [[_content(key, seen), _content(item, seen)] for key, item in value.items()]]
    if isinstance(value, types.ModuleType):
        return ["module", value.__name__]
    if isinstance(value, types.BuiltinFunctionType) and isinstance(value.__self__, types.ModuleType | None):
        return ["builtin", value.__module__, value.__qualname__]
    if isinstance(value, type):
        return _class(value)
    if isinstance(value, types.MethodType):
        return ["method", _content(value.__func__, seen), _content(value.__self__, seen)]
    if isinstance(value, types.FunctionType):
        return _function(value, seen)
    if isinstance(value, types.CodeType):
        return _code(value, seen)
    raise OpaqueError(type(value).__qualname__)


def _class(value: type) -> Any:
    if "<locals>" in value.__qualname__ or value.__module__ == "__main__":
        raise OpaqueError(value.__qualname__)
    return ["class", value.__module__, value.__qualname__]


def _function(function: types.FunctionType, seen: tuple[int, ...]) -> Any:
    cells = function.__closure__ or ()
    names = _names(function.__code__)
    return [
        "function",
        function.__module__,
        function.__qualname__,
        _content(function.__code__, seen),
        _content(function.__defaults__, seen),
        _content(function.__kwdefaults__, seen),
        [_content(cell.cell_contents, seen) for cell in cells],
        [[name, _content(function.__globals__[name], seen)] for name in names if name in function.__globals__],
    ]


def _code(code: types.CodeType, seen: tuple[int, ...]) -> Any:
    constants = [_content(item, seen) for item in code.co_consts]
    return ["code", code.co_code.hex(), constants, code.co_names, code.co_varnames, code.co_freevars]


def _names(code: types.CodeType) -> list[str]:
    """Names that the code, and the functions inside it, may look up in the module."""
    inner = {name for item in code.co_consts if isinstance(item, types.CodeType) for name in _names(item)}
    return sorted({*code.co_names, *inner})
