"""Quantities that follow from what was read, and those that do not."""

import pytest

from graph_eval.checkers.quantities import missing_quantities

# claim | premise | question
FOLLOWS = """At 629 euros, the Plus costs 180 euros more than the Nine.|The Nine: 449 euros. The Plus: 629 euros.|
Two nights cost £36.|A pitch costs £18 a night.|
Six people pay £90.|Each guest pays £15.|
For two adults and one child you pay €31.|Adults pay €12, children €7.|What do two adults and a child pay?
A 20% discount makes it $40.|It costs $50. Members get 20% off.|
It costs half of that, 25 kroner.|Children pay 50% of 50 kroner.|
It is open for eight hours a day.|Open 9 am to 5 pm.|
In total About seven in ten were for it.|31 of 44 voted for it.|
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
44 members voted in total, 31 for it and 13 against.|31 voted for it. 13 voted against.|
That makes £120 a year.|It costs £10 a month.|
The three buses together have 150 seats.|Our buses have 50 seats each.|
She was 45 when she died, so 45 years old.|Born in 1947, she died in 1992.|
It arrives at 11:30.|It takes two hours.|I take the one at 9:30. When does it arrive?
The price rose by 25%.|They raised it from £40 to £50.|
Each pays £33.|The bill of £100 was shared.|Three of us ate there. What does each pay?
The three courses last 45 minutes in total.|The courses last 10 minutes, 15 minutes and 20 minutes.|
It ends on 28 February.|It lasts one month from 31 January.|
That is half a litre.|Pour in 500 ml of water.|
That is a gallon and a half.|Pour in 12 pints.|
At 15 your child can have a card.|From the age of 14 they may have one.|Can my 15-year-old have a card?
If you're 16 or 17, a parent signs.|Minimum age 16; a parent signs for runners under 18.|
With the book you end up at €652.|€620 plus €32 for the book.|
Two adults save €16 with one family card compared with two basic ones.|Basic: €54. Family: €92.|
The fee is £5.|There is a fee.|Is the fee £5?
44 members voted.|31 voted for it, 13 against.|
The boat of 10:40 gets in at half past twelve.|Departures at 7:10 and 10:40. The crossing takes 1 hour 50 minutes.|
If you start it at 19:10, it ends at half past ten.|It lasts 3 h 20 min.|
Strawberries work out at €6.25 a kilo.|Strawberries: 2 kg for €12.50.|
From the tray an egg costs 29 cents.|A tray of 30 eggs is €8.70.|
Bicycles are insured for up to £900.|The sum insured is £45,000. Bicycles are covered up to 2 percent of it.|
School began 50 minutes later there.|Five schools moved the start from 7.50 to 8.40 a.m.|
The Orla is €500 cheaper.|The Orla costs €2,390. The Marlow costs €2,890.|
A German edition followed in 1906.|She published it in 1904. It was translated two years later.|
He went bankrupt in the spring of 1844.|A furnace collapsed in 1843. The owner was ruined the next spring.|
Work on it had begun in 1961.|It opened in 1962. The foundations were laid the previous year.|
He was ruined in 1844.|A furnace collapsed in 1843. He was ruined the next spring and died in 1850.|
Twenty people survived.|Brell and nineteen others survived.|"""
# Wrong operations on stated numbers, which this sign cannot tell from right ones
NOT_TOLD_APART = """The tour lasts two hours and starts at 11:00.|It opens at 9:00. Tours last two hours.|
The room costs €68 including breakfast.|A room costs €80. Breakfast costs €12.|
The tour lasts 3 hours including lunch.|The tour lasts 4 hours. Tickets are held for 1 hour.|"""
DOES_NOT = """In 2019, more than 100 people paid 180 euros.|The Nine: 449 euros. The Plus: 629 euros.|
The Plus costs 190 euros more than the Nine.|The Nine: 449 euros. The Plus: 629 euros.|
You get a refund of 49 euros.|Adults pay 12 euros.|
It costs $45.|It costs $50. Members get 20% off.|
If you are off sick for two days, you need a note.|Anyone who is off sick for more than three days needs a note.|
Employees were off sick for five days.|Anyone who is off sick for more than three days needs a note.|
It is open for nine hours a day.|Open 9 am to 5 pm.|
If you stay two nights you pay £36, and there is a £250 deposit.|£18 a night.|
Two nights cost £36 and the site opened in 1987.|£18 a night.|
The museum has 43 rooms.|It holds up to 50 visitors.|
Officials say 4,200 people were evacuated.|At least 30 people were hurt.|
You would have to wait 400 days.|It is valid for at least 3 days.|
If you order two, you pay $240 instead of $120.|Prices are on the website.|
The entry fee is £180.|Entry is £20. Open from 9 am to 5 pm.|
Sales rose by 20%.|There are 40 shops. We have 50 trucks.|
The higher court heard 72 cases.|There were 36 cases. Two courts.|
The tax rose by 3 percentage points.|It rose by 1 percentage point.|
She won a 9th title.|She won the title.|
It ends on 18 May 2031.|Elected on 4 May 2000. Cancel within 14 days.|
Cook it for 4-5 minutes on each side.|Cook it for 4 minutes, turn it, and wait 2 minutes.|
If you return it late, the fee is £25.|We refund up to £500.|
The 45-year-old was fined £500.|The fine is at least £200.|
If you join, you pay £3.|The fee is nearly £500.|
The warranty lasts 3 years.|There is a warranty.|What are the 3 main benefits?
Three nights cost about £100.|A night costs £18.|
Three nights cost less than £100.|A night costs £180.|
It ends on 18 May 2031.|I signed on 4 May and can cancel within 14 days.|
It ends on 20 April.|I signed on 4 May and can cancel within 14 days.|
He left in 1995.|Elected in 1992. He served three years. He died in 2010.|
44 members voted, 31 for it and 13 against.|They voted.|
Two nights cost £36 and the contract lasts two years.|£18 a night|
There are six types, and doors open at 10:00.|There are types. Doors open at 10:00.|
It ends on 15 September.|It lasts for six months from 1 April.|
He was ruined in 1851.|A furnace collapsed in 1843. He was ruined the next spring and died in 1850.|
He became mayor in 1916.|In 1904 he moved to Rome. He later worked there as a baker for twelve years.|
They were banned in 1907.|It was founded in 1904. The following rules hold for three years.|
He was ill until 1846.|A furnace collapsed in 1843. He was ruined the previous year and was ill for three years.|
There were 20 people.|Anna and Ben Brell and nineteen others survived.|
A German edition followed in 1907.|She published it in 1904. It was translated two years later.|
He went bankrupt in the spring of 1845.|A furnace collapsed in 1843. The owner was ruined the next spring.|
21 people survived.|Brell and nineteen others survived.|
He died 13 years later.|He was elected in 1980. He died in 1992.|
If you're 16 or 17, a parent signs.|A parent signs for runners under 15.|
At 15 your child can have a card.|From the age of 14 they may have one.|Can my 14-year-old have a card?
Two adults save €17 with one family card compared with two basic ones.|Basic: €54. Family: €92.|
There are 15 offices.|There are 12 offices.|Can my 15-year-old work there?
There are 5 offices.|There are 7 offices.|Can I return it after 5 years?
If you are 16, you can borrow 10 books.|Members under the age of 18 can borrow 6 books.|
If you're 17, you can run.|Runners must be at least 18. Teams need at least 8 members.|
If you meet at 9, you get one of 20 lockers.|Up to 50 guests. It has 12 lockers.|
Entry costs €44.|Entry costs €18. A family ticket costs €80.|We are two adults. What does entry cost?
The fee is £5.|There is a fee.|Is the fee £6?"""


