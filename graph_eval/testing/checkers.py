"""The contracts of checkers and of scorers of pairs, as tests for your test suite.

    from graph_eval.testing.checkers import CheckerContract

    class TestMyChecker(CheckerContract):
        @pytest.fixture
        def checker(self):
            return MyChecker()

`CheckerContract` needs a fixture `checker` (a `graph_eval.checkers.checker.Checker`; `as_checker` makes one from any
object), `PairScorerContract` a fixture `scorer`.
"""

# ruff: noqa: S101

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
import pytest

from graph_eval.checkers.checker import Checker, PairScorer
from graph_eval.isolation import isolated
from graph_eval.types import CheckTask, Claim, ItemError, Judgement, Label, Passage, Span, Text

Output = TypeVar("Output")
TOLERANCE = 1e-3  # of a probability over batches of other shapes
THREADS = 8
PASSAGES = (
    "The lighthouse was built in 1861. It stands 38 metres tall. The lamp was automated in 1979.",
    "The council voted on Tuesday to close the bridge. " * 12 + "Repairs will cost 2.4 million crowns.",
    "Olive oil keeps for three months.",
    "",
)
CLAIMS = (
    "The lighthouse was built in 1861.",
    "The lighthouse is 48 metres tall.",
    "The bridge will be closed and repairs cost money.",
    "Nothing here is known. " * 20,
    "x",
)
PAIRS = [(passage, claim) for passage in PASSAGES[:3] for claim in CLAIMS]


def task(name: str, claims: Sequence[str], passages: Sequence[str]) -> CheckTask:
    """A task of sentence claims."""
    sentence_claims = tuple(Claim.whole(name, claim, Span(0, len(claim))) for claim in claims)
    return CheckTask(Text(name, " ".join(claims)), sentence_claims, tuple(map(Passage.of, passages)))


def tasks() -> list[CheckTask]:
    """Every claim against every two neighbouring passages, the last time against an empty one."""
    return [task(str(number), CLAIMS, PASSAGES[number : number + 2]) for number in range(len(PASSAGES))]


def checked(checker: Checker, to_check: Sequence[CheckTask]) -> list[list[Judgement]]:
    """The judgements of each task, none of which may fail."""
    by_task = []
    for judgements in checker.check(to_check):
        assert not isinstance(judgements, ItemError), judgements
        assert [judgement.error for judgement in judgements] == [None] * len(judgements)
        by_task.append(judgements)
    return by_task


def probabilities(by_task: Sequence[Sequence[Judgement]]) -> list[float]:
    """p_inconsistent of all judgements, in order."""
    values = [judgement.p_inconsistent for judgements in by_task for judgement in judgements]
    assert None not in values
    return [value for value in values if value is not None]


def in_threads(work: Callable[[], Output]) -> list[Output]:
    """The results of `work` in eight threads that start at the same time."""
    start = threading.Barrier(THREADS)

    def started(_: int) -> Output:
        start.wait()
        return work()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(started, range(THREADS)))


