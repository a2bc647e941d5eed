"""Reads labels from answers of models: of one claim, or of several claims by their ids.

A label counts only where it is the answer: as the value of a key, before a reason ("Contradiction: the year differs"),
or in a sentence of a known form ("The claim is not supported by the passage."). Every other answer that names a label
("far from supported", "Entailment: 10%", "Partially supported") raises AnswerError, and the model is asked again. A
wrong label lets an unsupported claim pass unseen, which costs more than a second request.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_eval.llm.answers import body
from graph_eval.llm.scanner import AnswerError, Group, Scalar, shown, top_groups
from graph_eval.types import Label

LABEL_KEYS = ("label", "verdict", "answer", "judgement", "judgment", "result", "prediction")
REASON_KEYS = ("reason", "reasoning", "explanation", "rationale", "justification", "why")
ID_KEYS = ("id", "claim_id", "claim", "claimid")
LONGEST_REASON = 300  # characters
LABELS = {
    **dict.fromkeys(
        ("entailment", "entailed", "entails", "entail", "supported", "supports", "support"), Label.ENTAILMENT
    ),
    **dict.fromkeys(
        ("contradiction", "contradicted", "contradicts", "contradictory", "contradict", "refuted", "refutes", "refute"),
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
NOUN = re.compile(
    rf"(?P<not>(?:{_NOT}|\b(?:than|of)\W{{1,3}})(?:an?\W{{1,3}})?)?\b(?P<label>entailment|contradiction|neutral)\b",
    re.IGNORECASE,
)
CONTRAST = re.compile(
    r"\b(?:however|but|although|though|yet|actually|still|wait|on (?:second thought|reflection))\b", re.IGNORECASE
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_EDGE = r"[^\w\n?✗✘✕❌☐☒⬜~]{0,9}"  # never a mark that takes a label back
_S = r"\s{1,3}"
_CLAIM = (
    rf"(?:(?:the|this|that){_S}(?:claim|statement|sentence|hypothesis|assertion|triplet|triple)"
    rf"|(?:the{_S})?claim{_S}c?\d{{1,4}}|c\d{{1,4}}|it|this)"
)
_SOURCE = (
    rf"(?:(?:(?:the|this|these|all|both|any){_S})?(?:(?:provided|given){_S})?"
    rf"(?:passages?|contexts?|texts?|sources?|documents?|evidence|premises?|references?)(?:{_S}p?\d{{1,4}})?|p\d{{1,4}})"
)
_DEGREE = rf"(?:(?:clearly|fully|directly|explicitly|therefore|thus|indeed|completely|entirely){_S})?"
_DO_NOT = rf"(?:does|do)(?:{_S}not|n['’]t){_S}"
_CONCLUSION = (
    rf"(?:(?:the|my){_S})?(?:(?:final|correct){_S})?(?:label|answer|verdict|judge?ment|conclusion"
    rf"|output|result|classification|relation(?:ship)?)\b[^\w\n]{{0,5}}(?:[:=]|\b(?:is|would be)\b)"
)
_LEAD = (
    rf"(?!\W{{0,5}}\[[ ]?\]){_EDGE}"
    rf"(?:(?:so|therefore|thus|hence|overall|finally|in conclusion|(?:based on|according to){_S}{_SOURCE})\b[,:]?{_S})?"
    rf"(?:I(?:{_S}would|['’]d)?{_S}(?:say|answer|conclude)(?:{_S}that)?[,:]?{_S}|{_CONCLUSION}{_EDGE})?"
    r"(?:\\boxed\{(?:\\text\{)?)?"
)
_REASON = r"(?:,?\s{1,3}(?:because|since|given that|which)\b(?P<reason>.*))?"
# The forms of a sentence that gives a label. Without a group `label` the form means Neutral.
FORMS = tuple(
    re.compile(rf"{_LEAD}{form}{_EDGE}{_REASON}", re.IGNORECASE)
    for form in (
        rf"(?P<not>not{_S})?(?:an?{_S})?(?P<label>{_LABELS})\b",
        (
            rf"{_CLAIM}{_S}is(?P<not>{_S}not|n['’]t)?{_S}{_DEGREE}(?:an?{_S})?(?P<label>{_LABELS})\b"
            rf"(?:{_S}(?:by|in|from|to|with){_S}{_SOURCE})?"
        ),
        rf"{_SOURCE}{_S}(?P<not>{_DO_NOT})?{_DEGREE}(?P<label>entails?|supports?|contradicts?|refutes?){_S}{_CLAIM}\b",
        rf"{_CLAIM}{_S}{_DEGREE}(?P<label>contradicts){_S}{_SOURCE}\b",
        (
            rf"{_SOURCE}{_S}(?:neither{_S}(?:entails?|supports?){_S}nor{_S}contradicts?"
            rf"|{_DO_NOT}(?:entail|support){_S}n?or{_S}contradict){_S}{_CLAIM}\b"
        ),
        rf"{_CLAIM}{_S}is{_S}neither{_S}(?:entailed|supported){_S}nor{_S}contradicted\b(?:{_S}by{_S}{_SOURCE})?",
    )
)
# "Contradiction: the year differs", "Neutral, nothing is said", "Entailment (p1)"
BEFORE_REASON = re.compile(
    rf"{_LEAD}(?P<not>not{_S})?(?P<label>{_LABELS})\b[\s*_\"'`)\]]{{0,5}}[:;,(–—-]\W{{0,9}}(?P<reason>.*)",
    re.IGNORECASE,
)
PASSAGE_ID = re.compile(r"\W*(?:passage\s)?p\d{1,4}\W*", re.IGNORECASE)
LEAST_REASON = 3  # words: fewer are an answer to the label ("Entailment: not given"), not a reason for it
# A reason that begins like this takes the label back, weakens it or answers it: "Entailment: no, it says 1931".
NO_REASON = re.compile(
    rf"(?:yes|no|none|not|nothing|never|n/a|nil|false|true|wrong|incorrect|invalid|rejected|excluded|impossible"
    rf"|unlikely|unclear|likely|maybe|perhaps|possibly|probably|almost|mostly|partly|partially|only|if|unless|except"
    rf"|though|although|but|or|and|nor|vs|versus|as|would|could|might|is|was|has|can|cannot|does|did|do|about|high|low"
    rf"|{_LABELS})\b|\W*(?:[01]?\.\d+|[01]|\d{{1,3}}\s*(?:%|percent))(?!\w)",
    re.IGNORECASE,
)
NOTHING_FOUND = re.compile(r"no\s+[a-z]|none\s+of\b|nothing\b|not\s+(?:mentioned|stated|said|given)\b", re.IGNORECASE)
RETRACTION = re.compile(
    r"\W*(?:(?:no|not|false|wrong|incorrect|wait|never|none)\b(?:\W{0,9}\w{1,30}\b){0,2}\W{0,9}"
    r"|(?:that|this|it|which)\s(?:is|was|would be|seems)\s(?:not|wrong|incorrect|false)\b.*"
    r"|(?:hm+|hold on|edit|correction|actually|wait|but|however|on second thought|on reflection)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
# In the words behind "Entailment" or "supported": what nobody writes who means it, except that nothing contradicts it.
DENIAL = re.compile(
    r"(?:n['’]t|\b(?:not|no|never|neither|none|nothing))\b(?!(?:\W{1,3}\w+){0,6}\W{1,3}contradict)|\b(?:false|wrong|incorrect"
    r"|otherwise|while|whereas|however|but|fails?|lack(?:s|ing)?|missing|absent|unsure|differs?|different)\b",
    re.IGNORECASE,
)
SO = re.compile(rf"[,;:]\s{{1,3}}(?=(?:so|therefore|thus|hence)\b[,:]?{_S})", re.IGNORECASE)
CONCLUSION = re.compile(rf"^{_EDGE}(?:(?:so|therefore|thus|hence),?{_S})?{_CONCLUSION}", re.IGNORECASE | re.MULTILINE)


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
    text = body(answer)
    pairs = [pair for group in top_groups(text) for pair in _pairs(group)]
    found = _values(pairs, LABEL_KEYS)
    if not found and any(key.lower() in LABELS for key, _ in pairs):
        raise AnswerError(f"{shown(text)} has a label as a key; write it as the value of the key 'label'")
    if not found:
        return _verdict(answer, text, reading(text))
    readings = [reading(value) for value in found]
    if len({each.label for each in readings}) > 1:
        raise AnswerError("it gives several labels")
    reason = (_values(pairs, REASON_KEYS) or [""])[-1]
    start = _place(answer, found[-1], readings[-1], rf"\b(?:{'|'.join(LABEL_KEYS)})\W{{1,9}}")
    return Verdict(readings[-1].label, None, start, _line(reason))


def verdicts(answer: str, ids: Sequence[str]) -> tuple[dict[str, Verdict], dict[str, str]]:
    """The verdicts by claim id, and by id what is wrong: no label, two labels, or an id that is not in `ids`.

    Labels are never matched by position. Raises AnswerError for an answer without any id.
    """
    text = body(answer)
    verdicts_by_id: dict[str, Verdict] = {}
    problems: dict[str, str] = {}
    entries = [entry for group in top_groups(text) for entry in _entries(group)] or list(_lines(text, ids))
    if not entries:
        raise AnswerError("it names no claim by its id")
    position = 0
    for name, phrase, passage in entries:
        identity = name.strip().lower()
        if identity not in ids:
            problems[identity] = f"{name} is no id of a claim"
            continue
        try:
            found = reading(phrase)
        except AnswerError as problem:
            problems[identity] = f"{identity}: {problem}"
            continue
        place = answer.find(phrase, max(answer.find(name, position), 0))
        position = max(position, place)
        start = place + found.start if place >= 0 and found.start is not None else None
        if identity in verdicts_by_id and verdicts_by_id[identity].label is not found.label:
            problems[identity] = f"{identity} has two labels"
        verdicts_by_id.setdefault(identity, Verdict(found.label, passage, start))
    for identity in ids:
        if identity not in verdicts_by_id and identity not in problems:
            problems[identity] = f"{identity} has no label"
    return {identity: verdict for identity, verdict in verdicts_by_id.items() if identity not in problems}, problems


@dataclass(frozen=True, slots=True)
class Reading:
    """A label with its offset in the text that gives it (None if the text does not write it), and the reason.

    `denies`: the text only denies that the claim is supported, which a contradiction does as well.
    """

    label: Label
    start: int | None
    reason: str = ""
    denies: bool = False


def reading(text: str) -> Reading:
    """The label that a text gives: behind "Label:", or in its first or its last sentence. Raises AnswerError for none,
    or several."""
    sentences = [*_sentences(text)]
    concluding = [place for place in sentences if CONCLUSION.match(text, *place) and LABEL.search(text, *place)]
    deciding = concluding or list(dict.fromkeys([*sentences[:1], *sentences[-1:]]))
    found = [(place, given) for place in deciding if (given := _given(text, *place)) is not None]
    if not found or (concluding and len(found) < len(concluding)):
        raise AnswerError(f"{shown(text)} names no label" if LABEL.search(text) is None else _unclear(text))
    if any(given.label is Label.CONTRADICTION for _, given in found):
        found = [(place, given) for place, given in found if not given.denies]
    if len({given.label for _, given in found}) > 1:
        raise AnswerError(f"{shown(text)} names several labels")
    place, given = found[0]
    behind = text[place[1] :]
    following = next((text[slice(*other)] for other in sentences if other[0] >= place[1]), "")
    if other := _other(given.reason + " " + behind, given.label):
        raise AnswerError(f"{shown(text)} names {other} as well")
    if RETRACTION.fullmatch(following):
        raise AnswerError(_unclear(text))
    around = " ".join(part for part in (given.reason, text[: place[0]], behind) if part.strip())
    return Reading(given.label, given.start if len(found) == 1 else None, given.reason or around)


def _unclear(text: str) -> str:
    return f"{shown(text)} is not clear: write one of the labels Entailment, Neutral, Contradiction and nothing else"


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """The bounds of the sentences and lines that have a word."""
    start = 0
    for end in (*(match.span() for match in SENTENCE_END.finditer(text)), (len(text), len(text))):
        if re.search(r"\w", text[start : end[0]]):
            yield start, end[0]
        start = end[1]


def _given(text: str, start: int, end: int) -> Reading | None:
    """The label that one sentence of a text gives, if it has one of the known forms."""
    for form in FORMS:
        if match := form.fullmatch(text, start, end):
            given = _named(match, match["reason"])
            return None if given is None or _denied(given) else given
    match = BEFORE_REASON.fullmatch(text, start, end)
    if match and (given := _named(match, match["reason"])) and _is_reason(given):
        return given
    parts = list(SO.finditer(text, start, end))  # "The passage gives no year, so Neutral."
    return _given(text, parts[-1].end(), end) if parts else None


def _is_reason(given: Reading) -> bool:
    """Whether the words behind a label are a reason for it."""
    if PASSAGE_ID.fullmatch(given.reason):
        return True
    if len(re.findall(r"\w+", given.reason)) < LEAST_REASON:
        return False
    if given.label is Label.NEUTRAL and NOTHING_FOUND.match(given.reason):
        return True
    return NO_REASON.match(given.reason) is None and not _denied(given)


def _denied(given: Reading) -> bool:
    """Whether the reason denies what "Entailment" says."""
    return given.label is Label.ENTAILMENT and DENIAL.search(given.reason) is not None


def _named(match: re.Match[str], reason: str | None) -> Reading | None:
    """What a match says. What is not supported is Neutral; what is not contradicted may be anything."""
    groups = match.groupdict()
    reason = (reason or "").strip(" .:;,!–—-*_")
    if not groups.get("label"):
        return Reading(Label.NEUTRAL, None, reason, denies=True)
    named = LABELS[groups["label"].lower()]
    if not groups.get("not"):
        return Reading(named, match.start("label"), reason)
    return Reading(Label.NEUTRAL, match.start("label"), reason, denies=True) if named is Label.ENTAILMENT else None


def _other(text: str, own: Label) -> Label | None:
    """Another label that a text names and does not exclude: as a noun, in any form behind "however", or "not
    supported"."""
    named = [LABELS[match["label"].lower()] for match in NOUN.finditer(text) if not match["not"]]
    if contrast := CONTRAST.search(text):
        behind = LABEL.finditer(text, contrast.end())
        named += [LABELS[match["label"].lower()] for match in behind if not match["not"]]
    if own is Label.ENTAILMENT:
        denied = (match for match in LABEL.finditer(text) if match["not"])
        named += [Label.NEUTRAL for match in denied if LABELS[match["label"].lower()] is own or match["pair"]]
    return next((other for other in named if other is not own), None)


