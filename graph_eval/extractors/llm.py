"""A language model extracts the claims, and each part of a claim is aligned with the words of the response.

The mode selects the prompt: `grapheval` builds the graph of GraphEval (arXiv 2407.10793), `triplets` and
`subsentences` are the claims of RefChecker (arXiv 2405.14486). There is one request for each response. A long response
is split into parts of whole sentences with one request each, which also names the entities of the parts before it. No
request contains the context.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from graph_eval.errors import UsageError
from graph_eval.extractors.coverage import MIN_COVERAGE, Coverage
from graph_eval.extractors.extractor import Extractor, distinct
from graph_eval.extractors.statement import states_something
from graph_eval.extractors.wording import as_sentence, joined
from graph_eval.llm.answers import numbered_statements, numbered_triples
from graph_eval.llm.asking import AskingPart
from graph_eval.llm.model import LLM, Completion, Request
from graph_eval.llm.questions import Question, ask
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.schemas import TEXT, lists, objects
from graph_eval.registry import extractor
from graph_eval.settings import OF_LLM, Settings, choices
from graph_eval.text.locate import locate
from graph_eval.text.normalise import content_words, readable, stem
from graph_eval.text.sentences import over, runs, sentences, words_in
from graph_eval.types import PARTS, Claim, ItemError, Match, Slot, Span, Text

if TYPE_CHECKING:
    from graph_eval.settings import ExtractMode

VERSION = "llm-2"  # part of the fingerprint
STAGE = "extract"
MARK = re.compile(r"\[S\d+\]\s*")  # of a sentence's number
MAX_NAMES = 30  # in the request for the next part
MAX_NAME_LENGTH = 60  # characters
FORMS = {
    "grapheval": '[[1, "subject", "predicate", "object"], ...]',
    "triplets": '[[1, "head", "relation", "tail"], ...]',
    "subsentences": '[[1, "sentence"], ...]',
}
NUMBER: dict[str, Any] = {"type": "integer"}
TRIPLES = objects(claims=lists(objects(number=NUMBER, **dict.fromkeys(PARTS, TEXT))))
SENTENCES = objects(claims=lists(objects(number=NUMBER, sentence=TEXT)))


@dataclass(slots=True)
class Extraction:
    """The extraction of one text: the parts that are left, and the claims and names so far."""

    text: Text
    parts: list[Span]
    claims: list[Claim] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    error: ItemError | None = None


@extractor(
    "llm",
    argument="MODEL",
    example="llm:openai/gpt-4o-mini",
    reads=(*OF_LLM, "extract_mode", "part_words"),
    extra="llm",
)
class LLMExtractor(AskingPart, Extractor):
    """`model`: a litellm name, a function from a prompt to an answer, or an `LLM`.

    Raises UsageError for an unknown mode. A pickled extractor holds its arguments and is made anew from them.
    """

    def __init__(
        self,
        model: str | Callable[[str], str] | LLM,
        mode: ExtractMode | None = None,
        settings: Settings | None = None,
    ) -> None:
        settings = settings or Settings()
        self.mode = mode or settings.llm.extract_mode
        if self.mode not in choices("extract_mode"):
            raise UsageError(f"unknown mode {self.mode!r}", f"known modes: {', '.join(choices('extract_mode'))}")
        self.part_words = settings.llm.part_words
        super().__init__(model, settings, f"extract_{self.mode}", (mode,))

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> LLMExtractor:
        return cls(argument or "", settings=settings)

    @property
    def fingerprint(self) -> str:
        parts = (VERSION, self.mode, self.part_words, self.model.fingerprint)
        return ":".join(map(str, (*parts, self._prompt.fingerprint, self._repair.fingerprint)))

    def extract(self, texts: Sequence[Text]) -> list[list[Claim] | ItemError]:
        extractions = [
            Extraction(text, [p for p in map(over, runs(text.text, self.part_words, words_in)) if text.in_focus(p)])
            for text in texts
        ]
        while unfinished := [extraction for extraction in extractions if extraction.parts and not extraction.error]:
            parts = [(extraction, Aligner(extraction.text, extraction.parts.pop(0))) for extraction in unfinished]
            questions = [self._question(extraction, aligner) for extraction, aligner in parts]
            answers = ask(self.model, questions, self._repair, STAGE)
            for (extraction, aligner), answer in zip(parts, answers, strict=True):
                if isinstance(answer, ItemError):
                    extraction.error = answer
                else:
                    self._add(extraction, aligner, answer)
        return [extraction.error or self._complete(extraction) for extraction in extractions]

    def _question(self, extraction: Extraction, aligner: Aligner) -> Question[Any]:
        response = aligner.part.of(extraction.text.text)
        values: dict[str, Any] = {"response": response, "numbered": aligner.numbered, "entities": extraction.names}
        if self.mode != "grapheval":  # the paper's prompt contains the response alone
            values["question"] = extraction.text.question or ""
        schema = SENTENCES if self.mode == "subsentences" else TRIPLES

        def read(answer: Completion, last: bool) -> list[tuple[int | None, Any]]:  # noqa: ARG001
            read_claims = numbered_statements if self.mode == "subsentences" else numbered_triples
            claims = read_claims(answer.text)
            for number, _ in claims:
                if number is not None and not 1 <= number <= len(aligner.sentences):
                    raise AnswerError(f"there is no sentence {number}")
            if MARK.search(response):  # marks of the response's own
                return list(claims)
            return [(number, _unmarked(claim)) for number, claim in claims]

        return Question(Request(self._prompt.messages(**values), schema), read, FORMS[self.mode])

    def _add(self, extraction: Extraction, aligner: Aligner, answer: Sequence[tuple[int | None, Any]]) -> None:
        """Adds the claims and names of a part. `answer`: numbers of sentences, and triples of texts or sentences."""
        for number, claim in answer:
            align = aligner.statement if isinstance(claim, str) else aligner.triplet
            extraction.claims.append(align(claim, number))
        triples = [claim for _, claim in answer if not isinstance(claim, str)]
        extraction.names = carried(extraction.names, (name for triple in triples for name in triple[::2]))

    def _complete(self, extraction: Extraction) -> list[Claim]:
        """The claims in focus, and every sentence whose words they leave uncovered."""
        text = extraction.text
        whole = [claim.sentence for claim in extraction.claims if not claim.slots]
        coverage = Coverage([*(slot.spans for claim in extraction.claims for slot in claim.slots), whole])
        claims = [claim for claim in extraction.claims if text.in_focus(claim.sentence)]
        for sentence in sentences(text.text):
            span = sentence.span
            if not text.in_focus(span) or not states_something(span.of(text.text)):
                continue
            if coverage.share(text.text, span) < MIN_COVERAGE:
                claims.append(Claim.whole(text.id, readable(span.of(text.text)), span))
        return distinct(claims)


def _unmarked(claim: Any) -> Any:
    """A triple of texts or a sentence without the numbers that models copy from the prompt."""
    return MARK.sub("", claim) if isinstance(claim, str) else tuple(MARK.sub("", part) for part in claim)


def carried(names: Sequence[str], more: Iterable[str]) -> list[str]:
    """The names for the request of the next part: the latest MAX_NAMES, each once, the last one last.

    A name has a capital letter and at most MAX_NAME_LENGTH characters.
    """
    latest = dict.fromkeys(names)
    for name in more:
        if any(character.isupper() for character in name) and len(name) <= MAX_NAME_LENGTH:
            latest.pop(name, None)
            latest[name] = None
    return list(latest)[-MAX_NAMES:]


class Aligner:
    """Aligns the claims of one part of a text with the words of the text.

    A slot whose words are found exactly, or except for case, quotes and articles, takes the words of the text. A slot
    that is found word by word keeps the model's words and the spans of those that were found (`resolved`). Any other
    slot is `inferred`. Claims are expected in the order of the text.
    """

    def __init__(self, text: Text, part: Span) -> None:
        self.text = text
        self.part = part
        self.sentences = [sentence.span for sentence in sentences(text.text) if sentence.span.overlaps(part)] or [part]
        self._stems = [frozenset(stems(span.of(text.text))) for span in self.sentences]
        self._last = 0

    @property
    def numbered(self) -> str:
        """The part, with a number before each of its sentences."""
        found, end = [], self.part.start
        for number, span in enumerate(self.sentences, 1):
            found += [self.text.text[end : span.start], f"[S{number}] ", span.of(self.text.text)]
            end = span.end
        return "".join(found)

    def triplet(self, triple: Sequence[str], number: int | None = None) -> Claim:
        """The claim of a subject, a predicate and an object. `number`: of its sentence, if the model names it."""
        sentence = self._sentence(" ".join(triple), number)
        slots = [self._slot(part, sentence) for part in triple]
        return Claim.triplet(self.text.id, (slots[0], slots[1], slots[2]), as_sentence(joined(triple)), sentence)

    def statement(self, words: str, number: int | None = None) -> Claim:
        """The claim of a sentence that the model wrote."""
        sentence = self._sentence(words, number)
        inside = [
            span
            for span in locate("sentence", words, (words,), self.text.text, sentence).spans
            if sentence.start <= span.start and span.end <= sentence.end
        ]
        span = Span(min(span.start for span in inside), max(span.end for span in inside)) if inside else sentence
        return Claim.whole(self.text.id, readable(words), span)

    def _sentence(self, words: str, number: int | None) -> Span:
        """The sentence with this number, if it shares a word; models miscount.

        Else the one that shares the most words; among equals, the first one from the last claim's sentence on.
        """
        claim_stems = frozenset(stems(words))
        if number is not None and claim_stems & self._stems[number - 1]:
            self._last = number - 1
            return self.sentences[self._last]
        shared = [len(claim_stems & sentence_stems) for sentence_stems in self._stems]
        order = [*range(self._last, len(shared)), *range(self._last)]
        self._last = max(order, key=lambda place: shared[place])
        return self.sentences[self._last]

    def _slot(self, words: str, sentence: Span) -> Slot:
        if not words:
            return Slot("", inferred=True)
        location = locate("slot", words, (words,), self.text.text, sentence)
        if location.match in (Match.EXACT, Match.NORMALISED) and location.spans:
            slot = Slot(words, location.spans)
            return Slot(slot.verbatim(self.text.text), location.spans)
        if location.match is Match.SIMILAR and location.spans:
            return Slot(words, location.spans, resolved=True)
        return Slot(words, inferred=True)


def stems(text: str) -> Iterator[str]:
    """The stems of the content words, in order."""
    return (stem(word) for word, _ in content_words(text))


def alignment(claims: Iterable[Claim]) -> tuple[int, int]:
    """The number of slots that are aligned with words of the text, and the number of slots that are not empty."""
    slots = [slot for claim in claims for slot in claim.slots if slot.text]
    return sum(not slot.inferred for slot in slots), len(slots)
