"""Markdown tables: a row gives, for each of its cells, the claim (first cell, head of the column, cell)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.lists import BEHIND_NOUN
from graph_eval.extractors.rules.phrases import NOTHING, Phrase
from graph_eval.extractors.wording import ARE, IS, genitive, plural_form
from graph_eval.types import Span

ROW = re.compile(r"[ \t]*\|(?P<cells>.*?)\|?[ \t]*")
CELL = re.compile(r"(?:(?<=\|)|^)(?:[^|\\\n]|\\.)*")
RULE = re.compile(r"[ \t]*\r?\n[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*(?=\r?\n|$)")
MARKS = " \t*_`"
MEASURE = re.compile(  # the head of a column of measures
    r"(?:features?|aspects?|propert(?:y|ies)|attributes?|metrics?|criteri(?:on|a)|parameters?|characteristics?|specifications?"
    r"|specs?|factors?|measures?|fees?|costs?|benefits?|differences?|)",
    re.IGNORECASE,
)
VALUE = re.compile(  # the head of a column of values, no thing
    r"(?:descriptions?|details?|amounts?|notes?|values?|prices?|comments?|opens?|closes?|starts?|ends?|status|units?|min|max"
    r"|from|to|date|when|where|how|yes|no)\b",
    re.IGNORECASE,
)
VERB = re.compile(  # the head of a row that is a verb: "Lasts"
    r"(?:sleeps|seats|holds|fits|weighs|measures|feeds|serves|lasts|costs|needs|requires|covers|protects|supports|includes|offers|takes|applies|starts|ends|contains|uses|allows)\b",
    re.IGNORECASE,
)
AMOUNT = re.compile(r"(?:(?:under|over|up to|more than|less than|at least|above|below|from)\b|\d)", re.IGNORECASE)
NOT_GIVEN = re.compile(r"[-–—.…/?\s]*|n\.?/?a\.?|tb[acd]", re.IGNORECASE)
KIND = re.compile(  # the head of a column of kinds, which are no names of their own: "Local" of a "Ticket"
    r"(?:ticket|plan|tier|package|subscription|membership|edition|licen[cs]e|pass|class|mode|phase|stage|rate|fare|room"
    r"|account|insurance|leave|visa|permit|loan)",
    re.IGNORECASE,
)
KINDS = re.compile(r"types?|kinds?|categor(?:y|ies)|variants?|options?|", re.IGNORECASE)  # of what the table lists
KINDS_OF = re.compile(  # "types of membership", "types of health insurance:", "ticket types"
    r"\b(?:types?|kinds?|categor(?:y|ies)|variants?|forms?) of "
    r"(?!(?:the|an?|this|these|those|our|your|its|their|all)\b)(?P<of>[a-z]+(?: [a-z]+)??)"
    r"(?=[^\w\s]|$| (?:is|are|at|in|for|on|from|with)\b)"
    r"|\b(?P<noun>[a-z]+) (?:types?|kinds?|categor(?:y|ies)|variants?|options?)\b(?! of )",
    re.IGNORECASE,
)
CHANGED_PLURAL = re.compile(r"(?:ie|[sxz]e|[cs]he|oe)s$")  # whose singular lacks more than its "s": "policies"
STATE = re.compile(r"(?:best|good|ideal|valid|open|free|due|born|known|\w+(?:ed|ble))\b")  # "is best for"
MANY = re.compile(r"[^suiSUI]s$")
PREPOSITIONAL = re.compile(r"(?:until|till|from|for|in|on|at|by|within|up to|since|after|before) ", re.IGNORECASE)
PREPOSITION = re.compile(r" (?:for|in|by|at|to|from|with|on)$", re.IGNORECASE)


def cells(response: str, sentence: Span) -> list[Phrase]:
    """The cells of a row, or [] for any other line."""
    line = _line(response, sentence)
    row = ROW.fullmatch(response, line.start, line.end)
    if row is None:
        return []
    found = []
    for match in CELL.finditer(response, row.start("cells"), row.end("cells")):
        start, end = match.span()
        while start < end and response[start] in MARKS:
            start += 1
        while end > start and response[end - 1] in MARKS:
            end -= 1
        text = response[start:end]
        found.append(Phrase(text, (Span(start, end),) if text else (), text))
    return found if len(found) > 1 else []


def is_head(response: str, sentence: Span) -> bool:
    """Whether the row is followed by the rule "|---|---|"."""
    return RULE.match(response, _line(response, sentence).end) is not None


def opens_row(response: str, sentence: Span) -> bool:
    """Whether the sentence is the first of its row: "min. $10" may end one."""
    return not response[_line(response, sentence).start : sentence.start].strip(" \t|*")


def kind_named(lead: str) -> str:
    """What the line above a table says that its rows are kinds of: "four types of membership"."""
    named = KINDS_OF.search(lead)
    noun = "" if named is None else named["of"] or named["noun"]
    if named is not None and not (named["of"] or KIND.fullmatch(noun)):
        return ""  # "the main types"
    if CHANGED_PLURAL.search(noun):
        return ""
    return noun.removesuffix("s") if MANY.search(noun) else noun


def row_drafts(head: Sequence[Phrase], row: Sequence[Phrase], lead: str = "") -> list[Draft]:
    """The claims of a row: "Flour's protein is 14%". Cells that say nothing or have no column head make none.

    `lead`: the line above the table.
    """
    first, *others = row
    above = head[0].text
    if KINDS.fullmatch(above):
        above = kind_named(lead)
        kind = _kind(above, first) if above else first
    else:
        kind = _kind(above, first) if KIND.fullmatch(above) else first
    drafts = []
    # a row holds one measure of several things
    turned = len(head) > 2 and MEASURE.fullmatch(head[0].text) is not None
    turned = turned and not any(VALUE.match(column.text) for column in head[1:])
    for column, cell in zip(head[1:], others, strict=False):
        if not (first.text and column.text) or NOT_GIVEN.fullmatch(cell.text):
            continue
        if turned:
            verb = _acts(first, column, cell)
            if verb is not None:
                drafts.append(verb)
                continue
            thing = replace(column, wording=f"{genitive(column.wording)} {first.text}", resolved=True)
            drafts.append(Draft(thing, replace(first, wording=_be(first), resolved=True), cell, "table"))
            continue
        if PREPOSITION.search(column.text):  # "Best for", "Opens at"
            words = f"{column.text[:1].lower()}{column.text[1:]}"
            noun, _, preposition = words.rpartition(" ")
            if PREPOSITIONAL.match(cell.text):  # "Valid for": "until 2030"
                words, preposition = noun, ""
            if STATE.match(words):
                subject, said = kind, f"is {words}"
            elif words.split()[0].endswith("s"):
                subject, said = kind, words
            else:  # "Harvest from"
                subject, said = replace(kind, wording=f"{genitive(kind.wording)} {noun}"), f"is {preposition}".strip()
        else:
            subject, said = replace(kind, wording=f"{genitive(kind.wording)} {column.text}"), _be(column)
            if head[0].text and AMOUNT.match(first.text):  # "Amount under 500 euros: Approver is ..."
                case = f"{head[0].text} {first.text[:1].lower()}{first.text[1:]}"
                subject = replace(first, wording=f"{case}: {column.text}")
        drafts.append(Draft(subject, replace(column, wording=said, resolved=True), cell, "table"))
    return drafts


def _kind(head: str, first: Phrase) -> Phrase:
    """The first cell of a row with the noun above it, where it is a kind of that: "Local" of a "Ticket"."""
    name = first.text.partition(" (")[0]
    words = name.lower().split()
    plain = 0 < len(words) <= 2 and not any(map(str.isdigit, name)) and head.lower() not in words
    return first.as_resolved(f"{first.text} {head.lower()}") if plain else first


def _be(column: Phrase) -> str:
    """The verb of a column: "Zones are", "Number of zones is"."""
    return ARE if MANY.search(BEHIND_NOUN.split(column.text)[0]) else IS


def _acts(first: Phrase, column: Phrase, cell: Phrase) -> Draft | None:
    """The claim of a row whose head is a verb: "A boiler lasts | 15 years". None for a noun ("Uses")."""
    said = f"{first.text[:1].lower()}{first.text[1:]}"
    verb, _, rest = said.partition(" ")
    decided = cell.text.lower() in ("yes", "no")
    if not VERB.match(first.text) or not (rest or decided or cell.text[:1].isdigit() or cell.text[:1] in "$€£"):
        return None
    many = column.text.endswith("s") and not column.text.endswith("ss")
    plain = plural_form(verb)
    words = f"{plain if many else verb} {rest}".strip()
    if not decided:
        return Draft(column, replace(first, wording=words, resolved=True), cell, "table")
    if cell.text.lower() == "no":  # "Needs outdoor space: No"
        words = f"{'do' if many else 'does'} not {plain} {rest}".strip()
    return Draft(column, Phrase(words, (*first.spans, *cell.spans), words, resolved=True), NOTHING, "table")


def _line(response: str, sentence: Span) -> Span:
    start = max(response.rfind("\n", 0, sentence.start), response.rfind("\r", 0, sentence.start)) + 1
    end = min((found for mark in "\r\n" if (found := response.find(mark, sentence.end)) >= 0), default=len(response))
    return Span(start, end)
