"""A claim with its amounts and dates written as the premise writes them.

An NLI model compares words: it doubts "half a litre" where the premise says "500 ml". Which amounts are equal is
arithmetic, so a claim is also read with its amounts in the premise's words. Nothing else of it changes, an amount that
the premise does not have stays as it is, and one that can be meant in two ways too.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from functools import lru_cache
from typing import NamedTuple

from graph_eval.checkers.features import touches
from graph_eval.nli.scorer import Piece, Reading
from graph_eval.text.measures import CURRENCY, FILLER, OF, SHARE, Form, Quantity, one_line, quantities
from graph_eval.types import Span

Value = Decimal | tuple[int | None, ...]

ROUNDED = Context(prec=20)  # a third of an hour is 20 minutes
NEAR = 24  # characters on either side of an amount that may change it
AMBIGUOUS = frozenset({"krone", "megabit"})  # of three countries; an amount and a rate
# Pounds are of money and of weight, tons are of three sizes, 5m is metres or millions, Mb is bits or bytes.
TWOFOLD = re.compile(rf"\bpounds?\b|\btons?\b|\d ?[MGKT]b?$|\d[mbkt]$|(?i:\b{FILLER}\b)", re.ASCII)
STERLING = re.compile(r"£|gbp|pence|\dp$", re.IGNORECASE)
POINTS = re.compile(r"\bpoints?\b", re.IGNORECASE)
PERCENT = re.compile(r"%|per ?cent|pct|points?\b", re.IGNORECASE)
PART_BEHIND = re.compile(r"[-–/^²³]|[’']s\b|  ?(?:past|to \d)", re.IGNORECASE)  # of a rate, an area or a time
FOREIGN = re.compile(r" (?:AUD|CAD|NZD|HKD|SGD|(?i:australian|canadian|us|u\.s\.))\b")  # behind an amount of dollars
# "5 pounds an hour" and "twice a year" are rates, "the second half" is a part: only behind these they are amounts.
LENGTH_LEAD = re.compile(
    r"\b(?:for|in|within|after|about|around|over|under|than|nearly|almost|least|most|takes?|took|lasts?|lasted|is|was|of"
    r"|to|until|by|have|has|had|needs?) $",
    re.IGNORECASE,
)
SHARE_LEAD = re.compile(r"\bby (?:an? )?$", re.IGNORECASE)  # "by half", "by a quarter"
SEVERAL_PARTS = re.compile(r"(?:thirds|fifths|sixths|sevenths|eighths|ninths|tenths)$", re.IGNORECASE)
WITHOUT_OF = re.compile(r" (?!of\b)\w", re.IGNORECASE)  # behind a share
WITH_ARTICLE = re.compile(r"an? ", re.IGNORECASE)
HALF = re.compile(r"half$", re.IGNORECASE)
SUM = re.compile(r" (?:and )?")
RATIO = re.compile(r" (?:in|out of)(?: every)? ", re.IGNORECASE)
DAY_BEFORE = re.compile(r"\d(?:st|nd|rd|th)? ?(?:to|and|or|until|[-–]) ?$", re.IGNORECASE)
DAY_BEHIND = re.compile(r"(?: ?[-–] ?| (?:and|to|or) )\d")
TERM_WORDS = re.compile(r"(?P<count>\S+)(?P<gap>[ -])(?P<unit>day|week|month|year|hour|minute|second)s?", re.IGNORECASE)
ONE = frozenset({"1", "a", "an", "one"})


class Amount(NamedTuple):
    """An amount or a date in a text: where it stands, how it is written, and its values by unit.

    It is equal to another one if they share a value. 30 days are also a month, and a third also 33 whole percent. The
    value of a date is its year, month and day.
    """

    span: Span
    written: str
    values: frozenset[tuple[str, Value]]


class Change(NamedTuple):
    """The span of an amount in the claim, and the span of what is read in its place."""

    old: Span
    new: Span


@dataclass(frozen=True, slots=True)
class Rewording:
    """A claim as it is also read against one premise. `changes` in order, none if there is nothing to change."""

    text: str
    changes: tuple[Change, ...] = ()

    def better(self, own: Reading, other: Reading) -> Reading:
        """`own`, the reading of the claim as it is written, improved where `other`, that of `text`, doubts less.

        Both say the same, so what either of them supports is supported. A piece of a changed amount is compared with
        the most doubtful piece of what was read in its place. The doubts about other words stay as they are.
        """
        pieces = tuple(
            piece._replace(log_odds=min([piece.log_odds, *self._doubts(piece, other)])) for piece in own.pieces
        )
        return Reading(max(own.scores, other.scores, key=lambda scores: scores.entailment), pieces)

    def _doubts(self, piece: Piece, other: Reading) -> Iterator[float]:
        """The highest log odds of what was read in the place of the changed amount that the piece belongs to."""
        for old, new in self.changes:
            found = [each.log_odds for each in other.pieces if touches(each, [new])] if touches(piece, [old]) else []
            if found:
                yield max(found)


def reworded(claim: str, premise: str) -> Rewording:
    """The claim with every amount that the premise has in other words only in the premise's words."""
    own = amounts(claim)
    theirs = amounts(premise) if own else ()
    said = {amount.written.casefold() for amount in own}
    text, end, changes = "", 0, []
    for amount in own:
        equal = [each.written for each in theirs if each.values & amount.values]
        # The claim itself may tell two spellings apart: "30 days, not one month".
        if not equal or not said.isdisjoint(map(str.casefold, equal)):
            continue
        text += claim[end : amount.span.start]
        written = _fitted(equal[0], amount.written, claim[amount.span.end :])
        changes.append(Change(amount.span, Span(len(text), len(text) + len(written))))
        text, end = text + written, amount.span.end
    return Rewording(text + claim[end:], tuple(changes))


