"""Stores from the command line: loading, asking, labelling, upkeep."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from graph_eval.graph import library
from tests.graphs import flagged

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "responses.jsonl"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run over the examples and the store that `check --store` filled with it."""
    folder = tmp_path_factory.mktemp("kept")
    run, store = folder / "RUN", folder / "kg"
    command = [sys.executable, "-m", "graph_eval", "check", EXAMPLES, "-o", run, "--store", store, "--format", "jsonl"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 14
    return run, store


def rows(done: subprocess.CompletedProcess[str]) -> list[dict]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_check_fills_a_store_and_queries_answer(invoke, kept) -> None:
    run, store = kept
    found = rows(invoke("query", "flagged_claims", "--store", store, "-p", "limit=1000", "--format", "jsonl"))
    assert len(found) == flagged(run) > 5
    assert found[0]["claim"] == "The museum of Orsa opened in 1934."
    limited = rows(
        invoke(
            "query",
            "flagged_claims",
            "--store",
            store,
            "-p",
            "limit=2",
            "-p",
            "model=summariser-b",
            "--format",
            "jsonl",
        )
    )
    assert len(limited) == 2
    assert {row["model"] for row in limited} == {"summariser-b"}


@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_formats(invoke, kept, form: str) -> None:
    done = invoke("query", "score_bands", "--store", kept[1], "--format", form)
    assert done.returncode == 0, done.stderr
    if form == "json":
        assert {"from", "claims", "flagged"} == set(json.loads(done.stdout)[0])
    elif form == "csv":
        assert next(csv.reader(io.StringIO(done.stdout))) == ["from", "claims", "flagged"]
    else:
        assert done.stdout.split()[:3] == ["from", "claims", "flagged"]


def test_the_list_of_queries(invoke) -> None:
    listed = json.loads(invoke("query", "--list", "--format", "json").stdout)
    assert {row["name"] for row in listed} == set(library.queries())
    (flagged,) = (row for row in listed if row["name"] == "flagged_claims")
    assert {"name": "limit", "required": False, "default": 100} in flagged["params"]
    assert "-p response" in invoke("query", "--list").stdout


def test_cypher_from_a_file_and_from_standard_input(invoke, kept, tmp_path: Path) -> None:
    cypher = "MATCH (s)-[e:RELATES {flagged: true}]->(o) WHERE s.name = $name RETURN o.name AS object ORDER BY object"
    (tmp_path / "mine.cypher").write_text(cypher)
    arguments = ("--store", kept[1], "-p", "name=Skerra lighthouse", "--format", "jsonl")
    assert rows(invoke("query", "mine.cypher", *arguments)) == [{"object": "48 metres tall"}]
    assert rows(invoke("query", "-", *arguments, stdin=cypher)) == [{"object": "48 metres tall"}]


def test_a_query_changes_nothing_without_write(invoke, kept) -> None:
    done = invoke("query", "-", "--store", kept[1], stdin="MATCH (n) DETACH DELETE n")
    assert done.returncode == 2
    assert "this query writes" in done.stderr
    assert "--write" in done.stderr
    done = invoke("query", "-", "--store", kept[1], "--write", stdin="CREATE (n:Note {text: 'x'}) DELETE n")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("flagged_clams",), "use flagged_claims, or one of: "),
        (("paths",), "query paths: missing parameter 'response'"),
        (("flagged_claims", "-p", "limits=3"), "query flagged_claims: unknown parameter 'limits'"),
        (("flagged_claims", "-p", "limit"), "write -p KEY=VALUE"),
        (("no/such.cypher",), "cannot read no/such.cypher"),
        ((), "missing query\n  pass a query name, a file or -"),
    ],
)
def test_a_question_that_is_none(invoke, kept, arguments: tuple[str, ...], message: str) -> None:
    done = invoke("query", *arguments, "--store", kept[1])
    assert done.returncode == 2
    assert message in done.stderr


