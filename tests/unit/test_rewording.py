"""Claims in their premise's amounts: equal ones are written alike, nothing else changes, and places are kept."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graph_eval.checkers.rewording import Rewording, amounts, reworded
from graph_eval.nli.scorer import Piece, Reading
from graph_eval.types import Scores, Span

# claim | premise | the claim as it is read
ALIKE = """You need half a litre.|Pour in 500 ml.|You need 500 ml.
Bake it for three quarters of an hour.|Bake for 45 minutes.|Bake it for 45 minutes.
A two-year loan.|It runs for 24 months.|A 24-month loan.
Prices fell by half.|Prices fell by 50%.|Prices fell by 50%.
A third of them left.|33% left.|33% of them left.
67% recovered.|Two thirds recovered.|Two thirds recovered.
20% of people have it.|One in five people has it.|One in five of people have it.
The bus needs an hour and thirty minutes.|It takes 90 minutes.|The bus needs 90 minutes.
It is 1,200 g.|It weighs 1.2 kg.|It is 1.2 kg.
It cost 1,500,000 dollars.|It cost $1.5 million.|It cost $1.5 million.
It cost €2m and took 14 days.|Two weeks and 2 million euros.|It cost 2 million euros and took Two weeks.
Be there on 3 May 2024 at 2 pm.|2024-05-03, 14:00.|Be there on 2024-05-03 at 14:00.
You have a month.|Within 30 days.|You have 30 days.
It is valid for 90 days.|It is valid for 3 months.|It is valid for 3 months.
More than half a litre.|More than 500 ml.|More than 500 ml.
The term is 24 months.|A two-year term.|The term is two years.
Half the class failed.|50% of the class failed.|50% of the class failed.
It costs 99p.|It costs £0.99.|It costs £0.99.
Rates rose by 50 basis points.|Rates rose by 0.5 percentage points.|Rates rose by 0.5 percentage points.
Proxima is 40 trillion km away.|It is 40,000 billion kilometres away.|Proxima is 40,000 billion kilometres away."""
# claim | premise: it is read as it is
KEPT = """You need half a litre.|Pour in 400 ml.
You need half a litre.|Half a litre, which is 500 ml.
You need HALF A LITRE.|Half a litre, that is 500 ml.
It costs 5 euros an hour.|It takes 60 minutes.
Twice a year.|For 12 months.
The second half was better.|50% was better.
It has 5 square metres.|It is 500 cm long.
It takes 5 to 10 days.|It takes 120 hours or 240 hours.
It costs 100 NOK.|It costs 100 SEK.
It costs £5.|It weighs 5 lbs.
It costs 5 Canadian dollars.|It costs $5.
Meet at 2 o'clock.|Meet at 14:00.
24 people came.|24 months.
It was in May 2021.|It was on 3 May 2021.
On 03/04/2021.|On 3 April 2021.
45 days.|A month and a half.
A third of them left.|34% left.
12.5% of them.|12% of them.
332 of 997 patients recovered.|331 of 997 patients recovered.
One in 15 recovered.|One in 14 recovered.
Chapter 3 of 10.|It is 30%.
A third person came.|33% came.
A quarter past two.|25% of them.
Sent after 60 days and 30 days.|Sent after 90 days.
Bake for 40 minutes, 5 minutes longer.|Bake for 45 minutes.
The films last 2 hours and 90 minutes.|They last 210 minutes.
It costs 20 dollars.|It costs C$20.
It costs US$20.|It costs 20 dollars.
It costs $20 CAD.|It costs 20 dollars.
Rates rose by 50 percent.|Rates rose by 50 percentage points.
After 30 days, not one month.|After 30 days.
From 3 to 5 May 2020.|On May 5, 2020.
They got 5m votes.|It is 500 cm.
It moves at 10 m/s.|It is 1000 cm long.
It weighs 2 tons.|It weighs 2000 kg.
It has 100 Mb.|It has 100 megabytes."""


@pytest.mark.parametrize("line", ALIKE.splitlines())
def test_an_equal_amount_is_read_in_the_words_of_the_premise(line: str) -> None:
    claim, premise, read = line.split("|")
    assert reworded(claim, premise).text == read


@pytest.mark.parametrize("line", KEPT.splitlines())
def test_another_amount_stays_as_it_is(line: str) -> None:
    claim, premise = line.split("|")
    assert reworded(claim, premise) == Rewording(claim)


WORDS = """half a litre|500 ml|two weeks|14 days|30 days|and|,|to|in|50%|of it|half|5 km|.|3 May 2024|on 2024-05-03|2 pm
10:30|a year|an hour|$|5|1990s|dozen|1/2|third""".replace("\n", "|").split("|")


@given(st.lists(st.sampled_from(WORDS), max_size=12))
@example(["30 days", "on", "3 May 2024"])
@settings(max_examples=300, deadline=None)
def test_only_amounts_change_and_their_places_are_known(words: list[str]) -> None:
    claim = " ".join(words)
    premise = "It has 500 ml, takes a fortnight, is 50% off, 5,000 m away, open at 14:00 on 2024-05-03."
    rewording = reworded(claim, premise)
    end = there = 0
    for change in rewording.changes:
        assert claim[end : change.old.start] == rewording.text[there : change.new.start]
        assert change.new.of(rewording.text) in premise
        end, there = change.old.end, change.new.end
    assert claim[end:] == rewording.text[there:]


@pytest.mark.parametrize(
    "text", ["", " ", "9" * 30 + " days", "9" * 30 + "%", "1e999 km", "½½½", "٣ km", "NaN kg", "-0 km"]
)
def test_odd_numbers_do_no_harm(text: str) -> None:
    assert reworded(text, "It is 40 trillion km, 30 days and 50%.").text == text
    assert amounts(f"It takes {text}.") is not None


def test_a_text_with_other_white_space_than_blanks_has_no_places() -> None:
    assert amounts("It takes 5  km.") == ()


def read(text: str, entailment: float, **doubts: float) -> Reading:
    """A reading with the given log odds for the words of a text, 0 for others."""
    pieces, start = [], 0
    for word in text.split():
        start = text.index(word, start)
        pieces.append(Piece(start, start + len(word), doubts.get(word, 0.0)))
        start += len(word)
    return Reading(Scores(entailment, 1 - entailment, 0.0), tuple(pieces))


def test_what_either_wording_supports_is_supported() -> None:
    claim = "pour half a litre of milk"
    rewording = reworded(claim, "pour 500 ml of water")
    own = read(claim, 0.2, half=3.0, a=2.0, litre=4.0, milk=3.0)
    other = read(rewording.text, 0.6, **{"500": -1.0, "ml": -2.0}, milk=-5.0, of=-3.0)
    better = rewording.better(own, other)
    assert better.scores == other.scores
    assert {Span(piece.start, piece.end).of(claim): piece.log_odds for piece in better.pieces} == {
        "pour": 0.0, "half": -1.0, "a": -1.0, "litre": -1.0, "of": 0.0, "milk": 3.0
    }  # fmt: skip
    assert rewording.better(own._replace(scores=Scores(0.9, 0.1, 0.0)), other).scores.entailment == 0.9


def test_a_claim_that_was_cut_keeps_its_pieces() -> None:
    claim = "pour half a litre of milk"
    rewording = reworded(claim, "pour 500 ml of water")
    own = read(claim, 0.2, milk=3.0)
    assert rewording.better(own, Reading(Scores(0.1, 0.9, 0.0))) == own
