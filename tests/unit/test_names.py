"""Names meet whatever their case, article, title or short form, and only where they can mean nothing else."""

import pytest

from graph_eval.graph.entities import entity, is_pronoun, mentioned, names_of
from graph_eval.types import Claim, Example, Passage, Slot, Span

CONTEXT = (
    "The storm reached Port Ellis on Monday. Mayor Ana Lindqvist said that the Harbour Trust had closed both piers. "
    "Lindqvist praised the crew. Her deputy, Tom Reyes, was in Northern Vale, and Mrs Reyes in Vale. "
    "The International Grain Agency (IGA) sent help. Kestrel FC played on. In Vale it rained. "
    "The Grain Museum and Apple Street stayed open, and an apple fell."
)
RESPONSE = "mayor ana lindqvist praised the harbour trust and the iga. lindqvist met tom reyes, 41, in northern vale."


def record(response: str = RESPONSE, key: str = "1") -> Example:
    return Example(key, "d", response, (Passage.of(CONTEXT),))


def same(one: str, other: str) -> bool:
    return entity(Slot(one), record()).key == entity(Slot(other), record()).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ana lindqvist", "Ana Lindqvist"),
        ("lindqvist", "Ana Lindqvist"),
        ("the Harbour Trust", "harbour trust"),
        ("Harbour Trust's", "the harbour trust"),
        ("mayor ana lindqvist", "Lindqvist"),
        ("Mrs Lindqvist", "ana lindqvist"),
        ("tom reyes, 41", "Tom Reyes"),
        ("Deputy mayor Tom Reyes", "reyes"),
        ("IGA", "the International Grain Agency"),
        ("iga", "international grain agency"),
        ("Kestrel", "kestrel fc"),
    ],
)
def test_spellings_of_a_name_are_one_entity(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Northern Vale", "Vale"),
        ("ana lindqvist", "tom reyes"),
        ("meeting with tom reyes", "tom reyes"),
        ("ana lindqvist and tom reyes", "tom reyes"),
        ("lindqvist praised the crew", "lindqvist"),
        ("apple", "Apple Street"),
        ("grain", "International Grain Agency"),
        ("the new Harbour Trust building", "Harbour Trust"),
        ("no Harbour Trust", "Harbour Trust"),
        ("Harbour Trust's crew", "Harbour Trust"),
    ],
)
def test_other_phrases_stay_apart(one: str, other: str) -> None:
    assert not same(one, other)


def test_a_name_is_shared_by_the_responses_of_a_dataset() -> None:
    other = record("It was Lindqvist, wrote Lindqvist.", "2")
    assert entity(Slot("lindqvist"), record()).key == entity(Slot("Ana Lindqvist"), other).key
    assert entity(Slot("lindqvist"), record()).name == "Ana Lindqvist"
    assert entity(Slot("both piers"), record()).key != entity(Slot("both piers"), other).key


def test_names_inside_a_phrase_are_mentioned() -> None:
    example = record()
    slots = (Slot("a meeting with tom reyes"), Slot("was held at"), Slot("the pier of the harbour trust"))
    triplet = Claim.triplet("1", slots, "A meeting was held.", Span(0, 10))
    sentence = Claim.whole("1", "Tom Reyes met the IGA at the pier.", Span(0, 10))
    found = [[node.name for node in mentioned(claim, example, names_of(example))] for claim in (triplet, sentence)]
    assert found == [["Tom Reyes", "Harbour Trust"], ["Tom Reyes", "International Grain Agency"]]


def test_first_words_of_sentences_and_headlines_are_no_names() -> None:
    example = record("Residents left. Save the date. RESIDENTS OF THE WHOLE COAST HAVE TO LEAVE NOW. Residents fled.")
    for text in ("Residents", "Save", "residents", "coast"):
        assert not entity(Slot(text), example).named


@pytest.mark.parametrize(
    ("text", "pronoun"), [("he", True), ("They", True), ("it", True), ("his car", False), ("IT", True)]
)
def test_a_pronoun_names_nothing(text: str, pronoun: bool) -> None:
    assert is_pronoun(Slot(text)) is pronoun
