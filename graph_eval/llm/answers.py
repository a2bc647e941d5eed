"""Reads what models answer: lists of triples, lists of sentences, labels by id, one label. Nothing is evaluated.

Models were asked for JSON and give much else: Python lists, tuples with and without quotes, smart quotes, trailing
commas, several triples on a line, one on several lines, tables, "subject: ..." lines, prose around all of it. What can
be read in one way only is read; everything else raises AnswerError with its reason. A list that breaks off is refused:
what it would have held is lost.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_eval.types import Label

Triple = tuple[str, str, str]

DEEPEST = 20  # brackets inside each other
CLOSING = {"[": "]", "(": ")", "{": "}"}
QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "`": "`"}
THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
UNFINISHED_THOUGHT = re.compile(r"<think(?:ing)?>(?!.*</think)", re.DOTALL | re.IGNORECASE)
CODE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)
NOTHING = re.compile(
    r"\W*(?:none|n/a|null|nothing|empty|no (?:triples|triplets|claims|sentences|statements|facts)(?: found)?)\W*",
    re.IGNORECASE,
)
BULLET = re.compile(r"\s*(?:[-*•–]|\(?\d{1,3}[.):]|\(?[a-z][.)])\s+")
RULE = re.compile(r"[\s|:+-]*")  # the line below a table's head
SEPARATORS = ("|", "\t", " -> ", " → ", " – ", " — ", "; ", ";")
KEYS = {
    **dict.fromkeys(("subject", "head", "subj", "s", "entity1", "source", "entity"), 0),
    **dict.fromkeys(("predicate", "relation", "relationship", "verb", "p", "pred", "property", "rel"), 1),
    **dict.fromkeys(("object", "tail", "obj", "o", "entity2", "target", "value"), 2),
}
SENTENCE_KEYS = ("sentence", "claim", "text", "statement", "subsentence", "fact")
LABEL_KEYS = ("label", "verdict", "answer", "judgement", "judgment", "result", "prediction")
ID_KEYS = ("id", "claim_id", "claim", "claimid")
NAMED = re.compile(r"[\s*_\"'`]*(?P<key>[A-Za-z]+\d?)[\s*_\"'`]*[:=][\s*_]*(?P<value>.*?)\s*,?\s*")
LABELS = {
    **dict.fromkeys(
        ("entailment", "entailed", "entails", "entail", "supported", "supports", "support"), Label.ENTAILMENT
    ),
    **dict.fromkeys(
        ("contradiction", "contradicted", "contradicts", "contradictory", "contradict", "refuted", "refutes"),
        Label.CONTRADICTION,
    ),
    **dict.fromkeys(("neutral", "unsupported", "unverifiable", "unknown"), Label.NEUTRAL),
}
LABEL = re.compile(
    r"\b(?P<not>(?:not|neither|no|isn['’]t|n['’]t)\W+(?:\w+\W+)?)?(?P<label>"
    + "|".join(sorted(LABELS, key=len)[::-1])
    + r")\b",
    re.IGNORECASE,
)
CONCLUSION = re.compile(
    r"(?:^|\n)\W*(?:final\s+)?(?:label|answer|verdict|judge?ment|conclusion)\W*(?:is\W+)?[:=]", re.IGNORECASE
)


class AnswerError(ValueError):
    """Why an answer cannot be read, in words that the model may be told."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text inside a list. `quoted`: it stood in quotes, so where it ends is certain."""

    text: str
    quoted: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """A bracketed list, or an object as its keys and values; `start` and `end` in the answer."""

    items: tuple[Any, ...]
    start: int
    end: int
    bracket: str
    pairs: tuple[tuple[str, Any], ...] = ()

    @property
    def quoted(self) -> bool:
        """Whether something in it is quoted."""
        inner = [*self.items, *(value for _, value in self.pairs)]
        return bool(self.pairs) or any(item.quoted for item in inner)


def triples(answer: str) -> list[Triple]:
    """The triples of an answer, in order. Raises AnswerError.

    An object may be empty ("she, resigned, "); subject and predicate may not.
    """
    text = body(answer)
    groups = top_groups(text)
    if groups:
        return [checked(triple) for group in groups for triple in _triples(group)]
    found = list(_named_lines(text)) or list(_separated_lines(text))
    if not found and not NOTHING.fullmatch(text):
        raise AnswerError("it holds no list of triples")
    return [checked(triple) for triple in found]