def test_a_store_that_is_missing_or_cannot_be_reached(invoke, tmp_path: Path) -> None:
    done = invoke("query", "counts")
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "graph-eval: missing store")
    done = invoke("query", "counts", "--store", "http://x")
    assert done.returncode == 2
    done = invoke("query", "counts", "--store", "bolt://127.0.0.1:1")
    assert done.returncode == 3
    assert "cannot be reached" in done.stderr
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    done = invoke("query", "counts", "--store", "full")
    assert done.returncode == 3
    assert "is not a graph store" in done.stderr
    assert (tmp_path / "full" / "letter.txt").read_text() == "mine"


@pytest.mark.parametrize("command", ["query runs", "db info", "label export --name anna", "report", "viz"])
def test_a_store_that_is_not_there_is_not_made(invoke, tmp_path: Path, command: str) -> None:
    done = invoke(*command.split(), "--store", "kgg")
    assert done.returncode == 2
    assert done.stderr == "graph-eval: there is no store kgg\n  load a run into it: graph-eval load RUN --store kgg\n"
    assert not (tmp_path / "kgg").exists()
    (tmp_path / "kgg").mkdir()
    assert invoke(*command.split(), "--store", "kgg").stderr == done.stderr
    assert not any((tmp_path / "kgg").iterdir())


def test_cypher_that_is_not_utf_8_and_numbers_that_no_store_takes(invoke, kept) -> None:
    _, store = kept
    command = [sys.executable, "-m", "graph_eval", "query", "-", "--store", str(store)]
    done = subprocess.run(command, input=b"\xff", capture_output=True, check=False, cwd=store.parent)
    assert done.returncode == 2
    assert done.stderr.startswith(b"graph-eval: cannot read standard input: ")
    assert b"pass a .cypher file in UTF-8" in done.stderr
    for value in ("NaN", "1e999", "[1, -Infinity]", "9223372036854775808"):
        refused = invoke("query", "-", "--store", store, "-p", f"x={value}", stdin="RETURN $x AS x")
        assert refused.returncode == 2
        assert "no database takes the number" in refused.stderr


def test_csv_keeps_all_digits_and_a_table_is_for_eyes(invoke, kept) -> None:
    _, store = kept
    written = {
        form: invoke("query", "-", "--store", store, "--format", form, stdin="RETURN 1234567.5 AS x").stdout
        for form in ("csv", "table")
    }
    assert written["csv"] == "x\n1234567.5\n"
    assert "1.23457e+06" in written["table"]


def test_load_twice_delete_and_export(invoke, kept, tmp_path: Path) -> None:
    run, _ = kept
    assert invoke("load", run, "--store", "kg").returncode == 0
    before = invoke("query", "counts", "--store", "kg").stdout
    loaded = invoke("db", "import", run, "--store", "kg")
    assert loaded.returncode == 0, loaded.stderr
    identity = loaded.stdout.split()[0]
    assert invoke("query", "counts", "--store", "kg").stdout == before
    assert identity in invoke("db", "info", "--store", "kg").stdout
    done = invoke("db", "export", identity, "-o", "OUT", "--store", "kg")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "OUT" / "results.jsonl").read_bytes() == (run / "results.jsonl").read_bytes()
    assert json.loads((tmp_path / "OUT" / "run.json").read_text())["id"] == identity
    assert invoke("db", "export", "-o", "OUT", "--store", "kg").returncode == 2
    assert invoke("db", "delete", "--run-id", identity, "--store", "kg").returncode == 0
    assert invoke("query", "counts", "--store", "kg", "--format", "jsonl").stdout == ""
    done = invoke("db", "delete", "--run-id", identity, "--store", "kg")
    assert done.returncode == 2
    assert f"unknown run {identity!r}" in done.stderr
    assert invoke("db", "delete", "--store", "kg").returncode == 2


