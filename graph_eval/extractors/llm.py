"""A language model takes the claims from a response; the words behind every part of them are found again.

Three modes, by prompt: `grapheval` builds the graph of GraphEval (arXiv 2407.10793), `triplets` and `subsentences` are
RefChecker's claims (arXiv 2405.14486). One call a response; a long one is read in parts that end with a sentence, and
each part is told which names the parts before spoke of. A request never holds the context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from graph_eval.errors import UsageError
from graph_eval.extractors.asserting import states_something
from graph_eval.extractors.coverage import COVERED, Cover
from graph_eval.extractors.extractor import Extractor, distinct
from graph_eval.llm.answers import statements, triples
from graph_eval.llm.client import as_model
from graph_eval.llm.model import LLM, Completion, Request
from graph_eval.llm.prompts import prompt
from graph_eval.llm.questions import Question, ask
from graph_eval.registry import extractor
from graph_eval.settings import OF_LLM, Settings, choices
from graph_eval.text.locate import locate
from graph_eval.text.normalise import as_sentence, content_words, readable, stem
from graph_eval.text.sentences import over, runs, sentences, words_in
from graph_eval.types import Claim, ItemError, Match, Slot, Span, Text

if TYPE_CHECKING:
    from graph_eval.settings import ExtractMode

RULES = "llm-1"
STAGE = "extract"
MOST_NAMES = 30  # that are carried over into the next part
LONGEST_NAME = 60  # characters
FORMS = {
    "grapheval": '[["subject", "predicate", "object"], ...]',
    "triplets": '[["head", "relation", "tail"], ...]',
    "subsentences": '["sentence", ...]',
}


def _schema(of_item: dict[str, Any]) -> dict[str, Any]:
    claims = {"type": "array", "items": of_item}
    return {
        "type": "object",
        "properties": {"claims": claims},
        "required": ["claims"],
        "additionalProperties": False,
    }


PARTS = ("subject", "predicate", "object")
TRIPLES = _schema(
    {
        "type": "object",
        "properties": {part: {"type": "string"} for part in PARTS},
        "required": list(PARTS),
        "additionalProperties": False,
    }
)
SENTENCES = _schema({"type": "string"})


@dataclass(slots=True)
class Reading:
    """A text on its way through its parts."""

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
class LLMExtractor(Extractor):
    """`model`: a litellm name, a function from a prompt to an answer, or an object that fits the seam.

    Raises UsageError for an unknown mode.
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
            raise UsageError(f"there is no mode {self.mode!r}", f"known: {', '.join(choices('extract_mode'))}")
        self.model = as_model(model, settings)
        self.part_words = settings.llm.part_words
        self._prompt = prompt(f"extract_{self.mode}", settings.llm.prompts)
        self._repair = prompt("repair", settings.llm.prompts)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> LLMExtractor:
        return cls(argument or "", settings=settings)

    @property
    def models(self) -> tuple[LLM, ...]:
        return (self.model,)

    @property
    def fingerprint(self) -> str:
        parts = (RULES, self.mode, self.part_words, self.model.fingerprint)
        return ":".join(map(str, (*parts, self._prompt.fingerprint, self._repair.fingerprint)))

    def extract(self, texts: Sequence[Text]) -> list[list[Claim] | ItemError]:
        readings = [
            Reading(text, [p for p in map(over, runs(text.text, self.part_words, words_in)) if text.in_focus(p)])
            for text in texts
        ]
        while waiting := [item for item in readings if item.parts and item.error is None]:
            asked = [(item, item.parts.pop(0)) for item in waiting]
            questions = [self._question(item, part) for item, part in asked]
            for (item, part), answer in zip(asked, ask(self.model, questions, self._repair, STAGE), strict=True):
                if isinstance(answer, ItemError):
                    item.error = answer
                else:
                    self._take(item, part, answer)
        return [item.error or self._complete(item) for item in readings]

    def _question(self, item: Reading, part: Span) -> Question[Any]:
        values: dict[str, Any] = {"response": part.of(item.text.text), "entities": item.names}
        if self.mode != "grapheval":  # the paper shows the response alone
            values["question"] = item.text.question or ""
        schema = SENTENCES if self.mode == "subsentences" else TRIPLES
        return Question(Request(self._prompt.messages(**values), schema), self._read, FORMS[self.mode])

    def _read(self, answer: Completion, last: bool) -> list[tuple[str, str, str]] | list[str]:  # noqa: ARG002
        return statements(answer.text) if self.mode == "subsentences" else triples(answer.text)

    def _take(self, item: Reading, part: Span, answer: Sequence[Any]) -> None:
        """Claims of a part, their words found in the whole text, its own part first."""
        finder = Finder(item.text, part)
        item.claims += [finder.statement(said) if isinstance(said, str) else finder.triplet(said) for said in answer]
        item.names = carried(item.names, (name for said in answer if not isinstance(said, str) for name in said[::2]))

    def _complete(self, item: Reading) -> list[Claim]:
        """The claims in focus, and every sentence whose words they leave uncovered."""
        text = item.text
        whole = [claim.sentence for claim in item.claims if not claim.slots]
        covered = Cover([*(slot.spans for claim in item.claims for slot in claim.slots), whole])
        found: list[Claim] = [claim for claim in item.claims if text.in_focus(claim.sentence)]
        for sentence in sentences(text.text):
            span = sentence.span
            if not text.in_focus(span) or not states_something(span.of(text.text)):
                continue
            if covered.share(text.text, span) < COVERED:
                found.append(Claim.whole(text.id, readable(span.of(text.text)), span))
        return distinct(found)


