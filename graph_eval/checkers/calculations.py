"""Quantities of a claim that nothing states, but that follow from stated ones by one calculation or fall under a bound.

"Two nights cost £36" follows from £18 a night, "they are open for eight hours" from "9 am to 5 pm", and "until 18 May"
from "within 14 days" of 4 May. Money is computed with in every claim, and so are the numbers of the claim itself. Other
units are where the claim says that it computes ("in total", "twice as many"): any number can be had from enough others.
So where the passages give more than a few values of a unit, none of them is used. "If you are off sick for five days"
is an instance of "more than three days".
"""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

from graph_eval.text.measures import (
    CLOCK,
    EXACT,
    IMPLIED_WORDS,
    SHARE,
    TIMES,
    Form,
    Quantity,
    bounded_quantities,
    one_line,
)
from graph_eval.text.normalise import words
from graph_eval.text.quantities import Date
from graph_eval.types import Span

MONEY = frozenset("dollar euro pound franc krone yen rupee".split())
MOST_VALUES = 12  # of one unit: any number follows from more
MOST_COUNT = 1000  # what a price is multiplied with
APPROXIMATE = Decimal("0.06")  # factors this near to 1 round a number ("about"), others bound it ("more than")
DAY = 1440  # minutes
LEAP = 2000  # stands for the year of a date without one
NOWHERE = Span(0, 0)
_TIME = "(?:days?|weeks?|months?|years?|hours?|minutes?)"
COMPUTES = re.compile(
    r"\b(?:total(?:s|led|ling|ing)?|altogether|in all|overall|combined|together|sum|add(?:s|ed)? up|differences?"
    r"|remain(?:s|ed|ing|der)?|left over|the rest|the others?|apart|margin|average|majority|aged?"
    r"|(?:twice|double|triple|half|\w+ times) (?:as|the)|(?:doubl|tripl|halv|increas|decreas)(?:ed?|es|ing)"
    r"|rose|risen|f[ae]ll(?:en|s)?|grew|grown|(?:up|down) by|sav(?:es?|ed|ing)"
    r"|(?:more|fewer|less)(?! than \D{0,3}\d)"
    r"|longer|shorter|earlier|later|older|younger|higher|lower|cheaper|dearer|faster|slower|sooner|lighter|heavier"
    r"|therefore|thus|hence|that means|(?:that|which) makes|works? out|comes? to|amounts? to|would"
    rf"|{_TIME} (?:after|before)|(?:out of|in) (?:every )?(?:two|three|four|five|ten|a hundred))\b",
    re.IGNORECASE,
)
INSTANCE = re.compile(
    r"\b(?:if|when|once|someone|anyone|a person|(?:people|customers) who|for (?:example|instance)|e\.g\.|say|would|could"
    r"|so)\b|'d\b|-year-old|\baged\b",
    re.IGNORECASE,
)
DAYS = Decimal(86400)  # seconds


class Known(NamedTuple):
    """Values by unit that texts state; `counts`: numbers that things may be multiplied with; their bounds and dates."""

    values: dict[str, frozenset[Decimal]]
    counts: frozenset[Decimal]
    bounds: tuple[Quantity, ...]
    dates: frozenset[Date]


@lru_cache(maxsize=2048)
def known(text: str) -> Known:
    """What one text states."""
    line = one_line(text)
    pairs = {IMPLIED_WORDS[word] for word, _ in words(line) if word in ("both", "pair", "couple", "twice", "double")}
    found = stating(bounded_quantities(line))
    return found._replace(counts=found.counts | pairs)


def stating(found: Iterable[Quantity]) -> Known:
    """What is known from these quantities."""
    values: dict[str, set[Decimal]] = defaultdict(set)
    counts: set[Decimal] = set()
    bounds, dates = [], set()
    for quantity in found:
        dates |= {replace(date, span=NOWHERE) for date in quantity.dates if date.month}
        if quantity.kind == "number":
            bounds.append(quantity)
        if quantity.kind in ("number", "between"):
            for form in quantity.forms:
                values[form.unit].add(form.value)
                counts.add(form.plain)
    return Known(
        {unit: frozenset(own) for unit, own in values.items()},
        frozenset(count for count in counts if 1 < count <= MOST_COUNT),
        tuple(bounds),
        frozenset(dates),
    )


def united(each: Sequence[Known]) -> Known:
    """What is known from several texts."""
    values: dict[str, frozenset[Decimal]] = {}
    for own in each:
        for unit, found in own.values.items():
            values[unit] = values.get(unit, frozenset()) | found
    return Known(
        values,
        frozenset[Decimal]().union(*(own.counts for own in each)),
        tuple(bound for own in each for bound in own.bounds),
        frozenset[Date]().union(*(own.dates for own in each)),
    )


