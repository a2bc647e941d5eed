"""Names meet whatever their case, article, title or short form, and only where they can mean nothing else."""

import pytest

from graph_eval.graph.entities import Entity, entity, is_pronoun, mentioned, names_of
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


def of(response: str, context: str, text: str, resolved: bool = False, start: int | None = None) -> Entity:
    """The entity of a phrase of a response, at the place where it stands or that it is resolved at."""
    place = response.find(text) if start is None else start
    spans = () if place < 0 else (Span(place, place + len(text)),)
    return entity(Slot(text, spans, resolved), Example("1", "d", response, (Passage.of(context),)))


@pytest.mark.parametrize("mark", ["-", "–", "*", "•", "1.", "2)", "a)", "(3)", "> -"])
def test_first_words_of_lines_in_a_list_are_no_names(mark: str) -> None:
    response = f"Dean Cox:\n{mark} Scored twice for Orient\n  {mark} Married in 2001"
    for text in ("Scored", "Married"):
        assert not of(response, "Orient won.", text).named
    assert of(response, "They met Orient.", "Orient").named
    assert of("The final - Orient against Leeds - was long.", "It rained.", "Orient").named


def test_a_resolved_pronoun_is_the_phrase_that_it_stands_for() -> None:
    response = "Residents fled the fire, and they returned on Monday."
    phrase = of(response, "It burned.", "Residents")
    assert of(response, "It burned.", "Residents", True, response.index("they")) == phrase
    assert not phrase.named


@pytest.mark.parametrize(
    ("context", "response", "name"),
    [
        ("Former Chelsea striker Paul Merson praised the team.", "Chelsea won. Later chelsea lost.", "Chelsea"),
        ("In Leeds it rained all day.", "Leeds was wet. Later leeds flooded.", "Leeds"),
        ("But Merson fell on the stairs.", "merson fell. Merson fell.", "Merson"),
        ("The Kestrel fans left.", "Kestrel played. The kestrel fans left.", "Kestrel"),
        ("Mr Lindqvist left.", "Lindqvist left. Did lindqvist leave?", "Lindqvist"),
    ],
)
def test_a_capital_behind_the_first_word_is_one_inside_the_sentence(context: str, response: str, name: str) -> None:
    found = of(response, context, name)
    assert found.named
    assert of(response, context, name.lower()) == found


def test_an_acronym_is_a_name_wherever_it_stands() -> None:
    context, response = "It was long.", "BBC said that the river rose. SAVE the date, and save it well."
    assert of(response, context, "BBC").named
    assert not of(response, context, "SAVE").named
    claim = Claim.triplet(
        "1", (Slot("BBC's report"), Slot("was"), Slot("wrong")), "BBC's report was wrong.", Span(0, 3)
    )
    example = Example("1", "d", response, (Passage.of(context),))
    assert [node.name for node in mentioned(claim, example, names_of(example))] == ["BBC"]


SMITHS = "John Smith met Mary Jones at the gate. Mr Smith left at noon; Mrs Smith came at one."


@pytest.mark.parametrize("other", ["Mrs Smith", "mrs smith", "Miss Smith", "Dame Smith"])
def test_titles_of_two_persons_keep_their_names_apart(other: str) -> None:
    response = f"Mr Smith left at noon. {other} came at two. Smith slept."
    found = [of(response, SMITHS, text) for text in ("Mr Smith", other, "Smith", "John Smith")]
    assert len({entity.key for entity in found}) == 4
    assert of(response, SMITHS, "mr. smith", start=-1) == found[0]
    assert found[0].named
    claim = Claim.whole("1", "The house of Mrs Smith is old.", Span(0, 10))
    example = Example("1", "d", response, (Passage.of(SMITHS),))
    assert [node.name for node in mentioned(claim, example, names_of(example))] == ["Mrs Smith"]


def test_one_title_joins_the_name() -> None:
    context = "John Smith met Mary Jones at the gate. Mr Smith left at noon."
    assert of("Mr Smith left.", context, "Mr Smith") == of("Smith left.", context, "Smith")
    assert of("Mr Smith left.", context, "Mr Smith").name == "John Smith"
    assert of("Sir John Smith left.", context, "Sir John Smith").name == "John Smith"


def test_a_name_does_not_begin_with_a_preposition() -> None:
    response = "The University of Leeds and the University of York disagreed."
    assert not of(response, "It rained.", "of Leeds").named
    assert of(response, "It rained.", "University of Leeds").named


@pytest.mark.parametrize(
    ("text", "pronoun"), [("he", True), ("They", True), ("it", True), ("his car", False), ("IT", True)]
)
def test_a_pronoun_names_nothing(text: str, pronoun: bool) -> None:
    assert is_pronoun(Slot(text)) is pronoun
