"""Every checker keeps the same promises: above all, a score never depends on what else is in the batch."""

import json
import random
from collections.abc import Sequence

import numpy as np
import pytest

from graph_eval import registry
from graph_eval.checkers.ensemble import EnsembleChecker
from graph_eval.checkers.llm import LLMChecker
from graph_eval.checkers.pairs import PairChecker
from graph_eval.types import CheckTask, Claim, Judgement, Label, Passage, Span, Text
from tests.models import fenced, verdict


class LengthScorer:
    """The smallest scorer that fits the seam: the longer the premise, the more it entails."""

    fingerprint = "length"
    max_tokens = 512

    def score(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        entailment = np.array([min(len(premise), 400) / 400 for premise, _ in pairs])
        return np.stack([entailment, 1 - entailment, np.zeros(len(pairs))], axis=1)


def scripted(prompt: str) -> str:
    """A model that calls a claim entailed if a passage holds all its longer words."""
    parts = fenced(prompt)
    passages = [text for name, text in parts if name.startswith("passage")]
    claims = [(name.removeprefix("claim").strip(), text) for name, text in parts if name.startswith("claim")]
    if claims[0][0] == "":
        return verdict(claims[0][1], passages)
    return json.dumps({name: verdict(text, passages) for name, text in claims})


BUILTIN = registry.create("checker", "builtin")
JOINT = LLMChecker(scripted)
CHECKERS = {
    "builtin": BUILTIN,
    "pairs": PairChecker(LengthScorer()),
    "llm joint": JOINT,
    "llm single": LLMChecker(scripted, "single"),
    "ensemble": EnsembleChecker([BUILTIN, JOINT]),
}


@pytest.fixture(params=sorted(CHECKERS))
def checker(request: pytest.FixtureRequest) -> object:
    return CHECKERS[request.param]


CONTEXTS = [
    "The lighthouse was built in 1861. It stands 38 metres tall. The lamp was automated in 1979.",
    "The council voted on Tuesday to close the bridge. " * 12 + "Repairs will cost 2.4 million crowns.",
    "Olive oil keeps for three months.",
    "",
]
CLAIMS = [
    "The lighthouse was built in 1861.",
    "The lighthouse is 48 metres tall.",
    "The bridge will be closed and repairs cost money.",
    "Nothing here is known. " * 20,
    "x",
]


def task(name: str, claims: Sequence[str], contexts: Sequence[str]) -> CheckTask:
    found = tuple(Claim.whole(name, claim, Span(0, len(claim))) for claim in claims)
    return CheckTask(Text(name, " ".join(claims)), found, tuple(map(Passage.of, contexts)))


def tasks() -> list[CheckTask]:
    return [task(f"{n}", CLAIMS, CONTEXTS[n : n + 2]) for n in range(len(CONTEXTS))]


def check(checker: object, items: list[CheckTask]) -> list[list[Judgement]]:
    found = checker.check(items)  # type: ignore[attr-defined]
    assert all(isinstance(item, list) for item in found)
    return found


def probabilities(found: list[list[Judgement]]) -> list[float]:
    return [judgement.p_inconsistent or 0.0 for item in found for judgement in item]


def test_one_judgement_a_claim_in_order(checker: object) -> None:
    for item, judged in zip(tasks(), check(checker, tasks()), strict=True):
        assert [judgement.claim_id for judgement in judged] == [claim.id for claim in item.claims]


def test_alone_or_in_any_batch_the_score_is_the_same(checker: object) -> None:
    together = probabilities(check(checker, tasks()))
    alone = [p for item in tasks() for p in probabilities(check(checker, [item]))]
    assert together == pytest.approx(alone, abs=1e-3)
    single = [
        p
        for item in tasks()
        for claim in item.claims
        for p in probabilities(check(checker, [CheckTask(item.text, (claim,), item.passages)]))
    ]
    # Rare words are weighed within a task's passages, not its claims: one claim alone is judged as among others.
    assert together == pytest.approx(single, abs=1e-3)


def test_order_permutes_with_the_tasks(checker: object) -> None:
    order = list(range(len(tasks())))
    random.Random(7).shuffle(order)  # noqa: S311
    straight = check(checker, tasks())
    shuffled = check(checker, [tasks()[place] for place in order])
    for place, found in zip(order, shuffled, strict=True):
        assert probabilities([found]) == pytest.approx(probabilities([straight[place]]), abs=1e-3)


def test_the_label_follows_the_threshold(checker: object) -> None:
    for found in check(checker, tasks()):
        for judgement in found:
            assert judgement.p_inconsistent is not None
            assert 0.0 <= judgement.p_inconsistent <= 1.0
            entailed = judgement.p_inconsistent <= checker.threshold  # type: ignore[attr-defined]
            assert (judgement.label is Label.ENTAILMENT) is entailed
            assert judgement.flagged is not entailed


def test_evidence_points_into_its_passage_and_scores_sum_to_one(checker: object) -> None:
    for item, found in zip(tasks(), check(checker, tasks()), strict=True):
        passages = {passage.id: passage.text for passage in item.passages}
        for judgement in found:
            for evidence in judgement.evidence:
                text = passages[evidence.passage_id]
                assert 0 <= evidence.span.start < evidence.span.end <= len(text)
                assert sum(evidence.scores) == pytest.approx(1.0, abs=1e-4)


def test_no_passage_is_neutral_flagged_and_said(checker: object) -> None:
    found = check(checker, [task("t", ["The sky is blue."], [])])[0][0]
    assert (found.label, found.flagged, found.reason) == (Label.NEUTRAL, True, "no_passage")


def test_no_claims_no_judgements(checker: object) -> None:
    assert check(checker, [task("t", [], ["Text."])]) == [[]]
    assert check(checker, []) == []


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("The lighthouse was built in 1861.", Label.ENTAILMENT),
        ("The lamp became automatic in 1979.", Label.ENTAILMENT),
        ("The lighthouse is 48 metres tall.", Label.CONTRADICTION),
        ("The keeper had three children.", Label.NEUTRAL),
    ],
)
def test_the_builtin_checker_knows_right_from_wrong(claim: str, label: Label) -> None:
    judged = check(CHECKERS["builtin"], [task("t", [claim], CONTEXTS[:1])])[0][0]
    assert (judged.label is Label.ENTAILMENT) is (label is Label.ENTAILMENT)
