"""Where a claim's words stand in a passage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_eval.checkers.localization import locations
from graph_eval.text.locate import locate
from graph_eval.types import Claim, Match, Passage, Slot, Span

PASSAGE = (
    "Optimus, also known as Tesla Bot, is a robot under development by Tesla, Inc. It was announced at the "
    "company's AI Day event on August 19, 2021. Some 2.4 million crowns were paid to Marta Lindqvist. "
    "It was announced again in 2024."
)


def found(text: str, passage: str = PASSAGE, window: Span | None = None) -> tuple[Match, list[str], tuple[str, ...]]:
    location = locate("object", text, (text,), passage, window or Span(0, len(passage)))
    return location.match, [span.of(passage) for span in location.spans], location.missing


@pytest.mark.parametrize(
    ("text", "match", "spans", "missing"),
    [
        ("Tesla Bot", Match.EXACT, ["Tesla Bot"], ()),
        ("tesla bot", Match.NORMALISED, ["Tesla Bot"], ()),
        ("the Tesla Bot", Match.NORMALISED, ["Tesla Bot"], ()),
        ("2,400,000 crowns", Match.NORMALISED, ["2.4 million crowns"], ()),
        ("AI Day event on August 19, 2022", Match.SIMILAR, ["AI Day event", "August 19"], ("2022",)),
        ("Marta Lindquist", Match.SIMILAR, ["Marta Lindqvist"], ()),
        ("announcing", Match.SIMILAR, ["announced"], ()),
        ("announced in Berlin to investors", Match.MISSING, ["announced"], ("Berlin", "investors")),
        ("Austria", Match.MISSING, [], ("Austria",)),
        ("is", Match.EXACT, ["is"], ()),
        ("shall", Match.EMPTY, [], ()),
    ],
)
def test_levels_of_matching(text: str, match: Match, spans: list[str], missing: tuple[str, ...]) -> None:
    assert found(text) == (match, spans, missing)


def test_another_country_is_not_nearly_the_same_spelling() -> None:
    assert found("Austria", "He moved to Australia.")[0] is Match.MISSING


def test_part_of_a_word_is_no_match() -> None:
    assert found("art", "The Smart cart parted.")[0] is Match.MISSING


def test_words_inside_the_window_are_preferred_and_words_outside_still_found() -> None:
    window = Span(PASSAGE.index("It was announced again"), len(PASSAGE))
    location = locate("predicate", "was announced", ("was announced",), PASSAGE, window)
    assert location.spans[0].start > window.start
    location = locate("object", "Tesla Bot", ("Tesla Bot",), PASSAGE, window)
    assert location.match is Match.EXACT


def test_every_slot_has_a_location_and_a_sentence_claim_has_one() -> None:
    text = "Optimus won a prize in 2021."
    slots = (
        Slot("Optimus", (Span(0, 7),)),
        Slot("won in", (Span(8, 11), Span(20, 22))),
        Slot("a prize", (Span(12, 19),)),
    )
    passage = Passage.of("Optimus has won it in 2021.")
    claim = Claim.triplet("t", slots, text, Span(0, len(text)))
    subject, predicate, found_object = locations(claim, passage, Span(0, len(passage.text)))
    assert (subject.part, subject.match) == ("subject", Match.EXACT)
    assert predicate.match is Match.EXACT
    assert [span.of(passage.text) for span in predicate.spans] == ["won", "in"]
    assert (found_object.match, found_object.missing) == (Match.MISSING, ("prize",))
    (whole,) = locations(Claim.whole("t", text, Span(0, len(text))), passage, Span(0, len(passage.text)))
    assert (whole.part, whole.match, whole.missing) == ("sentence", Match.SIMILAR, ("prize",))


@given(st.text(max_size=60), st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_spans_lie_in_the_passage_in_order_and_missing_words_in_the_claim(
    text: str, passage: str, start: int, end: int
) -> None:
    window = Span(min(start, end, len(passage)), min(max(start, end), len(passage)))
    location = locate("object", text, (text,), passage, window)
    assert list(location.spans) == sorted(location.spans)
    for span in location.spans:
        assert 0 <= span.start < span.end <= len(passage)
    assert all(word in text for word in location.missing)
    if location.match is Match.EXACT:
        assert [span.of(passage) for span in location.spans] == [text.strip()] * len(location.spans)


@given(st.text(alphabet="ab 1.,'", min_size=1, max_size=30))
def test_a_text_is_found_exactly_in_itself(text: str) -> None:
    if any(character.isalnum() for character in text):
        location = locate("object", text, (text,), text, Span(0, len(text)))
        assert location.match in (Match.EXACT, Match.EMPTY)
