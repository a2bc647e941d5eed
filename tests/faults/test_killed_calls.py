"""kill -9 in the middle of a run's calls of a model: what was answered and stored is never paid twice, and the run
started again ends with the bytes of one that nothing interrupted."""

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from graph_eval.llm.cache import AnswerCache, decoded
from graph_eval.testing import LoopbackServer, ReceivedRequest
from tests.conftest import ROOT
from tests.faults.faulty_server import content_of
from tests.faults.towns import MANY, Question

MODEL = "openai/x"
CONCURRENCY, CHUNK = 4, 5
LATENCY = 0.02  # seconds


class Model:
    """Answers rightly, and marks every answer with the content of its request, where a reader drops it: as a thought.

    `served`: how often each content was asked for. `reached` is set at the answer with the number `stop`.
    """

    def __init__(self, stop: int | None = None) -> None:
        self.served: Counter[str] = Counter()
        self.stop = stop
        self.answers = 0
        self.reached = threading.Event()
        self._lock = threading.Lock()

    def __call__(self, request: ReceivedRequest) -> str:
        content = content_of(request.body)
        with self._lock:
            self.served[content] += 1
        time.sleep(LATENCY)
        with self._lock:
            self.answers += 1
            if self.answers == self.stop:
                self.reached.set()
        return f"[THINK]{content}[/THINK]{Question(request.body).answer()}"


def begin(folder: Path, url: str) -> subprocess.Popen[bytes]:
    """A run that extracts, checks and corrects: many calls of all kinds, of which most depend on others."""
    parts = [
        "--extractor",
        f"llm:{MODEL}",
        "--checker",
        f"llm:{MODEL}",
        "--correct",
        "--corrector",
        f"graphcorrect:{MODEL}",
    ]
    limits = ["--concurrency", str(CONCURRENCY), "--chunk", str(CHUNK), "--cache", str(folder / "answers.sqlite")]
    command = ["check", str(folder / "towns.jsonl"), *parts, *limits, "--api-base", url, "-o", str(folder / "run")]
    return subprocess.Popen(
        [sys.executable, "-m", "graph_eval", *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finish(folder: Path, url: str) -> bytes:
    """The results of a run that is not interrupted."""
    with begin(folder, url) as process:
        _, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr.decode()
    return (folder / "run" / "results.jsonl").read_bytes()


def stored(path: Path) -> set[str]:
    """The contents of requests whose answers are in the cache."""
    cache = AnswerCache(path)
    rows = cache._connection.execute("SELECT answer FROM answers").fetchall()
    cache.close()
    return {decoded(answer).text.partition("[/THINK]")[0].removeprefix("[THINK]") for (answer,) in rows}


def made(folder: Path) -> Path:
    folder.mkdir()
    (folder / "towns.jsonl").write_text("".join(json.dumps(town.record) + "\n" for town in MANY))
    return folder


def test_no_stored_answer_is_paid_twice(kills: int, tmp_path: Path, summary: list[str]) -> None:
    whole = Model()
    with LoopbackServer(whole) as server:
        expected = finish(made(tmp_path / "whole"), server.url)
    assert set(whole.served.values()) == {1}
    total = len(whole.served)
    assert expected.count(b'"status":"applied"') >= len(MANY) // 2
    for number in range(kills):
        point = 1 + round(number * (total - 2) / max(1, kills - 1))
        folder = made(tmp_path / f"killed-{number}")
        model = Model(stop=point)
        with LoopbackServer(model) as server:
            with begin(folder, server.url) as process:
                assert model.reached.wait(120)
                process.kill()
                process.stderr.close()
            time.sleep(10 * LATENCY)  # until the answers of requests that were sent are written, to nobody
            first, kept = Counter(model.served), stored(folder / "answers.sqlite")
            written = (folder / "run" / "results.jsonl").read_bytes()
            assert finish(folder, server.url) == expected
        again = {content for content, count in model.served.items() if count > 1}
        summary.append(
            f"killed at answer {point} of {total}: {len(first)} asked, {len(kept)} stored, "
            f"{len(written.splitlines())} results kept, {len(again)} asked again"
        )
        assert process.returncode == -9
        assert kept <= set(first)
        assert len(kept) >= point - CONCURRENCY
        assert expected.startswith(written[: written.rfind(b"\n") + 1])
        assert not kept & again
        assert again == set(first) - kept
        assert len(again) <= CONCURRENCY
        assert set(model.served) == set(whole.served)
        assert max(model.served.values()) <= 2