def statements(answer: str) -> list[str]:
    """The sentences of an answer, in order. Raises AnswerError."""
    text = body(answer)
    groups = [group for group in top_groups(text) if group.bracket != "("]
    if groups:
        return [sentence for group in groups for sentence in _statements(group)]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    marked = [line for line in lines if BULLET.match(line)]
    if marked:
        return [_unquoted(BULLET.sub("", line, count=1)) for line in marked]
    if NOTHING.fullmatch(text):
        return []
    if quoted := [line for line in lines if _unquoted(line) != line]:
        return [_unquoted(line) for line in quoted]
    raise AnswerError("it holds no list of sentences")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The label of a claim. `passage`: the id of the passage that decides, as the model names it. `start`: where the
    label stands in the answer, if it can be told."""

    label: Label
    passage: str | None = None
    start: int | None = None


def verdicts(answer: str, wanted: Sequence[str]) -> tuple[dict[str, Verdict], dict[str, str]]:
    """The verdicts by claim id, and what is wrong with others: ids without a verdict, with two, or never asked for.

    Nothing is matched by position. Raises AnswerError for an answer without any id.
    """
    text = body(answer)
    found: dict[str, Verdict] = {}
    problems: dict[str, str] = {}
    pairs = [pair for group in top_groups(text) for pair in _labelled(group)] or list(_labelled_lines(text, wanted))
    if not pairs:
        raise AnswerError("it names no claim by its id")
    position = 0
    for name, said, passage in pairs:
        identity = name.strip().lower()
        if identity not in wanted:
            problems[identity] = f"{name} is no id of a claim"
            continue
        try:
            verdict_label = read_label(said)
        except AnswerError as problem:
            problems[identity] = f"{identity}: {problem}"
            continue
        place = answer.find(said, max(answer.find(name, position), 0))
        position = max(position, place)
        named = LABEL.search(said)
        verdict = Verdict(verdict_label, passage, place + named.start("label") if place >= 0 and named else None)
        if identity in found and found[identity].label is not verdict_label:
            problems[identity] = f"{identity} has two labels"
        found.setdefault(identity, verdict)
    for identity in wanted:
        if identity not in found and identity not in problems:
            problems[identity] = f"{identity} has no label"
    return {identity: verdict for identity, verdict in found.items() if identity not in problems}, problems


def label(answer: str) -> Verdict:
    """The one label that an answer gives. Raises AnswerError where there is none, or more than one."""
    text = body(answer)
    for group in top_groups(text):
        for key, value in group.pairs:
            if key.lower() in LABEL_KEYS and isinstance(value, Scalar):
                return Verdict(read_label(value.text), None, _place(answer, value.text))
    first = text.splitlines()[0] if text else ""
    concluded = list(CONCLUSION.finditer(text))
    for part in (text[concluded[-1].end() :] if concluded else "", first, text):
        if LABEL.search(part):
            return Verdict(read_label(part), None, _place(answer, part))
    raise AnswerError("it names none of the labels Entailment, Neutral, Contradiction")


def read_label(text: str) -> Label:
    """The label that a phrase names; "not supported" is Neutral. Raises AnswerError for none or several."""
    if text.strip().lower() in ("yes", "true"):
        return Label.ENTAILMENT
    found = {Label.NEUTRAL if match["not"] else LABELS[match["label"].lower()] for match in LABEL.finditer(text)}
    if len(found) != 1:
        raise AnswerError(f"{_shown(text)} names {'several labels' if found else 'no label'}")
    return found.pop()


def body(answer: str) -> str:
    """The answer without a model's thoughts; of fenced code only what is inside, if it holds anything."""
    text = THOUGHTS.sub("", answer)
    if UNFINISHED_THOUGHT.search(text):
        raise AnswerError("it breaks off while the model still thinks")
    code = [match[1].strip() for match in CODE.finditer(text) if match[1].strip()]
    return "\n".join(code) if code else text.strip()


def checked(triple: Sequence[str]) -> Triple:
    subject, predicate, obj = (" ".join(part.split()) for part in triple)
    if not subject or not predicate:
        raise AnswerError(f"the triple {_shown(str(tuple(triple)))} lacks its {'predicate' if subject else 'subject'}")
    return subject, predicate, obj


def top_groups(text: str) -> list[Group]:
    """The outermost bracketed lists; those that are only brackets in prose are left out."""
    try:
        value = json.loads(text, parse_int=str, parse_float=str)
        if isinstance(value, list | dict):
            return [_of_json(value)]
    except (ValueError, RecursionError):
        pass
    found = list(Scanner(text).groups())
    certain = [group for group in found if group.quoted]
    if certain:
        return certain
    # Without quotes, brackets may be prose: a list begins its line, or follows another list.
    lists, end = [], 0
    for group in found:
        before = text[max(end, text.rfind("\n", 0, group.start) + 1) : group.start]
        if not BULLET.sub("", before + " ", count=1).strip(" ,;\t"):
            lists.append(group)
            end = group.end
    return lists