def _fitted(new: str, old: str, behind: str) -> str:
    """An amount in the form that the words around the old one need: "24-month" for "two-year", "50% of" for "half"."""
    parts = TERM_WORDS.fullmatch(new)
    if parts and ("-" in old) != (parts["gap"] == "-"):
        if "-" in old:
            return f"{parts['count']}-{parts['unit']}"
        return f"{parts['count']} {parts['unit']}{'' if parts['count'].casefold() in ONE else 's'}"
    divided, divides = (HALF.match(written) or RATIO.search(written) for written in (old, new))
    return f"{new} of" if divided and not divides and WITHOUT_OF.match(behind) else new


@lru_cache(maxsize=20_000)
def amounts(text: str) -> tuple[Amount, ...]:
    """The amounts with a unit, the shares and the dates of a text in order, without those that can be read twofold."""
    line = one_line(text)
    if len(line) != len(text):
        return ()
    return tuple(filter(None, (_amount(line, quantity) for quantity in _together(line, quantities(line)))))


def _together(line: str, found: Sequence[Quantity]) -> Iterator[Quantity]:
    """The quantities, "an hour and 30 minutes" and "one in five" as one."""
    rest = deque(found)
    while rest:
        left = rest.popleft()
        if rest and _are_one(line, left, rest[0]):
            yield replace(left, span=Span(left.span.start, rest.popleft().span.end), forms=left.forms[-1:])
        else:
            yield left


def _are_one(line: str, left: Quantity, right: Quantity) -> bool:
    """Whether the last form of both is their sum ("2 hours and 30 minutes", not "2 hours and 90 minutes") or share."""
    if len(left.forms) < 2 or len(right.forms) < 2 or left.forms[-1] != right.forms[-1]:
        return False
    gap = line[left.span.end : right.span.start]
    one, other = left.forms[0], right.forms[0]
    if left.forms[-1].unit == SHARE:
        return RATIO.fullmatch(gap) is not None
    return SUM.fullmatch(gap) is not None and one.plain != 0 and other.value < one.value / one.plain


def _amount(line: str, quantity: Quantity) -> Amount | None:
    """None if it has no unit, is an end of a range, or can be meant in two ways."""
    span, before = quantity.span, line[max(0, quantity.span.start - NEAR) : quantity.span.start]
    behind = line[span.end : span.end + NEAR]
    if len(quantity.dates) == 1:
        date = quantity.dates[0]
        alone = not (DAY_BEFORE.search(before) or DAY_BEHIND.match(behind))
        return Amount(span, span.of(line), frozenset({("date", (date.year, date.month, date.day))})) if alone else None
    if currency := CURRENCY.search(before):
        span = Span(span.start - len(currency[0]), span.end)
        before = before[: currency.start()]
    written = span.of(line)
    forms = [form for form in quantity.forms if form.unit]
    units = {form.unit for form in forms}
    single = len(units) == len(forms) and not units & AMBIGUOUS and forms[:1] == list(quantity.forms[:1])
    if quantity.kind != "number" or quantity.ranged or not single or PART_BEHIND.match(behind):
        return None
    foreign = before[-1:].isalpha() or FOREIGN.match(behind) if currency else TWOFOLD.search(written)
    if foreign or not _is_amount(written, before, behind, quantity):
        return None
    return Amount(span, written, frozenset(value for form in forms for value in _values(form, written)))


def _is_amount(written: str, before: str, behind: str, quantity: Quantity) -> bool:
    """Whether the words say how much: "an hour" is also a rate, "a third" and "quarter" also count things."""
    if quantity.forms[0].unit != SHARE or PERCENT.search(written):
        return quantity.counted or bool(WITH_ARTICLE.match(written) and LENGTH_LEAD.search(before))
    if RATIO.search(written) or SEVERAL_PARTS.search(written) or (HALF.match(written) and quantity.counted):
        return True
    return bool(OF.match(behind) or SHARE_LEAD.search(before))


def _values(form: Form, written: str) -> Iterator[tuple[str, Value]]:
    value = ROUNDED.plus(form.value).normalize(ROUNDED)
    if form.unit == "pound":
        yield ("sterling" if STERLING.search(written) else "weight"), value
    elif form.unit != SHARE:
        yield form.unit, value
    elif POINTS.search(written):
        yield "points", value
    else:
        yield SHARE, value
        percent = round(value * 100)
        if percent == value * 100 or (form.step and not PERCENT.search(written) and not RATIO.search(written)):
            yield "whole percent", Decimal(percent)
