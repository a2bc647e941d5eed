"""Sources provide the input of a job: unprocessed records, or the results of an earlier run."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from graph_eval.errors import UsageError
from graph_eval.formats import files
from graph_eval.formats.labelled import Labelled
from graph_eval.formats.records import LIMITS, REQUIRED, RecordError, checked, example, failed
from graph_eval.runs import directory
from graph_eval.settings import LimitSettings
from graph_eval.types import Example, ItemError, Result, Run, content_hash

Record = Example | ItemError | Mapping[str, Any]


class Source(ABC):
    """The input of a job.

    `digest` changes with any byte of the input. `total`: the number of results, None if unknown. `run`: the run that
    produced them, None for unprocessed records.
    """

    digest: str = ""
    total: int | None = None
    run: Run | None = None

    @abstractmethod
    def results(self) -> Iterator[Result]:
        """The results in order, numbered from 0 as in the input."""

    @property
    def extracted(self) -> bool:
        """Whether the results have claims."""
        return self.run is not None

    @property
    def judged(self) -> bool:
        """Whether the results have verdicts."""
        return self.run is not None and "checker" in self.run.fingerprints


class Records(Source):
    """Records in Python: dictionaries, Examples, or errors of records that could not be read.

    A list or tuple has a digest of its own. A stream has none, so pass one if the results go to a run directory or a
    store. `required`: the fields that no record may lack.
    """

    def __init__(
        self,
        records: Iterable[Record],
        digest: str = "",
        total: int | None = None,
        limits: LimitSettings = LIMITS,
        required: Sequence[str] = REQUIRED,
    ) -> None:
        self._records = records
        self._limits = limits
        self._required = required
        self._digest = digest
        self.total = len(records) if total is None and isinstance(records, list | tuple) else total

    @classmethod
    def labelled(cls, records: Labelled) -> Records:
        """Those of a labelled set."""
        return cls(records, records.digest, len(records))

    @cached_property
    def digest(self) -> str:  # type: ignore[override]
        if not self._digest and isinstance(self._records, list | tuple):
            return content_hash("records", *map(_content, self._records))
        return self._digest

    def results(self) -> Iterator[Result]:
        for n, record in enumerate(self._records):
            yield as_result(record, n, self._limits, self._required)


class RecordFiles(Source):
    """The records of files, of folders of files, or of standard input ("-").

    `renamed`: field name -> column of the file. `limit`: the maximum number of records. `form`: one of `files.FORMATS`,
    whatever the names of the files are. `required`: the fields that no record may lack. Raises InputError if a file
    cannot be read at all.
    """

    def __init__(
        self,
        names: Sequence[str],
        renamed: Mapping[str, str] | None = None,
        limit: int | None = None,
        form: str | None = None,
        limits: LimitSettings = LIMITS,
        required: Sequence[str] = REQUIRED,
    ) -> None:
        self._files = files.sources(names, form, limits, required)
        self._renamed, self._limit = dict(renamed or {}), limit
        count = files.count(self._files, self._renamed)
        self.total = count if limit is None else min(count, limit)
        digest = content_hash(files.digest(self._files), sorted(self._renamed.items()))
        self.digest = digest if limit is None else content_hash(digest, limit)

    def results(self) -> Iterator[Result]:
        for n, record in enumerate(islice(files.read(self._files, self._renamed), self._limit)):
            yield as_result(record, n)


class RunResults(Source):
    """Results in Python that `run` produced."""

    def __init__(self, results: Iterable[Result], run: Run, digest: str = "", total: int | None = None) -> None:
        self._results = results
        self.run = run
        self.digest = digest
        self.total = total

    def results(self) -> Iterator[Result]:
        yield from self._results


class RunFiles(Source):
    """The results of a run directory. Raises RunError if the path is not one."""

    run: Run

    def __init__(self, path: Path, limit: int | None = None) -> None:
        self.path = path
        self.run = directory.read_run(path)
        self._limit = limit

    @cached_property
    def total(self) -> int:  # type: ignore[override]
        with (self.path / directory.RESULTS).open("rb") as stream:
            count = sum(1 for _ in stream)
        return count if self._limit is None else min(count, self._limit)

    @property
    def manifest(self) -> str:
        """The text of run.json."""
        return directory.read_manifest(self.path)

    @cached_property
    def digest(self) -> str:  # type: ignore[override]
        lines = self.path / directory.RESULTS
        digest = files.Source(str(lines), ".jsonl", "run", lines).digest()
        return digest if self._limit is None else content_hash(digest, self._limit)

    def results(self) -> Iterator[Result]:
        return islice(directory.read_results(self.path), self._limit)


def _content(record: Record) -> str:
    """All of a record, as text. Of a record that is nested too deep to be written, its error."""
    try:
        value = dict(record) if isinstance(record, Mapping) else asdict(record)
        return json.dumps(value, ensure_ascii=True, sort_keys=True, default=repr)
    except RecursionError:
        return str(as_result(record, 0).error)


def as_result(record: Record, n: int, limits: LimitSettings = LIMITS, required: Sequence[str] = REQUIRED) -> Result:
    """The record as an unprocessed result. An invalid record becomes a result with an error."""
    try:
        if isinstance(record, Mapping):
            record = example(record, n + 1, dataset="", limits=limits, required=required)
        elif isinstance(record, Example):
            record = checked(record, limits)
    except RecordError as problem:
        record = failed(problem, f"record {n + 1}", record)
    return Result(n, None, error=record) if isinstance(record, ItemError) else Result(n, record)


def one_off(
    response: str,
    context: Sequence[str],
    question: str | None,
    limits: LimitSettings = LIMITS,
    samples: Sequence[str] = (),
) -> Source:
    """A single record."""
    record: dict[str, Any] = {"response": response, "context": list(context), "question": question}
    record |= {"samples": list(samples)} if samples else {}
    return Records([record], content_hash("one-off", record), total=1, limits=limits)


def open_source(
    names: Sequence[str],
    mapping: Sequence[str] = (),
    limit: int | None = None,
    form: str | None = None,
    limits: LimitSettings = LIMITS,
    required: Sequence[str] = REQUIRED,
) -> Source:
    """What the arguments of a command name: files of records, "-", or one run directory. Raises UsageError."""
    if not names:
        raise UsageError("missing input", "pass INPUT, or --response TEXT --context TEXT")
    if not directory.is_run(Path(names[0])):
        return RecordFiles(names, files.field_map(mapping), limit, form, limits, required)
    if len(names) > 1:
        raise UsageError(
            f"{names[0]} is a run directory and cannot be combined with other input", f"pass only {names[0]}"
        )
    return RunFiles(Path(names[0]), limit)
