"""Sentences gathered from all over the passages."""

from graph_eval.checkers.gather import gather
from graph_eval.types import Passage

PASSAGES = [
    Passage.of("The museum opened in 1907. It is closed on Mondays. Tickets cost 12 euros."),
    Passage.of("Visitors like the garden. The architect was Otto Brandt. Tickets are sold online."),
]


def texts(query: str, most_sentences: int = 5, most_words: int = 120) -> list[str]:
    return [window.text for window in gather(PASSAGES, query, most_sentences, most_words)]


def test_sentences_that_cover_the_terms_come_in_their_order():
    found = texts("Otto Brandt was the architect of the museum that opened in 1907.")
    assert found == ["The museum opened in 1907.", "The architect was Otto Brandt."]


def test_a_sentence_that_adds_nothing_is_left_out():
    assert texts("Tickets cost 12 euros.") == ["Tickets cost 12 euros."]


def test_a_number_counts_in_every_spelling():
    assert texts("Twelve is what one pays.") == ["Tickets cost 12 euros."]


def test_the_limits_keep_the_best():
    query = "Otto Brandt was the architect of the museum that opened in 1907."
    assert len(texts(query, most_sentences=1)) == 1
    assert len(texts(query, most_words=6)) == 1
    assert len(texts(query, most_words=1)) == 1, "the best one is taken at any length"


def test_each_sentence_is_a_window_of_its_passage():
    for window in gather(PASSAGES, "Tickets to the garden are sold online in 1907"):
        (passage,) = (passage for passage in PASSAGES if passage.id == window.passage_id)
        assert window.span.of(passage.text) == window.text
        assert window.size == 1


def test_nothing_in_common_gathers_nothing():
    assert texts("Penguins swim.") == []
    assert gather([], "Penguins swim.") == []