def carried(names: Sequence[str], more: Iterable[str]) -> list[str]:
    """What the next part is told: the names that came last, each once."""
    known = dict.fromkeys(names)
    for name in more:
        if any(character.isupper() for character in name) and len(name) <= LONGEST_NAME:
            known.pop(name, None)
            known[name] = None
    return list(known)[-MOST_NAMES:]


class Finder:
    """Finds the words of a claim in the text it came from.

    Found exactly or but for case, quotes and articles: the slot takes the text's own words. Found word by word: the
    slot keeps the model's words and the spans of what was found. Not found: the slot is inferred.
    """

    def __init__(self, text: Text, part: Span) -> None:
        self.text = text
        self.part = part
        self.sentences = [sentence.span for sentence in sentences(text.text) if sentence.span.overlaps(part)] or [part]
        self._words = [frozenset(stems(span.of(text.text))) for span in self.sentences]
        self._last = 0

    def triplet(self, said: Sequence[str]) -> Claim:
        sentence = self._sentence(" ".join(said))
        slots = [self._slot(part, sentence) for part in said]
        return Claim.triplet(
            self.text.id, (slots[0], slots[1], slots[2]), as_sentence(" ".join(part for part in said if part)), sentence
        )

    def statement(self, said: str) -> Claim:
        sentence = self._sentence(said)
        inside = [
            span
            for span in locate("sentence", said, (said,), self.text.text, sentence).spans
            if sentence.start <= span.start and span.end <= sentence.end
        ]
        words = Span(min(span.start for span in inside), max(span.end for span in inside)) if inside else sentence
        return Claim.whole(self.text.id, readable(said), words)

    def _sentence(self, said: str) -> Span:
        """The sentence that shares most words with what was said; of equals the first from where the last claim was."""
        wanted = frozenset(stems(said))
        shared = [len(wanted & words) for words in self._words]
        order = [*range(self._last, len(shared)), *range(self._last)]
        self._last = max(order, key=lambda place: shared[place])
        return self.sentences[self._last]

    def _slot(self, said: str, sentence: Span) -> Slot:
        if not said:
            return Slot("", inferred=True)
        found = locate("slot", said, (said,), self.text.text, sentence)
        if found.match in (Match.EXACT, Match.NORMALISED) and found.spans:
            slot = Slot(said, found.spans)
            return Slot(slot.verbatim(self.text.text), found.spans)
        if found.match is Match.SIMILAR and found.spans:
            return Slot(said, found.spans, resolved=True)
        return Slot(said, inferred=True)


def stems(text: str) -> Iterator[str]:
    return (stem(word) for word, _ in content_words(text))


def alignment(claims: Iterable[Claim]) -> tuple[int, int]:
    """How many slots of triplets have words of their own in the text, and how many slots there are."""
    slots = [slot for claim in claims for slot in claim.slots if slot.text]
    return sum(not slot.inferred for slot in slots), len(slots)
