"""The contract of correctors, as tests for your test suite. Needs pytest.

from graph_eval.correctors.corrector import as_corrector
from graph_eval.testing.correctors import CorrectorContract

class TestMyCorrector(CorrectorContract):
    @pytest.fixture
    def corrector(self):
        return as_corrector(MyCorrector())
"""

# ruff: noqa: S101

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from threading import Barrier
from typing import ClassVar

import pytest

from graph_eval.correctors.accept import Acceptance, Draft
from graph_eval.correctors.corrector import Corrector
from graph_eval.correctors.splice import SpliceError, applied, claim_spans, edits_of
from graph_eval.extractors.rules.extractor import RulesExtractor
from graph_eval.extractors.sentences import sentence_claims
from graph_eval.isolation import isolated
from graph_eval.types import (
    CorrectTask,
    EditProposal,
    Evidence,
    Example,
    ItemError,
    Judgement,
    Label,
    Passage,
    Proposal,
    Result,
    Scores,
    Span,
    Text,
    Unsupported,
)

THREADS = 8
SCORE_TOLERANCE = 1e-3  # by which a score may differ between two batches
CONTEXT = (
    "The tower of Orsa was opened in 1889. It is 38 metres tall and was never painted. The architect was Marta "
    "Lindqvist, who lived in Mora. Émile Zola visited it. 😀 Tickets cost 5 crowns in June."
)
RESPONSES = (
    "The tower of Orsa was opened in 1899. It is 83 metres tall.",
    "The architect was Greta Lindqvist, who had lived in Mora for years. Tickets cost 5 crowns in July.",
    "The tower was not opened in 1889, but Émile Zola visited it 😀 with his brother.",
    "the tower was was was painted.",
    "Tickets\n\n- cost 7 crowns\r\n- are sold in Paris",
    "x" * 3000 + " is tall.",
    "مرحبا بالعالم. The towér of Orsa closed in 1889.",
    "a\x00b was opened. <script>alert(1)</script> %s {{ 7*7 }}",
)
CONTEXTS = (CONTEXT, "", "Unrelated words only.", CONTEXT.upper(), CONTEXT * 20)


class CorrectorContract:
    """Give a fixture `corrector` that returns a new corrector.

    `corrects`: whether it replaces a wrong year by the one in the context. Set it to False for a corrector that does
    not. The tests of such corrections are skipped then.
    """

    corrects: ClassVar[bool] = True

    @pytest.fixture
    def corrector(self) -> Corrector:
        raise NotImplementedError("define a fixture `corrector` that returns your corrector")

    def test_each_task_has_a_list_of_proposals_best_first(self, corrector: Corrector) -> None:
        proposals = propose(corrector, tasks())
        assert any(proposals) or not self.corrects
        for of_task in proposals:
            scores = [proposal.score for proposal in of_task]
            assert scores == sorted(scores, reverse=True)

    def test_a_proposal_does_not_depend_on_its_batch(self, corrector: Corrector) -> None:
        batch = tasks()[:24]
        together = propose(corrector, batch)
        for turned, expected in zip(propose(corrector, batch[::-1])[::-1], together, strict=True):
            assert_same(turned, expected)
        for task, expected in zip(batch[::5], together[::5], strict=True):
            (alone,) = propose(corrector, [task])
            assert_same(alone, expected)

    def test_proposals_become_edits_of_the_claim_or_are_refused(self, corrector: Corrector) -> None:
        spliced = 0
        for task, proposals in zip(tasks(), propose(corrector, tasks()), strict=True):
            text = task.text.text
            for proposal in proposals:
                if isinstance(proposal, Unsupported):
                    continue
                try:
                    edits = edits_of(text, task.claim, proposal, corrector.anywhere)
                except SpliceError:
                    continue
                spliced += 1
                assert applied(text, edits) != text
                if isinstance(proposal, EditProposal):
                    spans = claim_spans(text, task.claim)
                    for edit in proposal.edits:
                        # A deleted word may be deleted with the blank before it.
                        start = edit.span.start + (not edit.new and edit.old.startswith(" "))
                        assert any(span.start <= start and edit.span.end <= span.end for span in spans)
                        assert edit.span.of(text) == edit.old
        assert spliced or not self.corrects

    def test_a_known_fact_is_corrected(self, corrector: Corrector) -> None:
        if not self.corrects:
            pytest.skip("the corrector does not correct a year")
        passages = (Passage.of(CONTEXT),)
        wrong_year = [
            task
            for task in tasks()
            if task.text.text == RESPONSES[0] and task.passages == passages and "1899" in task.claim.text
        ]
        texts = {
            applied(task.text.text, edits_of(task.text.text, task.claim, proposals[0], corrector.anywhere))
            for task, proposals in zip(wrong_year, propose(corrector, wrong_year), strict=True)
            if proposals
        }
        corrected = RESPONSES[0].replace("1899", "1889")
        assert texts & {corrected, corrected.replace("83", "38")}

    def test_no_task_no_proposals(self, corrector: Corrector) -> None:
        assert propose(corrector, []) == []

    def test_the_fingerprint_is_a_text_and_does_not_change(self, corrector: Corrector) -> None:
        assert isinstance(corrector.fingerprint, str)
        before = corrector.fingerprint
        propose(corrector, tasks()[:2])
        assert corrector.fingerprint == before

    def test_one_bad_task_does_not_stop_the_others(self, corrector: Corrector) -> None:
        good = tasks()[0]
        bad = replace(good, text=None, claim=None)  # type: ignore[arg-type]
        before, failed, after = isolated("correct", [good, bad, good], corrector.propose)
        (alone,) = propose(corrector, [good])
        assert isinstance(before, list)
        assert isinstance(after, list)
        assert_same(before, alone)
        assert_same(after, alone)
        assert isinstance(failed, ItemError) or all(isinstance(proposal, Unsupported) for proposal in failed)

    def test_threads_get_the_same_proposals(self, corrector: Corrector) -> None:
        batches = [tasks()[n :: 3 * THREADS] for n in range(THREADS)]
        barrier = Barrier(THREADS)

        def run(batch: Sequence[CorrectTask]) -> list[list[Proposal]]:
            barrier.wait()
            return propose(corrector, batch)

        with ThreadPoolExecutor(THREADS) as pool:
            outcomes = list(pool.map(run, batches))
        for batch, proposals in zip(batches, outcomes, strict=True):
            for of_task, expected in zip(proposals, propose(corrector, batch), strict=True):
                assert_same(of_task, expected)

    def test_results_of_equal_n_get_their_own_revisions(self, corrector: Corrector) -> None:
        self.check_revisions(flagged_results(), Acceptance(corrector, consistent).correct(flagged_results()))

    def test_threads_get_their_own_revisions(self, corrector: Corrector) -> None:
        acceptance = Acceptance(corrector, consistent)
        barrier = Barrier(THREADS)

        def run(number: int) -> tuple[list[Result], list[Result]]:
            results = [*flagged_results()[number:], *flagged_results()[:number]]
            barrier.wait()
            return results, acceptance.correct(results)

        with ThreadPoolExecutor(THREADS) as pool:
            for results, corrected in pool.map(run, range(THREADS)):
                self.check_revisions(results, corrected)

    def check_revisions(self, results: Sequence[Result], corrected: Sequence[Result]) -> None:
        """Each result has the revision of its own response."""
        for before, after in zip(results, corrected, strict=True):
            assert before.example is not None
            assert after.revision is not None
            assert replace(after, revision=None) == before
            corrections = after.revision.corrections
            assert [correction.claim_id for correction in corrections] == [claim.id for claim in before.claims]
            edits = {edit for correction in corrections if correction.is_made for edit in correction.edits}
            assert after.revision.text == applied(before.example.response, edits)
            if self.corrects:
                assert after.revision.text == before.example.response.replace("1899", "1889")


