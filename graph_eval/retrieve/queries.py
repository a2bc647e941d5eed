"""The queries of claims and of responses, without a language model.

A claim is asked for without what it says: question, subject and predicate, and of the object only the words for its
kind. A name or a number that the model made up would find passages about itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from graph_eval.retrieve.retriever import Query
from graph_eval.types import Claim, Example

VERSION = "queries-1"
HISTORY = ("history", "messages", "conversation", "chat_history")  # fields of a record


def claim_query(claim: Claim, question: str | None) -> Query:
    """Question, subject, predicate and the words for the object's kind; of a sentence claim question and sentence."""
    if claim.subject is None or claim.predicate is None or claim.object is None:
        return joined(question, claim.text)
    kind = [word for word in claim.object.text.split() if word.islower() and not any(map(str.isdigit, word))]
    return joined(question, claim.subject.text, claim.predicate.text, " ".join(kind))


def other_queries(claim: Claim, question: str | None) -> list[Query]:
    """Further forms for a claim on which nothing was found: what it says itself, then subject and object alone."""
    forms = [Query(claim.text)]
    if claim.subject is not None and claim.object is not None:
        forms.append(joined(claim.subject.text, claim.object.text))
    return [*forms, *([Query(question)] if question else [])]


def response_queries(example: Example) -> list[Query]:
    """The question and the response, each for itself."""
    texts = [example.question or "", example.response]
    return [Query(text) for text in texts if text.strip()]


def joined(*texts: str | None) -> Query:
    return Query(" ".join(text.strip() for text in texts if text and text.strip()))


def history_of(example: Example) -> tuple[tuple[str, str], ...]:
    """The turns of the conversation that a record has, each a role (possibly "") and a text that is not empty.

    They are those of the first field of `HISTORY` that has any.
    """
    for name in HISTORY:
        if isinstance(values := example.meta.get(name), list | tuple):
            turns = tuple(turn for item in values if (turn := _turn(item)) is not None and turn[1].strip())
            if turns:
                return turns
    return ()


def _turn(item: object) -> tuple[str, str] | None:
    if isinstance(item, str):
        return ("", item)
    if isinstance(item, dict) and isinstance(item.get("content"), str):
        return (str(item.get("role") or ""), item["content"])
    if isinstance(item, Sequence) and len(item) == 2 and all(isinstance(part, str) for part in item):
        return (item[0], item[1])
    return None
