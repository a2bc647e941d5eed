"""Weekdays, months and rates that the passages do not state, or state otherwise."""

import pytest

from graph_eval.checkers.days import missing_days, stated_days, stated_months
from graph_eval.checkers.quantities import missing_quantities


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Both clinics are on a Sunday.", "Clinics are held on Saturday 5 October."),
        ("Trains run on Fridays and Saturdays.", "Trains run on Fridays and Sundays only."),
        ("It is open on Mondays.", "Open Tuesday to Sunday."),
        ("It is open on Mondays.", "Open between Tuesday and Friday."),
        ("Saturday is free.", "Open Mon-Fri."),
        ("You hear by the end of May.", "You hear by the end of April."),
        ("The pool opens in July.", "The pool opens from September to May."),
        ("The pool opens in July.", "The pool opens in March and November."),
        ("You pay £1.50 a day.", "It costs £1.50 an hour, up to £9 a day."),
        ("You pay £5 weekly.", "It costs £5 per month."),
        ("Take it twice a week.", "Take it twice a day."),
        ("Take it 3 times a week.", "Take it three times a day."),
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
        ("Bins are emptied once a week.", "Bins are emptied every week. Take the tablet once a day."),
        ("Take it twice a week.", "Take it often."),
        ("Take it three times a day.", "Take it 3 times daily."),
    ],
)
def test_what_a_passage_states_otherwise_is_not_missing(claim: str, passage: str) -> None:
    assert missing_quantities(claim, passage) == 0


def test_days_that_a_question_names_are_counted_on_from() -> None:
    passage = "Do not train on the day before the test."
    assert missing_days("Do not train on Sunday.", [passage]) == (1, 1)
    assert missing_days("Do not train on Sunday.", [passage], "My test is on Monday. What to do?") == (
        0,
        0,
    )
    assert missing_days("It ends in May.", [passage], "It begins in March. When does it end?") == (0, 0)


def test_ranges_go_around_the_end() -> None:
    assert stated_days("Friday to Monday") == {4, 5, 6, 0}
    assert stated_months("from November to February") == {11, 12, 1, 2}
    assert stated_days("31 February 2024") == frozenset()


def test_letters_that_only_fold_to_ascii_are_read_as_it() -> None:
    assert missing_quantities("It is open on Sundays, ſix times a week.", "Open on ſundays, \u017fix timeſ a day.") > 0
    assert stated_days("ſunday") == {6}
