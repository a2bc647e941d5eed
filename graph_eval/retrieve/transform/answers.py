"""Parses answers that hold queries. Nothing is evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graph_eval.consistency.refusals import says_nothing
from graph_eval.llm.answers import body
from graph_eval.llm.scanner import BULLET, AnswerError, Group, Scalar, top_groups

LONGEST_QUERY = 1000  # characters
QUERY_KEYS = ("queries", "query", "questions", "question", "search_query", "search_queries")
LABEL = re.compile(r"^(?:\w+ ){0,3}(?:query|question)(?: \d{1,2})?: *", re.IGNORECASE)  # "Rewritten query: ..."
QUOTED = re.compile(r"^([\"'`])(.*)\1$")
FIELD_KEYS, VALUE_KEYS = ("field", "name", "key"), ("value", "equals")


def queries(answer: str, most: int | None = None) -> list[str]:
    """The first queries of an answer, equal ones once: the texts of its JSON, or its lines. Raises AnswerError.

    `most`: how many of them are used; None: all.
    """
    text = body(answer)
    groups = top_groups(text)
    if not groups and "?" not in text and says_nothing(text) is not None:
        raise AnswerError("it has no query")  # such as "I'm sorry, I can't help with that."
    found = [item for group in groups for item in _texts(group)] if groups else list(_lines(text))
    cleaned = (QUOTED.sub(r"\2", " ".join(item.split()).strip("*")).strip() for item in found)
    texts = list(dict.fromkeys(item for item in cleaned if any(map(str.isalnum, item))))[:most]
    if not texts:
        raise AnswerError("it has no query")
    if too_long := next((item for item in texts if len(item) > LONGEST_QUERY), None):
        raise AnswerError(f"a query has {len(too_long):,} characters, more than {LONGEST_QUERY:,}")
    return texts


def _lines(text: str) -> Iterator[str]:
    """The lines without numbers and labels. A line that only announces the next ones ("Here they are:") is none."""
    for line in text.splitlines():
        bullet = BULLET.match(f"{line} ")
        item = LABEL.sub("", line[bullet.end() if bullet else 0 :].strip().replace("**", ""), count=1)
        if not item.endswith(":"):
            yield item


def conditions(answer: str) -> list[tuple[str, str]]:
    """The fields and values that an answer asks for, possibly none. Raises AnswerError for another form."""
    groups = top_groups(body(answer))
    if not groups:
        raise AnswerError("it has no list of conditions")
    return [pair for group in groups for pair in _conditions(group)]


def _conditions(group: Group) -> Iterator[tuple[str, str]]:
    own = {key.lower(): value for key, value in group.pairs}
    field = next((own[key] for key in FIELD_KEYS if key in own), None)
    value = next((own[key] for key in VALUE_KEYS if key in own), None)
    if isinstance(field, Scalar) and isinstance(value, Scalar):
        yield field.text.strip(), value.text.strip()
        return
    for item in (*group.items, *own.values()):
        if not isinstance(item, Group):
            raise AnswerError("a condition is not an object with a field and a value")
        yield from _conditions(item)


def _texts(item: Any) -> Iterator[str]:
    """The texts of a list, and of an object those of its queries; of one without such a key all of them."""
    if isinstance(item, Scalar):
        yield item.text
        return
    named = [value for key, value in item.pairs if key.lower() in QUERY_KEYS]
    for part in (*item.items, *(named or (value for _, value in item.pairs))):
        yield from _texts(part)
