"""The file with a person's labels."""

import json
from pathlib import Path

from graph_eval.graph.labels import read_labels
from graph_eval.types import Label


def test_a_note_is_the_reason_of_the_verdict(tmp_path: Path) -> None:
    rows = [
        {
            "claim_id": "a",
            "label": "neutral",
            "note": " the year is missing \ud83d\n",
            "claim": "x",
            "response_id": "y",
        },
        {"claim_id": "b", "label": "Entailment", "note": "  "},
        {"claim_id": "c", "label": "Contradiction"},
        {"claim_id": "d", "label": "Contradiction", "note": 7},
        {"claim_id": "e", "label": None, "note": "not sure"},
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf8")
    judgements, problems = read_labels(path)
    assert problems == []
    assert {name: (item.label, item.flagged, item.reason) for name, item in judgements.items()} == {
        "a": (Label.NEUTRAL, True, "the year is missing ?"),
        "b": (Label.ENTAILMENT, False, None),
        "c": (Label.CONTRADICTION, True, None),
        "d": (Label.CONTRADICTION, True, None),
    }


def test_a_line_that_is_not_json_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"claim_id": "x", "label": Neutral}\n["x"]\n')
    judgements, (broken, other) = read_labels(path)
    assert judgements == {}
    assert "line 1: invalid JSON" in broken
    assert other.endswith('line 2: not a JSON object with a "claim_id"')
