"""Reads labels from answers of models: of one claim, or of several claims by their ids.

Models are asked for JSON, and also answer in lists, tables, lines and plain words (`label_text`). An answer is read if
it has only one interpretation. Any other raises AnswerError, and the model is asked again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_eval.llm.answers import parts
from graph_eval.llm.label_text import LABEL, LABELS, PASSAGE_ID, Reading, disagrees, reading, stated, takes_back
from graph_eval.llm.scanner import AnswerError, Group, Scalar, shown, top_groups
from graph_eval.types import Label

# As `_key` writes them: in lower case, without signs, and without what stands before the name ("final", "is").
LABEL_KEYS = (
    "label", "verdict", "answer", "judgement", "judgment", "result", "prediction", "classification", "response",
    "decision", "assessment", "category", "class",
)  # fmt: skip
REASON_KEYS = ("reason", "reasoning", "explanation", "rationale", "justification", "why")
THOUGHT_KEYS = ("analysis", "thought", "thoughts", "thinking", "note", "notes", "comment", "comments", "summary")
# Keys of switches that only one of the labels allows to be true.
SUPPORTED_KEYS = ("correct", "accurate", "true", "grounded", "faithful", "factual", "consistent", "verified")
WRONG_KEYS = ("hallucination", "hallucinated", "incorrect", "inaccurate", "wrong", "false", "error", "inconsistent")
ID_KEYS = ("id", "claimid", "claim")
CHANCE_KEYS = ("probability", "confidence", "score")
LEAST_CHANCE = 1 / 3  # the most probable of three labels has at least this probability
LONGEST_REASON = 300  # characters
YES, NO = ("true", "yes"), ("false", "no")
KEY_PREFIX = re.compile(r"(?:final|overall|revised|corrected|updated|new|is|has)(?=\w)")
TAGGED = re.compile(
    r"<(?P<tag>(?:final[ _-]?)?(?:answer|label|verdict|output|result))>(?P<text>[^<]{1,300})</(?P=tag)>", re.IGNORECASE
)
# A label of a claim that no passage decides: "Neutral | null", "Neutral, passage none"
WITHOUT_PASSAGE = re.compile(
    r"(?P<label>\W{0,9}(?:neutral|contradiction|contradicted|not supported|unsupported)\b[\s*_\"'`]{0,5})"
    r"[|,(–—-][\s(]{0,3}(?:passage:?\s)?(?:null|none|n/a)[\s|).]{0,9}",
    re.IGNORECASE,
)
CLAIM_ID = re.compile(r"\bc\d{1,5}\b", re.IGNORECASE)

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINAL = re.compile(rf"\b(?:the\s)?({'|'.join(ORDINALS)})\sclaim\b", re.IGNORECASE)
# Before the id of the next claim: "c1 is stated, whereas claim c2 is not"
JOINING = re.compile(
    r"[\s,;*_#-]{0,9}(?:\b(?:while|whereas|but|and|however|although)\b[\s,]{0,3})?(?:\b(?:the\s)?claims?\b)?\W{0,9}\Z",
    re.IGNORECASE,
)

Pairs = tuple[tuple[str, Any], ...]


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


def label(answer: str) -> Verdict:
    """The label of an answer about one claim, with its reason. Raises AnswerError for no label, or several."""
    text, behind = parts(answer)
    groups = [(group, tuple(_pairs(group))) for group in top_groups(text)]
    tagged = [] if any(found for _, found in groups) else list(TAGGED.finditer(text))
    pairs = tuple(pair for _, found in groups for pair in found)
    if _values(pairs, LABEL_KEYS):
        given = _labelled(pairs)
        labelled = [group for group, found in groups if _values(found, LABEL_KEYS)]
        before, behind = text[: labelled[0].start], text[labelled[-1].end :] + "\n" + behind
        _require_same(before, given.label)
        start = _place(answer, given.text, given.start, rf"(?:{'|'.join(LABEL_KEYS)})\W{{1,9}}")
    elif any(_key(key) in LABELS for key, _ in pairs):
        raise AnswerError(f"{shown(text)} has a label as a key; write it as the value of the key 'label'")
    else:
        if len(tagged) == 1:
            before, behind = text[: tagged[0].start()], text[tagged[0].end() :] + "\n" + behind
            text = tagged[0]["text"]
            _require_same(before, reading(text).label)
        found = reading(text)
        given = Labelled(found.label, text, found.start, found.reason)
        start = _place(answer, text, found.start)
    if takes_back(behind, given.label):
        raise AnswerError(f"{shown(behind)}, which stands behind the label {given.label}, puts it in doubt")
    return Verdict(given.label, None, start, _line(given.reason))


def _require_same(before: str, label: Label) -> None:
    """Raises AnswerError if the text before a label gives another one."""
    if (concluded := stated(before)[-1:]) and concluded != [label]:
        raise AnswerError(f"{shown(before)} gives another label than {label}")


def verdicts(answer: str, ids: Sequence[str]) -> tuple[dict[str, Verdict], dict[str, str]]:
    """The verdicts by claim id, and by id what is wrong: no label, two labels, or an id that is not in `ids`.

    Labels are never matched by position. Other keys count only where a claim has no verdict. Raises AnswerError for an
    answer without any id.
    """
    text, behind = parts(answer)
    groups = [(group, list(_entries(group))) for group in top_groups(text)]
    entries = [entry for _, found in groups for entry in found]
    problems: dict[str, str] = {}
    if entries:
        behind = text[max(group.end for group, found in groups if found) :] + "\n" + behind
    else:
        lines = list(_lines(text, ids))
        entries = [(name, (("label", Scalar(phrase)),)) for name, phrase in lines]
        problems = _entangled(lines)
    if not entries:
        raise AnswerError("it names no claim by its id")
    verdicts_by_id: dict[str, Verdict] = {}
    unknown: dict[str, str] = {}
    position = 0
    for name, pairs in entries:
        identity = _identity(name)
        if identity not in ids:
            (problems if CLAIM_ID.fullmatch(identity) else unknown)[identity] = f"{name} is no id of a claim"
            if _key(name) in REASON_KEYS + THOUGHT_KEYS:
                behind += "\n" + "\n".join(_values(pairs, ("label",)))
            continue
        try:
            given = _labelled(pairs)
        except AnswerError as problem:
            problems[identity] = f"{identity}: {problem}"
            continue
        place = answer.find(given.text, max(answer.find(name, position), 0))
        position = max(position, place)
        start = place + given.start if place >= 0 and given.start is not None else None
        if identity in verdicts_by_id and verdicts_by_id[identity].label is not given.label:
            problems[identity] = f"{identity} has two labels"
        passage = (_values(pairs, ("passage",)) or [""])[0] or None
        verdicts_by_id.setdefault(identity, Verdict(given.label, passage, start))
    problems |= _taken_back(behind, verdicts_by_id)
    for identity in ids:
        if identity not in verdicts_by_id and identity not in problems:
            problems[identity] = f"{identity} has no label"
    if problems:
        problems |= unknown
    return {identity: verdict for identity, verdict in verdicts_by_id.items() if identity not in problems}, problems


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label with the text that gives it, its offset in that text (None if it is not certain), and the reason."""

    label: Label
    text: str
    start: int | None
    reason: str


