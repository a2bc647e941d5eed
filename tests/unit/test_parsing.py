"""The parser: its words, its trees, and that a sentence's parse depends on nothing but the sentence."""

import itertools
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from spacy.tokens import Doc

from graph_eval.parsing.parser import BUILTIN, CERTAINTY, Parser
from graph_eval.parsing.pieces import CAPITALISED, DIGITS, LETTER, LOWER, MARK, MIXED, UPPER, case_of
from graph_eval.parsing.trees import tree_of
from graph_eval.resources import folder

PARSER = Parser.builtin()
SENTENCES = [
    "Ada Berg designed the hall that opened in 1926.",
    "take one tablet every morning",
    "Refunds are issued within 14 days, unless the card was stolen.",
    "No.",
    "The X200 kettle holds 1.7 litres.",
] + [f"Plan {name} costs ${cost} a month." for name, cost in zip("ABCDEFGH", range(5, 100, 7), strict=False)]


def seen(doc: Doc) -> list[tuple[object, ...]]:
    certainty = doc.user_data[CERTAINTY]
    return [(word.text, word.tag_, word.dep_, word.head.i, certainty[word.i]) for word in doc]


def test_a_parse_depends_on_nothing_but_its_sentence() -> None:
    alone = [seen(PARSER.parse([sentence])[0]) for sentence in SENTENCES]
    together = [seen(doc) for doc in PARSER.parse(SENTENCES)]
    backwards = [seen(doc) for doc in PARSER.parse(SENTENCES[::-1])][::-1]
    assert alone == together == backwards


def test_threads_share_a_parser_that_is_not_loaded_yet() -> None:
    expected = [seen(doc) for doc in PARSER.parse(SENTENCES)]
    shared = Parser(folder(BUILTIN))
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(lambda _: [seen(doc) for doc in shared.parse(SENTENCES)], range(8)))
    assert all(outcome == expected for outcome in outcomes)


def test_subject_verb_and_object() -> None:
    doc = PARSER.parse(["Ada Berg designed the hall."])[0]
    assert [(word.text, word.dep_, word.head.text) for word in doc][2] == ("designed", "ROOT", "designed")
    assert {word.text: word.dep_ for word in doc}["hall"] == "obj"
    assert all(0 <= value <= 1 for value in doc.user_data[CERTAINTY])


@pytest.mark.parametrize(
    "text", ["", " ", "?", "\u200b", "🙂🙂", "x" * 5000, "a " * 700, "漢字 und Ümläute", "\x00\x01", "<b>&amp;</b>"]
)
def test_any_text_is_one_tree(text: str) -> None:
    doc = PARSER.parse([text])[0]
    assert doc.text == text or doc.text.strip() == text.strip()
    assert len([word for word in doc if word.dep_ == "ROOT"]) == (1 if len(doc) else 0)
    assert len(doc.user_data[CERTAINTY]) == len(doc)


def test_a_long_sentence_is_read_in_parts_that_hang_together() -> None:
    doc = PARSER.parse([" ".join(f"Room {number} has a window and a door." for number in range(120))])[0]
    assert len(doc) > 900
    root = next(word for word in doc if word.dep_ == "ROOT")
    assert all(root in (word, *word.ancestors) for word in doc)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sign-on e-mails aren't read.", ["Sign", "-", "on", "e-mails", "are", "n't", "read", "."]),
        (
            "It costs £22 million and/or 2.4 GHz.",
            ["It", "costs", "£", "22", "million", "and", "/", "or", "2.4", "GHz", "."],
        ),
        ("Call 713-853-3989!!!", ["Call", "713-853-3989", "!!!"]),
        ("It ran 1926-1930 at 6PM.", ["It", "ran", "1926", "-", "1930", "at", "6", "PM", "."]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert [word.text for word in PARSER.tokens([text])[0]] == words


@pytest.mark.parametrize(
    ("word", "case"),
    [
        ("hall", LOWER),
        ("Hall", CAPITALISED),
        ("NATO", UPPER),
        ("A", LETTER),
        ("B2", DIGITS),
        ("--", MARK),
        ("iPad", MIXED),
    ],
)
def test_cases(word: str, case: int) -> None:
    assert case_of(word) == case


def is_tree(heads: tuple[int, ...]) -> bool:
    if heads.count(0) != 1:
        return False
    for word in range(1, len(heads) + 1):
        above, steps = word, 0
        while above and steps <= len(heads):
            above, steps = heads[above - 1], steps + 1
        if above:
            return False
    return True


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_best_tree_is_found(size: int) -> None:
    chance = np.random.default_rng(size)
    trees = [heads for heads in itertools.product(range(size + 1), repeat=size) if is_tree(heads)]
    for _ in range(60):
        scores = chance.normal(size=(size, size + 1))
        scores[np.arange(size), np.arange(1, size + 1)] = -np.inf

        def total(heads: tuple[int, ...], scores: np.ndarray = scores) -> float:
            return float(scores[np.arange(size), list(heads)].sum())

        found = tuple(int(head) for head in tree_of(scores))
        assert is_tree(found)
        # Where the best heads make no tree, only their roots are tried: the best tree may have another.
        rooted = [tree for tree in trees if tree.index(0) == found.index(0)]
        assert total(found) == pytest.approx(max(map(total, rooted)))


def test_a_pickled_parser_parses_the_same() -> None:
    again = pickle.loads(pickle.dumps(PARSER))  # noqa: S301
    assert again is PARSER
    other = pickle.loads(pickle.dumps(Parser(folder(BUILTIN), threads=1)))  # noqa: S301
    assert [seen(doc) for doc in other.parse(SENTENCES)] == [seen(doc) for doc in PARSER.parse(SENTENCES)]
