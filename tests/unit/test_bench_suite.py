"""All benchmarks together: what ran, what did not, what is kept, and the page of the figures."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from graph_eval.bench.benchmark import Bench, Benchmark, Measurement, Table
from graph_eval.bench.page import BEGIN, END, content, inserted, page
from graph_eval.bench.suite import Entry, Outcome, entries, run_suite
from graph_eval.errors import InputError, UsageError
from graph_eval.pipeline import GraphEval

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "benchmarks.md"
HOSTILE = "a|b <script>alert(1)</script> [x](javascript:y) `z`"


@dataclass(frozen=True)
class Counted(Benchmark):
    """Counts how often it was measured."""

    name = "counted"
    title = "Counted"
    calls: tuple[list[int], ...] = ([],)
    problem: str = ""

    def measure(self, bench: Bench) -> Measurement:
        self.calls[0].append(1)
        if self.problem:
            raise InputError(self.problem, "get it")
        rows = [{"name": HOSTILE, "value": {"value": 0.5, "low": 0.25, "high": 0.75}, "hidden": 1}]
        return Measurement([Table("t", "A table", rows, ("name", "value"))], [{"limit": bench.limit}])


@dataclass(frozen=True)
class Named(Counted):
    def __repr__(self) -> str:
        return "Named()"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "set.jsonl").write_text("{}\n")
    return folder


def run(benchmark: Benchmark, bench: Bench, folder: Path) -> list[Outcome]:
    return list(run_suite([Entry("one", "one", benchmark, 10)], bench, folder))


def test_a_benchmark_is_measured_again_only_if_something_changed(data: Path, tmp_path: Path) -> None:
    calls: list[int] = []
    benchmark = Named((calls,))
    out = tmp_path / "out"
    out.mkdir()
    (first,) = run(benchmark, Bench(data=data), out)
    (second,) = run(benchmark, Bench(data=data), out)
    assert len(calls) == 1
    assert json.loads(json.dumps(first.value)) == second.value == json.loads((out / "one.json").read_text())
    run(benchmark, Bench(data=data, limit=3), out)
    assert len(calls) == 2
    (data / "set.jsonl").write_text("{} \n")
    run(benchmark, Bench(data=data, limit=3), out)
    assert len(calls) == 3
    (out / "one.json").write_text("{ damaged")
    run(benchmark, Bench(data=data, limit=3), out)
    assert len(calls) == 4


def test_what_cannot_run_is_named_and_the_others_go_on(data: Path, tmp_path: Path) -> None:
    told: list[str] = []
    chosen = [
        Entry("bad", "bad", Counted(([],), "the set is missing"), 60),
        Entry("good", "good", Counted(([],)), 60),
    ]
    bad, good = run_suite(chosen, Bench(data=data), tmp_path, told.append)
    assert bad.value is None
    assert "not run: the set is missing" in bad.problem
    assert good.value
    assert told[0] == "1 of 2: bad"
    assert "the set is missing" in told[1]
    assert "min left" in told[1]
    assert told[-1].endswith("All are done.")
    written = page(content([bad, good]))
    assert "was not run: the set is missing" in written


def test_the_page_shows_the_printed_columns_and_no_markup_of_the_data(data: Path, tmp_path: Path) -> None:
    shown = content(run(Counted(([],)), Bench(data=data), tmp_path))
    written = page(shown)
    assert page(json.loads(json.dumps(shown))) == written
    (line,) = [line for line in written.splitlines() if "alert" in line]
    assert line == (
        "| a\\|b &lt;script&gt;alert(1)&lt;/script&gt; [x]\\(javascript:y) \\`z\\` | 0.500 [0.250, 0.750] |"
    )
    assert "hidden" not in json.dumps(shown)


def test_a_section_of_an_earlier_version_of_a_part_says_so(data: Path, tmp_path: Path) -> None:
    (outcome,) = run(Counted(([],)), Bench(data=data), tmp_path)
    (section,) = content([outcome])["benchmarks"]
    shown = {
        "benchmarks": [
            section | {"name": name, "fingerprints": {"extractor": extractor, "checker": checker}}
            for name, extractor, checker in (
                ("flags", "rules-2:a", "builtin-2"),
                ("same", "rules-2:a", "builtin-2"),
                ("whole", "whole-1", "builtin-2"),
                ("older", "rules-1:a", "builtin-1"),
            )
        ]
    }
    sections = page(shown).split("\n## ")
    said = [name.splitlines()[0] for name in sections if "Measured with another version of" in name]
    assert said == ["older"]
    assert "Measured with another version of: checker, extractor. `flags` has the one to compare with." in page(shown)


def test_the_table_of_checkers_stands_between_its_marks() -> None:
    table = {
        "name": "which_checker",
        "title": "Which",
        "rows": [{"checker": "builtin", "found": 0.5}],
        "columns": None,
        "signed": [],
        "across": False,
        "note": "",
    }
    shown = {"benchmarks": [{"name": "flags", "command": "c", "settings": {}, "tables": [table]}]}
    text = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    renewed = inserted(text, shown)
    assert renewed == f"before\n{BEGIN}\n\n| checker | found |\n|---|---:|\n| builtin | 0.500 |\n\n{END}\nafter\n"
    assert inserted(renewed, shown) == renewed
    with pytest.raises(UsageError, match="lacks the lines"):
        inserted("nothing", shown)
    with pytest.raises(UsageError, match="was not measured"):
        inserted(text, {"benchmarks": []})


def stored() -> dict:
    return json.loads(DOCUMENT.with_suffix(".json").read_text("utf8"))


def test_the_page_of_benchmarks_is_that_of_its_figures() -> None:
    assert DOCUMENT.read_text("utf8") == page(stored()), "write it again: make bench"


def test_the_figures_in_the_documentation_are_those_of_today_s_parts() -> None:
    plan = GraphEval().plan("extract", "check", "correct")
    by_name = {entry["name"]: entry for entry in stored()["benchmarks"]}
    assert list(by_name) == [entry.name for entry in entries()], "a benchmark is new or gone: make bench"
    for name in ("table2", "flags", "refchecker", "correction-summedits"):
        for part, fingerprint in by_name[name]["fingerprints"].items():
            if name == "table2" and part == "extractor":
                continue  # that of the whole response, the first route
            assert fingerprint == plan.fingerprints[part], f"{name}: another {part}; measure again: make bench"


def test_the_readme_has_the_table_of_checkers() -> None:
    text = (ROOT / "README.md").read_text("utf8")
    assert inserted(text, stored()) == text, "write it again: make bench"
