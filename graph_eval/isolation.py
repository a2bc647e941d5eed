"""Keeps one failing item from stopping the others.

A part (extractor, checker, corrector, ...) raises its exceptions. Code that runs a part on many items calls `isolated`.
It turns an unexpected exception into the error of the one item that caused it. The traceback is logged (logger
"graph_eval") and stored in the error.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from graph_eval.errors import GraphEvalError
from graph_eval.types import ItemError

Item = TypeVar("Item")
Output = TypeVar("Output")

logger = logging.getLogger("graph_eval")
logger.addHandler(logging.NullHandler())  # silent until the user of the library configures logging
PACKAGE = Path(__file__).parent


def isolated(
    stage: str,
    items: Sequence[Item],
    run: Callable[[Sequence[Item]], Sequence[Output]],
    name: Callable[[Item], str] = lambda _: "",
) -> list[Output | ItemError]:
    """Runs `run` on all items. If it raises, retries each item alone, so that only the failing ones get an error.

    `run` returns one output for each item, in order. `name` returns the name of an item for the log. A GraphEvalError
    is raised at once: something is missing or misused, and no item could succeed.
    """
    if not items:
        return []
    try:
        outputs = list(run(items))
        if len(outputs) != len(items):
            raise ValueError(f"{len(outputs)} results for {len(items)} items")
        return list(outputs)
    except GraphEvalError:
        raise
    except Exception as problem:
        if _interrupted(problem):
            raise
        if len(items) == 1:
            logger.exception("%s failed%s", stage, f" for {name(items[0])}" if name(items[0]) else "")
            return [failure(stage, problem)]
    return [output for item in items for output in isolated(stage, [item], run, name)]


def _interrupted(problem: BaseException | None) -> bool:
    """Whether Ctrl-C is behind it: it may come out of native code as another exception."""
    while problem is not None:
        if isinstance(problem, KeyboardInterrupt):
            return True
        problem = problem.__cause__ or problem.__context__
    return False


def failure(stage: str, problem: BaseException) -> ItemError:
    """An exception as the error of one item: its type, its message, the line that raised it, and its traceback."""
    frames = traceback.extract_tb(problem.__traceback__)
    place = f" ({_short(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    lines = [f"{_short(frame.filename)}, line {frame.lineno}, in {frame.name}: {frame.line}" for frame in frames]
    return ItemError(
        stage,
        f"{type(problem).__name__}: {problem}{place}",
        getattr(problem, "hint", None),
        traceback="\n".join([*lines, f"{type(problem).__name__}: {problem}"]),
    )


def _short(filename: str) -> str:
    """A file's name without the folders of this machine, so that results do not depend on where files are installed."""
    path = Path(filename)
    if path.is_relative_to(PACKAGE.parent) and path.is_relative_to(PACKAGE):
        return path.relative_to(PACKAGE.parent).as_posix()
    for entry in sorted(filter(None, sys.path), key=len, reverse=True):
        if path.is_relative_to(entry):
            return path.relative_to(entry).as_posix()
    return path.name
