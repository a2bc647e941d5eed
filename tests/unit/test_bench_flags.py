"""What a set contains, and what a flag is worth: figures recomputed from the items."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import precision_score, recall_score, roc_auc_score

from graph_eval.bench.benchmark import Bench, run
from graph_eval.bench.flags import Flags
from graph_eval.bench.table1 import Table1
from graph_eval.errors import UsageError
from graph_eval.formats.labelled import labelled_files

CONTEXT = "The museum opens at 9 am. Tickets cost 12 euros. The café is closed on Mondays."
RIGHT = "The museum opens at 9 am."
ANSWERS = [
    {"id": "a", "response": f"{RIGHT} Tickets cost 15 euros.", "label": 1, "spans": [{"start": 39, "end": 47}]},
    {"id": "b", "response": RIGHT, "label": 0, "spans": []},
    {
        "id": "c",
        "response": "Tickets cost 12 euros. The café is closed on Mondays. (Passage 1)",
        "label": 0,
        "spans": [],
    },
    {"id": "d", "response": "The museum was built by a king.", "label": 1, "spans": [{"start": 15, "end": 31}]},
    {"id": "e", "response": RIGHT, "label": "perhaps", "spans": []},
]


def bench(folder: Path, records: list[dict]) -> Bench:
    path = folder / "own.jsonl"
    path.write_text("".join(json.dumps({"context": CONTEXT, **record}) + "\n" for record in records), "utf8")
    return Bench(labelled=[labelled_files([str(path)], [])])


def table(value: dict, name: str) -> list[dict]:
    return next(table["rows"] for table in value["tables"] if table["name"] == name)


def test_table1_counts_labels_and_words(tmp_path: Path) -> None:
    (row,) = table(run(Table1(), bench(tmp_path, ANSWERS)), "table1")
    assert (row["set"], row["n"], row["errors"], row["consistent"]) == ("own", 4, 1, 0.5)
    words = [len(item["response"].split()) for item in ANSWERS[:4]]
    assert row["words_of_a_response"] == round(sum(words) / 4, 1)
    assert row["words_of_a_context"] == len(CONTEXT.split())
    assert row["words_in_the_paper"] is None


def test_flags_count_sentences_where_words_are_marked(tmp_path: Path) -> None:
    value = run(Flags(), bench(tmp_path, ANSWERS))
    (row,) = table(value, "flags")
    items = [item for item in value["items"] if "error" not in item]
    units = [sentence for item in items for sentence in item["sentences"]]
    labels = [unit["label"] for unit in units]
    flagged = [unit["inconsistent"] for unit in units]
    scores = [unit["p_inconsistent"] for unit in units]
    assert labels == [0, 1, 0, 0, 0, 1]
    assert (row["kind"], row["unit"], row["n"], row["errors"]) == ("your records", "sentences", 6, 1)
    assert row["flagged"] == sum(flagged) > 0
    assert row["precision"]["value"] == pytest.approx(precision_score(labels, flagged), abs=1e-4)
    assert row["recall"]["value"] == pytest.approx(recall_score(labels, flagged), abs=1e-4)
    assert row["auc"]["value"] == pytest.approx(roc_auc_score(labels, scores), abs=1e-4)
    false = sum(flag and not label for flag, label in zip(flagged, labels, strict=True))
    assert row["false_flags_per_100"]["value"] == pytest.approx(100 * false / 4, abs=1e-4)
    alone = [not item["inconsistent"] for item in items if not item["label"]]
    assert row["right_left_alone"]["value"] == pytest.approx(np.mean(alone), abs=1e-4)


def test_flags_count_responses_where_no_word_is_marked(tmp_path: Path) -> None:
    records = [{**record, "spans": []} for record in ANSWERS[:4]]
    (row,) = table(run(Flags(), bench(tmp_path, records)), "flags")
    assert (row["unit"], row["n"], row["wrong"]) == ("responses", 4, 0.5)


def test_a_lower_threshold_flags_no_less(tmp_path: Path) -> None:
    rows = table(run(Flags(), bench(tmp_path, ANSWERS)), "thresholds")
    counts = [row["flagged"] for row in sorted(rows, key=lambda row: row["threshold"])]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 0


def test_checkers_that_did_not_run_are_named_without_figures(tmp_path: Path) -> None:
    value = run(Flags(), bench(tmp_path, ANSWERS))
    (row,) = table(value, "which_checker")
    assert (row["checker"], row["needs"]) == ("builtin", "nothing")
    assert (row["text"], row["sets"]) == ("your records", "own")
    assert row["errors_found"] == pytest.approx(table(value, "flags")[0]["recall"]["value"], abs=1e-3)
    assert row["seconds_a_response"] > 0
    note = next(one["note"] for one in value["tables"] if one["name"] == "which_checker")
    others = note.partition("Not measured: ")[2]
    assert "llm:MODEL" in others
    assert "builtin" not in others


@pytest.mark.parametrize("spans", [[[13, 15]], [{"start": "1", "end": 5}], [{"start": 0, "end": 999}], "x"], ids=str)
def test_marks_that_are_none_are_an_error_of_the_record(tmp_path: Path, spans: object) -> None:
    value = run(Flags(), bench(tmp_path, [*ANSWERS[:4], {**ANSWERS[1], "id": "bad", "spans": spans}]))
    (row,) = table(value, "flags")
    assert (row["n"], row["errors"]) == (6, 1)
    (failed,) = [item["error"] for item in value["items"] if "error" in item]
    assert failed.startswith('bad: "spans" is no list')


@pytest.mark.parametrize("missing", [None, ...], ids=["null", "left out"])
def test_without_marks_on_some_records_responses_are_counted(tmp_path: Path, missing: object) -> None:
    record = {name: value for name, value in ANSWERS[1].items() if name != "spans"}
    record |= {} if missing is ... else {"spans": missing}
    (row,) = table(run(Flags(), bench(tmp_path, [ANSWERS[0], record, *ANSWERS[2:4]])), "flags")
    assert (row["unit"], row["n"]) == ("responses", 4)


def test_where_every_label_is_wrong_the_checker_is_still_named(tmp_path: Path) -> None:
    (row,) = table(run(Flags(), bench(tmp_path, [{**record, "label": "no"} for record in ANSWERS])), "flags")
    assert (row["checker"], row["errors"]) == ("builtin", 5)


def test_without_input_there_is_a_hint() -> None:
    with pytest.raises(UsageError, match="missing input"):
        run(Table1(), Bench())
