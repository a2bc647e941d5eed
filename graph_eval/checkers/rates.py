"""Prices and shares of a claim that the passages state of another time: "£1.50 a day" of "£1.50 an hour"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache

from graph_eval.text.measures import SHARE, Quantity, one_line, quantities

TIMES = {name: name for name in "minute hour day week fortnight month quarter year".split()}
TIMES |= {"night": "day", "hourly": "hour", "daily": "day", "nightly": "day", "weekly": "week", "monthly": "month"}
TIMES |= {"fortnightly": "fortnight", "quarterly": "quarter", "yearly": "year", "annually": "year", "annum": "year"}
RATE = re.compile(
    rf"(?: ?/ ?|[ -](?:an?|per|each|every)[ -])(?P<time>{'|'.join(TIMES)})(?![\w-])"
    rf"| (?P<adverb>{'|'.join(name for name in TIMES if name.endswith('ly'))})(?!\w)",
    re.IGNORECASE,
)
PRICED = frozenset({"dollar", "euro", "pound", "franc", "krone", "yen", "rupee", SHARE})


def _time(text: str, end: int) -> str:
    """The time that an amount which ends there is of. "" for none."""
    match = RATE.match(text, end)
    return TIMES[(match["time"] or match["adverb"]).lower()] if match else ""


def other_rates(claimed: Iterable[Quantity], claim: str, texts: Sequence[str]) -> int:
    """How many prices and shares of the claim (one line) the texts state, but only of another time."""
    found = 0
    for quantity in claimed:
        time = _time(claim, quantity.span.end)
        if time and any(form.unit in PRICED for form in quantity.forms):
            amounts = {form.plain for form in quantity.forms}
            times = {other for text in texts for own, other in _rates(text) if amounts & own}
            found += bool(times) and not times & {time, ""}
    return found


@lru_cache(maxsize=512)
def _rates(text: str) -> tuple[tuple[frozenset[Decimal], str], ...]:
    """Of each price and share, and of each bare number of a time, its values as written and the time that it is of."""
    line = one_line(text)
    timed = ((quantity.forms, _time(line, quantity.span.end)) for quantity in quantities(line))
    return tuple(
        (frozenset(form.plain for form in forms), time)
        for forms, time in timed
        if any(form.unit in PRICED for form in forms) or (time and any(not form.unit for form in forms))
    )
