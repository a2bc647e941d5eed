"""Candidate edits of a sentence, from made-up readings, and the ranker against plain Python."""

import math

import numpy as np
import pytest

from graph_eval.correctors.candidates import (
    FEATURES,
    RELATIVE,
    Candidate,
    Candidates,
    Doubt,
    SentenceContext,
    Token,
    inflected,
    is_respelling,
    runs,
    tokens,
    with_preposition,
)
from graph_eval.correctors.exchange import exchanged
from graph_eval.correctors.ranker import MAX_DEVIATION, Ranker
from graph_eval.correctors.reader import MAX_POINTED_WORDS, Pointer, Reading, log_softmax
from graph_eval.correctors.splice import applied
from graph_eval.parsing.parser import Parser
from graph_eval.text.normalise import stem, words
from graph_eval.types import Span

SIZE = 4


def parsed(text: str) -> list[Token]:
    (doc,) = Parser.builtin().parse([text])
    return tokens(doc)


def context_of(text: str) -> SentenceContext:
    folded = [word for word, _ in words(text)]
    return SentenceContext(text, parsed(text), frozenset(map(stem, folded)), f" {' '.join(folded)} ")


def reading(evidence: str, sentence: str, wrong: str) -> Reading:
    """A token a word; the words of `wrong` are held to be replaced."""
    spans = [span for _, span in words(evidence)]
    sentence_spans = [span for _, span in words(sentence)]
    offsets = [(0, 0), *spans, (0, 0), *sentence_spans, (0, 0)]
    border = len(spans) + 2
    tags = np.tile([0.97, 0.01, 0.01, 0.01], (len(offsets), 1))
    for place, (word, _) in enumerate(words(sentence)):
        if word in wrong.split():
            tags[border + place] = [0.1, 0.8, 0.05, 0.05]
    noise = np.random.default_rng(1).normal(size=(3, len(offsets), SIZE))
    return Reading(offsets, border, tags, noise[:2], noise[2])


def all_of(evidence: str, sentence: str, wrong: str) -> dict[tuple[str, str], str]:
    """(old words, new words) -> kind."""
    sentence_words = parsed(sentence)
    context = context_of(evidence)
    doubt = Doubt(np.zeros(len(sentence_words)), 0.5, 0.3)
    read = reading(evidence, sentence, wrong)
    candidates = Candidates(
        sentence, sentence_words, context, read, doubt, lambda texts: np.ones((len(texts), 1))
    ).all()
    for candidate in candidates:
        assert candidate.features.shape == (len(FEATURES) + len(RELATIVE),)
        assert np.isfinite(candidate.features).all()
    return {(candidate.edit(sentence, sentence_words).old, candidate.new): candidate.kind for candidate in candidates}


def test_numbers_months_and_names_come_from_the_evidence() -> None:
    evidence = "It was opened by Peter Jackson on 4 June 1889."
    kinds = all_of(evidence, "It was opened by Anna Brown on 7 July 1898.", "anna brown 7 july 1898")
    assert kinds["7", "4"] in ("number", "pointer")
    assert kinds["July", "June"] in ("calendar", "pointer")
    assert kinds["1898", "1889"] in ("number", "pointer")
    assert ("1898", "4") not in kinds or kinds["1898", "4"] == "pointer"
    assert kinds["Anna Brown", "Peter Jackson"] in ("name", "pointer")


def test_words_of_the_same_tag() -> None:
    kinds = all_of("The old bridge was painted.", "The old tower was painted.", "tower")
    assert ("tower", "bridge") in kinds
    assert "word" not in {kind for (old, _), kind in kinds.items() if old == "painted"}, "nothing is wrong with it"


@pytest.mark.parametrize(
    ("sentence", "old", "new"),
    [
        ("She did not open the bridge.", "did not open", "opened"),
        ("She does not often carry it.", "does not often carry", "often carries"),
        ("She failed to open it.", "failed to open", "opened"),
        ("It was never painted.", "never", ""),
        ("It is no longer open.", "no longer", ""),
        ("They cannot see it.", "not", ""),
    ],
)
def test_a_negation_is_taken_out_again(sentence: str, old: str, new: str) -> None:
    assert (old, new) in all_of("She opened the bridge.", sentence, "not never failed longer")


def test_what_was_put_in_is_deleted_with_its_comma() -> None:
    sentence = "The bridge, painted in secret, was opened in 1889."
    kinds = all_of("The bridge was opened in 1889.", sentence, "painted secret")
    assert kinds[", painted in secret", ""] == "deletion"
    assert not any(old == sentence for old, _ in kinds), "a whole sentence is never deleted"


