"""What several suites need."""

import asyncio
import contextlib
import gc
import importlib
import inspect
import io
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Literal
from unittest import mock

import pytest

for contract in (
    "checkers",
    "connections",
    "correctors",
    "extractors",
    "methods",
    "models",
    "retrievers",
    "transforms",
):
    pytest.register_assert_rewrite(f"graph_eval.testing.{contract}")

with contextlib.suppress(ImportError):  # the environment of published checkers has no hypothesis
    import hypothesis

    hypothesis.settings.register_profile("no deadline", deadline=None)  # a busy machine fails no test
    hypothesis.settings.load_profile("no deadline")

# The JVMs of the stores live for seconds here: without the second compiler they start in half the time.
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

ROOT = Path(__file__).parents[1]
LONGEST = ("test_stores.py", "test_rules.py")  # files of the suite
SUMMARY = pytest.StashKey[list[str]]()
Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def training_script() -> Iterator[Callable[[str], ModuleType]]:
    """Imports a script of training/nli or training/corrector. They are no packages: scripts import others by name."""
    folders = [str(ROOT / "training" / name) for name in ("nli", "corrector")]
    sys.path[:0] = folders
    yield importlib.import_module
    for folder in folders:
        sys.path.remove(folder)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Runs graph-eval as a user does: another process, another folder, warnings as errors."""

    def run(*arguments: str | Path, stdin: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "graph_eval", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            env={**os.environ, "PYTHONWARNINGS": "ignore", "COLUMNS": "200", **environment},
            timeout=300,
            check=False,
        )

    return run


@pytest.fixture
def invoke(tmp_path: Path) -> Cli:
    """Runs graph-eval as `cli` does, but in this process, where the models are loaded: for what a command does.

    It has the same folder, environment and input, and its output holds what native code prints. What only a process of
    its own has (imports, signals, pipes, its end) is tested with `cli`.
    """

    from graph_eval.cli.main import main

    def run(*arguments: str | Path, stdin: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        given = [str(argument) for argument in arguments]
        with (
            mock.patch.dict(os.environ, {"COLUMNS": "200", **environment}),
            mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO((stdin or "").encode()), "utf-8")),
            contextlib.chdir(tmp_path),
            warnings.catch_warnings(action="ignore"),
            _same_handlers("graph_eval"),
            _written("stdout") as out,
            _written("stderr") as err,
        ):
            code = main(given)
        gc.collect()  # what a process counts, e.g. the answers of a model's client, ends with the command
        return subprocess.CompletedProcess(given, code, out[0], err[0])

    return run


@contextlib.contextmanager
def _written(name: Literal["stdout", "stderr"]) -> Iterator[list[str]]:
    """What is written to the stream `sys.NAME` and to its file descriptor meanwhile, by Python or by native code."""
    number = {"stdout": 1, "stderr": 2}[name]
    written: list[str] = []
    getattr(sys, name).flush()
    before = os.dup(number)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), number)
        try:
            with (
                open(number, "w", encoding="utf-8", closefd=False) as stream,
                mock.patch.object(sys, name, stream),
            ):
                yield written
        finally:
            os.dup2(before, number)
            os.close(before)
        file.seek(0)
        written.append(file.read().decode().replace("\r\n", "\n"))


@contextlib.contextmanager
def _same_handlers(name: str) -> Iterator[None]:
    """A command with --debug logs until its process ends."""
    logger = logging.getLogger(name)
    before, level = list(logger.handlers), logger.level
    try:
        yield
    finally:
        logger.handlers[:] = before
        logger.setLevel(level)


@pytest.fixture
def python(tmp_path: Path) -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Runs a program text in a fresh interpreter."""

    def run(code: str, options: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *options, "-c", code],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture(autouse=True)
def _no_open_clients() -> Iterator[None]:
    """Closes the clients that litellm keeps for the next call of a server: that of a test is gone by then."""
    yield
    if (litellm := sys.modules.get("litellm")) is None or not hasattr(litellm, "in_memory_llm_clients_cache"):
        return
    kept = litellm.in_memory_llm_clients_cache
    for client in list(kept.cache_dict.values()):
        close = getattr(client, "close", None)
        if callable(close) and not isinstance(client, type) and inspect.iscoroutine(closing := close()):
            with ThreadPoolExecutor(1) as pool:  # a browser of other tests may keep the loop of this thread
                pool.submit(asyncio.run, closing).result()
    kept.flush_cache()


@pytest.fixture
def made_up_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Published sets may be a few rows of ours, whose number is not that of the set."""
    monkeypatch.setattr("graph_eval.bench.sets.published.require_counts", lambda *_: None)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of answers for this test alone, and no keys of providers."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "AZURE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def missing(part: str, why: str) -> None:
    """Skips a test whose part this machine lacks; fails it where GRAPH_EVAL_REQUIRE names the part."""
    if part in os.environ.get("GRAPH_EVAL_REQUIRE", "").split(","):
        pytest.fail(f"{part} is required: {why}")
    pytest.skip(why)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz", type=int, default=150, help="how many fuzzed records tests/faults makes")
    parser.addoption("--kills", type=int, default=2, help="at how many points tests/faults kills a process")
    parser.addoption(
        "--model-faults",
        choices=("short", "full"),
        default="short",
        help="every cell of the table of model faults, or some",
    )
    parser.addoption("--fault-cells", metavar="TEXT", help="only the cells of that table whose name contains TEXT")
    parser.addoption("--fault-table", type=Path, metavar="FILE", help="write that table as JSON")
    parser.addoption("--run-directory", type=Path, help="a run that tests/browser opens instead of made results")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first, so that no worker ends with one."""
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    """At how many points a process is killed."""
    return int(request.config.getoption("--kills"))


@pytest.fixture
def summary(request: pytest.FixtureRequest) -> list[str]:
    """Lines that are printed at the end, of a test that measures something."""
    return request.config.stash.setdefault(SUMMARY, [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for line in config.stash.get(SUMMARY, []):
        terminalreporter.write_line(line)
