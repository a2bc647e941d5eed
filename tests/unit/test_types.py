"""Values: identity, spans, what is derived."""

import pytest

from graph_eval.types import (
    Claim,
    Example,
    Judgement,
    Label,
    Passage,
    Result,
    Revision,
    Slot,
    Span,
    Text,
    content_hash,
)


def test_a_hash_depends_on_where_parts_end() -> None:
    assert content_hash("ab", "c") != content_hash("a", "bc")


def test_equal_passages_are_one() -> None:
    assert Passage.of("x") == Passage.of("x")
    assert Passage.of("x").id != Passage.of("y").id


def test_a_response_to_another_context_is_another_record() -> None:
    first = Example("1", "set", "text", (Passage.of("a", "page 1"),))
    assert first.key == Example("1", "set", "text", (Passage.of("a", "page 2"),), meta={"x": 1}).key
    assert first.key != Example("1", "set", "text", (Passage.of("b", "page 1"),)).key
    assert first.key != Example("2", "set", "text").key


def test_focus_limits_by_overlap() -> None:
    text = Text("t", "One. Two.", focus=(Span(5, 7),))
    assert not text.in_focus(Span(0, 4))
    assert text.in_focus(Span(5, 9))
    assert Text("t", "One.").in_focus(Span(0, 4))


def test_a_slot_spells_its_spans_out() -> None:
    assert Slot("won in", (Span(2, 5), Span(11, 13))).verbatim("x won five in") == "won in"


def test_claim_spans_are_those_of_its_slots_or_its_sentence() -> None:
    slots = (Slot("a", (Span(0, 1),)), Slot("is", (Span(2, 4),)), Slot("b", (Span(5, 6),)))
    claim = Claim.triplet("t", slots, "A is b.", Span(0, 6))
    assert claim.spans == (Span(0, 1), Span(2, 4), Span(5, 6))
    assert Claim.whole("t", "A.", Span(0, 2)).spans == (Span(0, 2),)


def test_a_claim_id_follows_words_and_place() -> None:
    assert Claim.whole("t", "A.", Span(0, 2)).id == Claim.whole("t", "A.", Span(0, 2)).id
    assert Claim.whole("t", "A.", Span(0, 2)).id != Claim.whole("t", "A.", Span(3, 5)).id


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        (Label.ENTAILMENT, False),
        (Label.ABSTAIN, False),
        (Label.NEUTRAL, True),
        (Label.CONTRADICTION, True),
        (None, False),
    ],
)
def test_inconsistent(label: Label | None, expected: bool) -> None:
    assert Result(0, None, label=label).inconsistent is expected


def test_flagged_pairs_claims_with_verdicts() -> None:
    claims = (Claim.whole("t", "A.", Span(0, 2)), Claim.whole("t", "B.", Span(3, 5)))
    judgements = (
        Judgement(claims[0].id, Label.ENTAILMENT, 0.1, flagged=False),
        Judgement(claims[1].id, Label.NEUTRAL, 0.9, flagged=True),
    )
    result = Result(0, None, claims, judgements)
    assert [finding.claim for finding in result.flagged] == [claims[1]]
    assert Result(0, None, claims).findings == ()


def test_the_final_text_is_that_of_the_last_round() -> None:
    second = Revision("two", (), Result(0, None))
    first = Revision("one", (), Result(0, None, revision=second))
    assert (Revision("zero", ()).final_text, first.final_text, second.final_text) == ("zero", "two", "two")


def test_a_claim_names_the_slots_that_words_lie_in() -> None:
    text = "Ada wrote books in Bonn."
    slots = (Slot("Ada", (Span(0, 3),)), Slot("wrote in", (Span(4, 9), Span(16, 18))), Slot("Bonn", (Span(19, 23),)))
    claim = Claim.triplet("t", slots, text, Span(0, len(text)))
    assert claim.parts_at([Span(17, 21)]) == ("predicate", "object")
    assert claim.parts_at([Span(10, 15)]) == ()
    assert Claim.whole("t", text, Span(0, len(text))).parts_at([Span(0, 3)]) == ()
