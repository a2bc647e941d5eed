"""graph-eval selfcheck: samples in the records, or drawn from a model behind the real litellm on this machine."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from graph_eval.runs.directory import read_results, read_run
from graph_eval.testing import Fault, LoopbackServer, ReceivedRequest
from tests.models import fenced

pytestmark = pytest.mark.usefixtures("own_cache")
Cli = Callable[..., subprocess.CompletedProcess[str]]
RESPONSE = "Curie was born in Warsaw in 1867. She won three Nobel Prizes."
SAMPLES = ["Curie was born in Warsaw in 1867. She won two Nobel Prizes.", "Curie, born in 1867, won two Nobel Prizes."]


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def scripted(request: ReceivedRequest) -> str | Fault:
    """Samples differ from each other, as those of a model at a temperature do."""
    name = re.search(r"Curie|Bohr", request.text)
    return f"{name[0] if name else 'Nobody'} was born in Warsaw in 1867. Draw {request.number}."


def test_json_gives_sentences_and_claims_with_texts_spans_and_scores(invoke: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"id": "a", "response": RESPONSE, "samples": SAMPLES})
    done = invoke("selfcheck", path, "--format", "json")
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)
    assert [sentence["text"] for sentence in found["sentences"]] == [RESPONSE[:33], RESPONSE[34:]]
    for sentence in found["sentences"]:
        start, end = sentence["span"]
        assert RESPONSE[start:end] == sentence["text"]
    first, second = (sentence["score"] for sentence in found["sentences"])
    assert first < second
    prizes = next(claim for claim in found["claims"] if "three" in claim["text"])
    assert (prizes["supported"], prizes["contradicted"], prizes["samples"]) == (0, 2, 2)
    assert {said["relation"] for said in prizes["samples_say"]} == {"REFUTED_BY"}
    assert "verdict" not in prizes


def test_text_marks_sentences_and_names_what_was_left_out(invoke: Cli, tmp_path: Path) -> None:
    records = [{"id": "a", "response": RESPONSE, "samples": [*SAMPLES, ""]}, {"id": "b", "response": RESPONSE}]
    done = invoke("selfcheck", write(tmp_path / "a.jsonl", *records))
    assert done.returncode == 3
    assert "left out: 3 (empty)" in done.stdout
    assert "✗" in done.stdout
    assert "the record has no samples" in done.stdout
    assert "of 1 response flagged, 1 failed" in done.stdout
    assert invoke("selfcheck", tmp_path / "a.jsonl", "--allow-errors").returncode == 0


def test_a_response_that_says_nothing_is_named(invoke: Cli) -> None:
    done = invoke("selfcheck", "--response", "I don't know.", "--sample", "Curie was born in Warsaw.")
    assert done.returncode == 0, done.stderr
    assert "1 · the response says nothing (refusal)" in done.stdout


def test_fail_on_is_the_gate_of_a_pipeline(invoke: Cli) -> None:
    wrong = ("selfcheck", "--response", "Curie was born in Paris.", "--sample", "Curie was born in Warsaw.")
    done = invoke(*wrong, "--fail-on", "any")
    assert done.returncode == 1
    assert "1 of 1 response (100%) flagged, limit 0%" in done.stderr
    assert invoke(*wrong, "--threshold", "1", "--fail-on", "any").returncode == 0
    assert invoke(*wrong).returncode == 0
    assert invoke("selfcheck", "--response", "x y z.", "--fail-on", "any").returncode == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--sample", "One."), "--sample needs --response"),
        (("--response", "a", "--method", "nly"), "unknown method 'nly'"),
        (("--response", "a", "--method", "prompt"), "missing MODEL"),
        (("--response", "a", "--threshold", "1.5"), "consistency_threshold"),
        (("--response", "a", "--fail-on", "2"), "not a share"),
    ],
)
def test_wrong_use_is_refused(invoke: Cli, arguments: tuple[str, ...], message: str) -> None:
    done = invoke("selfcheck", *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_run_of_check_keeps_its_verdicts(invoke: Cli, tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl", {"id": "a", "response": RESPONSE, "samples": SAMPLES, "context": "She won two prizes."}
    )
    assert invoke("check", path, "-o", "judged").returncode == 0
    done = invoke("selfcheck", "judged", "-o", "both", "--method", "nli", "--format", "json")
    assert done.returncode == 0, done.stderr
    (before,), (after,) = (list(read_results(tmp_path / name)) for name in ("judged", "both"))
    assert after.judgements == before.judgements
    assert (after.label, after.p_inconsistent) == (before.label, before.p_inconsistent)
    assert after.fields["consistency"]["method"] == "nli"
    run = read_run(tmp_path / "both")
    assert set(run.fingerprints) == {"extractor", "checker", "method"}
    assert run.settings["method"] == "nli"
    at_once = invoke("selfcheck", path, "--check", "--format", "json")
    (claim, *_) = json.loads(at_once.stdout)[0]["claims"]
    assert set(claim["verdict"]) == {"label", "p_inconsistent", "flagged"}


def test_verdicts_against_the_context_are_shown_whatever_the_method(invoke: Cli, tmp_path: Path) -> None:
    record = {"id": "a", "response": RESPONSE, "samples": SAMPLES, "context": "Curie was born in Paris."}
    arguments = ("selfcheck", write(tmp_path / "a.jsonl", record), "--check", "--method", "nli")
    done = invoke(*arguments)
    assert done.returncode == 0, done.stderr
    assert "against the context: Contradiction" in done.stdout
    (found,) = json.loads(invoke(*arguments, "--format", "json").stdout)
    assert all((claim["score"], claim["samples_say"]) == (None, []) for claim in found["claims"])
    assert any(claim["verdict"]["flagged"] for claim in found["claims"])
    # The gate counts what the samples say only.
    assert invoke(*arguments, "--threshold", "1", "--fail-on", "any").returncode == 0


def test_a_model_is_sampled_once_for_each_draw_and_then_read_from_the_cache(invoke: Cli, tmp_path: Path) -> None:
    records = [
        {"id": name, "response": f"{name} was born in Warsaw in 1867.", "question": f"Where was {name} born?"}
        for name in ("Curie", "Bohr")
    ]
    path = write(tmp_path / "a.jsonl", *records)
    with LoopbackServer(scripted) as server:
        model = ("--sample-with", "openai/x", "--api-base", server.url, "-n", "3", "--format", "json")
        done = invoke("selfcheck", path, *model, "--temperature", "0.9", "-o", "RUN")
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 6
        assert {request.body["temperature"] for request in server.requests} == {0.9}
        for request in server.requests:
            assert [name for name, _ in fenced(request.text)] == ["question"]
        assert "6 answers" in done.stderr
        results = list(read_results(tmp_path / "RUN"))
        assert all(result.example and len(set(result.example.samples)) == 3 for result in results)

        again = invoke("selfcheck", path, *model, "--temperature", "0.9", "-o", "RUN2")
        assert again.stdout == done.stdout
        assert len(server.requests) == 6  # all from the cache
        assert (tmp_path / "RUN2/results.jsonl").read_bytes() == (tmp_path / "RUN/results.jsonl").read_bytes()

        more = invoke("selfcheck", path, *model[:-4], "-n", "4", "--temperature", "0.9")
        assert more.returncode == 0, more.stderr
        assert len(server.requests) == 8  # one draw more for each record


def test_sampling_that_was_killed_goes_on_without_asking_again(invoke: Cli, tmp_path: Path) -> None:
    """Each record is asked for three draws. The process is killed while the second record's wait."""
    records = [
        {"id": f"{n}", "response": RESPONSE, "question": f"Question {n}: who was Curie?"} for n in range(3)
    ]  # fmt: skip
    path = write(tmp_path / "a.jsonl", *records)
    reached, over = threading.Event(), threading.Event()
    asked: list[str] = []

    def script(request: ReceivedRequest) -> str | Fault:
        question = re.search(r"Question \d", request.text)
        asked.append(question[0] if question else "")
        if asked[-1] == "Question 1" and not over.is_set():
            reached.set()
            over.wait(60)
            return Fault(500, "too late")
        return scripted(request)

    with LoopbackServer(script) as server:
        sampling = ("--sample-with", "openai/x", "--api-base", server.url, "-n", "3", "--concurrency", "1")
        kept = ("--chunk", "1", "--cache", tmp_path / "answers.sqlite", "-o", "RUN")
        arguments = ("selfcheck", path, *sampling, "--method", "ngram", *kept)
        process = subprocess.Popen(
            [sys.executable, "-m", "graph_eval", *map(str, arguments)],
            cwd=tmp_path, env={**os.environ, "PYTHONWARNINGS": "ignore"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert reached.wait(120)
        process.kill()
        process.wait()
        over.set()
        before = asked.count("Question 0")
        assert before == 3
        done = invoke(*arguments)
        assert done.returncode == 0, done.stderr
    assert asked.count("Question 0") == before  # its draws are in the cache
    assert asked.count("Question 2") == 3
    results = list(read_results(tmp_path / "RUN"))
    assert [len(result.example.samples) for result in results if result.example] == [3, 3, 3]
    assert [result.error for result in results] == [None] * 3


def test_an_interrupted_run_goes_on_after_its_last_chunk(invoke: Cli, tmp_path: Path) -> None:
    records = [{"id": str(n), "response": RESPONSE, "samples": SAMPLES[: 1 + n % 2]} for n in range(5)]
    arguments = ("selfcheck", write(tmp_path / "a.jsonl", *records), "--method", "ngram", "--chunk", "2", "-o", "RUN")
    assert invoke(*arguments).returncode == 0
    results, meta = tmp_path / "RUN/results.jsonl", tmp_path / "RUN/run.json"
    whole = results.read_bytes()
    results.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    meta.write_text(json.dumps({**json.loads(meta.read_text()), "finished": False}))
    assert invoke(*arguments).returncode == 0
    assert results.read_bytes() == whole
    other = invoke(*arguments[:-4], "--method", "ngram:mean", "--chunk", "2", "-o", "RUN")
    assert other.returncode == 2
    assert "method" in other.stderr


def test_the_report_and_the_store_say_what_the_samples_say(invoke: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"id": "a", "response": RESPONSE, "samples": SAMPLES})
    done = invoke("selfcheck", path, "--report", "report.html", "--store", "STORE")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report.html").read_text("utf8")
    (row,) = (json.loads(line) for line in page.split('id="data">\n')[1].splitlines() if line.startswith('{"n":0,'))
    assert row["consistency"]["flagged"] == [[34, 61]]
    supported, contradicted, samples, _ = row["claims"][1]["samples"]
    assert (supported, contradicted, samples) == (0, 2, 2)
    assert any("two Nobel Prizes" in said for said in row["claims"][1]["said"])
    asked = invoke("query", "unsupported_by_samples", "--store", "STORE", "--format", "json")
    assert asked.returncode == 0, asked.stderr
    (found,) = json.loads(asked.stdout)
    assert (found["claim"], found["contradicted"], found["samples"]) == ("Curie won three Nobel Prizes.", 2, 2)


def test_a_sample_that_fails_is_missing_and_the_others_count(invoke: Cli, tmp_path: Path) -> None:
    def script(request: ReceivedRequest) -> str | Fault:
        return Fault(400, "no") if request.number == 1 else "Curie was born in Warsaw in 1867."

    path = write(tmp_path / "a.jsonl", {"id": "a", "response": "Curie was born in 1867.", "question": "Who?"})
    with LoopbackServer(script) as server:
        done = invoke(
            "selfcheck", path, "--sample-with", "openai/x", "--api-base", server.url, "-n", "3", "-o", "RUN",
            "--cache", "off", "--concurrency", "1", "--format", "json",
        )  # fmt: skip
        again = invoke(
            "selfcheck", "RUN", "--sample-with", "openai/x", "--api-base", server.url, "-n", "3", "-o", "RUN2",
            "--cache", "off", "--format", "json",
        )  # fmt: skip
        assert len(server.requests) == 4  # the missing sample alone is drawn again
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)
    assert (found["samples"], len(found["not_drawn"])) == (2, 1)
    (result,) = read_results(tmp_path / "RUN")
    assert len(result.fields["sampling"]["failed"]) == 1
    assert again.returncode == 0, again.stderr
    (found,) = json.loads(again.stdout)
    assert (found["samples"], found["not_drawn"]) == (3, [])


def test_prompts_are_asked_through_litellm(invoke: Cli, tmp_path: Path) -> None:
    def script(request: ReceivedRequest) -> str:
        parts = dict(fenced(request.text))
        if "sentence" in parts:
            return "Yes" if parts["sentence"] in parts["context"] else "No"
        return "0.25"

    path = write(tmp_path / "a.jsonl", {"id": "a", "response": RESPONSE, "samples": SAMPLES})
    with LoopbackServer(script) as server:
        base = ("--api-base", server.url, "--format", "json")
        done = invoke("selfcheck", path, "--method", "prompt:openai/x", *base)
        assert done.returncode == 0, done.stderr
        assert [item["score"] for item in json.loads(done.stdout)[0]["sentences"]] == [0.5, 1.0]
        assert len(server.requests) == 4
        assert {request.body["temperature"] for request in server.requests} == {0}
        done = invoke("selfcheck", path, "--method", "prompt-response:openai/x", *base)
        assert json.loads(done.stdout)[0]["score"] == 0.75
        assert len(server.requests) == 5
