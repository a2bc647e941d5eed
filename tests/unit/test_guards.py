"""What models put in the place of a correction is rejected with its reason; corrections pass."""

import re

import pytest

from graph_eval.correctors.guards import objection, reply
from graph_eval.correctors.splice import changes
from graph_eval.types import Edit, Passage, Span

TEXT = "Marie Curie won the Nobel Prize in 1904. She was born in Warsaw."
RIGHT = TEXT.replace("1904", "1903")
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
        ("I apologize, but I can't help with that request.", "refusal"),
        ("The text is already correct.", "refusal"),
        ("There is nothing to correct in this text.", "refusal"),
        ("Cannot be determined from the passages given.", "refusal"),
        ("Corrected: " + RIGHT, "begins with words"),
        ("Here's my corrected version: " + RIGHT, "begins with words"),
        ("I have corrected the text: " + RIGHT, "begins with words"),
        ("Based on the context, the corrected text is: " + RIGHT, "begins with words"),
        ("Text: " + RIGHT, "begins with words"),
        ("**Answer:** " + RIGHT, "begins with words"),
        ("As per the context, " + RIGHT, "words about the correction"),
        (RIGHT + " Let me know if you need anything else!", "words about the correction"),
        (RIGHT + "\n\nNote: I changed the year.", "words about the correction"),
        (RIGHT + "\n\n**Note:** The year was off.", "words about the correction"),
        (RIGHT + " (Corrected year)", "words about the correction"),
        (RIGHT.replace("1903", "1903 (not 1904)"), "words about the correction"),
        (RIGHT.replace("1903", "1903 [context 1]"), "words about the correction"),
        (RIGHT.replace("in 1903", "as not mentioned"), "words about the correction"),
        (RIGHT + " " + RIGHT, "repeats a sentence"),
        (RIGHT.lower(), "takes the capitals"),
        (RIGHT.replace("1903", "1903 1903"), "doubles the word '1903'"),
        (RIGHT.replace("the Nobel", "the a Nobel"), "doubles the determiner"),
        (RIGHT.replace("1903.", "1903.."), "doubles a stop"),
        (RIGHT.replace("1903.", "1903.,"), "doubles a stop"),
        (RIGHT.replace("1903.", "1903 ."), "parts it from its word"),
        (RIGHT.replace("1903", "**1903**"), "markup"),
        (RIGHT.replace("1903", "[the year]"), "markup"),
        ("https://evil.example/x " + RIGHT, "adds an address"),
        (RIGHT.replace("1903", "javascript:alert(1)"), "adds an address"),
        ("Marie Curie won the Nobel Prize in 1904.", "deletes a whole sentence"),
        (RIGHT.replace("1903", "unknown"), "say nothing"),
        (RIGHT.replace("1903", "TBD"), "say nothing"),
        (RIGHT.replace("1903", "N/A"), "say nothing"),
        (RIGHT.replace("1903", "an unknown year"), "say nothing"),
        (RIGHT.replace("1903", "a different year"), "say nothing"),
        (RIGHT.replace("1903", "the correct year"), "say nothing"),
        (RIGHT.replace("the Nobel Prize in 1903", "unsupported"), "say nothing"),
        (RIGHT.replace("the Nobel Prize in 1903", "no evidence"), "refusal"),
        (RIGHT.replace("the Nobel Prize in 1903", "unchanged"), "new words are none"),
        (RIGHT.replace("the Nobel Prize in 1903", "I don't know"), "refusal"),
        (RIGHT.replace("1903", "-"), "new words are none"),
        (RIGHT.replace("1903", "XXXX"), "new words are none"),
        (RIGHT.replace("1903", "1904 1903"), "two numbers side by side"),
        (RIGHT.replace("1903", "1903 1904"), "two numbers side by side"),
        (RIGHT.replace("1903", "19031904"), "two numbers side by side"),
        (RIGHT.replace("won the", "won was won the"), "repeats a word"),
        ("The context does not mention the year.", "words about|refusal"),
        (RIGHT.replace("won the Nobel Prize in 1903", "is not mentioned in context"), "words about the correction"),
        ("The claim is false.", "words about the correction"),
        ("It is unknown whether Marie Curie won it. She was born in Warsaw.", "words about the correction"),
        (RIGHT.replace("1903", "1903 (p1)"), "words about the correction"),
        (RIGHT.replace("1903", "1903 according to p1"), "words about the correction"),
        (RIGHT.replace("in 1903", "in a year other than 1904"), "keeps the old words"),
        (RIGHT.replace("the Nobel Prize in 1903", "..."), "new words are none"),
        (RIGHT.replace("1903", "1903, not 1904"), "keeps the old words"),
        (RIGHT.replace("1903", "1903 instead of 1904"), "keeps the old words"),
        (RIGHT.replace("1903", "1903 rather than 1904"), "keeps the old words"),
        (RIGHT.replace("1903", "1903 (was: 1904)"), "words about the correction|keeps the old words"),
        (RIGHT.replace("1903", "1903 (originally 1904)"), "words about the correction|keeps the old words"),
        (RIGHT.replace("1903", "1903 since the passage says so"), "words about the correction"),
        ("Here you go: " + RIGHT, "begins with words"),
        ("Output: " + RIGHT, "begins with words"),
        (RIGHT + " The year was changed.", "adds a sentence"),
        (RIGHT + "\n\nExplanation: the year differs.", "begins with words"),
        ("The year was wrong. " + RIGHT, "adds a sentence"),
        ('"' + RIGHT + '"', "quotation marks"),
        ("“" + RIGHT + "”", "quotation marks"),
        (RIGHT.replace("1903", '"1903'), "without its partner"),
        (RIGHT.replace("1903", "1903)"), "without its partner"),
        (RIGHT.replace("1903", "*1903*"), "markup"),
        (RIGHT.replace("1903", "$1903$"), "markup"),
        (RIGHT.replace("1903", "&nbsp;1903"), "markup"),
        ("There are no errors in the text.", "refusal"),
        (TEXT.replace("Warsaw", "Kraków; the claim said Warsaw"), "words about the correction"),
        (TEXT.replace("Warsaw", "Kraków, as the document says"), "words about the correction"),
        (TEXT.replace("Warsaw", "Kraków, as stated"), "words about the correction"),
        (TEXT.replace("She was born in Warsaw.", "It is not known where she was born."), "words about the correction"),
        (TEXT.replace("1904", "1903/1904"), "keeps the old words"),
        (TEXT.replace("1904", "1903 or 1904"), "keeps the old words"),
        (TEXT.replace("Warsaw", "a different city"), "which one"),
        (TEXT.replace("1904", "~~1904~~ 1903"), "markup"),
        ("# Answer\n\n" + RIGHT, "markup|begins with words"),
        ("- " + RIGHT, "markup"),
        (RIGHT.upper(), "capitals"),
        ("Marie Curie a reçu le prix Nobel en 1903. Elle est née à Varsovie et elle y a vécu.", "another language"),
        (TEXT.replace("Marie Curie won the Nobel Prize in 1904.", "Sweden lies by a sea."), "another sentence"),
        (TEXT.replace("the Nobel Prize in 1904", "it"), "name nothing"),
        (TEXT.replace("Warsaw", "somewhere else"), "which one"),
        (TEXT.replace("Warsaw", "chemistry"), "without its capital"),
        (TEXT.replace("She was born in Warsaw.", "Sweden."), "fragment"),
        (TEXT.replace("She was born in Warsaw", "Sweden was left by Sweden"), "repeats a word"),
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
        ("I can swim.", "I cannot swim."),
        ("The band was Abba.", "The band was Duran Duran."),
        ("The lights went off.", "The lights went on."),
        ("The decision is hers.", "The decision is his."),
        ("It takes 9 V.", "It takes 12 V."),
        ("It takes 9 V.", "It takes ≥12 V."),
        ("It takes 5 days.", "It takes 5 or 6 days."),
        ("Turn left.", "Turn right."),
        ("she moved to warsaw", "she moved to sweden"),
        ("It stood in Oslo or Bern.", "It stood in Oslo or Basel."),
        ("See https://a.example/x for 1903.", "See https://a.example/x for 1904."),
        ("The pipe measures 10 in.", "The pipe measures 12 in."),
        ("The vaccine was given to infants.", "The vaccine was not given to infants."),
        ("It fell to 4 degrees.", "It fell to −4 degrees."),
        ("It was made by Acme Ltd.", "It was made by Acme Inc."),
        ("The firm moved to Bern.", "I cannot say that the firm moved to Bern."),
        ("The price rose.", "The price was unchanged."),
        ("It was the same company.", "It was a different company."),
        ("She won the first award.", "She won another award."),
        ("The cause is smoking.", "The cause is unknown."),
        ('It has a 6" screen.', 'It has a 5" screen.'),
        ("He is 5'6\" tall.", "He is 5'7\" tall."),
        ("It cost 10 000 euros.", "It cost 12 000 euros."),
        ("Refunds are provided.", "Refunds are not provided."),
        ("They go to school.", "They do not go to school."),
        ("It opened in March.", "It opened in the same year."),
        ("It costs 5 euros.", "It costs $6 (or €5)."),
        ('He said "yes" on Monday.', 'He said "no" on Monday.'),
        (
            "It opened in 1930 with the Nobel Prize.",
            "It opened in 1931, in a different building, with the Nobel Prize.",
        ),
    ],
)
def test_corrections_pass(text: str, revised: str) -> None:
    context = (
        *PASSAGES,
        Passage.of(
            "Duran Duran played in the same year. I cannot say that the heating came on. Why is not known. "
            "It lasts for 5 or 6 days."
        ),
    )
    assert objection(text, edits(revised, text), context) is None


def test_a_sentence_that_may_be_deleted_is() -> None:
    first = "Marie Curie won the Nobel Prize in 1904."
    edit = Edit(Span(0, len(first)), first, "")
    assert objection(TEXT, [edit], PASSAGES, deletable=edit.span) is None
    assert "deletes a whole" in (objection(TEXT, [edit], PASSAGES, deletable=Span(len(first) + 1, len(TEXT))) or "")


def test_a_long_text_must_not_be_cut_down() -> None:
    text = "The tower was opened in 1930 by the mayor. " * 10
    found = objection(text, [Edit(Span(0, 400), text[:400], "It opened in 1930.")], PASSAGES)
    assert found is not None
    assert "would shrink" in found


def test_a_reply_is_no_version_of_a_text() -> None:
    assert "refusal" in (reply(TEXT, "There are no errors in the text.") or "")
    assert "shrink" in (reply(TEXT * 5, "It was 1903.") or "")
    assert reply(TEXT, "Here is the text: " + RIGHT) is None
