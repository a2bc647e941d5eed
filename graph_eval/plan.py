"""A plan runs stages, in order, on chunks of results.

Chunks have a fixed size, and a stage receives one chunk at a time. So the results do not depend on interruptions, nor
on the threads, processes or machines that process the chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph_eval.errors import UsageError
from graph_eval.settings import DECLARED, Settings
from graph_eval.stages import STAGES, Stage, run_stage
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
        names = [stage.name for stage in self.stages]
        if names != [name for name in STAGES if name in names]:
            merged["stages"] = names  # their order counts, which the fingerprints do not tell
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
        """The fingerprint of every part that a stage uses, by the part's role. Reads all weights.

        Raises UsageError where two stages use different parts in one role, since one of them would be forgotten.
        """
        merged: dict[str, str] = {}
        for stage in self.stages:
            for role, fingerprint in stage.fingerprints.items():
                if merged.setdefault(role, fingerprint) != fingerprint:
                    raise UsageError(f"stage {stage.name}: another stage has {role!r} already", "rename the stage")
        return merged

    def describe(self, digest: str = "", before: Run | None = None) -> Run:
        """The identity of a run of this plan on an input with this digest.

        `before`: the run that produced the input. Its settings and parts are included, unless this plan replaces them.
        """
        stale = {role for stage in self.stages for role in stage.roles}
        fingerprints = {
            role: value for role, value in (before.fingerprints if before else {}).items() if role not in stale
        }
        name = self.name or (before.stage if before else "")
        return Run(name, self.settings_after(before), {**fingerprints, **self.fingerprints}, versions(), digest)

    def settings_after(self, before: Run | None) -> dict[str, Any]:
        """The settings of this plan, and of the run that its input comes from."""
        earlier = dict(before.settings) if before else {}
        if any("checker" in stage.roles for stage in self.stages):
            earlier.pop("profile", None)  # of verdicts that this plan replaces. Without a profile nothing names it.
        return {**earlier, **self.settings}

    def run(self, results: Sequence[Result]) -> list[Result]:
        """Runs all stages on one chunk. A result that fails gets its error, and the others continue."""
        outputs = list(results)
        for stage in self.stages:
            outputs = run_stage(stage, outputs)
        return outputs
