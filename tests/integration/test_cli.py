"""The command line, where it matters in its own process: real parser, real model, real files."""

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from graph_eval.cli.check import _gate
from graph_eval.cli.terminal import Summary
from graph_eval.types import Claim, Example, ItemError, Judgement, Label, Passage, Result, Span

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "responses.jsonl"
CONTEXT = "The tower was opened in 1889."
TRUE = {"id": "true", "response": "The tower was opened in 1889.", "context": CONTEXT}
FALSE = {"id": "false", "response": "The tower was opened in 1899.", "context": CONTEXT}


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_help_loads_nothing_heavy(python: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    code = """
import sys
from graph_eval.cli.main import main
from graph_eval.cli.main import COMMANDS
for arguments in ([], *([name] for name in COMMANDS), ["bench", "table2"], ["bench", "speed"]):
    assert main([*arguments, "--help"]) == 0
heavy = "numpy spacy onnxruntime tokenizers pydantic rich networkx pyvis IPython jinja2 torch transformers".split()
print([name for name in heavy if name in sys.modules], file=sys.stderr)
"""
    done = python(code)
    assert done.stderr.strip() == "[]"
    assert "Find the claims in responses" in done.stdout


def test_importing_the_package_loads_nothing_heavy(python: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = python("import sys, graph_eval; print([n for n in ('numpy', 'spacy', 'pydantic') if n in sys.modules])")
    assert done.stdout.strip() == "[]"


def test_a_one_off_check(cli) -> None:
    done = cli("check", "--response", FALSE["response"], "--context", CONTEXT)
    assert done.returncode == 0, done.stderr
    assert "Contradiction" in done.stdout
    assert "tower → was opened in → 1899" in done.stdout
    assert f"context: “{CONTEXT}”" in done.stdout
    assert "[[" in done.stdout
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def test_a_context_from_a_file(invoke, tmp_path: Path) -> None:
    (tmp_path / "context.txt").write_text(CONTEXT)
    done = invoke("check", "--response", TRUE["response"], "--context", "@context.txt")
    assert "✓ Entailment" in done.stdout


def test_a_question_makes_a_bare_answer_a_claim(invoke) -> None:
    done = invoke("check", "--response", "1899", "--context", CONTEXT, "--question", "When was the tower opened?")
    assert "the tower → was opened → 1899" in done.stdout


def test_the_examples_known_errors_are_found(cli) -> None:
    done = cli("check", EXAMPLES, "--format", "jsonl")
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    records = [json.loads(line) for line in EXAMPLES.read_text().splitlines()]
    assert len(results) == len(records) >= 12
    known = found = 0
    false_flags = []
    for record, result in zip(records, results, strict=True):
        starts = [record["response"].index(error) for error in record["errors"]]
        wrong = [set(range(at, at + len(error))) for at, error in zip(starts, record["errors"], strict=True)]
        flagged: set[int] = set()
        for claim, judgement in zip(result["claims"], result["judgements"], strict=True):
            if not judgement["flagged"]:
                continue
            slots = (claim[slot] or {} for slot in ("subject", "predicate", "object"))
            spans = [span for slot in slots for span in slot.get("spans") or [claim["sentence"]]]
            places = {place for span in spans for place in range(*span)}
            flagged |= places
            if not any(places & error for error in wrong):
                false_flags.append((record["id"], claim["text"]))
        known += len(wrong)
        found += sum(bool(flagged & error) for error in wrong)
        if not record["errors"]:
            assert result["label"] in ("Entailment", "Abstain"), record["id"]
    assert false_flags == []
    assert found >= 0.5 * known, f"{found} of {known}"


def test_formats(invoke, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", TRUE, FALSE, {"id": "refusal", "response": "I'm sorry, I can't.", "context": ""})
    listed = json.loads(invoke("check", name, "--format", "json").stdout)
    assert [item["label"] for item in listed] == ["Entailment", "Contradiction", "Abstain"]
    rows = list(csv.DictReader(io.StringIO(invoke("check", name, "--format", "csv").stdout)))
    assert [(row["id"], row["label"]) for row in rows] == [
        ("true", "Entailment"),
        ("false", "Contradiction"),
        ("refusal", ""),
    ]
    text = invoke("check", name, "--all-claims").stdout
    assert "Summary" in text
    assert "without a claim (Abstain)" in text
    assert "✓ Entailment" in text


def test_no_record_at_all_is_an_empty_list(invoke, tmp_path: Path) -> None:
    assert json.loads(invoke("check", write(tmp_path / "a.jsonl"), "--format", "json").stdout) == []


def test_a_cell_is_never_a_formula(invoke, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", {**TRUE, "id": "=1+1", "model": "@SUM(A1)"})
    row = next(csv.DictReader(io.StringIO(invoke("check", name, "--format", "csv").stdout)))
    assert (row["id"], row["model"]) == ("'=1+1", "'@SUM(A1)")


def test_standard_input_and_limit(cli) -> None:
    lines = "".join(json.dumps(record) + "\n" for record in (TRUE, FALSE, FALSE))
    done = cli("check", "-", "--limit", "1", "--format", "jsonl", stdin=lines)
    assert len(done.stdout.splitlines()) == 1


def test_standard_input_may_be_compressed() -> None:
    packed = gzip.compress("".join(json.dumps(record) + "\n" for record in (TRUE, FALSE)).encode())
    command = [sys.executable, "-m", "graph_eval", "check", "-", "--format", "jsonl"]
    done = subprocess.run(command, input=packed, capture_output=True, timeout=120, cwd=ROOT)
    assert len(done.stdout.splitlines()) == 2, done.stderr


def test_control_characters_are_shown_never_sent(invoke, tmp_path: Path) -> None:
    name = write(
        tmp_path / "a.jsonl", {**FALSE, "id": "\x1b[31m", "response": "The tower\x1b]0;x\x07 was opened in 1899."}
    )
    done = invoke("check", name)
    assert "\x1b" not in done.stdout
    assert "\\x1b" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), 0),
        (("--fail-on", "any"), 1),
        (("--fail-on", "0.5"), 0),
        (("--fail-on", "0.4"), 1),
        (("--fail-on", "often"), 2),
        (("--fail-on", "1"), 2),
        (("--checker", "builtn"), 2),
        (("--extractor", "rules:x"), 2),
        (("--aggregate", "all"), 2),
        (("--threshold", "2"), 2),
        (("--map", "x=y"), 2),
        (("--no-such-option",), 2),
        (("--response", "x"), 2),
        (("--context", "x"), 2),
    ],
)
def test_exit_codes(cli, tmp_path: Path, arguments: tuple[str, ...], code: int) -> None:
    done = cli("check", write(tmp_path / "a.jsonl", TRUE, FALSE), *arguments)
    assert done.returncode == code, done.stderr
    assert (done.stderr == "") is (code == 0)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_gate_does_not_pass_on_nothing(invoke, tmp_path: Path, content: str) -> None:
    (tmp_path / "a.jsonl").write_text(content)
    (tmp_path / "a.csv").write_text("id,response,context\n" + content)
    for name in ("a.jsonl", "a.csv"):
        done = invoke("check", name, "--fail-on", "0.5")
        assert done.returncode == 3
        assert "--fail-on: no response was judged" in done.stderr
        assert "--allow-empty" in done.stderr
        assert invoke("check", name, "--fail-on", "0.5", "--allow-empty").returncode == 0
        assert invoke("check", name).returncode == 0


