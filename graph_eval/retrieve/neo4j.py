"""A full-text index of Neo4j as a corpus: the nodes that match a query best, by Lucene's scores (BM25)."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from typing import TYPE_CHECKING

from graph_eval.errors import UsageError
from graph_eval.graph import library
from graph_eval.registry import retriever
from graph_eval.retrieve.foreign import texts_of
from graph_eval.retrieve.retriever import Query, Retriever
from graph_eval.settings import Settings
from graph_eval.text.normalise import STOP_WORDS
from graph_eval.types import Passage

if TYPE_CHECKING:
    from graph_eval.graph.connection import Connection

VERSION = "neo4j-1"
PROPERTY = "text"
MOST_WORDS = 200  # of a query: Lucene takes 1,024 terms, and a word is one in each property of the index
SYNTAX = re.compile(r"""[+!(){}\[\]^"~*?:\\/&|\0]""")  # of Lucene's queries, but for the hyphen
WIDE = re.compile(r"[\u2e80-\U0003ffff]")  # Chinese, Japanese, Korean: nearly each character is a word


@retriever("neo4j", argument="INDEX[.PROPERTY]", example="neo4j:passages.text")
class Neo4jRetriever(Retriever):
    """`index`: the name of a full-text index on nodes. `property`: that of their texts. The source of a passage is the
    property `source` of its node, or the node's element id. `connection`: None for the server that NEO4J_URI,
    NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE name, which is asked anew at each call.

    The fingerprint knows nothing of the nodes: it stays the same when they change. Raises UsageError without a server,
    and when there is no such index; StoreError if the server cannot be reached.
    """

    def __init__(self, index: str, property: str = PROPERTY, connection: Connection | None = None) -> None:  # noqa: A002
        if connection is None and not os.environ.get("NEO4J_URI"):
            raise UsageError(f"neo4j:{index}: there is no server", "set NEO4J_URI, for example bolt://localhost:7687")
        self.index, self.property = index, property
        self._connection = connection

    @classmethod
    def of(cls, argument: str | None, settings: Settings) -> Neo4jRetriever:  # noqa: ARG003
        index, _, name = (argument or "").partition(".")
        return cls(index, name or PROPERTY)

    @property
    def fingerprint(self) -> str:
        return f"{VERSION}:{self.index}:{self.property}"

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage]]:
        with self._opened() as connection:
            return [self._best(connection, text, k) for text in texts_of(queries)]

    def _opened(self) -> AbstractContextManager[Connection]:
        if self._connection is not None:
            return nullcontext(self._connection)
        from graph_eval.graph.neo4j import Neo4jConnection

        return closing(Neo4jConnection(os.environ["NEO4J_URI"]))

    def _best(self, connection: Connection, text: str, k: int) -> list[Passage]:
        lucene = lucene_query(text)
        if not lucene:
            return []
        params = {"index": self.index, "lucene": lucene, "property": self.property, "limit": k}
        rows = connection.query(library.text("full_text/passages"), params)
        texts = [(row["text"], row["source"]) for row in rows if isinstance(row["text"], str) and row["text"].strip()]
        return [Passage.of(text, str(source)) for text, source in texts]


def lucene_query(text: str) -> str:
    """Any of the words of the text, at most `MOST_WORDS`, without stop words; "" if there is none.

    The analyzer of the index finds the terms in a word, as it did in the nodes: "3.5" and "O'Brien" are one each.
    Nothing is an operator: AND, OR and NOT are stop words, a hyphen is escaped, and other signs separate words.
    """
    words: list[str] = []
    room = MOST_WORDS
    for word in dict.fromkeys(SYNTAX.sub(" ", text).split()):
        wide = len(WIDE.findall(word))
        if wide > room:
            word, wide = word[:room], room
        if any(map(str.isalnum, word)) and word.strip(".,;").casefold() not in STOP_WORDS:
            words.append(word.replace("-", r"\-"))
            room -= max(wide, 1)
        if room <= 0:
            break
    return " ".join(words)
