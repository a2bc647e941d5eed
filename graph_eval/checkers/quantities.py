"""The quantities of a claim that a passage does not state, in whatever form it states them.

A quantity is stated where the passage gives its value in the same unit ("two years" by "24 months"), where it rounds to
it ("3.2 million" by 3,214,000), and where it lies within the claim's bounds ("more than 100" by 116). A number with a
unit is not stated by the same number with another unit. What follows by calculation is in `calculations`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from graph_eval.checkers.calculations import explained
from graph_eval.checkers.windows import SPLIT_NUMBER
from graph_eval.text.measures import (
    CLOCK,
    EXACT,
    IMPLIED_WORDS,
    ROMAN,
    SHARE,
    WHOLE,
    Form,
    Quantity,
    bounded_quantities,
    is_year,
    one_line,
    quantities,
)
from graph_eval.text.normalise import words
from graph_eval.text.quantities import MONTHS, Date, numbers

TOLERANCE = Decimal("0.05")  # of a rounded number, relative to its value
AGE_ASKED = re.compile(r"\b(\d{1,3})[- ]years?[- ]old\b|\baged? (\d{1,3})\b", re.IGNORECASE)
AGE_SAID = re.compile(r"\b(?:at|aged?|age of) $", re.IGNORECASE)  # in front of a number
DIGITS = re.compile(r"(?<=[^\W\d_])\d{1,12}(?![\d.,]*\d)|(?<![\d.,])\d{1,12}(?=[^\W\d_])")  # of "F1" and "401k"


@dataclass(frozen=True, slots=True)
class Stated:
    """What a passage states. `exact`: values by unit; `bare`: numbers without a unit; `plain`: all numbers as written.

    `ordered`: sorted values by unit, "" without years; `single`: those that are no end of a range. `dates`: the years
    of each month and day, or month, with None for a date without a year. `months`: all that are named.
    """

    exact: frozenset[tuple[str, Decimal]]
    bare: frozenset[Decimal]
    plain: frozenset[Decimal]
    ordered: dict[str, list[Decimal]]
    single: dict[str, list[Decimal]]
    implied: frozenset[Decimal]
    vague: frozenset[Decimal]
    years: list[Decimal]
    dates: dict[tuple[int | None, int | None], set[int | None]]
    months: frozenset[int]

    def states(self, quantity: Quantity) -> bool:
        """Whether the passage states the quantity in any form."""
        if quantity.kind == "decade":
            return not self.years or self._within(self.years, *_limits(quantity.forms[0], quantity.factors))
        if quantity.kind == "vague":
            form = quantity.forms[0]
            return form.value in self.vague or any(
                self._within(values, *_limits(form, quantity.factors)) for values in self.ordered.values()
            )
        if any(map(self._dated, quantity.dates)):
            return True
        implied = quantity.kind != "ordinal" and any(
            not form.unit and form.value in self.implied for form in quantity.forms
        )
        return implied or any(self._exactly(form) or self._nearly(form, quantity) for form in quantity.forms)

    def _exactly(self, form: Form) -> bool:
        if not form.unit:
            return form.value in self.plain
        return (
            (form.unit, form.value) in self.exact
            or form.plain in self.bare
            or (form.unit == SHARE and form.value in self.bare)
        )

    def _nearly(self, form: Form, quantity: Quantity) -> bool:
        if form.unit == CLOCK:
            return False
        if quantity.factors != EXACT:
            if quantity.kind == "between" and is_year((form,)):
                return self._within(self.years, *_limits(form, quantity.factors))
            values = self.single if quantity.kind == "between" else self.ordered
            if self._within(values.get(form.unit, []), *_limits(form, quantity.factors)):
                return True
            plain = _limits(form._replace(value=form.plain), quantity.factors)
            return bool(form.unit) and self._within(values.get("", []), *plain)
        if quantity.year_like or not form.step:
            return False
        margin = min(form.step / 2, abs(form.value) * TOLERANCE)
        units = ("", form.unit) if form.unit else self.ordered
        return any(self._within(self.ordered.get(unit, []), form.value - margin, form.value + margin) for unit in units)

    def _dated(self, date: Date) -> bool:
        """A date is stated as a whole, or its month and day, or its parts where no date says otherwise."""
        year, month, day = date.year, date.month, date.day
        years = self.dates.get((month, day), set())
        if year in years or (year is None and years):
            return True
        loose = month in self.months and (day is None or Decimal(day) in self.bare)
        if not (loose if not years else None in years):
            return False
        return year is None or Decimal(year) in self.plain

    @staticmethod
    def _within(values: list[Decimal], low: Decimal, high: Decimal) -> bool:
        place = bisect_left(values, low)
        return place < len(values) and values[place] <= high


def _limits(form: Form, factors: tuple[Decimal, Decimal]) -> tuple[Decimal, Decimal]:
    low, high = (form.value * factor for factor in factors)
    return min(low, high), max(low, high)


@lru_cache(maxsize=512)
def stated(passage: str) -> Stated:
    """What a passage states. A number that a tokeniser split ("235, 000") is stated as a whole too."""
    line = one_line(passage)
    found = quantities(line)
    plain = {number.value for number in numbers(line)}
    split = {number.value for number in numbers(SPLIT_NUMBER.sub("", line))} - plain
    plain |= split
    plain |= {Decimal(digits) for digits in DIGITS.findall(line)}
    plain |= {form.plain for quantity in found for form in quantity.forms}
    plain |= {form.value for quantity in found for form in quantity.forms if form.unit in ("", SHARE)}
    exact = {(form.unit, form.value) for quantity in found for form in quantity.forms}
    if WHOLE.search(line):
        exact.add((SHARE, Decimal(1)))
    dates, months = _calendar(line, found)
    years = {
        form.value for quantity in found if quantity.kind == "decade" or quantity.year_like for form in quantity.forms
    }
    years |= {Decimal(date.year) for quantity in found for date in quantity.dates if date.year}
    return Stated(
        exact=frozenset(exact),
        bare=frozenset(split.union(form.value for quantity in found for form in quantity.forms if not form.unit)),
        plain=frozenset(plain | {-value for value in plain if value < 0}),
        ordered=_ordered(found),
        single=_ordered(quantity for quantity in found if not quantity.ranged),
        implied=frozenset(_implied(line)),
        vague=frozenset(quantity.forms[0].value for quantity in found if quantity.kind == "vague"),
        years=sorted(years),
        dates=dates,
        months=months,
    )


def _ordered(found: Iterable[Quantity]) -> dict[str, list[Decimal]]:
    """Sorted values by unit. Without those that may be years, and without bounds that are no values ("hundreds")."""
    values: dict[str, set[Decimal]] = defaultdict(set)
    for quantity in found:
        if not quantity.year_like and quantity.kind in ("number", "between"):
            for form in quantity.forms:
                values[form.unit].add(form.value)
    return {unit: sorted(own) for unit, own in values.items()}


def _implied(text: str) -> set[Decimal]:
    """Numbers that words imply ("both", "twice"), and Roman numerals."""
    found = set()
    for word, _ in words(text):
        value = IMPLIED_WORDS.get(word, ROMAN.get(word))
        if value is not None:
            found.add(value)
    return found


def _calendar(
    text: str, found: Iterable[Quantity]
) -> tuple[dict[tuple[int | None, int | None], set[int | None]], frozenset[int]]:
    """The years of every date, and the months that are named."""
    by_day: dict[tuple[int | None, int | None], set[int | None]] = defaultdict(set)
    months = {MONTHS[word] for word, _ in words(text) if word in MONTHS}
    for quantity in found:
        for date in quantity.dates:
            by_day[date.month, date.day].add(date.year)
            by_day[date.month, None].add(date.year)
            if date.month:
                months.add(date.month)
    return dict(by_day), frozenset(months)


@lru_cache(maxsize=20_000)
def _claimed(claim: str) -> tuple[Quantity, ...]:
    """The quantities of a claim that a passage has to state, with their spans in its line."""
    return tuple(quantity for quantity in bounded_quantities(one_line(claim)) if quantity.counted)


def _missing(claim: str, passages: Sequence[str]) -> list[Quantity]:
    known = [stated(passage) for passage in passages]
    return [quantity for quantity in _claimed(claim) if not any(present.states(quantity) for present in known)]


def _is_asked(quantity: Quantity, asked: Stated) -> bool:
    """Whether the question has the quantity: the same date, or the same value with the same unit, or without one."""
    if quantity.kind in ("decade", "vague"):
        return False
    return any(map(asked._dated, quantity.dates)) or any(
        (form.unit, form.value) in asked.exact if form.unit else form.value in asked.bare for form in quantity.forms
    )


def _is_age(quantity: Quantity, line: str, ages: Collection[int]) -> bool:
    """Whether the quantity is one of the ages of the question: "at 15" of "my 15-year-old"."""
    said = AGE_SAID.search(line[: quantity.span.start]) is not None
    return said and any(form.value in ages for form in quantity.forms if not form.unit)


def missing_quantities(claim: str, *passages: str, question: str = "", sentence: str = "") -> float:
    """The share of the claim's quantities that no passage states in any form, in [0, 1].

    Numbers of the `question` are not missing, since an answer repeats them, nor are those that follow by one
    calculation or are instances of a bound: see `calculations`. `sentence`: that of the claim, which may hold the rest
    of its calculation.
    """
    needed = len(_claimed(claim))
    missing = _missing(claim, passages) if needed else []
    if missing and question:
        asked = stated(question)
        ages = {int(first or second) for first, second in AGE_ASKED.findall(question)}
        line = one_line(claim)
        missing = [
            quantity for quantity in missing if not _is_asked(quantity, asked) and not _is_age(quantity, line, ages)
        ]
    if not missing:
        return 0.0
    return (len(missing) - len(explained(missing, claim, question, sentence, passages))) / needed
