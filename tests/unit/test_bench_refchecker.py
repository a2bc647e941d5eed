"""RefChecker's benchmark: its figures by hand, and by formulas of RefChecker written anew.

The formulas were checked against the scripts themselves (amazon-science/RefChecker at 1df1b25:
`benchmark/evaluation/evaluate.py` and `corr.py`, `refchecker/aggregator.py`) on 301 random data sets: all figures that
both define are equal to 1e-9. Defined otherwise: the rates of models that have answers without claims, the mean
abstention over settings of unequal size, F1 of a class without items (there 0, here none), and ties of the rule
`major`.
"""

import gzip
import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import accuracy_score, f1_score

from graph_eval import metrics
from graph_eval.bench import retrieval
from graph_eval.bench.benchmark import Bench, Row, run
from graph_eval.bench.refchecker import EXTRACTED, GIVEN, PIPELINE, RefChecker, agreement
from graph_eval.checkers.threshold import as_checker
from graph_eval.cli.main import main
from graph_eval.errors import InputError
from graph_eval.registry import create
from graph_eval.reports.leaderboard import leaderboard_page
from graph_eval.settings import Settings
from graph_eval.types import CheckTask, Text

E, N, C = "Entailment", "Neutral", "Contradiction"
SHORT = {"E": E, "N": N, "C": C}

# ---- metrics ----

classes = st.integers(0, 2).map(float)
steps = st.integers(0, 6).map(lambda n: n / 6)
times = st.integers(0, 3)


def repeated(values: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    return np.repeat(values, drawn.astype(int))


def columns(items: Sequence[tuple[float, ...]]) -> list[np.ndarray]:
    return [np.array(column, dtype=float) for column in zip(*items, strict=True)]


@given(st.lists(st.tuples(classes, classes, times), min_size=1, max_size=40))
def test_accuracy_and_f1_equal_scikit_learns(items: list[tuple[float, float, int]]) -> None:
    labels, predicted, drawn = columns(items)
    assume(drawn.sum() > 0)
    both = np.stack([np.ones_like(drawn), drawn])
    accuracies, macros = metrics.accuracy(labels, predicted, both), metrics.macro_f1(labels, predicted, both)
    singles = metrics.f1((labels == 1).astype(float), (predicted == 1).astype(float), both)
    for row, weights in enumerate(both):
        true, found = repeated(labels, weights), repeated(predicted, weights)
        assert accuracies.values[row] == pytest.approx(accuracy_score(true, found), abs=1e-9)
        assert macros.values[row] == pytest.approx(f1_score(true, found, average="macro"), abs=1e-9)
        if (true == 1).any() or (found == 1).any():
            assert singles.values[row] == pytest.approx(f1_score(true == 1, found == 1), abs=1e-9)
        else:
            assert np.isnan(singles.values[row])


@given(st.lists(st.tuples(steps, steps, times), min_size=2, max_size=40))
def test_correlations_equal_scipys(items: list[tuple[float, float, int]]) -> None:
    one, other, drawn = columns(items)
    both = np.stack([np.ones_like(drawn), drawn])
    assume(drawn.sum() > 0)
    ours = metrics.pearson(one, other, both).values, metrics.spearman(one, other, both).values
    for row, weights in enumerate(both):
        first, second = repeated(one, weights), repeated(other, weights)
        if len(set(first)) > 1 and len(set(second)) > 1:
            assert ours[0][row] == pytest.approx(stats.pearsonr(first, second).statistic, abs=1e-9)
            assert ours[1][row] == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-9)
        else:
            assert np.isnan([ours[0][row], ours[1][row]]).all()


@given(st.lists(st.tuples(steps, steps), min_size=2, max_size=9))
def test_the_correlation_of_rankings_equals_scipys(items: list[tuple[float, float]]) -> None:
    one, other = columns(items)
    assume(len(set(one)) > 1 and len(set(other)) > 1)
    missing = np.where(np.arange(len(one)) == 0, np.nan, one)
    found = metrics.rank_correlation(np.stack([one, missing]), np.stack([other, other])).values
    assert found[0] == pytest.approx(stats.spearmanr(one, other).statistic, abs=1e-9)
    assert np.isnan(found[1])


