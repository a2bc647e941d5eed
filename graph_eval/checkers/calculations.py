"""Quantities of a claim that nothing states, but that follow from stated ones by one calculation or fall under a bound.

"Two nights cost £36" follows from £18 a night, "they are open for eight hours" from "9 am to 5 pm", and "until 18 May"
from "within 14 days" of 4 May. Any number can be had from enough others, so it has to be had in one step, from numbers
of its own unit, one of which a passage states. Where there are more than a few values of a unit, none of them is used.

Models compute mostly right, and which of several results was asked for no number tells. So a wrong operation on the
right numbers passes this sign. Of 85 wrong sentences of RAGTruth dev with a quantity that no passage states, 4 are
explained so. The model judges those by their words.

"If you are off sick for five days" is an instance of "more than three days", and not missing either.
"""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, permutations, product
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
    is_year,
    one_line,
)
from graph_eval.text.normalise import words
from graph_eval.text.quantities import Date, numbers
from graph_eval.text.sentences import sentences
from graph_eval.types import Span

MONEY = frozenset("dollar euro pound franc krone yen rupee".split())
MOST_VALUES = 8  # of one unit in all passages
MOST_PRICES = 5  # of several things that are added up
MOST_COUNTS = 6  # in the claim's sentence and the question
MOST_DATES = 6
MOST_CLOCKS = 2
MOST_COUNT = 1000  # what something is multiplied with
FARTHEST, SMALLEST = Decimal(3), Decimal("0.1")  # relative to the bound that a number is an instance of
LARGEST = Decimal(10**15)  # a rounded number
ABOUT = Decimal("0.06")  # factors this near to 1 round a number ("about"), others bound it ("more than")
FIRST_YEAR, LAST_YEAR = 1000, 2100
MINUTES_A_DAY, SECONDS_A_DAY, MONTHS_A_YEAR = 1440, Decimal(86400), 12
NOWHERE = Span(0, 0)

# The claim puts a case: numbers of its own are not stated anywhere.
INSTANCE = re.compile(
    r"\b(?:if|when (?:you|someone|a)|once you|someone|anyone|a person|(?:people|customers) who|for (?:example|instance)"
    r"|e\.g\.|would)\b|'d\b|-year-old|\baged\b",
    re.IGNORECASE,
)
INCLUSIVE = re.compile(  # in front of a number that itself meets the bound
    r"\b(?:up to|at (?:most|least)|an? (?:maximum|minimum) of|no (?:more|less|fewer|later) than) (?:[$£€] ?)?$",
    re.IGNORECASE,
)
AGE = re.compile(r"\b(?:you're|you are|aged?) (?:\d+ (?:or|and|to) )?$", re.IGNORECASE)  # in front of "16" or "17"
OF_AGES = re.compile(r"\b(?:ages?|aged|years? old|birthday)\b", re.IGNORECASE)
SAVES = re.compile(r"\b(?:sav(?:es?|ed|ings?)|cheaper|less)\b", re.IGNORECASE)
BACKWARDS = re.compile(r"\b(?:before|earlier|prior|ahead|in advance|latest|beforehand)\b", re.IGNORECASE)
NEXT = re.compile(
    r"\b(?:(?:next|following) (?:year|spring|summer|autumn|fall|winter|season)|(?:a|the) year (?:later|after))\b",
    re.IGNORECASE,
)
PREVIOUS = re.compile(r"\b(?:previous|preceding) (?:year|spring|summer|autumn|fall|winter|season)\b", re.IGNORECASE)
LATER = re.compile(r"\b(?:years?|decades?|months?) (?:later|afterwards|after that)\b", re.IGNORECASE)
OTHERS = re.compile(  # "Brellard and nineteen others" are twenty
    r"(?P<names>[A-Z][\w'-]+(?:(?:,| and)? [A-Z][\w'-]+)*) and (?P<others>[\w-]+) others\b"
)
SEVERAL = re.compile(r",| and ")  # of names
PERIODS = ((re.compile(r"\byear|\bannual", re.IGNORECASE), (12, 52)), (re.compile(r"\bweek", re.IGNORECASE), (7,)))


class Group(NamedTuple):
    """The quantities of one sentence, their values by unit, and `counts`: what other things may be multiplied with.

    `of_ages`: the sentence speaks of ages. `told`: the last year that its passage names in front of it. `shifts`: years
    from another ("the next spring"), each with that year if the sentence names it, else None. `later`: its times count
    from what was told before ("two years later"). `company`: the sizes of groups: "Brellard and nineteen others".
    """

    found: tuple[Quantity, ...]
    by_unit: dict[str, list[Decimal]]
    counts: frozenset[Decimal]
    of_ages: bool = False
    told: Decimal | None = None
    shifts: tuple[tuple[int, Decimal | None], ...] = ()
    later: bool = False
    company: tuple[Decimal, ...] = ()

    def values(self, unit: str) -> list[Decimal]:
        return self.by_unit.get(unit, [])


