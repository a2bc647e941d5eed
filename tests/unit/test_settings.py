"""flag > GRAPH_EVAL_* > graph-eval.toml > default, and errors that name the place."""

from pathlib import Path

import pytest

from graph_eval import registry
from graph_eval.errors import MissingPartError, SettingsError, UsageError
from graph_eval.resources import folder
from graph_eval.settings import Settings, load


def test_defaults(tmp_path: Path) -> None:
    assert load({}, {}, tmp_path) == Settings()


def test_precedence(tmp_path: Path) -> None:
    (tmp_path / "graph-eval.toml").write_text('aggregate = "soft"\nchunk = 7\nthreshold = 0.25\n')
    environment = {"GRAPH_EVAL_CHUNK": "8", "GRAPH_EVAL_THRESHOLD": "0.3", "GRAPH_EVAL_REQUIRE": "x", "HOME": "/"}
    found = load({"threshold": 0.4, "extractor": None}, environment, tmp_path)
    assert (found.aggregate, found.chunk, found.threshold) == ("soft", 8, 0.4)


@pytest.mark.parametrize(
    ("flags", "environment", "file", "named"),
    [
        ({}, {"GRAPH_EVAL_CHUNKS": "1"}, "", "GRAPH_EVAL_CHUNKS"),
        ({}, {"GRAPH_EVAL_CHUNK": "many"}, "", "GRAPH_EVAL_CHUNK"),
        ({}, {}, "tresholt = 1", "graph-eval.toml"),
        ({}, {}, "threshold = true", "graph-eval.toml"),
        ({}, {}, "extractor = 3", "graph-eval.toml"),
        ({}, {}, "no toml", "graph-eval.toml"),
        ({"threshold": 1.5}, {}, "", "threshold"),
        ({"chunk": 0}, {}, "", "chunk"),
        ({"threads": -1}, {}, "", "threads"),
    ],
)
def test_errors_name_the_place(
    tmp_path: Path, flags: dict[str, object], environment: dict[str, str], file: str, named: str
) -> None:
    if file:
        (tmp_path / "graph-eval.toml").write_text(file)
    with pytest.raises(SettingsError) as problem:
        load(flags, environment, tmp_path)
    assert named in problem.value.message
    assert problem.value.hint
    assert problem.value.hint in str(problem.value)


def test_an_unknown_part_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UsageError, match="there is no extractor 'rule'") as problem:
        registry.create("extractor", "rule")
    assert problem.value.hint == "did you mean rules?"


def test_a_part_without_argument_refuses_one() -> None:
    with pytest.raises(UsageError, match="takes no argument"):
        registry.create("extractor", "sentences:x")


def test_installed_entry_points_are_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "foreign.py").write_text("def make(argument):\n    return ('made', argument)\n")
    information = tmp_path / "foreign-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign\nVersion: 1\n")
    (information / "entry_points.txt").write_text("[graph_eval.checkers]\nforeign = foreign:make\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert registry.create("checker", "foreign:model") == ("made", "model")
    assert registry.create("checker", "foreign") == ("made", None)
    assert "foreign" in registry.names("checker")


def test_a_missing_resource_says_what_to_do() -> None:
    with pytest.raises(MissingPartError) as problem:
        folder("weights/none")
    assert problem.value.exit_code == 3


@pytest.mark.parametrize("given", ["0.4", 0.4])
def test_a_threshold_is_a_number_however_it_is_written(given: object, tmp_path: Path) -> None:
    assert load({"threshold": given}, {}, tmp_path).threshold == 0.4


def test_a_threshold_may_be_named(tmp_path: Path) -> None:
    assert load({}, {"GRAPH_EVAL_THRESHOLD": "free-text"}, tmp_path).threshold == "free-text"
    with pytest.raises(SettingsError, match="name of a threshold"):
        load({"threshold": " "}, {}, tmp_path)
