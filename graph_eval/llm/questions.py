"""Asks a model and parses its answers. An answer that cannot be parsed is requested once more, then it is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from graph_eval.llm.model import LLM, Completion, Request, completed
from graph_eval.llm.prompts import Prompt
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.thoughts import answer_of
from graph_eval.types import ItemError

Read = TypeVar("Read")
CUT_OFF = "the answer breaks off where the model ran out of tokens"
LONGEST_ANSWER = 2_000_000  # characters: a longer one is not read, and not asked for again
LONGEST_KEPT = 20_000  # characters of an answer in its error
MARKER = re.compile(r"^<<<(?P<name>[^<>\n]{1,60}) (?P<marker>[0-9a-f]{24})>>>$", re.MULTILINE)  # of llm.prompts.Fence
LEAST_ECHO = 60  # characters of a line of the instructions that no answer has by chance


@dataclass(frozen=True, slots=True)
class Question(Generic[Read]):
    """A request and the parser of its answer.

    `read(answer, last)` raises AnswerError for an answer that it cannot parse. `last`: no further attempt follows, so
    it may return the usable part of an answer. `form`: the expected form of the answer, in words.
    """

    request: Request
    read: Callable[[Completion, bool], Read]
    form: str


def ask(model: LLM, questions: Iterable[Question[Read]], repair: Prompt, stage: str) -> list[Read | ItemError]:
    """One parsed answer for each question, or its error, in order.

    `repair`: the prompt that asks for an answer once more. `stage`: the stage that the errors name.
    """
    questions = list(questions)
    outputs: list[Read | ItemError | None] = [None] * len(questions)
    pending = [(place, question.request) for place, question in enumerate(questions)]
    for last in (False, True):
        repairs: list[tuple[int, Request]] = []
        answers = completed(model, [request for _, request in pending])
        for (place, request), answer in zip(pending, answers, strict=True):
            if isinstance(answer, ItemError):
                outputs[place] = replace(answer, stage=stage)
                continue
            if len(answer.text) > LONGEST_ANSWER:
                problem = AnswerError(
                    f"it has {len(answer.text):,} characters, more than the {LONGEST_ANSWER:,} allowed"
                )
                outputs[place] = unreadable(problem, answer, stage)
                continue
            try:
                outputs[place] = read(questions[place], answer, last)
            except AnswerError as problem:
                outputs[place] = unreadable(problem, answer, stage)
                *_, reply = repair.messages(problem=str(problem), form=questions[place].form)
                repairs.append((place, request.followed_by(answer.text, reply.content)))
        pending = repairs
    return [output for output in outputs if output is not None]


def unreadable(problem: AnswerError, answer: Completion, stage: str) -> ItemError:
    """The error of an answer that cannot be parsed. Its field `answer` is the beginning of the raw answer."""
    hint = "increase --max-tokens" if answer.truncated else None
    return ItemError(stage, f"the model's answer cannot be read: {problem}", hint, answer=answer.text[:LONGEST_KEPT])


def read(question: Question[Read], answer: Completion, last: bool) -> Read:
    """The parsed answer. Raises AnswerError for one that is cut off or cannot be parsed."""
    if answer.truncated:
        raise AnswerError(CUT_OFF)
    if echoes(question.request, answer.text):
        raise AnswerError("it repeats the instructions")
    return question.read(answer_of(answer), last)


def echoes(request: Request, answer: str) -> bool:
    """Whether an answer repeats a line of the instructions, whose examples would be read as claims, or the marker of
    a text. The first marker of a request is ours: what stands before it is no text of a stranger."""
    marker = next((found for message in request.messages if (found := MARKER.search(message.content))), None)
    if marker and marker["name"] != "text" and marker["marker"] in answer:  # models put a text between its markers
        return True
    lines = (
        line.strip()
        for message in request.messages
        if message.role == "system"
        for line in message.content.splitlines()
    )
    return any(len(line) >= LEAST_ECHO and line in answer for line in lines)
