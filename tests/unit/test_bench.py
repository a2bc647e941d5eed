"""The benchmarks' figures are what their items say."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from graph_eval import metrics
from graph_eval.bench import extraction, sets
from graph_eval.bench.benchmark import Bench, Row, run, without_errors
from graph_eval.bench.extraction import Extraction
from graph_eval.bench.table2 import ROUTES, Table2
from graph_eval.errors import InputError
from graph_eval.formats.labelled import Labelled, label, labelled_files

RECORDS = [
    {"id": "a", "response": "The tower was opened in 1889.", "context": "The tower was opened in 1889.", "label": 0},
    {"id": "b", "response": "The tower was opened in 1899.", "context": "The tower was opened in 1889.", "label": 1},
    {
        "id": "c",
        "response": "The lamp is red.",
        "context": "The lamp is blue. The door is red.",
        "label": "inconsistent",
    },
    {"id": "d", "response": "The door is red.", "context": "The lamp is blue. The door is red.", "label": False},
    {
        "id": "e",
        "response": "I'm sorry, but I cannot find this information.",
        "context": "The lamp is blue.",
        "label": "0",
    },
]


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 1.0])), min_size=2, max_size=60))
def test_figures_equal_scikit_learns(items: list[tuple[int, float]]) -> None:
    labels, scores = (np.array(column, dtype=float) for column in zip(*items, strict=True))
    assume(0 < labels.sum() < len(labels))
    once = np.ones((1, len(labels)))
    accuracy = metrics.balanced_accuracy(labels, (scores > 0.5).astype(float), once).values[0]
    assert accuracy == pytest.approx(balanced_accuracy_score(labels, scores > 0.5))
    assert metrics.auc(labels, scores, once).values[0] == pytest.approx(roc_auc_score(labels, scores))


def test_intervals_are_those_of_resampled_items() -> None:
    generator = np.random.default_rng(3)
    labels = (generator.random(200) < 0.4).astype(float)
    scores = np.clip(labels * 0.2 + generator.random(200), 0, 1)
    figure = metrics.auc(labels, scores, metrics.weights(200)).figure()
    found = []
    for _ in range(2000):
        drawn = generator.integers(0, 200, 200)
        found.append(roc_auc_score(labels[drawn], scores[drawn]))
    low, high = np.percentile(found, (2.5, 97.5))
    assert figure.low == pytest.approx(low, abs=0.01)
    assert figure.high == pytest.approx(high, abs=0.01)
    assert figure.low < figure.value < figure.high


def test_without_one_of_the_classes_there_is_no_figure() -> None:
    ones, drawn = np.ones(5), metrics.weights(5)
    assert metrics.auc(ones, ones, drawn).figure() == (None, None, None)
    assert metrics.balanced_accuracy(ones, ones, drawn).figure() == (None, None, None)


def write(path: Path, records: list[dict]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf8")
    return str(path)


def own(folder: Path, records: list[dict] = RECORDS, **options: Any) -> Labelled:
    return labelled_files([write(folder / "own.jsonl", records)], [], **options)


def rows_of(value: Row, name: str = "table2") -> list[Row]:
    (table,) = (table for table in value["tables"] if table["name"] == name)
    return list(table["rows"])


def items_of(value: Row, route: str) -> list[Row]:
    return [item for item in value["items"] if item["route"] == route]


def test_table2_equals_a_recomputation_from_its_items(tmp_path: Path) -> None:
    value = run(Table2(), Bench(labelled=[own(tmp_path)]))
    assert [row["route"] for row in rows_of(value)] == ["response", "sentences", "subsentences", "triplets", "both"]
    for row in rows_of(value):
        items = items_of(value, row["route"])
        labels = [item["label"] for item in items]
        assert labels == [0, 1, 1, 0, 0]
        scores = [item["p_inconsistent"] for item in items]
        verdicts = [item["inconsistent"] for item in items]
        assert verdicts == [score > 0.5 for score in scores]
        assert row["balanced_accuracy"]["value"] == pytest.approx(balanced_accuracy_score(labels, verdicts), abs=5e-5)
        assert row["auc"]["value"] == pytest.approx(roc_auc_score(labels, scores), abs=5e-5)
    parts = (items_of(value, route) for route in ("both", "triplets", "sentences"))
    for both, one, other in zip(*parts, strict=True):
        assert both["p_inconsistent"] == pytest.approx((one["p_inconsistent"] + other["p_inconsistent"]) / 2, abs=1e-6)
    by_route = {row["route"]: row for row in rows_of(value)}
    gain = by_route["triplets"]["balanced_accuracy"]["value"] - by_route["response"]["balanced_accuracy"]["value"]
    assert by_route["triplets"]["gain"]["value"] == pytest.approx(gain, abs=1e-4)
    assert "gain" not in by_route["response"]
    assert value["versions"]["graph_eval"]
    assert value["machine"]["cores"]


def test_the_tables_of_table2_are_made_of_the_items_of_its_file(tmp_path: Path) -> None:
    value = json.loads(json.dumps(run(Table2(), Bench(labelled=[own(tmp_path)]))))
    assert json.loads(json.dumps([asdict(table) for table in Table2().tables(value["items"])])) == value["tables"]


def judged(name: str, route: str, n: int, bad: int, p: float, **more: Any) -> Row:
    place = {"set": name, "route": route, "n": n, "id": f"{n}", "label": bad, "p_inconsistent": p}
    return place | {"inconsistent": p > 0.5, "abstained": False, "claims": 1, "words": n + 1, "model": None} | more


def test_the_mean_gain_weighs_each_set_by_its_responses() -> None:
    """One set of four where claims gain .5, one of two where they gain nothing: (4 x .5 + 2 x 0) / 6."""
    items = [judged("one", "response", n, n % 2, 0.1) for n in range(4)]
    items += [judged("one", "triplets", n, n % 2, 0.9 if n % 2 else 0.1) for n in range(4)]
    items += [judged("two", route, n, n, 0.1) for route in ("response", "triplets") for n in range(2)]
    value = {"tables": [asdict(table) for table in Table2(("response", "triplets")).tables(items)]}
    assert [(row["set"], row["gain"]["value"]) for row in rows_of(value) if "gain" in row] == [("one", 0.5), ("two", 0)]
    (row,) = rows_of(value, "mean_gain")
    assert (row["n"], row["gain"]["value"]) == (6, pytest.approx(1 / 3, abs=1e-4))


def test_the_standard_error_of_the_gain_is_that_of_paired_resamples() -> None:
    generator = np.random.default_rng(5)
    bad = (generator.random(120) < 0.4).astype(int)
    scores = {
        route: np.clip(bad * lift + generator.random(120), 0, 1)
        for route, lift in (("response", 0.1), ("triplets", 0.4))
    }
    items = [judged("one", route, n, int(bad[n]), float(scores[route][n])) for route in scores for n in range(120)]
    _, row = rows_of({"tables": [asdict(table) for table in Table2(("response", "triplets")).tables(items)]})
    gains = []
    for _ in range(1000):
        drawn = generator.integers(0, 120, 120)
        before, after = (
            balanced_accuracy_score(bad[drawn], scores[route][drawn] > 0.5) for route in ("response", "triplets")
        )
        gains.append(after - before)
    assert row["standard_error"] == pytest.approx(np.std(gains, ddof=1), rel=0.15)


def test_the_gain_by_length_and_by_model_is_that_of_these_responses() -> None:
    """Claims find the errors of long responses, all of one model, and whole responses find none."""
    items = [judged("one", "response", n, n % 2, 0.1, model=f"m{n // 4}") for n in range(8)]
    items += [judged("one", "triplets", n, n % 2, 0.9 if n in (5, 7) else 0.1, model=f"m{n // 4}") for n in range(8)]
    value = {"tables": [asdict(table) for table in Table2(("response", "triplets")).tables(items)]}
    lengths = rows_of(value, "by_length")
    assert [(row["words"], row["n"], row["gain"]["value"]) for row in lengths] == [
        ("1 to 2", 2, 0), ("3 to 4", 2, 0), ("5 to 6", 2, 0.5), ("7 to 8", 2, 0.5),
    ]  # fmt: skip
    assert [(row["model"], row["gain"]["value"]) for row in rows_of(value, "by_model")] == [("m0", 0), ("m1", 0.5)]
    swept = {row["threshold"]: row["one, triplets"] for row in rows_of(value, "thresholds")}
    assert (swept[0.05], swept[0.5], swept[0.95]) == (0.5, 0.75, 0.5)


def test_a_failed_response_is_in_no_figure_and_counted() -> None:
    items = [judged("one", route, n, n, 0.9 * n) for route in ("response", "triplets") for n in range(2)]
    items.append({"set": "one", "route": "triplets", "n": 2, "error": "no"})
    rows = rows_of({"tables": [asdict(table) for table in Table2(("response", "triplets")).tables(items)]})
    assert [(row["n"], row["errors"]) for row in rows] == [(2, 0), (2, 1)]
    assert rows[1]["balanced_accuracy"]["value"] == 1.0


def test_table2_goes_on_where_it_stopped_with_the_same_figures(tmp_path: Path) -> None:
    labelled = own(tmp_path)
    asked: list[str] = []

    def interrupted(results: Iterator[Any], _total: int, name: str) -> Iterator[Any]:
        asked.append(name)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return results

    runs = tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        run(Table2(), Bench(labelled=[labelled], runs=runs, track=interrupted))
    assert asked == ["own, response", "own, sentences"]
    resumed = run(Table2(), Bench(labelled=[labelled], runs=runs))
    fresh = run(Table2(), Bench(labelled=[labelled]))
    assert set(resumed.pop("seconds")) == set(fresh.pop("seconds")) == {f"own, {route}" for route in ROUTES[:-1]}
    assert resumed == fresh
    assert sorted(path.name for path in runs.iterdir()) == sorted(f"own-{route}" for route in ROUTES[:-1])


def test_a_record_without_a_usable_label_is_counted_as_an_error(tmp_path: Path) -> None:
    records = [
        *RECORDS,
        {"id": "x", "response": "a", "context": "b", "label": "perhaps"},
        {"response": "a", "context": "b"},
    ]
    labelled = own(tmp_path, records)
    found = list(labelled)
    assert len(found) == len(labelled) == 7
    assert (
        str(found[5]) == f"{tmp_path / 'own.jsonl'}, line 6: \"label\" is 'perhaps' "
        "(1 or inconsistent, 0 or consistent; --map label=FIELD reads another field)"
    )
    assert found[6].message == '"label" is missing'
    value = run(Table2(("sentences",)), Bench(labelled=[labelled]))
    (row,) = rows_of(value)
    assert (row["n"], row["errors"], row["abstained"]) == (5, 2, 1)
    assert len(without_errors(value["items"])) == 5


def test_the_limit_and_another_label_column(tmp_path: Path) -> None:
    renamed = [{**{k: v for k, v in r.items() if k != "label"}, "gold": r["label"]} for r in RECORDS]
    path = write(tmp_path / "own.jsonl", renamed)
    labelled = labelled_files([path], ["label=gold"], limit=3)
    assert [label(item) for item in labelled] == [0, 1, 1]
    assert labelled.digest != labelled_files([path], ["label=gold"]).digest


def test_a_missing_set_says_where_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        sets.published_set(tmp_path, "qags-c")
    assert "qags/qags_cnndm.jsonl.gz" in str(caught.value)
    assert "github.com/W4ngatang/qags" in str(caught.value)
    with pytest.raises(InputError, match=r"claims_dev\.jsonl\.gz does not exist"):
        run(Extraction(), Bench(data=tmp_path))


def test_token_f1_ignores_articles_and_case() -> None:
    first, second = extraction.tokens("The Lamp is red"), extraction.tokens("a lamp is blue")
    assert extraction.token_f1(first, second) == pytest.approx(2 * 2 / 6)
    assert extraction.token_f1(first, extraction.tokens("")) == 0.0


def test_a_folder_of_labelled_files_is_read(tmp_path: Path) -> None:
    for name in "ab":
        write(tmp_path / f"{name}.jsonl", [{"response": f"{name}.", "context": "c", "label": 1}])
    labelled = labelled_files([str(tmp_path)], [])
    assert [item.response for item in labelled] == ["a.", "b."]
