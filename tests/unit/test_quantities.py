"""Quantities of a claim against those of a passage: equal ones in other forms are stated, others are not."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graph_eval.checkers.quantities import missing_quantities

EQUAL = """two years|24 months
20 micrograms|20 µg
half a cup|1/2 cup
two thirds of a cup|2/3 cup
half an acre|0.5 acres
5 kilowatt-hours|5000 watt hours
5 kilowatt hours|5 kWh
1 TB|1,000 GB
the 2018 Cup|on 1 May 2018
In 2019 MP Lee|on 3 May 2019
0.5 mg|500 mcg
2 kW|2,000 watts
3 tablespoons|3 tbsp
2.4 GHz|2400 MHz
5 kWh|5 kilowatt-hours
8 oz|8 ounces
500 kcal|500 calories
a two-year contract|24 months
1.5 hours|90 minutes
an hour and a half|90 minutes
90 minutes|an hour and a half
an hour and 30 minutes|90 minutes
90 seconds|a minute and a half
two and a half years|30 months
an hour and a half of driving|90 minutes
90 minutes|an hour and a half of driving
two weeks and half a litre|14 days and 500 ml
30 days|a month
three months|90 days
365 days|a year
half an hour|30 minutes
three quarters of an hour|45 minutes
a quarter of an hour|15 minutes
2½ hours|150 minutes
two weeks|a fortnight
a fortnight|14 days
10 years|a decade
100 years|a century
a dozen eggs|12 eggs
half a dozen eggs|six eggs
half a million people|500,000 people
100% of the cost|the full cost
100 per cent|the entire sum
50%|half of it
half of the costs|50 percent
25%|a quarter
a third of them|33%
1/3 of them|a third of them
1/4 inch|1/4th of an inch
1 1/2 cups|1.5 cups
20% of people|one in five people
one in five people|20%
3 per cent|3%
up 17%, reaching $93.6 million|Sales rose 17% to $93.6 million
1,200 people|1.2 thousand people
1.2k|1,200
$3m|3 million dollars
$3 bn|3 billion dollars
£5|5 pounds
75 cents|$0.75
5 km|5000 metres
2 kg|2,000 g
350°F|350 F
sixty-five mph|65 miles per hour
5 to 10 days|5-10 days
1 to 2 weeks|7 to 14 days
3-5 million people|3 million to 5 million people
3 March 2021|March 3rd, 2021
3 March 2021|2021-03-03
3 March 2021|03/03/2021
25 December 2020|12/25/2020
March 5, 2021|March 3-5, 2021
2 pm|14:00
14:00|2 p.m.
noon|12:00
9 am to 5 pm|9-5pm
in the 1990s|1994
2019-20|2019-2020
more than 100 people|116 people
over 50,000|53,024
at least 100 kg|116 kg
18 or older|at least 18 years old
fewer than 20|16
about 120|116
nearly 120|116
nearly half of them|48%
between 10 and 20 days|15 days
between 2010 and 2015|2012
hundreds of people|340 people
dozens of people|45 people
billions of dollars|$2.2bn
3.2 million|3,214,000
4.5%|4.46%
two engines|both engines
World War 2|World War II
24 people|24 months
24 years|24 months and 24 people
one of them|none of this
COVID-19|the disease
Passages 1 and 3 say so|they say so"""
OTHER = """three years|24 months
20 milligrams|20 micrograms
10 kilowatt-hours|10 kilowatts
half a cup|half a teaspoon
2 tablespoons|2 teaspoons
40 hectares|40 acres
5 kWh|5 kW
100 GB|100 MB
8 ounces|8 grams
an hour and a half|80 minutes
half an hour|20 minutes
a dozen eggs|11 eggs
half a dozen eggs|seven eggs
a decade|nine months
an hour and a half of driving|60 minutes
60 minutes|an hour and a half of driving
30 days|14 days of last month
365 days|200 days in the year 2020
120 days|four months
100% of the cost|80% of the cost
half of the costs|40 percent
a third of them|40%
one in four people|20%
1.3k|1,200
$3m|3 million euros
$3m|$3bn
£5|$5
5 km|500 metres
24 years|24 months
24 hours|24 days
30 °C|86 °F
3 April 2021|03/03/2021
3 March 2022|March 3rd, 2021
2 pm|15:00
2 pm|2 am
14:30|14:00
in the 1980s|1994
more than 100 people|96 people
more than 100 people|the year 2014
at least 100 kg|116 km
fewer than 20|26
about 120|90
nearly 120|124
between 10 and 20 days|25 days
between 10 and 20 days|between 10 and 30 days
hundreds of people|34 people
thousands of people|340 people
3.3 million|3,214,000
4.4%|4.46%
the second engine|both engines
There are 401|There are 410
23-year-old|24-year-old"""


def pairs(table: str) -> list[tuple[str, str]]:
    return [(claim, passage) for claim, _, passage in (line.partition("|") for line in table.splitlines())]


@pytest.mark.parametrize(("claim", "passage"), pairs(EQUAL))
def test_an_equal_quantity_is_stated(claim: str, passage: str) -> None:
    assert missing_quantities(claim, passage) == 0.0


@pytest.mark.parametrize(("claim", "passage"), pairs(OTHER))
def test_another_quantity_is_not_stated(claim: str, passage: str) -> None:
    assert missing_quantities(claim, passage)
    assert missing_quantities(claim, passage) > 0.0


def test_a_claim_that_is_stated_nowhere_lacks_its_quantities() -> None:
    uncounted = {"in the 1990s", "one of them", "COVID-19", "Passages 1 and 3 say so"}
    assert {claim for claim, _ in pairs(EQUAL) if not missing_quantities(claim, "Nothing.")} == uncounted


FORMS = {
    "upper case": str.upper,
    "lower case": str.lower,
    "wide": lambda text: text.replace(" ", " \n\t "),
    "no-break": lambda text: text.replace(" ", "\u00a0"),
    "around": lambda text: f"\n {text}\r\n",
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_case_and_white_space_change_nothing(form: str) -> None:
    changed = FORMS[form]
    for claim, passage in pairs(EQUAL) + pairs(OTHER):
        expected = missing_quantities(claim, passage)
        assert missing_quantities(changed(claim), passage) == expected, claim
        assert missing_quantities(claim, changed(passage)) == expected, claim


def test_the_share_counts_each_quantity() -> None:
    assert missing_quantities("24 months, 40 days and 5 kg", "two years and 5 kg") == pytest.approx(1 / 3)
    assert missing_quantities("no number", "5") == 0.0
    assert missing_quantities("24 months and 5 kg", "two years", "5 kg") == 0.0  # each in a passage of its own


PIECES = st.sampled_from(
    (
        "5 24 1/2 ½ half a an the of third quarter two twenty-one million hundreds dozen % $ £ 3.5 1,200 235, 000"
        " months years year-old hour second km m k 2pm 14:00 9-5 March 2021 03/04/2021 1990s 1994 - to and between"
        " more than nearly or so in five out passage 1 . , and a half ſ ı İ K fortnight century 9" + "9" * 40
    ).split()
)


@settings(max_examples=300, deadline=None)
@example("9" * 41 + " - 5")
@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_a_text_states_its_own_quantities(text: str) -> None:
    assert missing_quantities(text, text) == 0.0
    assert missing_quantities(text, f"It was said. {text} . The end.") == 0.0


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_states_its_own_quantities(text: str) -> None:
    assert missing_quantities(text, text) == 0.0
