"""Markdown tables: a row gives, for each of its cells, the claim (first cell, head of the column, cell)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph_eval.extractors.rules.drafts import Draft
from graph_eval.extractors.rules.phrases import NOTHING, Phrase
from graph_eval.extractors.wording import IS, genitive, plural_form
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
    r"(?:lasts|costs|needs|requires|covers|protects|supports|includes|offers|takes|applies|starts|ends|contains|uses|allows)\b",
    re.IGNORECASE,
)
AMOUNT = re.compile(r"(?:(?:under|over|up to|more than|less than|at least|above|below|from)\b|\d)", re.IGNORECASE)
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


def row_drafts(head: Sequence[Phrase], row: Sequence[Phrase]) -> list[Draft]:
    """The claims of a row: "Flour's protein is 14%". Cells without text or without a column head make none."""
    first, *others = row
    drafts = []
    # a row holds one measure of several things
    turned = len(head) > 2 and MEASURE.fullmatch(head[0].text) is not None
    turned = turned and not any(VALUE.match(column.text) for column in head[1:])
    for column, cell in zip(head[1:], others, strict=False):
        if not (first.text and column.text and cell.text):
            continue
        if turned:
            verb = _acts(first, column, cell)
            if verb is not None:
                drafts.append(verb)
                continue
            thing = replace(column, wording=f"{genitive(column.wording)} {first.text}", resolved=True)
            drafts.append(Draft(thing, replace(first, wording=IS, resolved=True), cell, "table"))
            continue
        if PREPOSITION.search(column.text):  # "Best for", "Opens at"
            words = f"{column.text[:1].lower()}{column.text[1:]}"
            subject, said = first, words if words.split()[0].endswith("s") else f"is {words}"
        else:
            subject, said = replace(first, wording=f"{genitive(first.wording)} {column.text}"), IS
            if head[0].text and AMOUNT.match(first.text):  # "Amount under 500 euros: Approver is ..."
                lead = f"{head[0].text} {first.text[:1].lower()}{first.text[1:]}"
                subject = replace(first, wording=f"{lead}: {column.text}")
        drafts.append(Draft(subject, replace(column, wording=said, resolved=True), cell, "table"))
    return drafts


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