def test_a_gate_counts_responses_with_claims_only(invoke, tmp_path: Path) -> None:
    blank, refusal = {"response": "", "context": ["x y."]}, {"response": "I cannot answer that.", "context": ["x y."]}
    name = write(tmp_path / "a.jsonl", blank, refusal)
    done = invoke("check", name, "--fail-on", "any")
    assert done.returncode == 3
    assert "--fail-on: no response was judged (2 without a claim)" in done.stderr
    assert invoke("check", name, "--fail-on", "any", "--allow-empty").returncode == 0
    done = invoke("check", write(tmp_path / "b.jsonl", blank, refusal, FALSE), "--fail-on", "0.5")
    assert done.returncode == 1
    assert "--fail-on: 1 of 1 response with claims (100%) inconsistent, limit 50%" in done.stderr


def test_a_flag_counts_although_another_claim_has_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    claims = tuple(Claim.whole("t", text, Span(0, 1)) for text in ("One.", "Two."))
    wrong = Judgement(claims[0].id, Label.CONTRADICTION, 1.0, flagged=True)
    failed = Judgement.failed(claims[1].id, ItemError("check", "no answer"))
    example = Example("1", "d", "One. Two.", (Passage.of("c"),))
    summary = Summary()
    summary.add(Result(0, example, claims, (wrong, failed), error=ItemError("check", "1 of 2 claims")))
    assert _gate(summary, 0.0, allow_empty=False) == 1
    assert "1 of 1 response (100%) inconsistent" in capsys.readouterr().err


