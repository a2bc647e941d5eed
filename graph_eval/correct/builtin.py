"""The offline corrector: words of the context in the place of words that it lacks.

For every word of a flagged claim that the nearest sentences of the context lack, candidates of its kind come from
there: numbers of the same shape, months, names, words of the same part of speech that stand between the same
neighbours. Each candidate changes one place of one claim. Below `DARES` nothing is proposed and the claim stays
flagged; nothing is ever just left out, which a checker would only be too glad to accept.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph_eval.check.windows import index, terms
from graph_eval.chunks import isolated
from graph_eval.correct.seam import failed
from graph_eval.extract.rules.parser import Parser
from graph_eval.text.normalise import STOP_WORDS, fold, readable, stem
from graph_eval.text.sentences import sentences
from graph_eval.types import CorrectTask, ItemError, Proposal

RULES = "builtin-1"
EVIDENCE = 5  # sentences of the context that candidates come from
OPEN = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
NAMES = frozenset({"PROPN"})
MONTHS = frozenset("january february march april may june july august september october november december".split())
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
SCORES = {"number": 0.9, "calendar": 0.85, "name": 0.55, "neighbour": 0.4}  # before what speaks for a candidate
# Of the best candidates of claims in half "a" of SummEdits (300 summaries) .72 were right from here on, .31 of those
# with 0.55 to 0.65, .12 of those below.
DARES = 0.65


@dataclass(frozen=True, slots=True)
class Token:
    """A word with its part of speech (upos, xpos), and the word that it hangs on."""

    text: str
    key: str  # folded stem
    upos: str
    xpos: str
    start: int
    end: int
    relation: str
    head: str  # key

    @property
    def content(self) -> bool:
        return self.upos in OPEN and fold(self.text) not in STOP_WORDS


@dataclass(frozen=True, slots=True)
class Candidate:
    """The words from `start` to `end` of a claim become `new`."""

    start: int
    end: int
    new: str
    score: float


class BuiltinCorrector:
    """Rules over the offline parser. Empty where nothing in the evidence could stand in the place of what it lacks."""

    def __init__(self, parser: Parser | None = None) -> None:
        self._parser = parser or Parser.builtin()

    @property
    def fingerprint(self) -> str:
        return f"{RULES}:{self._parser.fingerprint}"

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        return isolated(tasks, self._propose, failed)

    def _propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        claims = [" ".join(parts_of(task)) for task in tasks]
        evidence = [evidence_of(task) for task in tasks]
        texts = dict.fromkeys(text for text in (*claims, *(text for found in evidence for text in found)) if text)
        parsed = dict(zip(texts, map(tokens, self._parser.parse(list(texts))), strict=True))
        return [
            proposals(parts_of(task), parsed.get(claim, []), [parsed[text] for text in found])
            for task, claim, found in zip(tasks, claims, evidence, strict=True)
        ]


def parts_of(task: CorrectTask) -> list[str]:
    return [slot.text for slot in task.claim.slots] or [task.claim.text]


def evidence_of(task: CorrectTask) -> list[str]:
    """Sentences of the context, best first: the deciding window's, then those that share most words with the claim and
    its sentence, rare words counting more."""
    texts = {passage.id: passage.text for passage in task.passages}
    windows = [item.span.of(texts[item.passage_id]) for item in task.judgement.evidence[:1] if item.passage_id in texts]
    found = [readable(item.span.of(window)) for window in windows for item in sentences(window)]
    indexed = [index(passage) for passage in task.passages]
    wanted = terms(task.claim.text) | terms(readable(task.claim.sentence.of(task.text.text)))
    held = Counter(term for item in indexed for stems in item.stems for term in stems)
    total = 1 + sum(len(item.stems) for item in indexed)
    ranked = sorted(
        (
            (
                -sum(math.log(total / held[term]) for term in wanted & stems),
                number,
                readable(span.of(item.passage.text)),
            )
            for item in indexed
            for number, (span, stems) in enumerate(zip(item.spans, item.stems, strict=True))
        ),
    )
    found += [text for score, _, text in ranked if score < 0]
    return [text for text in dict.fromkeys(found) if text][:EVIDENCE]


def tokens(doc: object) -> list[Token]:
    found = []
    for token in doc:  # type: ignore[attr-defined]
        upos, _, xpos = token.tag_.partition("|")
        key = stem(fold(token.text))
        head = stem(fold(token.head.text))
        found.append(Token(token.text, key, upos, xpos, token.idx, token.idx + len(token.text), token.dep_, head))
    return found


def proposals(parts: Sequence[str], claim: Sequence[Token], evidence: Sequence[Sequence[Token]]) -> list[Proposal]:
    """Whole claims with one place changed, best first."""
    found: dict[tuple[str, ...], float] = {}
    starts = [sum(len(other) + 1 for other in parts[:place]) for place in range(len(parts))]
    for candidate in candidates(claim, evidence):
        place = max(number for number, start in enumerate(starts) if start <= candidate.start)
        part, start, end = parts[place], candidate.start - starts[place], candidate.end - starts[place]
        if end > len(part):
            continue  # it runs over two parts
        new = " ".join(f"{part[:start]}{candidate.new}{part[end:]}".split())
        whole = (*parts[:place], new, *parts[place + 1 :])
        found[whole] = max(found.get(whole, 0.0), candidate.score)
    ranked = sorted(found.items(), key=lambda item: -item[1])
    return [Proposal(whole, score=score) for whole, score in ranked if score >= DARES]


def candidates(claim: Sequence[Token], evidence: Sequence[Sequence[Token]]) -> Iterator[Candidate]:
    known = {token.key for sentence in evidence for token in sentence}
    said = {token.key for token in claim}
    for at, token in enumerate(claim):
        if token.key in known:
            continue
        if (kind := kind_of(token)) is not None:
            for sentence in evidence:
                yield from _same_kind(token, kind, claim, sentence, said)
        elif token.content and token.upos not in NAMES:
            for sentence in evidence:
                yield from _neighbours(claim, at, sentence, said)
    for name in names(claim):
        if not all(token.key in known for token in name):
            for sentence in evidence:
                yield from _other_names(name, sentence, said)


def kind_of(token: Token) -> str | None:
    """What a word can be exchanged for whatever stands around it; None for words that need the same neighbours."""
    word = token.text.lower()
    if word in MONTHS and token.upos in ("PROPN", "NOUN"):
        return "month"
    if word in WEEKDAYS:
        return "weekday"
    if token.upos != "NUM" and not word[:1].isdigit():
        return None
    return "year" if re.fullmatch(r"1[5-9]\d\d|20\d\d", word) else "number"


def _same_kind(
    token: Token, kind: str, claim: Sequence[Token], sentence: Sequence[Token], said: set[str]
) -> Iterator[Candidate]:
    """Numbers, years, months of the evidence; first those that count the same or hang on the same word."""
    score = SCORES["calendar" if kind in ("month", "weekday") else "number"]
    counted = following(claim, token)
    for other in sentence:
        if other.key in said or kind_of(other) != kind:
            continue
        same = (counted is not None and following(sentence, other) == counted) or other.head == token.head
        shape = other.text[:1].isdigit() == token.text[:1].isdigit()
        yield Candidate(token.start, token.end, other.text, score - 0.3 * (not same) - 0.05 * (not shape))


def following(words: Sequence[Token], token: Token) -> str | None:
    """The content word, or sign, behind a number: what it counts."""
    return next(
        (other.key for other in words if other.start >= token.end and (other.content or other.text == "%")), None
    )


def names(words: Sequence[Token]) -> Iterator[list[Token]]:
    """Runs of proper nouns that are no months or weekdays."""
    run: list[Token] = []
    for token in words:
        if token.upos in NAMES and kind_of(token) is None:
            run.append(token)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _other_names(name: Sequence[Token], sentence: Sequence[Token], said: set[str]) -> Iterator[Candidate]:
    for other in names(sentence):
        if all(token.key in said for token in other):
            continue
        shared = len({token.key for token in name} & {token.key for token in other})
        role = 0.1 * (name[-1].relation == other[-1].relation) + 0.1 * (name[-1].head == other[-1].head)
        score = SCORES["name"] + 0.1 * (shared > 0) + role - 0.03 * abs(len(name) - len(other))
        text = "".join(
            token.text + (" " if after is not None and after.start > token.end else "")
            for token, after in zip(other, [*other[1:], None], strict=True)
        )
        yield Candidate(name[0].start, name[-1].end, text, score)


def _neighbours(claim: Sequence[Token], at: int, sentence: Sequence[Token], said: set[str]) -> Iterator[Candidate]:
    """Words of the same part of speech that stand beside, or hang on, what this one stands beside or hangs on."""
    token = claim[at]
    before = next((other.key for other in reversed(claim[:at]) if other.content), None)
    after = next((other.key for other in claim[at + 1 :] if other.content), None)
    for place, other in enumerate(sentence):
        if not other.content or other.key in said or other.xpos != token.xpos:
            continue
        left = next((word.key for word in reversed(sentence[:place]) if word.content), None)
        right = next((word.key for word in sentence[place + 1 :] if word.content), None)
        signs = (
            (before is not None and left == before)
            + (after is not None and right == after)
            + (other.head == token.head and other.relation == token.relation)
        )
        if signs:
            yield Candidate(token.start, token.end, other.text, SCORES["neighbour"] + 0.1 * signs)