def explained(
    missing: Sequence[Quantity], claim: str, question: str, sentence: str, passages: Sequence[str]
) -> list[Quantity]:
    """Those of the missing quantities that follow.

    The question may hold the case that is computed ("for two adults"), and so may the claim's sentence, or the
    calculation itself ("11 of the 36, so 25 were not").
    """
    asked, given = known(question), united([known(text) for text in (*passages, question)])
    line = one_line(claim)
    computes, instance = bool(COMPUTES.search(line)), bool(INSTANCE.search(line))
    of_sentence = bounded_quantities(one_line(sentence or claim))
    found = []
    for quantity in missing:
        others = [other for other in of_sentence if other.forms != quantity.forms or other.dates != quantity.dates]
        beside = stating(others)
        case = beside if instance else stating(other for other in others if _is_given(other, given))
        counts = (asked.counts | known(claim).counts) - {form.plain for form in quantity.forms}
        bounded = instance and any(map(_meets(quantity), given.bounds))
        if bounded or _dated(quantity, united((given, case))):
            found.append(quantity)
        elif quantity.kind == "number":
            for form in quantity.forms:
                in_words = form.unit == SHARE and quantity.span.of(line)[:1].isalpha()  # "a quarter of"
                freely = computes or in_words or form.unit in MONEY or (form.unit in TIMES and CLOCK in given.values)
                # A share of the claim's own numbers ("12 of 41") says nothing new.
                known_here = (given,) if form.unit == SHARE else (given, case)
                if (form.unit != SHARE and _follows(quantity, form, case, counts)) or (
                    freely and _follows(quantity, form, united(known_here), counts)
                ):
                    found.append(quantity)
                    break
    if found and (instance or any(form.unit in MONEY for quantity in found for form in quantity.forms)):
        # The number of things that were computed with is a case that the claim puts.
        found += [
            quantity
            for quantity in missing
            if quantity not in found and (instance or any(not form.unit for form in quantity.forms))
        ]
    return found


def _is_given(quantity: Quantity, given: Known) -> bool:
    return any(
        form.value in given.values.get(form.unit, ()) or form.plain in given.values.get("", ())
        for form in quantity.forms
    )


def _dated(quantity: Quantity, read: Known) -> bool:
    """Whether a date is as far from another as a stated time: "six months from 1 April", "until 30 September"."""
    wanted = [date for date in quantity.dates if date.month and date.day]
    if not wanted:
        return False
    own = {(date.month, date.day) for date in wanted}
    starts = {date for date in read.dates if date.day and (date.month, date.day) not in own}
    times = [
        datetime.timedelta(days=float(value / DAYS)) for value in _few(read, "second") if DAYS <= value < 1000 * DAYS
    ]
    months = [int(value) for value in _few(read, "month") if value % 1 == 0 and value < 240]
    ends = {
        end + datetime.timedelta(days=more)
        for date in starts
        for end in _ends(date, times, months)
        for more in (-1, 0, 1)
    }
    return any(
        (end.month, end.day) == (date.month, date.day)
        and (date.year is None or date.year == end.year or end.year == LEAP)
        for end in ends
        for date in wanted
    )


def _ends(date: Date, times: Sequence[datetime.timedelta], months: Sequence[int]) -> Iterator[datetime.date]:
    """The days that lie as far from a date as one of the times, in months or in days."""
    try:
        start = datetime.date(date.year or LEAP, date.month or 1, date.day or 1)
    except ValueError:
        return  # 31 June
    for time in times:
        yield from (start + time, start - time)
    for count in months:
        for sign in (1, -1):
            place = start.year * 12 + start.month - 1 + sign * count
            if 12 <= place < 9999 * 12:
                yield datetime.date(place // 12, place % 12 + 1, min(start.day, 28))
                if start.day > 28:
                    yield datetime.date(place // 12, place % 12 + 1, 28) + datetime.timedelta(days=start.day - 28)


def _meets(quantity: Quantity) -> Callable[[Quantity], bool]:
    """Whether the quantity is an instance of a bound."""

    def instance(bound: Quantity) -> bool:
        low, high = bound.factors
        return (
            bound.factors != EXACT
            and quantity.factors == EXACT
            and any(
                form.unit == other.unit
                and ((high == 1 and form.value <= other.value) or (low == 1 and form.value >= other.value))
                for form in quantity.forms
                for other in bound.forms
            )
        )

    return instance


def _follows(quantity: Quantity, form: Form, present: Known, counts: frozenset[Decimal]) -> bool:
    low, high = (factor * form.value for factor in quantity.factors)
    if max(abs(1 - factor) for factor in quantity.factors) > APPROXIMATE:
        low = high = form.value
    elif quantity.factors == EXACT:
        margin = form.step / 2 if form.unit == SHARE or form.step < 1 else Decimal(0)
        low, high = form.value - margin, form.value + margin
    return any(low <= value <= high for value in _results(form.unit, present, counts))


def _few(present: Known, unit: str) -> list[Decimal]:
    """The values of a unit in order, or none if there are too many."""
    values = present.values.get(unit, frozenset())
    return sorted(values) if len(values) <= MOST_VALUES else []


def _results(unit: str, present: Known, counts: frozenset[Decimal]) -> Iterator[Decimal]:
    """What one calculation gives in this unit."""
    own, plain = _few(present, unit), _few(present, "")
    shares = [share for share in present.values.get(SHARE, ()) if share]
    if unit == CLOCK:
        return
    for first, second in combinations(own, 2):
        yield first + second
        yield second - first
    for value in own:
        for count in present.counts | counts:
            if count != value or unit:
                yield from (value * count, value / count)
        for share in shares:
            yield from (value * share, value * (1 + share), value * (1 - share))
    if unit in MONEY:
        for value, other in permutations(own, 2):
            for count in counts:
                yield value * count + other
                yield from (value * count + other * more for more in counts)
        few = own if len(own) <= 6 else []
        yield from (sum(several, Decimal(0)) for size in (3, 4) for several in combinations(few, size))
    if unit == SHARE:
        for name in present.values:
            few = _few(present, name)
            yield from (first / second for first, second in combinations(few, 2) if second > 0)
            yield from (1 - first / second for first, second in combinations(few, 2) if second > 0)
        yield from (1 - share for share in shares)
    if unit == "second":
        for start, end in permutations(present.values.get(CLOCK, ()), 2):
            yield (end - start) % DAY * 60
    if unit == "month":
        years = [value for value in plain if 1000 <= value <= 2100]
        yield from ((second - first) * 12 for first, second in combinations(years, 2))
