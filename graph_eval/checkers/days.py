"""Weekdays and months that a claim names and no passage does: "on Sundays" of a passage with Fridays only.

Passages also name what lies within their ranges ("Monday to Friday", "weekends", "summer"), and what their dates fall
on. Where they speak of every day, of days that are left out, or of a time that is counted on from a day ("within 48
hours"), none is missing. The same holds of months. The months of dates with a day or a year are in `quantities`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graph_eval.text.measures import LOOK_BACK, one_line, quantities
from graph_eval.text.quantities import MONTH_NAMES, MONTHS

DAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
DAY_NUMBERS = {day[:3]: number for number, day in enumerate(DAYS)}
VERBS = frozenset({"may", "march"})  # months only with a capital
ALL_DAYS, ALL_MONTHS = frozenset(range(7)), frozenset(range(1, 13))

# ---- in claims: full names with a capital ----

CLAIMED_DAY = re.compile(rf"(?<!\w)(?P<day>{'|'.join(day.capitalize() for day in DAYS)})s?(?![\w'’])")
CLAIMED_MONTH = re.compile(
    r"\b(?i:in|from|until|till|to|since|during|of|between|by|through|every|each|early|late|mid|this|last|next)"
    rf"[ -](?P<month>{'|'.join(name.capitalize() for name in MONTH_NAMES)})(?![\w'’])"
)
DATED_BEFORE = re.compile(r"(?<!\d)\d{1,2}(?:st|nd|rd|th)? (?:of|to|and|or) $")
DATED_BEHIND = re.compile(r",? ?(?:of )?\d")
OPENING = frozenset(  # words before a day that open a sentence; others with a capital make a name of it: "Black Friday"
    "on every each next last this from by until since the a and or for before after both only most some all".split()
)
NAMED = re.compile(r"\b(?:called|named|name of|word for|month of)(?: the)? $", re.IGNORECASE)
LEFT_OUT = re.compile(
    r"\b(?:not|no|never|none|nothing|closed?|shut|free|except|without|apart|other|if|example)\b|n['’]t\b", re.IGNORECASE
)

# ---- in passages ----

_DAY = r"(?:(?:mon|tues?|wed(?:nes|s)|thu(?:rs?)?|fri|satur)(?:days?|s)?|sundays?|wed|sat|(?-i:S(?:un|UN))s?)"
_MONTH = (
    rf"(?:{'|'.join(name for name in MONTH_NAMES if name not in VERBS)}|(?-i:May|MAY|March|MARCH)"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_TO = r"[^.;|]{0,24}?(?:[-–—→~/]|\b(?:to|until|till?|through|thru|ends?)\b)[^.;|]{0,16}?"
STATED_DAY, STATED_MONTH = (
    # The second name is looked at only: it may begin another range.
    re.compile(
        rf"(?P<between>\bbetween [^.;|]{{0,16}}?)?(?<!\w)(?P<first>{name})(?!\w)\.?"
        rf"(?=(?:{_TO}|(?(between)[^.;|]{{0,16}}? and [^.;|]{{0,16}}?|[-–]))(?<!\w)(?P<last>{name})(?!\w))?",
        re.IGNORECASE,
    )
    for name in (_DAY, _MONTH)
)
DATE_RANGE = re.compile(r"\d(?:st|nd|rd|th)? ?(?:[-–,]|to|and|through) ?\d", re.IGNORECASE)
WORK_DAYS = re.compile(r"\b(?:week ?days?|(?:work|working|business|school)[ -]?days?)\b", re.IGNORECASE)
WEEKEND = re.compile(r"\bweekends?\b", re.IGNORECASE)
_SIGNS = r" ?[-–,/&] ?"
_ALWAYS = r"always|at all times|around the clock|24/7|365|all year|year[- ]round|throughout the year"
EVERY_DAY = re.compile(
    rf"\b(?:{_ALWAYS}|daily|nightly|(?:every|each|any|all) (?:single |other )?(?:days?|nights?|mornings?|evenings?)"
    r"|(?:seven|7) days|(?:all|during the) week|days? of the week"
    rf"|(?:Mo|Tu|We|Th|Fr|Sa|M|F){_SIGNS}(?:Tu|We|Th|Fr|Sa|Su|F)|MWF)\b",
    re.IGNORECASE,
)
EVERY_MONTH = re.compile(
    rf"\b(?:{_ALWAYS}|monthly|quarterly|(?:every|each|any) (?:other )?month|months? of the year|(?:once|twice) a month"
    r"|times a (?:year|month)|of the month|q[1-4]|h[12]"
    r"|(?:first|second|third|fourth|last|next|this|each|every) quarter|quarters? of the year"
    r"|half of (?:the|this|next|last) ?year|mid-?year|hemisphere)\b",
    re.IGNORECASE,
)
# What stands beside days that are named makes others of them.
_OTHERS = r"except|apart from|other than|excluding|but not|not open|no \w+ (?:on|in)|never|closed?|bar|otherwise|rest"
_COUNT = r"\b(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|few)[ -](?:\w+ )?"
DAYS_ON = re.compile(
    rf"\b(?:{_OTHERS}|tomorrow|yesterday|eve|overnight|midnight)\b|{_COUNT}(?:hours?|days?|nights?|weeks?)\b"
    r"|\b(?:next|following|previous|same|second|third) (?:day|morning|evening|afternoon|night)\b"
    r"|\b(?:day|night|morning|evening) (?:before|after|following)\b",
    re.IGNORECASE,
)
MONTHS_ON = re.compile(
    rf"\b(?:{_OTHERS})\b|{_COUNT}(?:days?|weeks?|months?)\b|\b(?:following|next|previous|same) month\b"
    r"|\b(?:year|season|term)s? (?:ends?|begins?|starts?|to|runs?)\b",
    re.IGNORECASE,
)
# The months that a time of the year may mean.
SEASONS = {
    "spring": (3, 4, 5, 6),
    "summer": (5, 6, 7, 8, 9),
    "autumn": (9, 10, 11, 12),
    "fall": (9, 10, 11, 12),
    "winter": (11, 12, 1, 2, 3),
    "advent": (11, 12),
    "christmas": (12, 1),
    "boxing day": (12,),
    "new year": (12, 1),
    "lent": (2, 3, 4),
    "easter": (3, 4),
    "valentine": (2,),
    "halloween": (10,),
    "thanksgiving": (11,),
    "start of the year": (1,),
    "end of the year": (12,),
}
SEASON = re.compile(
    r"(?:\b(?P<until>to|until|till) (?:the )?(?:(?:end|start) of )?)?"
    rf"\b(?:mid)?(?P<name>{'|'.join(SEASONS)})(?:['’]?s)?\b(?P<on> (?:to|until|till)\b)?",
    re.IGNORECASE,
)


def missing_days(claim: str, passages: Sequence[str], question: str = "") -> int:
    """How many weekdays and months of the claim, which is one line, no passage names.

    Where the question names a weekday, answers count on from it: no weekday is missing then. The same holds of months.
    """
    if LEFT_OUT.search(claim):  # "closed on Mondays" of "open Tuesday to Sunday"
        return 0
    days, months = _claimed_days(claim), _claimed_months(claim)
    if not days and not months:
        return 0
    read, asked = [calendar(passage) for passage in passages], calendar(question)
    missing = 0 if asked.days else len(days - _days(read))
    return missing if asked.months else missing + len(months - _months(read))


def _claimed_days(claim: str) -> set[int]:
    found = CLAIMED_DAY.finditer(claim)
    return {_day(match["day"]) for match in found if not _in_name(claim, *match.span())}


def _claimed_months(claim: str) -> set[int]:
    return {
        MONTHS[match["month"].lower()]
        for match in CLAIMED_MONTH.finditer(claim)
        if not DATED_BEHIND.match(claim, match.end())
        and not DATED_BEFORE.search(_before(claim, match.start("month")))
        and not NAMED.search(_before(claim, match.start("month")))
        and not _capital_behind(claim, match.end())
    }


def _in_name(claim: str, start: int, end: int) -> bool:
    """Whether a capital stands beside it that is no weekday, month or word that opens a sentence, or it is a name."""
    before = _before(claim, start)
    word = re.search(r"\w+$", before.rstrip(" -"))
    capital = word and word[0][0].isupper() and word[0].lower() not in OPENING and not _is_calendar(word[0])
    return bool(capital or NAMED.search(before) or _capital_behind(claim, end))


def _before(claim: str, start: int) -> str:
    return claim[max(0, start - LOOK_BACK) : start]


def _capital_behind(claim: str, end: int) -> bool:
    word = re.match(r"[- ](\w+)", claim[end : end + LOOK_BACK])
    return word is not None and word[1][0].isupper() and not _is_calendar(word[1])


def _is_calendar(word: str) -> bool:
    folded = word.lower()
    return folded in MONTHS or folded.removesuffix("s") in DAYS


@dataclass(frozen=True, slots=True)
class Calendar:
    """The weekdays (0: Monday) and months that a text names. `more_days`: it counts on from days or leaves some out, so
    any may be meant if some passage names one."""

    days: frozenset[int]
    months: frozenset[int]
    more_days: bool
    more_months: bool


def _days(read: Iterable[Calendar]) -> frozenset[int]:
    """The weekdays that passages name together."""
    found = frozenset[int]().union(*(one.days for one in read))
    return ALL_DAYS if found and any(one.more_days for one in read) else found


def _months(read: Iterable[Calendar]) -> frozenset[int]:
    found = frozenset[int]().union(*(one.months for one in read))
    return ALL_MONTHS if found and any(one.more_months for one in read) else found


@lru_cache(maxsize=512)
def calendar(text: str) -> Calendar:
    """The calendar of a passage or a question."""
    line = one_line(text)
    dates = [date for quantity in quantities(line) for date in quantity.dates]
    days = {
        day
        for match in STATED_DAY.finditer(line)
        for day in _from_to(_day(match["first"]), _day(match["last"] or match["first"]), 7)
    }
    months = {
        1 + month
        for match in STATED_MONTH.finditer(line)
        for month in _from_to(_month(match["first"]), _month(match["last"] or match["first"]), 12)
    }
    seasons = list(SEASON.finditer(line))
    months.update(month for season in seasons for month in SEASONS[season["name"].lower()])
    months.update(date.month for date in dates if date.month)
    days.update((5, 6) if WEEKEND.search(line) else ())
    days.update(range(5) if WORK_DAYS.search(line) else ())
    whole = [day for date in dates for day in _weekday(date.year, date.month, date.day)]
    days.update(whole)
    return Calendar(
        ALL_DAYS if EVERY_DAY.search(line) or (whole and DATE_RANGE.search(line)) else frozenset(days),
        ALL_MONTHS if EVERY_MONTH.search(line) else frozenset(months),
        DAYS_ON.search(line) is not None,
        MONTHS_ON.search(line) is not None or any(season["until"] or season["on"] for season in seasons),
    )


def _weekday(year: int | None, month: int | None, day: int | None) -> list[int]:
    """The weekday of a whole date. Nothing for a part of one, or for one that the calendar does not have."""
    if not (year and month and day):
        return []
    try:
        return [datetime.date(year, month, day).weekday()]
    except ValueError:
        return []


def _day(name: str) -> int:
    return DAY_NUMBERS[name.lower()[:3]]


def _month(name: str) -> int:
    """From 0 on."""
    return MONTHS[name.lower()] - 1


def _from_to(first: int, last: int, size: int) -> Iterable[int]:
    """The numbers from the first to the last one, around the end."""
    return ((first + step) % size for step in range((last - first) % size + 1))
