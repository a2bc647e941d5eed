"""A plan: stages in order, run over chunks of results.

Work is cut into fixed chunks of N results and no stage sees more than one chunk at a time. So results are the same
however often a job was interrupted, and however its chunks were spread over threads, processes or machines.
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
    """`chunk`: results in one unit of work. A plan without a stage leaves results as they are."""

    stages: tuple[Stage, ...]
    chunk: int = Settings().chunk

    @property
    def name(self) -> str:
        """That of the last stage; empty without one."""
        return self.stages[-1].name if self.stages else ""

    @property
    def settings(self) -> dict[str, Any]:
        """All that its results depend on, by name. Raises UsageError where two stages differ about a setting."""
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
        """What identifies a run of this plan over an input with that digest.

        `before`: the run that the input's results come from; its parts are named too, unless this plan ran them again.
        """
        stale = {role for stage in self.stages for role in stage.roles}
        fingerprints = {
            role: value for role, value in (before.fingerprints if before else {}).items() if role not in stale
        }
        name = self.name or (before.stage if before else "")
        return Run(name, self.settings_after(before), {**fingerprints, **self.fingerprints}, versions(), digest)

    def settings_after(self, before: Run | None) -> dict[str, Any]:
        """The settings of this plan, and of the run that its input comes from."""
        return {**(before.settings if before else {}), **self.settings}

    def run(self, results: Sequence[Result]) -> list[Result]:
        """One chunk through all stages. A result that fails holds its error, and the others go on."""
        outputs = list(results)
        for stage in self.stages:
            outputs = run_stage(stage, outputs)
        return outputs
