"""What is kept of proposals, with a checker that knows the truth and claims that are sentences."""

from collections.abc import Sequence

import pytest

from graph_eval.correctors.accept import FLAGGED_EXTERNALLY, NO_CORRECTION, Acceptance, Draft
from graph_eval.correctors.builtin import BuiltinCorrector
from graph_eval.correctors.splice import applied, edits_of, shifted
from graph_eval.extractors.sentences import sentence_claims
from graph_eval.pipeline import GraphEval
from graph_eval.types import (
    Claim,
    Correction,
    CorrectTask,
    Edit,
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
    SlotProposal,
    Span,
    Status,
    Text,
    TextProposal,
    Unsupported,
)

TEXT = "The tower opened in 1899. It is 48 metres tall. It is red."
TRUE = {"The tower opened in 1889.", "It is 38 metres tall.", "It is red."}


def judge(drafts: Sequence[Draft], true: set[str] = TRUE) -> list[Result]:
    results = []
    for draft in drafts:
        claims = sentence_claims(Text(draft.example.key, draft.example.response, focus=draft.focus))
        judgements = tuple(
            Judgement(claim.id, Label.ENTAILMENT, 0.1, False)
            if claim.text in true
            else Judgement(claim.id, Label.NEUTRAL, 0.9, True)
            for claim in claims
        )
        results.append(Result(draft.n, draft.example, tuple(claims), judgements, Label.NEUTRAL, 0.9))
    return results


class Scripted:
    """Proposals by the claim's text."""

    fingerprint = "scripted"
    anywhere = False

    def __init__(self, **proposals: list[Proposal] | ItemError) -> None:
        self.by_claim = proposals

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        return [self.by_claim.get(task.claim.text, []) for task in tasks]


def corrected(proposals: dict[str, list[Proposal] | ItemError], **more: object) -> tuple[str, list[Correction]]:
    (result,) = judge([Draft(0, Example("x", "d", TEXT, (Passage.of("c"),)))])
    (after,) = Acceptance(Scripted(**proposals), judge, **more).correct([result])  # type: ignore[arg-type]
    assert after.revision is not None
    return after.revision.text, list(after.revision.corrections)


def parts(text: str) -> SlotProposal:
    return SlotProposal((text,))


def test_each_claim_is_mended_by_itself() -> None:
    text, corrections = corrected(
        {
            "The tower opened in 1899.": [parts("The tower opened in 1889.")],
            "It is 48 metres tall.": [parts("It is 38 metres tall.")],
        }
    )
    assert text == "The tower opened in 1889. It is 38 metres tall. It is red."
    assert [(correction.status, correction.p_before, correction.p_after) for correction in corrections] == [
        (Status.APPLIED, 0.9, 0.1)
    ] * 2


def test_the_next_proposal_is_tried_within_limits() -> None:
    wrong = [parts(f"The tower opened in {year}.") for year in (1900, 1901, 1889)]
    text, corrections = corrected({"The tower opened in 1899.": wrong})
    assert "1889" in text
    text, corrections = corrected({"The tower opened in 1899.": wrong}, tries=2)
    assert text == TEXT
    assert corrections[0].reason == "it would still be flagged (p 0.90)"


def test_without_a_proposal_the_claim_stays_flagged() -> None:
    text, corrections = corrected({})
    assert text == TEXT
    assert {(correction.status, correction.reason) for correction in corrections} == {(Status.REJECTED, NO_CORRECTION)}


def test_an_edit_that_makes_another_claim_wrong_does_not_stay() -> None:
    both = "The tower fell. It opened in 1889."
    text, corrections = corrected({"The tower opened in 1899.": [parts(both)]})
    assert text == TEXT
    assert "flagged" in (corrections[0].reason or "")


def test_a_corrector_that_fails_is_named() -> None:
    text, corrections = corrected({"The tower opened in 1899.": ItemError("correct", "no answer")})
    assert text == TEXT
    assert (corrections[0].status, corrections[0].reason) == (Status.FAILED, "no answer")


class Raising(Scripted):
    """Raises for a claim that has an exception in place of its proposals."""

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        for task in tasks:
            if isinstance(problem := self.by_claim.get(task.claim.text), Exception):
                raise problem
        return super().propose(tasks)