def _of_json(value: Any, depth: int = 0) -> Any:
    if depth > DEEPEST:
        raise AnswerError("its brackets are nested too deep")
    if isinstance(value, list):
        return Group(tuple(_of_json(item, depth + 1) for item in value), 0, 0, "[")
    if isinstance(value, dict):
        return Group((), 0, 0, "{", tuple((key, _of_json(item, depth + 1)) for key, item in value.items()))
    if value is None:
        return Scalar("")
    return Scalar(value if isinstance(value, str) else str(value).lower())


class Scanner:
    """Reads bracketed lists as a patient person would."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def groups(self) -> Iterator[Group]:
        while (found := re.compile(r"[\[({]").search(self.text, self.place)) is not None:
            self.place = found.start()
            yield self.group(0)

    def group(self, depth: int) -> Group:
        if depth > DEEPEST:
            raise AnswerError("its brackets are nested too deep")
        start, bracket = self.place, self.text[self.place]
        closing = CLOSING[bracket]
        self.place += 1
        items: list[Any] = []
        pairs: list[tuple[str, Any]] = []
        separated = True  # whether a comma (or nothing) stands before the next item
        while True:
            self.blanks()
            if self.place >= len(self.text):
                if depth == 0 and items and all(isinstance(item, Group) for item in items) and separated is False:
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
                raise AnswerError(f"its brackets do not match near {_shown(self.text[start : self.place + 1])}")
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
        character = self.text[self.place : self.place + 1]
        if character in CLOSING:
            return self.group(depth + 1)
        if character in QUOTES and (quoted := self.quoted(character)) is not None:
            return quoted
        return self.bare(closing)

    def quoted(self, opening: str) -> Scalar | None:
        """A quoted text: its end is a quote with a comma, a bracket, a colon or the end behind it."""
        closers = {QUOTES[opening], opening} if opening in "“‘„«" else {opening}
        place, written = self.place + 1, []
        while place < len(self.text):
            character = self.text[place]
            if character == "\\" and place + 1 < len(self.text):
                taken, piece = _escaped(self.text, place)
                written.append(piece)
                place += taken
            elif character in closers and re.compile(r"\s*(?:[,;:\])}]|\Z|\n)").match(self.text, place + 1):
                self.place = place + 1
                return Scalar("".join(written))
            else:
                written.append(character)
                place += 1
        raise AnswerError("a text in its list breaks off")

    def bare(self, closing: str) -> Scalar:
        """A text without quotes: up to a comma outside of brackets (and of digits: 1,000), or the group's end."""
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
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1


ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": ""}


def _escaped(text: str, place: int) -> tuple[int, str]:
    """How many characters an escape takes, and what it stands for."""
    letter = text[place + 1]
    if letter == "u" and (digits := re.compile(r"[0-9a-fA-F]{4}").match(text, place + 2)):
        code = int(digits[0], 16)
        return 6, "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)
    return 2, ESCAPES.get(letter, letter)


def _triples(group: Group) -> Iterator[Sequence[str]]:
    if group.pairs:
        by_slot = {KEYS[key.lower()]: value for key, value in group.pairs if key.lower() in KEYS}
        if len(by_slot) >= 2 and all(isinstance(value, Scalar) for value in by_slot.values()):
            yield tuple(by_slot[slot].text if slot in by_slot else "" for slot in range(3))
            return
        inner = [value for _, value in group.pairs if isinstance(value, Group)]
        if not inner:
            raise AnswerError(f"an object has the keys {', '.join(key for key, _ in group.pairs)}")
        for value in inner:
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
    if len(slots) != 3:
        raise AnswerError(f"{_shown(', '.join(slots))} has {len(slots)} parts instead of three")
    yield slots


def _is_slot(group: Group) -> bool:
    """Whether a list is no triple but one part of one: ["Optimus"]."""
    return len(group.items) == 1 and isinstance(group.items[0], Scalar) and not group.pairs


def _slot(item: Any) -> str:
    if isinstance(item, Scalar):
        return item.text
    if _is_slot(item):
        return str(item.items[0].text)
    raise AnswerError("a part of a triple is a list itself")


def _statements(group: Group) -> Iterator[str]:
    if group.pairs:
        named = [value for key, value in group.pairs if key.lower() in SENTENCE_KEYS and isinstance(value, Scalar)]
        if named:
            yield from (value.text for value in named if value.text.strip())
            return
        inner = [value for _, value in group.pairs if isinstance(value, Group)]
        if not inner:
            raise AnswerError(f"an object has the keys {', '.join(key for key, _ in group.pairs)}")
        for value in inner:
            yield from _statements(value)
        return
    for item in group.items:
        if isinstance(item, Group):
            yield from _statements(item)
        elif not item.quoted:
            raise AnswerError("the sentences of its list are not in quotes")
        elif item.text.strip():
            yield item.text