class CheckerContract:
    """The contract of a checker. The most important rule: a judgement does not depend on other items of the call."""

    def test_the_fingerprint_is_a_stable_text_and_the_threshold_a_probability(self, checker: Checker) -> None:
        assert isinstance(checker.fingerprint, str)
        assert checker.fingerprint
        assert checker.fingerprint == checker.fingerprint
        assert 0.0 <= checker.threshold <= 1.0
        assert all(0.0 <= threshold <= 1.0 for threshold in checker.thresholds.values())

    def test_one_judgement_for_each_claim_in_order(self, checker: Checker) -> None:
        for item, judgements in zip(tasks(), checked(checker, tasks()), strict=True):
            assert [judgement.claim_id for judgement in judgements] == [claim.id for claim in item.claims]

    def test_alone_or_in_any_batch_the_probability_is_the_same(self, checker: Checker) -> None:
        together = probabilities(checked(checker, tasks()))
        by_task = [p for item in tasks() for p in probabilities(checked(checker, [item]))]
        assert together == pytest.approx(by_task, abs=TOLERANCE)
        by_claim = [
            p
            for item in tasks()
            for claim in item.claims
            for p in probabilities(checked(checker, [CheckTask(item.text, (claim,), item.passages)]))
        ]
        assert together == pytest.approx(by_claim, abs=TOLERANCE)

    def test_the_order_of_tasks_does_not_matter(self, checker: Checker) -> None:
        order = list(range(len(tasks())))
        random.Random(7).shuffle(order)  # noqa: S311
        straight = checked(checker, tasks())
        shuffled = checked(checker, [tasks()[index] for index in order])
        for index, judgements in zip(order, shuffled, strict=True):
            assert probabilities([judgements]) == pytest.approx(probabilities([straight[index]]), abs=TOLERANCE)

    def test_label_and_flag_follow_the_threshold(self, checker: Checker) -> None:
        for judgement in (judgement for judgements in checked(checker, tasks()) for judgement in judgements):
            assert judgement.p_inconsistent is not None
            assert 0.0 <= judgement.p_inconsistent <= 1.0
            entailed = judgement.p_inconsistent <= checker.threshold
            assert (judgement.label is Label.ENTAILMENT) is entailed
            assert judgement.flagged is not entailed

    def test_evidence_lies_in_its_passage_and_its_scores_sum_to_one(self, checker: Checker) -> None:
        for item, judgements in zip(tasks(), checked(checker, tasks()), strict=True):
            texts = {passage.id: passage.text for passage in item.passages}
            for evidence in (evidence for judgement in judgements for evidence in judgement.evidence):
                assert 0 <= evidence.span.start < evidence.span.end <= len(texts[evidence.passage_id])
                assert sum(evidence.scores) == pytest.approx(1.0, abs=1e-4)

    def test_without_a_passage_a_claim_is_neutral_and_flagged_with_its_reason(self, checker: Checker) -> None:
        (judgement,) = checked(checker, [task("t", ["The sky is blue."], [])])[0]
        assert (judgement.label, judgement.flagged, judgement.reason) == (Label.NEUTRAL, True, "no_passage")

    def test_without_claims_there_are_no_judgements(self, checker: Checker) -> None:
        assert checked(checker, [task("t", [], ["Text."])]) == [[]]
        assert checked(checker, []) == []

    def test_one_checker_gives_equal_judgements_in_eight_threads(self, checker: Checker) -> None:
        expected = checked(checker, tasks())
        found = _scores(expected)
        for by_task in in_threads(lambda: checked(checker, tasks())):
            assert probabilities(by_task) == pytest.approx(probabilities(expected), abs=2e-6)
            assert _verdicts(by_task) == _verdicts(expected)
            assert _scores(by_task) == {place: pytest.approx(scores, abs=2e-6) for place, scores in found.items()}

    def test_a_task_that_raises_fails_alone(self, checker: Checker) -> None:
        broken = CheckTask(Text("broken", "x"), (None,), (Passage.of(PASSAGES[0]),))  # type: ignore[arg-type]
        with pytest.raises(Exception):  # noqa: B017, PT011
            checker.check([broken])
        good = tasks()[:2]
        first, error, last = isolated("check", [good[0], broken, good[1]], checker.check)
        assert isinstance(error, ItemError)
        assert error.stage == "check"
        assert not isinstance(first, ItemError)
        assert not isinstance(last, ItemError)
        expected = probabilities(checked(checker, good))
        assert probabilities([first, last]) == pytest.approx(expected, abs=TOLERANCE)


class PairScorerContract:
    """The promises of a scorer of (premise, hypothesis) pairs."""

    def test_the_fingerprint_is_a_stable_text_and_the_limit_a_number_of_tokens(self, scorer: PairScorer) -> None:
        assert isinstance(scorer.fingerprint, str)
        assert scorer.fingerprint
        assert scorer.fingerprint == scorer.fingerprint
        assert scorer.max_tokens > 0

    def test_three_probabilities_for_each_pair(self, scorer: PairScorer) -> None:
        scores = scorer.score(PAIRS)
        assert scores.shape == (len(PAIRS), 3)
        assert (scores >= 0).all()
        assert (scores <= 1).all()
        assert scores.sum(axis=1) == pytest.approx(np.ones(len(PAIRS)), abs=1e-4)

    def test_no_pairs_no_rows(self, scorer: PairScorer) -> None:
        assert scorer.score([]).shape == (0, 3)

    def test_alone_in_any_order_and_twice_the_scores_are_the_same(self, scorer: PairScorer) -> None:
        together = scorer.score(PAIRS)
        alone = np.concatenate([scorer.score([pair]) for pair in PAIRS])
        assert alone == pytest.approx(together, abs=TOLERANCE)
        assert scorer.score(PAIRS[::-1])[::-1] == pytest.approx(together, abs=TOLERANCE)
        assert scorer.score([*PAIRS, *PAIRS]) == pytest.approx(np.concatenate([together, together]), abs=TOLERANCE)

    def test_texts_beyond_the_limit_are_scored(self, scorer: PairScorer) -> None:
        long = "word " * (2 * scorer.max_tokens)
        scores = scorer.score([(long, CLAIMS[0]), (PASSAGES[0], long), (long, long), ("", "")])
        assert np.isfinite(scores).all()

    def test_one_scorer_gives_equal_scores_in_eight_threads(self, scorer: PairScorer) -> None:
        expected = scorer.score(PAIRS)
        for scores in in_threads(lambda: scorer.score(PAIRS)):
            assert scores == pytest.approx(expected, abs=2e-6)


def _verdicts(by_task: Sequence[Sequence[Judgement]]) -> list[tuple[Any, ...]]:
    return [(j.claim_id, j.label, j.flagged, j.reason) for judgements in by_task for j in judgements]


def _scores(by_task: Sequence[Sequence[Judgement]]) -> dict[str, tuple[float, ...]]:
    """The scores of the evidence by task, claim and passage. Which of two parts with equal scores is shown, and which
    of two passages comes first, may depend on the rounding error of a batch."""
    return {
        f"{n} {judgement.claim_id} {entry.passage_id}": tuple(entry.scores)
        for n, judgements in enumerate(by_task)
        for judgement in judgements
        for entry in judgement.evidence
    }