def test_a_figure_without_a_value_in_any_resample_has_no_interval() -> None:
    assert metrics.Sample(np.array([0.5, np.nan, np.nan])).figure() == (0.5, None, None)


# ---- figures by hand ----


def item(route: str, setting: str, n: int, model: str, human: str, verdicts: str) -> Row:
    return {
        "set": f"refchecker-{setting}",
        "route": route,
        "n": n,
        "setting": setting,
        "model": model,
        "human": [SHORT[label] for label in human],
        "verdicts": [{"label": SHORT[label], "p_inconsistent": 0.5} for label in verdicts],
    }


ITEMS = [
    # the paper's example of rates: 3 E, 5 N, 2 C
    item(GIVEN, "noisy", 0, "one", "EEENNNNNCC", "EEEEEEEEEE"),
    item(GIVEN, "noisy", 1, "one", "EE", "EC"),
    item(GIVEN, "noisy", 2, "two", "E", "E"),
    item(GIVEN, "accurate", 0, "one", "EEEE", "EEEN"),
    item(GIVEN, "accurate", 1, "two", "CE", "CE"),
    {"set": "refchecker-accurate", "route": GIVEN, "n": 2, "error": "the checker failed"},
    item(EXTRACTED, "noisy", 0, "one", "EEENNNNNCC", "EN"),
    item(EXTRACTED, "noisy", 1, "one", "EE", ""),
    item(EXTRACTED, "noisy", 2, "two", "E", "EC"),
    item(EXTRACTED, "accurate", 0, "one", "EEEE", "EEEE"),
    item(EXTRACTED, "accurate", 1, "two", "CE", "NC"),
    item(EXTRACTED, "accurate", 2, "two", "EN", "E"),
]


def tables(items: Sequence[Row] = ITEMS) -> dict[str, Sequence[Row]]:
    return {table.name: table.rows for table in RefChecker().tables(items)}


def of(rows: Sequence[Row], **values: str) -> Row:
    (row,) = (row for row in rows if all(row[name] == value for name, value in values.items()))
    return row


def rates(row: Row) -> list[float]:
    return [row[name] for name in ("entailment", "neutral", "contradiction", "abstain")]


def test_rates_are_means_over_answers_and_one_without_claims_abstains() -> None:
    found = tables()
    people = found["rates, people"]
    assert rates(of(people, model="one", setting="noisy")) == [0.65, 0.25, 0.1, 0.0]
    assert rates(of(people, model="one", setting="all")) == [0.7667, 0.1667, 0.0667, 0.0]
    assert rates(of(people, model="two", setting="accurate")) == [0.5, 0.0, 0.5, 0.0]
    checker = found["rates, checker"]
    assert rates(of(checker, model="one", setting="noisy")) == [0.75, 0.0, 0.25, 0.0]
    pipeline = found["rates, extractor and checker"]
    assert rates(of(pipeline, model="one", setting="noisy")) == [0.25, 0.25, 0.0, 0.5]
    assert of(pipeline, model="two", setting="all")["n"] == 3


def test_the_leaderboard_has_fewest_contradicted_claims_first() -> None:
    first, second = tables()["leaderboard"]
    assert (first["rank"], first["model"], first["all: contradicted"]) == (1, "one", 0.0)
    assert (second["rank"], second["model"], second["all: contradicted"]) == (2, "two", 0.3333)
    assert list(first)[3::4] == ["all: entailed", "noisy: entailed", "accurate: entailed"]
    assert first["noisy: abstained"] == 0.5
    assert second["all: entailed"] == 0.5
    # Equal rates share a rank.
    same = [item(EXTRACTED, "noisy", n, model, "E", "E") for n, model in enumerate("abc")]
    assert [row["rank"] for row in tables(same)["leaderboard"]] == [1, 1, 1]
    assert "noisy: entailed" in tables(same)["leaderboard"][0]