class Near(NamedTuple):
    """The sentences of passages that hold quantities. `values`: of each unit, in order. `stated`: all forms."""

    groups: tuple[Group, ...]
    values: dict[str, list[Decimal]]
    stated: frozenset[tuple[str, Decimal]]


@lru_cache(maxsize=512)
def near_in(passages: tuple[str, ...]) -> Near:
    """What the passages state, sentence by sentence."""
    found = tuple(own for passage in passages for own in _told(passage) if own.found or own.shifts or own.company)
    units = {unit for own in found for unit in own.by_unit}
    values = {unit: sorted({value for own in found for value in own.values(unit)}) for unit in units}
    return Near(found, values, frozenset((unit, value) for unit, each in values.items() for value in each))


def _told(passage: str) -> Iterator[Group]:
    """The sentences of a passage, each with the last year in front of it."""
    year: Decimal | None = None
    for sentence in sentences(passage):
        own = group(sentence.span.of(passage))
        yield own._replace(told=year)
        for quantity in sorted(own.found, key=lambda quantity: quantity.span):
            year = next(_years_of(_group([quantity])), year)


@lru_cache(maxsize=2048)
def group(sentence: str) -> Group:
    line = one_line(sentence)
    pairs = {IMPLIED_WORDS[word] for word, _ in words(line) if word in ("both", "pair", "couple", "twice", "double")}
    found = [quantity for quantity in bounded_quantities(line) if quantity.kind in ("number", "between", "date")]
    others = [match["others"] for match in OTHERS.finditer(line) if not SEVERAL.search(match["names"])]
    return _group(found, pairs)._replace(
        of_ages=OF_AGES.search(line) is not None,
        shifts=tuple(_shifts(line, found)),
        later=LATER.search(line) is not None,
        company=tuple(number.value + 1 for other in others for number in numbers(other)),
    )


def _shifts(line: str, found: Sequence[Quantity]) -> Iterator[tuple[int, Decimal | None]]:
    """Those of "the next spring" and "the previous year", each with the last year that the line names before."""
    for pattern, shift in ((NEXT, 1), (PREVIOUS, -1)):
        for match in pattern.finditer(line):
            before = sorted((one for one in found if one.span.end <= match.start()), key=lambda one: one.span)
            yield shift, next(_years_of(_group(before[::-1])), None)


def _group(found: Sequence[Quantity], pairs: Sequence[Decimal] | set[Decimal] = ()) -> Group:
    by_unit: dict[str, list[Decimal]] = defaultdict(list)
    counts = {*pairs}
    for quantity in found:
        for form in quantity.forms:
            by_unit[form.unit].append(form.value)
            if _is_cents(form):
                by_unit["euro"].append(form.value)
            if form.unit != CLOCK:
                counts.add(form.plain)
    return Group(tuple(found), dict(by_unit), frozenset(count for count in counts if 1 < count <= MOST_COUNT))


def _is_cents(form: Form) -> bool:
    """Whether it is written in cents, which may be those of a dollar or of a euro."""
    return form.unit == "dollar" and form.plain == form.value * 100 != 0


class Result(NamedTuple):
    """What a calculation gives, and the numbers of the claim's own case that it took."""

    value: Decimal
    used: tuple[tuple[str, Decimal], ...] = ()  # by unit
    divided: bool = False  # it may have been rounded


@dataclass(frozen=True, slots=True)
class Setting:
    """All that a quantity may follow from. `own`: other quantities of the claim's sentence; `asked`: those of the
    question; `case`: both; `stated`: own ones that a passage states too.
    """

    own: Group
    asked: Group
    case: Group
    stated: Group
    passages: Near
    instance: bool
    saves: bool
    backwards: bool
    periods: frozenset[Decimal]

    def all(self, unit: str) -> list[Decimal]:
        """The values of a unit in the passages, or none if there are too many."""
        found = self.passages.values.get(unit, [])
        return found if len(found) <= MOST_VALUES else []

    @property
    def near(self) -> tuple[Group, ...]:
        return self.passages.groups

    def counts(self) -> list[Decimal]:
        found = sorted(self.case.counts)
        return found if len(found) <= MOST_COUNTS else []


