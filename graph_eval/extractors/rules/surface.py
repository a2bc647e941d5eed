"""A sentence as the parser reads it, with the offsets of its characters in the response.

Markdown marks, citations and acronyms in brackets are dropped and white space is collapsed. A quoted title becomes
one name, so that the words inside it are not parsed as clauses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph_eval.text.normalise import CITATION
from graph_eval.types import Span

DROPPED = re.compile(
    rf"\*+|_{{2,}}|#+\s|(?<![\w#])#{{2,}}(?=\w)|[\u200b\ufeff]|\[\d+(?:,\s*\d+)*\]|{CITATION.pattern}"
    r"|\s?\(\s?(?:(?:see|from|in|as per|according to)\s+)?(?:the\s+)?(?:passages?|documents?|sources?|context)"
    r"(?:[\s,\d&#–-]|and|to|passages?|documents?|sources?|steps?|tips?)*\)"
    r"|\s?\((?-i:[A-Z]{2,6}s?)\)"
    r"|\s?\((?-i:(?!(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)[A-Z])"
    r"[\w.&’' ;,-]*?(?:,? et al\.)?,? (?:(?:19|20)\d\d[a-z]?|(?:p\.|pp\.|page|pages|section|sec\.|§) ?\d[\d.–-]*)\)"
    r"|\s?\[(?-i:[A-Z])[^\]\n]{1,60}?,? (?:p\.|pp\.|page|pages|section|sec\.|chapter|ch\.|§) ?\d[\d.–-]*\]",
    re.IGNORECASE,
)
INNER_BRACKET = re.compile(r"(?<=\d\d)\([a-z]\)")  # of a name: "401(k)"
QUOTED = re.compile(r'"([^"]{2,80})"|“([^”]{2,80})”|`([^`]{2,80})`')
BUTTON = re.compile(  # the words of a button without quotation marks: "tap Edit Address"
    r"(?:^|(?<=[,:.] )|(?<=\band )|(?<=\bthen )|(?<=\bto )|(?<=\bcan ))(?i:select|click|click on|choose|press|tap)\s+"
    r"([A-Z][\w'’-]*(?:\s+(?:(?:to|of|for|&|in|a|an|the)\s+)?[A-Z][\w'’-]*){1,4})(?=[\s.,;:)]|$)"
)
LABEL = re.compile(  # what stands in front of the words of a button, of a field, or of a question
    r"\b(?:select|selects|selecting|click|clicks|clicking|click on|clicking on|choose|choosing|press|pressing|tap"
    r"|tapping|hit|open|check|type|enter|labell?ed|marked|named|called|titled|option|button|menu|tab|question|field|word|term)"
    r"[,:]?\s*$",
    re.IGNORECASE,
)
TITLE = "Casablanca"  # a one-word title that taggers reliably tag as a name


@dataclass(frozen=True, slots=True)
class Surface:
    """`offsets[i]` is the offset in the response of character i of `text`."""

    text: str
    offsets: tuple[int, ...]

    def span(self, start: int, end: int) -> Span:
        """The span in the response behind characters [start, end) of the surface text."""
        return Span(self.offsets[start], self.offsets[end - 1] + 1)


def surface(response: str, span: Span) -> Surface:
    """The sentence at `span` of the response. Its text is empty if nothing is left to parse."""
    dropped = {
        index
        for match in DROPPED.finditer(response, span.start, span.end)
        for index in range(match.start(), match.end())
    }
    ends: dict[int, int] = {}  # offset of a character -> that of the end of the bracket behind it, part of the word
    for match in INNER_BRACKET.finditer(response, span.start, span.end):
        dropped |= set(range(match.start(), match.end()))
        ends[match.start() - 1] = match.end() - 1
    characters: list[str] = []
    offsets: list[int] = []
    for index in range(span.start, span.end):
        if index in dropped:
            continue
        character = response[index]
        if character.isspace():
            if not characters or characters[-1] == " ":
                continue
            character = " "
        characters.append(character)
        offsets.append(ends.get(index, index))
    while characters and characters[-1] == " ":
        characters.pop()
        offsets.pop()
    return _titles(Surface("".join(characters), tuple(offsets)))


def is_citation(text: str) -> bool:
    """Whether the text is nothing but citations."""
    return not any(map(str.isalnum, DROPPED.sub("", text)))


def _titles(plain: Surface) -> Surface:
    text, offsets = plain.text, list(plain.offsets)
    for match in reversed(list(QUOTED.finditer(text))):
        code = match[3]
        if code and code.isalnum():  # only its marks are dropped
            text = text[: match.start()] + code + text[match.end() :]
            del offsets[match.end() - 1], offsets[match.start()]
            continue
        quoted = (code or match[1] or match[2]).strip()
        if not quoted or not (code or _is_title(quoted) or LABEL.search(text, 0, match.start())):
            continue
        text = _entitled(text, offsets, match.span(), quoted[-1] if quoted[-1] in ".,;" else "")
    for match in reversed(list(BUTTON.finditer(text))):
        text = _entitled(text, offsets, match.span(1))
    return Surface(text, tuple(offsets))


def _entitled(text: str, offsets: list[int], place: tuple[int, int], mark: str = "") -> str:
    """The text with a title, and a mark behind it, for the characters at the place. `offsets` are changed with it."""
    start, end = place
    offsets[start:end] = [offsets[start]] * (len(TITLE) - 1) + [offsets[end - 1]] * (1 + len(mark))
    return text[:start] + TITLE + mark + text[end:]


def _is_title(quoted: str) -> bool:
    parts = quoted.split()
    capitals = sum(part[:1].isupper() for part in parts)
    return 2 <= len(parts) <= 12 and parts[0][:1].isupper() and 2 * capitals >= len(parts) and not quoted.endswith("?")
