"""flag > GRAPH_EVAL_* > graph-eval.toml > default, and errors that name the place."""

from pathlib import Path

import pytest

from graph_eval import GraphEval, registry
from graph_eval.checkers.checker import Checker
from graph_eval.errors import MissingPartError, SettingsError, UsageError
from graph_eval.resources import folder
from graph_eval.settings import DECLARED, Settings, load, without_secrets


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
        ({}, {"GRAPH_EVAL_BATCH": "perhaps"}, "", "GRAPH_EVAL_BATCH"),
        ({}, {}, "batch = 1.5", "graph-eval.toml"),
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


@pytest.mark.parametrize(
    ("written", "meant"), [("true", True), ("ON", True), ("1", True), ("false", False), ("no", False)]
)
def test_a_switch_is_on_or_off_wherever_it_is_set(tmp_path: Path, written: str, meant: bool) -> None:
    assert load({}, {"GRAPH_EVAL_BATCH": written}, tmp_path).llm.batch is meant
    assert load({"batch": not meant}, {"GRAPH_EVAL_BATCH": written}, tmp_path).llm.batch is not meant
    (tmp_path / "graph-eval.toml").write_text(f"batch = {str(meant).lower()}\n")
    assert load({"batch": None}, {}, tmp_path).llm.batch is meant
    with pytest.raises(SettingsError, match="invalid batch: 'on'"):
        Settings.of(batch="on")


def test_an_unknown_part_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UsageError, match="unknown extractor 'rule'") as problem:
        registry.create("extractor", "rule")
    assert (problem.value.hint or "").startswith("use rules, or one of: ")


def test_a_part_without_argument_refuses_one() -> None:
    with pytest.raises(UsageError, match="takes no argument"):
        registry.create("extractor", "sentences:x")


def test_settings_nest_by_concern_and_take_flat_names() -> None:
    settings = Settings.of(temperature=0.2, dtype="int8", tries=7, chunk=3)
    assert (settings.llm.temperature, settings.torch.dtype, settings.correction.tries, settings.chunk) == (
        0.2,
        "int8",
        7,
        3,
    )
    assert settings.replace(tries=2).correction.tries == 2
    assert settings.get("temperature") == 0.2
    assert settings.values()["dtype"] == "int8"
    with pytest.raises(SettingsError, match="unknown setting 'tempature'") as problem:
        Settings.of(tempature=1)
    assert (problem.value.hint or "").startswith("use temperature, or one of: extractor, checker, threshold, ")


def test_the_file_may_name_settings_by_concern(tmp_path: Path) -> None:
    (tmp_path / "graph-eval.toml").write_text("chunk = 4\n[llm]\ntemperature = 0.5\n[correction]\ntries = 2\n")
    settings = load({}, {}, tmp_path)
    assert (settings.chunk, settings.llm.temperature, settings.correction.tries) == (4, 0.5, 2)


@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("temperature = 0.9\n[llm]\ntemperature = 0.1\n", "temperature is set twice"),
        ("[llm]\nchunk = 3\n", r"table \[llm\]: chunk does not belong there"),
        ("[llm]\ntempature = 3\n", r"table \[llm\]: unknown setting 'tempature'"),
    ],
)
def test_a_table_of_the_file_says_what_is_wrong(tmp_path: Path, file: str, named: str) -> None:
    (tmp_path / "graph-eval.toml").write_text(file)
    with pytest.raises(SettingsError, match=named):
        load({}, {}, tmp_path)


def test_a_number_as_text_is_refused_in_python() -> None:
    with pytest.raises(SettingsError, match="chunk"):
        Settings.of(chunk="8")


def test_a_part_is_declared_once_and_reads_settings_that_exist() -> None:
    class Other(Checker):
        fingerprint, threshold = "other", 0.5

        def check(self, tasks: object) -> list[list[object]]:  # type: ignore[override]  # noqa: ARG002
            return []

    assert registry.names("checker")
    with pytest.raises(ValueError, match="'builtin' is declared by BuiltinChecker already"):
        registry.checker("builtin")(Other)
    with pytest.raises(ValueError, match="reads unknown settings: tresholt"):
        registry.checker("other", reads=("tresholt",))(Other)


def test_every_setting_has_one_name() -> None:
    names = [name for name, (_, item) in DECLARED.items() for _ in [item]]
    assert len(names) == len(set(names))
    assert Settings.of(**Settings().values()) == Settings()


def test_only_what_could_change_a_result_identifies_a_run() -> None:
    assert Settings().affecting_results(["threads", "timeout", "device", "chunk"]) == {"chunk": 32}


class PluginLoader:
    """Installs a module with entry points, as a package of somebody else does."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.patch = folder, patch

    def install(self, name: str, code: str, entry_points: str) -> None:
        (self.folder / f"{name}.py").write_text(code)
        information = self.folder / f"{name}-1.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (information / "entry_points.txt").write_text(entry_points)
        self.patch.syspath_prepend(str(self.folder))


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PluginLoader:
    return PluginLoader(tmp_path, monkeypatch)


PLUGIN = """
from graph_eval.checkers.checker import Checker
from graph_eval.registry import checker