def test_the_answers_to_a_question_are_drawn_together() -> None:
    alone = [item(EXTRACTED, "noisy", n, "m", "EN"[n % 2], "EN"[n % 3 == 0]) for n in range(60)]
    together = [one | {"source": f"question {one['n'] // 30}"} for one in alone]
    separate, grouped = (agreement(items, PIPELINE)["accuracy"] for items in (alone, together))
    assert separate.values[0] == grouped.values[0]
    assert len(set(grouped.values[1:])) <= 3, "two questions: both, or one of them twice"
    assert len(set(separate.values[1:])) > 10


def test_the_rule_strict_takes_the_worst_label() -> None:
    strict = tables()["strict"]
    people = of(strict, model="one", setting="all", **{"judged by": "people"})
    assert rates(people) == [0.6667, 0.0, 0.3333, 0.0]
    assert rates(of(strict, model="one", setting="noisy", **{"judged by": "extractor and checker"})) == [0, 0.5, 0, 0.5]


def test_ranks_and_their_correlation() -> None:
    found = tables()
    row = of(found["ranking"], model="one", setting="all")
    assert (row["contradicted: people"], row["entailed: people"]) == (1, 1)
    row = of(found["ranking"], model="one", setting="noisy")
    assert [row[f"contradicted: {judge}"] for judge in ("people", "checker", "extractor and checker")] == [2, 2, 1]
    correlations = found["rank_correlation"]
    checker = of(correlations, setting="noisy", **{"judged by": "checker"})
    assert (checker["contradicted"]["value"], checker["entailed"]["value"]) == (1.0, 1.0)
    pipeline = of(correlations, setting="noisy", **{"judged by": "extractor and checker"})
    assert (pipeline["contradicted"]["value"], pipeline["entailed"]["value"]) == (-1.0, 1.0)
    # The answer that the checker failed on is in neither ranking of a pair.
    assert of(correlations, setting="accurate", **{"judged by": "extractor and checker"})["n"] == 2


def test_agreement_on_triplets() -> None:
    row = of(tables()["triplets"], setting="all")
    assert (row["triplets"], row["answers"], row["errors"]) == (19, 5, 1)
    assert row["entailed by people"] == round(11 / 19, 4)
    assert row["accuracy"]["value"] == round(10 / 19, 4)
    assert row["accuracy, two classes"]["value"] == round(10 / 19, 4)
    # E: 9 in both, 11 by people, 16 by the checker. N: none of 5 and 1. C: 1 of 3 and 2.
    assert row["macro_f1"]["value"] == round((2 * 9 / 27 + 0 + 2 * 1 / 5) / 3, 4)
    assert of(tables()["triplets"], setting="noisy")["errors"] == 0


def test_agreement_on_answers() -> None:
    found = tables()["answers"]
    row = of(found, setting="all", **{"judged by": "extractor and checker"})
    # People: factual 1, 2, 3 of six (noisy 1, noisy 2, accurate 0). Pipeline: noisy 1 (no claims), accurate 0, 2.
    assert (row["n"], row["errors"]) == (6, 0)
    assert row["factual by people"] == 0.5
    assert row["accuracy"]["value"] == round(4 / 6, 4)
    assert row["fact_f1"]["value"] == round(2 * 2 / 6, 4)
    assert row["nonfact_f1"]["value"] == round(2 * 2 / 6, 4)
    shares = [0.7, 0, 0, 0, 0.5, 0.5], [0.5, 0, 0.5, 0, 1, 0]
    assert row["pearson"]["value"] == round(stats.pearsonr(*shares).statistic, 4)
    assert row["spearman"]["value"] == round(stats.spearmanr(*shares).statistic, 4)
    assert row["pearson"]["low"] <= row["pearson"]["value"] <= row["pearson"]["high"]


