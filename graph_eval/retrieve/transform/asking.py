"""What transforms with a language model share: the prompt, one request for each subject, and the reading of queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from graph_eval.errors import UsageError
from graph_eval.llm.asking import AskingPart
from graph_eval.llm.model import LLM, Completion, Request
from graph_eval.llm.questions import Question, ask
from graph_eval.llm.schemas import TEXT, lists, objects
from graph_eval.registry import Part as Declaration
from graph_eval.retrieve.retriever import STAGE, Query
from graph_eval.retrieve.transform.answers import queries
from graph_eval.retrieve.transform.transform import Subject, Transform
from graph_eval.settings import Settings
from graph_eval.types import ItemError

VERSION = "transform-2"
FORM = '{"queries": ["..."]}'


class AskingTransform(AskingPart, Transform):
    """Asks a model for new queries. `model`: a litellm name, a function from a prompt to an answer, or an `LLM`.

    `task`: the name of the prompt file. `most`: how many queries of an answer are used. Equal requests are sent once.
    """

    declaration: ClassVar[Declaration]
    task: ClassVar[str]
    most: ClassVar[int] = 1
    schema: ClassVar[Mapping[str, Any]] = objects(queries=lists(TEXT))
    form: ClassVar[str] = FORM

    def __init__(self, model: str | Callable[[str], str] | LLM, settings: Settings | None = None) -> None:
        super().__init__(model, settings or Settings(), self.task)

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> AskingTransform:
        """`argument`: the model; without one that of the setting `transform_with`. Raises UsageError without both."""
        model = argument or settings.retrieval.transform_with
        if not model:
            name = cls.declaration.name
            raise UsageError(
                f"the transform {name} needs a language model", f"pass --transform-with MODEL, or {name}:MODEL"
            )
        return cls(model, settings)

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.model.fingerprint}:{self._prompt.fingerprint}:{self._repair.fingerprint}"

    def transform(self, subjects: Sequence[Subject]) -> list[Sequence[Query] | ItemError]:
        """For each subject its new queries, or the error of the request."""
        requests = [self.request(subject) for subject in subjects]
        distinct = {request: subject for request, subject in zip(requests, subjects, strict=True) if request}
        questions: list[Question[list[Query]]] = [
            Question(request, lambda answer, _, subject=subject: self.read(answer, subject), self.form)  # type: ignore[misc]
            for request, subject in distinct.items()
        ]
        asked = ask(self.model, questions, self._repair, STAGE)
        answers = dict(zip(distinct, asked, strict=True))
        found: list[Sequence[Query] | ItemError] = []
        for subject, request in zip(subjects, requests, strict=True):
            answer = None if request is None else answers[request]
            found.append(subject.queries if answer is None else self.result(answer, subject))
        return found

    def request(self, subject: Subject) -> Request | None:
        """The request for a subject. None: its queries stay."""
        return Request(self._prompt.messages(**self.values(subject)), self.schema)

    def values(self, subject: Subject) -> dict[str, Any]:
        """The values of the prompt's variables."""
        return {"query": subject.queries[0].text}

    def read(self, answer: Completion, subject: Subject) -> list[Query]:  # noqa: ARG002
        """The queries of an answer. Raises AnswerError for one without any."""
        return [Query(text) for text in queries(answer.text, self.most)]

    def result(self, answer: Sequence[Query] | ItemError, subject: Subject) -> Sequence[Query] | ItemError:
        """The new queries in place of the first one of the subject, with its conditions on fields. The others stay."""
        found = with_conditions(answer, subject)
        return found if isinstance(found, ItemError) else list(dict.fromkeys([*found, *subject.queries[1:]]))


def with_conditions(answer: Sequence[Query] | ItemError, subject: Subject) -> Sequence[Query] | ItemError:
    """The queries of an answer. They get the conditions of the query that they are made of."""
    if isinstance(answer, ItemError):
        return answer
    return [query._replace(where=subject.queries[0].where) for query in answer]


def with_given(answer: Sequence[Query] | ItemError, subject: Subject) -> Sequence[Query] | ItemError:
    """The queries of the subject and those of the answer, equal ones once."""
    found = with_conditions(answer, subject)
    return found if isinstance(found, ItemError) else list(dict.fromkeys([*subject.queries, *found]))
