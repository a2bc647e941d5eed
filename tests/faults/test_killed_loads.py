"""kill -9 in the middle of a load: what was acknowledged is there, nothing is there in part, and a second load
completes it."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graph_eval.chunks import chunks
from graph_eval.graph import library
from graph_eval.graph.rows import rows
from graph_eval.graph.store import CypherStore, open_store
from tests import neo4j_server
from tests.conftest import ROOT, missing
from tests.graphs import made, run

RESPONSES, CHUNK = 300, 10
LOADER = f"""
import sys
from graph_eval.chunks import chunks
from graph_eval.graph.store import open_store
from tests.graphs import made, run
with open_store(sys.argv[1]) as store:
    store.setup()
    for number, part in enumerate(chunks(made({RESPONSES}), {CHUNK})):
        store.write(run("one"), part)
        print(number, flush=True)
"""
ALL = list(made(RESPONSES))
STATED = """
MATCH (run:Run {id: $run})-[:PRODUCED]->(r:Response)
WHERE r.origin = 'response'
RETURN r.id AS id,
  COUNT { (r)-[:STATES]->(:Claim) } AS claims,
  COUNT { (r)-[:STATES]->(:Claim)<-[:JUDGED]-(:Run) } AS judged,
  COUNT { (r)-[:HAS_CONTEXT]->(:Passage) } AS passages
"""


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--kills"))


def begin(store: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", LOADER, store], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def acknowledged(loader: subprocess.Popen[str], wanted: int) -> int:
    """Reads until that many chunks are acknowledged; a moment later, in the middle of the next one, it returns."""
    count = 0
    while count < wanted and loader.stdout.readline():
        count += 1
    time.sleep(random.random() * 0.1)  # noqa: S311
    return count


def check_whole(store: CypherStore, chunks_done: int) -> None:
    """Every acknowledged response is there, and every response that is there is there as a whole."""
    found = {
        row["id"]: (row["claims"], row["judged"], row["passages"])
        for row in store.query(STATED, {"run": run("one").id})
    }
    wanted = {
        r.example.key: (len(r.claims), len(r.judgements), len(r.example.passages)) for r in ALL if r.example is not None
    }
    for result in ALL[: chunks_done * CHUNK]:
        if result.example is not None:
            assert result.example.key in found, "an acknowledged response is lost"
    for key, parts in found.items():
        assert parts == wanted[key], "a response is there in part"


def complete(store: CypherStore) -> None:
    store.setup()
    for part in chunks(ALL, CHUNK):
        store.write(run("one"), part)
    found = {row["what"]: row["count"] for row in store.query(library.query("counts").text)}
    fresh = rows(ALL)
    assert found["Claim"] == len(fresh.claims) == found["STATES"]
    assert found["Entity"] == len(fresh.entities)
    assert found["RELATES"] == len(fresh.triplets)
    assert found["JUDGED"] == len(fresh.judged)
    assert found["JUDGED_AGAINST"] == len(fresh.evidence)
    assert found["HAS_CONTEXT"] == len(fresh.contexts)


def points(kills: int) -> list[int]:
    """After how many chunks a load is killed: spread over all of it."""
    return [round(n * (RESPONSES / CHUNK - 2) / max(1, kills - 1)) for n in range(kills)]


def test_the_embedded_store_survives(kills: int, tmp_path: Path) -> None:
    for place in points(kills):
        folder = tmp_path / f"kg-{place}"
        with begin(str(folder)) as loader:
            done = acknowledged(loader, place)
            loader.kill()
        if done:
            with open_store(str(folder)) as store:
                check_whole(store, done)
        with open_store(str(folder)) as store:
            complete(store)


def test_neo4j_survives(kills: int, tmp_path: Path) -> None:
    try:
        server = neo4j_server.Server(tmp_path / "server")
    except neo4j_server.MissingError as problem:
        missing("neo4j", str(problem))
    server.start()
    for place in points(kills):
        with open_store(server.uri) as store:
            store.query("MATCH (n) DETACH DELETE n", write=True)
        with begin(server.uri) as loader:
            done = acknowledged(loader, place)
            server.kill()
            loader.kill()
        server.start()
        with open_store(server.uri) as store:
            check_whole(store, done)
            complete(store)
    server.stop()
