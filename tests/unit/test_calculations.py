"""Quantities that follow from what was read, and those that do not."""

import pytest

from graph_eval.checkers.quantities import missing_quantities

# claim | premise | question
FOLLOWS = """Two nights cost £36.|A pitch costs £18 a night.|
Six people pay £90.|Each guest pays £15.|
For two adults and one child you pay €31.|Adults pay €12, children €7.|What do two adults and a child pay?
A 20% discount makes it $40.|It costs $50. Members get 20% off.|
It costs half of that, 25 kroner.|Children pay 50% of 50 kroner.|
It is open for eight hours a day.|Open 9 am to 5 pm.|
In total 44 members voted.|31 voted for it, 13 against.|
About seven in ten were for it.|31 of 44 voted for it.|
He died 12 years later.|He was elected in 1980. He died in 1992.|
If you are off sick for five days, you need a note.|Anyone who is off sick for more than three days needs a note.|
It ends on 30 September.|It lasts for six months from 1 April.|
You can cancel until 18 May.|You can cancel within 14 days.|I signed on 4 May. Until when can I cancel?
11 of the 36 stalls were damaged, so 25 were not.|36 stalls, of which 11 were damaged.|
The first is lighter by 6.3 kg (17.1 kg versus 23.4 kg).|17.1 kg. 23.4 kg.|
That is a quarter of the days of others.|They have 40 days, you have 10 days.|
There are two likely reasons: it is broken, or it is off.|It may be broken or off.|
Look a second time a week later.|Look again after seven days.|
Both of you pay CHF 64.|Each pays CHF 32.|
A trip of 200 km would bring you €64.|The rate is €0.32 per kilometre.|
That is half a litre.|Pour in 500 ml of water.|
That is a gallon and a half.|Pour in 12 pints.|
The fee is £5.|There is a fee.|Is the fee £5?"""
DOES_NOT = """You get a refund of 49 euros.|Adults pay 12 euros.|
It costs $45.|It costs $50. Members get 20% off.|
44 members voted.|31 voted for it, 13 against.|
If you are off sick for two days, you need a note.|Anyone who is off sick for more than three days needs a note.|
Employees were off sick for five days.|Anyone who is off sick for more than three days needs a note.|
It is open for nine hours a day.|Open 9 am to 5 pm.|
It ends on 15 September.|It lasts for six months from 1 April.|
He died 13 years later.|He was elected in 1980. He died in 1992.|
The fee is £5.|There is a fee.|Is the fee £6?"""


def cases(table: str) -> list[list[str]]:
    return [line.split("|") for line in table.splitlines()]


@pytest.mark.parametrize(("claim", "premise", "question"), cases(FOLLOWS))
def test_what_follows_is_not_missing(claim: str, premise: str, question: str) -> None:
    assert missing_quantities(claim, premise, question=question) == 0.0


@pytest.mark.parametrize(("claim", "premise", "question"), cases(DOES_NOT))
def test_what_does_not_follow_is_missing(claim: str, premise: str, question: str) -> None:
    assert missing_quantities(claim, premise, question=question) > 0.0


def test_the_sentence_may_hold_the_calculation() -> None:
    claim, sentence = "25 stalls escaped.", "11 of the 36 stalls were damaged, so 25 stalls escaped."
    assert missing_quantities(claim, "Eleven of our 36 stalls were damaged.") > 0.0
    assert missing_quantities(claim, "Eleven of our 36 stalls were damaged.", sentence=sentence) == 0.0


def test_nothing_follows_from_a_table() -> None:
    table = " ".join(f"Item {number} costs £{number}.99." for number in range(2, 2000))
    assert missing_quantities("It costs £11.98 in total.", table) > 0.0
    assert missing_quantities("It costs £11.98 in total.", "One is £4.99, the other £6.99.") == 0.0