@checker("declared", argument="[LEVEL]", reads=("temperature",))
class Declared(Checker):
    fingerprint = "declared-1"
    threshold = 0.5

    def __init__(self, argument, temperature):
        self.argument, self.temperature = argument, temperature

    @classmethod
    def of(cls, argument, settings):
        return cls(argument, settings.llm.temperature)

    def check(self, tasks):
        return [[] for _ in tasks]

class Plain:
    fingerprint, threshold = "plain-1", 0.5

    def check(self, tasks):
        return [[] for _ in tasks]

def plain(argument, settings):
    part = Plain()
    part.argument, part.chunk = argument, settings.chunk
    return part

def older(argument):
    return ("made", argument)

class Undeclared(Checker):
    fingerprint, threshold = "undeclared-1", 0.5

    def check(self, tasks):
        return [[] for _ in tasks]

def undeclared(argument, settings):
    return Undeclared()
"""


def test_a_plug_in_gets_its_settings(plugins: PluginLoader) -> None:
    plugins.install(
        "foreign",
        PLUGIN,
        "[graph_eval.checkers]\ndeclared = foreign:Declared\nplain = foreign:plain\nolder = foreign:older\n"
        "undeclared = foreign:undeclared\n",
    )
    assert {"declared", "plain", "older"} <= set(registry.names("checker"))
    settings = Settings.of(temperature=0.7, chunk=5)
    declared = registry.create("checker", "declared:high", settings)
    assert (declared.argument, declared.temperature, declared.reads) == ("high", 0.7, ("temperature",))
    assert registry.create("checker", "declared", settings).argument is None
    plain = registry.create("checker", "plain:x", settings)
    assert (plain.argument, plain.chunk) == ("x", 5)
    ge = GraphEval(settings=Settings.of(checker="plain:x", api_base="http://here"))
    assert ge.plan("check").settings["api_base"] == "http://here"  # it may have read any setting
    ge = GraphEval(settings=Settings.of(checker="undeclared", api_base="http://here"))
    assert ge.plan("check").settings["api_base"] == "http://here"
    ge = GraphEval(settings=Settings.of(checker="declared", api_base="http://here", temperature=0.1))
    assert ge.plan("check").settings == {
        "checker": "declared", "threshold": 0.5, "aggregate": "any", "chunk": 32, "temperature": 0.1
    }  # fmt: skip


def test_a_plug_in_of_the_old_form_still_works_and_is_warned_about(plugins: PluginLoader) -> None:
    plugins.install("older", PLUGIN.replace("declared", "other"), "[graph_eval.checkers]\nolder = older:older\n")
    with pytest.warns(DeprecationWarning, match=r"takes only an argument"):
        assert registry.create("checker", "older:model") == ("made", "model")


def test_a_missing_resource_says_what_to_do() -> None:
    with pytest.raises(MissingPartError) as problem:
        folder("weights/none")
    assert problem.value.exit_code == 3


@pytest.mark.parametrize("given", ["0.4", 0.4])
def test_a_threshold_is_a_number_however_it_is_written(given: object, tmp_path: Path) -> None:
    assert load({"threshold": given}, {}, tmp_path).threshold == 0.4


def test_a_threshold_may_be_named(tmp_path: Path) -> None:
    assert load({}, {"GRAPH_EVAL_THRESHOLD": "strict"}, tmp_path).threshold == "strict"
    with pytest.raises(SettingsError, match="name of a threshold"):
        load({"threshold": " "}, {}, tmp_path)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("http://user:secret@host/v1", "http://***@host/v1"),
        ("HTTPS://user:secret@host/v1?key=secret", "HTTPS://***@host/v1?***"),
        ("https://user:se@cret/p@ss@host:80/v1", "https://***@host:80/v1"),
        ("bolt://neo4j:secret@host:7687", "bolt://***@host:7687"),
        ("https://secret@host/v1", "https://***@host/v1"),
        ("https://host:8080/@scope/v1", "https://host:8080/@scope/v1"),
        ("https://host/" + "v" * 900 + "?key=secret", "https://host/" + "v" * 900 + "?***"),
        ("a: b@c and http://localhost:8000", "a: b@c and http://localhost:8000"),
        ("Incorrect API key provided: sk-proj-abc123def456.", "Incorrect API key provided: ***."),
        ("POST /v1?api_key=abc123&n=1 failed", "POST /v1?api_key=***&n=1 failed"),
        ('{"api_key": "abc123", "max_tokens": 5}', '{"api_key": "***", "max_tokens": 5}'),
        ("the header was Authorization: Bearer abc.def", "the header was Authorization: Bearer ***"),
        ("x-api-key: abc123", "x-api-key: ***"),
        ("aws_secret_access_key=abc/123", "aws_secret_access_key=***"),
        ("client_secret=abc", "client_secret=***"),
        ("ghp_abcdefghijklmnopqrstuv is no key", "*** is no key"),
        ("Authorization: Basic YWJjOmRlZg==", "Authorization: Basic ***"),
        ("api_key: a key is missing; task-oriented learning", "api_key: a key is missing; task-oriented learning"),
    ],
)
def test_secrets_are_hidden(written: str, shown: str) -> None:
    assert without_secrets(written) == shown