def _labelled(pairs: Pairs) -> Labelled:
    """The label of an object. Raises AnswerError for none, or where its keys do not agree."""
    names = [name for name in LABEL_KEYS if _values(pairs, (name,))]
    if not names:
        raise AnswerError("it has no label")
    texts = _values(pairs, names[:1])
    others = [text for text in _values(pairs, names[1:]) if LABEL.search(text)]
    readings = [reading(text) for text in (*texts, *others)]
    own = readings[0].label
    if any(found.label is not own for found in readings):
        raise AnswerError("it gives several labels")
    if not _agree(own, pairs, names[1:]):
        raise AnswerError(f"its other keys do not agree with the label {own}")
    reasons = _values(pairs, REASON_KEYS)
    if any(disagrees(reason, own) for reason in (*reasons, *_values(pairs, THOUGHT_KEYS))):
        raise AnswerError(f"its reason does not agree with the label {own}")
    given: Reading = readings[len(texts) - 1]
    return Labelled(own, texts[-1], given.start, reasons[-1] if reasons else "")


def _agree(own: Label, pairs: Pairs, others: Sequence[str]) -> bool:
    """Whether the keys beside a label agree with it: {"supported": false}, {"entailment": 0.1, "neutral": 0.9},
    {"probability": 0.1}."""
    chances: dict[Label, float] = {}
    for name, value in ((_key(key), value.text.strip().lower()) for key, value in pairs if isinstance(value, Scalar)):
        named = Label.ENTAILMENT if name in (*others, *SUPPORTED_KEYS) else LABELS.get(name)
        if (named is own and value in NO) or (named not in (own, None) and value in YES):
            return False
        if name in WRONG_KEYS and value in YES and own is Label.ENTAILMENT:
            return False
        if (chance := _chance(value)) is None:
            continue
        if name in CHANCE_KEYS and chance < LEAST_CHANCE:
            return False
        if name in LABELS:
            chances[LABELS[name]] = chance
    return own not in chances or max(chances.values()) == chances[own]


