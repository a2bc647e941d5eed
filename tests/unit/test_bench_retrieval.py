"""The benchmark of retrieval: the claims that it reads, its figures, and its measurements of a large corpus."""

import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_eval.bench import record, retrieval, retrieval_scale
from graph_eval.bench.benchmark import Bench, run
from graph_eval.bench.retrieval import FORMS, ROUTES, Found, Retrieval, places, ranked, read, recall, statistics
from graph_eval.bench.retrieval_scale import RetrievalScale, corpus_of, queries_of
from graph_eval.checkers.checker import Checker
from graph_eval.cli.main import main
from graph_eval.errors import InputError
from graph_eval.metrics import group_weights, mean
from graph_eval.pipeline import GraphEval
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.settings import Settings
from graph_eval.types import CheckTask, Evidence, ItemError, Judgement, Label, Passage, Scores, Span

TOPICS = {
    "How high is the tower of Orsa?": ("The tower of Orsa is 38 metres high.", "Orsa has a tower of red stone."),
    "When do trains leave for Mora?": ("Trains leave for Mora at nine.", "The station of Mora has two tracks."),
    "What do cats of Lima eat?": ("Cats of Lima eat fish.", "A cat of Lima sleeps by day."),
}
CLAIMS = {
    "How high is the tower of Orsa?": [("tower of Orsa", "is", "38 metres high"), ("tower of Orsa", "is", "of wood")],
    "When do trains leave for Mora?": [("Trains", "leave for Mora", "at nine")],
    "What do cats of Lima eat?": [("Cats of Lima", "eat", "fish"), ("Cats of Lima", "eat", "corn")],
}
WRONG = {"of wood": "Contradiction", "corn": "Neutral"}


def rows() -> list[dict[str, Any]]:
    """One model's claims, then another's on the first question alone."""
    made = [
        {
            "setting": "noisy_context",
            "llm": llm,
            "id": str(number),
            "claim_index": index,
            "question": question,
            "response": "not read",
            "reference": list(TOPICS[question]),
            "triplet": list(triplet),
            "human_label": WRONG.get(triplet[2], "Entailment"),
        }
        for llm, questions in (("a", list(TOPICS)), ("b", list(TOPICS)[:1]))
        for number, question in enumerate(questions)
        for index, triplet in enumerate(CLAIMS[question])
    ]
    return [{**made[0], "setting": "accurate_context", "reference": ["Another text."]}, *made]


def folder(path: Path, made: Sequence[dict[str, Any]] | None = None) -> Path:
    target = path / "refchecker"
    target.mkdir(parents=True)
    with gzip.open(target / "claims_dev.jsonl.gz", "wt", encoding="utf8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in (rows() if made is None else made))
    return path


class Listed(Retriever):
    """Finds what it was told to find for each text."""

    fingerprint = "listed-1"

    def __init__(self, found: dict[str, Sequence[str]], broken: str = "") -> None:
        self.found, self.broken = found, broken
        self.asked: list[Query] = []

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage] | ItemError]:
        self.asked += queries
        return [
            ItemError("ground", "no answer")
            if query.text == self.broken
            else list(map(Passage.of, self.found[query.text]))[:k]
            for query in queries
        ]


class Verbatim(Checker):
    """Flags a claim unless one of its passages is its sentence. `stop`: the call that Ctrl-C interrupts."""

    fingerprint = "verbatim-1"
    threshold = 0.5

    def __init__(self, broken: str = "", stop: int = 0) -> None:
        self.broken, self.stop = broken, stop
        self.asked: list[CheckTask] = []
        self.calls = 0

    def check(self, tasks: Sequence[CheckTask]) -> list[list[Judgement]]:
        self.calls += 1
        if self.calls == self.stop:
            raise KeyboardInterrupt
        self.asked += tasks
        if any(self.broken and self.broken in task.text.text for task in tasks):
            raise ValueError("no")
        return [[self._judge(task.claims[0].id, task.text.text, task.passages)] for task in tasks]

    def _judge(self, name: str, text: str, passages: Sequence[Passage]) -> Judgement:
        for passage in passages:
            if passage.text == text:
                evidence = (Evidence(passage.id, Span(0, len(text)), Scores(1.0, 0.0, 0.0)),)
                return Judgement(name, Label.ENTAILMENT, 0.1, flagged=False, evidence=evidence)
        return Judgement(name, Label.NEUTRAL, 0.9, flagged=True)


def test_claims_of_the_noisy_setting_are_read_with_their_passages(tmp_path: Path) -> None:
    claims = list(read(folder(tmp_path)))
    assert [item.label for item in claims] == [0, 1, 0, 0, 1, 0, 1]
    assert [item.id for item in claims] == ["a/0/0", "a/0/1", "a/1/0", "a/2/0", "a/2/1", "b/0/0", "b/0/1"]
    assert claims[0].claim.text == "Tower of Orsa is 38 metres high."
    for item in claims:
        assert tuple(passage.text for passage in item.passages) == TOPICS[item.question]


