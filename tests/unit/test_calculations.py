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
That is half a litre.|Pour in 500 ml of water.|
That is a gallon and a half.|Pour in 12 pints.|
The fee is £5.|There is a fee.|Is the fee £5?"""
DOES_NOT = """You get a refund of 49 euros.|Adults pay 12 euros.|
It costs $45.|It costs $50. Members get 20% off.|
44 members voted.|31 voted for it, 13 against.|
If you are off sick for two days, you need a note.|Anyone who is off sick for more than three days needs a note.|
Employees were off sick for five days.|Anyone who is off sick for more than three days needs a note.|
It is open for nine hours a day.|Open 9 am to 5 pm.|
He died 13 years later.|He was elected in 1980. He died in 1992.|
The fee is £5.|There is a fee.|Is the fee £6?"""


def cases(table: str) -> list[list[str]]:
    return [line.split("|") for line in table.splitlines()]


@pytest.mark.parametrize(("claim", "premise", "question"), cases(FOLLOWS))
def test_what_follows_is_not_missing(claim: str, premise: str, question: str) -> None:
    assert missing_quantities(claim, premise, question=question, premises=[premise]) == 0.0


@pytest.mark.parametrize(("claim", "premise", "question"), cases(DOES_NOT))
def test_what_does_not_follow_is_missing(claim: str, premise: str, question: str) -> None:
    assert missing_quantities(claim, premise, question=question, premises=[premise]) > 0.0


def test_only_what_was_read_is_computed_with() -> None:
    claim, passage = "Two nights cost £36.", "A pitch costs £18 a night."
    assert missing_quantities(claim, passage) > 0.0
    assert missing_quantities(claim, passage, premises=["Dogs are welcome."]) > 0.0


def test_a_table_of_numbers_takes_no_time() -> None:
    table = " ".join(f"Item {number} costs £{number}.99." for number in range(2, 2000))
    assert missing_quantities("It costs £123,456.78 in total.", table, premises=[table]) > 0.0