def test_an_exception_fails_the_claim_that_caused_it_only() -> None:
    proposals = {
        "The tower opened in 1899.": RuntimeError("no idea"),
        "It is 48 metres tall.": [parts("It is 38 metres tall.")],
    }
    (result,) = judge([Draft(0, Example("x", "d", TEXT, (Passage.of("c"),)))])
    (after,) = Acceptance(Raising(**proposals), judge).correct([result])  # type: ignore[arg-type]
    assert after.revision is not None
    assert after.revision.text == TEXT.replace("48", "38")
    failed, corrected_claim = after.revision.corrections
    assert failed.status is Status.FAILED
    assert "RuntimeError: no idea" in (failed.reason or "")
    assert corrected_claim.status is Status.APPLIED


def test_what_is_no_proposal_is_rejected() -> None:
    text, corrections = corrected({"The tower opened in 1899.": ["The tower opened in 1889."]})  # type: ignore[list-item]
    assert text == TEXT
    assert "is not a proposal" in (corrections[0].reason or "")


def test_results_without_flagged_claims_stay_between_those_with_a_revision() -> None:
    """All have the same n: results and revisions are paired by position."""
    true = "The tower opened in 1889."
    responses = [TEXT, true, TEXT.replace("1899", "1889"), true, TEXT]
    results = judge([Draft(7, Example("x", "d", response, (Passage.of("c"),))) for response in responses])
    proposals = {
        "The tower opened in 1899.": [parts("The tower opened in 1889.")],
        "It is 48 metres tall.": [parts("It is 38 metres tall.")],
    }
    after = Acceptance(Scripted(**proposals), judge).correct(results)  # type: ignore[arg-type]
    mended = "The tower opened in 1889. It is 38 metres tall. It is red."
    assert [result.revision and result.revision.text for result in after] == [mended, None, mended, None, mended]
    counts = [len(result.revision.corrections) for result in after if result.revision]
    assert counts == [2, 1, 2]
    for result in after:
        if result.revision is not None:
            assert result.revision.result is not None
            assert result.revision.result.example is not None
            assert result.revision.result.example.response == mended


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("keep", TEXT),
        ("drop", "The tower opened in 1899. It is red."),
        ("drop first", "It is 48 metres tall. It is red."),
    ],
)
def test_what_the_context_does_not_say(choice: str, expected: str) -> None:
    claim = "The tower opened in 1899." if choice == "drop first" else "It is 48 metres tall."
    text, corrections = corrected({claim: [Unsupported()]}, on_unsupported=choice.split()[0])
    assert text == expected
    assert Status.UNSUPPORTED in {correction.status for correction in corrections}


def test_a_sentence_with_a_supported_claim_is_not_dropped() -> None:
    (result,) = judge([Draft(0, Example("x", "d", TEXT, (Passage.of("c"),)))])
    first = result.claims[0]
    extra = Claim.whole(first.text_id, "The tower opened.", first.sentence)
    good = Judgement(extra.id, Label.ENTAILMENT, 0.1, False)
    result = Result(0, result.example, (*result.claims, extra), (*result.judgements, good), Label.NEUTRAL, 0.9)
    scripted = Scripted(**{"The tower opened in 1899.": [Unsupported()]})
    (after,) = Acceptance(scripted, judge, on_unsupported="drop").correct([result])
    assert after.revision is not None
    assert after.revision.text == TEXT
    assert "supported claims too" in (after.revision.corrections[0].reason or "")


def test_a_corrector_deletes_a_sentence_where_the_user_allows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scripted, "anywhere", True)
    rest = "It is 48 metres tall. It is red."
    proposals: dict[str, list[Proposal] | ItemError] = {"The tower opened in 1899.": [TextProposal(rest)]}
    assert corrected(proposals)[0] == TEXT
    assert corrected(proposals, on_unsupported="drop")[0] == rest


