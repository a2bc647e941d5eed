"""kill -9 in the middle of a load: what was acknowledged is there, nothing is there in part, and a second load
completes it."""

import random
import subprocess
import sys
import time
from pathlib import Path

from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.open import open_graph
from tests import neo4j_server
from tests.conftest import ROOT, missing
from tests.graphs import assert_complete, assert_whole, made, run

RESPONSES, CHUNK = 300, 10
LOADER = f"""
import sys
from graph_eval.graph import claims
from graph_eval.graph.open import open_graph
from tests.graphs import made, run
claims.BATCH = {CHUNK}
with open_graph(sys.argv[1]) as graph:
    graph.setup()
    for result in graph.load(run("one"), made({RESPONSES})):
        print(result.n, flush=True)
"""
ALL = list(made(RESPONSES))


def begin(store: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", LOADER, store], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def acknowledged(loader: subprocess.Popen[str], wanted: int) -> int:
    """Reads until that many responses are acknowledged; a moment later, in the middle of a chunk, it returns."""
    count = 0
    while count < wanted and loader.stdout.readline():
        count += 1
    time.sleep(random.random() * 0.1)  # noqa: S311
    return count


def complete(graph: ClaimGraph) -> None:
    graph.setup()
    assert list(graph.load(run("one"), ALL)) == ALL
    assert_complete(graph, ALL)


def points(kills: int) -> list[int]:
    """After how many responses a load is killed: spread over all of it."""
    return [CHUNK * round(n * (RESPONSES / CHUNK - 2) / max(1, kills - 1)) for n in range(kills)]


def test_the_embedded_store_survives(kills: int, tmp_path: Path) -> None:
    for place in points(kills):
        folder = tmp_path / f"kg-{place}"
        with begin(str(folder)) as loader:
            done = acknowledged(loader, place)
            loader.kill()
        if done:
            with open_graph(str(folder)) as graph:
                assert_whole(graph, ALL, done)
        with open_graph(str(folder)) as graph:
            complete(graph)


def test_neo4j_survives(kills: int, tmp_path: Path) -> None:
    try:
        server = neo4j_server.Server(tmp_path / "server")
    except neo4j_server.MissingError as problem:
        missing("neo4j", str(problem))
    server.start()
    hits = 0  # kills while the load was still going on
    for place in points(kills):
        with open_graph(server.uri) as graph:
            graph.query("MATCH (n) DETACH DELETE n", write=True)
        with begin(server.uri) as loader:
            done = acknowledged(loader, place)
            hits += loader.poll() is None
            server.kill()
            loader.kill()
        server.start()
        with open_graph(server.uri) as graph:
            assert_whole(graph, ALL, done)
            complete(graph)
    server.kill()
    print(f"{hits} of {kills} kills hit a load")
    assert hits >= 0.8 * kills
