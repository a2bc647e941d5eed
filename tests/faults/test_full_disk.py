"""A disk that is full in the middle of a load: a hint, nothing by halves, and the load is completed later."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph_eval.graph.open import open_graph
from graph_eval.runs.resume import write_run
from tests import neo4j_server
from tests.conftest import Cli, missing
from tests.graphs import assert_complete, assert_whole, made, run

ALL = list(made(1200))
LONG_FORM = 20  # kills
SIZE, LEFT = 900, 4  # MiB: of the disk, and what a filler leaves of it


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own, in memory."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}m", "tmpfs", str(place)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        missing("tmpfs", f"mount: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.fixture
def made_run(tmp_path: Path) -> Path:
    """A run that takes more room than is left."""
    path = tmp_path / "RUN"
    write_run(path, run("one"), ALL, 32)
    return path


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    room = shutil.disk_usage(disk).free - LEFT * 2**20
    with filler.open("wb") as stream:
        for _ in range(room // 2**20):
            stream.write(bytes(2**20))
    return filler


def refused(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 3, done.stderr
    assert "disk" in done.stderr
    assert "Traceback" not in done.stderr


def completed(cli: Cli, store: str, made_run: Path) -> None:
    """Nothing was written by halves, and a second load writes the rest."""
    with open_graph(store) as graph:
        assert_whole(graph, ALL, 0)
    done = cli("load", made_run, "--store", store)
    assert done.returncode == 0, done.stderr
    with open_graph(store) as graph:
        assert_complete(graph, ALL)


def test_the_embedded_store(cli, disk: Path, made_run: Path) -> None:
    folder = str(disk / "kg")
    with open_graph(folder) as graph:
        graph.setup()
    filler = fill(disk)
    refused(cli("load", made_run, "--store", folder))
    filler.unlink()
    completed(cli, folder, made_run)


def test_neo4j(cli, request: pytest.FixtureRequest, disk: Path, made_run: Path) -> None:
    if int(request.config.getoption("--kills")) < LONG_FORM:
        pytest.skip("two minutes; make faults runs it")
    try:
        with neo4j_server.running(disk / "server", extra="db.tx_log.rotation.size=2m\n") as server:
            with open_graph(server.uri) as graph:
                graph.setup()
            filler = fill(disk)
            refused(cli("load", made_run, "--store", server.uri))
            filler.unlink()
            server.stop()  # after such an error the server wants to be started again
            server.start()
            completed(cli, server.uri, made_run)
    except neo4j_server.MissingError as problem:
        missing("neo4j", str(problem))