def test_a_limit_keeps_all_claims_of_the_first_questions(tmp_path: Path) -> None:
    """The file goes from model to model: later ones have claims of these questions too."""
    assert [item.id for item in read(folder(tmp_path), 1)] == ["a/0/0", "a/0/1", "b/0/0", "b/0/1"]


def test_another_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        list(read(tmp_path))
    for column, value in {"human_label": "Wrong", "triplet": ["x", "y"], "reference": [1]}.items():
        with pytest.raises(InputError, match=f'line 1: "{column}" is .*, expected'):
            list(read(folder(tmp_path / column, [rows()[1] | {column: value}])))
    with pytest.raises(InputError, match="no claim of the setting"):
        list(read(folder(tmp_path / "d", rows()[:1])))


def test_recall_counts_the_passages_of_the_same_question(tmp_path: Path) -> None:
    claims = list(read(folder(tmp_path)))[:3]
    tower, train = TOPICS["How high is the tower of Orsa?"], TOPICS["When do trains leave for Mora?"]
    found = [
        [Passage.of(text) for text in texts]
        for texts in ((tower[0], train[0]), (*train, *(f"other {n}" for n in range(3)), tower[1]), ())
    ]
    located = places(claims, found)
    assert located == [(1, 1), (6, 0), (None, 0)]
    row = recall(located, np.ones((2, 3)))
    assert [row[f"recall@{depth}"]["value"] for depth in (1, 5, 20)] == [0.3333, 0.3333, 0.6667]
    assert row["precision@5"]["value"] == pytest.approx(1 / 15, abs=1e-4)


def test_the_mean_is_weighted_by_the_draws() -> None:
    found = mean(np.array([1.0, 0.0, 0.0]), np.array([[1.0, 1.0, 1.0], [2.0, 0.0, 2.0], [0.0, 0.0, 0.0]]))
    assert found.values[:2].tolist() == [1 / 3, 0.5]
    assert np.isnan(found.values[2])


def test_a_query_is_asked_once_and_several_are_fused() -> None:
    retriever = Listed({"x": ["p", "q", "r"], "y": ["q", "s"]})
    one, both = ranked(retriever, [[Query("x")], [Query("x"), Query("y")]], 3, 60)
    assert [passage.text for passage in one] == ["p", "q", "r"]
    assert [passage.text for passage in both] == ["q", "p", "s"]  # 1/60 + 1/61, 1/60, 1/61
    assert retriever.asked == [Query("x"), Query("y")]
    with pytest.raises(InputError, match="no answer"):
        ranked(Listed({"x": []}, broken="y"), [[Query("x")], [Query("y")]], 3, 60)


def test_the_forms_of_queries(tmp_path: Path) -> None:
    item = next(iter(read(folder(tmp_path))))
    asked = {name: [query.text for query in form(item.claim, item.question)] for name, form in FORMS.items()}
    assert list(asked.values()) == [
        ["How high is the tower of Orsa?"],
        ["How high is the tower of Orsa? tower of Orsa is metres high"],
        ["tower of Orsa is metres high"],
        ["Tower of Orsa is 38 metres high."],
        ["Tower of Orsa is 38 metres high.", "tower of Orsa 38 metres high", "How high is the tower of Orsa?"],
    ]


def bench_with(data: Path, checker: Checker, chunk: int = 32, runs: Path | None = None) -> Bench:
    bench = Bench(Settings(chunk=chunk), data, runs=runs)
    bench.ge = GraphEval(checker=checker, settings=bench.settings)
    return bench


