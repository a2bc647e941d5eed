"""Fingerprints of what a user passes in Python: equal in every process, never shared by two different functions."""

import functools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graph_eval.fingerprints import fingerprint_of, name_of
from graph_eval.types import Label

LIMIT = 3
OPAQUE = object()
WORD = re.compile(r"\w+")


def helper(text: str) -> str:
    return text[:LIMIT]


def upper(text: str) -> str:
    return helper(text).upper()


def recursive(number: int) -> int:
    return number and recursive(number - 1)


def reads_library_and_patterns(text: str) -> str:
    return json.dumps([match[0] for match in WORD.finditer(text)]) + Label.NEUTRAL


def reads_something_opaque(text: str) -> str:
    return text + repr(OPAQUE)


def reads_a_class_of_its_own(text: str) -> str:
    return Named(text).answer(text)


def reads_an_unknown_name(text: str) -> str:
    return text + defined_later  # type: ignore[name-defined]  # noqa: F821


def closure_over(value: object) -> Callable[[str], str]:
    return lambda text: f"{text} {value}"


class Named:
    def __init__(self, fingerprint: object) -> None:
        self.fingerprint = fingerprint

    def answer(self, text: str) -> str:
        return text


DIFFERENT: dict[str, tuple[Callable[..., object], Callable[..., object]]] = {
    "code": (lambda text: text + "a", lambda text: text + "b"),
    "names": (lambda text: text.upper(), lambda text: text.lower()),
    "parameters": (eval("lambda a: [(b := a), b][1]"), eval("lambda a, b: [(b := a), b][1]")),  # noqa: S307
    "defaults": (lambda text, n=1: text * n, lambda text, n=2: text * n),
    "keyword defaults": (lambda text, *, n=1: text * n, lambda text, *, n=2: text * n),
    "closure": (closure_over(1), closure_over(2)),
    "type of a value": (closure_over(1), closure_over(True)),
    "sign of a value": (closure_over(0.0), closure_over(-0.0)),
    "nested closure": (closure_over(closure_over(1)), closure_over(closure_over(2))),
    "list": (closure_over([1, 2]), closure_over([2, 1])),
    "dictionary": (closure_over({"a": 1}), closure_over({"a": 2})),
    "set": (closure_over({1, 2}), closure_over({1, 3})),
    "pattern": (closure_over(re.compile("a")), closure_over(re.compile("a", re.IGNORECASE))),
    "enumeration": (closure_over(Label.NEUTRAL), closure_over(Label.ENTAILMENT)),
    "partial": (functools.partial(closure_over, 1), functools.partial(closure_over, 2)),
    "methods of a type": (str.upper, str.lower),
    "methods of values": ("a".join, "b".join),
    "objects of the user": (closure_over(object()), closure_over(object())),
    "bound methods": (Named(1).answer, Named(1).answer),
    "nested functions": (lambda: lambda: 1, lambda: lambda: 2),
    "generators": (lambda: [n + 1 for n in range(3)], lambda: (n + 1 for n in range(3))),
}


@pytest.mark.parametrize("name", sorted(DIFFERENT))
def test_different_functions_have_different_fingerprints(name: str) -> None:
    first, second = DIFFERENT[name]
    assert fingerprint_of(first) != fingerprint_of(second)


@pytest.mark.parametrize(
    "function",
    [
        upper,
        recursive,
        reads_library_and_patterns,
        closure_over({"a": [1, (2.5, None)], "b": {"x", "y"}}),
        closure_over(closure_over(upper)),
        functools.partial(closure_over, Label.NEUTRAL),
        str.upper,
        len,
        json.dumps,
        Named("mine").answer,
    ],
)
def test_the_same_function_has_the_same_fingerprint(function: Callable[..., object]) -> None:
    assert fingerprint_of(function) == fingerprint_of(function)


def test_equal_closures_are_equal() -> None:
    assert fingerprint_of(closure_over(["a", 1])) == fingerprint_of(closure_over(["a", 1]))


def test_a_changed_helper_or_constant_changes_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint_of(upper)
    monkeypatch.setitem(globals(), "LIMIT", 4)
    changed = fingerprint_of(upper)
    monkeypatch.setitem(globals(), "helper", lambda text: text)
    assert len({before, changed, fingerprint_of(upper)}) == 3


