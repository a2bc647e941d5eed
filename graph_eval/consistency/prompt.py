"""A language model says whether the samples support the response (SelfCheckGPT, section 5.5, and its real-time form).

`prompt:MODEL` asks for each sentence and each sample whether the sample supports the sentence: yes scores 0, no scores
1, anything else 0.5. `prompt-response:MODEL` asks once for the whole response and all samples: how consistent it is,
from 0.00 to 1.00. It gives no score for a sentence.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from graph_eval.consistency.method import STAGE, Consistency, Method, SampleTask, SentenceScore, by_sample
from graph_eval.llm.asking import AskingPart
from graph_eval.llm.model import LLM, Completion, Request, completed
from graph_eval.llm.questions import Question, ask
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.thoughts import answer_of
from graph_eval.registry import method
from graph_eval.settings import OF_LLM, Settings
from graph_eval.types import ItemError

VERSION = "prompt-1"
SCORES = {"yes": 0.0, "no": 1.0}
UNCLEAR = 0.5
ANSWER = re.compile(r"\W*(?:(?:final\s)?answer\W{1,9})?(yes|no)\b", re.IGNORECASE)
OF_ONE = re.compile(r"\s*(?:/|out of)\s*1(?:\.0{1,6})?(?![\d.]*\d)")  # "0.85/1.00"
NUMBER = re.compile(r"(?<![\d.,])(?:0?\.\d{1,6}|[01](?:\.\d{1,6})?)(?![\d%]|[.,]\d)")
MOST = 1.0


class AskingMethod(AskingPart, Method):
    """`model`: a litellm name, a function from a prompt to an answer, or an `LLM`."""

    task: ClassVar[str]

    def __init__(self, model: str | Callable[[str], str] | LLM, settings: Settings | None = None) -> None:
        super().__init__(model, settings or Settings(), self.task)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> AskingMethod:
        return cls(argument or "", settings)

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.model.fingerprint}:{self._prompt.fingerprint}"

    @abstractmethod
    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency | ItemError]: ...


@method("prompt", argument="MODEL", example="prompt:openai/gpt-4o-mini", reads=OF_LLM, extra="llm")
class PromptMethod(AskingMethod):
    """One request for each sentence and sample. A model by its litellm name sends equal ones once."""

    task = "selfcheck_sentence"

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency | ItemError]:
        requests = [
            Request(self._prompt.messages(sample=sample, sentence=sentence))
            for task in tasks
            for sentence in task.own()
            for sample in task.theirs()
        ]
        answers = iter(completed(self.model, requests))
        return [self._task(task, [[next(answers) for _ in task.samples] for _ in task.sentences]) for task in tasks]

    def _task(self, task: SampleTask, answers: Sequence[Sequence[Completion | ItemError]]) -> Consistency | ItemError:
        errors = [answer for row in answers for answer in row if isinstance(answer, ItemError)]
        if errors:
            count = sum(map(len, answers))
            message = f"{len(errors)} of {count} requests failed: {errors[0].message}"
            return ItemError(STAGE, message, errors[0].hint)
        return by_sample(task, [[score(answer) for answer in row if isinstance(answer, Completion)] for row in answers])


def score(answer: Completion) -> float:
    """0 for yes, 1 for no, 0.5 for any other answer."""
    try:
        text = answer_of(answer).text
    except AnswerError:
        return UNCLEAR
    found = ANSWER.match(text)
    return SCORES[found[1].lower()] if found else UNCLEAR


@method("prompt-response", argument="MODEL", example="prompt-response:openai/gpt-4o-mini", reads=OF_LLM, extra="llm")
class PromptResponseMethod(AskingMethod):
    """One request for each response."""

    task = "selfcheck_response"
    stepwise = False

    @property
    def fingerprint(self) -> str:
        return f"{super().fingerprint}:{self._repair.fingerprint}"

    def compare(self, tasks: Sequence[SampleTask]) -> list[Consistency | ItemError]:
        questions = [
            Question(
                Request(
                    self._prompt.messages(
                        samples=[sample.text for sample in task.samples],
                        response=task.text.text,
                        question=task.text.question or "",
                    )
                ),
                lambda answer, _: consistency(answer.text),
                "a number from 0.00 to 1.00",
            )
            for task in tasks
        ]
        answers = ask(self.model, questions, self._repair, STAGE)
        return [
            answer
            if isinstance(answer, ItemError)
            else Consistency(round(1.0 - answer, 6), tuple(SentenceScore(span, None) for span in task.sentences))
            for task, answer in zip(tasks, answers, strict=True)
        ]


def consistency(answer: str) -> float:
    """The number from 0 to 1 in an answer. Raises AnswerError for none, or for several that differ."""
    numbers = {float(match[0]) for match in NUMBER.finditer(OF_ONE.sub("", answer))}
    found = {number for number in numbers if number <= MOST}
    if len(numbers) == len(found) == 1:
        return found.pop()
    if found:
        raise AnswerError(f"it holds {len(numbers)} different numbers")
    raise AnswerError("it holds no number from 0.00 to 1.00")
