"""The JSON file of a benchmark: figures, settings, versions and the machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graph_eval.machine import machine
from graph_eval.output import write_text
from graph_eval.plan import Plan
from graph_eval.version import versions


def record(
    benchmark: str, plans: Mapping[str, Plan], threads: int, data: Mapping[str, str], **figures: Any
) -> dict[str, Any]:
    """The value of a benchmark's file.

    `plans`: every plan of the benchmark, by name, so that every part is recorded. `data`: the name and the digest of
    each set. `settings` and `fingerprints` are those of the first plan.
    """
    described: dict[str, dict[str, Any]] = {
        name: {
            "stages": [stage.name for stage in plan.stages],
            "settings": plan.settings,
            "fingerprints": plan.fingerprints,
        }
        for name, plan in plans.items()
    }
    first = next(iter(described.values()), {"settings": {}, "fingerprints": {}})
    return {
        "benchmark": benchmark,
        "settings": {**first["settings"], "threads": threads},
        "fingerprints": first["fingerprints"],
        "plans": described,
        "versions": versions(),
        "machine": machine(),
        "data": dict(data),
        **figures,
    }


def write(value: Mapping[str, Any], path: Path) -> None:
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n", "choose another -o")
