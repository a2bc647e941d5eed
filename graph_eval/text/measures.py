"""Quantities in English text: numbers with their units, bounds and dates, equal however they are said.

"24 months", "two years" and "two-year" are one quantity; so are "half", "50%" and "1/2", or "2 pm" and "14:00". Units
are from a closed list. A number with any other word behind it ("24 people") has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from graph_eval.text.quantities import ORDINALS, SCALES, UNITS, Date, dates, numbers
from graph_eval.types import Span

LIKE_ASCII = str.maketrans("ſıİK", "siIK")
SHARE, CLOCK = "share", "clock"
MOST_DIGITS = 30  # a longer number is an identifier: it is not converted
MINUTES = 60  # of an hour
TERM = "term"  # its value: months. "30 days" and "a month" are said of the same term
DAY = 86_400  # seconds
TERMS_IN_DAYS = {Decimal(days): Decimal(months) for days, months in ((30, 1), (60, 2), (90, 3), (365, 12))}
LOOK_BACK = 40  # characters before a number that may bound it

# unit: its names with the factor of each; the names of a line are equal.
UNIT_LINES = """month 1 months month mths mth
month 12 years year yrs yr
month 120 decades decade
month 1200 centuries century
second 1 seconds secs sec
second 60 minutes minute mins min
second 3600 hours hour hrs hr h
second 86400 days day
second 604800 weeks week wks wk
second 1209600 fortnights fortnight
working-day 1 working_days working_day business_days business_day
share 0.01 % per_cent percent pct percentage_points percentage_point
share 0.0001 basis_points basis_point
dollar 1 dollars dollar usd $
dollar 0.01 cents cent ¢
euro 1 euros euro eur €
pound 1 pounds pound gbp £ lbs lb
pound 0.01 pence p
franc 1 francs franc chf
krone 1 kroner krone kronor krona nok sek dkk kr
yen 1 yen jpy ¥
rupee 1 rupees rupee inr ₹
mile 1 miles mile mi
mph 1 mph miles_per_hour miles_an_hour
kmh 1 km/h kph kmh kilometres_per_hour kilometers_per_hour kilometres_an_hour
foot 1 feet foot ft
inch 1 inches inch
yard 1 yards yard yds
metre 1000 kilometres kilometre kilometers kilometer km kms
metre 1 metres metre meters meter m
metre 0.01 centimetres centimetre centimeters centimeter cm
metre 0.001 millimetres millimetre millimeters millimeter mm
gram 1 grams gram grammes gramme g
gram 1000 kilograms kilogram kilogrammes kilogramme kilos kilo kg kgs
gram 0.001 milligrams milligram mg
gram 0.000001 micrograms microgram µg μg mcg ug
gram 0.000000001 nanograms nanogram ng
gram 1000000 tonnes tonne tons ton
ounce 1 ounces ounce oz
litre 1 litres litre liters liter l
litre 0.001 millilitres millilitre milliliters milliliter ml
litre 0.01 centilitres centilitre cl
litre 0.1 decilitres decilitre dl
teaspoon 1 teaspoons teaspoon tsp
teaspoon 3 tablespoons tablespoon tbsp
cup 1 cups cup
pint 1 pints pint
pint 8 gallons gallon
celsius 1 c °c ºc degrees_celsius degrees_centigrade degrees_c
fahrenheit 1 f °f ºf degrees_fahrenheit degrees_f
kilobyte 1 kb kilobytes kilobyte
gigabyte 1000 tb terabytes terabyte
gigabyte 1 gb gigabytes gigabyte
megabyte 1 mb megabytes megabyte
megabit 1 mbps mbit/s mbit megabits megabits_per_second
megabit 1000 gbps gbit/s gbit gigabits gigabits_per_second
megapixel 1 megapixels megapixel mp
watt 1 watts watt
watt 1000 kilowatts kilowatt kw
watt 1000000 megawatts megawatt
watt 1000000000 gigawatts gigawatt gw
watt-hour 1 watt_hours watt_hour wh
watt-hour 1000 kilowatt_hours kilowatt_hour kwh
volt 1 volts volt
milliamp-hour 1 mah
hertz 1 hertz hz
hertz 1000 kilohertz khz
hertz 1000000 megahertz mhz
hertz 1000000000 gigahertz ghz
decibel 1 decibels decibel db
kilocalorie 1 calories calorie kcal kilocalories kilocalorie
kilojoule 1 kilojoules kilojoule kj
horsepower 1 horsepower hp bhp
acre 1 acres acre
hectare 1 hectares hectare ha
knot 1 knots"""
NAMES: dict[str, tuple[str, Decimal]] = {
    name.replace("_", " "): (line.split()[0], Decimal(line.split()[1]))
    for line in UNIT_LINES.splitlines()
    for name in line.split()[2:]
}
TIMES = frozenset({"month", "second"})
NAMES_TOO = frozenset({"cup", "megapixel", "watt", "horsepower", "hertz", "knot"})  # of things and people
FIRST_YEAR, LAST_YEAR = 1700, 2099  # that stand in front of such a name
SHORT_SCALES = {"k": 3, "m": 6, "mn": 6, "mln": 6, "b": 9, "bn": 9, "tn": 12, "t": 12}
PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7}
PARTS |= {"eighth": 8, "ninth": 9, "tenth": 10}
PARTS |= {name + "s": parts for name, parts in list(PARTS.items()) if not name.startswith("hal")}
SIGNS = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅛": (1, 8), "⅜": (3, 8)}
SIGNS |= {"⅝": (5, 8), "⅞": (7, 8), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6)}
# Words that say a small number without naming it. Texts say them in place of the number, so only a passage is read so.
IMPLIED = {2: "both pair couple twins twin twice double doubled doubles doubling duo either neither"}
IMPLIED |= {3: "trio triple tripled thrice triplets trilogy", 4: "quartet quadruple quadrupled foursome"}
IMPLIED |= {0: "no none nobody nil", 1: "single sole once only alone"}
IMPLIED_WORDS = {word: Decimal(value) for value, names in IMPLIED.items() for word in names.split()}
ROMAN = {name: Decimal(value) for value, name in enumerate("ii iii iv v vi vii viii ix".split(), 2)}
ROMAN |= {name: Decimal(value) for value, name in enumerate("xi xii xiii xiv xv xvi xvii xviii xix xx".split(), 11)}


def _any(names: Iterator[str] | list[str]) -> str:
    """A pattern of these names, the longest first; a blank or a hyphen parts their words."""
    return "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in sorted(names, key=len, reverse=True))


_SPOKEN = [name for name in NAMES if len(name) > 1 or not name.isalpha()]
_LONG = [name for name, (unit, _) in NAMES.items() if unit in TIMES and len(name) > 3 and not name.endswith("s")]
_HALVED = """litre liter kilo kilogram kilometre kilometer mile metre meter tonne pint gallon cup teaspoon tablespoon
    tsp tbsp ounce acre hectare"""
_PARTED = [*_LONG, *_HALVED.split()]
_CARDINALS = "|".join(name for name, value in UNITS.items() if 0 < value < 20)
FILLER = (
    r"(?:full|whole|entire|calendar|consecutive|straight|solid|more|additional|extra|further|other|long|short|last|total"
    r"|past|square|cubic|us|u\.s\.|american|canadian|australian|metric)"
)
UNIT = re.compile(
    rf"(?:[ -]?|[ -]{FILLER}[ -])(?:(?P<unit>{_any(_SPOKEN)}|second(?=-))|(?P<letter>[hglmpcf]))(?!\w)", re.IGNORECASE
)
OF_UNIT = re.compile(rf"[ -](?:of[ -])?(?:an?[ -]|the[ -])?(?P<unit>{_any(_PARTED)})(?!\w)", re.IGNORECASE)
AND_PART = re.compile(  # not "two weeks and half a litre"
    r"[ -]and[ -](?P<article>an?[ -])?(?P<part>half|quarter|three[ -]quarters)(?!\w)"
    r"(?(article)|(?![ -](?:an?|of|the)\b))",
    re.IGNORECASE,
)
MORE = dict(
    zip(
        ("half", "quarter", "three quarters", "three-quarters"), map(Decimal, "0.5 0.25 0.75 0.75".split()), strict=True
    )
)
CURRENCY = re.compile(r"(?P<sign>[$£€¥₹]|(?<![a-z])(?:usd|eur|gbp|chf|nok|sek|dkk|jpy|inr)) ?$", re.IGNORECASE)
SCALE = re.compile(r" ?(?P<scale>bn|mn|mln|tn|[mbkt])(?!\w)", re.IGNORECASE)
GLUED = re.compile(
    r"(?<![\w.,])(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)"
    rf"(?P<suffix>{_any([*SHORT_SCALES, *filter(str.isalpha, NAMES)])})(?!\w)",
    re.IGNORECASE,
)
DOZEN = re.compile(
    rf"\b(?:(?P<half>half[ -]an?[ -]|an?[ -]half[ -])|(?P<count>{_CARDINALS}|an?|\d{{1,3}})[ -])?dozen(?!\w)",
    re.IGNORECASE,
)
VAGUE = re.compile(
    r"\b(?:(?P<times>(?:tens|dozens|scores|hundreds|thousands)[ -]of[ -])?"
    r"(?P<word>dozens|hundreds|thousands|millions|billions|trillions)"
    r"|(?:several|few|many|couple of|some) (?P<single>dozen|hundred|thousand|million|billion))(?!\w)",
    re.IGNORECASE,
)
VAGUE_SIZES = {"tens": 10, "scores": 20, "dozens": 12} | {f"{name}s": size for name, size in SCALES.items()}
FRACTION = re.compile(
    r"(?<![\w/.,])(?:(?P<whole>\d{1,3})[ -])?(?P<top>\d{1,2})[/⁄](?P<bottom>\d{1,2})(?:ths?|rds?|nds?)?(?![\w/])"
    rf"|(?<![\w.,])(?P<whole2>\d{{1,3}})? ?(?P<sign>[{''.join(SIGNS)}])"
    rf"|\b(?P<count>an?|{_CARDINALS})[ -](?P<part>{'|'.join(PARTS)})(?!\w)|\b(?P<half>half)(?!\w)",
    re.IGNORECASE,
)
HALF_OF = re.compile(
    r"[ -](?:of|the|an?|its|their|his|her|all|our|your|my|hour|year|day|century|million)\b", re.IGNORECASE
)
OF_SCALE = re.compile(r"[ -](?:of )?an? (hundred|thousand|million|billion|trillion|dozen)\b", re.IGNORECASE)
NOT_HALF = re.compile(
    r"(?:\b(?:first|second|1st|2nd|latter|other|final|last|better|top|bottom|this|that|each|upper|lower|either|third)"
    r"|\band a)"
    r"[ -]$",
    re.IGNORECASE,
)
OF = re.compile(r"[ -]of\b", re.IGNORECASE)
SINGLE_UNIT = re.compile(rf"\b(?P<article>an? |per |each |every )?(?P<unit>{_any(_LONG)})(?![\w-])", re.IGNORECASE)
COUNTED_ALONE = frozenset({"decade", "century", "fortnight"})
CLOCKS = re.compile(
    r"(?<![\w.:/,])(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{1,2})(?![\d:.]\d|\d))? ?(?P<half>[ap])(?:m\b|\. ?m\.?)"
    r"|(?<![\w.:/,])(?P<hour2>\d{1,2}):(?P<minute2>\d{1,2})(?!\d|[:.]\d)(?P<spoken> o'?clock)?"
    rf"|\b(?P<hour3>\d{{1,2}}|{_CARDINALS}) o['’]?clock\b|\bhalf[ -]past (?P<past>\d{{1,2}}|{_CARDINALS})\b"
    rf"|\b(?P<word_hour>{_CARDINALS}) ?(?P<word_half>[ap])(?:m\b|\.m\.?)|\b(?P<name>noon|midday|midnight)\b",
    re.IGNORECASE,
)
SPLIT_DATE = re.compile(r"(?<![\w/.-])(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?![\w/-]|\.\d)")
SEASON = re.compile(r"(?<![\w.])((?:1[5-9]|20)\d\d)[/–-](\d\d)(?![\w/]|[-–.]\d)")
DECADE = re.compile(r"(?<![\w.])(?P<decade>(?:1[5-9]|20)\d0)['’]?s(?!\w)", re.IGNORECASE)
ORDINAL = re.compile(rf"(?:\d(?:st|nd|rd|th)|\b(?:{'|'.join(ORDINALS)}))$", re.IGNORECASE)
CENTURY = re.compile(r"['’]s\b|(?:[ -](?:and|to|or|[–-])[ -](?:the )?\w+)?[ -]centur(?:y|ies)\b", re.IGNORECASE)
PART_OF_NAME = re.compile(r"[^\W\d_][-‑–]$")
REFERENCE = re.compile(
    r"(?:\b(?:passages?|sources?|documents?|contexts?|snippets?|references?|excerpts?|paragraphs?|facts?|figures?|fig\."
    r"|steps?|methods?)[ #](?:\d{1,3}(?!\d),? ?(?:and |or |& |to |through |[-–:])?)*(?:no\.? ?)?|\[)$",
    re.IGNORECASE,
)
REFERRED = re.compile(r" (?:passage|source|document|context|snippet|excerpt|paragraph)s?\b", re.IGNORECASE)
LISTED = re.compile(  # the number of what the text itself names: "there are two reasons: ..."
    r"(?:two|three|four|five|six) (?:\w+ )?(?:reasons|options|ways|steps|things|points|types|kinds|conditions|factors"
    r"|causes|possibilities|choices|methods)\b",
    re.IGNORECASE,
)
LISTING = re.compile(r"\b(?:there are|here are|these|the following) (?:\w+ )?$", re.IGNORECASE)
NAMED_BEHIND = re.compile(r"[^.;:\d]*:(?:\s|$)")
AGAIN = re.compile(r" (?:time|look|try|option|way|reason|possibility|alternative)\b", re.IGNORECASE)  # "a second time"
WHOLE = re.compile(r"\b(?:all|whole|wholly|full|fully|entire|entirely|complete|completely|everything)\b", re.IGNORECASE)

# "More than 100" is said of 116 and 160, hardly of 1,000: the largest value that meets a lower bound, relative to it.
AT_MOST = "3"
AT_LEAST = "0.333"
_LEAD = r"(?:(?:well|just|slightly|only|far|even|a little|about|around) )?"
_TAIL = r"(?: (?:an?|the|about|around|approximately|of|every))?[ ]?(?:us|[ac])?[$£€]? ?$"
_BOUND_WORDS: dict[tuple[str, str], tuple[str, ...]] = {
    (AT_LEAST, "1.0"): (r"no (?:more|longer|later|higher|older) than|not more than",),
    ("1", AT_MOST): (
        r"no (?:fewer|less|younger) than|not (?:fewer|less) than|more than|over|above|at least|exceed(?:s|ed|ing)?",
        r"in excess of|upwards? of|(?:greater|higher|longer|older|larger|bigger|taller) than|a minimum of|minimum",
        r"north of|past|surpass(?:es|ed|ing)?|top(?:ped|ping|s)",
    ),
    (AT_LEAST, "1"): (
        r"(?:fewer|less|lower|shorter|younger|smaller) than|under|below|up to|at most|within|a maximum of|maximum",
        r"as (?:many|much) as",
    ),
    ("0.95", "1"): (r"nearly|almost|just under|just short of|approaching|not quite",),
    ("0.95", "1.05"): (
        r"about|around|approximately|roughly|circa|ca?\.|some|approx\.?|close to|near|estimated|an estimated",
        r"an average of|average|(?<!\w)~",
    ),
}
BOUNDS = tuple(
    (re.compile(rf"\b{_LEAD}(?:{'|'.join(names)}){_TAIL}", re.IGNORECASE), factors)
    for factors, names in _BOUND_WORDS.items()
)
AFTER_BOUNDS = (
    (
        re.compile(r"\+|(?: \w+){0,3}? (?:or|and) (?:more|older|over|above|longer|higher|later|up)\b", re.IGNORECASE),
        ("1", AT_MOST),
    ),
    (
        re.compile(r"(?: \w+){0,3}? (?:or|and) (?:less|fewer|younger|under|below|shorter)\b", re.IGNORECASE),
        (AT_LEAST, "1"),
    ),
    (re.compile(r"(?: \w+){0,2}? or so\b", re.IGNORECASE), ("0.95", "1.05")),
)
EXACT = (Decimal(1), Decimal(1))
RANGE_SIGN = re.compile(r" ?(?:to|or|and|[-–—‑]) ?[$£€]?", re.IGNORECASE)
BETWEEN = re.compile(r"\bbetween (?:the )?(?:ages? of )?[$£€]?$", re.IGNORECASE)
SUM = re.compile(r",? (?:and )?|, ?", re.IGNORECASE)
OUT_OF = re.compile(r" (?:in|out of|of|in every|of every|out of every|from)(?: every)? ", re.IGNORECASE)


class Form(NamedTuple):
    """One reading of a quantity: `value` in the base unit, `plain` as written, `step`: of the last digit written."""

    value: Decimal
    unit: str = ""
    plain: Decimal = Decimal(0)
    step: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Quantity:
    """`forms`: it is stated where any of them is. `dates`: the same for a date, which has no forms.

    `factors`: the smallest and the largest value that meet it, relative to its own. `kind`: "number", "ordinal" (or a
    number too long to be one), "date", "vague" ("hundreds"), "decade" or "between". `counted`: False where an honest
    paraphrase adds it ("one", "a year").
    `ranged`: it is an end of a range.
    """

    span: Span
    forms: tuple[Form, ...] = ()
    dates: tuple[Date, ...] = ()
    factors: tuple[Decimal, Decimal] = EXACT
    kind: str = "number"
    counted: bool = True
    ranged: bool = False

    @property
    def year_like(self) -> bool:
        """Whether it may be a year: four digits without a comma, and no unit."""
        return self.kind == "number" and self.span.end - self.span.start == 4 and is_year(self.forms)


def is_year(forms: tuple[Form, ...]) -> bool:
    return any(not form.unit and 1000 <= form.value <= 2100 and form.value % 1 == 0 for form in forms)


def quantities(text: str) -> list[Quantity]:
    """The quantities of a text in order, without their bounds. White space has to be single blanks: see `one_line`."""
    return _joined(text, sorted(_separate(text), key=lambda quantity: quantity.span))


def bounded_quantities(text: str) -> list[Quantity]:
    """The same with `factors` and `counted`, for claims."""
    return [_bounded(text, replace(found, counted=_counted(text, found))) for found in quantities(text)]


def one_line(text: str) -> str:
    """The text with single blanks between its words, and with ASCII for the letters that case makes equal to ASCII."""
    return " ".join(text.split()).translate(LIKE_ASCII)


class _Taken:
    """The characters of a text that belong to a quantity already."""

    def __init__(self, length: int) -> None:
        self._taken = bytearray(length)

    def take(self, start: int, end: int) -> bool:
        """Whether none of them was taken. Then they are now."""
        if end <= start or any(self._taken[start:end]):
            return False
        self._taken[start:end] = b"\1" * (end - start)
        return True


def _separate(text: str) -> Iterator[Quantity]:
    """Quantities one by one, of the surest kind first."""
    taken = _Taken(len(text))
    for found in (_calendar, _clocks, _decades, _fractions, _vague, _dozens, _glued, _numbers, _single_units):
        for quantity in found(text):
            if taken.take(*quantity.span):
                yield quantity


def _calendar(text: str) -> Iterator[Quantity]:
    for date in dates(text):
        if date.day or date.year:
            span = Span(date.span.start, date.span.start + len(date.span.of(text).rstrip(".")))
            yield Quantity(span, dates=(date,), kind="date")
    for match in SPLIT_DATE.finditer(text):
        span = Span(*match.span())
        found = _numeric_dates(match, span)
        if found:
            yield Quantity(span, dates=found, kind="date")


def _numeric_dates(match: re.Match[str], span: Span) -> tuple[Date, ...]:
    """The readings of "03/04/2021": day first or month first, if both are possible."""
    first, second, third = int(match[1]), int(match[3]), int(match[4])
    if len(match[1]) == 4:
        orders = [(first, second, third)]
    elif len(match[1]) <= 2 and len(match[4]) in (2, 4):
        year = third if len(match[4]) == 4 else third + (2000 if third < 50 else 1900)
        orders = [(year, second, first), (year, first, second)]
    else:
        return ()
    return tuple(dict.fromkeys(Date(y, m, d, span) for y, m, d in orders if 1 <= m <= 12 and 1 <= d <= 31))


def _clocks(text: str) -> Iterator[Quantity]:
    for match in CLOCKS.finditer(text):
        part = match.groupdict()
        hours = part["hour"] or part["hour2"] or part["hour3"] or part["past"] or part["word_hour"]
        half = (part["half"] or part["word_half"] or "").lower()
        minute = 30 if part["past"] else int(part["minute"] or part["minute2"] or 0)
        hour = _small(hours) if hours else 0 if part["name"].lower() == "midnight" else 12
        if hour > 24 or minute > 59 or (half and hour > 12):
            continue
        if half:
            times = [hour % 12 * 60 + minute + (720 if half == "p" else 0)]
        elif hour > 12 or part["name"]:
            times = [hour % 24 * 60 + minute]
        else:
            times = [hour % 12 * 60 + minute, hour % 12 * 60 + minute + 720]
        plain = Decimal(hour) if not minute else Decimal(hour) + Decimal(minute) / 100
        forms = tuple(Form(Decimal(time), CLOCK, plain) for time in times)
        if part["hour2"]:
            forms += (Form(plain, "", plain),)
        yield Quantity(Span(*match.span()), forms)


def _decades(text: str) -> Iterator[Quantity]:
    for match in DECADE.finditer(text):
        value = Decimal(match["decade"])
        yield Quantity(
            Span(*match.span()), (Form(value, "", value),), factors=(Decimal(1), 1 + 9 / value), kind="decade"
        )
    for match in SEASON.finditer(text):
        first, second = int(match[1]), int(match[2])
        if first % 100 < second:
            year = Decimal(first - first % 100 + second)
            yield Quantity(Span(match.start(1), match.end(1)), (Form(Decimal(first), "", Decimal(first)),))
            yield Quantity(
                Span(match.start(2), match.end(2)), (Form(year, "", year), Form(Decimal(second), "", Decimal(second)))
            )


def _fractions(text: str) -> Iterator[Quantity]:
    for match in FRACTION.finditer(text):
        part, (start, end) = match.groupdict(), match.span()
        before = text[max(0, start - LOOK_BACK) : start]
        counted = True
        also: tuple[Form, ...] = ()
        whole = Decimal(part["whole"] or part["whole2"] or 0)
        if part["bottom"]:
            top, bottom = int(part["top"]), int(part["bottom"])
            if not 0 < top < bottom or bottom not in (2, 3, 4, 6, 8, 16):
                continue
        elif part["sign"]:
            top, bottom = SIGNS[part["sign"]]
        elif part["count"]:
            top, bottom = _small(part["count"]), PARTS[part["part"].lower()]
            if top >= bottom:
                continue
            if before.lower().endswith("and "):
                continue  # "an hour and a half"
            if part["count"].lower() in ("a", "an"):
                counted = bottom != 4 or OF.match(text, end) is not None  # not a quarter-final
                also = (Form(Decimal(bottom), "", Decimal(bottom)),) if bottom == 3 or bottom > 4 else ()  # a third man
        else:
            top, bottom = 1, 2
            counted = HALF_OF.match(text, end) is not None and not NOT_HALF.search(before)
        value = whole + Decimal(top) / bottom
        step = Decimal("0.01") if bottom in (3, 6, 7, 9) else Decimal(0)
        unit = _unit(text, end) if whole or part["bottom"] or part["sign"] else None
        unit = unit or _unit_of(text, end)
        scale = OF_SCALE.match(text, end)
        if scale:
            size = {"dozen": 12, **SCALES}[scale[1].lower()]
            forms, end = (Form(value * size, "", value * size),), scale.end()
        elif unit:
            forms, end = (Form(value * unit[1], unit[0], value, step),), unit[2]
        elif whole:
            forms = (Form(value, "", value, step),)
        else:
            bare = (Form(value, "", value, step),) if part["bottom"] or part["sign"] else ()
            forms = (Form(value, SHARE, value, step), *bare, *also)
        yield Quantity(Span(start, end), forms, counted=counted)


def _dozens(text: str) -> Iterator[Quantity]:
    for match in DOZEN.finditer(text):
        count = Decimal("0.5") if match["half"] else Decimal(_small(match["count"] or "a"))
        yield _measured(
            text, Span(*match.span()), count * 12, Decimal(0), counted=bool(match["half"] or match["count"])
        )


def _vague(text: str) -> Iterator[Quantity]:
    for match in VAGUE.finditer(text):
        size = VAGUE_SIZES[(match["word"] or match["single"] + "s").lower()]
        if match["times"]:
            size *= VAGUE_SIZES[re.split("[ -]", match["times"])[0].lower()]
        value = Decimal(size)
        most = Decimal(10) if match["times"] or value < 1000 else Decimal(100)
        yield Quantity(Span(*match.span()), (Form(value, "", value),), factors=(Decimal(1), most), kind="vague")


def _glued(text: str) -> Iterator[Quantity]:
    for match in GLUED.finditer(text):
        written, suffix = match["number"].replace(",", ""), match["suffix"].lower()
        span = Span(*match.span())
        value, step = Decimal(written), _step(written)
        if len(written) > MOST_DIGITS:
            continue
        currency = CURRENCY.search(text[max(0, span.start - 5) : span.start])
        forms = []
        if suffix in SHORT_SCALES:
            scaled = value.scaleb(SHORT_SCALES[suffix])
            unit = NAMES[currency["sign"].lower()] if currency else (_unit(text, span.end) or ("", Decimal(1)))
            forms.append(Form(scaled * unit[1], unit[0], scaled, step.scaleb(SHORT_SCALES[suffix]) * unit[1]))
        if suffix in NAMES and not (currency and forms):
            name, factor = NAMES[suffix]
            forms.append(Form(value * factor, name, value, step * factor))
        yield Quantity(span, tuple(forms))


def _numbers(text: str) -> Iterator[Quantity]:
    for number in numbers(text):
        written = number.span.of(text)
        if len(written) > MOST_DIGITS or ORDINAL.search(written):
            yield Quantity(number.span, (Form(number.value, "", number.value),), kind="ordinal")
            continue
        digits = re.match(r"[-−]?[\d,]*\.?\d+", written)
        step = _step(digits[0].replace(",", "")) if digits else Decimal(0)
        value = number.value
        for name, size in SCALES.items():
            if written.lower().endswith(name):
                step = step * size if digits else Decimal(size)
        yield _measured(text, number.span, value, step)


def _counted(text: str, quantity: Quantity) -> bool:
    """Not "one" and "first", numbers within names (COVID-19), centuries, and numbers of passages."""
    span = quantity.span
    before = text[max(0, span.start - LOOK_BACK) : span.start]
    return quantity.counted and not (
        PART_OF_NAME.search(before)
        or (quantity.kind == "ordinal" and before.lower().endswith(" a ") and AGAIN.match(text, span.end))
        or (LISTED.match(text, span.start) and LISTING.search(before) and NAMED_BEHIND.match(text, span.end))
        or (quantity.kind in ("number", "ordinal") and quantity.forms[0].value == 1 and span.of(text).isalpha())
        or CENTURY.match(text, span.end)
        or REFERENCE.search(before)
        or (quantity.kind == "ordinal" and REFERRED.match(text, span.end))
    )


def _measured(text: str, span: Span, value: Decimal, step: Decimal, counted: bool = True) -> Quantity:
    """The number at `span` with the unit around it."""
    start, end = span
    currency = CURRENCY.search(text[max(0, start - 5) : start])
    scale = SCALE.match(text, end)
    if scale and (currency or len(scale["scale"]) > 1) and text[end - 1].isdigit():
        power = SHORT_SCALES[scale["scale"].lower()]
        value, step, end = value.scaleb(power), step.scaleb(power), scale.end()
    if (part := AND_PART.match(text, end)) and _unit(text, part.end()):
        value, end, step = value + MORE[part["part"].lower()], part.end(), Decimal(0)
    unit = _unit(text, end)
    if currency:
        name, factor = NAMES[currency["sign"].lower()]
        return Quantity(Span(start, end), (Form(value * factor, name, value, step * factor),), counted=counted)
    bare = Form(value, "", value, step)
    if unit is None or (unit[0] in NAMES_TOO and FIRST_YEAR <= value <= LAST_YEAR and is_year((bare,))):
        return Quantity(Span(start, end), (bare,), counted=counted)  # "the 2018 Cup", "in 2019 MP Lee"
    name, factor, end = unit
    form = Form(value * factor, name, value, step * factor)
    if name in TIMES and (part := AND_PART.match(text, end)):
        form, end = _plus(form, factor, part), part.end()
    return Quantity(Span(start, end), (form, *_terms(form, factor)), counted=counted)


def _terms(form: Form, factor: Decimal) -> tuple[Form, ...]:
    """The term that a number of days, months or years makes."""
    months = TERMS_IN_DAYS.get(form.plain) if factor == DAY else form.value if form.unit == "month" else None
    return (Form(months, TERM, form.plain),) if months in TERMS_IN_DAYS.values() and months else ()


def _plus(form: Form, factor: Decimal, part: re.Match[str]) -> Form:
    """ "an hour" and "a half"."""
    more = MORE[part["part"].lower()]
    return form._replace(value=form.value + factor * more, plain=form.plain + more, step=Decimal(0))


def _single_units(text: str) -> Iterator[Quantity]:
    """ "a decade", "an hour and a half", and units without a number."""
    for match in SINGLE_UNIT.finditer(text):
        name, factor = NAMES[match["unit"].lower().replace("-", " ")]
        form, end = Form(factor, name, Decimal(1)), match.end()
        counted = bool(match["article"]) and match["unit"].lower() in COUNTED_ALONE
        part = AND_PART.match(text, end)
        if part and match["article"]:
            form, end, counted = _plus(form, factor, part), part.end(), True
        whole = (match["article"] or "").lower() in ("a ", "an ")
        yield Quantity(Span(match.start(), end), (form, *(_terms(form, factor) if whole else ())), counted=counted)


def _unit(text: str, end: int) -> tuple[str, Decimal, int] | None:
    """Name, factor and end of the unit that stands at `end`."""
    match = UNIT.match(text, end)
    if match is None:
        return None
    name = re.sub(r"-", " ", (match["unit"] or match["letter"]).lower())
    if name == "second":
        name = "seconds"
    if name not in NAMES or (match["letter"] and not text[end - 1].isdigit()):
        return None
    return *NAMES[name], match.end()


def _unit_of(text: str, end: int) -> tuple[str, Decimal, int] | None:
    """The same behind a fraction: "half an hour", "three quarters of a year"."""
    match = OF_UNIT.match(text, end)
    return (*NAMES[match["unit"].lower().replace("-", " ")], match.end()) if match else None


def _small(word: str) -> int:
    if word.isdigit():
        return int(word)
    return UNITS.get(word.lower(), 1)


def _step(written: str) -> Decimal:
    """1 of the last digit."""
    decimals = len(written.partition(".")[2])
    return Decimal(1).scaleb(-decimals)


def _bounded(text: str, quantity: Quantity) -> Quantity:
    """With the factors of "more than", "nearly" and the like around it."""
    if quantity.kind != "number" or any(form.unit == CLOCK for form in quantity.forms):
        return quantity
    before = text[max(0, quantity.span.start - LOOK_BACK) : quantity.span.start]
    for pattern, (low, high) in BOUNDS:
        if pattern.search(before):
            return replace(quantity, factors=(Decimal(low), Decimal(high)))
    for pattern, (low, high) in AFTER_BOUNDS:
        if pattern.match(text, quantity.span.end):
            return replace(quantity, factors=(Decimal(low), Decimal(high)))
    return quantity


def _joined(text: str, found: list[Quantity]) -> list[Quantity]:
    """Neighbours share what one of them leaves out: "5 to 10 days", "an hour and 30 minutes", "one in five"."""
    for place, (left, right) in enumerate(pairwise(found)):
        left = found[place]
        if not (left.forms and right.forms) or right.span.start - left.span.end > LOOK_BACK:
            continue
        gap = text[left.span.end : right.span.start]
        one, other = left.forms[0], right.forms[0]
        if OUT_OF.fullmatch(gap) and not one.unit and not other.unit and 0 < one.value < other.value <= 1000:
            share = Form(one.value / other.value, SHARE, one.value / other.value, Decimal("0.01"))
            found[place] = replace(left, forms=(*left.forms, share))
            found[place + 1] = replace(right, forms=(*right.forms, share))
        elif SUM.fullmatch(gap) and one.unit in TIMES and one.unit == other.unit and one.value > other.value:
            both = Form(one.value + other.value, one.unit, one.value + other.value)
            found[place] = replace(left, forms=(*left.forms, both))
            found[place + 1] = replace(right, forms=(*right.forms, both))
        elif RANGE_SIGN.fullmatch(gap):
            between = BETWEEN.search(text[max(0, left.span.start - LOOK_BACK) : left.span.start])
            if "and" in gap.lower() and not between:
                continue
            if SHARE in (one.unit, other.unit) and one.unit and other.unit and one.unit != other.unit:
                continue  # "rose 17% to $93.6 million"
            forms = _shared(text, left, right)
            found[place] = replace(left, forms=forms, ranged=True)
            found[place + 1] = replace(right, ranged=True)
            if between and 0 < forms[0].value < other.value and forms[0].unit == other.unit:
                limits = (Decimal(1), other.value / forms[0].value)
                found[place] = replace(found[place], factors=limits, kind="between")
                found[place + 1] = replace(found[place + 1], factors=(1 / limits[1], Decimal(1)), kind="between")
    return found


def _shared(text: str, left: Quantity, right: Quantity) -> tuple[Form, ...]:
    """The forms of the first of two that are joined, with the unit and the scale of the second."""
    one, other = left.forms[0], right.forms[0]
    forms: list[Form] = []
    hour = int(one.value) if 0 < one.value < 13 else 0
    rest = one.value - hour
    if other.unit == CLOCK and not one.unit and 0 < hour <= 12 and rest * 100 < MINUTES:
        time = hour % 12 * 60 + rest * 100  # "7" and "7.50"
        times = (time, time + 720)
        return (*(Form(time, CLOCK, one.value) for time in times), one)
    if not one.unit and other.unit and other.unit != CLOCK and other.plain and not left.year_like:
        factor = other.value / other.plain
        forms.append(Form(one.plain * factor, other.unit, one.plain, one.step * factor))
    elif one.unit == other.unit or not other.unit:
        forms += left.forms
    scale = re.search(r"(?:hundred|thousand|million|billion|trillion)\b", right.span.of(text), re.IGNORECASE)
    if scale and one.value < 1000:
        size = SCALES[scale[0].lower()]
        first = forms[0] if forms else one
        forms.append(Form(first.value * size, first.unit or other.unit, first.plain * size, first.step * size))
    return tuple(forms) or left.forms
