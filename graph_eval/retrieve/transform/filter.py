"""Makes conditions on the fields of the corpus from a question: only passages with those values are found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from graph_eval.llm.model import Completion, Request
from graph_eval.llm.scanner import AnswerError
from graph_eval.llm.schemas import TEXT, lists, objects
from graph_eval.registry import transform
from graph_eval.retrieve.retriever import Query
from graph_eval.retrieve.transform.answers import conditions
from graph_eval.retrieve.transform.asking import AskingTransform
from graph_eval.retrieve.transform.transform import Subject
from graph_eval.settings import OF_LLM
from graph_eval.types import ItemError


@transform("filter", argument="[MODEL]", reads=("transform_with", *OF_LLM), extra="llm")
class FilterTransform(AskingTransform):
    """The given queries with the conditions that the question states, possibly none."""

    task = "query_filter"
    needs_fields = True
    schema = objects(conditions=lists(objects(field=TEXT, value=TEXT)))
    form: ClassVar[str] = '{"conditions": [{"field": "...", "value": "..."}]}'

    def request(self, subject: Subject) -> Request | None:
        return super().request(subject) if subject.fields else None

    def values(self, subject: Subject) -> dict[str, Any]:
        fields = {name: [str(value) for value in values] for name, values in subject.fields.items()}
        return {"query": subject.question or subject.queries[0].text, "fields": fields}

    def read(self, answer: Completion, subject: Subject) -> list[Query]:
        names = {name.casefold(): name for name in subject.fields}
        found = conditions(answer.text)
        if unknown := next((field for field, _ in found if field.casefold() not in names), None):
            raise AnswerError(f"the corpus has no field {unknown!r}; its fields are {', '.join(subject.fields)}")
        return [Query("", tuple((names[field.casefold()], value) for field, value in found if value))]

    def result(self, answer: Sequence[Query] | ItemError, subject: Subject) -> Sequence[Query] | ItemError:
        """The queries of the subject with the conditions. Subjects with the same question share the answer."""
        if isinstance(answer, ItemError):
            return answer
        (found,) = answer
        return [query._replace(where=found.where or query.where) for query in subject.queries]
