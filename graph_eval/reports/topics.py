"""The topic of a claim: whether its decisive words are a date, another number, a name or anything else.

It tells on which kind of fact a model errs. The words decide, so "in 1903" is a date and "1,903 people" is a number.
"""

from __future__ import annotations

import re
from typing import Literal

from graph_eval.text.quantities import dates, numbers
from graph_eval.types import Claim, Judgement

Topic = Literal["dates", "numbers", "names", "other"]
CALENDAR = re.compile(
    r"(?<![\w.,$€£])(?:1\d|20)\d\d(?:s|[-–]\d\d(?:\d\d)?)?(?![\w%]|[.,]\d)"  # a year, but not "2000 men"
    r"(?! (?!and|to|or|in|at|by|on|with|when|after|before)[a-z])"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
    r"|\b(?:January|February|April|June|July|August|September|October|November|December)\b"
    r"|\b(?:yesterday|today|tomorrow|century|decade)\b"
)
NAME = re.compile(r"(?<=\w )[A-Z][\w’'-]*|\A(?!The |A |An |It |He |She |They )[A-Z][\w’'-]+")


def topic(claim: Claim, judgement: Judgement | None, response: str) -> Topic:
    """The topic of the words that the checker doubts, else of the object, else of the whole claim."""
    words = _decisive(claim, judgement, response)
    if CALENDAR.search(words) or dates(words):
        return "dates"
    if numbers(words):
        return "numbers"
    return "names" if NAME.search(words) else "other"


def _decisive(claim: Claim, judgement: Judgement | None, response: str) -> str:
    if judgement is not None and judgement.unsupported:
        return " ".join(span.of(response) for span in judgement.unsupported)
    return (claim.object.text if claim.object else "") or claim.text