def test_a_gate_says_what_it_found_although_a_record_failed(invoke, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", FALSE, {"response": 3, "context": "c"})
    done = invoke("check", name, "--fail-on", "any")
    assert done.returncode == 3
    assert "--fail-on: 1 of 1 response (100%) inconsistent" in done.stderr
    assert invoke("check", name, "--fail-on", "any", "--allow-errors").returncode == 1
    done = invoke("check", write(tmp_path / "b.jsonl", {"response": 3}), "--fail-on", "any", "--allow-errors")
    assert done.returncode == 3
    assert "no response was judged, see the errors" in done.stderr
    assert invoke("check", "b.jsonl", "--fail-on", "any", "--allow-errors", "--allow-empty").returncode == 3


def test_a_gate_needs_a_threshold_that_can_be_exceeded(invoke, tmp_path: Path) -> None:
    done = invoke("check", write(tmp_path / "a.jsonl", FALSE), "--fail-on", "any", "--threshold", "1")
    assert done.returncode == 2
    assert "no probability is above the threshold 1" in done.stderr


def test_a_gate_that_fails_says_so(invoke, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", TRUE, FALSE, FALSE | {"id": "2"})
    done = invoke("check", name, "--fail-on", "0.1")
    assert done.returncode == 1
    assert "--fail-on: 2 of 3 responses (67%) inconsistent, limit 10%" in done.stderr


def test_columns_are_mapped_by_their_path(invoke, tmp_path: Path) -> None:
    record = {"outputs": {"answer": FALSE["response"]}, "a.b": CONTEXT}
    name = write(tmp_path / "a.jsonl", record)
    mapping = ("--map", "response=outputs.answer", "--map", "context=a.b")
    assert invoke("check", name, *mapping, "--fail-on", "any").returncode == 1
    done = invoke("check", name, *mapping, "--map", "response=outputs.nosuch", "--fail-on", "any")
    assert done.returncode == 3
    assert '"outputs.nosuch" is missing' in done.stdout
    done = invoke("check", name, *mapping, "--map", "question=nosuch", "--fail-on", "any")
    assert done.returncode == 1
    assert "--map question=nosuch: some records have no such field" in done.stderr
    older = {"question": "When?", "answer": FALSE["response"], "contexts": [CONTEXT], "ground_truth": "1889"}
    assert invoke("check", write(tmp_path / "b.jsonl", older), "--fail-on", "any").returncode == 1


def test_a_broken_archive_is_named(invoke, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(b"no gzip")
    done = invoke("check", "a.jsonl.gz")
    assert done.returncode == 2
    assert "a.jsonl.gz cannot be read" in done.stderr


@pytest.mark.parametrize(
    "arguments", [("check",), ("check", "none.jsonl"), ("check", "a.txt"), ("check", "--response", "@none")]
)
def test_nothing_to_read(invoke, arguments: tuple[str, ...]) -> None:
    done = invoke(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr


def test_a_bad_record_is_one_result_and_exit_3(invoke, tmp_path: Path) -> None:
    path = write(tmp_path / "answers.jsonl", TRUE, {"id": "x", "response": "r"}, FALSE)
    done = invoke("check", path, "--format", "jsonl")
    assert done.returncode == 3
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [item["n"] for item in results] == [0, 1, 2]
    assert results[1]["error"]["message"] == '"context" is missing'
    assert results[1]["error"]["place"].endswith("answers.jsonl, line 2")
    assert results[1]["error"]["id"] == "x"
    assert invoke("check", path, "--allow-errors").returncode == 0
    assert 'line 2: "context" is missing' in invoke("check", path).stdout
    assert invoke("check", path, "--fail-on", "any").returncode == 3


def test_settings_come_from_the_environment_and_the_folder(cli, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", FALSE)
    assert cli("check", name, "--fail-on", "any", GRAPH_EVAL_THRESHOLD="0.9999").returncode == 0
    (tmp_path / "graph-eval.toml").write_text("threshold = 0.9999\n")
    assert cli("check", name, "--fail-on", "any").returncode == 0
    assert cli("check", name, "--fail-on", "any", "--threshold", "0.5").returncode == 1


def test_extract_then_check_the_run(invoke, tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", TRUE, FALSE)
    done = invoke("extract", name, "-o", "claims")
    assert done.returncode == 0, done.stderr
    assert "tower → was opened in → 1899" in done.stdout
    assert invoke("extract", name, "--format", "jsonl").stdout == (tmp_path / "claims/results.jsonl").read_text()
    done = invoke("check", "claims", "-o", "judged", "--format", "jsonl")
    assert done.returncode == 0, done.stderr
    direct = invoke("check", name, "--format", "jsonl")
    assert done.stdout == direct.stdout
    again = invoke("check", "judged", "--threshold", "1", "--format", "jsonl")
    assert [json.loads(line)["label"] for line in again.stdout.splitlines()] == ["Entailment", "Entailment"]
    assert invoke("check", "judged", "-o", "judged").returncode == 2
    assert invoke("check", "judged", "--extractor", "rules").returncode == 2
    assert invoke("check", "judged", "claims").returncode == 2


def test_extract_reports_bad_records(invoke, tmp_path: Path) -> None:
    assert invoke("extract", write(tmp_path / "a.jsonl", {"id": 1})).returncode == 3


def test_a_run_refuses_another_input(invoke, tmp_path: Path) -> None:
    assert invoke("check", write(tmp_path / "a.jsonl", TRUE), "-o", "run").returncode == 0
    done = invoke("check", write(tmp_path / "a.jsonl", FALSE), "-o", "run")
    assert done.returncode == 2
    assert "input:" in done.stderr


def many(path: Path, count: int) -> Path:
    records = [json.loads(line) for line in EXAMPLES.read_text().splitlines()]
    return write(path, *({**records[n % len(records)], "id": str(n)} for n in range(count)))


def test_killed_anywhere_a_run_ends_with_the_same_bytes(cli, tmp_path: Path) -> None:
    name = many(tmp_path / "many.jsonl", 20)
    arguments = ("check", name, "--chunk", "4", "--format", "jsonl")
    whole = cli(*arguments, "-o", "whole")
    assert whole.returncode == 0, whole.stderr
    expected = (tmp_path / "whole/results.jsonl").read_bytes()
    assert whole.stdout.encode() == expected
    for kills, lines in enumerate((1, 9)):
        process = subprocess.Popen(
            [sys.executable, "-m", "graph_eval", *map(str, arguments), "-o", "killed"],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )
        results = tmp_path / "killed/results.jsonl"
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            if results.exists() and results.read_bytes().count(b"\n") >= lines:
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with results.open("ab") as stream:  # what a torn write would leave behind
            stream.write(b'{"n": 99, "torn'[: 7 + kills])
    done = cli(*arguments, "-o", "killed")
    assert done.returncode == 0, done.stderr
    assert results.read_bytes() == expected
    assert done.stdout.encode() == expected
    assert cli(*arguments, "-o", "killed").stdout.encode() == expected


def test_schema(invoke) -> None:
    found = json.loads(invoke("schema").stdout)
    assert set(found) == {"record", "result"}
    assert "response" in json.loads(invoke("schema", "record").stdout)["properties"]


def test_doctor_tries_the_default_out(cli) -> None:
    done = cli("doctor")
    assert done.returncode == 0, done.stdout
    assert "extractor rules, checker builtin: works" in done.stdout
    assert "optional: pip install" in done.stdout


PLUGIN = """
class Breaks:
    fingerprint, threshold = "breaks-1", 0.5

    def check(self, tasks):
        raise KeyError("x")

def breaks(argument, settings):
    if argument == "at once":
        raise ZeroDivisionError("a bug")
    return Breaks()
"""


def plugin(folder: Path) -> str:
    """A checker of another package that fails; the PYTHONPATH that it needs."""
    (folder / "foreign.py").write_text(PLUGIN)
    information = folder / "foreign-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign\nVersion: 1\n")
    (information / "entry_points.txt").write_text("[graph_eval.checkers]\nbreaks = foreign:breaks\n")
    return os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))


def test_a_part_that_raises_is_an_error_of_its_item_and_debug_shows_where(cli, tmp_path: Path) -> None:
    path = plugin(tmp_path)
    arguments = ("check", write(tmp_path / "a.jsonl", TRUE, FALSE), "--checker", "breaks", "--format", "jsonl")
    done = cli(*arguments, PYTHONPATH=path)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    errors = [json.loads(line)["error"] for line in done.stdout.splitlines()]
    assert [error["id"] for error in errors] == ["true", "false"]
    assert errors[0]["message"] == "KeyError: 'x' (foreign.py, line 6)"
    assert "in check: raise KeyError" in errors[0]["traceback"]
    assert str(tmp_path) not in errors[0]["traceback"]
    shown = cli(*arguments, "--debug", PYTHONPATH=path)
    assert shown.returncode == 3
    assert shown.stdout == done.stdout
    assert shown.stderr.count("Traceback (most recent call last)") >= 2
    assert "check failed for false" in shown.stderr


def test_a_bug_is_one_line_with_its_place_and_never_exit_1(cli, tmp_path: Path) -> None:
    path = plugin(tmp_path)
    arguments = ("check", write(tmp_path / "a.jsonl", TRUE), "--checker", "breaks:at once", "--fail-on", "any")
    done = cli(*arguments, PYTHONPATH=path)
    assert done.returncode == 3
    assert done.stderr.splitlines()[0] == "graph-eval: internal error: ZeroDivisionError: a bug (foreign.py, line 10)"
    assert "Traceback" not in done.stderr
    assert "Traceback" in cli("--debug", *arguments, PYTHONPATH=path).stderr


def test_version_and_unknown_command(cli) -> None:
    assert "graph-eval, version" in cli("--version").stdout
    assert cli("chek").returncode == 2


def test_nothing_is_asked_of_the_network(tmp_path: Path) -> None:
    """Every socket that is no local one raises: the default has to work all the same."""
    code = f"""
import socket
def refuse(*arguments, **options):
    raise AssertionError("a network call")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import graph_eval
result = graph_eval.check({FALSE["response"]!r}, context={CONTEXT!r})
print(result.label, len(result.flagged))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout.split() == ["Contradiction", "1"], done.stderr


def started(tmp_path: Path, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "graph_eval", *map(str, arguments)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )


def test_ctrl_c_ends_with_130_and_without_a_traceback(tmp_path: Path) -> None:
    process = started(tmp_path, "check", many(tmp_path / "many.jsonl", 400), "--chunk", "2", "--format", "jsonl")
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.decode().strip()) == (130, "interrupted")


def test_sigterm_ends_with_143_and_says_how_to_go_on(tmp_path: Path) -> None:
    name = many(tmp_path / "many.jsonl", 400)
    process = started(tmp_path, "check", name, "--chunk", "2", "--format", "jsonl", "-o", "RUN")
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 143
    assert errors.decode().split("\n")[0] == "graph-eval: run the same command again to complete RUN"


def test_a_reader_that_goes_away_ends_the_command_quietly_but_not_as_done(tmp_path: Path) -> None:
    process = started(tmp_path, "check", many(tmp_path / "many.jsonl", 200), "--chunk", "2", "--format", "jsonl")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    process.wait(timeout=120)
    assert process.stderr.read().decode() == ""
    process.stderr.close()
    assert process.returncode == 3


def test_in_a_terminal_flagged_words_are_coloured_and_a_bar_shows_progress(tmp_path: Path) -> None:
    name = write(tmp_path / "a.jsonl", TRUE, FALSE)
    shown = in_a_terminal(tmp_path, "check", name)
    assert "\x1b[4;31mtower was opened in 1899" in shown
    assert "[[" not in shown
    assert "Summary" in shown
    assert "checking" in shown
    bar = in_a_terminal(tmp_path, "check", name, "--format", "csv")
    assert "checking" in bar
    assert "2/2" in bar


def test_a_long_record_shows_how_far_it_is(tmp_path: Path) -> None:
    text = " ".join(f"The tower number {n} was opened in the year {1000 + n}." for n in range(400))
    shown = in_a_terminal(
        tmp_path, "check", write(tmp_path / "a.jsonl", {"response": text, "context": CONTEXT}), "--format", "csv"
    )
    assert "of 400 sentences" in shown
    assert " pairs" in shown
    assert "checking" not in in_a_terminal(tmp_path, "check", write(tmp_path / "b.jsonl", TRUE), "--format", "csv")


def in_a_terminal(tmp_path: Path, *arguments: object) -> str:
    """What a command shows in a pseudo-terminal of 200 columns."""
    import pty

    main, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "graph_eval", *map(str, arguments)],
        cwd=tmp_path,
        stdin=side,
        stdout=side,
        stderr=side,
        env={**os.environ, "PYTHONWARNINGS": "ignore", "COLUMNS": "200", "TERM": "xterm-256color", "NO_COLOR": ""},
    )
    os.close(side)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # the terminal is closed once its last process has ended
            break
        if not part:
            break
        shown += part
    process.wait(timeout=60)
    os.close(main)
    return shown.decode("utf-8")
