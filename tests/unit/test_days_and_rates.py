"""Weekdays, months and rates that the passages do not state, or state otherwise."""

import pytest

from graph_eval.checkers.days import calendar, missing_days
from graph_eval.checkers.quantities import missing_quantities


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Both clinics are on a Sunday.", "Clinics are held on Saturday 5 October."),
        ("Trains run on Fridays and Saturdays.", "Trains run on Fridays and Sundays only."),
        ("It is open on Mondays.", "Open Tuesday to Sunday."),
        ("It is open on Mondays.", "Open between Tuesday and Friday."),
        ("It is open on Saturday.", "Open Mon-Fri."),
        ("You hear by the end of May.", "You hear by the end of April."),
        ("The pool opens in July.", "The pool opens from September to May."),
        ("The pool opens in July.", "The pool opens in March and November."),
        ("You pay £1.50 a day.", "It costs £1.50 an hour, up to £9 a day."),
        ("You pay £5 weekly.", "It costs £5 per month."),
        ("The timer runs for up to nine minutes.", "Set it to one of three levels for up to nine hours."),
    ],
)
def test_what_no_passage_states_is_missing(claim: str, passage: str) -> None:
    assert missing_quantities(claim, passage) > 0
    assert missing_quantities(claim, passage, claim) == 0


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("It is open on Wednesdays.", "Open Monday to Friday."),
        ("It is open on Wednesdays.", "Open Mon-Sat."),
        ("It is open on Wednesdays.", "Open between Tuesday and Friday."),
        ("It is open on Wednesdays.", "Open every day."),
        ("It is open on Wednesdays.", "Closed on Mondays."),
        ("It is open on Wednesdays.", "Open on working days."),
        ("It is open on Sundays.", "Open at weekends."),
        ("It was found on Monday.", "It was stolen on Sunday night and found the next day."),
        ("The match is on Saturday.", "The match is on 5 October 2024."),
        ("It ran on Saturday.", "IT RAN ON SAT."),
        ("Black Friday brings offers.", "We have many offers in November."),
        ("Reporters of the Sunday Times wrote it.", "A paper wrote it."),
        ("The pool opens in July.", "The pool opens from May to September."),
        ("The pool opens in January.", "The pool opens from November to March."),
        ("The pool opens in July.", "The pool opens in summer."),
        ("The pool opens in July.", "The pool is open all year."),
        ("It ends in March.", "It ends on 2024-03-31."),
        ("It was on 3 May.", "It was on 3 May 2024."),
        ("You may ask April Jones or May.", "You may ask somebody."),
        ("You pay £9 a day.", "It costs £1.50 an hour, up to £9 a day."),
        ("You pay £80 a day.", "It costs £80 per night."),
        ("You pay £80 a day.", "It costs £80."),
        ("The pool opens in July.", "The pool is open from 15 June to 10 September."),
        ("The pool opens in July.", "The season runs from mid-June until the end of August."),
        ("The pool opens in July.", "| High | 1 Jun - 31 Aug | £9 |"),
        ("The pool opens in July.", "It is open in the third quarter."),
        ("It ended in July.", "The contract began in May. It ran for ten weeks."),
        ("It was in November.", "It was on 05/11/2024."),
        ("It is open on Saturday.", "Open Friday 4 October to Monday 7 October."),
        ("It is open on Wednesdays.", "Mon 09:00 to Fri 17:00"),
        ("It is open on Wednesdays.", "Open mon-fri."),
        ("It is open on Wednesdays.", "Open Mo-Fr."),
        ("It is open on Thursdays.", "Mon 9-5, Wed to Fri 10-4."),
        ("It is open on Wednesdays.", "Open Mon. to Fri."),
        ("It was open on Wednesday.", "Open 4-7 November 2024."),
        ("Parking is free on Sundays.", "You pay from Monday to Saturday."),
        ("The pool opens in July.", "The pool is open from Easter until the end of October."),
        ("It is closed on Mondays.", "Open Tuesday to Sunday."),
        ("It does not open on Mondays.", "Open Tuesday to Sunday."),
        ("It ends on Sunday.", "It begins on Friday and lasts three days."),
        ("Reply by Wednesday.", "You were told on Monday. Reply within 48 hours."),
        ("Put them out on Thursday night.", "Put them out the night before. Bins are emptied on Friday."),
        ("It was by August Öberg, called Friday.", "It was by a man."),
        ("You pay £20 a day.", "Vans are £20 per hour. Cars are 20 per day."),
        ("The bill has 12 monthly parts, 12 per year.", "There are 12 monthly parts."),
        ("Over 10 minutes on foot.", "On foot (minutes): 12. Parking costs £10."),
    ],
)
def test_what_a_passage_states_otherwise_is_not_missing(claim: str, passage: str) -> None:
    assert missing_quantities(claim, passage) == 0


def test_days_that_a_question_names_are_counted_on_from() -> None:
    passage = "Do not train on the day before the test."
    assert missing_days("Rest on Sunday.", [passage]) == 1
    assert missing_days("Rest on Sunday.", [passage], "My test is on Monday. What to do?") == 0
    assert missing_days("It ends in May.", [passage], "It begins in March. When does it end?") == 0


def test_ranges_go_around_the_end() -> None:
    assert calendar("Friday to Monday").days == {4, 5, 6, 0}
    assert calendar("from November to February").months == {11, 12, 1, 2}
    assert calendar("31 February 2024").days == frozenset()


def test_letters_that_only_fold_to_ascii_are_read_as_it() -> None:
    assert calendar("ſundays in ſeptember").days == {6}
    assert calendar("ſundays in ſeptember").months == {9}
