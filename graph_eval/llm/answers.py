"""Parses answers of models: lists of triples and lists of sentences. Nothing is evaluated.

Models that are asked for JSON also return Python lists, tuples with and without quotes, smart quotes, trailing commas,
several triples on a line, one triple on several lines, tables, "subject: ..." lines, and prose around all of these. An
answer that has only one interpretation is parsed; any other raises AnswerError with the reason. A list that is cut off
is refused, because its remaining entries are lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from graph_eval.llm.scanner import BULLET, QUOTES, AnswerError, Group, Scalar, shown, top_groups

Triple = tuple[str, str, str]
NUMBER = re.compile(r"\W*s?(?P<number>\d{1,5})\W*", re.IGNORECASE)  # of a sentence: 2, "2", [S2]

CODE_BLOCK = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)
NOTHING = re.compile(
    r"\W*(?:none|n/a|null|nothing|empty|no (?:triples|triplets|claims|sentences|statements|facts)(?: found)?)\W*",
    re.IGNORECASE,
)
TABLE_RULE = re.compile(r"[\s|:+-]*")  # the line below the header row of a table
SEPARATORS = ("|", "\t", " -> ", " → ", " – ", " — ", "; ", ";")
KEYS = {
    **dict.fromkeys(("subject", "head", "subj", "s", "entity1", "source", "entity"), 0),
    **dict.fromkeys(("predicate", "relation", "relationship", "verb", "p", "pred", "property", "rel"), 1),
    **dict.fromkeys(("object", "tail", "obj", "o", "entity2", "target", "value"), 2),
}
NUMBER_KEYS = ("number", "sentence_number", "n")
SENTENCE_KEYS = ("sentence", "claim", "text", "statement", "subsentence", "fact")
KEY_VALUE = re.compile(r"[\s*_\"'`]*(?P<key>[A-Za-z]+\d?)[\s*_\"'`]*[:=][\s*_]*(?P<value>.*?)\s*,?\s*")


def triples(answer: str) -> list[Triple]:
    """The triples of an answer (subject, predicate, object), in order. Raises AnswerError.

    An object may be empty ("she, resigned, "). A subject or a predicate may not.
    """
    found = numbered_triples(answer)
    for number, triple in found:
        if number is not None:
            raise AnswerError(f"{shown(f'{number}, ' + ', '.join(triple))} has 4 parts instead of three")
    return [triple for _, triple in found]


def numbered_triples(answer: str) -> list[tuple[int | None, Triple]]:
    """The triples of an answer, each with the number of its sentence if it has one. Raises AnswerError."""
    text = body(answer)
    groups = top_groups(text)
    rows = [row for group in groups for row in _triples(group)]
    if not groups:
        rows = list(_key_value_lines(text)) or list(_separated_lines(text))
        if not rows and not NOTHING.fullmatch(text):
            raise AnswerError("it holds no list of triples")
    return [(_number(row[0]) if len(row) == 4 else None, validated(row[-3:])) for row in rows]


def statements(answer: str) -> list[str]:
    """The sentences of an answer, in order. Raises AnswerError."""
    return [sentence for _, sentence in numbered_statements(answer)]


def numbered_statements(answer: str) -> list[tuple[int | None, str]]:
    """The sentences of an answer, each with the number of the one that it is taken from, if it has one.

    Raises AnswerError.
    """
    text = body(answer)
    groups = [group for group in top_groups(text) if group.bracket != "("]
    if groups:
        return [sentence for group in groups for sentence in _statements(group)]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if bullets := [line for line in lines if BULLET.match(line)]:
        return [(None, _unquoted(BULLET.sub("", line, count=1))) for line in bullets]
    if NOTHING.fullmatch(text):
        return []
    if quoted := [line for line in lines if _unquoted(line) != line]:
        return [(None, _unquoted(line)) for line in quoted]
    raise AnswerError("it holds no list of sentences")


def _number(text: str) -> int | None:
    """The number of a sentence, or None for any other text."""
    match = NUMBER.fullmatch(text)
    return int(match["number"]) if match else None


def _number_of(group: Group) -> int | None:
    """The number among the keys of an object."""
    values = (value for key, value in group.pairs if key.lower() in NUMBER_KEYS and isinstance(value, Scalar))
    return next((number for value in values if (number := _number(value.text)) is not None), None)


def body(answer: str) -> str:
    """The fenced code of an answer where it has any that is not empty, else the answer."""
    return parts(answer)[0]


def parts(answer: str) -> tuple[str, str]:
    """The body of an answer, and what it says behind its fenced code."""
    code = [match for match in CODE_BLOCK.finditer(answer) if match[1].strip()]
    if not code:
        return answer.strip(), ""
    return "\n".join(match[1].strip() for match in code), answer[code[-1].end() :]


def validated(triple: Sequence[str]) -> Triple:
    """The triple with normalised spaces. Raises AnswerError if subject or predicate is empty."""
    subject, predicate, obj = (" ".join(part.split()) for part in triple)
    if not subject or not predicate:
        raise AnswerError(f"the triple {shown(str(tuple(triple)))} lacks its {'predicate' if subject else 'subject'}")
    return subject, predicate, obj


def _triples(group: Group) -> Iterator[Sequence[str]]:
    if group.pairs:
        by_slot = {KEYS[key.lower()]: value for key, value in group.pairs if key.lower() in KEYS}
        if len(by_slot) >= 2 and all(isinstance(value, Scalar) for value in by_slot.values()):
            number = _number_of(group)
            slots = [by_slot[slot].text if slot in by_slot else "" for slot in range(3)]
            yield slots if number is None else [str(number), *slots]
            return
        values = [value for _, value in group.pairs if isinstance(value, Group)]
        if not values:
            raise AnswerError(f"an object has the keys {', '.join(key for key, _ in group.pairs)}")
        for value in values:
            yield from _triples(value)
        return
    groups = [item for item in group.items if isinstance(item, Group)]
    if groups and all(not _is_slot(item) for item in groups) and len(groups) == len(group.items):
        for item in groups:
            yield from _triples(item)
        return
    if not group.items:
        return
    slots = [_slot(item) for item in group.items]
    if len(slots) != 3 and not (len(slots) == 4 and _number(slots[0]) is not None):
        raise AnswerError(f"{shown(', '.join(slots))} has {len(slots)} parts instead of three")
    yield slots


def _is_slot(group: Group) -> bool:
    """Whether a list is one part of a triple in brackets of its own: ["Optimus"]."""
    return len(group.items) == 1 and isinstance(group.items[0], Scalar) and not group.pairs


def _slot(item: Any) -> str:
    if isinstance(item, Scalar):
        return item.text
    if _is_slot(item):
        return str(item.items[0].text)
    raise AnswerError("a part of a triple is a list itself")


def _statements(group: Group) -> Iterator[tuple[int | None, str]]:
    if group.pairs:
        texts = [value for key, value in group.pairs if key.lower() in SENTENCE_KEYS and isinstance(value, Scalar)]
        if texts:
            yield from ((_number_of(group), value.text) for value in texts if value.text.strip())
            return
        values = [value for _, value in group.pairs if isinstance(value, Group)]
        if not values:
            raise AnswerError(f"an object has the keys {', '.join(key for key, _ in group.pairs)}")
        for value in values:
            yield from _statements(value)
        return
    if len(group.items) == 2 and all(isinstance(item, Scalar) for item in group.items):
        first, sentence = group.items
        if (number := _number(first.text)) is not None and sentence.quoted:
            yield number, sentence.text
            return
    for item in group.items:
        if isinstance(item, Group):
            yield from _statements(item)
        elif not item.quoted:
            raise AnswerError("the sentences of its list are not in quotes")
        elif item.text.strip():
            yield None, item.text


def _key_value_lines(text: str) -> Iterator[Sequence[str]]:
    """The triples of lines like "Subject: x", three lines for each."""
    slots: dict[int, str] = {}
    for line in text.splitlines():
        match = KEY_VALUE.fullmatch(BULLET.sub("", line + " ", count=1).strip())
        if match is None or match["key"].lower() not in KEYS:
            continue
        slot = KEYS[match["key"].lower()]
        if slot in slots:
            raise AnswerError(f"{shown(line)} comes twice in a triple")
        slots[slot] = _unquoted(match["value"])
        if len(slots) == 3:
            yield [slots[number] for number in range(3)]
            slots = {}
    if slots:
        raise AnswerError("its last triple breaks off")


def _separated_lines(text: str) -> Iterator[Sequence[str]]:
    """The triples of lines with a separator (bar, tab, arrow, dash or semicolon). A table's header is skipped."""
    lines = text.splitlines()
    rules = [place for place, line in enumerate(lines) if line.strip() and "-" in line and TABLE_RULE.fullmatch(line)]
    if rules:
        lines = lines[rules[0] + 1 :]
    for separator in SEPARATORS:
        rows = [line for line in lines if separator in line and not TABLE_RULE.fullmatch(line)]
        if not rows:
            continue
        for line in rows:
            content = BULLET.sub("", line.strip(), count=1).strip("|" if separator == "|" else " ")
            parts = [_unquoted(part.strip()) for part in content.split(separator)]
            if len(parts) != 3 and not (len(parts) == 4 and _number(parts[0]) is not None):
                raise AnswerError(f"{shown(line)} has {len(parts)} parts instead of three")
            yield parts
        return


def _unquoted(text: str) -> str:
    text = text.strip().rstrip(",").strip()
    if len(text) > 1 and text[0] in QUOTES and text[-1] in (QUOTES[text[0]], text[0]):
        return text[1:-1].strip()
    return text
