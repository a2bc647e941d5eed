"""Asks a model and reads its answers: one more chance for an answer that cannot be read, then an error with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from graph_eval.llm.model import LLM, Completion, Request
from graph_eval.llm.prompts import Prompt
from graph_eval.llm.scanner import AnswerError
from graph_eval.types import ItemError

Read = TypeVar("Read")
CUT_OFF = "the answer breaks off where the model ran out of tokens"


@dataclass(frozen=True, slots=True)
class Question(Generic[Read]):
    """A request and the reader of its answer: it raises AnswerError for what it cannot read. `last`: there will be no
    better answer, so a reader may take what part of it can be used. `form`: of the answer, in words."""

    request: Request
    read: Callable[[Completion, bool], Read]
    form: str


def ask(model: LLM, questions: Iterable[Question[Read]], repair: Prompt, stage: str) -> list[Read | ItemError]:
    """What was read, or why not, a question each, in order."""
    questions = list(questions)
    found: list[Read | ItemError | None] = [None] * len(questions)
    waiting = [(place, question.request) for place, question in enumerate(questions)]
    for last in (False, True):
        again: list[tuple[int, Request]] = []
        answers = model.complete([request for _, request in waiting]) if waiting else []
        for (place, request), answer in zip(waiting, answers, strict=True):
            if isinstance(answer, ItemError):
                found[place] = replace(answer, stage=stage)
                continue
            try:
                found[place] = read(questions[place], answer, last)
            except AnswerError as problem:
                found[place] = unread(problem, answer, stage)
                *_, reply = repair.messages(problem=str(problem), form=questions[place].form)
                again.append((place, request.followed_by(answer.text, reply.content)))
        waiting = again
    return [item for item in found if item is not None]


def unread(problem: AnswerError, answer: Completion, stage: str) -> ItemError:
    hint = "set --max-tokens higher" if answer.truncated else None
    return ItemError(stage, f"the model's answer cannot be read: {problem}", hint, answer=answer.text)


def read(question: Question[Read], answer: Completion, last: bool) -> Read:
    if answer.truncated:
        raise AnswerError(CUT_OFF)
    return question.read(answer, last)