def _named_lines(text: str) -> Iterator[Sequence[str]]:
    """Lines like "Subject: x", three a triple."""
    slots: dict[int, str] = {}
    for line in text.splitlines():
        named = NAMED.fullmatch(BULLET.sub("", line + " ", count=1).strip())
        if named is None or named["key"].lower() not in KEYS:
            continue
        slot = KEYS[named["key"].lower()]
        if slot in slots:
            raise AnswerError(f"{_shown(line)} comes twice in a triple")
        slots[slot] = _unquoted(named["value"])
        if len(slots) == 3:
            yield [slots[number] for number in range(3)]
            slots = {}
    if slots:
        raise AnswerError("its last triple breaks off")


def _separated_lines(text: str) -> Iterator[Sequence[str]]:
    """Lines whose parts a bar, a tab, an arrow, a dash or a semicolon separates; a table's head is none."""
    lines = text.splitlines()
    rules = [place for place, line in enumerate(lines) if line.strip() and "-" in line and RULE.fullmatch(line)]
    if rules:
        lines = lines[rules[0] + 1 :]
    for separator in SEPARATORS:
        rows = [line for line in lines if separator in line and not RULE.fullmatch(line)]
        if not rows:
            continue
        for line in rows:
            inner = BULLET.sub("", line.strip(), count=1).strip("|" if separator == "|" else " ")
            parts = [_unquoted(part.strip()) for part in inner.split(separator)]
            if len(parts) != 3:
                raise AnswerError(f"{_shown(line)} has {len(parts)} parts instead of three")
            yield parts
        return


def _labelled(group: Group) -> Iterator[tuple[str, str, str | None]]:
    """(id, label, passage) of {id: label}, {"id": .., "label": ..} and [id, label]."""
    values = {key.lower(): value for key, value in group.pairs}
    names = [values[key] for key in ID_KEYS if isinstance(values.get(key), Scalar)]
    labels = [values[key] for key in LABEL_KEYS if isinstance(values.get(key), Scalar)]
    if names and labels:
        passage = values.get("passage")
        yield names[0].text, labels[0].text, passage.text or None if isinstance(passage, Scalar) else None
        return
    for key, value in group.pairs:
        if isinstance(value, Scalar):
            yield key, value.text, None
            continue
        inner = dict(value.pairs)
        said = [inner[name] for name in LABEL_KEYS if isinstance(inner.get(name), Scalar)]
        if said and not any(name in inner for name in ID_KEYS):
            passage = inner.get("passage")
            yield key, said[0].text, passage.text or None if isinstance(passage, Scalar) else None
        else:
            yield from _labelled(value)
    scalars = [item for item in group.items if isinstance(item, Scalar)]
    if len(scalars) == 2 == len(group.items) and re.fullmatch(r"\s*c\d+\s*", scalars[0].text, re.IGNORECASE):
        yield scalars[0].text, scalars[1].text, None
        return
    for item in group.items:
        if isinstance(item, Group):
            yield from _labelled(item)


def _labelled_lines(text: str, wanted: Sequence[str]) -> Iterator[tuple[str, str, str | None]]:
    """Lines that begin with an id: "c1: Entailment", "- **Claim c2** – Neutral"."""
    line = re.compile(r"[\W_]*(?:claim\s+)?(?P<id>c\d+)\b[\W_]*(?P<label>.*)", re.IGNORECASE)
    for piece in re.split(r"[\n;]|,\s*(?=\W*c\d)", text):
        if (found := line.match(piece)) and (found["label"].strip() or found["id"].lower() in wanted):
            yield found["id"], found["label"], None


def _unquoted(text: str) -> str:
    text = text.strip().rstrip(",").strip()
    if len(text) > 1 and text[0] in QUOTES and text[-1] in (QUOTES[text[0]], text[0]):
        return text[1:-1].strip()
    return text


def _place(answer: str, part: str) -> int | None:
    """Where the label inside this part begins in the whole answer."""
    start = answer.rfind(part)
    found = LABEL.search(part)
    return start + found.start("label") if start >= 0 and found else None


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 80 else text[:80] + "…")


def probabilities(tokens: Sequence[Any], start: int | None) -> Mapping[Label, float] | None:
    """P of each label by the alternatives to the token that stands at `start` of the answer; None without them.

    A token counts for the label whose name it begins; what belongs to no label is left out of the sum.
    """
    if start is None:
        return None
    place = 0
    for token in tokens:
        end = place + len(token.text)
        if end > start:
            break
        place = end
    else:
        return None
    mass = dict.fromkeys((Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION), 0.0)
    options = dict(token.alternatives) or {token.text: token.logprob}
    for text, logprob in options.items():
        piece = re.sub(r"\W", "", text).lower()
        named = {meant for name, meant in LABELS.items() if piece and (name.startswith(piece) or piece == name)}
        if len(named) == 1:
            mass[named.pop()] += math.exp(logprob)
    total = sum(mass.values())
    return {name: value / total for name, value in mass.items()} if total > 0 else None
