"""The benchmarks' figures are what their items say."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from graph_eval.bench import extraction, metrics, sets
from graph_eval.bench.table2 import table2
from graph_eval.errors import InputError
from graph_eval.settings import Settings

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


def test_table2_equals_a_recomputation_from_its_items(tmp_path: Path) -> None:
    labelled = labels.labelled_files([write(tmp_path / "own.jsonl", RECORDS)], [])
    value = table2([labelled], Settings())
    assert [row["route"] for row in value["rows"]] == ["response", "sentences", "triplets", "both"]
    for row in value["rows"]:
        labels = [item["label"] for item in row["items"]]
        assert labels == [0, 1, 1, 0, 0]
        scores = [item["p_inconsistent"] for item in row["items"]]
        verdicts = [item["inconsistent"] for item in row["items"]]
        assert verdicts == [score > 0.5 for score in scores]
        assert row["balanced_accuracy"]["value"] == pytest.approx(balanced_accuracy_score(labels, verdicts), abs=5e-5)
        assert row["auc"]["value"] == pytest.approx(roc_auc_score(labels, scores), abs=5e-5)
    by_route = {row["route"]: row for row in value["rows"]}
    for both, one, other in zip(*(by_route[name]["items"] for name in ("both", "triplets", "sentences")), strict=True):
        assert both["p_inconsistent"] == pytest.approx((one["p_inconsistent"] + other["p_inconsistent"]) / 2, abs=1e-6)
    gain = by_route["triplets"]["balanced_accuracy"]["value"] - by_route["response"]["balanced_accuracy"]["value"]
    assert by_route["triplets"]["gain"]["value"] == pytest.approx(gain, abs=1e-4)
    assert value["versions"]["graph_eval"]
    assert value["machine"]["cores"]


def test_table2_goes_on_where_it_stopped_with_the_same_figures(tmp_path: Path) -> None:
    labelled = labels.labelled_files([write(tmp_path / "own.jsonl", RECORDS)], [])
    asked: list[str] = []

    def interrupted(results, _total, name):
        asked.append(name)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return results

    runs = tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        table2([labelled], Settings(), runs=runs, track=interrupted)
    resumed = table2([labelled], Settings(), runs=runs)
    fresh = table2([labelled], Settings())
    for value in (resumed, fresh):
        for row in value["rows"]:
            del row["seconds"]
    assert resumed == fresh
    assert sorted(path.name for path in runs.iterdir()) == ["own-response", "own-sentences", "own-triplets"]


def test_a_record_without_a_usable_label_is_counted_as_an_error(tmp_path: Path) -> None:
    records = [
        *RECORDS,
        {"id": "x", "response": "a", "context": "b", "label": "perhaps"},
        {"response": "a", "context": "b"},
    ]
    labelled = labels.labelled_files([write(tmp_path / "own.jsonl", records)], [])
    found = list(labelled)
    assert len(found) == len(labelled) == 7
    assert (
        str(found[5]) == f"{tmp_path / 'own.jsonl'}, line 6: \"label\" is 'perhaps' "
        "(1 or inconsistent, 0 or consistent; --map label=FIELD reads another field)"
    )
    assert found[6].message == '"label" is missing'
    (row,) = table2([labelled], Settings(), routes=["sentences"])["rows"]
    assert (row["n"], row["errors"], row["abstained"]) == (5, 2, 1)


def test_the_limit_and_another_label_column(tmp_path: Path) -> None:
    renamed = [{**{k: v for k, v in r.items() if k != "label"}, "gold": r["label"]} for r in RECORDS]
    path = write(tmp_path / "own.jsonl", renamed)
    labelled = labels.labelled_files([path], ["label=gold"], limit=3)
    assert [labels.label(item) for item in labelled] == [0, 1, 1]
    assert labelled.digest != labels.labelled_files([path], ["label=gold"]).digest


def test_a_missing_set_says_where_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        sets.published_set(tmp_path, "qags-c")
    assert "qags/qags_cnndm.jsonl.gz" in str(caught.value)
    assert "github.com/W4ngatang/qags" in str(caught.value)
    with pytest.raises(InputError, match=r"claims_dev\.jsonl\.gz does not exist"):
        extraction.extraction(tmp_path, Settings(), None, lambda items, *_: items)


def test_token_f1_ignores_articles_and_case() -> None:
    first, second = extraction.tokens("The Lamp is red"), extraction.tokens("a lamp is blue")
    assert extraction.token_f1(first, second) == pytest.approx(2 * 2 / 6)
    assert extraction.token_f1(first, extraction.tokens("")) == 0.0
