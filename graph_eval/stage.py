"""A stage maps results to results. `Stage` documents all that a new stage needs.

    class WordCountStage(Stage):
        name = "words"
        fingerprint = "words-1"                    # change it whenever the output could change

        def run(self, results):
            return [replace(r, fields={**r.fields, "words": len(r.example.response.split())}) for r in results]

    ge = GraphEval()
    plan = Plan((*ge.plan().stages, WordCountStage()))
    for result in Job(Records(records), plan, [RunDirectory(Path("RUN"))]).results(): ...

The base class stands below all rooms, so that a stage can live in the room of its method.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graph_eval.isolation import isolated
from graph_eval.types import Example, ItemError, Result


class Stage(ABC):
    """One step of a plan.

    `name` is also the name of the stage's fingerprint in a run. An exception of `run` becomes the error of the one
    result that caused it. A GraphEvalError ends the job.
    """

    name: str

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that its results depend on: JSON values by name."""
        return {}

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A string. Change it whenever the output could change."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that `fingerprints` may have. An earlier run's parts in these roles are replaced."""
        return tuple(self.fingerprints)

    @property
    def fingerprints(self) -> Mapping[str, str]:
        """The fingerprint of every part that the stage uses, by the part's role."""
        return {self.name: self.fingerprint}

    def takes(self, result: Result) -> bool:
        """Whether `run` receives this result. Other results stay unchanged."""
        return result.example is not None and result.error is None

    @abstractmethod
    def run(self, results: Sequence[Result]) -> Sequence[Result]:
        """Returns one new result for each result, in order. Results are never changed in place."""

    def failed(self, result: Result, error: ItemError) -> Result:
        """The result with the error of `run`."""
        return replace(result, error=error)


def run_stage(stage: Stage, results: Sequence[Result]) -> list[Result]:
    """Runs a stage and returns the results in order. A result that fails gets its error, and the others continue."""
    outputs = list(results)
    places = [place for place, result in enumerate(results) if stage.takes(result)]
    finished = isolated(stage.name, [results[place] for place in places], stage.run, record_name)
    for place, output in zip(places, finished, strict=True):
        if isinstance(output, ItemError):
            output = stage.failed(results[place], replace(output, id=record_name(results[place])))
        outputs[place] = output
    return outputs


def commonest(errors: Sequence[ItemError]) -> ItemError:
    """The first of the errors whose message and hint occur most often."""
    counts = Counter((error.message, error.hint) for error in errors)
    return max(errors, key=lambda error: counts[error.message, error.hint])


def record_name(result: Result) -> str:
    """The id of the record, or an empty text."""
    return result.example.id if result.example else ""


def example_of(result: Result) -> Example:
    """The record of a result. Raises ValueError for a result without one."""
    if result.example is None:
        raise ValueError(f"result {result.n} has no record")
    return result.example
