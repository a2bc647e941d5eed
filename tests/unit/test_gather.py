"""Sentences gathered from all over the passages."""

from collections.abc import Sequence

from graph_eval.checkers.gather import MOST_WORDS, gather
from graph_eval.checkers.windows import index
from graph_eval.types import Passage

PASSAGES = [
    Passage.of("The museum opened in 1907. It is closed on Mondays. Tickets cost 12 euros."),
    Passage.of("Visitors like the garden. The architect was Otto Brandt. Tickets are sold online."),
]


def texts(
    query: str, most_words: int = MOST_WORDS, *, fill: bool = False, passages: Sequence[Passage] = PASSAGES
) -> list[str]:
    return [window.text for window in gather(list(map(index, passages)), query, most_words, fill=fill)]


def test_what_shares_terms_and_its_neighbours_come_in_their_order() -> None:
    found = texts("Otto Brandt was the architect of the museum.")
    assert found == [
        "The museum opened in 1907.",
        "It is closed on Mondays.",
        "Visitors like the garden.",
        "The architect was Otto Brandt.",
        "Tickets are sold online.",
    ]


def test_less_room_keeps_what_has_most_to_do_with_the_query() -> None:
    query = "Otto Brandt was the architect of the museum that opened in 1907."
    assert texts(query, 13) == ["The museum opened in 1907.", "The architect was Otto Brandt."]
    assert texts(query, 5) == ["The museum opened in 1907."]
    assert texts(query, 1) == ["The museum opened in 1907."], "the best one is taken at any length"


def test_a_number_counts_in_every_spelling() -> None:
    assert texts("Twelve is what one pays.", 8) == ["Tickets cost 12 euros."]


def test_room_is_filled_with_the_rest_where_that_is_wanted() -> None:
    assert len(texts("Mondays", fill=True)) == 6
    assert texts("Mondays") == ["The museum opened in 1907.", "It is closed on Mondays.", "Tickets cost 12 euros."]
    assert len(texts("Penguins swim.", fill=True)) == 6


def test_each_sentence_is_a_window_of_its_passage() -> None:
    for window in gather(list(map(index, PASSAGES)), "Tickets to the garden are sold online in 1907"):
        (passage,) = (passage for passage in PASSAGES if passage.id == window.passage_id)
        assert window.span.of(passage.text) == window.text
        assert window.size == 1


def test_nothing_in_common_gathers_nothing() -> None:
    assert texts("Penguins swim.") == []
    assert gather([], "Penguins swim.") == []


def test_what_is_said_twice_is_taken_once_and_takes_room_once() -> None:
    twice = [Passage.of(PASSAGES[0].text.upper()), *PASSAGES]
    found = texts("The museum opened in 1907. Tickets are sold online.", 18, passages=twice)
    assert [text.casefold() for text in found].count("the museum opened in 1907.") == 1
    assert "Tickets are sold online." in found


def test_a_neighbour_stands_in_the_same_passage() -> None:
    one, two = Passage.of("Cats sleep. The tower is old."), Passage.of("Dogs bark. Birds sing.")
    assert texts("The tower is old.", passages=[one, two]) == ["Cats sleep.", "The tower is old."]


def test_a_long_sentence_leaves_its_place_to_a_shorter_one() -> None:
    words = "the old wall of the town and " * 5
    passage = Passage.of(f"The tower and {words}the gate. It is red. The tower is high.")
    assert texts("The tower is high and red.", 16, passages=[passage]) == ["It is red.", "The tower is high."]
