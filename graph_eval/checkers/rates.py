"""Amounts and frequencies of a claim that the passages state of another time: "£1.50 a day" of "£1.50 an hour"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache

from graph_eval.text.measures import Quantity, one_line, quantities
from graph_eval.text.quantities import UNITS

TIMES = {name: name for name in "minute hour day week fortnight month quarter year".split()}
TIMES |= {"night": "day", "minutely": "minute", "hourly": "hour", "daily": "day", "nightly": "day", "weekly": "week"}
TIMES |= {"fortnightly": "fortnight", "monthly": "month", "quarterly": "quarter", "yearly": "year", "annually": "year"}
TIMES |= {"annum": "year", "annual": "year"}
_ADVERB = "hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually"
PER = (
    r"(?: ?/ ?|[ -](?:an?|per|each|every)[ -])(?P<unit>minute|hour|day|night|week|fortnight|month|quarter|year|annum)"
    rf"(?!\w)|[ -](?P<adverb>{_ADVERB})(?!\w)"
)
RATE = re.compile(PER, re.IGNORECASE)
COUNTS = {word: value for word, value in UNITS.items() if 1 < value < 13}
ADVERBS = {"once": 1, "twice": 2, "thrice": 3}
FREQUENCY = re.compile(
    rf"\b(?:(?P<word>{'|'.join(ADVERBS)})|(?P<count>{'|'.join(COUNTS)}|\d{{1,2}}) times)(?:{PER})", re.IGNORECASE
)
EVERY = re.compile(rf"\b(?:(?:every|each) (?P<unit>\w+)|(?P<adverb>{_ADVERB}|annual))\b", re.IGNORECASE)


def _time(match: re.Match[str]) -> str:
    return TIMES.get((match["unit"] or match["adverb"]).lower(), "")


def other_rates(claimed: Iterable[Quantity], claim: str, passages: Sequence[str]) -> list[Quantity]:
    """The quantities of the claim that passages state, but only of another time. `claim`: one line."""
    found = []
    for quantity in claimed:
        if match := RATE.match(claim, quantity.span.end):
            amounts = {(form.unit, form.value) for form in quantity.forms}
            times = {time for passage in passages for own, time in _rates(passage) if amounts & own}
            if times and not times & {_time(match), ""}:
                found.append(quantity)
    return found


@lru_cache(maxsize=512)
def _rates(passage: str) -> tuple[tuple[frozenset[tuple[str, Decimal]], str], ...]:
    """Of each quantity its values (unit, value), and the time that it is of: "" for none."""
    line = one_line(passage)
    return tuple(
        (
            frozenset((form.unit, form.value) for form in quantity.forms),
            _time(match) if (match := RATE.match(line, quantity.span.end)) else "",
        )
        for quantity in quantities(line)
    )


def other_frequencies(claim: str, passages: Sequence[str]) -> tuple[int, int]:
    """(how many frequencies the claim has ("twice a week"), how many of them passages state of another time alone)."""
    claimed = _frequencies(claim)
    return len(claimed), sum(_is_other(count, time, passages) for count, time in claimed)


def _is_other(count: int, time: str, passages: Sequence[str]) -> bool:
    times = {other for passage in passages for own, other in _frequencies(passage) if own == count}
    if count == 1:  # "every week" is once a week
        times |= {_time(match) for passage in passages for match in EVERY.finditer(passage) if times}
    return bool(times) and time not in times


@lru_cache(maxsize=512)
def _frequencies(text: str) -> tuple[tuple[int, str], ...]:
    return tuple((_count(match), _time(match)) for match in FREQUENCY.finditer(one_line(text)))


def _count(match: re.Match[str]) -> int:
    if match["word"]:
        return ADVERBS[match["word"].lower()]
    count = match["count"].lower()
    return COUNTS.get(count) or int(count)
