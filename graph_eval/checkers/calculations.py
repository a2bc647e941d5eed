"""Quantities of a claim that nothing states, but that follow from stated ones by one calculation or fall under a bound.

"Two nights cost £36" follows from £18 a night, "they are open for eight hours" from "9 am to 5 pm". Money is computed
with in every claim. Other units are where the claim says that it computes ("in total", "twice as many"): any number
can be had from enough others, and each premise that was read holds a few. "If you are off sick for five days" is an
instance of "more than three days".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    quantities,
)
from graph_eval.text.normalise import words

MONEY = frozenset("dollar euro pound franc krone yen rupee".split())
MOST_VALUES = 30  # of one unit: more are a table, from which any number follows
MOST_COUNT = 1000  # what a price is multiplied with
APPROXIMATE = Decimal("0.06")  # factors this near to 1 round a number ("about"), others bound it ("more than")
DAY = 1440  # minutes
_TIME = "(?:days?|weeks?|months?|years?|hours?|minutes?)"
COMPUTES = re.compile(
    r"\b(?:total(?:s|led|ling|ing)?|altogether|in all|overall|combined|together|sum|add(?:s|ed)? up|differences?"
    r"|remain(?:s|ed|ing|der)?|left over|the rest|the others?|apart|margin|average|majority|aged?"
    r"|(?:twice|double|triple|half|\w+ times) (?:as|the)|(?:doubl|tripl|halv|increas|decreas)(?:ed?|es|ing)"
    r"|rose|risen|f[ae]ll(?:en|s)?|grew|grown|up by|down by|saves?|saved|saving|(?:more|fewer|less)(?! than \D{0,3}\d)"
    r"|longer|shorter|earlier|later|older|younger|higher|lower|cheaper|dearer|faster|slower"
    rf"|{_TIME} (?:after|before)|(?:out of|in) (?:every )?(?:two|three|four|five|ten|a hundred))\b",
    re.IGNORECASE,
)
INSTANCE = re.compile(
    r"\b(?:if|when|once|someone|anyone|a person|people who|customers who|for example|for instance|e\.g\.|say|so)\b"
    r"|-year-old|\baged\b",
    re.IGNORECASE,
)


class Known(NamedTuple):
    """Values by unit that premises and question state; `counts`: numbers that things may be multiplied with."""

    values: dict[str, frozenset[Decimal]]
    counts: frozenset[Decimal]
    bounds: tuple[Quantity, ...]


@lru_cache(maxsize=2048)
def known(text: str) -> Known:
    """What one text states."""
    line = one_line(text)
    values: dict[str, set[Decimal]] = defaultdict(set)
    counts = {IMPLIED_WORDS[word] for word, _ in words(line) if word in ("both", "pair", "couple", "twice", "double")}
    found = quantities(line)
    for quantity in found:
        if quantity.kind in ("number", "between"):
            for form in quantity.forms:
                values[form.unit].add(form.value)
                counts.add(form.plain)
    bounds = tuple(quantity for quantity in bounded_quantities(line) if quantity.kind == "number")
    return Known(
        {unit: frozenset(own) for unit, own in values.items()},
        frozenset(count for count in counts if 1 < count <= MOST_COUNT),
        bounds,
    )


def united(texts: Iterable[str]) -> Known:
    values: dict[str, set[Decimal]] = defaultdict(set)
    counts: set[Decimal] = set()
    bounds: list[Quantity] = []
    for text in texts:
        own = known(text)
        counts |= own.counts
        bounds += own.bounds
        for unit, found in own.values.items():
            values[unit] |= found
    return Known({unit: frozenset(own) for unit, own in values.items()}, frozenset(counts), tuple(bounds))


def explained(missing: Sequence[Quantity], claim: str, question: str, premises: Sequence[str]) -> list[Quantity]:
    """Those of the missing quantities that follow from what the premises and the question state."""
    present = united((*premises, question))
    asked = known(question).counts | known(claim).counts  # how many nights, tickets or persons
    line = one_line(claim)
    computes, instance = bool(COMPUTES.search(line)), bool(INSTANCE.search(line))
    found = []
    for quantity in missing:
        if instance and any(map(_meets(quantity), present.bounds)):
            found.append(quantity)
            continue
        for form in quantity.forms:
            computed = computes or form.unit in MONEY or _between_clocks(form, present)
            if computed and _follows(quantity, form, present, asked - {form.plain}):
                found.append(quantity)
                break
    if any(form.unit in MONEY for quantity in found for form in quantity.forms):
        # The number of things whose price was computed is a case that the claim puts.
        found += [
            quantity
            for quantity in missing
            if quantity not in found and any(not form.unit and form.value < DAY for form in quantity.forms)
        ]
    return found


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


def _between_clocks(form: Form, present: Known) -> bool:
    return form.unit in TIMES and len(present.values.get(CLOCK, ())) > 1


def _follows(quantity: Quantity, form: Form, present: Known, counts: frozenset[Decimal]) -> bool:
    low, high = (factor * form.value for factor in quantity.factors)
    if max(abs(1 - factor) for factor in quantity.factors) > APPROXIMATE:
        low = high = form.value
    elif quantity.factors == EXACT:
        margin = form.step / 2 if form.unit == SHARE or form.step < 1 else Decimal(0)
        low, high = form.value - margin, form.value + margin
    return any(low <= value <= high for value in _results(form.unit, present, counts))


def _results(unit: str, present: Known, counts: frozenset[Decimal]) -> Iterator[Decimal]:
    """What one calculation gives in this unit."""
    own = sorted(present.values.get(unit, ()))[:MOST_VALUES]
    plain = sorted(present.values.get("", ()))[:MOST_VALUES]
    shares = [share for share in present.values.get(SHARE, ()) if share]
    if unit == CLOCK:
        return
    for first, second in combinations(own, 2):
        yield first + second
        yield second - first
    for value in own:
        yield from (value * count for count in present.counts | counts)
        yield from (value / count for count in present.counts | counts)
        for share in shares:
            yield from (value * share, value * (1 + share), value * (1 - share))
    if unit in MONEY:
        for value, other in permutations(own, 2):
            for count in counts:
                yield value * count + other
                yield from (value * count + other * more for more in counts)
    if unit == SHARE:
        for values in present.values.values():
            few = sorted(values)[:MOST_VALUES]
            yield from (first / second for first, second in combinations(few, 2) if second > 0)
            yield from (1 - first / second for first, second in combinations(few, 2) if second > 0)
        yield from (1 - share for share in shares)
    if unit == "second":
        for start, end in permutations(present.values.get(CLOCK, ()), 2):
            yield (end - start) % DAY * 60
    if unit == "month":
        years = [value for value in plain if 1000 <= value <= 2100]
        yield from ((second - first) * 12 for first, second in combinations(years, 2))
