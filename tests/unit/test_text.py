"""Sentence spans, words, numbers and dates."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_eval.text.normalise import content_words, readable, stem, without_citations, without_marks, words
from graph_eval.text.quantities import Date, dates, numbers
from graph_eval.text.sentences import MAX_LENGTH, sentences, windows
from graph_eval.types import Span


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is warm [2].", "It is warm."),
        ("It is warm[2], and cold [1][3].", "It is warm, and cold."),
        ("It is warm (source: 2).", "It is warm."),
        ("Lutein (passage 2) is found in kale.", "Lutein is found in kale."),
        ("The fee [1] is 5 euros.", "The fee is 5 euros."),
        ("The interval is [2, 5] ms.",) * 2,
        ("The interval is [2, 5].",) * 2,
        ("Pages [12-15] are missing.",) * 2,
        ("The line runs through (1, 2).",) * 2,
    ],
)
def test_marks_of_sources_are_no_part_of_a_sentence(text: str, expected: str) -> None:
    assert readable(without_marks(text)) == expected


def test_citations_are_left_out() -> None:
    for mark in ("[1]", "[doc 2]", "[Doc. : 2]", "(Source: 2, 3)", "(passage 4)", "[refs.1-3]"):
        assert without_citations(f"It is old {mark}.") == "It is old ."
    assert without_citations("It is [doc two] (source).") == "It is [doc two] (source)."


def cut(text: str) -> list[str]:
    return [sentence.span.of(text) for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("--- ***", []),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Smith met J. K. Rowling. She left.", ["Dr. Smith met J. K. Rowling.", "She left."]),
        ("It is in the U.S. The rest is not.", ["It is in the U.S.", "The rest is not."]),
        ("He lives in the U.S. city of Reno.", ["He lives in the U.S. city of Reno."]),
        ("At 5 p.m. It closed.", ["At 5 p.m.", "It closed."]),
        ("it 's late . he did n't go .", ["it 's late .", "he did n't go ."]),
        ("he went home. she stayed.", ["he went home.", "she stayed."]),
        ('"Really?" he said.', ['"Really?" he said.']),
        ("It cost 3.5 million. Yes.", ["It cost 3.5 million.", "Yes."]),
        ("- one\n- two. three", ["one", "two.", "three"]),
        ("-Bread\n-Cheese", ["Bread", "Cheese"]),
        ("Steps: 1. Mix it 2. Bake it 3. Eat it", ["Steps:", "Mix it", "Bake it", "Eat it"]),
        ("1. Foo\n2) Bar\n(3) Baz", ["Foo", "Bar", "Baz"]),
        ("First line\nsecond line", ["First line", "second line"]),
        ("Wait... what?", ["Wait... what?"]),
        ("Wait. what?", ["Wait.", "what?"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_list_items_are_marked() -> None:
    assert [sentence.listed for sentence in sentences("Intro:\n- one\n- two\nEnd.")] == [False, True, True, False]


def test_a_text_without_a_blank_is_cut_hard() -> None:
    pieces = sentences("a" * (3 * MAX_LENGTH))
    assert [len(piece.span.of("a" * (3 * MAX_LENGTH))) for piece in pieces] == [MAX_LENGTH] * 3


@given(st.text())
def test_sentence_spans_are_ordered_disjoint_and_keep_every_letter(text: str) -> None:
    spans = [sentence.span for sentence in sentences(text)]
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(span.of(text) == span.of(text).strip() for span in spans)
    inside = {place for span in spans for place in range(*span)}
    outside = "".join(character for place, character in enumerate(text) if place not in inside)
    assert not any(character.isalpha() for character in outside.replace("a", "").replace("A", "")) or any(
        mark in text for mark in ".)"
    )


def test_windows() -> None:
    assert windows(3, (1, 3)) == [(0, 1), (1, 2), (2, 3), (0, 3)]
    assert windows(2, (3,)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it 's late , did n't he say ?", "it's late, didn't he say?"),
        ("-LRB- really -RRB-", "(really)"),
        ("`` yes , '' he said", '"yes," he said'),
        ("a  b\n c", "a b c"),
        ("19 - year - old", "19-year-old"),
    ],
)
def test_readable(text: str, expected: str) -> None:
    assert readable(text) == expected


def test_words_have_exact_spans_and_one_spelling() -> None:
    text = "The Dog’s 1,000 bones"
    assert words(text) == [("the", Span(0, 3)), ("dog", Span(4, 9)), ("1000", Span(10, 15)), ("bones", Span(16, 21))]
    assert [word for word, _ in content_words(text)] == ["dog", "1000", "bones"]


@pytest.mark.parametrize("forms", [("move", "moves", "moved", "moving"), ("city", "cities"), ("stop", "stopped")])
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("twenty-one people", ["21"]),
        ("3.5 million and 1,000.50", ["3500000.0", "1000.50"]),
        ("two hundred and five", ["205"]),
        ("three thousand four hundred", ["3400"]),
        ("the 2nd and the fifth", ["2", "5"]),
        ("a hundred", ["100"]),
        ("forty-second", ["42"]),
        ("one two", ["1", "2"]),
        ("no number", []),
        ("v1.2.3", []),
    ],
)
def test_numbers(text: str, values: list[str]) -> None:
    assert [number.value for number in numbers(text)] == [Decimal(value) for value in values]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 19 August 2021", (2021, 8, 19)),
        ("Aug. 19", (None, 8, 19)),
        ("May 2020", (2020, 5, None)),
        ("2021-08-19", (2021, 8, 19)),
        ("the 3rd of June", (None, 6, 3)),
    ],
)
def test_dates(text: str, expected: tuple[int | None, int, int | None]) -> None:
    assert [(date.year, date.month, date.day) for date in dates(text)] == [expected]


def test_a_bare_month_is_no_date() -> None:
    assert dates("You may march on.") == []


def test_dates_agree_where_both_speak() -> None:
    span = Span(0, 1)
    assert Date(2021, 8, 19, span).agrees(Date(None, 8, 19, span))
    assert not Date(2021, 8, 19, span).agrees(Date(2022, 8, 19, span))


@given(st.text())
def test_numbers_and_dates_lie_in_their_text(text: str) -> None:
    for quantity in [*numbers(text), *dates(text)]:
        assert 0 <= quantity.span.start < quantity.span.end <= len(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Heat it to 350 degrees F. Bake it for 20 minutes.", 2),
        ("Heat it to 350 degrees F. for 20 minutes.", 1),
        ("There are two ways: A and C. Route A takes two hours.", 2),
        ("I met John A. Smith there.", 1),
        ("Malcolm X and J. Edgar Hoover met.", 1),
        ("Take plan B. It is cheaper.", 2),
        ("Most voted no. The turnout was low.", 2),
        ("See no. 5 of the list.", 1),
        ("Her passport no. AB123 expired in May.", 1),
        ("It is closed from force 8. The mean was 9. Call us.", 3),
        ("Bach's Suite in A. Bach wrote it.", 1),
    ],
)
def test_a_letter_may_end_a_sentence(text: str, count: int) -> None:
    assert len(sentences(text)) == count
