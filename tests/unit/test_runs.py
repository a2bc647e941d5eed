"""Run directories: resume to the same bytes, refuse what does not fit."""

import errno
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from graph_eval.errors import RunError, UsageError
from graph_eval.jobs import Job
from graph_eval.plan import Plan
from graph_eval.runs import directory
from graph_eval.runs.resume import RunDirectory, write_run
from graph_eval.sources import RunFiles, RunResults
from graph_eval.stages import Stage
from graph_eval.types import Example, ItemError, Label, Result, Run
from graph_eval.version import versions

BEFORE = Run("records", {}, {}, {}, "")


class Abstain(Stage):
    name = "check"
    fingerprint = "x"

    def __init__(self, aggregate: str = "any") -> None:
        self._aggregate = aggregate
        self.runs = 0

    @property
    def settings(self) -> dict[str, object]:
        return {"aggregate": self._aggregate}

    def run(self, results: Sequence[Result]) -> list[Result]:
        self.runs += 1
        return [replace(result, label=Label.ABSTAIN) for result in results]


def records() -> Iterator[Result]:
    return (Result(n, Example(str(n), "set", "text")) for n in range(5))


def job(path: Path, stage: Stage | None = None, digest: str = "digest") -> Job:
    return Job(RunResults(records(), BEFORE, digest), Plan((stage or Abstain(),), 2), [RunDirectory(path)])


def full(path: Path) -> list[Result]:
    return list(job(path).results())


def test_a_run_holds_settings_versions_and_counts(tmp_path: Path) -> None:
    assert [result.n for result in full(tmp_path / "run")] == [0, 1, 2, 3, 4]
    meta = json.loads((tmp_path / "run" / "run.json").read_text())
    assert meta["finished"] is True
    assert meta["counts"] == {"records": 5, "Abstain": 5, "claims": 0, "flagged": 0}
    assert meta["id"] == job(tmp_path / "run").run.id
    assert meta["settings"] == {"aggregate": "any", "chunk": 2}
    assert {"graph_eval", "python", "spacy", "onnxruntime"} <= set(meta["versions"])
    assert directory.read_run(tmp_path / "run") == job(tmp_path / "run").run


@pytest.mark.parametrize("kept", [0, 1, 17, 60, 150, 10**6])
def test_cut_anywhere_a_run_ends_with_the_same_bytes(tmp_path: Path, kept: int) -> None:
    full(tmp_path / "whole")
    whole = (tmp_path / "whole" / "results.jsonl").read_bytes()
    full(tmp_path / "cut")
    results = tmp_path / "cut" / "results.jsonl"
    results.write_bytes(whole[:kept])
    meta = json.loads((tmp_path / "cut" / "run.json").read_text())
    (tmp_path / "cut" / "run.json").write_text(json.dumps({**meta, "finished": kept > len(whole)}))
    assert [result.n for result in full(tmp_path / "cut")] == [0, 1, 2, 3, 4]
    assert results.read_bytes() == whole
    assert json.loads((tmp_path / "cut" / "run.json").read_text())["counts"]["records"] == 5


def test_interrupted_between_two_chunks_only_the_rest_is_made(tmp_path: Path) -> None:
    stopped = job(tmp_path).results()
    next(stopped)
    stopped.close()
    assert json.loads((tmp_path / "run.json").read_text())["finished"] is False
    stage = Abstain()
    assert len(list(job(tmp_path, stage).results())) == 5
    assert stage.runs == 2


def test_a_finished_run_is_read_not_made_again(tmp_path: Path) -> None:
    full(tmp_path)
    manifest = (tmp_path / "run.json").read_text()
    stage = Abstain()
    assert len(list(job(tmp_path, stage).results())) == 5
    assert stage.runs == 0
    assert (tmp_path / "run.json").read_text() == manifest, "its seconds too"


def test_another_run_is_refused_and_told_apart(tmp_path: Path) -> None:
    full(tmp_path)
    with pytest.raises(RunError) as problem:
        list(job(tmp_path, Abstain("soft"), "other").results())
    for part in ("settings.aggregate: 'any' in RUN, 'soft' in this command", "input: 'digest' in RUN"):
        assert part in problem.value.message


def test_two_processes_never_write_one_run(tmp_path: Path) -> None:
    first = job(tmp_path).results()
    next(first)
    with pytest.raises(RunError, match="another process"):
        full(tmp_path)
    first.close()
    assert len(full(tmp_path)) == 5


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("words")
    with pytest.raises(RunError, match="is not a run directory and is not empty"):
        full(tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "words"


def test_a_broken_run_file_is_named(tmp_path: Path) -> None:
    full(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(RunError, match=r"run\.json"):
        full(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(RunError, match="has no 'stage'"):
        directory.read_run(tmp_path)
    (tmp_path / "run.json").write_text("[1]")
    with pytest.raises(RunError, match=r"run\.json cannot be read: it is not a JSON object"):
        directory.read_run(tmp_path)
    (tmp_path / "run.json").write_text('{"stage": "check", "settings": null}')
    with pytest.raises(RunError, match="has no valid 'settings'"):
        directory.read_run(tmp_path)


def test_a_file_system_without_locks_is_not_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", without_locks)
    with pytest.raises(RunError, match="cannot be locked: No locks available") as problem:
        full(tmp_path)
    assert problem.value.hint == "choose an -o on a local disk"


def test_a_run_is_not_its_own_input(tmp_path: Path) -> None:
    full(tmp_path)
    with pytest.raises(UsageError, match="is also the input"):
        Job(RunFiles(tmp_path), Plan((Abstain(),)), [RunDirectory(tmp_path)])


def test_what_is_not_a_run_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is not a run directory"):
        RunFiles(tmp_path)


def test_results_that_exist_become_a_run_once(tmp_path: Path) -> None:
    results = [Result(0, None, error=ItemError("input", "bad")), *list(records())[1:]]
    write_run(tmp_path, BEFORE, results, 2)
    assert json.loads((tmp_path / "run.json").read_text())["counts"]["errors"] == 1
    assert directory.is_run(tmp_path)
    assert list(directory.read_results(tmp_path)) == results
    with pytest.raises(RunError, match="already contains this run"):
        write_run(tmp_path, BEFORE, results, 2)


def test_a_missing_library_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph_eval.version.LIBRARIES", ("no-such-library",))
    assert versions()["no-such-library"] == "missing"