def cases(table: str) -> list[list[str]]:
    return [line.split("|") for line in table.splitlines()]


@pytest.mark.parametrize(("claim", "premise", "question"), [*cases(FOLLOWS), *cases(NOT_TOLD_APART)])
def test_what_follows_is_not_missing(claim: str, premise: str, question: str) -> None:
    assert missing_quantities(claim, premise, question=question) == 0.0


@pytest.mark.parametrize(("claim", "premise", "question"), cases(DOES_NOT))
def test_what_does_not_follow_is_missing(claim: str, premise: str, question: str) -> None:
    assert missing_quantities(claim, premise, question=question) > 0.0


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("It ends on 4 June 2024.", "Valid from 2024-01-01 to 9999-12-31, cancel within 14 days."),
        ("It ends on 4 June 2024.", "Created 0001-02-01, valid within one month."),
        ("It ends on 30 June.", "On 4 May, 99999999999999999999999999999 years."),
        ("It ends on 30 June.", "31 June and 31 February, two months."),
        ("It weighs about 1989000000000000000000000000 tonnes.", "The sun is heavy."),
        ("It costs £5.", "0 of 0 people pay £0, 0% of £0, 0:00 to 0:00."),
    ],
)
def test_odd_numbers_and_dates_are_no_error(claim: str, passage: str) -> None:
    assert missing_quantities(claim, passage, question="And for 0 people on 0 May?") > 0.0


def test_the_sentence_may_hold_the_calculation() -> None:
    claim, sentence = "Dinner comes to £90.", "As you are six, dinner comes to £90."
    assert missing_quantities(claim, "Dinner is £15.") > 0.0
    assert missing_quantities(claim, "Dinner is £15.", sentence=sentence) == 0.0


def test_nothing_follows_from_a_table() -> None:
    table = " ".join(f"Item {number} costs £{number}.99." for number in range(2, 2000))
    assert missing_quantities("It costs £11.98 in total.", table) > 0.0
    assert missing_quantities("It costs £11.98 in total.", "One is £4.99, the other £6.99.") == 0.0
