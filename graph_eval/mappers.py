"""Mappers apply a function to chunks: one after the other, in threads, or in processes.

A mapper receives a function and an iterable, and yields the function's outputs in order, as the builtin `map` does. It
may compute a few chunks in advance. The outputs do not depend on the mapper.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, TypeVar

from graph_eval.errors import UsageError

Input = TypeVar("Input")
Output = TypeVar("Output")
Mapper = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]

serial: Mapper = map  # in this thread


def threads(count: int) -> Mapper:
    """Returns a mapper that uses `count` threads of this process."""

    def mapper(function: Callable[[Input], Output], inputs: Iterable[Input]) -> Iterator[Output]:
        return _ahead(ThreadPoolExecutor(count, "graph-eval"), function, inputs, 2 * count)

    return mapper


def processes(count: int) -> Mapper:
    """Returns a mapper that uses `count` processes. Each receives the function once, so it must be picklable."""

    def mapper(function: Callable[[Input], Output], inputs: Iterable[Input]) -> Iterator[Output]:
        try:
            sent = pickle.dumps(function)
        except (pickle.PicklingError, AttributeError, TypeError) as problem:
            raise UsageError(
                f"a part cannot be sent to another process: {problem}",
                "use threads, or define functions and classes at the top level of a module",
            ) from problem
        pool = ProcessPoolExecutor(
            count, mp_context=multiprocessing.get_context("spawn"), initializer=_receive, initargs=(sent,)
        )
        return _ahead(pool, _call, inputs, 2 * count)

    return mapper


def _ahead(
    pool: Executor, function: Callable[[Input], Output], inputs: Iterable[Input], limit: int
) -> Iterator[Output]:
    """Yields the outputs in order, with at most `limit` inputs submitted at a time."""
    waiting: deque[Future[Output]] = deque()
    try:
        for item in inputs:
            waiting.append(pool.submit(function, item))
            if len(waiting) >= limit:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_function: Callable[[Any], Any] | None = None  # of a worker process


def _receive(sent: bytes) -> None:
    global _function
    _function = pickle.loads(sent)  # noqa: S301  # it comes from our own process


def _call(item: Any) -> Any:
    if _function is None:
        raise RuntimeError("the worker process has received no function")
    return _function(item)
