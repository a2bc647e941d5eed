"""Edits change the words behind a claim, and nothing else."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_eval.correctors.splice import SpliceError, applied, changes, collide, edits_of, is_plural, new_spans
from graph_eval.text.sentences import sentences
from graph_eval.types import (
    Claim,
    Edit,
    EditProposal,
    Proposal,
    Slot,
    SlotProposal,
    Span,
    TextProposal,
    Unsupported,
)

ALPHABET = [
    *"abcdefghij ABC 012 .,;:!?'\"()-\n\t",
    "\r\n", "e\u0301", "n\u0303", "\u200d", "👩‍🚀", "😀", "🇩🇰", "“", "”", "’", "«", "ß", "ﬁ", "\u00a0", "\u2028",
    "中", "ש", "\u202e",
]  # fmt: skip


def naive(text: str, edits: list[Edit]) -> str:
    """Characters in a list, edits from the last to the first."""
    characters = list(text)
    for edit in sorted(edits, key=lambda edit: -edit.span.start):
        characters[edit.span.start : edit.span.end] = list(edit.new)
    return "".join(characters)


def random_edits(chance: random.Random) -> tuple[str, list[Edit]]:
    """A random text and random edits of it that do not collide."""
    text = "".join(chance.choices(ALPHABET, k=chance.randrange(0, 80)))
    cuts = sorted(chance.sample(range(len(text) + 1), k=min(len(text) + 1, 2 * chance.randrange(0, 5))))
    edits: list[Edit] = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        end = start if chance.random() < 0.2 else end
        new = "".join(chance.choices(ALPHABET, k=chance.randrange(0, 6)))
        edits.append(Edit(Span(start, end), text[start:end], new))
    return text, edits


def test_twenty_thousand_random_texts() -> None:
    chance = random.Random(11)  # noqa: S311
    changed = 0
    for _ in range(20_000):
        text, edits = random_edits(chance)
        expected = naive(text, edits)
        assert applied(text, edits) == expected
        shuffled = chance.sample(edits, len(edits))
        assert applied(text, shuffled) == expected
        assert applied(text, []) == text
        places = new_spans(shuffled)
        assert [span.of(expected) for span in places] == [
            edit.new for edit in sorted(edits, key=lambda edit: edit.span)
        ]
        outside = untouched(text, edits)
        assert outside == untouched(expected, [Edit(span, "", "") for span in places])
        changed += expected != text
    assert changed > 10_000


def untouched(text: str, edits: list[Edit]) -> list[str]:
    """What lies between the edits."""
    ends = [0, *(position for edit in sorted(edits, key=lambda e: e.span) for position in edit.span), len(text)]
    return [text[start:end] for start, end in list(pairwise(ends))[::2]]


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(Span(0, 3), "The", "A"), Edit(Span(2, 5), "e t", "x")],
        [Edit(Span(4, 4), "", "x"), Edit(Span(4, 4), "", "y")],
        [Edit(Span(0, 9), "The tower", "It"), Edit(Span(4, 4), "", "y")],
        [Edit(Span(0, 3), "the", "A")],
        [Edit(Span(7, 99), "er fell.", "")],
        [Edit(Span(5, 2), "", "")],
    ],
)
def test_edits_that_do_not_fit_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(SpliceError):
        applied("The tower fell.", edits)


def test_neighbours_do_not_collide() -> None:
    one, other = Edit(Span(0, 3), "The", "A"), Edit(Span(3, 4), " ", "  ")
    assert not collide(one, other)
    assert applied("The tower", [other, one]) == "A  tower"


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_changes_turn_the_old_text_into_the_new_one(old: str, new: str) -> None:
    runs = changes(old, new)
    edits = [Edit(Span(start, end), old[start:end], words) for start, end, words in runs]
    assert applied(old, edits) == new


TEXT = "A tower was opened in 1899 by a engineer. It is 48 metres tall and old. The towers are red."


def slot(words: str, start: int = 0) -> Slot:
    place = TEXT.index(words, start)
    return Slot(words, (Span(place, place + len(words)),))


def claim(*slots: Slot, sentence: str = "A tower was opened in 1899 by a engineer.") -> Claim:
    start = TEXT.index(sentence)
    subject, predicate, thing = slots
    text = " ".join(part.text for part in slots)
    return Claim.triplet("t", (subject, predicate, thing), text, Span(start, start + len(sentence)))


OPENED = claim(slot("A tower"), slot("was opened in"), slot("1899"))


def spliced(claim: Claim, *parts: str) -> str:
    return applied(TEXT, edits_of(TEXT, claim, SlotProposal(parts)))


def test_a_corrected_object_changes_its_words_only() -> None:
    (edit,) = edits_of(TEXT, OPENED, SlotProposal(("A tower", "was opened in", "1889")))
    assert edit == Edit(Span(22, 26), "1899", "1889")


def test_only_the_words_that_differ_become_an_edit() -> None:
    edits = edits_of(TEXT, OPENED, SlotProposal(("A tower", "was closed in", "1899")))
    assert [(edit.old, edit.new) for edit in edits] == [("opened", "closed")]


FRONTED = "Since 1990 it was closed. A"
CLOSED = Claim.triplet(
    "t",
    (
        Slot("it", (Span(11, 13),)),
        Slot("since was closed", (Span(0, 5), Span(14, 24))),  # the text has a capital letter
        Slot("1990", (Span(6, 10),)),
    ),
    "It was closed since 1990.",
    Span(0, 25),
)


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [("until was closed", "Until 1990 it was closed. A"), ("since was shut", "Since 1990 it was shut. A")],
)
def test_a_fronted_word_keeps_its_capital(predicate: str, expected: str) -> None:
    assert applied(FRONTED, edits_of(FRONTED, CLOSED, SlotProposal(("it", predicate, "1990")))) == expected


def test_a_capital_that_begins_a_sentence_is_no_change() -> None:
    with pytest.raises(SpliceError, match="nothing would change"):
        edits_of(FRONTED, CLOSED, SlotProposal(("it", "since was closed", "1990")))


def test_articles_and_capitals_are_repaired_inside_the_edit() -> None:
    by = claim(slot("A tower"), slot("was opened in 1899 by"), slot("a engineer"))
    assert spliced(by, "an arch", "was opened in 1899 by", "a engineer").startswith("An arch was opened")
    assert "by an architect." in spliced(by, "A tower", "was opened in 1899 by", "a architect")
    assert "by a user." in spliced(by, "A tower", "was opened in 1899 by", "an user")


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("a MRI scan", "an MRI scan"), ("an UK firm", "a UK firm"), ("a FBI agent", "an FBI agent"),
        ("a 8-hour day", "an 8-hour day"), ("an 80th", "an 80th"), ("an 1,100 km line", "a 1,100 km line"),
        ("an U.S. firm", "a U.S. firm"), ("a NASA engineer", "a NASA engineer"), ("an SUV", "an SUV"),
        ("vitamin A and B", "vitamin A and B"), ("group A or B", "group A or B"), ("a X-ray", "an X-ray"),
    ],
)  # fmt: skip
def test_an_article_fits_how_the_next_word_is_spoken(new: str, expected: str) -> None:
    by = claim(slot("A tower"), slot("was opened in 1899 by"), slot("a engineer"))
    assert f"by {expected}" in spliced(by, "A tower", "was opened in 1899 by", new)


@pytest.mark.parametrize(
    ("text", "deleted", "expected"),
    [
        ("An old bridge was opened.", "old", "A bridge was opened."),
        ("He saw an old bridge.", "old", "He saw a bridge."),
        ("He saw a grey old bridge.", "grey", "He saw an old bridge."),
        ("Famous old bridges were opened.", "Famous", "Old bridges were opened."),
        ("Ann and Bob opened it.", "Ann and", "Bob opened it."),
        ("It is red. Famous old bridges were opened.", "Famous", "It is red. Old bridges were opened."),
        ("He saw the old bridge.", "old", "He saw the bridge."),
    ],
)
def test_articles_and_capitals_fit_behind_a_deletion(text: str, deleted: str, expected: str) -> None:
    start = text.index(deleted)
    sentence = next(item.span for item in sentences(text) if item.span.start <= start < item.span.end)
    whole = Claim.whole("t", sentence.of(text), sentence)
    proposed = EditProposal((Edit(Span(start, start + len(deleted)), deleted, ""),))
    assert applied(text, edits_of(text, whole, proposed)) == expected


def test_the_verb_follows_the_number_of_its_subject() -> None:
    red = claim(slot("The towers"), slot("are", 70), slot("red"), sentence="The towers are red.")
    assert spliced(red, "The tower", "are", "red").endswith("The tower is red.")
    assert spliced(OPENED, "Two towers", "was opened in", "1899").startswith("Two towers were opened")
    assert spliced(OPENED, "Two towers", "were opened in", "1899").startswith("Two towers were opened")


@pytest.mark.parametrize(
    ("phrase", "plural"),
    [("towers", True), ("the tower", False), ("Ada and Grace", True), ("the class", False), ("Athens", False),
     ("physics", False), ("the towers of Orsa", True), ("the sum of parts", False), ("", False), ("the children", True),
     ("many people", True), ("Mice", True)],
)  # fmt: skip
def test_which_phrases_are_plural(phrase: str, plural: bool) -> None:
    assert is_plural(phrase) is plural


def test_a_change_over_a_gap_fills_the_first_span() -> None:
    place = TEXT.index("opened")
    parted = Slot("opened by", (Span(place, place + 6), Span(place + 15, place + 17)))
    parted_claim = claim(slot("A tower"), parted, slot("a engineer"))
    assert spliced(parted_claim, "A tower", "designed for", "a engineer").startswith(
        "A tower was designed in 1899 for a engineer"
    )
    assert spliced(parted_claim, "A tower", "seen", "a engineer").startswith("A tower was seen in 1899 a engineer")


def test_what_is_left_out_takes_its_blank_along() -> None:
    tall = claim(slot("It"), slot("is"), slot("48 metres tall and old"), sentence="It is 48 metres tall and old.")
    assert "It is 48 metres tall." in spliced(tall, "It", "is", "48 metres tall")
    assert "It is tall and old." in spliced(tall, "It", "is", "tall and old")


def test_a_resolved_slot_falls_back_to_its_sentence() -> None:
    resolved = Slot("A tower", (slot("It").spans[0],), resolved=True)
    tall = claim(resolved, slot("is"), slot("48 metres"), sentence="It is 48 metres tall and old.")
    assert "It is 38 metres tall" in spliced(tall, "A tower", "is", "38 metres")
    with pytest.raises(SpliceError, match="do not stand in its sentence"):
        spliced(tall, "A bridge", "is", "48 metres")
    inferred = claim(slot("It"), slot("is"), Slot("old", inferred=True), sentence="It is 48 metres tall and old.")
    assert "tall and new." in spliced(inferred, "It", "is", "new")


def test_a_sentence_claim_changes_inside_its_sentence() -> None:
    whole = Claim.whole("t", "It is 48 metres tall and old.", Span(42, 71))
    assert whole.sentence.of(TEXT) == "It is 48 metres tall and old."
    assert spliced(whole, "It is 38 metres tall and old.") == TEXT.replace("48", "38")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        (("A tower", "was opened in", "1899"), "nothing would change"),
        (("A tower", "1889"), "2 parts were proposed for 3"),
    ],
)
def test_proposals_that_say_nothing_are_refused(parts: tuple[str, ...], reason: str) -> None:
    with pytest.raises(SpliceError, match=reason):
        edits_of(TEXT, OPENED, SlotProposal(parts))


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        (Unsupported(), "the context does not say"),
        (SlotProposal(()), "0 parts were proposed for 3"),
        (EditProposal(()), "nothing would change"),
        (EditProposal((Edit(Span(27, 29), "by", "for"),)), "words of other claims"),
        ("A tower was opened in 1889.", "is not a proposal"),
    ],
)
def test_proposals_without_usable_words_are_refused(proposal: Proposal, reason: str) -> None:
    with pytest.raises(SpliceError, match=reason):
        edits_of(TEXT, OPENED, proposal)


def test_a_sentence_claim_takes_one_part() -> None:
    whole = Claim.whole("t", "It is 48 metres tall and old.", Span(42, 71))
    with pytest.raises(SpliceError, match="2 parts were proposed for 1"):
        edits_of(TEXT, whole, SlotProposal(("It is", "38 metres")))


def test_of_a_rewritten_text_only_the_claims_own_words_are_taken() -> None:
    rewritten = TEXT.replace("1899", "1889").replace("48 metres", "50 metres").replace("red", "blue")
    proposal = TextProposal(rewritten)
    assert applied(TEXT, edits_of(TEXT, OPENED, proposal)) == TEXT.replace("1899", "1889")
    assert applied(TEXT, edits_of(TEXT, OPENED, proposal, anywhere=True)) == rewritten


@pytest.mark.parametrize(
    ("rewritten", "reason"),
    [
        (TEXT, "nothing would change"),
        (TEXT.replace("48", "50"), "words of other claims"),
        ("Here is the corrected text: " + TEXT, "words of other claims"),
        ("I cannot do that.", "."),
        (TEXT + " It was also painted.", "words of other claims"),
    ],
)
def test_a_rewritten_text_that_changes_other_words_is_refused(rewritten: str, reason: str) -> None:
    with pytest.raises(SpliceError, match=reason):
        edits_of(TEXT, OPENED, TextProposal(rewritten))


def test_prose_around_a_rewritten_text_is_cut_back() -> None:
    rewritten = "Here is the corrected text:\n\n" + TEXT.replace("1899", "1889") + "\n\nI changed the year."
    assert applied(TEXT, edits_of(TEXT, OPENED, TextProposal(rewritten))) == TEXT.replace("1899", "1889")


PARTS = st.text(alphabet="ab 1.’\u0301😀", max_size=12)


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.tuples(PARTS, st.booleans()), min_size=3, max_size=9),
    st.tuples(PARTS, PARTS, PARTS),
    st.text(max_size=80),
)
def test_nothing_outside_the_sentence_ever_changes(
    pieces: list[tuple[str, bool]], new: tuple[str, str, str], rewritten: str
) -> None:
    before, after = "Some words before. ", " And some behind."
    text, spans = before, []
    for piece, mine in pieces:
        spans.append((Span(len(text), len(text) + len(piece)), mine and bool(piece)))
        text += piece + " "
    sentence = Span(len(before), len(text))
    text += after
    own_spans = [span for span, mine in spans if mine]
    slots = [Slot(" ".join(span.of(text) for span in own_spans[n::3]), tuple(own_spans[n::3])) for n in range(3)]
    flagged = Claim.triplet("t", (slots[0], slots[1], slots[2]), "x", sentence)
    for proposal in (SlotProposal(new), TextProposal(rewritten)):
        try:
            edited = applied(text, edits_of(text, flagged, proposal))
        except SpliceError:
            continue
        assert edited.startswith(before.rstrip())
        assert edited.endswith(after)


@pytest.mark.parametrize(
    ("sentence", "old", "new", "expected"),
    [
        ("He lives in the U.S.", "the U.S.", "Canada", "He lives in Canada."),
        ("It ends at 5 p.m.", "5 p.m.", "18:00", "It ends at 18:00."),
        ("It ends at noon.", "noon", "5 p.m.", "It ends at 5 p.m."),
        ("He won in 1904.", "in 1904", "in 1903.", "He won in 1903."),
    ],
)
def test_a_sentence_keeps_one_stop(sentence: str, old: str, new: str, expected: str) -> None:
    subject, verb, *_ = sentence.split()
    slots = tuple(
        Slot(words, (Span(place, place + len(words)),))
        for words in (subject, verb, old)
        for place in (sentence.index(words),)
    )
    whole = Claim.triplet("t", (slots[0], slots[1], slots[2]), sentence, Span(0, len(sentence)))
    assert applied(sentence, edits_of(sentence, whole, SlotProposal((subject, verb, new)))) == expected
