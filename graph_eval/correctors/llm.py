"""Correctors that ask a language model: by triple, as GraphCorrect does, or directly (arXiv 2407.10793).

`llm`: the flagged claim and its evidence become a corrected claim; our splice writes it back. `graphcorrect`: the
paper's two calls, the triple with the context, then the corrected triple with the response; no request holds both
context and response. `direct`: the paper's baseline, context and response in one call, any word may change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from graph_eval.correctors.corrector import Corrector
from graph_eval.llm.answers import statements, triples
from graph_eval.llm.client import as_model
from graph_eval.llm.model import LLM, Completion, Request
from graph_eval.llm.prompts import Prompt, prompt
from graph_eval.llm.questions import Question, ask
from graph_eval.llm.scanner import AnswerError
from graph_eval.registry import corrector
from graph_eval.settings import OF_LLM, Settings
from graph_eval.text.normalise import readable
from graph_eval.types import Claim, CorrectTask, ItemError, Passage, Proposal

STAGE = "correct"
RULES = "llm-1"
NOT_THERE = re.compile(r"\W*not in the context\W*", re.IGNORECASE)
FENCE = re.compile(r"^\s*<<<.*>>>\s*$", re.MULTILINE)
CODE = re.compile(r"\A\s*```[^\n]*\n(.*?)\n?```\s*\Z", re.DOTALL)
Model = str | Callable[[str], str] | LLM


@corrector("llm", argument="MODEL", example="llm:openai/gpt-4o-mini", reads=OF_LLM, extra="llm")
class LLMCorrector(Corrector):
    """Claim and evidence in, corrected claim out."""

    whole_context = False
    name = "llm"

    def __init__(self, model: Model, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        self.model = as_model(model, settings)
        self._triple = prompt("correct_triple", settings.llm.prompts)
        self._repair = prompt("repair", settings.llm.prompts)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> LLMCorrector:
        return cls(argument or "", settings)

    @property
    def models(self) -> tuple[LLM, ...]:
        return (self.model,)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        return (self._triple, self._repair)

    @property
    def fingerprint(self) -> str:
        return ":".join((self.name, RULES, self.model.fingerprint, *(item.fingerprint for item in self.prompts)))

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        return [item if isinstance(item, ItemError) else [item] for item in self._triples(tasks)]

    def _triples(self, tasks: Sequence[CorrectTask]) -> list[Proposal | ItemError]:
        questions = [self._question(task) for task in tasks]
        return ask(self.model, questions, self._repair, STAGE)

    def _question(self, task: CorrectTask) -> Question[Proposal]:
        parts = parts_of(task.claim)
        context = context_of(task.passages) if self.whole_context else evidence_of(task)
        request = Request(self._triple.messages(parts=parts, passages=context))

        def read(answer: Completion, last: bool) -> Proposal:  # noqa: ARG001
            return Proposal() if NOT_THERE.fullmatch(answer.text) else Proposal(read_parts(answer.text, len(parts)))

        return Question(request, read, f"a list of {len(parts)} strings, or: not in the context")


@corrector("graphcorrect", argument="MODEL", example="graphcorrect:openai/gpt-4o-mini", reads=OF_LLM, extra="llm")
class GraphCorrector(LLMCorrector):
    """The paper's two calls for every flagged claim."""

    whole_context = True
    name = "graphcorrect"

    def __init__(self, model: Model, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        self._text = prompt("correct_text", (settings or Settings()).llm.prompts)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        return (self._triple, self._text, self._repair)

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        first = self._triples(tasks)
        found: list[list[Proposal] | ItemError] = [item if isinstance(item, ItemError) else [item] for item in first]
        second = [
            (
                place,
                Request(self._text.messages(old=task.claim.text, new=" ".join(item.parts), response=task.text.text)),
            )
            for place, (task, item) in enumerate(zip(tasks, first, strict=True))
            if isinstance(item, Proposal) and not item.unsupported
        ]
        questions = [Question(request, _text, "the whole text") for _, request in second]
        answers = ask(self.model, questions, self._repair, STAGE)
        for (place, _), answer in zip(second, answers, strict=True):
            found[place] = answer if isinstance(answer, ItemError) else [answer]
        return found


@corrector("direct", argument="MODEL", example="direct:openai/gpt-4o-mini", reads=OF_LLM, extra="llm")
class DirectCorrector(LLMCorrector):
    """The baseline: one call a response, and any word may change."""

    name = "direct"
    anywhere = True

    def __init__(self, model: Model, settings: Settings | None = None) -> None:
        super().__init__(model, settings)
        self._direct = prompt("correct_direct", (settings or Settings()).llm.prompts)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        return (self._direct, self._repair)

    def propose(self, tasks: Sequence[CorrectTask]) -> list[list[Proposal] | ItemError]:
        questions = [
            Question(
                Request(self._direct.messages(response=task.text.text, passages=context_of(task.passages))),
                _text,
                "the whole corrected text",
            )
            for task in tasks
        ]
        return [
            item if isinstance(item, ItemError) else [item] for item in ask(self.model, questions, self._repair, STAGE)
        ]


def _text(answer: Completion, last: bool) -> Proposal:  # noqa: ARG001
    """A rewritten text: without marker lines and a fence around it."""
    text = FENCE.sub("", answer.text)
    code = CODE.match(text)
    text = (code[1] if code else text).strip()
    if not text:
        raise AnswerError("it holds no text")
    return Proposal(rewritten=text)


def read_parts(answer: str, count: int) -> tuple[str, ...]:
    """The corrected parts. Raises AnswerError where there are more or fewer."""
    if count == 1:
        found = statements(answer)
        if len(found) != 1:
            raise AnswerError(f"it holds {len(found)} sentences instead of one")
        return (found[0],)
    several = triples(answer)
    if len(several) != 1:
        raise AnswerError(f"it holds {len(several)} triples instead of one")
    return several[0]


def parts_of(claim: Claim) -> list[str]:
    return [slot.text for slot in claim.slots] or [claim.text]


def evidence_of(task: CorrectTask) -> list[str]:
    """The sentences that decided, a passage each; all of the context where nothing was read."""
    texts = {passage.id: passage.text for passage in task.passages}
    found = [item.span.of(texts[item.passage_id]) for item in task.judgement.evidence if item.passage_id in texts]
    return [readable(text) for text in dict.fromkeys(found) if text.strip()] or context_of(task.passages)


def context_of(passages: Sequence[Passage]) -> list[str]:
    """All passages, as a reader would see them."""
    return [readable(passage.text) for passage in passages if passage.text.strip()]
