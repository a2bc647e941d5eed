"""Writes and resumes runs.

Results are appended and fsynced chunk by chunk. With the same input and settings, a run continues after the last whole
chunk, and its files end with the same bytes. With another input or other settings RunError lists the differences.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import IO, Any, TextIO

from graph_eval.chunks import chunks
from graph_eval.errors import RunError
from graph_eval.formats.results import to_json
from graph_eval.output import SHARED, write_text
from graph_eval.runs.directory import LOCK, META, RESULTS, read_manifest, read_meta, read_results
from graph_eval.sinks import Sink
from graph_eval.types import Result, Run, now


def lock(file: IO[Any], path: Path) -> None:
    """Locks an open file for this process. Raises RunError, about `path`, if it cannot."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RunError(f"{path} is being written by another process", "wait for it, or choose another -o") from None
    except OSError as problem:
        raise RunError(f"{path} cannot be locked: {problem.strerror}", "choose an -o on a local disk") from None


class RunDirectory(Sink):
    """Stores a job's results in a directory, new or resumed, locked against a second process.

    `begin` raises RunError if another process writes the directory, if it has a run with another input or other
    settings, or if it contains other files.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done = 0  # number of results on disk
        self._lock: TextIO | None = None
        self._run: Run | None = None
        self._counts: dict[str, int] = {}
        self._seconds = 0.0  # of earlier attempts
        self._started = time.monotonic()
        self._created_at = now()
        self._complete = False  # nothing was added since it was finished

    def manifest(self) -> str:
        """The text of run.json."""
        return read_manifest(self.path)

    @property
    def results(self) -> Path:
        return self.path / RESULTS

    def begin(self, run: Callable[[], Run], chunk: int) -> Iterator[Result]:
        self._started = time.monotonic()
        self._open(run(), chunk)
        return islice(read_results(self.path), self.done)

    def _open(self, run: Run, chunk: int) -> None:
        self._run = run
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = (self.path / LOCK).open("w")
        except OSError as problem:
            raise RunError(
                f"{self.path} cannot be written: {problem.strerror}", "choose another -o: a new or an empty directory"
            ) from None
        lock(self._lock, self.path)
        finished = False
        if (self.path / META).exists():
            stored = read_meta(self.path)
            if changes := differences(run, stored):
                raise RunError(
                    f"{self.path} holds a run with other settings or another input:\n  " + "\n  ".join(changes),
                    f"choose another -o directory, or delete {self.path}",
                )
            self._seconds = float(stored.get("seconds", 0.0))
            self._created_at = stored.get("created_at", self._created_at)
            finished = self._complete = bool(stored.get("finished"))
            self.done = cut_to_whole_chunks(self.results, chunk, finished)
            for result in read_results(self.path):
                self._count(result)
        elif any(entry.name != LOCK for entry in self.path.iterdir()):
            raise RunError(f"{self.path} is not a run directory and is not empty", "choose another -o directory")
        else:
            self.results.touch()
        if not finished:
            self._save(finished=False)

    def add(self, results: Sequence[Result]) -> None:
        """Writes one chunk. When this returns, the chunk is on disk."""
        self._complete = False
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
        if not self._complete:  # reading a finished run again adds nothing to its time
            self._save(finished=True)

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _count(self, result: Result) -> None:
        outcome = "errors" if result.error else str(result.label or "extracted")
        amounts = {"records": 1, outcome: 1, "claims": len(result.claims), "flagged": len(result.flagged)}
        for name, amount in amounts.items():
            self._counts[name] = self._counts.get(name, 0) + amount

    def _save(self, finished: bool) -> None:
        if self._run is None:
            raise ValueError("the directory is not open")
        value = {
            "id": self._run.id,
            **asdict(self._run),
            "created_at": self._created_at,
            "finished": finished,
            "counts": self._counts,
            "seconds": round(self._seconds + time.monotonic() - self._started, 3),
        }
        write_text(self.path / META, json.dumps(value, ensure_ascii=False, indent=2) + "\n", mode=SHARED)


def differences(run: Run, stored: Mapping[str, Any]) -> list[str]:
    """The differences between a stored run and this one: names with both values."""
    changes = []
    for name, value in asdict(run).items():
        other = stored.get(name)
        if isinstance(value, dict) and isinstance(other, dict):
            changes += [
                f"{name}.{key}: {other.get(key)!r} in RUN, {value.get(key)!r} in this command"
                for key in sorted({*value, *other})
                if value.get(key) != other.get(key)
            ]
        elif value != other:
            changes.append(f"{name}: {other!r} in RUN, {value!r} in this command")
    return changes


def cut_to_whole_chunks(results: Path, chunk: int, finished: bool) -> int:
    """Removes the lines after the last whole chunk of an interrupted run. Returns the number of results that stay."""
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


def write_run(path: Path, run: Run, results: Iterable[Result], chunk: int, manifest: str | None = None) -> None:
    """Writes existing results as a run directory. Raises RunError if it contains some of them already.

    `manifest`: the run.json of these results, which is written as it is if its counts are theirs.
    """
    written = RunDirectory(path)
    try:
        written.begin(lambda: run, chunk)
        if written.done:
            raise RunError(f"{path} already contains this run", "choose another -o directory")
        for part in chunks(results, chunk):
            written.add(part)
        written.finish()
        if manifest is not None and json.loads(manifest).get("counts") == read_meta(path)["counts"]:
            write_text(path / META, manifest, mode=SHARED)
    finally:
        written.close()