def test_a_changed_attribute_of_the_function_changes_the_fingerprint() -> None:
    function = closure_over(1)
    before = fingerprint_of(function)
    function.limit = 3  # type: ignore[attr-defined]
    assert fingerprint_of(function) != before


@pytest.mark.parametrize("function", [reads_something_opaque, reads_a_class_of_its_own, reads_an_unknown_name])
def test_an_unknown_content_gets_a_new_fingerprint_every_time(function: Callable[[str], str]) -> None:
    assert fingerprint_of(function) != fingerprint_of(function)
    assert fingerprint_of(function).startswith(name_of(function).removeprefix("object:") + ":")


def test_an_empty_closure_is_opaque() -> None:
    def outer() -> Callable[[], object]:
        def inner() -> object:
            return value

        if OPAQUE is None:
            value = 1
        return inner

    assert fingerprint_of(outer()) != fingerprint_of(outer())


def test_an_object_with_itself_inside_is_read_once() -> None:
    circle: list[object] = [1]
    circle.append(circle)
    assert fingerprint_of(closure_over(circle)) == fingerprint_of(closure_over(circle))
    assert fingerprint_of(closure_over(circle)) != fingerprint_of(closure_over([1, [1]]))


def test_many_functions_that_call_each_other_are_read_once() -> None:
    function = closure_over(0)
    for _ in range(40):
        function = closure_over((function, function))
    assert fingerprint_of(function) == fingerprint_of(function)


@pytest.mark.parametrize("value", ["mine", 7, None])
def test_an_attribute_fingerprint_wins_if_it_is_a_text(value: object) -> None:
    assert (fingerprint_of(Named(value)) == "mine") is (value == "mine")

    def function(text: str) -> str:
        return text

    function.fingerprint = value  # type: ignore[attr-defined]
    assert (fingerprint_of(function) == "mine") is (value == "mine")


def test_a_named_object_inside_a_function_counts_by_its_name() -> None:
    assert fingerprint_of(closure_over(Named("a"))) == fingerprint_of(closure_over(Named("a")))
    assert fingerprint_of(closure_over(Named("a"))) != fingerprint_of(closure_over(Named("b")))


MODULE = '''
import json
import re
from functools import partial
from json import dumps

LIMITS = {"a": [1, 2.5], "b": ("x", None), "c": {"one", "two", "three", 4}}
WORD = re.compile("[a-z]+", re.IGNORECASE)

def helper(text, *, most=3):
    """Doc."""
    try:
        return [text for _ in range(most) if text in {"x", "y", "z", "w"}]
    except ValueError:
        return dumps(LIMITS["a"])

def function(text):
    class Inner:
        size = len(LIMITS)
    return json.dumps(helper(text)) + str(Inner.size) + "".join(WORD.findall(text))

closures = [lambda text, n=n: [function(text), n, LIMITS] for n in range(2)]
parts = [helper, function, *closures, partial(helper, most=4)]
'''


def test_another_process_gives_the_same_fingerprints(tmp_path: Path) -> None:
    (tmp_path / "users_module.py").write_text(MODULE)
    code = """
import users_module
from graph_eval.fingerprints import fingerprint_of
print(*map(fingerprint_of, users_module.parts), sep="\\n")
"""
    outputs = []
    for seed in ("1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        outputs.append(done.stdout.split())
    assert outputs[0] == outputs[1] == outputs[2]
    assert len(set(outputs[0])) == 5


def test_a_module_of_the_user_that_is_imported_inside_the_function_is_not_taken_for_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "module_of_the_user.py").write_text("X = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    def reads_it(text: str) -> str:
        import module_of_the_user

        return text + str(module_of_the_user.X)

    def reads_the_library(text: str) -> str:
        import json as library

        return library.dumps(text)

    assert reads_it("a") == "a1"
    assert fingerprint_of(reads_it) != fingerprint_of(reads_it)
    assert fingerprint_of(reads_the_library) == fingerprint_of(reads_the_library)


def test_the_fingerprint_of_a_function_is_the_same_every_time() -> None:
    """The ids of values that are read on the way are used again by Python."""
    assert len({fingerprint_of(reads_library_and_patterns) for _ in range(200)}) == 1
    assert len({fingerprint_of(upper) for _ in range(200)}) == 1
