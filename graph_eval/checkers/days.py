"""Weekdays and months that a claim names and no passage does: "on Sundays" of a passage with Fridays only.

A passage also names what lies within its ranges ("Monday to Friday", "weekends", "summer"), what its dates with a year
fall on, and days beside its own where it counts on from them ("the next day"). Of a passage that speaks of every day,
or of days that are left out, nothing is missing. The months of dates with a day or a year are in `quantities`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from graph_eval.text.measures import LOOK_BACK, one_line
from graph_eval.text.quantities import MONTH_NAMES, MONTHS, dates

DAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
DAY_NUMBERS = {day[:3]: number for number, day in enumerate(DAYS)}
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?"
_MONTH = rf"(?:{'|'.join(MONTH_NAMES)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
BETWEEN = r"(?P<between>\bbetween )?"
TO = r"\.?(?: ?[-–—] ?| (?:to|until|till|through|(?(between)and|to)) )"

# In claims: full names, with a capital. What a capital stands beside may be a name ("Black Friday", "Sunday Times").
CLAIMED_DAY = re.compile(rf"(?<!\w)(?P<day>{'|'.join(day.capitalize() for day in DAYS)})s?(?![\w'’])")
CLAIMED_MONTH = re.compile(
    r"\b(?:in|from|until|till|to|since|during|of|between|by|through|every|each|early|late|mid|this|last|next|and|or|for)"
    rf"[ -](?P<month>{'|'.join(name.capitalize() for name in MONTH_NAMES)})(?![\w'’])"
)
DATED = re.compile(r"\d{1,2}(?:st|nd|rd|th)?(?: of)? $|\d{1,2}(?:st|nd|rd|th)?(?:[-–]| (?:to|and|or) )$")
DATED_BEHIND = re.compile(r",? ?(?:of )?\d")
BEFORE_DAYS = frozenset(  # at the start of a sentence
    "on every each next last this from by until since the a and or for before after both only most some all no".split()
)
CAPITAL_BEHIND = re.compile(r"[- ][A-Z]\w+")

STATED_DAY = re.compile(rf"{BETWEEN}(?<!\w)(?P<first>{_DAY})(?!\w)(?:{TO}(?P<last>{_DAY})(?!\w))?", re.IGNORECASE)
STATED_MONTH = re.compile(rf"{BETWEEN}(?<!\w)(?P<first>{_MONTH})(?!\w)(?:{TO}(?P<last>{_MONTH})(?!\w))?", re.IGNORECASE)
WORK_DAYS = re.compile(r"\b(?:week ?days?|(?:work|working|business|school)[ -]?days?)\b", re.IGNORECASE)
WEEKEND = re.compile(r"\bweekends?\b", re.IGNORECASE)
EVERY_DAY = re.compile(
    r"\b(?:daily|nightly|(?:every|each|any|all) (?:single |other )?(?:days?|nights?|mornings?|evenings?)|seven days"
    r"|all week|24/7|days? of the week)\b",
    re.IGNORECASE,
)
COUNTED_ON = re.compile(  # from days that are named, to any other
    r"\b(?:except|apart from|other than|excluding|but not|closed|bar|days? (?:later|earlier|before|after|ago)|tomorrow"
    r"|yesterday)\b",
    re.IGNORECASE,
)
NEXT_DAY = re.compile(
    r"\b(?:next|following|previous|same|second|third) (?:day|morning|evening|afternoon|night)|\beve\b|\bovernight\b"
    r"|\bmidnight\b|\bthe (?:day|night|morning) (?:before|after)",
    re.IGNORECASE,
)
EVERY_MONTH = re.compile(
    r"\b(?:monthly|(?:every|each|any) (?:other )?month|all year|year[- ]round|quarterly)\b", re.IGNORECASE
)
MONTHS_ON = re.compile(
    r"\b(?:(?:following|next|previous|same) month|months? (?:later|earlier|before|after|ago)|quarters?|except"
    r"|apart from|other than|half of)\b",
    re.IGNORECASE,
)
SEASONS = {
    "spring": (3, 4, 5, 6),
    "summer": (6, 7, 8, 9),
    "autumn": (9, 10, 11, 12),
    "fall": (9, 10, 11, 12),
    "winter": (12, 1, 2, 3),
    "christmas": (12, 1),
    "easter": (3, 4),
    "year": (12, 1),  # the start or the end of one
}
SEASON = re.compile(rf"\b(?:mid)?({'|'.join(SEASONS)})s?\b", re.IGNORECASE)


def missing_days(claim: str, passages: Sequence[str], question: str = "") -> tuple[int, int]:
    """(how many weekdays and months the claim names, how many of them no passage does).

    Where the question names a weekday, answers count on from it: no weekday is missing then. The same holds of months.
    """
    needed = missing = 0
    for claimed, stated in ((_claimed_days(claim), stated_days), (_claimed_months(claim), stated_months)):
        if claimed and not stated(question):
            needed += len(claimed)
            missing += len(claimed.difference(*map(stated, passages)))
    return needed, missing


def _claimed_days(claim: str) -> set[int]:
    found = CLAIMED_DAY.finditer(claim)
    return {_day(match["day"]) for match in found if not _in_name(claim, *match.span())}


def _claimed_months(claim: str) -> set[int]:
    return {
        MONTHS[match["month"].lower()]
        for match in CLAIMED_MONTH.finditer(claim)
        if not DATED_BEHIND.match(claim, match.end())
        and not DATED.search(claim[max(0, match.start("month") - LOOK_BACK) : match.start("month")])
        and not CAPITAL_BEHIND.match(claim, match.end())
    }


def _in_name(claim: str, start: int, end: int) -> bool:
    """Whether a capital stands beside it that is no weekday, month or word that opens a sentence."""
    before = claim[max(0, start - LOOK_BACK) : start].rstrip(" -")
    word = re.search(r"\w+$", before)
    behind = CAPITAL_BEHIND.match(claim, end)
    return bool(
        (word and word[0][0].isupper() and word[0].lower() not in BEFORE_DAYS and not _is_calendar(word[0]))
        or (behind and not _is_calendar(behind[0][1:]))
    )


def _is_calendar(word: str) -> bool:
    folded = word.lower()
    return folded in MONTHS or folded.removesuffix("s") in DAYS


@lru_cache(maxsize=512)
def stated_days(text: str) -> frozenset[int]:
    """The weekdays (0: Monday) that a text names or may mean."""
    text = one_line(text)
    named = [
        number
        for match in STATED_DAY.finditer(text)
        if match["first"][0].isupper() or match["first"].lower().rstrip("s") in DAYS
        for number in _from_to(_day(match["first"]), _day(match["last"] or match["first"]), 7)
    ]
    found = set(named)
    if WORK_DAYS.search(text):
        found.update(range(5))
    if WEEKEND.search(text):
        found.update((5, 6))
    if EVERY_DAY.search(text) or (found and COUNTED_ON.search(text)):
        return frozenset(range(7))
    if NEXT_DAY.search(text):
        found.update((day + step) % 7 for day in named for step in (-1, 1))
    found.update(_days_of_dates(text))
    return frozenset(found)


def _day(name: str) -> int:
    return DAY_NUMBERS[name.lower()[:3]]


def _days_of_dates(text: str) -> Iterator[int]:
    for date in dates(text):
        if date.year and date.month and date.day:
            try:
                yield datetime.date(date.year, date.month, date.day).weekday()
            except ValueError:  # 31 February, or a year that the calendar does not have
                continue


def _from_to(first: int, last: int, size: int) -> Iterable[int]:
    """The numbers from the first to the last one, around the end."""
    return ((first + step) % size for step in range((last - first) % size + 1))


@lru_cache(maxsize=512)
def stated_months(text: str) -> frozenset[int]:
    """The months that a text names or may mean."""
    text = one_line(text)
    found = {
        1 + number
        for match in STATED_MONTH.finditer(text)
        for number in _from_to(_month(match["first"]), _month(match["last"] or match["first"]), 12)
    }
    found.update(month for match in SEASON.finditer(text) for month in SEASONS[match[1].lower()])
    found.update(date.month for date in dates(text) if date.month)
    if EVERY_MONTH.search(text) or (found and MONTHS_ON.search(text)):
        return frozenset(range(1, 13))
    return frozenset(found)


def _month(name: str) -> int:
    return MONTHS[name.lower()] - 1
