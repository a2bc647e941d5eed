"""Looking and measuring from the command line, on real runs."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "responses.jsonl"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over the examples."""
    path = tmp_path_factory.mktemp("runs") / "RUN"
    command = [sys.executable, "-m", "graph_eval", "check", str(EXAMPLES), "-o", str(path), "--format", "jsonl"]
    subprocess.run(command, check=True, capture_output=True)
    return path


def test_report_and_viz_write_one_file_beside_the_run(cli, run: Path) -> None:
    for command, name in (("report", "report.html"), ("viz", "graph.html")):
        done = cli(command, run)
        assert (done.returncode, done.stdout) == (0, f"{run / name}\n"), done.stderr
        text = (run / name).read_text("utf8")
        assert "Skerra lighthouse" in text
        assert "threshold <b>0.5</b>" in text


def test_viz_writes_graph_formats(cli, run: Path, tmp_path: Path) -> None:
    assert cli("viz", run, "-o", "g.graphml", "--limit", "1").returncode == 0
    assert "Skerra lighthouse" in (tmp_path / "g.graphml").read_text("utf8")
    assert cli("viz", run, "-o", "g.json").returncode == 0
    assert json.loads((tmp_path / "g.json").read_text("utf8"))["multigraph"] is True
    done = cli("viz", run, "-o", "g.png")
    assert (done.returncode, done.stdout) == (2, "")
    assert "g.png: unsupported file type '.png'" in done.stderr


@pytest.mark.parametrize("command", ["report", "viz"])
def test_what_is_no_run_is_refused(cli, command: str, tmp_path: Path) -> None:
    done = cli(command, tmp_path)
    assert done.returncode == 2
    assert "is not a run directory" in done.stderr
    assert "graph-eval check" in done.stderr


def test_an_interrupted_run_can_be_looked_at(cli, run: Path, tmp_path: Path) -> None:
    torn = tmp_path / "TORN"
    torn.mkdir()
    (torn / "run.json").write_bytes((run / "run.json").read_bytes())
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    (torn / "results.jsonl").write_bytes(b"".join(lines[:3]) + lines[3][:50])
    done = cli("report", torn)
    assert done.returncode == 0, done.stderr
    assert (torn / "report.html").read_text("utf8").count('{"n":') == 3


def test_check_writes_a_report_too(cli, tmp_path: Path) -> None:
    done = cli(
        "check", "--response", "It is red.", "--context", "It is blue.", "--report", "r.html", "--fail-on", "any"
    )
    assert done.returncode == 1
    assert "one response" in (tmp_path / "r.html").read_text("utf8")
    done = cli("check", "--response", "It is red.", "--context", "It is blue.", "--report", "no/r.html")
    assert done.returncode == 2
    assert "no/r.html cannot be written" in done.stderr


def test_bench_table2_prints_and_keeps_the_items(cli, tmp_path: Path) -> None:
    done = cli("bench", "table2", EXAMPLES, "-o", "t.json")
    assert done.returncode == 0, done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()[1:]] == ["response", "sentences", "triplets", "both"]
    value = json.loads((tmp_path / "t.json").read_text("utf8"))
    assert len(value["rows"][0]["items"]) == 14
    assert (tmp_path / "t.runs" / "responses-triplets" / "results.jsonl").is_file()
    again = cli("bench", "table2", EXAMPLES, "-o", "t.json")
    assert again.stdout == done.stdout
    other = cli("bench", "table2", EXAMPLES, "-o", "t.json", "--threshold", "0.4")
    assert other.returncode == 2
    assert "settings.threshold: 0.5 in RUN, 0.4 in this command" in other.stderr


def test_bench_speed_reports_stages_and_the_bare_session(cli, tmp_path: Path) -> None:
    done = cli("bench", "speed", EXAMPLES, "-o", "s.json", "--repeats", "1", "--limit", "6")
    assert done.returncode == 0, done.stderr
    value = json.loads((tmp_path / "s.json").read_text("utf8"))
    assert value["n"] == value["responses"] == 6
    assert value["responses_per_second"] > 0
    assert set(value["stage_seconds"]) == {"read", "extract", "judge", "score", "write"}
    assert value["pairs"]["pairs"] > 5
    assert value["pairs"]["share_of_bare_session"] > 0
    assert value["peak_memory_mb"] > 50


def published(folder: Path) -> Path:
    """A data folder with two records of every published file, in their form but with texts of ours."""
    rows = [
        {"id": f"{n}", "context": "The lamp is blue.", "response": "The lamp is blue.", "label": n} for n in range(2)
    ]
    triplet = {
        "setting": "s", "llm": "m", "id": "1", "claim_index": 0, "question": "What is blue?",
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


def test_bench_reads_the_published_sets_from_a_folder(cli, tmp_path: Path) -> None:
    data = published(tmp_path / "data")
    done = cli("bench", "table2", "--data", data, "--route", "triplets", "--limit", "1")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == ["SummEval", "QAGS-CNN/DM", "QAGS-XSum"]
    done = cli("bench", "extraction", "--data", data, "-o", "e.json")
    assert done.returncode == 0, done.stderr
    value = json.loads((tmp_path / "e.json").read_text("utf8"))
    assert value["agreement"][0]["R@0.5"] == 1.0
    (item,) = value["items"]
    assert (item["id"], item["reference"], item["claims"]) == ("s/m/1", 1, 2)
    assert item["found@0.5"] == item["right@0.5"] == item["found@0.7"] == item["right@0.7"] == 1
    assert [row["set"] for row in value["coverage"]] == ["refchecker", "qags-c", "qags-x", "summeval", "wikibio", "all"]
    again = cli("bench", "extraction", "--data", data, "-o", "e.json")
    resumed = json.loads((tmp_path / "e.json").read_text("utf8"))
    assert again.returncode == 0, again.stderr
    assert resumed["items"] == value["items"]
    assert resumed["coverage"][-1]["responses per CPU second"] is None, "nothing was done again"
    assert value["coverage"][-1]["violations"] == value["coverage"][-1]["sentences without a claim"] == 0


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
def test_bench_says_what_is_wrong(cli, arguments: tuple[str, ...], message: str) -> None:
    done = cli("bench", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
