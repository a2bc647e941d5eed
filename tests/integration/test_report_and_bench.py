"""Looking and measuring from the command line, on real runs."""

import gzip
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "responses.jsonl"
LAST = "museum of Orsa"  # words of the last example


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over the examples."""
    path = tmp_path_factory.mktemp("runs") / "RUN"
    command = [sys.executable, "-m", "graph_eval", "check", str(EXAMPLES), "-o", str(path), "--format", "jsonl"]
    subprocess.run(command, check=True, capture_output=True)
    return path


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    """A copy of that run, without pages."""
    path = tmp_path / "COPY"
    path.mkdir()
    for name in ("run.json", "results.jsonl"):
        (path / name).write_bytes((run / name).read_bytes())
    return path


def pages_of(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf8") for path in folder.glob("*.html")}


def test_report_writes_the_drawing_beside_it(invoke, copy: Path) -> None:
    done = invoke("report", copy)
    assert (done.returncode, done.stdout) == (0, f"{copy / 'report.html'}\n{copy / 'graph.html'}\n"), done.stderr
    pages = pages_of(copy)
    assert set(pages) == {"report.html", "graph.html"}
    for text in pages.values():
        assert "Skerra lighthouse" in text
        assert "threshold <b>0.5</b>" in text


def test_the_drawing_is_named_like_its_report(invoke, copy: Path, tmp_path: Path) -> None:
    done = invoke("report", copy, "-o", "answers.html")
    assert (done.returncode, done.stdout) == (0, "answers.html\nanswers-graph.html\n"), done.stderr
    assert set(pages_of(tmp_path)) == {"answers.html", "answers-graph.html"}
    assert not pages_of(copy)


def test_a_report_without_a_drawing(cli, copy: Path) -> None:
    done = cli("report", copy, "--no-drawing")
    assert (done.returncode, done.stdout) == (0, f"{copy / 'report.html'}\n"), done.stderr
    assert set(pages_of(copy)) == {"report.html"}
    piped = cli("report", copy, "-o", "/dev/stdout")
    assert piped.returncode == 0, piped.stderr
    assert piped.stdout.endswith("</html>")
    assert not Path("/dev/stdout-graph.html").exists()


def test_a_report_to_a_redirected_stdout_is_the_whole_file(copy: Path, tmp_path: Path) -> None:
    with (tmp_path / "page.html").open("wb") as stream:
        command = [sys.executable, "-m", "graph_eval", "report", str(copy), "-o", "/dev/stdout"]
        done = subprocess.run(command, stdout=stream, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0, done.stderr
    assert Path("/dev/stdout").is_symlink()
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>")


def test_viz_writes_one_file_beside_the_run(invoke, copy: Path) -> None:
    done = invoke("viz", copy)
    assert (done.returncode, done.stdout) == (0, f"{copy / 'graph.html'}\n"), done.stderr
    assert set(pages_of(copy)) == {"graph.html"}


@pytest.fixture
def opened(cli, tmp_path: Path) -> Callable[..., tuple[str, list[str]]]:
    """What `open` prints, and the addresses that its browser was started with."""
    log = tmp_path / "opened.txt"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {shlex.quote(str(log))}\n')
    browser.chmod(0o755)

    def run_open(*arguments: str | Path) -> tuple[str, list[str]]:
        log.unlink(missing_ok=True)
        done = cli("open", *arguments, BROWSER=str(browser))
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout, log.read_text("utf8").splitlines()

    return run_open


def test_open_starts_the_browser(opened, copy: Path) -> None:
    assert opened(copy) == (f"{copy / 'report.html'}\n", [(copy / "report.html").as_uri()])
    assert set(pages_of(copy)) == {"report.html", "graph.html"}
    assert opened(copy, "--drawing") == (f"{copy / 'graph.html'}\n", [(copy / "graph.html").as_uri()])


def test_open_writes_pages_that_are_missing_or_old_only(opened, copy: Path) -> None:
    report, drawing, results = copy / "report.html", copy / "graph.html", copy / "results.jsonl"
    opened(copy)
    report.write_text("my own")
    opened(copy)
    assert report.read_text() == "my own"
    drawing.unlink()
    opened(copy)
    assert drawing.is_file()
    assert report.read_text("utf8") != "my own"
    report.write_text("my own")
    later = report.stat().st_mtime_ns + 1
    os.utime(results, ns=(later, later))
    opened(copy)
    assert report.read_text("utf8") != "my own"


@pytest.mark.parametrize("command", ["report", "viz", "open"])
def test_open_never_takes_pages_of_some_responses_for_the_whole_run(opened, cli, copy: Path, command: str) -> None:
    opened(copy)
    assert all(LAST in text for text in pages_of(copy).values())
    if command == "open":
        opened(copy, "--limit", "2")
    else:
        assert cli(command, copy, "--limit", "2").returncode == 0
    assert not all(LAST in text for text in pages_of(copy).values())
    opened(copy)
    assert all(LAST in text for text in pages_of(copy).values())


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS always has a browser")
def test_open_without_a_browser_prints_the_path(cli, copy: Path) -> None:
    nowhere = dict.fromkeys(("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"), "")
    for environment in (nowhere, nowhere | {"BROWSER": "/no/such/browser"}):
        done = cli("open", copy, **environment)
        assert (done.returncode, done.stdout) == (0, f"{copy / 'report.html'}\n")
        assert done.stderr == "graph-eval: no browser was found\n"


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS always has a browser")
def test_open_starts_no_text_browser_unasked(cli, copy: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "lynx").write_text(f"#!/bin/sh\necho > {shlex.quote(str(tmp_path / 'started'))}\n")
    (folder / "lynx").chmod(0o755)
    terminal = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "TERM": "xterm", "PATH": str(folder)}
    assert cli("open", copy, BROWSER="", **terminal).stderr == "graph-eval: no browser was found\n"
    assert not (tmp_path / "started").exists()
    assert cli("open", copy, BROWSER="lynx", **terminal).stderr == ""
    assert (tmp_path / "started").exists()


def test_viz_draws_several_runs_in_one_file(invoke, run: Path, copy: Path, tmp_path: Path) -> None:
    done = invoke("viz", run, "--also", copy, "-o", "both.html")
    assert done.returncode == 0, done.stderr
    assert f'"runs":["{run.name}","{copy.name}"]' in (tmp_path / "both.html").read_text("utf8")
    refused = invoke("viz", run, "--also", copy, "-o", "both.json")
    assert refused.returncode == 2
    assert "--also needs an HTML file" in refused.stderr
    assert invoke("viz", run, "--also", tmp_path / "nothing").returncode == 2


def test_viz_draws_several_runs_of_an_embedded_store(invoke, run: Path, tmp_path: Path) -> None:
    assert invoke("load", run, "--store", "kg").returncode == 0
    assert invoke("check", run, "--threshold", "0.3", "--store", "kg", "--format", "jsonl").returncode == 0
    listed = invoke("query", "runs", "--store", "kg", "--format", "jsonl").stdout
    first, second = (json.loads(line)["id"] for line in listed.splitlines())
    done = invoke("viz", "--store", "kg", "--run-id", first, "--also", second, "-o", "both.html")
    assert done.returncode == 0, done.stderr
    assert f'"runs":["run {first}","run {second}"]' in (tmp_path / "both.html").read_text("utf8")


def test_viz_links_the_report_beside_it(invoke, copy: Path) -> None:
    assert 'id="report"' not in (invoke("viz", copy), (copy / "graph.html").read_text("utf8"))[1]
    assert invoke("report", copy).returncode == 0
    assert invoke("viz", copy).returncode == 0
    assert 'href="./report.html"' in (copy / "graph.html").read_text("utf8")


def test_viz_writes_graph_formats(invoke, run: Path, tmp_path: Path) -> None:
    assert invoke("viz", run, "-o", "g.graphml", "--limit", "1").returncode == 0
    assert "Skerra lighthouse" in (tmp_path / "g.graphml").read_text("utf8")
    assert invoke("viz", run, "-o", "g.json").returncode == 0
    assert json.loads((tmp_path / "g.json").read_text("utf8"))["multigraph"] is True
    done = invoke("viz", run, "-o", "g.png")
    assert (done.returncode, done.stdout) == (2, "")
    assert "g.png: unsupported file type '.png'" in done.stderr


@pytest.mark.parametrize("command", ["report", "viz", "open"])
def test_what_is_no_run_is_refused(invoke, command: str, tmp_path: Path) -> None:
    done = invoke(command, tmp_path)
    assert done.returncode == 2
    assert "is not a run directory" in done.stderr
    assert "graph-eval check" in done.stderr


def test_an_interrupted_run_can_be_looked_at(invoke, run: Path, tmp_path: Path) -> None:
    torn = tmp_path / "TORN"
    torn.mkdir()
    (torn / "run.json").write_bytes((run / "run.json").read_bytes())
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    (torn / "results.jsonl").write_bytes(b"".join(lines[:3]) + lines[3][:50])
    done = invoke("report", torn)
    assert done.returncode == 0, done.stderr
    assert (torn / "report.html").read_text("utf8").count('{"n":') == 3


def test_check_writes_a_report_too(invoke, tmp_path: Path) -> None:
    done = invoke(
        "check",
        "--response",
        "It was built in 1899.",
        "--context",
        "It was built in 1889.",
        "--report",
        "r.html",
        "--fail-on",
        "any",
    )
    assert done.returncode == 1
    assert "one response" in (tmp_path / "r.html").read_text("utf8")
    done = invoke("check", "--response", "It is red.", "--context", "It is blue.", "--report", "no/r.html")
    assert done.returncode == 2
    assert "no/r.html cannot be written" in done.stderr


def printed(stdout: str) -> dict[str, list[str]]:
    """The lines of each table by its title, which stands alone before it."""
    blocks = [block.splitlines() for block in stdout.split("\n\n")]
    return {block[0]: block[1:] for block in blocks}


def test_bench_table2_prints_and_keeps_the_items(invoke, tmp_path: Path) -> None:
    done = invoke("bench", "table2", EXAMPLES, "-o", "t.json")
    assert done.returncode == 0, done.stderr
    value = json.loads((tmp_path / "t.json").read_text("utf8"))
    tables = printed(done.stdout)
    assert list(tables) == [table["title"] for table in value["tables"]]
    routes = ["response", "sentences", "subsentences", "triplets", "both"]
    assert [line.split()[1] for line in tables[value["tables"][0]["title"]][1:]] == routes
    assert [row["route"] for row in value["tables"][0]["rows"]] == routes
    assert len(value["items"]) == 14 * len(routes)
    assert (tmp_path / "t.runs" / "responses-triplets" / "results.jsonl").is_file()
    again = invoke("bench", "table2", EXAMPLES, "-o", "t.json")
    assert again.stdout == done.stdout
    assert json.loads((tmp_path / "t.json").read_text("utf8")) == value
    other = invoke("bench", "table2", EXAMPLES, "-o", "t.json", "--threshold", "0.4")
    assert other.returncode == 2
    assert "settings.threshold: 0.5 in RUN, 0.4 in this command" in other.stderr


def test_bench_speed_reports_stages_and_the_bare_session(invoke, tmp_path: Path) -> None:
    done = invoke("bench", "speed", EXAMPLES, "-o", "s.json", "--repeats", "1", "--limit", "6")
    assert done.returncode == 0, done.stderr
    value = json.loads((tmp_path / "s.json").read_text("utf8"))
    ((row,),) = (table["rows"] for table in value["tables"])
    assert row["responses"] == value["responses"] == 6
    assert row["responses_per_second"] > 0
    assert set(value["stage_seconds"]) == {"read", "extract", "judge", "score", "write"}
    for name, seconds in value["stage_seconds"].items():
        assert row[f"seconds_to_{name}"] == seconds
    assert row["pairs"] > 5
    assert row["share_of_bare_session"] > 0
    assert row["peak_memory_mb"] > 50
    shown = dict(line.rsplit(maxsplit=1) for line in done.stdout.splitlines()[1:-1])
    assert shown["responses"] == "6"


def published(folder: Path) -> Path:
    """A data folder with two records of every published file, in their form but with texts of ours."""
    rows = [
        {"id": f"{n}", "context": "The lamp is blue.", "response": "The lamp is blue.", "label": n} for n in range(2)
    ]
    triplet = {
        "setting": "noisy_context", "llm": "m", "id": "1", "claim_index": 0, "question": "What is blue?",
        "response": "The lamp is blue. Ada painted it.", "reference": ["x"], "triplet": ["lamp", "is", "blue"],
        "human_label": "Entailment",
    }  # fmt: skip
    for name, records in {
        "qags/qags_cnndm": rows,
        "qags/qags_xsum": rows,
        "summeval/summeval": rows,
        "wikibio_gpt3/wikibio_passages": rows,
        "refchecker/claims_dev": [triplet],
    }.items():
        path = folder / f"{name}.jsonl.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(path, "wt", encoding="utf8") as stream:
            stream.writelines(json.dumps(record) + "\n" for record in records)
    return folder


def test_bench_reads_the_published_sets_from_a_folder(invoke, tmp_path: Path) -> None:
    data = published(tmp_path / "data")
    done = invoke("bench", "table2", "--data", data, "--route", "triplets", "--limit", "1")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == ["SummEval", "QAGS-CNN/DM", "QAGS-XSum"]
    asked = ("bench", "extraction", "--data", data, "--limit", "9", "-o", "e.json")
    done = invoke(*asked)
    assert done.returncode == 0, done.stderr
    value = json.loads((tmp_path / "e.json").read_text("utf8"))
    agreement, coverage = (table["rows"] for table in value["tables"])
    assert [(row["model"], row["R@0.5"]) for row in agreement] == [("all", 1.0), ("m", 1.0)]
    (item,) = [item for item in value["items"] if item["set"] == "refchecker"]
    assert (item["id"], item["reference"], item["claims"]) == ("noisy_context/m/1", 1, 2)
    assert item["found@0.5"] == item["right@0.5"] == item["found@0.7"] == item["right@0.7"] == 1
    assert [row["set"] for row in coverage] == ["refchecker", "qags-c", "qags-x", "summeval", "wikibio", "all"]
    assert [row["responses"] for row in coverage] == [1, 2, 2, 2, 2, 9]
    assert coverage[-1]["coverage"] == coverage[0]["coverage"] == 1.0
    assert coverage[-1]["violations"] == coverage[-1]["sentences_without_a_claim"] == 0
    again = invoke(*asked)
    assert again.returncode == 0, again.stderr
    assert json.loads((tmp_path / "e.json").read_text("utf8")) == value
    assert (tmp_path / "e.runs" / "refchecker-claims" / "results.jsonl").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("table2",), "missing input"),
        (("table2", "x.jsonl", "--data", "."), "INPUT and --data cannot be combined"),
        (("table2", "--data", ".", "--set", "qag"), "unknown set 'qag'"),
        (("table2", "--data", "."), "does not exist"),
        (("extraction",), "missing --data"),
        (("speed", "--data", ".", "--set", "factcc", "--set", "wice"), "does not exist"),
    ],
)
def test_bench_says_what_is_wrong(invoke, arguments: tuple[str, ...], message: str) -> None:
    done = invoke("bench", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
