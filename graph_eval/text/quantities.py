"""Numbers and dates in English text as values, which are equal for all spellings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from graph_eval.types import Span

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
UNITS = {word: value for value, word in enumerate(ONES.split())}
UNITS.update({word: 20 + 10 * index for index, word in enumerate(TENS.split())})
SCALES = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
ORDINALS = {
    word: value
    for value, word in enumerate(
        "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
    )
}
MONTH_NAMES = tuple("january february march april may june july august september october november december".split())
MONTHS = {name: number for number, name in enumerate(MONTH_NAMES, 1)}
MONTHS.update({name[:3]: number for name, number in list(MONTHS.items())})
MONTHS["sept"] = 9

MONTH = (
    r"(?P<month>january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
)
DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?:,?\s+(?P<year>\d{{4}})\b)?"
    rf"|{MONTH.replace('month', 'month2')}\s+(?:(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b)?(?:,?\s*(?P<year2>\d{{4}})\b)?"
    r"|(?P<year3>\d{4})-(?P<month3>\d{2})-(?P<day3>\d{2}))",
    re.IGNORECASE,
)
NUMBER = re.compile(
    r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:st|nd|rd|th)?(?![\w])|\b(?:"
    + "|".join([*UNITS, *SCALES, *ORDINALS])
    + r")\b",
    re.IGNORECASE,
)
JOINT = re.compile(r"[\s-]*(?:and\s+)?")


@dataclass(frozen=True, slots=True)
class Number:
    """`span`: all words of the number, "3.5 million"."""

    value: Decimal
    span: Span


@dataclass(frozen=True, slots=True)
class Date:
    """A calendar date or a part of one. A part that the text leaves out is None."""

    year: int | None
    month: int | None
    day: int | None
    span: Span

    def agrees(self, other: Date) -> bool:
        """Whether year, month and day are equal wherever both dates have one."""
        ours, theirs = (self.year, self.month, self.day), (other.year, other.month, other.day)
        return all(a == b for a, b in zip(ours, theirs, strict=True) if a is not None and b is not None)


def numbers(text: str) -> list[Number]:
    """Numbers in digits or words, in order: "1,000", "3.5 million", "twenty-one", "the 2nd", "fifth"."""
    values: list[Number] = []
    group: list[re.Match[str]] = []
    for match in NUMBER.finditer(text):
        if group and not _continues(group, match, text):
            values.append(_number(group))
            group = []
        group.append(match)
    if group:
        values.append(_number(group))
    return values


def dates(text: str) -> list[Date]:
    """Dates that name a month: "19 August 2021", "Aug. 19", "August 2021", "2021-08-19"."""
    values = []
    for match in DATE.finditer(text):
        part = match.groupdict()
        year = part["year"] or part["year2"] or part["year3"]
        day = part["day"] or part["day2"] or part["day3"]
        name = part["month"] or part["month2"]
        if part["month2"] and not (year or day):
            continue  # a bare "May" is usually a verb
        month = MONTHS[name.lower()] if name else int(part["month3"])
        span = Span(match.start(), match.start() + len(match[0].rstrip()))
        values.append(Date(int(year) if year else None, month, int(day) if day else None, span))
    return values


def _continues(group: list[re.Match[str]], match: re.Match[str], text: str) -> bool:
    """Whether "million" continues "3.5", "one" continues "twenty", "five" continues "two hundred (and)"."""
    if JOINT.fullmatch(text, group[-1].end(), match.start()) is None:
        return False
    word, last = match[0].lower(), group[-1][0].lower()
    if word in SCALES:
        return True
    if last in SCALES:
        return word in UNITS or word in ORDINALS
    tens = UNITS.get(last, 0) >= 20
    return tens and (0 < UNITS.get(word, 0) < 10 or 0 < ORDINALS.get(word, 0) < 10)


def _number(group: list[re.Match[str]]) -> Number:
    total = current = Decimal(0)
    for match in group:
        word = match[0].lower()
        if word in SCALES:
            scale = SCALES[word]
            if scale == 100:
                current = (current or Decimal(1)) * scale
            else:
                total += (current or Decimal(1)) * scale
                current = Decimal(0)
        elif word in UNITS:
            current += UNITS[word]
        elif word in ORDINALS:
            current += ORDINALS[word]
        else:
            current += _digits(word)
    return Number(total + current, Span(group[0].start(), group[-1].end()))


def _digits(word: str) -> Decimal:
    plain = re.sub(r"(?:st|nd|rd|th)$", "", word).replace(",", "").replace("−", "-")
    try:
        return Decimal(plain)
    except InvalidOperation:  # digits of a script that Decimal does not support
        return Decimal(0)