def explained(
    missing: Sequence[Quantity], claim: str, question: str, sentence: str, passages: Sequence[str]
) -> list[Quantity]:
    """Those of the missing quantities that follow from the passages, or that the claim puts as a case."""
    near = near_in(tuple(passages))
    sentence = sentence or claim
    own, asked = group(sentence), group(question)
    line = one_line(claim)
    found: list[Quantity] = []
    used: set[tuple[str, Decimal]] = set()
    for quantity in missing:
        setting = _setting(quantity, own, asked, near, sentence)
        if quantity.kind == "date":
            follows = _dated(quantity, setting)
        elif setting.instance and _is_instance(quantity, line, near):
            follows = True
        else:
            computable = quantity.kind == "number" and not quantity.ranged
            result = _calculated(quantity, line, setting) if computable else None
            follows = result is not None
            used.update(result.used if result else ())
        if follows:
            found.append(quantity)
    # The number of things that were computed with is the claim's own case: "Six people pay £90" from £15 for one.
    found += [
        quantity
        for quantity in missing
        if quantity not in found and any((form.unit, form.value) in used for form in quantity.forms)
    ]
    return found


def _setting(quantity: Quantity, own: Group, asked: Group, near: Near, sentence: str) -> Setting:
    others = [
        # What two share ("12 of 41" is a share) follows from both.
        replace(other, forms=tuple(form for form in other.forms if form not in quantity.forms))
        for other in own.found
        if not other.ranged and (other.forms, other.dates) != (quantity.forms, quantity.dates)
    ]
    stated = [other for other in others if any((form.unit, form.value) in near.stated for form in other.forms)]
    itself = {form.plain for form in quantity.forms}
    case = _group([*others, *asked.found], {*own.counts, *asked.counts} - itself)
    return Setting(
        _group(others),
        asked,
        case,
        _group(stated),
        near,
        bool(INSTANCE.search(sentence)),
        bool(SAVES.search(sentence)),
        bool(BACKWARDS.search(sentence)),
        frozenset(Decimal(count) for name, counts in PERIODS if name.search(sentence) for count in counts),
    )


def _is_instance(quantity: Quantity, line: str, near: Near) -> bool:
    """Whether a time or an age is an instance of a bound: "if you are sick for five days" of "more than three days"."""
    aged = AGE.search(line[: quantity.span.start]) is not None
    return quantity.factors == EXACT and any(
        _meets(form, bound)
        for bounds in near.groups
        for bound in bounds.found
        for form in quantity.forms
        if form.unit in TIMES or (not form.unit and aged and bounds.of_ages)
    )


def _meets(form: Form, bound: Quantity) -> bool:
    """Whether a value lies on the right side of a bound in its unit, and not far off."""
    low, high = bound.factors
    if bound.kind != "between":
        low, high = (SMALLEST, high) if high == 1 else (low, FARTHEST)
    return not _is_about(bound) and any(
        form.unit == other.unit and other.value * low <= form.value <= other.value * high for other in bound.forms
    )


def _calculated(quantity: Quantity, line: str, setting: Setting) -> Result | None:
    """The calculation that gives the quantity, in any of its forms."""
    if not _is_about(quantity) and not INCLUSIVE.search(line[: quantity.span.start]):
        return None  # most results meet "more than £30"
    for form in quantity.forms:
        digit = form.step / 2
        margin = Decimal(0)
        if quantity.factors != EXACT and _is_about(quantity):
            margin = digit = max(digit, min(_round_step(form) / 2, abs(form.value) * ABOUT))
        for result in _results(quantity, form, setting):
            rounded = digit if result.divided or form.step < 1 else Decimal(0)
            if abs(result.value - form.value) <= margin + rounded:
                return result
    return None


def _is_about(quantity: Quantity) -> bool:
    """Whether it is exact, or rounded ("about", "nearly"), and no bound ("more than")."""
    return all(abs(1 - factor) <= ABOUT for factor in quantity.factors)


def _round_step(form: Form) -> Decimal:
    """1 of the last digit that is not 0: "about 120" is rounded to tens."""
    if not form.value or form.value >= LARGEST or form.value % 1:
        return form.step
    step = Decimal(1)
    while form.value % (step * 10) == 0:
        step *= 10
    return step


def _results(quantity: Quantity, form: Form, setting: Setting) -> Iterator[Result]:
    unit = "euro" if _is_cents(form) and not setting.passages.values.get("dollar") else form.unit
    if unit == SHARE:
        yield from _shares(setting)
    elif unit == CLOCK:
        yield from _clocks(setting)
    elif is_year((form,)) and quantity.year_like:
        yield from _years(setting)
    else:
        if not unit:
            yield from (Result(count) for own in setting.near for count in own.company)
        yield from _multiples(unit, setting)
        yield from _sums(unit, setting)
        if unit in TIMES:
            yield from _times(unit, setting)