def judged(
    data: Path, found: Sequence[Sequence[str]], checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> dict[tuple[str, int | None, str], Any]:
    """The rows of the verdicts, where every search finds `found` for the claims, in order."""
    rankings = [tuple(map(Passage.of, texts)) for texts in found]
    monkeypatch.setattr(retrieval, "ranked", lambda *_: rankings)
    value = run(Retrieval(), bench_with(data, checker))
    return {
        (row["passages"], row["k"], row["by"]): row
        | {"scores": [item.get("p_inconsistent") for item in value["items"] if item["route"] == route_of(row)]}
        for row in value["tables"][1]["rows"]
    }


def route_of(row: dict[str, Any]) -> str:
    return "given" if row["k"] is None else f"{row['passages']}, {row['k']} passages of a {row['by']}"


def test_verdicts_on_what_was_found_beside_those_on_the_given_passages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found: for one claim no passage that states it, for another of the same response that passage."""
    train, cat = "Trains leave for Mora at nine.", "Cats of Lima eat fish."
    tower = "Tower of Orsa is 38 metres high."
    made = rows()
    for row in made:
        if row["id"] == "0":
            row["reference"] = [tower]
    data = folder(tmp_path / "data", made)
    found = [["x"], [tower], ["x", train], [cat], ["x"], [tower], ["x"]]
    rows_by = judged(data, found, Verbatim(), monkeypatch)
    given, five = rows_by["given", None, "claim"], rows_by["hybrid", 5, "claim"]
    assert (given["auc"]["value"], given["accuracy"]["value"]) == (1.0, 1.0)
    assert five["scores"] == [0.9, 0.9, 0.1, 0.1, 0.9, 0.1, 0.9]
    assert five["accuracy"]["value"] == pytest.approx(6 / 7, abs=1e-4)
    assert five["auc"]["value"] == pytest.approx(10.5 / 12, abs=1e-4)  # 4 consistent, 3 inconsistent, 3 ties
    assert five["auc_above_given"]["value"] == pytest.approx(10.5 / 12 - 1, abs=1e-4)
    assert five["deciding"]["value"] == 0.75
    assert rows_by["bm25", 5, "claim"]["scores"] == five["scores"]
    assert rows_by["hybrid", 1, "claim"]["scores"][2] == 0.9, "the passage is the second"
    assert rows_by["hybrid", 5, "response"]["scores"] == given["scores"], "another claim of the response found it"


def test_a_claim_that_cannot_be_judged_is_undecided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [["Cats of Lima eat fish."]] * 7
    rows_by = judged(folder(tmp_path), found, Verbatim(broken="wood"), monkeypatch)
    row = rows_by["given", None, "claim"]
    assert row["errors"] == 2
    assert row["scores"] == [0.9, None, 0.1, 0.1, 0.9, 0.9, None]  # labels 0 1 0 0 1 0 1
    assert row["auc"]["value"] == pytest.approx((2 + 2 + 3) / 12, abs=1e-4)  # of the inconsistent ones: 0.5, 0.5, 0.9
    assert row["accuracy"]["value"] == pytest.approx(3 / 7, abs=1e-4)


def test_a_claim_for_which_nothing_was_found_is_judged_without_passages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checker = Verbatim()
    row = judged(folder(tmp_path), [()] * 7, checker, monkeypatch)["bm25", 5, "claim"]
    assert (row["errors"], row["scores"]) == (0, [0.9] * 7)
    assert sum(not task.passages for task in checker.asked) == 7 * (len(ROUTES) - 1)
    monkeypatch.setattr(retrieval, "ranked", lambda *_: [()] * 7)
    value = run(Retrieval(), Bench(data=tmp_path))  # the built-in checker
    rows = value["tables"][1]["rows"]
    assert [row["errors"] for row in rows] == [0] * len(ROUTES)
    assert rows[1]["accuracy"]["value"] == pytest.approx(3 / 7, abs=1e-4), "all are flagged"


def test_a_claim_is_judged_as_the_checker_judges_it_alone(tmp_path: Path) -> None:
    """With its question, on the passages of the route."""
    checker, data = Verbatim(), folder(tmp_path)
    run(Retrieval(), bench_with(data, checker))
    claims = list(read(data))
    assert len(checker.asked) == len(claims) * len(ROUTES)
    for item, task in zip(claims, checker.asked, strict=False):
        assert (task.text.question, task.passages) == (item.question, item.passages)
        (claim,) = task.claims
        assert (claim.text_id, claim.text, claim.slots) == (task.text.id, item.claim.text, item.claim.slots)
        assert claim.sentence.of(task.text.text) == claim.text


def test_it_continues_where_it_stopped_with_the_same_figures(tmp_path: Path) -> None:
    data, runs = folder(tmp_path / "data"), tmp_path / "runs"
    whole, stopped, rest = Verbatim(), Verbatim(stop=8), Verbatim()
    fresh = run(Retrieval(), bench_with(data, whole, 3))
    assert whole.calls == 3 * len(ROUTES)  # chunks of three, three and one claims
    with pytest.raises(KeyboardInterrupt):
        run(Retrieval(), bench_with(data, stopped, 3, runs))
    resumed = run(Retrieval(), bench_with(data, rest, 3, runs))
    assert stopped.asked + rest.asked == whole.asked, "nothing is judged twice"
    assert rest.calls == whole.calls - 7
    assert set(resumed.pop("seconds")) == set(fresh.pop("seconds")) == {f"refchecker, {route.name}" for route in ROUTES}
    assert resumed == fresh
    assert sorted(path.name for path in runs.iterdir()) == sorted(f"refchecker-{route.name}" for route in ROUTES)
    again = Verbatim(stop=1)
    assert run(Retrieval(), bench_with(data, again, 3, runs))["items"] == fresh["items"]
    assert again.calls == 0
    # The figures are those of the items in the file.
    items = json.loads(json.dumps(fresh["items"]))
    assert [asdict(table) for table in Retrieval().tables(items)] == fresh["tables"]


def test_the_command_prints_and_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "r.json"
    arguments = ["bench", "retrieval", "--data", str(folder(tmp_path / "data")), "-o", str(file)]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    value = json.loads(file.read_text("utf8"))
    counts = {name: value[name] for name in ("questions", "claims", "inconsistent", "passages")}
    assert counts == {"questions": 3, "claims": 7, "inconsistent": 3, "passages": 6}
    recalls, judgements = (table["rows"] for table in value["tables"])
    assert [(row["retriever"], row["query"]) for row in recalls] == [
        (name, form) for name in ("bm25", "dense", "hybrid") for form in FORMS
    ]
    assert recalls[0]["recall@1"]["value"] == 1.0
    assert set(value["retrievers"]) == {"bm25", "dense", "hybrid"}
    assert value["fingerprints"]["checker"]
    assert record.read(file)["tables"] == value["tables"]
    # Every figure is made of the items of the file.
    drawn = group_weights([item.question for item in read(tmp_path / "data")])
    searches = [item for item in value["items"] if item["route"] == "search"]
    for row in recalls:
        name = f"{row['retriever']}, {row['query']}"
        again = recall([Found(item["ranks"][name], item["right"][name]) for item in searches], drawn)
        assert again == {column: row[column] for column in again}
    for row in judgements:
        items = [item for item in value["items"] if item["route"] == route_of(row)]
        assert len(items) == 7
        for metric, sample in statistics(items, drawn).items():
            assert sample.figure()._asdict() == row[metric]
    assert value["machine"]["cores"]
    assert shown.count("hybrid") == 5 + 6
    assert main(["bench", "retrieval"]) == 2
    assert "missing --data" in capsys.readouterr().err


# ---- a large corpus ----


def large(path: Path) -> Path:
    """A data folder with further passages, of which one is too short and one stands twice."""
    data = folder(path)
    long = " ".join(f"word{n}" for n in range(40))
    (data / "nli").mkdir()
    with gzip.open(data / "nli" / "mix.jsonl.gz", "wt", encoding="utf8") as stream:
        for text in ("Too short.", *(f"Passage {n} {long}." for n in (1, 2, 1, 3, 4))):
            stream.write(json.dumps({"p": text, "h": f"not read {long}"}) + "\n")
    return data


def test_the_corpus_has_distinct_passages_those_of_the_questions_first(tmp_path: Path) -> None:
    data = large(tmp_path)
    claims = list(read(data))
    texts = list(corpus_of(data, claims, 9))
    assert texts[:6] == [text for topic in TOPICS.values() for text in topic]
    assert [text.split()[:2] for text in texts[6:]] == [["Passage", "1"], ["Passage", "2"], ["Passage", "3"]]
    with pytest.raises(InputError, match="has only 10 passages"):
        list(corpus_of(data, claims, 11))


def test_queries_are_distinct_and_spread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claims = list(read(folder(tmp_path)))
    assert len(queries_of(claims)) == len({item["text"] for item in queries_of(claims)}) < len(claims)
    monkeypatch.setattr(retrieval_scale, "QUERIES", 2)
    assert len(queries_of(claims)) == 2
    assert queries_of(claims)[0]["right"] == [passage.id for passage in claims[0].passages]


def test_scale_measures_processes_of_their_own_and_kills_one(tmp_path: Path) -> None:
    value = run(RetrievalScale(10, ("bm25", "dense")), Bench(data=large(tmp_path)))
    assert value["passages"] == 10
    assert value["words"] > 4 * 40
    (table,) = value["tables"]
    assert [row["retriever"] for row in table["rows"]] == ["bm25", "dense"]
    for row in table["rows"]:
        assert row["recall"] == 1.0
        assert row["size_mb"] > 0
        assert row["answering_peak_mb"] > 20
        assert 0 < row["median_ms"] <= row["p95_ms"]
        assert row["cpu_ms"] > 0, row
    assert value["killed"]["killed"]
    assert value["killed"]["same_answers"]


def test_a_process_that_fails_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a process ended with 1: .*unknown retriever 'bm26'"):
        run(RetrievalScale(10, ("bm26",)), Bench(data=large(tmp_path)))


def peak_of(code: str) -> float:
    """The peak memory of a Python process that runs this code."""
    code = f"from graph_eval.machine import peak_memory; {code}; print(peak_memory())"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def test_peak_memory_is_that_of_the_process_alone() -> None:
    block = np.ones(2**26)  # 512 MiB, which a process that is started now does not have
    assert peak_of("pass") < 400
    assert peak_of("b'1' * 2**29") > 500
    del block
