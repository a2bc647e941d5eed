"""What a benchmark leaves behind: figures with the settings, versions and the machine that they were made with."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graph_eval.errors import UsageError
from graph_eval.pipeline import GraphEval
from graph_eval.runs.directory import versions


def record(benchmark: str, ge: GraphEval, data: Mapping[str, str], **figures: Any) -> dict[str, Any]:
    """`data`: a name and a digest of every set that was read."""
    return {
        "benchmark": benchmark,
        "settings": ge.settings.of_results() | {"threads": ge.settings.threads},
        "fingerprints": ge.fingerprints,
        "versions": versions(),
        "machine": machine(),
        "data": dict(data),
        **figures,
    }


def machine() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def write(value: Mapping[str, Any], path: Path) -> None:
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")
        temporary.replace(path)
    except OSError as problem:
        raise UsageError(f"{path} cannot be written: {problem.strerror}", "choose another -o") from None


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
