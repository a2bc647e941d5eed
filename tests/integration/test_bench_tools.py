"""The commands that read benchmark files and runs, as a user runs them."""

import gzip
import json
from pathlib import Path

import pytest

from tests.conftest import Cli

RECORDS = Path(__file__).parents[2] / "examples" / "responses.jsonl"


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of table 2 with two routes."""
    from graph_eval.bench import benchmark, record
    from graph_eval.bench.benchmark import Bench
    from graph_eval.bench.table2 import Table2
    from graph_eval.formats.labelled import labelled_files
    from graph_eval.settings import Settings

    path = tmp_path_factory.mktemp("bench") / "table2.json"
    bench = Bench(Settings(), labelled=[labelled_files([str(RECORDS)], [])])
    record.write(benchmark.run(Table2(("response", "triplets")), bench), path)
    return path


def test_a_comparison_is_printed_and_written_and_fits_a_summary(invoke: Cli, benchmark: Path, tmp_path: Path) -> None:
    done = invoke("bench", "compare", benchmark, benchmark, "--route", "response=triplets", "-o", "compared.json")
    assert done.returncode == 0, done.stderr
    assert "B minus A" in done.stdout
    value = json.loads((tmp_path / "compared.json").read_text("utf8"))
    gain = json.loads(benchmark.read_text("utf8"))["tables"][0]["rows"][1]["gain"]
    (row,) = next(table["rows"] for table in value["tables"] if table["name"] == "balanced_accuracy")
    assert row["B minus A"] == gain  # table 2 measures the same difference
    done = invoke("bench", "summary", benchmark, "compared.json", "-o", "summary.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "summary.html").read_text("utf8")
    assert page.count("<h2>") == 2
    assert page.count("<figure>") == 6


def test_plots_are_written_as_png_and_svg(invoke: Cli, benchmark: Path, tmp_path: Path) -> None:
    done = invoke("bench", "plot", benchmark, "-o", "plots")
    assert done.returncode == 0, done.stderr
    written = [tmp_path / line for line in done.stdout.split()]
    assert len(written) == 12
    for path in written:
        start = path.read_bytes()[:8]
        assert start == b"\x89PNG\r\n\x1a\n" if path.suffix == ".png" else start.startswith(b"<?xml")


def test_errors_name_the_file_and_the_way_out(invoke: Cli, benchmark: Path, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"benchmark": "x", "items": []}', "utf8")
    for arguments, message in (
        (("compare", benchmark, "x.json"), "is of benchmark table2"),
        (("compare", benchmark, benchmark, "--route", "triplets"), "is not A=B"),
        (("compare", benchmark, "no.json"), "no.json cannot be read"),
        (("plot", "x.json", "-o", "plots"), "x.json: nothing to plot"),
        (("plot", benchmark, "-o", "x.json/plots"), "x.json"),
        (("agreement", "no", "other"), "no is neither a run directory nor a file of labels"),
    ):
        done = invoke("bench", *arguments, NEO4J_URI="")
        assert done.returncode == 2, arguments
        assert message in done.stderr
        assert "Traceback" not in done.stderr


def test_agreement_of_a_run_and_persons(invoke: Cli, tmp_path: Path) -> None:
    assert invoke("check", RECORDS, "-o", "run", "--store", "kg").returncode == 0
    exported = invoke("label", "export", "--store", "kg", "--name", "anna").stdout.splitlines()
    rows = [json.loads(line) for line in exported]
    for name, label in (("anna", "Entailment"), ("ben", "Neutral")):
        labels = [row | {"label": label} for row in rows[: 10 if name == "anna" else 5]]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels), "utf8")
        assert invoke("label", "import", f"{name}.jsonl", "--store", "kg", "--name", name).returncode == 0
    done = invoke("bench", "agreement", "anna", "ben", "--store", "kg", "--merged", "merged.jsonl", "-o", "a.json")
    assert done.returncode == 0, done.stderr
    claims, agreement, _, merged = (table["rows"] for table in json.loads((tmp_path / "a.json").read_text())["tables"])
    assert [(row["labelled"], row["share"]) for row in claims] == [(10, 0.5), (5, 1.0), (10, 0.5)]
    assert [row["agreement"]["value"] for row in agreement] == [0.0, 0.0]
    assert [(row["label"], row["claims"]) for row in merged] == [("Entailment", 5), ("Neutral", 5)]
    assert invoke("label", "import", "merged.jsonl", "--store", "kg", "--name", "both").returncode == 0
    for pair in (("run", "anna.jsonl"), ("run", "both")):
        done = invoke("bench", "agreement", *pair, "--store", "kg")
        assert done.returncode == 0, done.stderr
        assert "kappa" in done.stdout


def test_rouge_of_a_corrected_summary_is_that_of_rouge_score(invoke: Cli, tmp_path: Path) -> None:
    """Of the original (the target) and the corrected text (the prediction), F1, without stems."""
    from rouge_score.rouge_scorer import RougeScorer

    from graph_eval import GraphEval

    context = "The tower in Ulm was opened in 1889. It is 120 metres high."
    wrong = "The tower in Ulm was opened in 1899. It is 120 metres high."
    folder = tmp_path / "data" / "qags"
    folder.mkdir(parents=True)
    with gzip.open(folder / "qags_xsum.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.write(json.dumps({"id": "a", "context": context, "response": wrong, "label": 1}) + "\n")
    done = invoke("bench", "graphcorrect", "--data", "data", "--set", "qags-x", "--limit", "9", "-o", "x.json")
    assert done.returncode == 0, done.stderr
    ge = GraphEval()
    corrected = ge.correct(ge.check(wrong, context=context)).revision.final_text
    assert corrected == context
    expected = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False).score(wrong, corrected)
    items = json.loads((tmp_path / "x.json").read_text("utf8"))["items"]
    (item,) = [item for item in items if "rouge1" in item]
    assert {name: item[name] for name in expected} == pytest.approx(
        {name: score.fmeasure for name, score in expected.items()}, abs=5.1e-5
    )
    assert item["rouge2"] < item["rouge1"] < 1


@pytest.mark.parametrize("name", ["table1", "table2", "flags", "speed"])
def test_a_benchmark_of_own_records_runs(invoke: Cli, name: str) -> None:
    done = invoke("bench", name, RECORDS, "--limit", "4")
    assert done.returncode == 0, done.stderr
    assert "responses" in done.stdout


def test_failed_records_are_named_and_the_exit_code_says_so(invoke: Cli, tmp_path: Path) -> None:
    records = [
        {"id": f"{n}", "response": "The door is red.", "context": "The door is red.", "label": n} for n in (0, 2)
    ]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf8")
    done = invoke("bench", "table1", "own.jsonl")
    assert done.returncode == 3
    assert 'own.jsonl, line 2: "label" is 2' in done.stderr
    assert "1 item failed" in done.stderr


def test_another_column_of_the_label_is_never_replaced_by_the_usual_one(invoke: Cli, tmp_path: Path) -> None:
    record = {"id": "a", "response": "The door is red.", "context": "The door is red.", "label": 0}
    (tmp_path / "own.jsonl").write_text(json.dumps(record) + "\n", "utf8")
    done = invoke("bench", "table1", "own.jsonl", "--map", "label=hallucinated")
    assert done.returncode == 3
    assert '"label" is missing' in done.stderr


def test_an_extractor_that_is_a_route_is_refused(invoke: Cli) -> None:
    done = invoke("bench", "table2", RECORDS, "--extractor", "sentences", "--limit", "2")
    assert done.returncode == 2
    assert "use --route sentences" in done.stderr


def test_bench_all_names_what_it_cannot_do_before_it_begins(invoke: Cli, tmp_path: Path) -> None:
    for arguments, message in (
        (("--data", "missing"), "is not a folder"),
        (("--data", ".", "--only", "table1", "--page", "p.md"), "omit --only and --limit"),
        (("--data", ".", "--only", "table3"), "unknown benchmark 'table3'"),
    ):
        done = invoke("bench", "all", *arguments, "-o", "out")
        assert done.returncode == 2
        assert message in done.stderr
    done = invoke("bench", "all", "--data", ".", "--only", "table1", "-o", "out")
    assert done.returncode == 3
    assert "not run: " in done.stdout
    assert not (tmp_path / "p.md").exists()
