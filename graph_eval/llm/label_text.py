"""Reads the label that a text in plain words gives: "Contradiction: the year differs", "It is supported by p1."

A label counts only before a reason, or in a sentence of a known form. Every other text that names a label ("far from
supported", "Entailment: 10%", "Partially supported") raises AnswerError, and the model is asked again. A wrong label
lets an unsupported claim pass unseen, which costs more than a second request. So Entailment is refused as well where
the words around it doubt it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graph_eval.llm.label_reasons import CLAIM, DENIED_START, NUMBER_WORDS, RETRACTION, SOURCE, S, denies, doubts
from graph_eval.llm.scanner import AnswerError, shown
from graph_eval.types import Label

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
_MARKS = r" \t*_\"'`“”‘’«».,:;#>()\[\]|=–—•$\\{}✅✓✔-"  # never a mark that takes a label back: ! ≠ ✗ ~ ?
_EDGE = rf"[{_MARKS}]{{0,9}}"
_QUOTE = r"[*_\"'`“”‘’]{0,4}"
_DEGREE = rf"(?:(?:clearly|fully|directly|explicitly|therefore|thus|indeed|completely|entirely){S})?"
_DO_NOT = rf"(?:does|do)(?:{S}not|n['’]t){S}"
_CONCLUSION = (
    rf"(?:here(?:['’]s|{S}is){S})?(?:(?:the|my){S})?(?:(?:final|correct|overall){S})?(?:label|answer|verdict|judge?ment|conclusion|output|result"
    rf"|classification|category|class|prediction|response|decision|assessment|relation(?:ship)?)\b[*_\"'`]{{0,4}}(?:{S}(?:of|for){S}{CLAIM}\b)?"
    rf"(?:[^\w\n]{{0,5}}[:=]|{S}[–—-](?={S})|{S}(?:is|would{S}be)\b)"
)
_CLASSIFY = rf"(?:classify|label|judge|mark|rate){S}{CLAIM}{S}as"
_LEAD = (
    rf"(?!\W{{0,5}}\[[ ]?\]){_EDGE}"
    rf"(?:(?:yes|no(?=,{S}{CLAIM}{S}(?:is(?:{S}not|n['’]t|{S}contradicted)|contradicts))),{S})?"
    rf"(?:(?:so|therefore|thus|hence|overall|finally|in conclusion|(?:based on|according to"
    rf"|after{S}(?:reviewing|reading|checking|comparing|analy[sz]ing)){S}{SOURCE}(?:{S}(?:provided|given|above))?)\b[,:]?{S})?"
    rf"(?:I(?:{S}would|['’]d)?{S}(?:(?:say|answer|conclude)(?:{S}that)?|{_CLASSIFY})[,:]?{S}{_QUOTE}"
    rf"|{_CONCLUSION}{_EDGE})?"
    r"(?:\\boxed\{(?:\\text\{)?)?"
)
_NOT_OTHER = (
    rf"(?:,?{S}(?:and{S})?(?:not|rather{S}than){S}(?:an?{S})?{_QUOTE}(?P<excluded>entailment|contradiction|neutral)\b)?"
)
_CERTAINLY = rf"(?:(?:fully|clearly|directly|completely|entirely|strong(?:ly)?|definite(?:ly)?){S})?"
_BY = rf"(?:{S}(?:by|in|from|to|with){S}{SOURCE})?"
_REASON = rf"(?:{_QUOTE},?\s{{1,3}}(?:because|since|given that|which)\b(?P<reason>.*))?"
# The forms of a sentence that gives a label. Without a group `label` the form means Neutral.
FORMS = tuple(
    re.compile(rf"{_LEAD}{form}{_EDGE}{_REASON}", re.IGNORECASE)
    for form in (
        rf"(?:is{S})?(?P<not>not{S})?(?:an?{S})?{_CERTAINLY}{_QUOTE}(?P<label>{_LABELS})\b{_BY}{_NOT_OTHER}",
        (
            rf"(?:not{S}(?:mentioned|stated|specified|covered|addressed)"
            rf"|(?:not{S}enough|insufficient|no){S}info(?:rmation)?|NEI)\b"
        ),
        (
            rf"{CLAIM}{S}is(?P<not>{S}not|n['’]t)?{S}{_DEGREE}(?:(?:labell?ed|classified){S}(?:as{S})?)?(?:an?{S})?"
            rf"{_QUOTE}(?P<label>{_LABELS})\b{_QUOTE}{_BY}"
        ),
        rf"{SOURCE}{S}(?P<not>{_DO_NOT})?{_DEGREE}(?P<label>entails?|supports?|contradicts?|refutes?){S}{CLAIM}\b",
        rf"(?:{CLAIM}{S})?{_DEGREE}(?P<label>contradicts){S}{SOURCE}\b",
        rf"[^\n]{{3,300}},{S}which{S}{_DEGREE}(?P<label>contradicts){S}{CLAIM}\b",
        (
            rf"{SOURCE}{S}(?:neither{S}(?:entails?|supports?){S}nor{S}contradicts?"
            rf"|{_DO_NOT}(?:entail|support){S}n?or{S}contradict){S}{CLAIM}\b"
        ),
        rf"(?:{CLAIM}{S})?is{S}neither{S}(?:entailed|supported){S}nor{S}contradicted\b{_BY}",
    )
)
# "Contradiction: the year differs", "Neutral, nothing is said", "Entailment (p1)"
BEFORE_REASON = re.compile(
    rf"{_LEAD}(?P<not>not{S})?(?P<label>{_LABELS})\b[\s*_\"'`)\]]{{0,5}}(?:[:;,(|\[]|(?<=\t)|[–—-](?=\W))(?P<reason>{_EDGE}(?:\w.*)?)",
    re.IGNORECASE,
)
HEADING = re.compile(rf"\W{{0,5}}(?P<not>not{S})?(?P<label>{_LABELS})\b[*_ ]{{0,4}}:", re.IGNORECASE)
PASSAGE_ID = re.compile(r"\W*(?:passage:?\s)?p\d{1,4}\W*", re.IGNORECASE)
CERTAINTY = re.compile(r"\W*(?P<percent>\d{1,3}) ?(?:%|percent)(?: confiden(?:t|ce))?\W*", re.IGNORECASE)
LEAST_REASON = 3  # words: fewer are an answer to "Entailment" ("Entailment: not given"), not a reason for it
# A reason that begins like this takes the label back, weakens it or answers it: "Entailment: no, it says 1931".
NO_REASON = re.compile(
    rf"\W*(?:(?:yes|no|none|not|nothing|never|n/a|nil|false|true|wrong|incorrect|invalid|rejected|excluded|impossible"
    rf"|unlikely|unclear|likely|maybe|perhaps|possibly|probably|almost|mostly|partly|partially|only|if|when|unless"
    rf"|except|though|although|but|or|and|nor|vs|versus|as|would|could|might|is|was|has|can|cannot|does|did|do|about"
    rf"|high|low|{_LABELS})\b|(?:[01]?\.\d+|[01]|\d{{1,3}}\s*(?:%|percent))(?!\w))",
    re.IGNORECASE,
)
COUNT = re.compile(rf"\W*(?:{NUMBER_WORDS})\b(?!\sof\sthe\s(?:passage|context|source|text))", re.IGNORECASE)
# Reasons that begin like an answer to the label and are none: "Neutral: not mentioned", "Contradiction: wrong year".
FAULTS = {
    Label.NEUTRAL: re.compile(
        r"\W*(?:no\s+[a-z]|none\s+of\b|nothing\b|not\s+(?:mentioned|stated|said|given|found|covered|addressed|in)\b)",
        re.IGNORECASE,
    ),
    Label.CONTRADICTION: re.compile(
        r"\W*(?:(?:wrong|incorrect|false|different)\s+\w|(?:1\d|20)\d\d(?!\s*(?:%|percent)|[.,]?\d))", re.IGNORECASE
    ),
}
SO = re.compile(rf"[,;:]\s{{1,3}}(?=(?:so|therefore|thus|hence)\b[,:]?{S})", re.IGNORECASE)
CONCLUSION = re.compile(rf"^{_EDGE}(?:(?:so|therefore|thus|hence),?{S})?{_CONCLUSION}", re.IGNORECASE | re.MULTILINE)


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
    places = [*_sentences(text)]
    concluding = [place for place in places if CONCLUSION.match(text, *place) and LABEL.search(text, *place)]
    deciding = concluding or list(dict.fromkeys([*places[:1], *places[-1:]]))
    found = [(place, given) for place in deciding if (given := _given(text, *place)) is not None]
    if not found or (concluding and len(found) < len(concluding)):
        raise AnswerError(f"{shown(text)} names no label" if LABEL.search(text) is None else _unclear(text))
    if any(given.label is Label.CONTRADICTION for _, given in found):
        found = [(place, given) for place, given in found if not given.denies]
    if len({given.label for _, given in found}) > 1:
        raise AnswerError(f"{shown(text)} names several labels")
    place, given = found[0]
    behind = text[place[1] :]
    if other := _other(given.reason + " " + behind, given.label):
        raise AnswerError(f"{shown(text)} names {other} as well")
    if takes_back(behind, given.label):
        raise AnswerError(_unclear(text))
    around = " ".join(part for part in (given.reason, text[: place[0]], behind) if part.strip())
    return Reading(given.label, given.start if len(found) == 1 else None, given.reason or around)


def _unclear(text: str) -> str:
    return f"{shown(text)} is not clear: write one of the labels Entailment, Neutral, Contradiction and nothing else"


def takes_back(behind: str, label: Label) -> bool:
    """Whether the sentences behind a label take it back, deny it or give another one."""
    following = [behind[slice(*place)] for place in _sentences(behind)]
    if label is not Label.ENTAILMENT:
        return any(RETRACTION.fullmatch(sentence) for sentence in following[:1]) or disagrees(behind, label)
    return disagrees(behind, label) or any(
        RETRACTION.fullmatch(sentence) or DENIED_START.match(sentence) or _heads_other(sentence, label)
        for sentence in following
    )


def _heads_other(sentence: str, label: Label) -> bool:
    """Whether a sentence begins as the heading of another label: "Contradicted: the place"."""
    heading = HEADING.match(sentence)
    return heading is not None and (heading["not"] is not None or LABELS[heading["label"].lower()] is not label)


def disagrees(reason: str, label: Label) -> bool:
    """Whether a reason that stands apart from its label gives the claim another one, or denies it."""
    given = stated(reason)
    if label is not Label.ENTAILMENT:
        return Label.ENTAILMENT in given
    return any(found is not label for found in given) or denies(reason)


def stated(text: str) -> list[Label]:
    """The labels that the sentences of a text give."""
    return [found.label for place in _sentences(text) if (found := _given(text, *place)) is not None]


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
    if certainty := CERTAINTY.fullmatch(given.reason):
        return 50 < int(certainty["percent"]) <= 100
    if given.label in FAULTS and FAULTS[given.label].match(given.reason):
        return True
    if len(re.findall(r"\w+", given.reason)) < LEAST_REASON or NO_REASON.match(given.reason):
        return False
    return given.label is not Label.ENTAILMENT or not (COUNT.match(given.reason) or _denied(given))


def _denied(given: Reading) -> bool:
    """Whether the reason denies or doubts what "Entailment" says."""
    return given.label is Label.ENTAILMENT and doubts(given.reason)


def _named(match: re.Match[str], reason: str | None) -> Reading | None:
    """What a match says. What is not supported is Neutral. What is "not Entailment" or not contradicted may be either
    of the others."""
    groups = match.groupdict()
    reason = (reason or "").strip(" .:;,!–—-*_")
    if not groups.get("label"):
        return Reading(Label.NEUTRAL, None, reason, denies=True)
    word = groups["label"].lower()
    named = LABELS[word]
    if groups.get("excluded") and LABELS[groups["excluded"].lower()] is named:
        return None
    if not groups.get("not"):
        return Reading(named, match.start("label"), reason)
    if named is not Label.ENTAILMENT or word == "entailment":
        return None
    return Reading(Label.NEUTRAL, match.start("label"), reason, denies=True)


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
