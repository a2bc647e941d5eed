"""What a newcomer sees: sentences with one error, and the same sentences without it, offline from a plain install."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from graph_eval import GraphEval
from graph_eval.settings import Settings
from graph_eval.types import Example, Passage, Result, Status

FOLDER = Path(__file__).parents[1] / "data"
# set: the least number of wrong sentences and the largest of right ones that are flagged, the least number of edits in
# wrong sentences, and the least share of them that give the right sentence.
LIMITS = {"everyday_pairs": (90, 10, 25, 0.85), "everyday_pairs_hard": (65, 18, 10, 0.5)}


def judged(ge: GraphEval, pairs: Sequence[dict[str, str]], which: str) -> list[Result]:
    examples = [Example(pair["id"], "everyday", pair[which], (Passage.of(pair["context"]),)) for pair in pairs]
    return list(ge.pipe(examples))


@pytest.mark.parametrize("name", LIMITS)
def test_wrong_sentences_are_flagged_more_often_than_right_ones_and_edits_mend(name: str) -> None:
    pairs = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]
    ge = GraphEval(settings=Settings.of(cache="off"))
    wrong, right = judged(ge, pairs, "wrong"), judged(ge, pairs, "right")
    least_flagged, most_flagged, least_edited, least_right = LIMITS[name]
    assert sum(bool(result.flagged) for result in wrong) >= least_flagged
    assert sum(bool(result.flagged) for result in right) <= most_flagged
    mended = [
        result.revision.text == pair["right"]
        for pair, result in zip(pairs, map(ge.correct, wrong), strict=True)
        if result.revision is not None and any(item.status is Status.APPLIED for item in result.revision.corrections)
    ]
    assert len(mended) >= least_edited
    assert sum(mended) / len(mended) >= least_right