def _chance(text: str) -> float | None:
    """A probability from 0 to 1, or None for any other text."""
    return float(text) if re.fullmatch(r"0?\.\d{1,20}|[01](?:\.0{0,20})?", text) else None


def _entangled(lines: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What is wrong with lines that name another claim: whose label they give is not certain."""
    problems: dict[str, str] = {}
    for name, phrase in lines:
        for other in {found.lower() for found in CLAIM_ID.findall(phrase)} - {name.lower()}:
            problems |= dict.fromkeys((name.lower(), other), f"the line of {name} names {other} as well")
    return problems


def _taken_back(behind: str, verdicts: Mapping[str, Verdict]) -> dict[str, str]:
    """What is wrong with verdicts that the text behind them takes back: for the claims that it names, or for all."""
    behind = ORDINAL.sub(lambda match: f"c{ORDINALS.index(match[1].lower()) + 1}", behind)
    places = [(match.start(), match[0].lower()) for match in CLAIM_ID.finditer(behind)]
    problems = {}
    for start, end, name in zip(
        (0, *(start for start, _ in places)),
        (*(start for start, _ in places), len(behind)),
        ("", *(name for _, name in places)),
        strict=True,
    ):
        words = JOINING.sub("", behind[start:end])
        for identity in [name] if name else verdicts:
            if identity in verdicts and takes_back(words, verdicts[identity].label):
                problems[identity] = f"{identity}: {shown(words)} behind its label puts it in doubt"
    return problems


def _place(answer: str, part: str, start: int | None, before: str = "") -> int | None:
    """The offset of the label in the whole answer. None if the part, behind the pattern `before`, is not the only
    one."""
    places = list(re.finditer(before + re.escape(part), answer, re.IGNORECASE))
    return places[0].end() - len(part) + start if len(places) == 1 and start is not None else None


def _line(text: str) -> str | None:
    """A reason as one line of limited length. A single word is none: words of ours ("verbatim") name other reasons."""
    line = " ".join(text.split()).strip(" *_-")
    if len(re.findall(r"\w+", line)) < 2:
        return None
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"


def _identity(name: str) -> str:
    """The id of a claim as a model may write it: "c1", "C1", "claim c1", 1."""
    plain = name.strip().lower().removeprefix("claim").strip(" _#")
    return f"c{plain}" if plain.isdecimal() else plain


def _key(name: str) -> str:
    """A key in lower case, without signs and what stands before the name: "finalLabel", "revised_label"."""
    return KEY_PREFIX.sub("", re.sub(r"[\W_]", "", name).lower(), count=1)


def _pairs(group: Group) -> Iterator[tuple[str, Any]]:
    """The keys and values of a group and of all groups in it. A list of texts gives one pair for each."""
    for key, value in group.pairs:
        if isinstance(value, Group):
            yield from ((key, item) for item in value.items if isinstance(item, Scalar) and not value.pairs)
            if len(value.pairs) == 1 and _key(key) in LABEL_KEYS:  # {"label": {"value": "Neutral"}}
                yield key, value.pairs[0][1]
            yield from _pairs(value)
        else:
            yield key, value
    for item in group.items:
        if isinstance(item, Group):
            yield from _pairs(item)


def _values(pairs: Iterable[tuple[str, Any]], names: Sequence[str]) -> list[str]:
    """All texts under these keys."""
    return [value.text for key, value in pairs if _key(key) in names and isinstance(value, Scalar)]


def _entries(group: Group) -> Iterator[tuple[str, Pairs]]:
    """(id, keys and values) of {id: label}, {"id": .., "label": ..} and [id, label, passage]."""
    pairs = tuple(_pairs(group)) if group.pairs else ()
    own = _ids(group)
    if own and _values(pairs, LABEL_KEYS):
        yield from ((name, pairs) for name in own)
        return
    for key, value in group.pairs:
        if isinstance(value, Scalar):
            yield key, (("label", value),)
        elif _texts(value) and len(value.items) == 2 and _is_passage(value.items[1].text):
            yield key, (("label", value.items[0]), ("passage", value.items[1]))
        elif _texts(value):
            yield from ((key, (("label", item),)) for item in value.items)
        elif _values(value.pairs, LABEL_KEYS) and not _ids(value):
            yield key, tuple(_pairs(value))
        else:
            yield from _entries(value)
    if _texts(group) and len(group.items) in (2, 3) and CLAIM_ID.fullmatch(_identity(group.items[0].text)):
        name, label, *passage = group.items
        yield name.text, (("label", label), *(("passage", each) for each in passage))
        return
    for item in group.items:
        if isinstance(item, Group):
            yield from _entries(item)


def _ids(group: Group) -> list[str]:
    """The ids of claims among the keys of an object. A claim's text may stand there too."""
    return [name for name in _values(group.pairs, ID_KEYS) if CLAIM_ID.fullmatch(_identity(name))]


def _is_passage(text: str) -> bool:
    """Whether a text names a passage, or none."""
    return not text.strip() or text.lower() in ("null", "none") or PASSAGE_ID.fullmatch(text) is not None


def _texts(group: Group) -> bool:
    """Whether a group is a list of texts."""
    return bool(group.items) and not group.pairs and all(isinstance(item, Scalar) for item in group.items)


ENTRY = re.compile(
    r"(?:^[^\w\n]{0,9}(?:id\b[^\w\n]{1,4})?|(?:[,;.]\s{1,3}|\s)(?=\W{0,3}(?:claim\s{1,3})?c\d{1,5}(?:\W{0,3}[:=–—-]|\sis\s))\W{0,3})"
    r"(?:(?:claim\s{1,3})?(?P<id>c\d{1,5})|claim\s{1,3}#?(?P<number>\d{1,5}))\b[\s:=|*_\"'`).,>–—-]{0,9}",
    re.IGNORECASE | re.MULTILINE,
)


def _lines(text: str, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(id, text up to the next id) of an answer in lines: "c1: Entailment", "- **Claim c2** – Neutral"."""
    entries = list(ENTRY.finditer(text))
    for place, entry in enumerate(entries, 1):
        end = entries[place].start() if place < len(entries) else len(text)
        name = entry["id"] or f"c{entry['number']}"
        phrase = text[entry.end() : end].strip()
        phrase = _cell(phrase)
        if phrase or name.lower() in ids:
            yield name, phrase


def _cell(phrase: str) -> str:
    """The label of a row that also has its claim or says that no passage decides; any other phrase itself.

    "The tower opened in 1931. | Entailment |", "Neutral | null |"
    """
    if undecided := WITHOUT_PASSAGE.fullmatch(phrase):
        return undecided["label"]
    cells = [cell.strip(" *_`") for cell in phrase.strip(" |").split("|")]
    labels = [cell for cell in cells if cell.lower() in LABELS]
    return labels[0] if len(labels) == 1 and cells[0] != labels[0] else phrase


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