def test_modifiers_conjuncts_and_first_names_are_deleted() -> None:
    evidence = "The bridge of Orsa was opened by Brown."
    kinds = all_of(evidence, "The famous old bridge was opened by Anna Brown.", "famous old anna")
    assert kinds["famous", ""] in ("modifier", "deletion")
    assert kinds["famous old", ""] in ("modifier", "deletion")
    assert kinds["Anna", ""] in ("modifier", "deletion")
    kinds = all_of(evidence, "Anna Smith and Carl Brown opened the bridge.", "anna smith")
    assert kinds["Anna Smith and", ""] == "conjunct"


def test_a_number_is_generalised_only_by_words_of_the_passage() -> None:
    sentence = "The storm killed 13 people."
    assert ("13", "several") in all_of("The storm killed several people.", sentence, "13")
    assert ("13", "several") not in all_of("The storm killed people.", sentence, "13")


def test_nothing_is_deleted_that_nobody_doubts() -> None:
    sentence = "The old bridge was opened in 1889."
    assert not any(new == "" for _, new in all_of(sentence, sentence, ""))


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("six", "6", True),
        ("COVID-19", "COVID", True),
        ("The", "the", True),
        ("six", "7", False),
        ("COVID", "COVID-19", False),
        ("six towers", "6 bridges", False),
        ("six", "", False),
    ],
)
def test_what_says_the_same_is_no_change(old: str, new: str, same: bool) -> None:
    assert is_respelling(old, new) is same


def test_inflections() -> None:
    context = context_of("It stopped.")
    assert [inflected(verb, "ed", context) for verb in ("go", "carry", "move", "open", "stop")] == [
        "went", "carried", "moved", "opened", "stopped",
    ]  # fmt: skip
    assert [inflected(verb, "s", context) for verb in ("go", "carry", "move", "have")] == [
        "goes", "carries", "moves", "has",
    ]  # fmt: skip
    assert inflected("go", "", context) == "go"


def test_runs() -> None:
    assert list(runs([False, True, True, False, True])) == [(1, 3), (4, 5)]
    assert list(runs([])) == []


def test_words_that_were_cut_off_are_right_and_nothing_points_there() -> None:
    whole = reading("one two three", "four five six", "five")
    short = Reading(whole.offsets[:-2] + whole.offsets[-1:], whole.border, whole.tags, whole.queries, whole.keys)
    spans = [span for _, span in words("four five six")]
    assert short.word_tags(spans)[2].tolist() == [1, 0, 0, 0]
    there = [*(span for _, span in words("one two three")), Span(14, 20)]
    (good, bad) = short.pointers(spans, there, [(0, 1), (1, 2)])
    assert bad is None
    assert good is not None
    assert good.starts[3] == -math.inf
    total = np.exp(good.starts[:3]).sum() + math.exp(log_softmax_of_null(short))
    assert total <= 1 + 1e-9


def log_softmax_of_null(reading: Reading) -> float:
    half = SIZE // 2
    query = (reading.queries[0, reading.border] + reading.queries[1, reading.border + 1]) / np.sqrt(half)
    return float(log_softmax(reading.keys[: reading.border - 1, :half] @ query[:half])[0])


def test_the_best_places_are_those_of_all_places() -> None:
    chance = np.random.default_rng(3)
    pointer = Pointer(log_softmax(chance.normal(size=30)), log_softmax(chance.normal(size=30)), -3.0)
    pairs = [(a, b) for a in range(30) for b in range(a, min(30, a + MAX_POINTED_WORDS))]
    expected = sorted(pairs, key=lambda pair: -pointer.log_p(*pair))[:5]
    assert pointer.best(5) == expected


def test_the_ranker_against_plain_python() -> None:
    chance = np.random.default_rng(5)
    networks = [
        {"hidden": chance.normal(size=(3, 2)).tolist(), "hidden_bias": [0.1, -0.2], "out": [0.5, -1.5], "out_bias": 0.3}
        for _ in range(2)
    ]
    value = {
        "names": ["a", "b", "c"],
        "mean": [0.0, 1.0, 2.0],
        "scale": [1.0, 2.0, 0.5],
        "networks": networks,
        "slope": 0.8,
        "offset": -0.1,
    }
    ranker = Ranker.of(value)
    rows = [np.array([0.5, 3.0, 2.0]), np.array([100.0, -100.0, 2.2])]
    for row, probability in zip(rows, ranker.probabilities(rows), strict=True):
        parts = zip(row, value["mean"], value["scale"], strict=True)
        standard = [max(-MAX_DEVIATION, min(MAX_DEVIATION, (x - mean) / scale)) for x, mean, scale in parts]
        odds = 0.0
        for network in networks:
            hidden = [
                math.tanh(sum(x * network["hidden"][i][j] for i, x in enumerate(standard)) + network["hidden_bias"][j])
                for j in range(2)
            ]
            odds += sum(h * o for h, o in zip(hidden, network["out"], strict=True)) + network["out_bias"]
        assert probability == pytest.approx(1 / (1 + math.exp(-(0.8 * odds / 2 - 0.1))))
    assert ranker.probabilities([]).shape == (0,)


