"""Run directories: resume to the same bytes, refuse what does not fit."""

import json
from pathlib import Path

import pytest

from graph_eval.errors import RunError
from graph_eval.runs import directory
from graph_eval.runs.directory import describe, opened
from graph_eval.runs.execute import execute
from graph_eval.settings import Settings
from graph_eval.types import ItemError, Label, Result

WANTED = describe("check", Settings.of(chunk=2), {"extractor": "x"}, "digest")


def work(part: list[tuple[int, int]]) -> list[Result]:
    return [Result(n, None, label=Label.ABSTAIN) for n, _ in part]


def full(path: Path) -> list[Result]:
    with opened(path, WANTED, 2) as run:
        return list(execute(iter(range(5)), work, 2, run))


def test_a_run_holds_settings_versions_and_counts(tmp_path: Path) -> None:
    assert [result.n for result in full(tmp_path / "run")] == [0, 1, 2, 3, 4]
    meta = json.loads((tmp_path / "run" / "run.json").read_text())
    assert meta["finished"] is True
    assert meta["counts"] == {"records": 5, "Abstain": 5, "claims": 0, "flagged": 0}
    assert meta["id"] == WANTED.id
    assert "threads" not in meta["settings"]
    assert {"graph_eval", "python", "spacy", "onnxruntime"} <= set(meta["versions"])


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


def test_a_finished_run_is_read_not_made_again(tmp_path: Path) -> None:
    full(tmp_path)

    def never(_: object) -> list[Result]:
        raise AssertionError

    with opened(tmp_path, WANTED, 2) as run:
        assert len(list(execute(iter(range(5)), never, 2, run))) == 5


def test_another_run_is_refused_and_told_apart(tmp_path: Path) -> None:
    full(tmp_path)
    other = describe("check", Settings.of(chunk=2, aggregate="soft"), {"extractor": "y"}, "other")
    with pytest.raises(RunError) as problem, opened(tmp_path, other, 2):
        pass
    for part in ("settings.aggregate: 'any' there, 'soft' now", "fingerprints.extractor", "input: 'digest' there"):
        assert part in problem.value.message


def test_two_processes_never_write_one_run(tmp_path: Path) -> None:
    with opened(tmp_path, WANTED, 2), pytest.raises(RunError, match="another process"), opened(tmp_path, WANTED, 2):
        pass


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("words")
    with pytest.raises(RunError, match="not empty"), opened(tmp_path, WANTED, 2):
        pass
    assert (tmp_path / "thesis.tex").read_text() == "words"


def test_a_broken_run_file_is_named(tmp_path: Path) -> None:
    full(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(RunError, match=r"run\.json"), opened(tmp_path, WANTED, 2):
        pass


def test_errors_are_counted(tmp_path: Path) -> None:
    with opened(tmp_path, WANTED, 2) as run:
        run.append([Result(0, None, error=ItemError("input", "bad"))])
        run.finish()
    assert json.loads((tmp_path / "run.json").read_text())["counts"]["errors"] == 1
    assert directory.is_run(tmp_path)


def test_a_missing_library_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "LIBRARIES", ("no-such-library",))
    assert directory.versions()["no-such-library"] == "missing"