def _multiples(unit: str, setting: Setting) -> Iterator[Result]:
    """A value times a number of things, divided by it, and shares of it."""
    counts = setting.counts()
    for base in {*setting.all(unit), *setting.stated.values(unit)}:
        for count in {*counts, *(setting.periods if unit in MONEY else ())}:
            yield Result(base * count, _owned(count, setting))  # "a trip of 200 km" at "€0.32 per kilometre"
            yield Result(base / count, _owned(count, setting), divided=True)
    for own in setting.near:
        for base in own.values(unit):
            yield from (Result(base * count) for count in own.counts if len(own.counts) <= MOST_COUNTS)
        for form in (form for found in own.found for form in found.forms if form.unit == unit):  # "€6.25 a kilo"
            yield from (Result(form.value / count, divided=True) for count in own.counts if count != form.plain)
        for share in own.values(SHARE):
            for base in {
                *own.values(unit),
                *setting.case.values(unit),
                *setting.all(unit),
            }:
                yield from _shared(unit, base, share)
    for share in setting.case.values(SHARE):
        for base in setting.all(unit):
            yield from _shared(unit, base, share)


def _owned(plain: Decimal, setting: Setting) -> tuple[tuple[str, Decimal], ...]:
    """The quantities of the claim's own case that are written with this number, but for times and money."""
    forms = [form for quantity in setting.own.found for form in quantity.forms]
    return tuple((form.unit, form.value) for form in forms if form.plain == plain and form.unit not in MONEY | TIMES)


def _shared(unit: str, base: Decimal, share: Decimal) -> Iterator[Result]:
    yield from (Result(base * part, ((unit, base),), divided=True) for part in (share, 1 + share, 1 - share))
    if share:
        yield Result(base / share, ((unit, base),), divided=True)


def _sums(unit: str, setting: Setting) -> Iterator[Result]:
    """Sums and differences of two values, sums of all values of a sentence, and of prices times their numbers."""
    beside, apart = sorted({*setting.stated.values(unit)}), setting.all(unit)
    together = [sorted({*own.values(unit)}) for own in setting.near]
    pairs = list(combinations(sorted({*beside, *apart}), 2))
    for values in [] if apart else together:  # "17 of the 48 boats did not finish" from "31 of the 48 finished"
        pairs += [pair for pair in combinations(values[: MOST_VALUES + 1], 2) if {*pair} & {*beside}]
    for first, second in pairs:
        if not unit and first <= 1:
            continue  # "one"
        yield Result(first + second)
        yield Result(abs(first - second))
        yield Result((first + second) / 2, divided=True)
    for values in (setting.own.values(unit) if beside else [], *(own.values(unit) for own in setting.near)):
        if len(values) > 1 and (unit or min(values) > 1):
            yield Result(sum(values, Decimal(0)))
    if unit in MONEY and len(apart) <= MOST_PRICES:
        counts = setting.counts()
        for first, second in permutations(apart, 2):
            for count in counts:
                yield Result(first * count + second, (("", count),))
                if setting.saves:  # "saves €16 compared with two single cards"
                    yield Result(abs(first * count - second), (("", count),))
                yield from (Result(first * count + second * more, (("", count), ("", more))) for more in counts)


def _shares(setting: Setting) -> Iterator[Result]:
    """The ratio of two values of one sentence of a passage, or of one of the claim and one of a passage."""
    for own in setting.near:
        units = own.by_unit.keys() - {CLOCK}
        for unit in units:
            values = [value for value in own.values(unit) if unit or not FIRST_YEAR <= value <= LAST_YEAR]
            beside = setting.stated.values(unit)
            if len(values) > MOST_VALUES or len(beside) > MOST_VALUES:
                continue
            for first, second in (*permutations(values, 2), *product(values, beside), *product(beside, values)):
                if second > 0:
                    ratio = first / second
                    yield from (Result(part, divided=True) for part in (ratio, 1 - ratio, ratio - 1))
        yield from (Result(1 - share) for share in own.values(SHARE))


def _times(unit: str, setting: Setting) -> Iterator[Result]:
    """Between two clock times, two years, two dates."""
    for own in (*setting.near, setting.stated):
        clocks = own.values(CLOCK)
        if unit == "second" and 1 < len(clocks) <= 2 * MOST_VALUES:
            yield from (Result((end - start) % MINUTES_A_DAY * 60) for start, end in permutations(clocks, 2))
    years = sorted({year for own in (*setting.near, setting.stated) for year in _years_of(own)})
    if unit == "month" and len(years) <= MOST_DATES:
        for first, second in combinations(years, 2):
            yield from (Result((second - first - less) * MONTHS_A_YEAR) for less in (0, 1))  # an age is a year less


