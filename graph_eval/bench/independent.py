"""Texts before and after their correction, for a checker that took no part in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_eval.sources import RunResults
from graph_eval.stage import example_of
from graph_eval.types import Result, Run, content_hash


def before(results: Sequence[Result], run: Run) -> RunResults:
    """The records of corrected results, under the same numbers. `run`: that of the results."""
    return _source([Result(result.n, example_of(result)) for result in results], run)


def after(results: Sequence[Result], run: Run) -> RunResults:
    """The records with the corrected texts, under the same numbers."""
    return _source(
        [Result(result.n, replace(example_of(result), response=_revised(result))) for result in results], run
    )


def is_changed(result: Result) -> bool:
    return result.revision is not None and result.revision.text != example_of(result).response


def _revised(result: Result) -> str:
    return result.revision.text if result.revision else example_of(result).response


def _source(results: list[Result], run: Run) -> RunResults:
    digest = content_hash("texts", *(example_of(result).key for result in results))
    return RunResults(results, run, digest, len(results))
