"""RUN/run.json (settings, versions, fingerprints, counts, timings) and RUN/results.jsonl (one line a record).

Results are appended and fsynced chunk by chunk. Started again with the same input and settings a run goes on after
the last whole chunk and ends with the same bytes; with others it refuses and says what differs.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from graph_eval.errors import RunError
from graph_eval.formats.results import read_results, to_json
from graph_eval.settings import Settings
from graph_eval.types import Result, Run
from graph_eval.version import __version__

CHUNK = Settings().chunk
META, RESULTS, LOCK = "run.json", "results.jsonl", ".lock"
LIBRARIES = ("numpy", "onnxruntime", "pydantic", "spacy", "tokenizers")


def describe(stage: str, settings: Settings, fingerprints: Mapping[str, str], digest: str) -> Run:
    """The run that these settings and this input make."""
    return Run(stage, settings.of_results(stage == "correct"), dict(fingerprints), versions(), digest)


def versions() -> dict[str, str]:
    found = {"graph_eval": __version__, "python": platform.python_version(), "machine": platform.machine()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "missing"
    return found


def differences(run: Run, stored: Mapping[str, Any]) -> list[str]:
    """What a stored run has otherwise, by name, with both values."""
    found = []
    for name, value in asdict(run).items():
        other = stored.get(name)
        if isinstance(value, dict) and isinstance(other, dict):
            found += [
                f"{name}.{key}: {other.get(key)!r} there, {value.get(key)!r} now"
                for key in sorted({*value, *other})
                if value.get(key) != other.get(key)
            ]
        elif value != other:
            found.append(f"{name}: {other!r} there, {value!r} now")
    return found


@dataclass(slots=True)
class OpenRun:
    """A run directory that this process may write. `done` results are on disk already."""

    path: Path
    run: Run
    done: int = 0
    _counts: dict[str, int] = field(default_factory=dict)
    _seconds: float = 0.0
    _started: float = field(default_factory=time.monotonic)

    @property
    def results(self) -> Path:
        return self.path / RESULTS

    def append(self, results: Iterable[Result]) -> None:
        """Writes one chunk; when this returns it is on the disk."""
        lines = []
        for result in results:
            lines.append(to_json(result) + "\n")
            self._count(result)
        with self.results.open("ab") as stream:
            stream.write("".join(lines).encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())
        self.done += len(lines)

    def finish(self) -> None:
        self._save(finished=True)

    def _count(self, result: Result) -> None:
        names = ["records", "errors" if result.error else str(result.label or "extracted")]
        for name in names:
            self._counts[name] = self._counts.get(name, 0) + 1
        for name, amount in (
            ("claims", len(result.claims)),
            ("flagged", len(result.flagged)),
        ):
            self._counts[name] = self._counts.get(name, 0) + amount

    def _save(self, finished: bool) -> None:
        value = {
            "id": self.run.id,
            **asdict(self.run),
            "finished": finished,
            "counts": self._counts,
            "seconds": round(self._seconds + time.monotonic() - self._started, 3),
        }
        _replace(self.path / META, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


@contextmanager
def opened(path: Path, wanted: Run, chunk: int) -> Iterator[OpenRun]:
    """The run at `path`, new or resumed, locked against a second process.

    Raises RunError if another process writes it, or if it was begun with another input or other settings.
    """
    path.mkdir(parents=True, exist_ok=True)
    with (path / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunError(f"{path} is being written by another process", "wait for it, or choose another -o") from None
        run = OpenRun(path, wanted)
        finished = False
        if (path / META).exists():
            stored = meta_of(path)
            if found := differences(wanted, stored):
                raise RunError(
                    f"{path} holds a run of something else:\n  " + "\n  ".join(found),
                    "choose another -o, or remove that folder",
                )
            run._seconds = float(stored.get("seconds", 0.0))
            finished = bool(stored.get("finished"))
            run.done = _cut_to_whole_chunks(run.results, chunk, finished)
            for result in read_results(run.results):
                run._count(result)
        elif any(entry.name != LOCK for entry in path.iterdir()):
            raise RunError(f"{path} is no run directory and is not empty", "choose another -o")
        else:
            run.results.touch()
        if not finished:
            run._save(finished=False)
        yield run


@contextmanager
def opened_if(path: Path | None, wanted: Callable[[], Run], chunk: int) -> Iterator[OpenRun | None]:
    """The run at `path`, or None where nothing is to be kept: then the run, whose fingerprints read all weights, is
    not even described."""
    if path is None:
        yield None
        return
    with opened(path, wanted(), chunk) as run:
        yield run


def is_run(path: Path) -> bool:
    return (path / META).is_file() and (path / RESULTS).is_file()


def results_of(path: Path) -> Iterator[Result]:
    return read_results(path / RESULTS)


def run_at(path: Path) -> Run:
    """What the run on the disk was made with."""
    meta = meta_of(path)
    try:
        return Run(*(meta[name] for name in ("stage", "settings", "fingerprints", "versions", "input")))
    except KeyError as problem:
        raise RunError(f"{path / META} lacks {problem}", "is this a run of another version?") from None


def meta_of(path: Path) -> dict[str, Any]:
    """What run.json holds. Raises RunError where it cannot be read."""
    try:
        value: dict[str, Any] = json.loads((path / META).read_text("utf-8"))
    except (OSError, ValueError) as problem:
        raise RunError(f"{path / META} cannot be read: {problem}", "remove the folder and start again") from problem
    return value


def _cut_to_whole_chunks(results: Path, chunk: int, finished: bool) -> int:
    """Drops what an interrupted write left behind the last whole chunk. Returns the results that stay."""
    results.touch()
    ends = [0]
    with results.open("rb") as stream:
        for line in stream:
            if not line.endswith(b"\n"):
                break
            ends.append(ends[-1] + len(line))
    lines = len(ends) - 1
    kept = lines if finished else lines - lines % chunk
    os.truncate(results, ends[kept])
    return kept


def _replace(path: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    temporary = path.with_suffix(".tmp")
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)