def test_records_that_are_one_response_are_counted_and_told(invoke, tmp_path: Path) -> None:
    record = {"id": "a", "response": "The bridge is old.", "context": "The bridge is old."}
    other = record | {"label": 1}
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, (record, other, record | {"id": "b"}))))
    done = invoke("check", "in.jsonl", "-o", "RUN", "--store", "kg", "--format", "jsonl")
    assert "1 of 3 records has the same id, model, question, response and context as another record" in done.stderr
    done = invoke("load", "RUN", "--store", "kg2")
    assert done.returncode == 0
    assert "1 of 3 records has the same id, model, question, response and context as another record" in done.stderr


def test_two_checks_and_a_person(invoke, kept, tmp_path: Path) -> None:
    run, _ = kept
    assert invoke("load", run, "--store", "kg").returncode == 0
    assert invoke("check", run, "--threshold", "0.8", "--store", "kg", "--format", "jsonl").returncode == 0
    runs = rows(invoke("query", "runs", "--store", "kg", "--format", "jsonl"))
    strict, first = runs
    assert strict["threshold"] == 0.8
    assert strict["flagged"] < first["flagged"]

    def flagged() -> int:
        return len(rows(invoke("query", "flagged_claims", "--store", "kg", "--format", "jsonl")))

    assert flagged() == strict["flagged"]
    assert invoke("db", "current", first["id"], "--store", "kg").returncode == 0
    assert flagged() == first["flagged"]
    given = invoke("label", "export", "--name", "anna", "--store", "kg", "--limit", "4").stdout.splitlines()
    lines = [
        json.loads(line) | {"label": label}
        for line, label in zip(given, ("neutral", "Entailment", None, "odd"), strict=True)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines) + '{"claim_id": "nobody", "label": "Neutral"}\nno json\n'
    (tmp_path / "labels.jsonl").write_text(text)
    done = invoke("label", "import", "labels.jsonl", "--name", "anna", "--store", "kg")
    assert done.returncode == 3
    assert "2 labels by anna" in done.stdout
    assert "labels.jsonl, line 4: unknown label 'odd'" in done.stderr
    assert "labels.jsonl, line 6" in done.stderr
    assert "claim nobody is not in the store" in done.stderr
    person = done.stdout.split()[0]
    (agreed,) = rows(
        invoke(
            "query",
            "agreement",
            "-p",
            f"one={person}",
            "-p",
            f"other={first['id']}",
            "--store",
            "kg",
            "--format",
            "jsonl",
        )
    )
    assert sum(agreed.values()) == 2
    assert flagged() == first["flagged"], "a person's run never becomes current"
    again = invoke("label", "export", "--name", "anna", "--store", "kg", "--limit", "4").stdout
    assert [json.loads(line)["label"] for line in again.splitlines()] == ["Neutral", "Entailment", None, None]


def test_parameters_of_named_queries_have_types(invoke, tmp_path: Path) -> None:
    record = {"id": "24", "response": "Orsa is old.", "context": "Orsa is old."}
    (tmp_path / "in.jsonl").write_text(json.dumps(record))
    assert invoke("check", "in.jsonl", "--store", "kg").returncode == 0
    found = invoke("query", "response_report", "-p", "response=24", "--store", "kg", "--format", "jsonl")
    assert [row["claim"] for row in rows(found)] == ["Orsa is old."]
    for name, value, message in (
        ("flagged_claims", "limit=many", "not a whole number"),
        ("flagged_claims", "limit=" + "9" * 30, "at most 18 digits"),
        ("entities_by_flags", "named=maybe", "not true or false"),
        ("agreement", "one=nosuch", "missing parameter 'other'"),
    ):
        refused = invoke("query", name, "-p", value, "--store", "kg")
        assert refused.returncode == 2
        assert message in refused.stderr
    refused = invoke("query", "agreement", "-p", "one=nosuch", "-p", "other=nosuch", "--store", "kg")
    assert (refused.returncode, "unknown run 'nosuch'" in refused.stderr) == (2, True)
    for large in (2**63, -(2**63) - 1):
        for value in (f"{large}", f"[1, {large}]", f'{{"a": [{{"b": {large}}}]}}'):
            refused = invoke("query", "-", "-p", f"n={value}", "--store", "kg", stdin="RETURN $n AS n")
            assert (refused.returncode, f"no database takes the number {large}" in refused.stderr) == (2, True)
    for value in (2**63 - 1, -(2**63), [-(2**63)], True, "9" * 30):
        taken = invoke(
            "query", "-", "-p", f"n={json.dumps(value)}", "--store", "kg", "--format", "jsonl", stdin="RETURN $n AS n"
        )
        assert rows(taken) == [{"n": value}]


