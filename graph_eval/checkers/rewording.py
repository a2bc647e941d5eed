"""A claim with its amounts and dates written as the premise writes them.

An NLI model compares words: it doubts "half a litre" where the premise says "500 ml". Which amounts are equal is
arithmetic, so they are made equal in words before the model reads them. Nothing else of the claim changes, and an
amount that the premise does not have stays as it is.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from graph_eval.nli.scorer import Reading
from graph_eval.text.measures import CURRENCY, FILLER, OUT_OF, SHARE, SUM, Quantity, one_line, quantities
from graph_eval.types import Span

# Their names are of several things: crowns of three countries, pounds of money and of weight.
AMBIGUOUS = frozenset({"krone", "pound"})
DIGITS = 12  # that equal values share: a third of an hour is 20 minutes
# "5 pounds an hour" and "twice a year" are rates, "the second half" is a part: only behind these they are amounts.
LENGTH_LEAD = re.compile(
    r"\b(?:for|in|within|after|about|around|over|under|than|nearly|almost|least|most|takes?|took|lasts?|lasted|is|was|of"
    r"|to|until|by|have|has|had|needs?) $",
    re.IGNORECASE,
)
HALF_LEAD = re.compile(r"\bby (?:a )?$", re.IGNORECASE)
HAS_FILLER = re.compile(rf"\b{FILLER}\b", re.IGNORECASE)


class Amount(NamedTuple):
    """An amount or a date in a text: where it stands, how it is written, and its values by unit.

    30 days are also a month. The value of a date is its year, month and day. `step`: 1 of the last digit of a number.
    """

    span: Span
    written: str
    values: frozenset[tuple[str, Decimal | tuple[int | None, ...]]]
    step: Decimal = Decimal(0)

    def equals(self, other: Amount) -> bool:
        return bool(self.values & other.values) or self._rounds_to(other) or other._rounds_to(self)

    def _rounds_to(self, other: Amount) -> bool:
        """Whether it is a share without end ("a third") that is rounded to the other one ("33%")."""
        own, theirs = self.share, other.share
        if own is None or theirs is None:
            return False
        return own * 10_000 % 1 != 0 and abs(own - theirs) <= other.step / 2

    @property
    def share(self) -> Decimal | None:
        return next((value for unit, value in self.values if unit == SHARE and isinstance(value, Decimal)), None)


class Change(NamedTuple):
    """The span of an amount in the claim, and the span of what is read in its place."""

    old: Span
    new: Span


@dataclass(frozen=True, slots=True)
class Rewording:
    """A claim as it is read against one premise. `changes` in order, none if the claim is read as it is."""

    text: str
    changes: tuple[Change, ...] = ()

    def better(self, own: Reading, other: Reading) -> Reading:
        """`own`, the reading of the claim as it is written, improved where `other`, that of `text`, doubts less.

        Both say the same, so what either of them supports is supported. A piece of a changed amount is compared with
        the most doubtful piece of what was read in its place.
        """
        pieces = []
        for piece in own.pieces:
            there = self._there(Span(piece.start, piece.end))
            odds = [each.log_odds for each in other.pieces if Span(each.start, each.end).overlaps(there)]
            pieces.append(piece._replace(log_odds=min(piece.log_odds, max(odds))) if odds else piece)
        return Reading(max(own.scores, other.scores, key=lambda scores: scores.entailment), tuple(pieces))

    def _there(self, own: Span) -> Span:
        """What was read in the place of a part of the claim."""
        moved = own
        for change in self.changes:
            if own.overlaps(change.old):
                return change.new
            if change.old.end <= own.start:
                moved = own.moved(change.new.end - change.old.end)
        return moved


def reworded(claim: str, premise: str) -> Rewording:
    """The claim with every amount that the premise has in other words only in the premise's words."""
    own = amounts(claim)
    theirs = amounts(premise) if own else ()
    text, end, changes = "", 0, []
    for amount in own:
        equal = [each for each in theirs if each.equals(amount)]
        if not equal or any(each.written.casefold() == amount.written.casefold() for each in equal):
            continue
        text += claim[end : amount.span.start]
        changes.append(Change(amount.span, Span(len(text), len(text) + len(equal[0].written))))
        text, end = text + equal[0].written, amount.span.end
    return Rewording(text + claim[end:], tuple(changes))


@lru_cache(maxsize=20_000)
def amounts(text: str) -> tuple[Amount, ...]:
    """The amounts with a unit, the shares and the dates of a text in order, without those that can be read twofold."""
    line = one_line(text)
    if len(line) != len(text):
        return ()
    return tuple(filter(None, (_amount(line, quantity) for quantity in _joined(line, quantities(line)))))


def _joined(line: str, found: Sequence[Quantity]) -> Iterator[Quantity]:
    """The quantities, "an hour and 30 minutes" and "one in five" as one."""
    rest = deque(found)
    while rest:
        left = rest.popleft()
        if rest and _are_one(line, left, rest[0]):
            yield Quantity(Span(left.span.start, rest.popleft().span.end), left.forms[-1:])
        else:
            yield left


def _are_one(line: str, left: Quantity, right: Quantity) -> bool:
    """Whether the last form of both is that of the two together."""
    gap = line[left.span.end : right.span.start]
    together = len(left.forms) > 1 and left.forms[-1:] == right.forms[-1:]
    return together and (SUM.fullmatch(gap) or OUT_OF.fullmatch(gap)) is not None


def _amount(line: str, quantity: Quantity) -> Amount | None:
    """None if it has no unit, is an end of a range, or can be read in two ways."""
    span = quantity.span
    if len(quantity.dates) == 1:
        date = quantity.dates[0]
        return Amount(span, span.of(line), frozenset({("date", (date.year, date.month, date.day))}))
    forms = [form for form in quantity.forms if form.unit]
    units = {form.unit for form in forms}
    if quantity.kind != "number" or quantity.ranged or not forms or len(units) < len(forms) or units & AMBIGUOUS:
        return None
    if currency := CURRENCY.search(line[: span.start]):
        span = Span(currency.start(), span.end)
    written = span.of(line)
    if HAS_FILLER.search(written) or not (quantity.counted or _is_amount(written.casefold(), line[: span.start])):
        return None
    values = frozenset((form.unit, round(form.value, DIGITS).normalize()) for form in forms)
    return Amount(span, written, values, forms[0].step)


def _is_amount(written: str, before: str) -> bool:
    """Whether "an hour" or "half" says how much, by the words in front of it."""
    if written == "half":
        return HALF_LEAD.search(before) is not None
    return written.startswith(("a ", "an ")) and LENGTH_LEAD.search(before) is not None