def _verdict(answer: str, text: str, found: Reading) -> Verdict:
    return Verdict(found.label, None, _place(answer, text, found), _line(found.reason))


def _place(answer: str, part: str, found: Reading, before: str = "") -> int | None:
    """The offset of the label in the whole answer. None if the part, behind the pattern `before`, is not the only
    one."""
    places = list(re.finditer(before + re.escape(part), answer, re.IGNORECASE))
    return places[0].end() - len(part) + found.start if len(places) == 1 and found.start is not None else None


def _line(text: str) -> str | None:
    """A reason as one line of limited length. A single word is none: words of ours ("verbatim") name other reasons."""
    line = " ".join(text.split()).strip(" *_-")
    if len(re.findall(r"\w+", line)) < 2:
        return None
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"


def _pairs(group: Group) -> Iterator[tuple[str, Any]]:
    """The keys and values of a group and of all groups in it."""
    for key, value in group.pairs:
        yield key, value
        if isinstance(value, Group):
            yield from _pairs(value)
    for item in group.items:
        if isinstance(item, Group):
            yield from _pairs(item)


def _values(pairs: Sequence[tuple[str, Any]], names: Sequence[str]) -> list[str]:
    """All texts under the first of these keys that the objects have."""
    for name in names:
        if found := [value.text for key, value in pairs if key.lower() == name and isinstance(value, Scalar)]:
            return found
    return []


