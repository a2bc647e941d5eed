"""Edits that are too little probable are offered, and phrases that the context does not mention are left out."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from graph_eval.correctors.accept import Acceptance, Draft
from graph_eval.correctors.splice import moved_edit
from graph_eval.types import (
    Claim,
    Correction,
    Edit,
    EditProposal,
    Example,
    Judgement,
    Label,
    Passage,
    Result,
    Span,
    Status,
    Unsupported,
)
from tests.unit.test_accept import TEXT, TRUE, Scripted, judge, parts

TOWER, HEIGHT = "The tower opened in 1899.", "It is 48 metres tall."


def edit(old: str, new: str, text: str = TEXT) -> Edit:
    start = text.index(old)
    return Edit(Span(start, start + len(old)), old, new)


def proposal(old: str, new: str, probability: float) -> EditProposal:
    return EditProposal((edit(old, new),), probability, probability)


def corrected(proposals: dict[str, list], text: str = TEXT, check=judge, **more) -> tuple[str, dict[str, Correction]]:
    (result,) = check([Draft(0, Example("x", "d", text, (Passage.of("c"),)))])
    more = {"min_probability": 0.5, **more}
    (after,) = Acceptance(Scripted(**proposals), check, **more).correct([result])
    texts = {finding.claim.id: finding.claim.text for finding in result.findings}
    return after.revision.text, {texts[item.claim_id]: item for item in after.revision.corrections}


def test_an_edit_below_the_minimum_is_offered_with_its_probability() -> None:
    text, found = corrected({TOWER: [proposal("1899", "1889", 0.3)]})
    assert text == TEXT
    assert (found[TOWER].status, found[TOWER].probability) == (Status.SUGGESTED, 0.3)
    assert found[TOWER].edits == (edit("1899", "1889"),)
    assert found[TOWER].p_after == 0.1
    assert found[TOWER].reason == "probability 0.30 is below the minimum of 0.50"


def test_the_same_edit_is_made_from_its_probability_on() -> None:
    text, found = corrected({TOWER: [proposal("1899", "1889", 0.3)]}, min_probability=0.3)
    assert text == TEXT.replace("1899", "1889")
    assert (found[TOWER].status, found[TOWER].probability) == (Status.APPLIED, 0.3)


def test_a_corrector_without_probabilities_makes_its_edits() -> None:
    text, found = corrected({TOWER: [parts("The tower opened in 1889.")]}, min_probability=1.0)
    assert text == TEXT.replace("1899", "1889")
    assert found[TOWER].probability is None


def test_the_most_probable_doubtful_edit_is_the_one_that_is_offered() -> None:
    offers = [proposal("1899", "1901", 0.2), proposal("1899", "1889", 0.4)]
    _, found = corrected({TOWER: offers})
    assert found[TOWER].edits[0].new == "1889"


def test_what_the_checker_would_still_flag_is_not_offered() -> None:
    _, found = corrected({TOWER: [proposal("1899", "1901", 0.4)]})
    assert (found[TOWER].status, found[TOWER].edits) == (Status.REJECTED, ())
    assert found[TOWER].reason == "it would still be flagged (p 0.90)"


def test_a_sure_edit_comes_before_an_offer_of_the_same_claim() -> None:
    text, found = corrected({TOWER: [proposal("1899", "1889", 0.6), proposal("opened", "closed", 0.4)]})
    assert text == TEXT.replace("1899", "1889")
    assert found[TOWER].status is Status.APPLIED


def test_a_claim_that_the_edit_of_another_one_mends_is_not_offered_anything() -> None:
    """The words of one claim are words of the other too."""
    whole = Claim.whole("t", TOWER[:-1], Span(0, len(TOWER)))

    def check(drafts: Sequence[Draft]) -> list[Result]:
        results = judge(drafts)
        return [
            Result(
                result.n,
                result.example,
                (*result.claims, whole),
                (*result.judgements, Judgement(whole.id, Label.NEUTRAL, 0.8, True)),
                Label.NEUTRAL,
                0.9,
            )
            if result.example.response == TEXT
            else result
            for result in results
        ]

    offers = {TOWER: [proposal("1899", "1889", 0.9)], TOWER[:-1]: [proposal("1899", "1901", 0.2)]}
    text, found = corrected(offers, check=check)
    assert text == TEXT.replace("1899", "1889")
    assert found[TOWER[:-1]].reason == "mended by the edit of another claim"


def test_an_edit_by_which_another_claim_loses_much_support_is_rejected() -> None:
    def check(drafts: Sequence[Draft]) -> list[Result]:
        results = []
        for result in judge(drafts, TRUE | {"The tower opened in 1889 and is red."}):
            p = 0.45 if "1889" in result.example.response else 0.1
            claim = Claim.whole(result.claims[0].text_id, "The tower opened.", result.claims[0].sentence)
            judgements = (*result.judgements, Judgement(claim.id, Label.ENTAILMENT, p, False))
            results.append(Result(result.n, result.example, (*result.claims, claim), judgements, None, p))
        return results

    _, found = corrected({TOWER: [proposal("1899", "1889", 0.9)]}, check=check)
    assert found[TOWER].reason == "another claim would be less supported"


UNSAID = "The tower opened in 1889 in the rain of May."


@pytest.mark.parametrize(("choice", "expected"), [("keep", UNSAID), ("drop", "The tower opened in 1889.")])
def test_the_phrase_that_carries_an_unsupported_claim_is_left_out(choice: str, expected: str) -> None:
    deletions = ((edit(" of May", "", UNSAID),), (edit(" in the rain of May", "", UNSAID),))
    text, found = corrected({UNSAID: [Unsupported(0.0, deletions)]}, UNSAID, on_unsupported=choice)
    assert text == expected
    if choice == "drop":
        # The smaller deletion left a claim that is still flagged.
        assert (found[UNSAID].status, found[UNSAID].reason) == (Status.UNSUPPORTED, "the context does not say")
        assert found[UNSAID].edits == deletions[1]
    else:
        assert found[UNSAID].edits == ()


def test_a_replacement_comes_before_a_deletion() -> None:
    deletions = ((edit(" in 1899", ""),),)
    proposals = [proposal("1899", "1889", 0.9), Unsupported(0.0, deletions)]
    text, found = corrected({TOWER: proposals}, on_unsupported="drop")
    assert text == TEXT.replace("1899", "1889")
    assert found[TOWER].status is Status.APPLIED


def test_without_a_fitting_deletion_the_sentence_goes_or_is_hedged() -> None:
    deletions = ((edit(" in 1899", ""),),)
    text, _ = corrected({TOWER: [Unsupported(0.0, deletions)]}, on_unsupported="drop")
    assert text == "It is 48 metres tall. It is red."
    text, _ = corrected({TOWER: [Unsupported(0.0, deletions)]}, on_unsupported="hedge")
    assert text.startswith("The tower opened in 1899 (not confirmed by the context).")


def test_with_keep_a_doubtful_edit_of_an_unsupported_claim_is_still_offered() -> None:
    _, found = corrected({TOWER: [proposal("1899", "1889", 0.2), Unsupported(0.0)]})
    assert found[TOWER].status is Status.SUGGESTED
    _, found = corrected({TOWER: [proposal("1899", "1889", 0.2), Unsupported(0.0)]}, on_unsupported="drop")
    assert found[TOWER].status is Status.UNSUPPORTED


def test_the_next_probable_edit_is_offered_where_the_first_would_still_be_flagged() -> None:
    _, found = corrected({TOWER: [proposal("1899", "1901", 0.4), proposal("1899", "1889", 0.3)]})
    assert (found[TOWER].status, found[TOWER].probability) == (Status.SUGGESTED, 0.3)


def test_an_offer_is_withdrawn_where_a_later_claim_gets_the_edit() -> None:
    """The more doubtful claim comes first, so that its offer waits while the other claim is corrected."""
    whole = Claim.whole("t", TOWER[:-1], Span(0, len(TOWER)))

    def check(drafts: Sequence[Draft]) -> list[Result]:
        return [
            replace(
                result,
                claims=(*result.claims, whole),
                judgements=(*result.judgements, Judgement(whole.id, Label.NEUTRAL, 0.95, True)),
            )
            if result.example.response == TEXT
            else result
            for result in judge(drafts)
        ]

    for new in ("1889", "1901"):
        offers = {TOWER: [proposal("1899", "1889", 0.9)], TOWER[:-1]: [proposal("1899", new, 0.2)]}
        text, found = corrected(offers, check=check)
        assert text == TEXT.replace("1899", "1889")
        assert found[TOWER[:-1]].status is Status.APPLIED
        assert found[TOWER[:-1]].reason == "mended by the edit of another claim"


@pytest.mark.parametrize("choice", ["drop", "hedge"])
@pytest.mark.parametrize("p", [0.8, 0.95])
def test_a_sentence_is_dropped_or_hedged_only_after_the_edits_of_its_other_claims(choice: str, p: float) -> None:
    whole = Claim.whole("t", TOWER[:-1], Span(0, len(TOWER)))

    def check(drafts: Sequence[Draft]) -> list[Result]:
        return [
            replace(
                result,
                claims=(*result.claims, whole),
                judgements=(*result.judgements, Judgement(whole.id, Label.NEUTRAL, p, True)),
            )
            if result.example.response == TEXT
            else result
            for result in judge(drafts)
        ]

    proposals = {TOWER: [proposal("1899", "1889", 0.9)], TOWER[:-1]: [Unsupported(0.0)]}
    text, found = corrected(proposals, check=check, on_unsupported=choice)
    assert text == TEXT.replace("1899", "1889")
    assert {item.status for item in found.values() if item.edits} == {Status.APPLIED}


@pytest.mark.parametrize("deletions", [(), ((edit(" of May", "", UNSAID),),)])
def test_what_is_kept_has_the_same_status_with_and_without_deletions(deletions: tuple) -> None:
    _, found = corrected({UNSAID: [Unsupported(0.0, deletions)]}, UNSAID)
    assert (found[UNSAID].status, found[UNSAID].reason) == (Status.UNSUPPORTED, "the context does not say")


def test_an_edit_behind_an_insertion_at_the_same_place_moves_with_the_text() -> None:
    insertion = Edit(Span(24, 24), "", " (x)")
    assert moved_edit(edit("1899", "1889"), (insertion,)) == edit("1899", "1889")
    assert moved_edit(edit("48", "38"), (insertion,)).span.start == TEXT.index("48") + len(" (x)")


def test_a_correction_is_made_if_the_text_has_its_edits() -> None:
    statuses = {status: Correction("c", (edit("1899", "1889"),), status, None, 0.9, 0.1).is_made for status in Status}
    assert {status for status, made in statuses.items() if made} == {Status.APPLIED, Status.UNSUPPORTED}
    assert not Correction("c", (), Status.UNSUPPORTED, None, 0.9).is_made
