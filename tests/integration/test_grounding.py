"""graph-eval ground and check --ground: a folder as a corpus, a model behind the real litellm that writes queries."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from graph_eval.runs.directory import read_results, read_run
from graph_eval.testing import Fault, LoopbackServer, ReceivedRequest

pytestmark = pytest.mark.usefixtures("own_cache")
Cli = Callable[..., subprocess.CompletedProcess[str]]
RESPONSES = {
    "right": "Ada Quist opened the bank in Lund.",
    "wrong": "Ada Quist opened the bank in Oslo.",
    "unknown": "Xyzzy plugh frobnicates.",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "ada.md").write_text("Ada Quist opened the bank in Lund in 1889.\n")
    (folder / "bo.html").write_text("<p>Bo Lind sold apples at the market.</p>")
    (folder / "broken.txt").write_bytes(b"\xff\xfa\x00 no text")
    return folder


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    lines = [{"id": name, "response": text, "question": "Who?"} for name, text in RESPONSES.items()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_check_judges_against_what_it_finds(invoke: Cli, corpus: Path, records: Path, tmp_path: Path) -> None:
    done = invoke("check", records, "--ground", corpus, "-o", "RUN", "--store", "kg", "--ground-hops", "2")
    assert done.returncode == 0, done.stderr
    assert "broken.txt: it is a binary file" in done.stderr
    assert "no passage was found" in done.stdout
    assert "searched again (hop 2) for “Who is Xyzzy plugh frobnicates.”: 0 passages" in done.stdout
    results = {result.example.id: result for result in read_results(tmp_path / "RUN")}
    assert [results[name].inconsistent for name in RESPONSES] == [False, True, True]
    assert results["right"].example.passages[0].source == "ada.md#0-42"
    fingerprints = read_run(tmp_path / "RUN").fingerprints
    assert {"ground", "retriever", "extractor", "checker"} <= fingerprints.keys()
    asked = invoke("query", "searches", "--store", "kg", "-p", "response=right", "--format", "json")
    assert asked.returncode == 0, asked.stderr
    assert "Ada Quist opened the bank in Lund in 1889." in asked.stdout


def test_without_ground_a_context_is_required(invoke: Cli, records: Path) -> None:
    done = invoke("check", records)
    assert done.returncode == 3
    assert '"context" is missing' in done.stdout + done.stderr
    assert "or search for it with --ground CORPUS" in done.stdout + done.stderr
    assert "--ground-by needs --ground" in invoke("check", records, "--ground-by", "response").stderr


def test_records_with_their_passages_can_be_checked_later(
    invoke: Cli, corpus: Path, records: Path, tmp_path: Path
) -> None:
    done = invoke("ground", records, "--ground", corpus, "--format", "records")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [item["id"] for item in found] == list(RESPONSES)
    assert found[0]["context"] == [{"text": "Ada Quist opened the bank in Lund in 1889.", "source": "ada.md#0-42"}]
    assert found[2]["context"] == []
    (tmp_path / "grounded.jsonl").write_text(done.stdout)
    later = invoke("check", "grounded.jsonl", "--format", "jsonl")
    at_once = invoke("check", records, "--ground", corpus, "--format", "jsonl")
    verdicts = [
        [(item["label"], item["p_inconsistent"]) for item in map(json.loads, output.stdout.splitlines())]
        for output in (later, at_once)
    ]
    assert verdicts[0] == verdicts[1]
    assert len(verdicts[0]) == 3


def test_a_failed_search_gives_no_verdict(invoke: Cli, records: Path, tmp_path: Path) -> None:
    server = {"SERPER_API_KEY": "k", "SERPER_API_BASE": "http://127.0.0.1:9"}
    done = invoke("ground", records, "--ground", "serper", "--retries", "0", "--format", "records", **server)
    assert done.returncode == 3
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert all("context" not in item and "cannot be reached" in item["error"] for item in found)
    (tmp_path / "grounded.jsonl").write_text(done.stdout)
    later = invoke("check", "grounded.jsonl", "--format", "jsonl")
    assert later.returncode == 3
    assert all(json.loads(line)["label"] is None for line in later.stdout.splitlines())


def test_a_run_of_ground_can_be_checked_and_grounded_again(
    invoke: Cli, corpus: Path, records: Path, tmp_path: Path
) -> None:
    assert invoke("ground", records, "--ground", corpus, "-o", "GROUNDED").returncode == 0
    assert invoke("check", "GROUNDED", "-o", "CHECKED").returncode == 0
    assert invoke("check", records, "--ground", corpus, "-o", "ONCE").returncode == 0
    one, other = (list(read_results(tmp_path / name)) for name in ("CHECKED", "ONCE"))
    assert one == other
    (corpus / "cy.txt").write_text("Xyzzy plugh frobnicates.")
    again = invoke("check", "CHECKED", "--ground", corpus, "--format", "jsonl")
    assert again.returncode == 0, again.stderr
    last = json.loads(again.stdout.splitlines()[2])
    assert last["label"] == "Entailment"


def test_text_shows_what_was_asked_and_found(invoke: Cli, corpus: Path, records: Path) -> None:
    done = invoke("ground", records, "--ground", corpus)
    assert "right · 1 passage" in done.stdout
    assert "searched for “Who? Ada Quist opened the bank in”: 1 passage" in done.stdout
    assert "ada.md#0-42: Ada Quist opened the bank in Lund in 1889." in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "no corpus to search"),
        (("--ground-hops", "2"), "--ground-hops needs --ground"),
        (("--transform", "rewrite"), "--transform needs --ground"),
        (("--ground", "nowhere"), "no such file or folder"),
        (("--ground", "bm25:nowhere"), "does not exist"),
        (("--ground", "CORPUS", "--transform", "rewrite"), "the transform rewrite needs a language model"),
        (("--ground", "CORPUS", "--transform", "rewrit"), "unknown transform 'rewrit'"),
        (("--ground", "CORPUS", "--transform", "filter:openai/x"), "the passages have no fields"),
        (("--ground", "CORPUS", "--ground-by", "word"), "ground_by"),
        (("--ground", "CORPUS", "--ground-passages", "0"), "ground_passages"),
    ],
)
def test_wrong_usage_is_named(invoke: Cli, corpus: Path, records: Path, options: tuple[str, ...], message: str) -> None:
    given = [str(corpus) if option == "CORPUS" else option for option in options]
    done = invoke("ground", records, *given)
    assert done.returncode == 2
    assert message in done.stderr


def scripted(request: ReceivedRequest) -> str | Fault:
    """A query on the market for claims on Ada, and a refusal for the others."""
    return (
        '{"queries": ["apples market"]}'
        if "Ada" in request.text.rpartition("<<<")[0]
        else "I'm sorry, but I can't help with that."
    )


def test_a_model_writes_queries(invoke: Cli, corpus: Path, records: Path, tmp_path: Path) -> None:
    with LoopbackServer(scripted) as server:
        options = ("--ground", corpus, "--transform", "rewrite", "--transform-with", "openai/m", "--retries", "0")
        more = ("--api-base", server.url, "--format", "jsonl", "-o", "RUN")
        done = invoke("ground", records, *options, *more, OPENAI_API_KEY="k")
        sent = len(server.requests)
    assert done.returncode == 3
    right, wrong, unknown = (json.loads(line) for line in done.stdout.splitlines())
    assert [item["source"] for item in right["example"]["passages"]] == ["bo.html#2-36"]
    assert right["fields"]["grounding"]["searches"][0]["queries"] == [{"text": "apples market"}]
    assert wrong["error"] is None
    assert unknown["error"]["stage"] == "ground"
    assert "cannot be read" in unknown["error"]["message"]
    assert sent <= 4  # one for each query, and one repair: the two on Ada ask for different things
    assert (tmp_path / "RUN" / "results.jsonl").exists()


def test_refchecker_searches_for_the_reference(invoke: Cli, corpus: Path, tmp_path: Path) -> None:
    said = (RESPONSES["right"], RESPONSES["wrong"], "Gerda Zorn married Emil Frist.")
    items = [{"response": text, "reference": "old"} for text in said]
    (tmp_path / "in.json").write_text(json.dumps(items))
    options = ("--input_path", "in.json", "--output_path", "out.json", "--use_retriever")
    done = invoke("refchecker", "extract-check", *options, "--retriever_name", f"bm25:{corpus}")
    assert done.returncode == 3  # nothing is found for the last one
    right, wrong, unknown = json.loads((tmp_path / "out.json").read_text())
    assert right["reference"] == ["Ada Quist opened the bank in Lund in 1889."]
    assert right["ys"] == ["Entailment"]
    assert wrong["ys"] != ["Entailment"]
    assert unknown["reference"] == []
    assert "error" in unknown
    refused = invoke("refchecker", "extract", *options)
    assert refused.returncode == 2
    assert "--use_retriever cannot be used with extract" in refused.stderr