def test_a_mistake_in_a_query_is_the_users(invoke, kept) -> None:
    refused = invoke("query", "-", "--store", kept[1], stdin="MATCH (c:Claim) RETURN sum(c.flagged) AS n")
    assert refused.returncode == 2
    assert refused.stderr.startswith("graph-eval: invalid query: sum() requires numeric input")
    assert "--store" not in refused.stderr


def test_what_is_not_there_cannot_be_deleted_and_nobody_labels_it(invoke, kept, tmp_path: Path) -> None:
    _, store = kept
    for option in ("--run-id", "--response"):
        refused = invoke("db", "delete", option, "nosuch", "--store", store)
        assert (refused.returncode, "unknown" in refused.stderr) == (2, True)
    before = invoke("query", "runs", "--store", store).stdout
    for line in ({"claim_id": "nosuch", "label": "Neutral"}, {"claim_id": "nosuch", "label": None}):
        (tmp_path / "labels.jsonl").write_text(json.dumps(line))
        done = invoke("label", "import", "labels.jsonl", "--store", store, "--name", "bo")
        assert "no label was imported" in done.stdout
    assert invoke("query", "runs", "--store", store).stdout == before


def test_three_runs_that_share_responses_are_exported_byte_for_byte(invoke, tmp_path: Path) -> None:
    checks = {"A": (), "B": ("--threshold", "0.9"), "C": ("--correct",)}
    for name, options in checks.items():
        assert invoke("check", EXAMPLES, "-o", name, "--limit", "8", "--store", "kg", *options).returncode == 0
    runs = {json.loads((tmp_path / name / "run.json").read_text())["id"]: name for name in checks}
    assert len(runs) == 3
    for identity, name in runs.items():
        assert invoke("db", "export", identity, "-o", f"{name}-out", "--store", "kg").returncode == 0
        for file in ("run.json", "results.jsonl"):
            assert (tmp_path / f"{name}-out" / file).read_bytes() == (tmp_path / name / file).read_bytes()


def test_pages_from_a_store(invoke, kept, tmp_path: Path) -> None:
    run, store = kept
    assert invoke("report", "--store", store, "-o", "r.html").returncode == 0
    assert invoke("report", run, "-o", "d.html").returncode == 0
    title = (tmp_path / "r.html").read_text("utf8").count("Skerra lighthouse")
    assert title == (tmp_path / "d.html").read_text("utf8").count("Skerra lighthouse")
    done = invoke("viz", "--store", store)
    assert (done.returncode, done.stdout) == (0, "graph.html\n"), done.stderr
    assert invoke("viz", run, "--store", store).returncode == 2
    assert invoke("viz", "--store", store, "--run-id", "nobody").returncode == 2


HOLD = """
import sys, time
from graph_eval.graph.open import open_graph
with open_graph(sys.argv[1]) as graph:
    graph.setup()
    print("open", flush=True)
    time.sleep(60)
"""


def test_a_second_process_is_told_and_harms_nothing(cli, kept, tmp_path: Path) -> None:
    run, _ = kept
    with subprocess.Popen([sys.executable, "-c", HOLD, tmp_path / "kg"], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout.readline() == "open\n"
        done = cli("load", run, "--store", "kg")
        first.terminate()
        assert first.wait(30) == 143
    assert done.returncode == 3
    assert "is in use by another process" in done.stderr
    assert cli("load", run, "--store", "kg").returncode == 0
    found = rows(cli("query", "flagged_claims", "--store", "kg", "-p", "limit=1000", "--format", "jsonl"))
    assert len(found) == flagged(run)
