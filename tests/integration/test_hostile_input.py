"""The command line with input that it cannot read, output that it cannot write, and Ctrl-C at any moment."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CONTEXT = "The tower was opened in 1889."
RECORD = {"response": CONTEXT, "context": CONTEXT}


def write(path: Path, content: str = json.dumps(RECORD) + "\n") -> Path:
    path.write_text(content)
    return path


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """The message of a command that refuses: one line and a hint."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    message, hint = done.stderr.splitlines()
    assert message.startswith("graph-eval: ")
    assert hint.startswith("  ")
    return done.stderr


# ---- input ----


def test_a_deep_line_is_its_own_error_and_the_run_is_written(invoke, tmp_path: Path) -> None:
    deep = "[" * 300 + "]" * 300
    line = json.dumps(RECORD)
    write(tmp_path / "a.jsonl", f"{line}\n{line[:-1]}, " + f'"x": {deep}' + f"}}\n{line}\n")
    done = invoke("check", "a.jsonl", "-o", "RUN", "--format", "jsonl", "--report", "report.html")
    assert done.returncode == 3, done.stderr
    errors = [json.loads(text)["error"] for text in done.stdout.splitlines()]
    assert [error is None for error in errors] == [True, False, True]
    assert "line 2" in errors[1]["place"]
    assert "--max-depth" in errors[1]["hint"]
    assert invoke("check", "RUN", "--format", "jsonl").returncode == 3


def test_the_option_lifts_the_limit(invoke, tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", json.dumps({**RECORD, "context": [CONTEXT, "x" * 5000]}) + "\n")
    for option, value, enough in (("--max-line", "1KB", "1MB"), ("--max-passage", "4KB", "5KB")):
        done = invoke("check", "a.jsonl", option, value)
        assert done.returncode == 3
        assert option in done.stdout
        assert invoke("check", "a.jsonl", option, enough).returncode == 0
    assert "use a size, for example 50MB" in one_line(invoke("check", "a.jsonl", "--max-line", "much"))


@pytest.mark.parametrize("command", ["check", "extract", "correct"])
def test_records_of_any_format_come_from_standard_input(invoke, command: str) -> None:
    table = f"response;context\n{CONTEXT};{CONTEXT}\n"
    records = {"csv": table, "json": json.dumps([RECORD], indent=1), "jsonl": json.dumps(RECORD)}
    for form, text in records.items():
        done = invoke(command, "-", "--input-format", form, "--format", "jsonl", stdin=text)
        assert done.returncode == 0, done.stderr
        assert CONTEXT in done.stdout
    shown = one_line(invoke(command, "-", stdin=table))
    assert 'standard input is CSV with the columns "response", "context"' in shown
    assert "--input-format csv" in shown


def test_a_table_without_a_header_is_refused_before_anything_is_written(invoke, tmp_path: Path) -> None:
    write(tmp_path / "a.csv", f"{CONTEXT},{CONTEXT}\n")
    assert f'the first line has "{CONTEXT}"' in one_line(invoke("check", "a.csv", "-o", "RUN"))
    assert not (tmp_path / "RUN").exists()


def test_a_name_that_no_file_can_have(invoke) -> None:
    assert "cannot be read" in one_line(invoke("check", "x" * 5000))


def test_one_off_texts_may_have_a_byte_order_mark(invoke, tmp_path: Path) -> None:
    (tmp_path / "context.txt").write_bytes(CONTEXT.encode("utf-16"))
    (tmp_path / "response.txt").write_bytes(CONTEXT.encode("utf-8-sig"))
    done = invoke("check", "--response", "@response.txt", "--context", "@context.txt", "--format", "json")
    (result,) = json.loads(done.stdout)
    assert (result["label"], result["example"]["response"]) == ("Entailment", CONTEXT)
    (tmp_path / "page.pdf").write_bytes(b"%PDF-1.7\n")
    assert "page.pdf is a PDF file" in one_line(invoke("check", "--response", "x", "--context", "@page.pdf"))


# ---- output ----


@pytest.mark.parametrize("option", ["-o", "--report", "--store"])
@pytest.mark.parametrize("place", ["existing", "existing/sub", "/proc/x", "."])
def test_a_place_that_cannot_be_written(invoke, tmp_path: Path, option: str, place: str) -> None:
    if (option, place) in (("--report", "existing"), ("--store", ".")):
        return  # a report replaces a file, and a store names the files that it found
    write(tmp_path / "a.jsonl")
    write(tmp_path / "existing", "mine")
    assert place in one_line(invoke("check", "a.jsonl", option, place))
    assert (tmp_path / "existing").read_text() == "mine"


@pytest.mark.parametrize("place", ["existing/sub", "/proc/x", "."])
def test_files_of_other_commands_that_cannot_be_written(invoke, tmp_path: Path, place: str) -> None:
    write(tmp_path / "a.jsonl")
    write(tmp_path / "items.json", json.dumps([{"response": CONTEXT, "reference": CONTEXT}]))
    write(tmp_path / "existing", "mine")
    assert invoke("extract", "a.jsonl", "-o", "RUN").returncode == 0
    for command in (
        ("report", "RUN", "-o", place),
        ("viz", "RUN", "-o", place),
        ("extract", "a.jsonl", "-o", place),
        ("refchecker", "extract", "--input_path", "items.json", "--output_path", place),
    ):
        assert place in one_line(invoke(*command))


# ---- Ctrl-C ----

INTERRUPTED_AT = """
import os, runpy, signal, sys

left = {at}
def hook(event, arguments, started=[]):
    global left
    if event == "import" and arguments[0] == "graph_eval.cli.main":
        started.append(1)
    if event == "import" and started:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
sys.argv = ["graph-eval", "check", "a.jsonl"]
runpy.run_module("graph_eval", run_name="__main__")
"""


@pytest.mark.parametrize("at", [1, 2, 10, 40, 100, 200, 400, 800, 100_000])
def test_ctrl_c_at_any_import(tmp_path: Path, at: int) -> None:
    write(tmp_path / "a.jsonl")
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT.format(at=at)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == (0 if at == 100_000 else 130), done.stderr
    assert ("interrupted" in done.stderr) is (done.returncode == 130)


STARTED = """
import runpy, sys

def hook(event, arguments):
    if event == "import" and arguments[0] == "graph_eval.cli.main":
        print(flush=True)
sys.addaudithook(hook)
sys.argv = ["graph-eval", "check", "a.jsonl", "--format", "jsonl"]
runpy.run_module("graph_eval", run_name="__main__")
"""


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8])
def test_ctrl_c_after_any_time(tmp_path: Path, delay: float) -> None:
    """From the first line of the command on: what Python does before is not ours."""
    write(tmp_path / "a.jsonl")
    with subprocess.Popen(
        [sys.executable, "-c", STARTED], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    assert "Traceback" not in errors
    assert process.returncode in (0, 130)
