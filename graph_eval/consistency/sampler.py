"""Asks a model the question of a response again: the samples of SelfCheckGPT (arXiv 2303.08896, temperature 0.7 to 1).

Every sample is a request of its own with a number, so that each has its own place in the cache of answers and an
interrupted run goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from graph_eval.llm.client import as_model
from graph_eval.llm.model import LLM, Completion, Request, completed
from graph_eval.llm.prompts import prompt
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.thoughts import answer_of
from graph_eval.settings import Settings
from graph_eval.text.normalise import readable
from graph_eval.types import Example, ItemError

STAGE = "sample"
VERSION = "sample-1"


class Samples(NamedTuple):
    """The texts of the requests that succeeded, and the errors of the others, by the numbers of the samples."""

    texts: dict[int, str]
    errors: dict[int, ItemError]


class Sampler:
    """`model`: a litellm name, a function from a prompt to an answer, or an `LLM`. By name it samples at the setting
    `sample_temperature`."""

    def __init__(self, model: str | Callable[[str], str] | LLM, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        own = settings.replace(temperature=settings.sampling.sample_temperature)
        self.model = as_model(model, own)
        self._arguments = (model if isinstance(model, str) else self.model, settings)
        self._prompt = prompt("sample", settings.llm.prompts)

    def __reduce__(self) -> tuple[Any, ...]:
        return Sampler, self._arguments

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.model.fingerprint}:{self._prompt.fingerprint}"

    def request(self, question: str, passages: Sequence[str] = (), draw: int = 0) -> Request:
        """The request for the sample of that number."""
        messages = self._prompt.messages(question=question, passages=[readable(passage) for passage in passages])
        return Request(messages, draw=draw)

    def sample(self, examples: Sequence[Example], draws: Sequence[Sequence[int]]) -> list[Samples | ItemError]:
        """The samples of these numbers for each record.

        An error for a record without a question, and for one without any sample and without any answer.
        """
        asked = [bool((example.question or "").strip()) for example in examples]
        requests = [
            self.request(example.question or "", [passage.text for passage in example.passages], draw)
            for example, numbers, known in zip(examples, draws, asked, strict=True)
            if known
            for draw in numbers
        ]
        answers = iter(completed(self.model, requests))
        return [
            _samples(example, numbers, [next(answers) for _ in numbers] if known else None)
            for example, numbers, known in zip(examples, draws, asked, strict=True)
        ]


def _samples(
    example: Example, numbers: Sequence[int], answers: Sequence[Completion | ItemError] | None
) -> Samples | ItemError:
    if answers is None:
        hint = 'add the field "question", or "samples" with further answers to it'
        return ItemError(STAGE, "the record has no question to ask again", hint, id=example.id)
    outcomes = dict(zip(numbers, map(text_of, answers), strict=True))
    texts = {draw: outcome for draw, outcome in outcomes.items() if isinstance(outcome, str)}
    errors = {draw: outcome for draw, outcome in outcomes.items() if isinstance(outcome, ItemError)}
    if not texts and not example.samples:
        first = errors[numbers[0]]
        message = f"none of {len(answers)} samples was answered: {first.message}"
        return ItemError(STAGE, message, first.hint, id=example.id)
    return Samples(texts, errors)


def text_of(answer: Completion | ItemError) -> str | ItemError:
    """The answer without the model's thoughts, or the reason why there is none."""
    if isinstance(answer, ItemError):
        return answer
    try:
        return answer_of(answer).text.strip()
    except AnswerError as problem:
        return ItemError(STAGE, f"the model's answer cannot be read: {problem}", answer=answer.text)