def test_an_answer_without_triplets_of_people_is_no_part_of_the_agreement() -> None:
    more = [*ITEMS, item(GIVEN, "noisy", 3, "two", "", ""), item(EXTRACTED, "noisy", 3, "two", "", "E")]
    before, after = tables(), tables(more)
    assert after["answers"] == before["answers"]
    assert after["triplets"] == before["triplets"]
    assert rates(of(after["rates, people"], model="two", setting="noisy")) == [0.5, 0, 0, 0.5]


answers = st.tuples(st.text("ENC", min_size=1, max_size=5), st.text("ENC", max_size=5))


@given(st.lists(answers, min_size=2, max_size=25))
def test_agreement_on_answers_equals_refcheckers_formulas(made: list[tuple[str, str]]) -> None:
    """Factual: every label is Entailment, also without labels. The rate is 0 without claims."""
    items = [item(EXTRACTED, "noisy", n, "m", *labels) for n, labels in enumerate(made)]
    found = agreement(items, PIPELINE)
    factual = [[set(labels) <= {"E"} for labels in side] for side in zip(*made, strict=True)]
    shares = [
        [1 - labels.count("E") / len(labels) if labels else 0 for labels in side] for side in zip(*made, strict=True)
    ]
    expected = {
        "accuracy": accuracy_score(*factual),
        "fact_f1": f1_score(*factual, pos_label=True) if any(map(any, factual)) else None,
        "nonfact_f1": f1_score(*factual, pos_label=False) if not all(map(all, factual)) else None,
        "pearson": None,
        "spearman": None,
    }
    if all(len(set(side)) > 1 for side in shares):
        expected["pearson"] = stats.pearsonr(*shares).statistic
        expected["spearman"] = stats.spearmanr(*shares).statistic
    for name, value in expected.items():
        got = found[name].values[0]
        assert np.isnan(got) if value is None else got == pytest.approx(value, abs=1e-9), name


# ---- the whole benchmark ----