def test_no_new_word_stands_beside_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def doubled() -> set[str]:
        found = all_of("The loss was fastest after 2015.", "The loss was slowest after 2015.", "slowest")
        news = {new.lower() for old, new in found if old == "slowest" and new}
        return {new for new in news if new.split()[0] == "was" or new.split()[-1] == "after"}

    assert doubled() == set()
    monkeypatch.setattr(Candidates, "_doubles", lambda *_: False)
    assert doubled()


def after_exchange(sentence: str, old: str, new: str) -> str | None:
    own, start = parsed(sentence), sentence.index(old)
    first = next(at for at, word in enumerate(own) if word.span.start == start)
    end = next(at for at, word in enumerate(own) if word.span.end == start + len(old)) + 1
    found = exchanged(Candidate(first, end, new, "name"), sentence, own)
    return applied(sentence, list(found.edits(sentence, own))) if found else None


@pytest.mark.parametrize(
    ("sentence", "old", "new", "expected"),
    [
        ("Metroway has accused Mayor Coates.", "Metroway", "Coates", "Mayor Coates has accused Metroway."),
        (
            "On Fridays the manager hands a report to the buddy.",
            "manager",
            "buddy",
            "On Fridays the buddy hands a report to the manager.",
        ),
        ("The owner beat Ann Lee in the final.", "owner", "Ann Lee", "Ann Lee beat the owner in the final."),
        ("Ann Lee beat the owner in the final.", "Ann Lee", "the owner", "The owner beat Ann Lee in the final."),
        ("In May the clinic called the doctor.", "the doctor", "the clinic", "In May the doctor called the clinic."),
        ("Ann met Bob, and Bob left.", "Ann", "Bob", None),  # which of the two
        ("Pugh praised his daughter Ottoline.", "Pugh", "Ottoline", None),  # part of a phrase
        ("Ann praised her manager.", "Ann", "manager", None),
        ("The tower is 300 metres tall.", "300", "330", None),
        ("Ann sings and Bob sings.", "sings", "Bob", None),  # no noun
        ("Metroway has accused Mayor Coates.", "Metroway", "Mayor", None),
        ("Ann praised some nurses for their work.", "Ann", "nurses", None),
        ("The boy's mother sued the school.", "school", "boy", None),
        ("Ann accused the owner of the shop.", "Ann", "owner", None),
        ("Ann accused the man who robbed her.", "Ann", "man", None),
        ("Bob and Ann met in Rome.", "Bob", "Ann", None),
        ("The nurses have thanked Ann.", "nurses", "Ann", None),  # the verb would not fit
        ("The recently married owner thanked Ann.", "owner", "Ann", None),
        ("Vitamin A tablets helped Ann.", "Vitamin A", "tablets", None),
        ("German officials praised Swiss voters.", "German officials", "Swiss voters", None),
        ("**The manager** called Ann.", "manager", "Ann", "**Ann** called the manager."),
        ("- The manager called Ann.", "The manager", "Ann", "- Ann called the manager."),
        ("A cellar flooded the garden.", "cellar", "garden", "The garden flooded a cellar."),
    ],
)
def test_new_words_that_the_sentence_has_change_places(sentence: str, old: str, new: str, expected: str | None) -> None:
    assert after_exchange(sentence, old, new) == expected


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ("He was charged with careless driving.", "charged with"),
        ("He was charged on Monday for careless driving.", None),  # another thing stands behind it
        ("They found him guilty of driving.", None),
        ("He was charged of driving or charged with driving.", None),  # it fits
    ],
)
def test_new_words_bring_the_preposition_of_the_evidence(evidence: str, expected: str | None) -> None:
    found = with_preposition(
        Candidate(2, 3, "charged", "word"), parsed("He was cleared of careless driving."), parsed(evidence)
    )
    assert (found.new if found else None) == expected