def _years_of(own: Group) -> Iterator[Decimal]:
    yield from (form.value for quantity in own.found if quantity.year_like for form in quantity.forms)
    yield from (Decimal(date.year) for quantity in own.found for date in quantity.dates if date.year)


def _years(setting: Setting) -> Iterator[Result]:
    """A year so many years before or after another."""
    for own in setting.near:
        years = sorted({*_years_of(own)})
        for year in years if len(years) <= MOST_DATES else ():
            for months in {*own.values("month"), *setting.case.values("month")}:
                yield from (Result(year + sign * months / MONTHS_A_YEAR) for sign in (1, -1))
        for shift, base in own.shifts:  # "... the next spring"
            start = own.told if base is None else base
            if start is not None:
                yield Result(start + shift)
        if own.later and not years and own.told is not None:  # "In 1904 she published it. Two years later, ..."
            yield from (Result(own.told + months / MONTHS_A_YEAR) for months in own.values("month"))


def _clocks(setting: Setting) -> Iterator[Result]:
    """A clock time so long before or after another: both of one sentence, or one of the claim or the question."""
    case = setting.case.values(CLOCK)
    pairs = [*product(setting.all(CLOCK), setting.case.values("second"))]
    pairs += product(case, setting.all("second")) if len(case) <= MOST_CLOCKS else ()
    for own in setting.near:
        pairs += product(own.values(CLOCK)[:MOST_CLOCKS], own.values("second")[:MOST_CLOCKS])
    for clock, time in pairs:
        if time < SECONDS_A_DAY:
            used = ((CLOCK, clock),)
            yield from (Result((clock + sign * time / 60) % MINUTES_A_DAY, used) for sign in (1, -1))


def _dated(quantity: Quantity, setting: Setting) -> bool:
    """Whether a date is as far from another as a stated time: "six months from 1 April", "until 30 September".

    The two stand in one sentence of a passage, or one of them in the claim or in the question.
    """
    wanted = [date for date in quantity.dates if date.month and date.day]
    near = [(_dates(own), _distances(own)) for own in setting.near]
    case = (_dates(setting.case), _distances(setting.case))
    dates = {date for own, _ in near for date in own}
    distances = {distance for _, own in near for distance in own}
    pairs = [pair for own in near for pair in product(*own)]
    years = {int(year) for own in (*setting.near, setting.asked) for year in _years_of(own)}
    if len(dates) <= MOST_DATES and len(distances) <= MOST_DATES:
        pairs += [*product(dates, case[1]), *product(case[0], distances)]
    return any(
        _falls_on(end, date)
        for start, distance in pairs
        for end in _ends(start, distance, setting.backwards)
        for date in wanted
        if (start.month, start.day) != (date.month, date.day) and (date.year is None or end[1] or date.year in years)
    )


def _dates(own: Group) -> set[Date]:
    found = {date for quantity in own.found for date in quantity.dates if date.month and date.day}
    return {replace(date, span=NOWHERE) for date in found}


def _distances(own: Group) -> set[tuple[int, int]]:
    """Times as months and days."""
    months = {(int(value), 0) for value in own.values("month") if 0 < value < 240 and value % 1 == 0}
    return months | {
        (0, int(value / SECONDS_A_DAY))
        for value in own.values("second")
        if SECONDS_A_DAY <= value < 1000 * SECONDS_A_DAY
    }


def _ends(start: Date, distance: tuple[int, int], backwards: bool) -> Iterator[tuple[datetime.date, bool]]:
    """The days that lie as far from a date, with whether their year is known. A period may end the day before."""
    months, days = distance
    year = start.year or 2001
    if not 2 <= year <= 9997:
        return
    for sign in (1, -1) if backwards else (1,):
        place = year * 12 + (start.month or 1) - 1 + sign * months
        try:
            first = datetime.date(place // 12, place % 12 + 1, 1)
            following = datetime.date((place + 1) // 12, (place + 1) % 12 + 1, 1)
            day = min(first + datetime.timedelta(days=(start.day or 1) - 1), following - datetime.timedelta(days=1))
            for more in (0, -sign):
                yield day + datetime.timedelta(days=sign * days + more), start.year is not None
        except (OverflowError, ValueError):
            continue  # a year that no calendar has


def _falls_on(end: tuple[datetime.date, bool], date: Date) -> bool:
    day, known = end
    return (day.month, day.day) == (date.month, date.day) and (date.year is None or not known or date.year == day.year)
