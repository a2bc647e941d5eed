"""The comparison of two files of a benchmark."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from graph_eval.bench import record
from graph_eval.bench.compare import compare
from graph_eval.bench.tables import grid
from graph_eval.errors import InputError

NAMES = ("a.json", "b.json")


def item(n: int, label: int, p: float, **fields: Any) -> dict[str, Any]:
    return {"set": "s", "route": "r", "n": n, "id": f"i{n}", "label": label, "p_inconsistent": p} | {
        "inconsistent": p > 0.5,
        **fields,
    }


def file(items: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    empty = {name: {} for name in record.OBJECTS}
    return empty | {"benchmark": "table2", "items": items, "tables": [], "data": {"s": "1"}} | fields


def table(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return next((found["rows"] for found in value["tables"] if found["name"] == name), [])


LABELS = [0, 0, 0, 1, 1, 1]
ONE = [0.1, 0.6, 0.2, 0.9, 0.4, 0.7]
OTHER = [0.1, 0.3, 0.2, 0.9, 0.8, 0.2]


def of(scores: list[float]) -> list[dict[str, Any]]:
    return [item(n, label, p) for n, (label, p) in enumerate(zip(LABELS, scores, strict=True))]


def test_the_difference_of_hand() -> None:
    value = compare(file(of(ONE)), file(of(OTHER)[::-1]), NAMES)
    (row,) = table(value, "balanced_accuracy")
    assert (row["n"], row["A"]["value"], row["B"]["value"]) == (6, 0.6667, 0.8333)
    assert row["B minus A"]["value"] == 0.1667
    # A flags items 1, 3 and 5; B flags 3 and 4. B alone is right on 1 and 4, A alone on 5.
    assert (row["only A right"], row["only B right"]) == (1, 2)
    (row,) = table(value, "auc")
    assert row["B minus A"]["value"] == pytest.approx(
        roc_auc_score(LABELS, OTHER) - roc_auc_score(LABELS, ONE), abs=1e-4
    )
    assert value["problems"] == []


@given(st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=25))
def test_figures_are_those_of_the_common_items(rows: list[tuple[int, float, float]]) -> None:
    labels = [0, 1, *(label for label, _, _ in rows)]
    ones, others = ([0.2, 0.8, *column] for column in list(zip(*rows, strict=True))[1:])
    a = [item(n, labels[n], p) for n, p in enumerate(ones)] + [item(99, 1, 0.9), item(98, 0, 0.1)]
    b = [item(n, labels[n], p) for n, p in enumerate(others)] + [{"set": "s", "route": "r", "n": 99, "error": "x"}]
    value = compare(file(a), file(b), NAMES)
    (row,) = table(value, "balanced_accuracy")
    assert row["n"] == len(labels)
    expected = [balanced_accuracy_score(labels, np.array(scores) > 0.5) for scores in (ones, others)]
    assert row["A"]["value"] == pytest.approx(expected[0], abs=6e-5)
    assert row["B"]["value"] == pytest.approx(expected[1], abs=6e-5)
    (counts,) = table(value, "items")
    assert (counts["items of A"], counts["errors of B"], counts["pairs"]) == (len(labels) + 2, 1, len(labels))


def test_resamples_are_paired() -> None:
    """The same verdicts with a constant shift of the scores have no difference in any resample."""
    shifted = [p + 0.05 for p in ONE]
    value = compare(file(of(ONE)), file(of(shifted)), NAMES)
    (row,) = table(value, "auc")
    assert row["B minus A"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    assert row["standard_error"] == 0.0
    assert row["A"]["low"] < row["A"]["high"]


def test_other_fields_have_paired_differences_of_their_means() -> None:
    one = [{"set": "s", "n": n, "changed": n < 2, "rouge": 0.5, "name": "x", "deep": [1]} for n in range(4)]
    other = [{"set": "s", "n": n, "changed": n < 3, "rouge": 0.5, "name": "y", "deep": [2]} for n in range(4)]
    value = compare(file(one, benchmark="c"), file(other, benchmark="c"), NAMES)
    (row,) = table(value, "means")
    assert (row["field"], row["A"]["value"], row["B"]["value"], row["B minus A"]["value"]) == (
        "changed",
        0.5,
        0.75,
        0.25,
    )
    assert next(found["note"] for found in value["tables"] if found["name"] == "items") == (
        "The same in every pair: rouge."
    )


def test_routes_can_be_compared_with_each_other() -> None:
    items = of(ONE) + [row | {"route": "q"} for row in of(OTHER)]
    value = compare(file(items), file(items), NAMES, [("r", "q")])
    (row,) = table(value, "balanced_accuracy")
    assert (row["route"], row["B minus A"]["value"]) == ("r, q", 0.1667)


def test_what_differs_is_told() -> None:
    plan = {"settings": {"checker": "builtin", "threshold": 0.5}, "fingerprints": {"checker": "1"}}
    changed = {"settings": {"checker": "x", "threshold": 0.5}, "fingerprints": {"checker": "2"}}
    one = file(of(ONE), plans={"r": plan, "q": plan}, machine={"cores": 2}, versions={"numpy": "1"})
    other = file(of(ONE), plans={"r": changed, "q": changed}, machine={"cores": 4}, versions={"numpy": "1"})
    rows = [(row[""], row["A"], row["B"]) for row in table(compare(one, other, NAMES), "files")]
    assert rows == [
        ("file", "a.json", "b.json"),
        ("machine: cores", "2", "4"),
        ("settings: checker (r, q)", "builtin", "x"),
        ("fingerprints: checker (r, q)", "1", "2"),
    ]


def test_a_set_whose_data_differ_is_left_out() -> None:
    more = [row | {"set": "t"} for row in of(ONE)]
    one, other = (file(of(ONE) + more, data={"s": digest, "t": "2"}) for digest in ("0", "1"))
    value = compare(one, other, NAMES)
    assert [row["set"] for row in table(value, "auc")] == ["t"]
    assert value["problems"] == ["set s: its data differ (A 0, B 1); not compared"]


def test_items_with_another_label_are_left_out() -> None:
    other = of(ONE)
    other[0]["label"] = 1
    value = compare(file(of(ONE)), file(other), NAMES)
    assert [row["n"] for row in table(value, "auc")] == [5]
    assert value["problems"] == ["set s, route r: 1 items with another label in B; left out"]


def test_items_with_one_name_are_told_apart_by_their_number() -> None:
    one, other = ([row | {"id": "same"} for row in of(scores)] for scores in (ONE, OTHER))
    assert [
        row["B minus A"]["value"] for row in table(compare(file(one), file(other), NAMES), "balanced_accuracy")
    ] == [0.1667]
    alike = [row | {"n": 0} for row in one]
    with pytest.raises(InputError, match="several items have the same id and n"):
        compare(file(alike), file(alike), NAMES)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (file(of(ONE), benchmark="wikibio"), "a.json is of benchmark table2, b.json of wikibio"),
        (file([row | {"set": "t"} for row in of(ONE)]), "no common items: A has sets s and routes r; B has sets t"),
        (file(of(ONE), data={"s": "2"}), "set s: its data differ"),
        (file([]), "B has none"),
    ],
    ids=["benchmark", "sets", "data", "empty"],
)
def test_what_cannot_be_compared_is_an_error(other: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare(file(of(ONE)), other, NAMES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read"),
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", 'it has no "benchmark"'),
        ('{"benchmark": "x"}', 'has no "items"'),
        ('{"benchmark": "x", "items": {}}', 'has no "items"'),
        ('{"benchmark": "x", "items": [1]}', 'has no "items"'),
        ('{"benchmark": "x", "items": [], "data": 1}', '"data" is not an object'),
        ('{"benchmark": "x", "items": [], "tables": {}}', '"tables" is not a list'),
        ('{"benchmark": "x", "items": [], "tables": [{}]}', r"tables\[0\] is not a table"),
        ('{"benchmark": "x", "items": [], "tables": [{"rows": [{"a": []}]}]}', r"tables\[0\] is not a table"),
        ('{"benchmark": "x", "items": [], "tables": [{"rows": [{"a": {"value": 1}}]}]}', r"tables\[0\] is not"),
        ('{"benchmark": "x", "items": [], "tables": [{"rows": [{}], "across": true}]}', r"tables\[0\] is not"),
    ],
    ids=[
        "missing",
        "cut",
        "deep",
        "list",
        "bare",
        "items",
        "item",
        "data",
        "tables",
        "rows",
        "cell",
        "figure",
        "across",
    ],
)
def test_a_file_that_is_none_is_an_error(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "x.json"
    if text is not None:
        path.write_text(text, "utf8")
    with pytest.raises(InputError, match=message):
        record.read(path)


CELLS = st.none() | st.text(max_size=3) | st.integers() | st.floats() | st.booleans()
FIGURES = st.fixed_dictionaries({name: st.none() | st.floats() for name in ("value", "low", "high")})
ROWS = st.lists(st.dictionaries(st.text(max_size=3), CELLS | FIGURES | st.lists(CELLS), max_size=3), max_size=3)


@given(ROWS, st.booleans(), st.none() | st.lists(st.text(max_size=3), max_size=3))
def test_a_table_that_is_read_can_be_printed(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], across: bool, columns: list[str] | None
) -> None:
    path = tmp_path_factory.mktemp("file") / "x.json"
    tables = [{"rows": rows, "across": across, "columns": columns}]
    path.write_text(json.dumps({"benchmark": "x", "items": [], "tables": tables}), "utf8")
    try:
        value = record.read(path)
    except InputError:
        return
    headings, lines = grid(value["tables"][0])
    assert all(len(line) == len(headings) for line in lines)
