"""A real Neo4j server that refuses, is missing, or goes away: what a user is told, and that nothing is lost."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import neo4j_server
from tests.conftest import missing
from tests.graphs import flagged

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "responses.jsonl"
PASSWORD = "a-long-password"  # noqa: S105


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[neo4j_server.Server]:
    """A server that asks for a password."""
    try:
        with neo4j_server.running(tmp_path_factory.mktemp("guarded"), auth=True) as server:
            import neo4j

            with neo4j.GraphDatabase.driver(server.uri, auth=("neo4j", "neo4j")) as driver:
                change = "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new"
                driver.execute_query(change, {"new": PASSWORD}, database_="system")
            yield server
    except neo4j_server.MissingError as problem:
        missing("neo4j", str(problem))


def test_the_whole_way_with_a_password_from_the_environment(cli, guarded, tmp_path: Path) -> None:
    access = {"NEO4J_URI": guarded.uri, "NEO4J_PASSWORD": PASSWORD}
    assert cli("check", EXAMPLES, "-o", "RUN", "--format", "jsonl").returncode == 0
    done = cli("load", "RUN", "--store", guarded.uri, **access)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    done = cli("query", "flagged_claims", "-p", "limit=1000", "--format", "jsonl", **access)
    assert len(done.stdout.splitlines()) == flagged(tmp_path / "RUN") > 5
    done = cli("query", "-", stdin="MATCH (n) DETACH DELETE n", **access)
    assert done.returncode == 2
    assert "this query writes" in done.stderr


@pytest.mark.parametrize(
    ("environment", "hint"),
    [
        ({"NEO4J_PASSWORD": "wrong"}, "NEO4J_PASSWORD"),
        ({}, "NEO4J_PASSWORD"),
        ({"NEO4J_PASSWORD": PASSWORD, "NEO4J_DATABASE": "other"}, "NEO4J_DATABASE"),
    ],
)
def test_a_refusal_says_what_to_set(cli, guarded, environment: dict, hint: str) -> None:
    done = cli("query", "counts", "--store", guarded.uri, **environment)
    assert done.returncode == 3
    assert hint in done.stderr
    assert "Traceback" not in done.stderr


def test_tls_where_there_is_none(cli, guarded) -> None:
    done = cli("query", "counts", "--store", guarded.uri.replace("bolt:", "bolt+s:"), NEO4J_PASSWORD=PASSWORD)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_a_read_only_server(cli, tmp_path: Path) -> None:
    home = tmp_path / "server"
    try:
        server = neo4j_server.Server(home)
    except neo4j_server.MissingError as problem:
        missing("neo4j", str(problem))
    server.start()
    assert (
        cli("check", EXAMPLES, "--store", server.uri, "-o", "RUN", "--limit", "3", "--format", "jsonl").returncode == 0
    )
    server.stop()
    conf = home / "conf" / "neo4j.conf"
    conf.write_text(conf.read_text() + "server.databases.default_to_read_only=true\n")
    server.start()
    done = cli("load", "RUN", "--store", server.uri)
    read = cli("query", "counts", "--store", server.uri)
    server.kill()
    assert done.returncode == 3
    assert "read-only" in done.stderr
    assert read.returncode == 0
    assert "Claim" in read.stdout


def test_a_server_that_goes_away_loses_nothing(cli, tmp_path: Path) -> None:
    try:
        server = neo4j_server.Server(tmp_path / "server")
    except neo4j_server.MissingError as problem:
        missing("neo4j", str(problem))
    server.start()
    records = EXAMPLES.read_text("utf8").splitlines() * 2
    named = [json.dumps(json.loads(line) | {"id": f"r{n}"}) + "\n" for n, line in enumerate(records)]
    (tmp_path / "many.jsonl").write_text("".join(named))
    arguments = ["check", "many.jsonl", "-o", "RUN", "--chunk", "5", "--store", server.uri, "--format", "jsonl"]
    with subprocess.Popen(
        [sys.executable, "-m", "graph_eval", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as check:
        for _ in range(12):
            check.stdout.readline()
        server.kill()
        rest = check.stdout.read()
        errors = check.stderr.read()
        assert check.wait(120) == 3
    assert len(rest.splitlines()) == len(records) - 12
    assert len((tmp_path / "RUN" / "results.jsonl").read_text("utf8").splitlines()) == len(records)
    assert f"graph-eval load RUN --store {server.uri}" in errors
    server.start()
    time.sleep(1)
    done = cli("load", "RUN", "--store", server.uri)
    counted = cli("query", "counts", "--store", server.uri, "--format", "jsonl").stdout
    server.kill()
    assert done.returncode == 0, done.stderr
    found = {row["what"]: row["count"] for row in map(json.loads, counted.splitlines())}
    assert found["Response"] == found["PRODUCED"] == len(records)
