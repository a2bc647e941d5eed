"""A plan runs stages, in order, on chunks of results.

Chunks have a fixed size, and a stage receives one chunk at a time. So the results do not depend on interruptions, nor
on the threads, processes or machines that process the chunks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_eval.errors import UsageError
from graph_eval.settings import DECLARED, Settings
from graph_eval.stages import Stage, run_stage
from graph_eval.types import Result, Run
from graph_eval.version import versions


@dataclass(frozen=True)
class Plan:
    """`chunk`: the number of results in a chunk. A plan without stages returns results unchanged."""

    stages: tuple[Stage, ...]
    chunk: int = Settings().chunk

    @property
    def name(self) -> str:
        """The name of the last stage, or ''."""
        return self.stages[-1].name if self.stages else ""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that the results depend on, by name. Raises UsageError if two stages differ in a setting."""
        merged: dict[str, Any] = {"chunk": self.chunk}
        for stage in self.stages:
            for name, value in stage.settings.items():
                if merged.setdefault(name, value) != value:
                    raise UsageError(
                        f"stage {stage.name}: {name} is {value!r}, and {merged[name]!r} in a stage before",
                        "build the stages of a plan from the same settings",
                    )
        order = list(DECLARED)
        return dict(
            sorted(merged.items(), key=lambda pair: order.index(pair[0]) if pair[0] in DECLARED else len(order))
        )

    @property
    def fingerprints(self) -> dict[str, str]:
        """The fingerprint of every part that the stages use, by the part's role. Reads all weights."""
        return {role: fingerprint for stage in self.stages for role, fingerprint in stage.fingerprints.items()}

    def describe(self, digest: str = "", before: Run | None = None) -> Run:
        """The identity of a run of this plan on an input with this digest.

        `before`: the run that produced the input. Its settings and parts are included, unless this plan replaces them.
        """
        settings: Mapping[str, Any] = before.settings if before else {}
        fingerprints: Mapping[str, str] = before.fingerprints if before else {}
        return Run(self.name, {**settings, **self.settings}, {**fingerprints, **self.fingerprints}, versions(), digest)

    def run(self, results: Sequence[Result]) -> list[Result]:
        """Runs all stages on one chunk. A result that fails gets its error, and the others continue."""
        outputs = list(results)
        for stage in self.stages:
            outputs = run_stage(stage, outputs)
        return outputs
