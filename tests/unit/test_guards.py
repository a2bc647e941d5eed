"""What models put in the place of a correction is rejected with its reason; corrections pass."""

import re

import pytest

from graph_eval.correctors.guards import objection
from graph_eval.correctors.splice import changes
from graph_eval.types import Edit, Passage, Span

TEXT = "Marie Curie won the Nobel Prize in 1904. She was born in Warsaw."
PASSAGES = (Passage.of("Marie Curie won the Nobel Prize in Physics in 1903 – and in 1911 that in Chemistry (Sweden)."),)


def edits(revised: str, text: str = TEXT) -> list[Edit]:
    return [Edit(Span(start, end), text[start:end], new) for start, end, new in changes(text, revised)]


@pytest.mark.parametrize(
    ("revised", "reason"),
    [
        ("I'm sorry, but I can't help with that.", "refusal"),
        ("I cannot correct this text.", "refusal"),
        ("As an AI language model, I have no access to the context.", "refusal"),
        ("Here is the corrected text: " + TEXT.replace("1904", "1903"), "begins with words"),
        ("Sure! Here's the corrected version:\n" + TEXT.replace("1904", "1903"), "begins with words"),
        ("Corrected text: " + TEXT.replace("1904", "1903"), "begins with words"),
        ("The corrected response:\n\n" + TEXT.replace("1904", "1903"), "begins with words"),
        (TEXT.replace("1904", "1903 " * 2000), "would grow"),
        (TEXT.replace("the Nobel", "the the Nobel"), "doubles the word 'the'"),
        (TEXT.replace("won the Nobel Prize in 1904", "won the"), "break off after 'the'"),
        (TEXT.replace("in 1904", "in"), "break off after 'in'" ),
        (TEXT.replace("1904", "<script>alert(1)</script>1903"), "markup"),
        (TEXT.replace("1904", "1903\u202e"), r"character .* \(U\+202E\)"),
        (TEXT.replace("1904", "1903\x07"), r"U\+0007"),
        (TEXT.replace("1904", "1903 🗼"), "character"),
        (TEXT.replace("Warsaw.", "Warsaw"), "lose its full stop"),
        (TEXT.replace("1904. She", "1903 she"), "a sentence would lose"),
        (TEXT.replace("the Nobel Prize in 1904", "I'm sorry, but I can't say"), "refusal"),
        ("", "nothing would be left"),
        ("Marie Curie won the Nobel Prize in 1904.", "deletes a whole sentence"),
    ],
)  # fmt: skip
def test_what_is_no_correction_is_rejected(revised: str, reason: str) -> None:
    found = objection(TEXT, edits(revised), PASSAGES)
    assert found is not None
    assert re.search(reason, found), found


@pytest.mark.parametrize(
    ("text", "revised"),
    [
        (TEXT, TEXT.replace("1904", "1903")),
        (TEXT, TEXT.replace("the Nobel Prize", "the Nobel Prize in Physics")),
        (TEXT, TEXT.replace(" in 1904", "")),
        (TEXT, TEXT.replace("Warsaw.", "Warsaw!")),
        (TEXT, TEXT.replace("1904", "1903 – in Sweden")),
        (TEXT, TEXT.replace("won", "had had to win")),
        ("I'm sorry, but returns take 30 days.", "I'm sorry, but returns take 14 days."),
        ("Here is the new plan: it costs 9 euros", "Here is the new plan: it costs 8 euros"),
        ("The the tower fell in 1930.", "The the tower fell in 1931."),
        ("It opened <b>in 1930</b>.", "It opened <b>in 1931</b>."),
        ("He lives in Bern", "He lives in Basel"),
        ("He was treated for hepatitis B.", "He was treated for hepatitis A."),
        ("It moved to Salem, WA.", "It moved to Salem, OR."),
        ("The old plan: it costs 9 euros.", "The new plan: it costs 9 euros."),
        (
            "It is part of the city, and of the county of Kent. " * 3,
            "It is part of the town, and of the county of Kent. " * 3,
        ),
        ("Founded in 1930. Closed.", "Founded in 1931. Closed."),
    ],
)
def test_corrections_pass(text: str, revised: str) -> None:
    assert objection(text, edits(revised, text), PASSAGES) is None


def test_a_long_text_must_not_be_cut_down() -> None:
    text = "The tower was opened in 1930 by the mayor. " * 10
    found = objection(text, [Edit(Span(0, 400), text[:400], "It opened in 1930.")], PASSAGES)
    assert found is not None
    assert "would shrink" in found
