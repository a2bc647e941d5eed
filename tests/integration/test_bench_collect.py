"""graph-eval bench collect: responses of models behind the real litellm, from a server on this machine."""

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from graph_eval.testing import Fault, LoopbackServer, ReceivedRequest
from tests.models import fenced

pytestmark = pytest.mark.usefixtures("own_cache")
Cli = Callable[..., subprocess.CompletedProcess[str]]
QUESTIONS = [
    {"id": f"q{n}", "question": f"When did Tower{n} open?", "topic": "towers",
     "context": [f"Tower{n} opened in {1800 + n}.", f"Tower{n} is {n} metres high. <<<end>>>"]}
    for n in range(12)
]  # fmt: skip


def questions(folder: Path, records: Sequence[object] = QUESTIONS) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def asked_for(request: ReceivedRequest) -> str:
    """The tower of a request, and its model."""
    text = next(text for name, text in fenced(request.text) if name.startswith("question"))
    return f"{text.removeprefix('When did ').removesuffix(' open?')} by {request.body['model']}"


def answer(request: ReceivedRequest) -> str:
    return f"{asked_for(request)} opened in 1800."


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("setting", "names", "says"),
    [
        ("zero", ["question"], "from what you know"),
        ("noisy", ["passage 1", "passage 2", "question"], "passages that a search has found"),
        ("accurate", ["text 1", "text 2", "question or task"], "Use what the text says and nothing else"),
    ],
)
def test_what_is_sent_in_each_setting_and_what_is_written(
    invoke: Cli, tmp_path: Path, setting: str, names: list[str], says: str
) -> None:
    with LoopbackServer(answer) as server:
        models = ("--model", "openai/one", "--model", "openai/two", "--api-base", server.url, "--temperature", "0.3")
        done = invoke("bench", "collect", questions(tmp_path), "-o", "out.jsonl", "--setting", setting, *models)
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 24
        request = next(one for one in server.requests if asked_for(one) == "Tower3 by one")
    assert request.body["temperature"] == 0.3
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]
    assert says in request.body["messages"][0]["content"]
    passages = QUESTIONS[3]["context"] if setting != "zero" else []
    assert fenced(request.last) == list(zip(names, [*passages, QUESTIONS[3]["question"]], strict=True))
    written = read(tmp_path / "out.jsonl")
    assert [(one["id"], one["model"]) for one in written] == [
        (f"q{n}", f"openai/{model}") for n in range(12) for model in ("one", "two")
    ]
    assert written[7] == {
        "id": "q3",
        "question": "When did Tower3 open?",
        "dataset": "questions",
        "context": QUESTIONS[3]["context"],
        "response": "Tower3 by two opened in 1800.",
        "model": "openai/two",
        "setting": setting,
        "topic": "towers",
    }
    assert "openai/two: 12 answers" in done.stderr


def test_check_reads_the_responses(invoke: Cli, tmp_path: Path) -> None:
    with LoopbackServer(lambda request: f"{asked_for(request).split()[0]} opened in 1801.") as server:
        model = ("--model", "openai/x", "--api-base", server.url, "--limit", "2")
        assert invoke("bench", "collect", questions(tmp_path), "-o", "out.jsonl", *model).returncode == 0
    done = invoke("check", "out.jsonl", "--format", "jsonl")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["label"] == "Entailment" for one in found] == [False, True]
    assert [(one["example"]["model"], one["example"]["meta"]["setting"]) for one in found] == [("openai/x", "zero")] * 2


def test_a_failure_is_told_and_asked_again_next_time(invoke: Cli, tmp_path: Path) -> None:
    faulty = {"Tower2 by x", "Tower5 by x"}

    def script(request: ReceivedRequest) -> str | Fault:
        return Fault(400, "too long") if asked_for(request) in faulty else answer(request)

    with LoopbackServer(script) as server:
        command = ("bench", "collect", questions(tmp_path), "-o", "out.jsonl", "--model", "openai/x", "--chunk", "4",
                   "--api-base", server.url, "--cache", "off", "--retries", "0")  # fmt: skip
        done = invoke(*command)
        assert done.returncode == 3
        assert "q2 (openai/x): openai/x: " in done.stderr
        assert "too long" in done.stderr
        assert "run the same command again" in done.stderr
        assert [one["id"] for one in read(tmp_path / "out.jsonl")] == [f"q{n}" for n in range(12) if n not in (2, 5)]
        before = len(server.requests)
        assert before == 12
        # One of them stays unanswered: only the two are asked again, without a cache.
        faulty.remove("Tower2 by x")
        done = invoke(*command, "--allow-errors")
        assert done.returncode == 0, done.stderr
        assert "q5 (openai/x)" in done.stderr
        assert sorted(map(asked_for, server.requests[before:])) == ["Tower2 by x", "Tower5 by x"]
        faulty.clear()
        done = invoke(*command)
        assert (done.returncode, "failed" in done.stderr) == (0, False)
        assert [asked_for(request) for request in server.requests[before + 2 :]] == ["Tower5 by x"]
        written = read(tmp_path / "out.jsonl")
        assert [one["id"] for one in written] == [f"q{n}" for n in range(12)]
        assert written[5]["response"] == "Tower5 by x opened in 1800."
        # Nothing is left to ask.
        assert invoke(*command).returncode == 0
        assert len(server.requests) == before + 3
        assert read(tmp_path / "out.jsonl") == written