PASSAGES = ["The tower was opened in 1889.", "The tower is 330 metres high."]
ROWS = [
    ("noisy_context", "model-a", "q1", ["tower", "was opened in", "1889"], E, "The tower was opened in 1889."),
    ("noisy_context", "model-a", "q2", ["tower", "was opened in", "1899"], C, "The tower was opened in 1899."),
    ("noisy_context", "model-a", "q2", ["tower", "is", "330 metres high"], E, "The tower was opened in 1899."),
    ("accurate_context", "model-a", "q3", ["lamp", "is", "red"], N, "I'm sorry, but I cannot find this."),
    ("accurate_context", "<b>&|x", "q3", ["tower", "is", "330 metres high"], E, "The tower is 330 metres high."),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data/refchecker/claims_dev.jsonl.gz"
    path.parent.mkdir(parents=True)
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        for place, (setting, model, name, triplet, label, response) in enumerate(ROWS):
            row = {
                "setting": setting, "llm": model, "id": name, "claim_index": place, "question": "What of the tower?",
                "response": response, "reference": PASSAGES, "triplet": triplet, "human_label": label,
            }  # fmt: skip
            stream.write(json.dumps(row) + "\n")
    return tmp_path / "data"


def test_triplets_are_judged_as_the_checker_judges_them_alone(data: Path) -> None:
    work = next(RefChecker(("noisy",)).work(Bench(Settings(), data)))
    for result in work.source.results():
        sentences = [claim.sentence.of(result.example.response) for claim in result.claims]
        assert sentences == [claim.text for claim in result.claims] == result.example.response.split("\n")
    value = run(RefChecker(("noisy",)), Bench(Settings(), data))
    mine = [one for one in value["items"] if one["route"] == GIVEN]
    assert [(one["id"], one["model"], one["setting"], one["human"], one["label"]) for one in mine] == [
        ("noisy_context/model-a/q1", "model-a", "noisy", [E], 0),
        ("noisy_context/model-a/q2", "model-a", "noisy", [C, E], 1),
    ]
    claims = list(retrieval.read(data))
    checker = as_checker(create("checker", "builtin", Settings()))
    alone = [
        checker.check([CheckTask(Text("", one.claim.text, one.question), (one.claim,), one.passages)])[0][0]
        for one in claims
    ]
    verdicts = [verdict for one in mine for verdict in one["verdicts"]]
    assert verdicts == [{"label": str(one.label), "p_inconsistent": one.p_inconsistent} for one in alone]
    assert value["plans"][GIVEN]["stages"] == ["check"]
    assert value["plans"][EXTRACTED]["stages"] == ["extract", "check"]
    assert set(value["data"]) == {"refchecker-noisy"}


def test_it_continues_where_it_stopped_with_the_same_figures(data: Path, tmp_path: Path) -> None:
    begun: list[str] = []

    def interrupted(results, _total, name):
        begun.append(name)
        if len(begun) == 3:
            raise KeyboardInterrupt
        return results

    runs = tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        run(RefChecker(), Bench(Settings(), data, runs=runs, track=interrupted))
    resumed, fresh = run(RefChecker(), Bench(Settings(), data, runs=runs)), run(RefChecker(), Bench(Settings(), data))
    del resumed["seconds"], fresh["seconds"]
    assert resumed == fresh
    assert sorted(path.name for path in runs.iterdir()) == [
        f"refchecker-{setting}-{route}" for setting in ("accurate", "noisy") for route in (EXTRACTED, GIVEN)
    ]
    # The figures are those of the items in the file.
    again = {table.name: table.rows for table in RefChecker().tables(json.loads(json.dumps(fresh["items"])))}
    assert {table["name"]: table["rows"] for table in fresh["tables"]} == again
    abstained = of(fresh["tables"][3]["rows"], model="model-a", setting="accurate")
    assert rates(abstained) == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("benchmark", "message"),
    [(RefChecker(("zero",)), "no answers of zero"), (RefChecker((), ("model-z",)), "no answers of model-z")],
    ids=["setting", "model"],
)
def test_what_the_data_lacks_is_named(data: Path, benchmark: RefChecker, message: str) -> None:
    with pytest.raises(InputError, match=message) as problem:
        run(benchmark, Bench(Settings(), data))
    assert problem.value.hint == "the data has the settings noisy, accurate and the models <b>&|x, model-a"


