"""What a newcomer sees: sentences with one error, and the same sentences without it, offline from a plain install."""

import json
from pathlib import Path

import pytest

from graph_eval import GraphEval
from graph_eval.settings import Settings
from graph_eval.types import Result, Status

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "everyday_pairs.jsonl").read_text("utf-8").splitlines()
]


@pytest.fixture(scope="module")
def results() -> dict[str, list[Result]]:
    """Of the wrong and of the right sentences, in order."""
    ge = GraphEval(settings=Settings.of(cache="off"))
    return {
        which: [ge.correct(ge.check(pair[which], context=pair["context"])) for pair in PAIRS]
        for which in ("wrong", "right")
    }


def test_most_errors_are_flagged_and_few_right_sentences(results) -> None:
    assert sum(bool(result.flagged) for result in results["wrong"]) >= 90
    assert sum(bool(result.flagged) for result in results["right"]) <= 10


def test_most_edits_that_are_made_mend_the_sentence(results) -> None:
    mended = [
        result.revision.text == pair["right"]
        for pair, result in zip(PAIRS, results["wrong"], strict=True)
        if result.revision is not None and any(item.status is Status.APPLIED for item in result.revision.corrections)
    ]
    assert len(mended) >= 25
    assert sum(mended) / len(mended) >= 0.85