@cache
def tasks() -> tuple[CorrectTask, ...]:
    """Every claim of every response against every context."""
    texts = [Text(str(n), response) for n, response in enumerate(RESPONSES)]
    claims_of_texts = RulesExtractor().extract(texts)
    listed = []
    for context in CONTEXTS:
        passage = Passage.of(context)
        evidence = (Evidence(passage.id, Span(0, min(40, len(context))), Scores(0.1, 0.2, 0.7)),) if context else ()
        for text, claims in zip(texts, claims_of_texts, strict=True):
            assert isinstance(claims, list)
            for claim in claims:
                judgement = Judgement(claim.id, Label.CONTRADICTION, 0.9, True, evidence)
                listed.append(CorrectTask(text, claim, judgement, (passage,) if context else ()))
    return tuple(listed)


def propose(corrector: Corrector, batch: Sequence[CorrectTask]) -> list[list[Proposal]]:
    """The proposals of each task. Fails where a task has an error instead."""
    proposals = []
    for of_task in corrector.propose(batch):
        assert isinstance(of_task, list), of_task
        proposals.append(of_task)
    assert len(proposals) == len(batch)
    return proposals


def assert_same(proposals: Sequence[Proposal], expected: Sequence[Proposal]) -> None:
    """The same proposals, with the same scores and probabilities within SCORE_TOLERANCE."""
    assert list(map(_unrated, proposals)) == list(map(_unrated, expected))
    for name in ("score", "probability"):
        own, others = ([getattr(proposal, name, None) for proposal in of] for of in (proposals, expected))
        assert own == pytest.approx(others, abs=SCORE_TOLERANCE)


def _unrated(proposal: Proposal) -> Proposal:
    unrated = replace(proposal, score=0.0)
    return replace(unrated, probability=None) if isinstance(unrated, EditProposal) else unrated


def flagged_results() -> list[Result]:
    """Results with a wrong year each, all with n = 0."""
    results = []
    for number in range(THREADS):
        passage = Passage.of(f"Tower {number} of Orsa was opened in 1889.")
        example = Example("x", "d", f"Tower {number} of Orsa was opened in 1899.", (passage,))
        claims = tuple(sentence_claims(Text.of(example)))
        evidence = (Evidence(passage.id, Span(0, len(passage.text)), Scores(0.05, 0.05, 0.9)),)
        judgements = tuple(Judgement(claim.id, Label.CONTRADICTION, 0.95, True, evidence) for claim in claims)
        results.append(Result(0, example, claims, judgements, Label.CONTRADICTION, 0.95))
    return results


def consistent(drafts: Sequence[Draft]) -> list[Result]:
    """A recheck that accepts every draft."""
    results = []
    for draft in drafts:
        claims = tuple(sentence_claims(replace(Text.of(draft.example), focus=draft.focus)))
        judgements = tuple(Judgement(claim.id, Label.ENTAILMENT, 0.1, False) for claim in claims)
        results.append(Result(draft.n, draft.example, claims, judgements, Label.ENTAILMENT, 0.1))
    return results
