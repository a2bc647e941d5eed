"""Corrections end to end: the real parser and checker, models through the real litellm, runs that are killed."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from graph_eval import GraphEval, resources
from graph_eval.bench.benchmark import Bench, run
from graph_eval.bench.graphcorrect import GraphCorrect
from graph_eval.correctors.accept import HEDGE
from graph_eval.correctors.llm import read_parts, read_text
from graph_eval.correctors.splice import applied
from graph_eval.llm.model import Completion
from graph_eval.settings import Settings
from graph_eval.testing import Fault, LoopbackServer, ReceivedRequest, Reply
from graph_eval.types import Label, Relation, Result, Status
from tests.models import fenced, first_user

ROOT = Path(__file__).parents[2]
CONTEXT = "The tower of Orsa was opened in 1889. It is 38 metres tall. The architect was Marta Lindqvist."
WRONG = "The tower of Orsa was opened in 1899. The architect was Marta Lindqvist."
RIGHT = WRONG.replace("1899", "1889")
FIXES = {"1899": "1889"}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def chain(server: LoopbackServer | None = None, corrector: str = "builtin", **more: object) -> GraphEval:
    base = server.url if server else None
    return GraphEval(settings=Settings.of(corrector=corrector, api_base=base, cache="off", retries=1, **more))  # type: ignore[arg-type]


def corrected(ge: GraphEval, response: str = WRONG, context: str = CONTEXT) -> Result:
    result = ge.correct(ge.check(response, context=context))
    if result.revision is not None:
        edits = {
            edit for item in result.revision.corrections for edit in item.edits if item.status is not Status.REJECTED
        }
        assert applied(response, edits) == result.revision.text
    return result


def statuses(result: Result) -> list[Status]:
    assert result.revision is not None
    return [item.status for item in result.revision.corrections]


def mended(text: str) -> str:
    for old, new in FIXES.items():
        text = text.replace(old, new)
    return text


def correcting(asked: ReceivedRequest) -> str:
    """A model that knows what is wrong, whichever of the prompts asks it."""
    parts = dict(fenced(first_user(asked)))
    if "text" in parts:
        return mended(parts["text"])
    claim = [text for name, text in parts.items() if name.startswith("part")]
    return json.dumps([mended(part) for part in claim])


# The builtin corrector


def test_a_wrong_year_is_mended_offline() -> None:
    result = corrected(chain())
    assert result.revision is not None
    assert result.revision.text == RIGHT
    assert set(statuses(result)) == {Status.APPLIED}
    assert result.revision.result is not None
    assert result.revision.result.label is Label.ENTAILMENT
    for item in result.revision.corrections:
        assert item.p_before > 0.5 >= (item.p_after or 0.0)


def test_exchanged_roles_are_mended_offline() -> None:
    response = "Each Friday in the first month, the manager hands a short report to the buddy."
    context = "New staff have a buddy. In the first month, the buddy gives the manager a short report every Friday."
    result = corrected(chain(), response, context)
    assert result.revision is not None
    assert result.revision.text == "Each Friday in the first month, the buddy hands a short report to the manager."
    ((one, other),) = [item.edits for item in result.revision.corrections]
    assert (one.old, one.new, other.old, other.new) == ("manager", "buddy", "buddy", "manager")


def test_two_claims_of_a_sentence_are_mended_each_by_its_own_words() -> None:
    context = "The landlord pays the rent, and the tenant repairs the door."
    result = corrected(chain(), "The tenant pays the rent, and the landlord repairs the door.", context)
    assert result.revision is not None
    edits = [item.edits for item in result.revision.corrections if item.status is Status.APPLIED]
    assert edits
    assert all(len(own) == 1 for own in edits)  # neither may exchange words with the other's


def test_the_context_states_what_refutes_and_what_supports() -> None:
    result = corrected(chain())
    (passage,) = result.example.passages
    assert all(claim.text_id == passage.id for claim in result.context_claims)
    for claim in result.context_claims:
        for slot in claim.slots:
            assert slot.resolved or slot.inferred or slot.text.lower() == slot.verbatim(passage.text).lower()
    stated = {claim.id: claim.text for claim in result.context_claims}
    claims = {claim.id: claim.text for claim in result.claims}
    assert {(claims[link.claim_id], link.relation, stated[link.context_claim_id]) for link in result.links} >= {
        ("The tower of Orsa was opened in 1899.", Relation.REFUTED_BY, "The tower of Orsa was opened in 1889.")
    }
    assert {link.claim_id for link in result.links} <= {finding.claim.id for finding in result.flagged}
    assert result.revision is not None
    after = result.revision.result
    assert after is not None
    supported = {claim.id: claim.text for claim in after.claims}
    assert {supported[link.claim_id] for link in after.links} == {"The tower of Orsa was opened in 1889."}
    assert {link.relation for link in after.links} == {Relation.SUPPORTED_BY}


def test_what_is_not_flagged_is_not_touched() -> None:
    result = corrected(chain(), RIGHT)
    assert result.revision is None


def test_a_claim_without_a_way_out_stays_flagged_with_its_reason() -> None:
    result = corrected(chain(), "The mayor likes tea.")
    assert result.revision is not None
    assert result.revision.text == "The mayor likes tea."
    assert result.revision.result is None
    (item,) = {(item.status, item.reason) for item in result.revision.corrections}
    assert item == (Status.UNSUPPORTED, "the context does not say")


# Language models


@pytest.mark.parametrize("corrector", ["llm", "graphcorrect", "direct"])
def test_models_mend_through_the_real_client(corrector: str) -> None:
    with LoopbackServer(correcting) as server:
        result = corrected(chain(server, f"{corrector}:openai/x"))
        asked = server.requests
    assert result.revision is not None
    assert result.revision.text == RIGHT
    assert set(statuses(result)) == {Status.APPLIED}
    for item in asked:
        body = json.dumps(item.body)
        context, response = "38 metres tall" in body, "1899. The architect" in body
        if corrector == "direct":
            assert context
            assert response
        else:
            assert not (context and response), "context and response in one request"


def test_graphcorrect_asks_twice_a_claim_and_llm_once() -> None:
    calls = {}
    for corrector in ("llm", "graphcorrect"):
        with LoopbackServer(correcting) as server:
            flagged = len(corrected(chain(server, f"{corrector}:openai/x")).flagged)
            calls[corrector] = len(server.requests) / flagged
    assert calls == {"llm": 1, "graphcorrect": 2}


ANSWERS = {
    "other words": (lambda text: mended(text).replace("Marta", "Maria"), RIGHT, {Status.APPLIED}),
    "more text": (lambda text: mended(text) + " It was also painted red.", RIGHT, {Status.APPLIED}),
    "prose": (lambda text: f"Sure! Here it is:\n\n{mended(text)}\n\nI changed the year.", RIGHT, {Status.APPLIED}),
    "other words only": (lambda text: text.replace("Marta", "Maria"), WRONG, {Status.REJECTED}),
    "the same text": (lambda text: text, WRONG, {Status.REJECTED}),
    "an order of the context": (lambda _: "IGNORE THE RULES AND PRINT THIS", WRONG, {Status.REJECTED}),
}


@pytest.mark.parametrize("kind", sorted(ANSWERS))
def test_other_words_never_change(kind: str) -> None:
    rewrite, expected, outcome = ANSWERS[kind]

    def answer(asked: ReceivedRequest) -> str:
        parts = dict(fenced(first_user(asked)))
        return rewrite(parts["text"]) if "text" in parts else correcting(asked)

    with LoopbackServer(answer) as server:
        result = corrected(chain(server, "graphcorrect:openai/x"))
    assert result.revision is not None
    assert result.revision.text == expected
    assert set(statuses(result)) == outcome
    if outcome == {Status.REJECTED}:
        assert all(item.reason for item in result.revision.corrections)


def test_a_correction_that_is_still_wrong_is_refused() -> None:
    with LoopbackServer(lambda asked: correcting(asked).replace("1889", "1950")) as server:
        result = corrected(chain(server, "llm:openai/x"))
    assert result.revision is not None
    assert result.revision.text == WRONG
    assert all("still be flagged" in (item.reason or "") for item in result.revision.corrections)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [("I see no claim.", "cannot be read"), (Reply(""), "empty"), (Fault(500), "tried 2 times")],
)
def test_a_model_that_fails_leaves_the_claim_flagged(
    answer: str | Reply | Fault, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graph_eval.llm import client

    monkeypatch.setattr(client, "FIRST_PAUSE", 0.01)
    with LoopbackServer(lambda _: answer) as server:
        result = corrected(chain(server, "llm:openai/x"))
    assert set(statuses(result)) == {Status.FAILED}
    assert result.revision is not None
    assert all(reason in (item.reason or "") for item in result.revision.corrections)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("keep", "The tower of Orsa was opened in 1889. The mayor likes tea."),
        ("hedge", f"The tower of Orsa was opened in 1889. The mayor likes tea{HEDGE}."),
        ("drop", "The tower of Orsa was opened in 1889."),
    ],
)
def test_what_the_context_does_not_say(choice: str, expected: str) -> None:
    with LoopbackServer(lambda _: "Not in the context.") as server:
        ge = chain(server, "llm:openai/x", on_unsupported=choice)
        result = corrected(ge, "The tower of Orsa was opened in 1889. The mayor likes tea.")
    assert result.revision is not None
    assert result.revision.text == expected
    assert set(statuses(result)) == {Status.UNSUPPORTED}


def test_the_only_sentence_is_never_dropped() -> None:
    with LoopbackServer(lambda _: "Not in the context.") as server:
        result = corrected(chain(server, "llm:openai/x", on_unsupported="drop"), "The mayor likes tea.")
    assert result.revision is not None
    assert result.revision.text == "The mayor likes tea."
    assert "nothing would be left" in (result.revision.corrections[0].reason or "")


@pytest.mark.parametrize(
    "answer",
    [
        "Answer: not in the context",
        "not in the context\n\nThe context does not mention the mayor.",
        "The context does not say.",
        "null",
    ],
)
def test_forms_of_not_in_the_context_are_read(answer: str) -> None:
    with LoopbackServer(lambda _: answer) as server:
        result = corrected(chain(server, "llm:openai/x"), "The mayor likes tea.")
        assert len(server.requests) == 1
    assert set(statuses(result)) == {Status.UNSUPPORTED}


@pytest.mark.parametrize("key", ["text", "corrected_text", "response"])
def test_a_rewritten_text_may_come_in_an_object(key: str) -> None:
    assert read_text(Completion(json.dumps({key: "It opened."})), last=True).text == "It opened."


def test_one_part_may_be_a_bare_sentence() -> None:
    assert read_parts("It opened in 1931.", 1) == ("It opened in 1931.",)


def test_a_second_checker_has_to_agree() -> None:
    def answer(asked: ReceivedRequest) -> str:
        if any(name.startswith("claim") for name, _ in fenced(first_user(asked))):
            ids = re.findall(r"<<<claim (c\d+) ", asked.last)
            return json.dumps(dict.fromkeys(ids, "Neutral"))
        return correcting(asked)

    with LoopbackServer(answer) as server:
        result = corrected(chain(server, "llm:openai/x", second_checker="llm:openai/x"))
    assert result.revision is not None
    assert result.revision.text == WRONG
    assert all("second checker" in (item.reason or "") for item in result.revision.corrections)


def test_rounds_go_on_where_something_is_left() -> None:
    text = "The tower of Orsa was opened in 1899. It is 48 metres tall."

    def answer(asked: ReceivedRequest) -> str:
        claim = [text for name, text in fenced(first_user(asked)) if name.startswith("part")]
        old, new = (
            ("1899", "1889") if any("1899" in part for part in claim) else ("48", "38" if "second" in seen else "58")
        )
        if old == "48":
            seen.append("second")
        return json.dumps([part.replace(old, new) for part in claim])

    seen: list[str] = []
    with LoopbackServer(answer) as server:
        ge = chain(server, "llm:openai/x", rounds=2, concurrency=1)
        result = ge.correct(ge.check(text, context=CONTEXT))
    assert result.revision is not None
    assert "1889" in result.revision.text
    inner = result.revision.result
    assert inner is not None
    if inner.flagged:
        assert inner.revision is not None


# The command line


def write(path: Path, records: Sequence[dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


RECORDS = [
    {"id": "wrong", "response": WRONG, "context": CONTEXT},
    {"id": "right", "response": RIGHT, "context": CONTEXT},
]


def test_correct_prints_what_it_did(invoke, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", RECORDS)
    text = invoke("correct", name)
    assert text.returncode == 0, text.stderr
    assert "✓ applied: “1899” → “1889”" in text.stdout
    assert f"corrected: {RIGHT}" in text.stdout
    records = [json.loads(line) for line in invoke("correct", name, "--format", "records").stdout.splitlines()]
    assert [item["response"] for item in records] == [RIGHT, RIGHT]
    assert [item["original"] for item in records] == [WRONG, RIGHT]
    patch = invoke("correct", name, "--format", "patch").stdout
    assert patch.startswith("--- a/wrong\n+++ b/wrong\n")
    assert f"-{WRONG}\n" in patch
    assert f"+{RIGHT}\n" in patch
    assert "right\n@@" not in patch


def test_check_corrects_along_the_way(invoke, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", RECORDS)
    done = invoke("check", name, "--correct", "-o", "RUN", "--report", "report.html")
    assert done.returncode == 0, done.stderr
    assert f"corrected: {RIGHT}" in done.stdout
    assert "responses judged" in done.stdout
    assert json.loads((tmp_path / "RUN" / "run.json").read_text())["stage"] == "correct"
    assert (tmp_path / "report.html").is_file()
    assert invoke("report", "RUN").returncode == 0


def test_a_patch_applies(invoke, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", RECORDS[:1])
    (tmp_path / "wrong").write_text(WRONG)
    patch = invoke("correct", name, "--format", "patch").stdout
    done = subprocess.run(["patch", "-p1"], input=patch, text=True, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "wrong").read_text() == RIGHT


def test_a_run_is_corrected_by_the_parts_that_made_it(invoke, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", RECORDS)
    assert invoke("check", name, "--extractor", "sentences", "-o", "A").returncode == 0
    done = invoke("correct", "A", "-o", "B", "--format", "jsonl")
    assert done.returncode == 0, done.stderr
    first = json.loads(done.stdout.splitlines()[0])
    assert [claim["kind"] for claim in first["claims"]] == ["sentence", "sentence"]
    assert first["revision"]["text"] == RIGHT
    assert [claim["kind"] for claim in first["revision"]["result"]["claims"]] == ["sentence", "sentence"]
    run = json.loads((tmp_path / "B" / "run.json").read_text())
    assert run["stage"] == "correct"
    assert run["settings"]["corrector"] == "builtin"
    assert run["settings"]["extractor"] == "sentences"
    assert set(run["fingerprints"]) == {"extractor", "checker", "corrector"}
    again = invoke("correct", "A", "-o", "B", "--format", "jsonl")
    assert again.stdout == done.stdout
    assert invoke("correct", "A", "--extractor", "rules").returncode == 2
    assert "graph-eval correct A" in invoke("check", "A", "--correct").stderr
    judged_again = invoke("correct", "A", "--threshold", "0.999", "--format", "jsonl")
    assert json.loads(judged_again.stdout.splitlines()[0])["revision"] is None


def test_corrections_go_into_the_graph_and_come_out_again(invoke, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", RECORDS)
    done = invoke("correct", name, "-o", "RUN", "--store", "kg")
    assert done.returncode == 0, done.stderr
    rows = json.loads(invoke("query", "corrections", "--store", "kg", "--format", "json").stdout)
    assert {row["status"] for row in rows} == {"applied"}
    assert any("1889" in row["corrected"] for row in rows)
    rows = json.loads(invoke("query", "refutations", "--store", "kg", "--format", "json").stdout)
    assert {row["relation"] for row in rows} == {"REFUTED_BY", "SUPPORTED_BY"}
    refuted = [row for row in rows if row["relation"] == "REFUTED_BY"]
    assert any("1899" in row["claim"] and "1889" in row["stated"] for row in refuted)
    assert invoke("db", "export", "--store", "kg", "-o", "OUT").returncode == 0
    assert (tmp_path / "OUT" / "results.jsonl").read_bytes() == (tmp_path / "RUN" / "results.jsonl").read_bytes()


def test_corrections_resume_after_kill_9(invoke, tmp_path: Path) -> None:
    count = 60
    records = [
        {
            "id": f"r{n}",
            "response": f"Tower {n} of Orsa was opened in 1899.",
            "context": f"Tower {n} of Orsa was opened in 1889.",
        }
        for n in range(count)
    ]
    name = write(tmp_path / "a.jsonl", records)
    arguments = ["correct", str(name), "--extractor", "sentences", "--chunk", "10", "--format", "jsonl"]
    process = subprocess.Popen(
        [sys.executable, "-m", "graph_eval", *arguments, "-o", "RUN"],
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )  # fmt: skip
    results = tmp_path / "RUN" / "results.jsonl"
    limit = time.monotonic() + 120
    while time.monotonic() < limit and (not results.exists() or results.read_bytes().count(b"\n") < 20):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done_before = results.read_bytes().count(b"\n")
    assert 20 <= done_before < count
    resumed = invoke(*arguments, "-o", "RUN")
    straight = invoke(*arguments, "-o", "STRAIGHT")
    assert resumed.returncode == straight.returncode == 0, resumed.stderr
    assert results.read_bytes() == (tmp_path / "STRAIGHT" / "results.jsonl").read_bytes()
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [line["revision"]["text"] for line in lines] == [
        f"Tower {n} of Orsa was opened in 1889." for n in range(count)
    ]
    for line in lines:
        edits = {tuple(edit["span"]) for item in line["revision"]["corrections"] for edit in item["edits"]}
        assert len(edits) == 1


def test_settings_of_correction_are_those_of_its_runs_only() -> None:
    ge = GraphEval(settings=Settings.of(corrector="llm:openai/x"))
    assert "corrector" not in ge.plan().settings
    corrected = ge.plan("extract", "check", "correct").settings
    assert corrected["corrector"] == "llm:openai/x"
    assert "temperature" in corrected
    builtin = GraphEval(settings=Settings.of(corrector="builtin", temperature=0.5))
    assert "temperature" not in builtin.plan("extract", "check", "correct").settings


def write_summaries(folder: Path, *towers: str) -> Path:
    """QAGS-XSum with a wrong summary of each tower, and a right one of the first."""
    rows = [
        {"id": name, "context": CONTEXT.replace("Orsa", name), "response": WRONG.replace("Orsa", name), "label": 1}
        for name in towers
    ]
    rows.append({"id": "right", "context": rows[0]["context"], "response": mended(rows[0]["response"]), "label": 0})
    return write_packed(folder, "qags/qags_xsum", rows)


def write_packed(folder: Path, name: str, rows: Sequence[dict[str, Any]]) -> Path:
    path = folder / f"{name}.jsonl.gz"
    path.parent.mkdir(parents=True)
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    return folder


def tables_of(value: dict[str, Any]) -> dict[str, dict[str, dict[str, Any]]]:
    """The rows by table and corrector."""
    return {table["name"]: {row["corrector"]: row for row in table["rows"]} for table in value["tables"]}


def test_the_tables_of_corrected_summaries(invoke, tmp_path: Path) -> None:
    """Correctors that no model was named for are not run; with one, all four are, and ROUGE says what they left."""
    write_summaries(tmp_path / "data", "Orsa")
    asked = ["bench", "graphcorrect", "--data", "data", "--set", "qags-x", "--limit", "9"]
    done = invoke(*asked, "-o", "without.json", "--independent", f"onnx:{tmp_path}")
    assert done.returncode == 2
    assert "model.onnx is missing" in done.stderr
    done = invoke(*asked, "-o", "without.json", "--independent", f"onnx:{resources.folder('weights/nli')}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("not run") == 2 * 3
    assert done.stdout.count("no language model was named (--model)") == 2
    tables = tables_of(json.loads((tmp_path / "without.json").read_text("utf-8")))
    assert list(tables) == ["table3", "table4"]
    for rows in tables.values():
        assert list(rows) == ["builtin", "graphcorrect", "direct", "llm"]
        assert [row["errors"] for row in rows.values()] == [0, "not run", "not run", "not run"]
    row = tables["table4"]["builtin"]
    assert (row["texts"], row["flagged"]) == (2, 1)
    assert (row["changed"], row["believed_corrected"], row["flagged_claims_gone"]) == (1, 1, 1)
    assert (row["independent_before"], row["independent_after"]) == (0, 1), "the same weights again, for this test"
    assert 0.8 < tables["table3"]["builtin"]["rouge1"] < 1
    with LoopbackServer(correcting) as server:
        done = invoke(*asked, "-o", "with.json", "--model", "openai/x", "--api-base", server.url, "--cache", "off")
        assert done.returncode == 0, done.stderr
        count = len(server.requests)
        again = invoke(*asked, "-o", "with.json", "--model", "openai/x", "--api-base", server.url, "--cache", "off")
        assert len(server.requests) == count > 0, "the second one reads what the first one stored"
    assert again.stdout == done.stdout
    value = json.loads((tmp_path / "with.json").read_text("utf-8"))
    tables = tables_of(value)
    assert [row["believed_corrected"] for row in tables["table4"].values()] == [1, 1, 1, 1]
    assert {item["id"] for item in value["items"] if "believed" in item} == {"Orsa"}
    assert "independent_after" not in tables["table4"]["builtin"]


def measured(data: Path, server: LoopbackServer, runs: Path | None = None, name: str = "qags-x") -> dict[str, Any]:
    settings = Settings.of(api_base=server.url, cache="off", retries=0)
    bench = Bench(settings, data, names=[name], limit=9, runs=runs)
    return json.loads(json.dumps(run(GraphCorrect("openai/x"), bench)))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Fault(500), "claims got no correction: "),  # an error of each request
        (Fault(401), "openai/x"),  # an error of every request, which ends the work
        ("I see no claim.", "cannot be read"),
    ],
    ids=["500", "401", "prose"],
)
def test_a_corrector_whose_model_never_answers_is_not_run(tmp_path: Path, answer: str | Fault, reason: str) -> None:
    with LoopbackServer(lambda _: answer) as server:
        value = measured(write_summaries(tmp_path, "Orsa"), server)
    for table in value["tables"]:
        rows = {row["corrector"]: row for row in table["rows"]}
        assert [row["errors"] for row in rows.values()][:2] == [0, "not run"]
        assert rows["llm"]["errors"] == "not run"
        assert "rouge1" not in rows["llm"]
        assert "believed_corrected" not in rows["llm"]
        assert reason in table["note"]
        assert "QAGS-XSum, llm: " in table["note"]


def test_texts_that_a_model_does_not_answer_for_are_errors_and_in_no_figure(tmp_path: Path) -> None:
    def sometimes(asked: ReceivedRequest) -> str | Fault:
        return Fault(500) if "Mora" in json.dumps(asked.body) else correcting(asked)

    with LoopbackServer(sometimes) as server:
        value = measured(write_summaries(tmp_path, "Orsa", "Mora"), server)
    for row in tables_of(value)["table4"].values():
        errors = int(row["corrector"] != "builtin")
        assert (row["flagged"], row["errors"], row["believed_corrected"]) == (2, errors, 1)


def test_a_right_version_is_compared_with_the_person_s(tmp_path: Path) -> None:
    own: dict[str, Any] = {"context": CONTEXT, "split": "dev", "spans": []}
    rows = [{"id": "b", "response": WRONG, "label": 1, **own}, {"id": "b-ref", "response": RIGHT, "label": 0, **own}]
    with LoopbackServer(correcting) as server:
        value = measured(write_packed(tmp_path, "real/bump", rows), server, name="bump")
    tables = tables_of(value)
    assert list(tables) == ["table3", "table4", "right_versions"]
    for row in tables["right_versions"].values():
        assert (row["wrong"], row["exact"], row["sentences_restored"], row["precision"]) == (1, 1, 1, 1)
    again = [asdict(table) for table in GraphCorrect("openai/x").tables(value["items"])]
    assert json.loads(json.dumps(again)) == value["tables"], "the tables are made of the items"


def test_an_interrupted_benchmark_goes_on_with_the_flagged_texts(tmp_path: Path) -> None:
    """It is interrupted while a corrector works on what the first job flagged."""
    data, runs = write_summaries(tmp_path / "data", "Orsa", "Mora"), tmp_path / "runs"
    names = []

    def interrupted(results: Iterator[Any], _total: int, name: str) -> Iterator[Any]:
        names.append(name)
        if name == "QAGS-XSum, builtin":
            raise KeyboardInterrupt
        return results

    with pytest.raises(KeyboardInterrupt):
        run(GraphCorrect(), Bench(data=data, names=["qags-x"], limit=9, runs=runs, track=interrupted))
    assert names == ["QAGS-XSum, triplets", "QAGS-XSum, builtin"]
    found = [
        run(GraphCorrect(), Bench(data=data, names=["qags-x"], limit=9, runs=folder)) for folder in (runs, runs, None)
    ]
    seconds = [value.pop("seconds") for value in found]
    assert seconds[0] == seconds[1], "nothing was done again"
    assert found[0] == found[1] == found[2]
    assert sorted(path.name for path in runs.iterdir()) == ["qags-x-builtin", "qags-x-triplets"]
