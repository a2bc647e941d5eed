"""Asks a model and reads its answers: one more chance for an answer that cannot be read, then an error with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from graph_eval.llm.prompts import Prompt
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.seam import LLM, Completion, Request
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
    again: list[tuple[int, Request]] = []
    for place, answer in enumerate(model.complete([question.request for question in questions])):
        question = questions[place]
        if isinstance(answer, ItemError):
            found[place] = replace(answer, stage=stage)
            continue
        try:
            found[place] = read(question, answer, last=False)
        except AnswerError as problem:
            *_, reply = repair.messages(problem=str(problem), form=question.form)
            again.append((place, question.request.followed_by(answer.text, reply.content)))
    if again:
        for (place, _), answer in zip(again, model.complete([request for _, request in again]), strict=True):
            if isinstance(answer, ItemError):
                found[place] = replace(answer, stage=stage)
                continue
            try:
                found[place] = read(questions[place], answer, last=True)
            except AnswerError as problem:
                hint = "set --max-tokens higher" if answer.truncated else None
                found[place] = ItemError(
                    stage, f"the model's answer cannot be read: {problem}", hint, answer=answer.text
                )
    return [item for item in found if item is not None]


def read(question: Question[Read], answer: Completion, last: bool) -> Read:
    if answer.truncated:
        raise AnswerError(CUT_OFF)
    return question.read(answer, last)