def test_the_command_writes_the_leaderboard(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["bench", "refchecker", "--data", str(data), "--setting", "accurate", "-o", str(tmp_path / "out.json")]
    for name in ("board.md", "board.html"):
        assert main([*command, "--leaderboard", str(tmp_path / name)]) == 0
    assert "Agreement with people on answers" in capsys.readouterr().out
    lines = (tmp_path / "board.md").read_text().splitlines()
    assert lines[2].startswith("| rank | model | n | accurate: entailed |")
    assert [line.count("|") for line in lines if line.startswith("|")] == [8, 8, 9, 8]  # one of them is escaped
    page = (tmp_path / "board.html").read_text()
    assert "&lt;b&gt;&amp;|x" in page
    assert "<b>&" not in page
    assert not re.search(r"<script|(?:src|href)=\"(?!data:,)", page)
    assert main([*command, "--model", "model-a"]) == 2  # another input than that of the runs beside the output
    assert "another input" in capsys.readouterr().err
    assert main([*command, "--leaderboard", str(tmp_path / "board.txt")]) == 2
    assert "FILE.md or FILE.html" in capsys.readouterr().err


OWN = [
    {"model": "one", "setting": "noisy", "response": "The museum opens at 9 am."},
    {"model": "two", "setting": "noisy", "response": "The museum opens at 11 am."},
    {"model": "one", "setting": "zero", "response": "Tickets cost 12 euros."},
    {"model": "two", "setting": "zero", "response": "I do not know."},
    {"model": "", "setting": "zero", "response": "Tickets cost 12 euros."},
]


def test_own_answers_have_a_leaderboard_without_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    context = ["The museum opens at 9 am. Tickets cost 12 euros."]
    answers = tmp_path / "answers.jsonl"
    records = [{"id": str(n), "context": context, "human": 7, **answer} for n, answer in enumerate(OWN)]
    answers.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    command = ["bench", "refchecker", str(answers)]
    assert main([*command, "-o", str(tmp_path / "out.json"), "--leaderboard", str(tmp_path / "board.md")]) == 3
    assert '4: "model" is missing' in capsys.readouterr().err
    value = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert [table["name"] for table in value["tables"]] == [
        "leaderboard",
        "rates, extractor and checker",
        "strict",
        "ranking",
    ]
    first, second = value["tables"][0]["rows"]
    assert (first["model"], first["all: entailed"], first["all: abstained"]) == ("one", 1.0, 0.0)
    assert (second["model"], second["noisy: entailed"], second["zero: abstained"]) == ("two", 0.0, 1.0)
    assert "| 1 | one | 2 | 1.000 |" in (tmp_path / "board.md").read_text("utf-8")
    # A run that has verdicts gives the same figures, without judging again.
    assert main(["check", str(answers), "-o", str(tmp_path / "run"), "--allow-errors"]) in (0, 1)
    assert main(["bench", "refchecker", str(tmp_path / "run"), "-o", str(tmp_path / "again.json")]) == 3
    again = json.loads((tmp_path / "again.json").read_text("utf-8"))
    assert again["tables"] == value["tables"]
    assert (again["fingerprints"], again["settings"]["checker"]) == (value["fingerprints"], "builtin")
    # A run with claims alone is judged.
    assert main(["extract", str(answers), "-o", str(tmp_path / "claims"), "--allow-errors"]) == 0
    assert main(["bench", "refchecker", str(tmp_path / "claims"), "-o", str(tmp_path / "judged.json")]) == 3
    judged = json.loads((tmp_path / "judged.json").read_text("utf-8"))
    assert (judged["tables"], judged["fingerprints"]) == (value["tables"], value["fingerprints"])
    (tmp_path / "empty.jsonl").write_text("", "utf-8")
    capsys.readouterr()
    for more, message in (
        (["--data", str(tmp_path)], "INPUT and --data cannot be combined"),
        (["--setting", "zero"], "INPUT and --setting cannot be combined"),
        (["--model", "one"], "INPUT and --model cannot be combined"),
    ):
        assert main([*command, *more]) == 2
        assert message in capsys.readouterr().err
    assert main(["bench", "refchecker", str(tmp_path / "run"), "--checker", "builtin"]) == 2
    assert "has verdicts already" in capsys.readouterr().err
    assert main(["bench", "refchecker", str(tmp_path / "run"), "--extractor", "sentences"]) == 2
    assert "omit --extractor" in capsys.readouterr().err
    assert main(["bench", "refchecker", str(tmp_path / "empty.jsonl")]) == 2
    assert "has no answers" in capsys.readouterr().err


def test_the_page_groups_the_columns_of_a_setting() -> None:
    headings = ["rank", "model", "all: entailed", "all: neutral", "noisy: entailed"]
    page = leaderboard_page("Leaderboard", headings, [["1", "m", "0.9", "0.1", "0.8"]], "note <i>", {"checker": "<x>"})
    assert re.findall(r'<th colspan="(\d)" scope="colgroup" class="group">(\w+)</th>', page) == [
        ("2", "all"),
        ("1", "noisy"),
    ]
    assert re.findall(r'<th scope="col">(\w+)</th>', page) == ["rank", "model", "entailed", "neutral", "entailed"]
    assert '<th scope="row">m</th>' in page
    assert "note &lt;i&gt;" in page
    assert "checker <b>&lt;x&gt;</b>" in page
