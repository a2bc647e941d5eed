"""Parses answers of models: lists of triples, lists of sentences, labels by id, one label. Nothing is evaluated.

Models that are asked for JSON also return Python lists, tuples with and without quotes, smart quotes, trailing commas,
several triples on a line, one triple on several lines, tables, "subject: ..." lines, and prose around all of these. An
answer that has only one interpretation is parsed; any other raises AnswerError with the reason. A list that is cut off
is refused, because its remaining entries are lost.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_eval.llm.scanner import BULLET, QUOTES, AnswerError, Group, Scalar, shown, top_groups
from graph_eval.types import Label

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
LABEL_KEYS = ("label", "verdict", "answer", "judgement", "judgment", "result", "prediction")
ID_KEYS = ("id", "claim_id", "claim", "claimid")
KEY_VALUE = re.compile(r"[\s*_\"'`]*(?P<key>[A-Za-z]+\d?)[\s*_\"'`]*[:=][\s*_]*(?P<value>.*?)\s*,?\s*")
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
_LABELS = "|".join(sorted(LABELS, key=len)[::-1])
_NOT = r"(?:\b(?:not|neither|nor|no|isn['’]t)|n['’]t)\W{1,3}"
# A label, with what negates it: "not supported", "does not support or contradict".
LABEL = re.compile(
    rf"(?P<not>{_NOT}(?:\w+\W{{1,3}})?(?P<pair>\b(?:{_LABELS})\W{{1,3}}(?:or|nor)\W{{1,3}})?)?\b(?P<label>{_LABELS})\b",
    re.IGNORECASE,
)
# A text that begins with its label: alone, or before a reason. Never "Entailment or Neutral", never "Entailment?".
HEAD = re.compile(
    rf"[^\w\n]{{0,9}}(?P<not>not\W{{1,3}})?(?P<label>{_LABELS})\b"
    rf"(?=[^\w?]{{0,9}}\Z|[\s*_\"'`)\]]{{0,5}}(?:[.:;!(–—\n-]|,(?!\W{{0,3}}(?:{_LABELS})\b)|(?:because|since|as|for|given)\b))"
    rf"(?!\W{{0,9}}(?:or|and|nor|vs|versus)\b)",
    re.IGNORECASE,
)
NOUN = re.compile(
    rf"(?P<not>(?:{_NOT}|\b(?:than|of)\W{{1,3}})(?:an?\W{{1,3}})?)?\b(?P<label>entailment|contradiction|neutral)\b",
    re.IGNORECASE,
)
CONTRAST = re.compile(
    r"\b(?:however|but|although|though|yet|actually|still|wait|on (?:second thought|reflection))\b", re.IGNORECASE
)
CONCLUSION = re.compile(
    r"^[^\w\n]{0,9}(?:(?:so|therefore|thus|hence),?\s{1,3})?(?:the\s{1,3})?(?:final\s{1,3}|correct\s{1,3})?"
    r"(?:label|answer|verdict|judge?ment|conclusion)\b[^\w\n]{0,5}(?:[:=]|\b(?:is|would be)\b)[^\w\n]{0,5}",
    re.IGNORECASE | re.MULTILINE,
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
DELIBERATION = re.compile(
    r"\?|^\W{0,9}(?:is|are|does|do|did|was|has)\b|\b(?:check|whether|if|let|first|next|consider|could|might|would|may|maybe|perhaps|possibl[ey]|seems?|test)\b",
    re.IGNORECASE,
)
NEGATION = re.compile(
    r"n['’]t\b|\b(?:not|neither|no|none|nothing|never|cannot|fails?|failed|lacks?|without|hardly|partially|partly)\b",
    re.IGNORECASE,
)
REASON_KEYS = ("reason", "reasoning", "explanation", "rationale", "justification", "why")
LONGEST_REASON = 300  # characters


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


@dataclass(frozen=True, slots=True)
class Verdict:
    """The label of a claim.

    `passage`: the id of the deciding passage, as the model writes it. `start`: the offset of the label in the answer,
    if it is certain. `reason`: the model's, in one line.
    """

    label: Label
    passage: str | None = None
    start: int | None = None
    reason: str | None = None


def verdicts(answer: str, ids: Sequence[str]) -> tuple[dict[str, Verdict], dict[str, str]]:
    """The verdicts by claim id, and by id what is wrong: no label, two labels, or an id that is not in `ids`.

    Labels are never matched by position. Raises AnswerError for an answer without any id.
    """
    text = body(answer)
    verdicts_by_id: dict[str, Verdict] = {}
    problems: dict[str, str] = {}
    entries = [entry for group in top_groups(text) for entry in _labelled(group)] or list(_labelled_lines(text, ids))
    if not entries:
        raise AnswerError("it names no claim by its id")
    position = 0
    for name, phrase, passage in entries:
        identity = name.strip().lower()
        if identity not in ids:
            problems[identity] = f"{name} is no id of a claim"
            continue
        try:
            verdict_label = read_label(phrase)
        except AnswerError as problem:
            problems[identity] = f"{identity}: {problem}"
            continue
        place = answer.find(phrase, max(answer.find(name, position), 0))
        position = max(position, place)
        match = LABEL.search(phrase)
        verdict = Verdict(verdict_label, passage, place + match.start("label") if place >= 0 and match else None)
        if identity in verdicts_by_id and verdicts_by_id[identity].label is not verdict_label:
            problems[identity] = f"{identity} has two labels"
        verdicts_by_id.setdefault(identity, verdict)
    for identity in ids:
        if identity not in verdicts_by_id and identity not in problems:
            problems[identity] = f"{identity} has no label"
    return {identity: verdict for identity, verdict in verdicts_by_id.items() if identity not in problems}, problems


def label(answer: str) -> Verdict:
    """The label of an answer about one claim, with its reason. Raises AnswerError for no label, or several.

    A label counts where it is the answer: the value of a key, what follows "Label:", the first or the last sentence.
    One that is named on the way to the answer does not.
    """
    text = body(answer)
    pairs = [pair for group in top_groups(text) for pair in group.pairs]
    if found := _values(pairs, LABEL_KEYS):
        named = set(map(read_label, found))
        if len(named) > 1:
            raise AnswerError("it gives several labels")
        place = _place(answer, found[-1], rf"\b(?:{'|'.join(LABEL_KEYS)})\W{{1,9}}")
        return Verdict(named.pop(), None, place, _reason((_values(pairs, REASON_KEYS) or [""])[-1]))
    if conclusions := list(CONCLUSION.finditer(text)):
        start = conclusions[-1].end()
        part = text[start:].partition("\n")[0]
        if LABEL.search(part):
            rest = text[: conclusions[-1].start()] + " " + text[start + len(part) :]
            return Verdict(read_label(part), None, _place(answer, part), _reason(_after(part) or rest))
    part = _answering(text)
    rest = text[len(part) :] if text.startswith(part) else text.removesuffix(part)
    return Verdict(read_label(part), None, _place(answer, part), _reason(_after(part) or rest))


def _values(pairs: Sequence[tuple[str, Any]], names: Sequence[str]) -> list[str]:
    """All texts under the first of these keys that the objects have."""
    for name in names:
        if found := [value.text for key, value in pairs if key.lower() == name and isinstance(value, Scalar)]:
            return found
    return []


def _answering(text: str) -> str:
    """The sentence that gives the label: the first or the last one. Raises AnswerError for none, or two that differ."""
    parts = [part for part in SENTENCE_END.split(text) if part and re.search(r"\w", part)]
    ends = list(dict.fromkeys([*parts[:1], *parts[-1:]]))
    for certain in (True, False):
        found = [part for part in ends if _answers(part, certain)]
        if not found:
            continue
        if len({read_label(part) for part in found}) > 1:
            raise AnswerError(f"{shown(text)} names several labels")
        if found[0] is ends[0] and (other := _other_label(text, read_label(found[0]))) and len(found) == 1:
            raise AnswerError(f"{shown(text)} names {other} as well")
        return found[0]
    raise AnswerError("it does not end with one of the labels Entailment, Neutral, Contradiction")


def _answers(part: str, certain: bool) -> bool:
    """Whether a sentence gives a label. `certain`: it begins with it."""
    if certain:
        return HEAD.match(part) is not None
    if DELIBERATION.search(part):
        return False
    # Of "cannot be entailed" or "none supports it" nobody can say which label is meant: the model is asked again.
    understood = sum(match["not"] is not None for match in LABEL.finditer(part))
    if len(NEGATION.findall(part)) > understood:
        return False
    return _affirms(part) or len(_labels(part)) == 1


def _other_label(text: str, own: Label) -> Label | None:
    """Another label that the text names, and does not exclude: as a noun, or in any form behind "however"."""
    named = [LABELS[match["label"].lower()] for match in NOUN.finditer(text) if not match["not"]]
    if contrast := CONTRAST.search(text):
        behind = LABEL.finditer(text, contrast.end())
        named += [LABELS[match["label"].lower()] for match in behind if not match["not"]]
    return next((other for other in named if other is not own), None)


def _labels(text: str) -> set[Label]:
    return {named for match in LABEL.finditer(text) if (named := _named(match)) is not None}


def _named(match: re.Match[str]) -> Label | None:
    """The label that a match of LABEL or HEAD names. What is not supported is Neutral; what is not contradicted may be
    anything."""
    named = LABELS[match["label"].lower()]
    if not match["not"]:
        return named
    return Label.NEUTRAL if named is Label.ENTAILMENT or match.groupdict().get("pair") else None


def _affirms(text: str) -> bool:
    return text.strip().lower().strip(".!") in ("yes", "true")


def read_label(text: str) -> Label:
    """The label that a phrase begins with, or else names; "not supported" is Neutral. Raises AnswerError for none or
    several."""
    if _affirms(text):
        return Label.ENTAILMENT
    head = HEAD.match(text)
    if head and (named := _named(head)) is not None:
        return named
    labels = _labels(text)
    if len(labels) != 1:
        raise AnswerError(f"{shown(text)} names {'several labels' if labels else 'no label'}")
    return labels.pop()


def _after(part: str) -> str:
    """What stands behind the label that a sentence begins with."""
    head = HEAD.match(part)
    return part[head.end() :].strip(" .:;,!–—-*_") if head else ""


def _reason(text: str) -> str | None:
    """A reason as one line of limited length. A single word is none: words of ours ("verbatim") name other reasons."""
    line = " ".join(text.split()).strip(" *_-")
    if len(re.findall(r"\w+", line)) < 2:
        return None
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"


def body(answer: str) -> str:
    """The fenced code of an answer where it has any that is not empty, else the answer."""
    code = [match[1].strip() for match in CODE_BLOCK.finditer(answer) if match[1].strip()]
    return "\n".join(code) if code else answer.strip()


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
        fields = dict(value.pairs)
        labels = [fields[name] for name in LABEL_KEYS if isinstance(fields.get(name), Scalar)]
        if labels and not any(name in fields for name in ID_KEYS):
            passage = fields.get("passage")
            yield key, labels[0].text, passage.text or None if isinstance(passage, Scalar) else None
        else:
            yield from _labelled(value)
    scalars = [item for item in group.items if isinstance(item, Scalar)]
    if len(scalars) == 2 == len(group.items) and re.fullmatch(r"\s*c\d+\s*", scalars[0].text, re.IGNORECASE):
        yield scalars[0].text, scalars[1].text, None
        return
    for item in group.items:
        if isinstance(item, Group):
            yield from _labelled(item)


def _labelled_lines(text: str, ids: Sequence[str]) -> Iterator[tuple[str, str, str | None]]:
    """(id, label, None) of lines that begin with an id: "c1: Entailment", "- **Claim c2** – Neutral"."""
    line = re.compile(r"[\W_]*(?:claim\s+)?(?P<id>c\d+)\b[\W_]*(?P<label>.*)", re.IGNORECASE)
    for piece in re.split(r"[\n;]|,\s*(?=\W*c\d)", text):
        if (match := line.match(piece)) and (match["label"].strip() or match["id"].lower() in ids):
            yield match["id"], match["label"], None


def _unquoted(text: str) -> str:
    text = text.strip().rstrip(",").strip()
    if len(text) > 1 and text[0] in QUOTES and text[-1] in (QUOTES[text[0]], text[0]):
        return text[1:-1].strip()
    return text


def _place(answer: str, part: str, before: str = "") -> int | None:
    """The offset in the whole answer of the label in this part. None if the part, behind `before`, is not the only one.

    `before`: a pattern.
    """
    found = list(re.finditer(before + re.escape(part), answer, re.IGNORECASE))
    match = LABEL.search(part)
    return found[0].end() - len(part) + match.start("label") if len(found) == 1 and match else None


def probabilities(tokens: Sequence[Any], start: int | None) -> Mapping[Label, float] | None:
    """The probability of each label, from the alternatives to the token at offset `start` of the answer.

    None without tokens, or if no alternative belongs to a label. A token counts for the label whose name it begins;
    tokens of no label are left out, and the rest is normalised to a sum of 1.
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
        labels = {value for name, value in LABELS.items() if piece and (name.startswith(piece) or piece == name)}
        if len(labels) == 1:
            mass[labels.pop()] += math.exp(logprob)
    total = sum(mass.values())
    return {name: value / total for name, value in mass.items()} if total > 0 else None