def test_killed_it_continues_and_asks_nothing_twice_that_was_stored(invoke: Cli, tmp_path: Path) -> None:
    reached, stop = threading.Event(), threading.Event()
    counts: Counter[str] = Counter()

    def script(request: ReceivedRequest) -> str:
        counts[asked_for(request)] += 1
        if len(counts) >= 10 and not stop.is_set():
            reached.set()
            stop.wait(60)
        return answer(request)

    arguments = ["bench", "collect", str(questions(tmp_path)), "--model", "openai/x", "--chunk", "3", "--cache", "off",
                 "--concurrency", "1"]  # fmt: skip
    with LoopbackServer(script) as server:
        command = [*arguments, "--api-base", server.url]
        with subprocess.Popen(
            [sys.executable, "-m", "graph_eval", *command, "-o", "killed.jsonl"],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        ) as process:
            assert reached.wait(120)
            process.kill()
        stop.set()
        time.sleep(0.2)
        assert process.returncode == -9
        assert not (tmp_path / "killed.jsonl").exists()
        kept = len((tmp_path / "killed.runs/1/results.jsonl").read_text().splitlines())
        assert kept == 9
        assert invoke(*command, "-o", "killed.jsonl").returncode == 0
        assert {name: count for name, count in counts.items() if count > 1} == {"Tower9 by x": 2}
        assert invoke(*command, "-o", "whole.jsonl").returncode == 0
    assert (tmp_path / "killed.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_answers_come_from_the_cache(invoke: Cli, tmp_path: Path) -> None:
    with LoopbackServer(answer) as server:
        command = ("bench", "collect", questions(tmp_path), "--model", "openai/x", "--api-base", server.url)
        assert invoke(*command, "-o", "one.jsonl").returncode == 0
        done = invoke(*command, "-o", "two.jsonl")
        assert "openai/x: 0 answers, 12 from the cache" in done.stderr
        assert len(server.requests) == 12
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_another_input_or_another_setting_is_refused(invoke: Cli, tmp_path: Path) -> None:
    with LoopbackServer(answer) as server:
        command = ("bench", "collect", questions(tmp_path), "-o", "out.jsonl", "--api-base", server.url, "--model")
        assert invoke(*command, "openai/x").returncode == 0
        written = (tmp_path / "out.jsonl").read_bytes()
        done = invoke(*command, "openai/x", "--setting", "noisy")
        assert done.returncode == 2
        assert "settings.setting: 'zero' in RUN, 'noisy' in this command" in done.stderr
        done = invoke(*command, "openai/y")
        assert "settings.models: ['openai/x'] in RUN, ['openai/y'] in this command" in done.stderr
        questions(tmp_path, QUESTIONS[:3])
        done = invoke(*command, "openai/x")
        assert done.returncode == 2
        assert "input:" in done.stderr
        assert len(server.requests) == 12
    assert (tmp_path / "out.jsonl").read_bytes() == written


def test_a_wrong_record_is_told_and_the_others_are_asked(invoke: Cli, tmp_path: Path) -> None:
    records = [
        {"id": "a", "text": "?"},
        {"id": "b", "question": " ", "context": ["C"]},
        {"id": "c", "question": "When did Tower1 open?", "context": []},
        {
            "id": "d",
            "question": "When did Tower2 open?",
            "context": "C",
            "response": "old",
            "label": 1,
            "samples": ["s"],
        },
        7,
    ]
    path = questions(tmp_path, records)
    with LoopbackServer(answer) as server:
        models = ("--model", "openai/x", "--model", "openai/y", "--api-base", server.url)
        command = ("bench", "collect", path, "-o", "out.jsonl", *models, "--setting", "noisy")
        done = invoke(*command)
        assert done.returncode == 3
        for message in (
            '"question" is missing',
            '"question" is empty',
            '"context" is empty, and the setting noisy needs it',
            "the record is a number (7)",
        ):
            assert done.stderr.count(message) == 1, done.stderr
        assert "line 3" in done.stderr
        assert len(server.requests) == 2
        assert invoke(*command).returncode == 3  # an error of the input is no reason to ask again
        assert len(server.requests) == 2
        assert not (tmp_path / "out.runs/2").exists()
    written = read(tmp_path / "out.jsonl")
    assert [(one["id"], one["response"]) for one in written] == [
        ("d", "Tower2 by x opened in 1800."),
        ("d", "Tower2 by y opened in 1800."),
    ]
    assert all(not {"label", "samples"} & one.keys() for one in written)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "out.jsonl", "--model", "openai/x"), "missing input"),
        (("questions.jsonl", "-o", "out.jsonl"), "--model"),
        (("questions.jsonl", "-o", "questions.jsonl", "--model", "openai/x"), "is also the input"),
        (("absent.jsonl", "-o", "out.jsonl", "--model", "openai/x"), "does not exist"),
        (("questions.jsonl", "-o", "out.jsonl", "--model", "openai/x", "--setting", "none"), "'none' is not one of"),
    ],
    ids=["no input", "no model", "same file", "absent file", "unknown setting"],
)
def test_wrong_options_of_collect_are_named(
    invoke: Cli, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    questions(tmp_path)
    done = invoke("bench", "collect", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert read(tmp_path / "questions.jsonl") == QUESTIONS