def test_what_somebody_else_flagged_must_not_look_worse() -> None:
    (result,) = judge([Draft(0, Example("x", "d", TEXT, (Passage.of("c"),)))])
    given = tuple(
        Judgement(judgement.claim_id, Label.NEUTRAL, 0.95, True, reason=FLAGGED_EXTERNALLY)
        if judgement.flagged
        else judgement
        for judgement in result.judgements
    )
    result = Result(0, result.example, result.claims, given, Label.NEUTRAL, 0.95)
    scripted = Scripted(**{"The tower opened in 1899.": [parts("The tower opened in 1890.")]})
    (after,) = Acceptance(scripted, judge).correct([result])
    assert after.revision is not None
    assert "1890" in after.revision.text


def test_a_second_judge_is_asked_about_what_the_first_accepts() -> None:
    rechecked = []

    def second(drafts: Sequence[Draft]) -> list[Result]:
        rechecked.extend(drafts)
        return judge(drafts, set())

    wrong = [parts("The tower opened in 1900."), parts("The tower opened in 1889.")]
    text, corrections = corrected({"The tower opened in 1899.": wrong}, second_recheck=second)
    assert text == TEXT
    assert len(rechecked) == 1
    assert corrections[0].reason is not None
    assert corrections[0].reason.endswith("second checker: it would still be flagged (p 0.90)")


def test_spans_are_shifted_by_edits() -> None:
    edits = [Edit(Span(4, 9), "tower", "old spire"), Edit(Span(20, 24), "1899", "")]
    assert shifted([Span(0, 3), Span(4, 9), Span(10, 16), Span(20, 24), Span(26, 28)], edits) == [
        Span(0, 3),
        Span(4, 13),
        Span(14, 20),
        Span(24, 24),
        Span(26, 28),
    ]


# The builtin corrector


def proposed(claim: str, context: str) -> list[str]:
    """The claim with each proposal that is probable enough."""
    passage = Passage.of(context)
    text = Text("t", claim)
    flagged = Claim.whole("t", claim, Span(0, len(claim)))
    evidence = Evidence(passage.id, Span(0, len(context)), Scores(0.1, 0.8, 0.1))
    judgement = Judgement(flagged.id, Label.NEUTRAL, 0.9, True, (evidence,))
    corrector = BuiltinCorrector()
    (proposals,) = corrector.propose([CorrectTask(text, flagged, judgement, (passage,))])
    assert isinstance(proposals, list)
    assert isinstance(proposals[-1], Unsupported)  # of a claim that the context does not mention
    edits = [proposal for proposal in proposals if isinstance(proposal, EditProposal)]
    assert len(edits) == len(proposals) - 1
    probable = [edit for edit in edits if (edit.probability or 0.0) >= corrector.min_probability]
    return [applied(claim, edits_of(claim, flagged, edit)) for edit in probable]


@pytest.mark.parametrize(
    ("claim", "context", "expected"),
    [
        ("The tower was opened in 1899.", "The tower was opened in 1889.", "The tower was opened in 1889."),
        ("The tower is 48 metres tall.", "It is 38 metres tall and has 48 steps.", "The tower is 38 metres tall."),
        ("The tower is 58 metres tall.", "It is 38 metres tall and has 12 windows.", "The tower is 38 metres tall."),
        ("The tower opened in March.", "The tower opened in May.", "The tower opened in May."),
        ("Anna Berg painted the old mill.", "Clara Berg painted the old mill.", "Clara Berg painted the old mill."),
        ("The loss was slowest after 2015.", "The loss was fastest after 2015.", "The loss was fastest after 2015."),
        ("The tower was opened in 1889.", "", None),
    ],
)
def test_what_the_offline_corrector_proposes_first(claim: str, context: str, expected: str | None) -> None:
    texts = proposed(claim, context)
    assert (texts[0] if texts else None) == expected


@pytest.mark.parametrize("claim", ["The mayor likes tea.", "The bridge is closed on Mondays."])
def test_what_the_context_does_not_mention_stays(claim: str) -> None:
    ge = GraphEval()
    result = ge.correct(ge.check(claim, context="The tower was opened in 1889."))
    assert result.revision is not None
    assert result.revision.text == claim
    assert {correction.status for correction in result.revision.corrections} <= {Status.UNSUPPORTED, Status.REJECTED}