def _entries(group: Group) -> Iterator[tuple[str, str, str | None]]:
    """(id, label, passage) of {id: label}, {"id": .., "label": ..} and [id, label]. All values of a key that comes
    twice."""
    names, labels = _values(group.pairs, ID_KEYS), _values(group.pairs, LABEL_KEYS)
    if names and labels:
        passage = (_values(group.pairs, ("passage",)) or [""])[0] or None
        yield from ((name, each, passage) for name in names for each in labels)
        return
    for key, value in group.pairs:
        if isinstance(value, Scalar):
            yield key, value.text, None
        elif (labels := _values(value.pairs, LABEL_KEYS)) and not _values(value.pairs, ID_KEYS):
            passage = (_values(value.pairs, ("passage",)) or [""])[0] or None
            yield from ((key, each, passage) for each in labels)
        else:
            yield from _entries(value)
    scalars = [item for item in group.items if isinstance(item, Scalar)]
    if len(scalars) == 2 == len(group.items) and re.fullmatch(r"\s*c\d+\s*", scalars[0].text, re.IGNORECASE):
        yield scalars[0].text, scalars[1].text, None
        return
    for item in group.items:
        if isinstance(item, Group):
            yield from _entries(item)


ENTRY = re.compile(
    r"(?:^[^\w\n]{0,9}|[,;.]\s{1,3}(?=\W{0,3}(?:claim\s{1,3})?c\d{1,5}\W{0,3}[:=–—-])\W{0,3})"
    r"(?:claim\s{1,3})?(?P<id>c\d{1,5})\b[\s:=|*_\"'`).,>–—-]{0,9}",
    re.IGNORECASE | re.MULTILINE,
)


def _lines(text: str, ids: Sequence[str]) -> Iterator[tuple[str, str, str | None]]:
    """(id, text up to the next id, None) of an answer in lines: "c1: Entailment", "- **Claim c2** – Neutral"."""
    entries = list(ENTRY.finditer(text))
    for place, entry in enumerate(entries, 1):
        end = entries[place].start() if place < len(entries) else len(text)
        phrase = text[entry.end() : end].strip()
        if phrase or entry["id"].lower() in ids:
            yield entry["id"], phrase, None


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
