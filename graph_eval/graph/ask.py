"""Answers a question in plain words: a language model writes Cypher from the schema, and it runs without writing.

    from graph_eval.graph.ask import ask
    from graph_eval.graph.open import open_graph

    with open_graph("kg") as graph:
        answer = ask(graph, "Which model has the most flagged claims?", "openai/gpt-4o-mini")
    print(answer.cypher, answer.parameters, answer.rows)

The model gets the question and the schema of the graph, and nothing that the graph holds, except what a database quotes
in an error. A query that fails is asked for once more, with the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from graph_eval.errors import GraphEvalError, UsageError
from graph_eval.graph import library
from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.connection import Row
from graph_eval.graph.mistakes import mistake
from graph_eval.graph.patterns import CLAUSES
from graph_eval.graph.rows import refused_number
from graph_eval.graph.schema import EXAMPLES, schema
from graph_eval.graph.tokens import tokens
from graph_eval.llm.answers import body
from graph_eval.llm.client import as_model
from graph_eval.llm.model import LLM, Completion, Request, completed
from graph_eval.llm.prompts import prompt
from graph_eval.llm.questions import LONGEST_ANSWER, Question, read
from graph_eval.llm.scanner import AnswerError
from graph_eval.settings import Settings
from graph_eval.types import ItemError

LONGEST_SHOWN = 500  # characters of an error or of a model's reason
LONGEST_QUERY = 20_000  # characters
MOST_OBJECTS = 20  # of an answer, until one has a query
CYPHER_KEYS = ("cypher", "query")
PARAMETER_KEYS = ("parameters", "params")
FORM = "an object with the keys cypher, parameters and reason"
HINT = "ask in other words, or write the query: graph-eval query FILE.cypher"


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of the query that a model wrote for a question, with the query and the values of its parameters."""

    question: str
    cypher: str
    parameters: Mapping[str, Any]
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Written:
    """What a model answers. `cypher`: "" if it knows no query, for that `reason`."""

    cypher: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""


def ask(
    graph: ClaimGraph,
    question: str,
    model: str | Callable[[str], str] | LLM,
    settings: Settings | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    on_query: Callable[[str, Mapping[str, Any]], object] | None = None,
    on_problem: Callable[[str], object] | None = None,
) -> Answer:
    """The answer to a question in plain words.

    `model`: a litellm name, a function from a prompt to an answer, or an `LLM`. `parameters`: values for the query, of
    which the model gets the names only. `on_query(cypher, parameters)` is called before a query runs, and
    `on_problem(problem)` after the first one failed.

    Raises UsageError for an empty question, and GraphEvalError if the model says that the graph does not hold the
    answer, if its second query fails too, or if it does not answer. A StoreError is raised as it comes.
    """
    if not question.strip():
        raise UsageError("the question is empty", "pass the question as a text")
    settings = settings or Settings()
    given = dict(parameters or {})
    client, repair = as_model(model, settings), prompt("repair_query", settings.llm.prompts)
    messages = prompt("ask_graph", settings.llm.prompts).messages(
        question=question,
        schema=schema().text,
        examples=[library.query(name) for name in EXAMPLES],
        given=[f"${name}" for name in sorted(given)],
    )
    # Without a JSON Schema: those that providers accept have no objects with free keys, as parameters are.
    request = Request(messages)
    problems: list[str] = []
    while True:
        completion = _completed(client, request)
        try:
            written = read(Question(request, lambda answer, _: written_of(answer.text), FORM), completion, False)
            if not written.cypher:
                reason = _line(written.reason) or "the model gave no query"
                raise GraphEvalError(f"the graph does not hold the answer: {reason}", HINT)
            values = _used(written.cypher, {**written.parameters, **given})
            if on_query:
                on_query(written.cypher, values)
            return Answer(question, written.cypher, values, _rows(graph, written.cypher, values))
        except AnswerError as problem:
            problems.append(_line(str(problem)))
        if len(problems) > 1:
            first, second = problems
            raise GraphEvalError(f"the model wrote no query that works. First: {first}. Then: {second}", HINT)
        if on_problem:
            on_problem(problems[0])
        *_, reply = repair.messages(problem=problems[0])
        request = request.followed_by(completion.text, reply.content)


def written_of(answer: str) -> Written:
    """The query in an answer: JSON, or Cypher alone. Raises AnswerError for anything else."""
    text = body(answer)
    value = _object(text)
    if value is None:
        if not any(token.is_word(*CLAUSES, "EXPLAIN", "PROFILE") for token in tokens(text)[:1]):
            raise AnswerError('it is no object with the key "cypher"')
        return Written(text.rstrip("; \n"))
    cypher = next((value[key] for key in CYPHER_KEYS if key in value), None)
    parameters: Any = next((value[key] for key in PARAMETER_KEYS if value.get(key)), {})
    reason = value.get("reason")
    if cypher is not None and not isinstance(cypher, str):
        raise AnswerError('"cypher" is not a text')
    if not isinstance(parameters, dict):
        raise AnswerError('"parameters" is not an object')
    for name, parameter in parameters.items():
        if refused_number(parameter) is not None:
            raise AnswerError(f"the parameter {name} has a number that no database takes")
    plain = {name.lstrip("$"): parameter for name, parameter in parameters.items()}
    return Written((cypher or "").strip().rstrip("; \n"), plain, reason if isinstance(reason, str) else "")


def _object(text: str) -> dict[str, Any] | None:
    """The JSON object in a text that has a query. Line breaks inside its texts are let through."""
    decoder = json.JSONDecoder(strict=False)
    for match in islice(re.finditer(r"\{\s*\"", text), MOST_OBJECTS):
        try:
            value, _ = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        if any(key in value for key in CYPHER_KEYS):
            return dict(value)
    return None


def _completed(model: LLM, request: Request) -> Completion:
    (completion,) = completed(model, [request])
    if isinstance(completion, ItemError):
        raise GraphEvalError(completion.message, completion.hint)
    if len(completion.text) > LONGEST_ANSWER:
        raise GraphEvalError(f"the model's answer has {len(completion.text):,} characters", HINT)
    return completion


def _parameters(cypher: str) -> list[str]:
    """The names of the parameters in a query, in order."""
    return list(dict.fromkeys(token.text.strip("$`") for token in tokens(cypher) if token.kind == "parameter"))


def _used(cypher: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in _parameters(cypher) if name in values}


def _rows(graph: ClaimGraph, cypher: str, values: Mapping[str, Any]) -> list[Row]:
    """The rows of a query that may not write. Raises AnswerError if it is refused or invalid."""
    if len(cypher) > LONGEST_QUERY:
        raise AnswerError(f"the query has {len(cypher):,} characters, more than {LONGEST_QUERY:,}")
    if missing := [name for name in _parameters(cypher) if name not in values]:
        raise AnswerError(f"the parameter ${missing[0]} has no value")
    try:
        if wrong := mistake(cypher):
            raise AnswerError(wrong)
        return graph.query(cypher, values)
    except UsageError as problem:
        # The hint of a refused write names an option, which is no way out here.
        hint = f"; {problem.hint}" if problem.hint and "--write" not in problem.hint else ""
        raise AnswerError(f"{problem.message}{hint}") from problem


def _line(text: str) -> str:
    """A text of a model or of a database as an error shows it: one line without control characters, cut."""
    line = "".join(character if character.isprintable() else " " for character in " ".join(text.split()))
    return line if len(line) <= LONGEST_SHOWN else line[:LONGEST_SHOWN] + "…"
