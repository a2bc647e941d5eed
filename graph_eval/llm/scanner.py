"""Scans brackets, quotes and commas as models write them: JSON, Python, or close to it. Nothing is evaluated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

MAX_DEPTH = 20  # of nested brackets
CLOSING = {"[": "]", "(": ")", "{": "}"}
QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "`": "`"}
BULLET = re.compile(r"\s*(?:[-*•–]|\(?\d{1,3}[.):]|\(?[a-z][.)])\s+")


class AnswerError(ValueError):
    """An answer that cannot be parsed. The message is also sent to the model, in the repair prompt."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text inside a list. `quoted`: it was in quotes, so its end is certain."""

    text: str
    quoted: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """A bracketed list, or an object as its keys and values (`pairs`). `start` and `end`: offsets in the answer."""

    items: tuple[Any, ...]
    start: int
    end: int
    bracket: str
    pairs: tuple[tuple[str, Any], ...] = ()

    @property
    def quoted(self) -> bool:
        """Whether it has keys, or a quoted text at any depth."""
        values = [*self.items, *(value for _, value in self.pairs)]
        return bool(self.pairs) or any(value.quoted for value in values)


class Pairs(tuple[tuple[str, Any], ...]):
    """The keys and values of an object, also where a key comes twice."""


def top_groups(text: str) -> list[Group]:
    """The outermost bracketed lists, without brackets that belong to prose. Raises AnswerError for broken ones."""
    try:
        value = json.loads(text, parse_int=str, parse_float=str, object_pairs_hook=Pairs)
        if isinstance(value, list | Pairs):
            return [replace(_of_json(value), end=len(text))]
    except (ValueError, RecursionError):
        pass
    groups = list(Scanner(text).groups())
    if quoted := [group for group in groups if group.quoted]:
        return quoted
    # Without quotes, brackets may be prose. A list starts its line or follows another list.
    lists, end = [], 0
    for group in groups:
        before = text[max(end, text.rfind("\n", 0, group.start) + 1) : group.start]
        if not BULLET.sub("", before + " ", count=1).strip(" ,;\t"):
            lists.append(group)
            end = group.end
    return lists


def _of_json(value: Any, depth: int = 0) -> Any:
    if depth > MAX_DEPTH:
        raise AnswerError("its brackets are nested too deep")
    if isinstance(value, list):
        return Group(tuple(_of_json(item, depth + 1) for item in value), 0, 0, "[")
    if isinstance(value, Pairs):
        return Group((), 0, 0, "{", tuple((key, _of_json(item, depth + 1)) for key, item in value))
    if value is None:
        return Scalar("")
    return Scalar(value if isinstance(value, str) else str(value).lower())


class Scanner:
    """A tolerant scanner of bracketed lists: quotes and commas may be missing or misplaced."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def groups(self) -> Iterator[Group]:
        """Every outermost group, in order."""
        while (opening := re.compile(r"[\[({]").search(self.text, self.place)) is not None:
            self.place = opening.start()
            yield self.group(0)

    def group(self, depth: int) -> Group:
        """The group that starts at the current place. `depth`: the number of groups around it."""
        if depth > MAX_DEPTH:
            raise AnswerError("its brackets are nested too deep")
        start, bracket = self.place, self.text[self.place]
        closing = CLOSING[bracket]
        self.place += 1
        items: list[Any] = []
        pairs: list[tuple[str, Any]] = []
        separated = True  # whether a comma, or the opening bracket, precedes the next item
        while True:
            self.blanks()
            if self.place >= len(self.text):
                whole = all(isinstance(item, Group) for item in items) and (not pairs or pairs[-1][1].quoted)
                if depth == 0 and (items or pairs) and whole and separated is False:
                    break  # only the very last bracket is missing
                raise AnswerError("its list breaks off")
            character = self.text[self.place]
            if character == closing:
                self.place += 1
                break
            if character in ",;":
                if separated and items and bracket != "{":
                    items.append(Scalar(""))
                separated = True
                self.place += 1
                continue
            if character in "])}":
                raise AnswerError(f"its brackets do not match near {shown(self.text[start : self.place + 1])}")
            value = self.value(depth, closing)
            self.blanks()
            if bracket == "{" and isinstance(value, Scalar) and self.text[self.place : self.place + 1] in (":", "="):
                self.place += 1
                self.blanks()
                pairs.append((value.text, self.value(depth, closing)))
            else:
                items.append(value)
            separated = False
        return Group(tuple(items), start, self.place, bracket, tuple(pairs))

    def value(self, depth: int, closing: str) -> Any:
        """The Group or Scalar at the current place. `closing`: the closing bracket of the group around it."""
        character = self.text[self.place : self.place + 1]
        if character in CLOSING:
            return self.group(depth + 1)
        if character in QUOTES and (quoted := self.quoted(character)) is not None:
            return quoted
        return self.bare(closing)

    def quoted(self, opening: str) -> Scalar | None:
        """A quoted text. It ends at a quote that a comma, a bracket, a colon, a line break or the end follows."""
        closers = {QUOTES[opening], opening} if opening in "“‘„«" else {opening}
        place, characters = self.place + 1, []
        while place < len(self.text):
            character = self.text[place]
            if character == "\\" and place + 1 < len(self.text):
                length, piece = _escaped(self.text, place)
                characters.append(piece)
                place += length
            elif character in closers and re.compile(r"\s*(?:[,;:\])}]|\Z|\n)").match(self.text, place + 1):
                self.place = place + 1
                return Scalar("".join(characters))
            else:
                characters.append(character)
                place += 1
        raise AnswerError("a text in its list breaks off")

    def bare(self, closing: str) -> Scalar:
        """A text without quotes: up to the group's end, or a comma outside of brackets and numbers (1,000)."""
        start, depth = self.place, 0
        while self.place < len(self.text):
            character = self.text[self.place]
            if character in CLOSING:
                depth += 1
            elif depth and character in "])}":
                depth -= 1
            elif depth == 0 and (
                character in "])};\n"
                or (character == "," and not self._thousands())
                or (character in ":=" and closing == "}")
            ):
                break
            self.place += 1
        return Scalar(self.text[start : self.place].strip(), quoted=False)

    def _thousands(self) -> bool:
        before, after = self.text[self.place - 1 : self.place], self.text[self.place + 1 : self.place + 5]
        return before.isdigit() and re.match(r"\d{3}(?!\d)", after) is not None

    def blanks(self) -> None:
        """Skips white space."""
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1


ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": ""}


def _escaped(text: str, place: int) -> tuple[int, str]:
    """The length of the escape sequence at `place`, and its text."""
    letter = text[place + 1]
    if letter == "u" and (digits := re.compile(r"[0-9a-fA-F]{4}").match(text, place + 2)):
        code = int(digits[0], 16)
        return 6, "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)
    return 2, ESCAPES.get(letter, letter)


def shown(text: str) -> str:
    """A text as an error message quotes it: one line, at most 80 characters."""
    text = " ".join(text.split())
    return repr(text if len(text) <= 80 else text[:80] + "…")
