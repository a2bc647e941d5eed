"""Objects of a user as retrievers: of any class with `retrieve`, those of LangChain and LlamaIndex, and functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from graph_eval.errors import UsageError
from graph_eval.foreign import ForeignPart
from graph_eval.isolation import isolated
from graph_eval.retrieve.retriever import STAGE, Query, Retriever
from graph_eval.types import ItemError, Passage

TEXT_NAMES = ("text", "page_content", "content")  # of a document, in its fields or in its node
SOURCE_NAMES = ("source", "file_path", "file_name", "url")  # of the metadata of a document


class ForeignRetriever(ForeignPart, Retriever):
    """An object of any class with `retrieve(texts, k)`: for each text a list of passages, texts or documents.

    Its `fingerprint`, `reads` and `models` are optional.
    """

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage] | ItemError]:
        return isolated(STAGE, queries, lambda some: self._found(some, k), lambda query: query.text)

    def _found(self, queries: Sequence[Query], k: int) -> list[list[Passage] | ItemError]:
        found = self._call(self.part.retrieve, texts_of(queries), k)
        return [item if isinstance(item, ItemError) else passages_of(item, k) for item in found]


class FunctionRetriever(ForeignPart, Retriever):
    """Asks once for each query: a function from a text and a number to passages, texts or documents.

    `find`: how the object is asked, if it is no such function itself.
    """

    def __init__(self, part: Any, find: Callable[[Any, str, int], Iterable[Any]] | None = None) -> None:
        super().__init__(part)
        self._find = find

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.part, self._find), {"_fingerprint": self._fingerprint}

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Passage] | ItemError]:
        return isolated(
            STAGE,
            queries,
            lambda some: [passages_of(self._asked(text, k), k) for text in texts_of(some)],
            lambda query: query.text,
        )

    def _asked(self, text: str, k: int) -> Iterable[Any]:
        if self._find is None:
            return self._call(self.part, text, k)
        return self._call(self._find, self.part, text, k)


def as_retriever(part: Any) -> Retriever:
    """An object or a function as a retriever. Raises UsageError for anything else, and for a function that cannot be
    called with a text and a number.

    Retrievers of LangChain (`invoke(text)`) and of LlamaIndex (`retrieve(text)`) find as many documents as they are
    configured for; of these the first `k` are used.
    """
    if isinstance(part, Retriever):
        return part
    if isinstance(part, type):
        raise UsageError(f"{part.__name__} is a class, not a retriever", f"pass an object: {part.__name__}(...)")
    if callable(getattr(part, "retrieve", None)):
        return ForeignRetriever(part) if _takes_two(part.retrieve) else FunctionRetriever(part, _retrieve)
    if callable(getattr(part, "invoke", None)):
        return FunctionRetriever(part, _invoke)
    if callable(part):
        if not _takes_two(part):
            raise UsageError(f"{part!r} cannot find passages", "write a function of a text and a number of passages")
        return FunctionRetriever(part)
    raise UsageError(f"{part!r} is not a retriever", "pass a name, an object with .retrieve or .invoke, or a function")


def _retrieve(part: Any, text: str, _: int) -> Iterable[Any]:
    found: Iterable[Any] = part.retrieve(text)
    return found


def _invoke(part: Any, text: str, _: int) -> Iterable[Any]:
    found: Iterable[Any] = part.invoke(text)
    return found


def _takes_two(function: Callable[..., Any]) -> bool:
    """Whether it can be called with two values. A builtin does not tell, and then it is assumed."""
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def texts_of(queries: Sequence[Query]) -> list[str]:
    """The texts of the queries. Raises ValueError for one that asks for values of fields."""
    if asked := next((query.where for query in queries if query.where), None):
        raise ValueError(f"the retriever knows no fields, and the query asks for {dict(asked)}")
    return [query.text for query in queries]


def passages_of(found: Iterable[Any] | None, k: int) -> list[Passage]:
    """The first `k` of what a retriever found, without empty ones. Raises TypeError for what is no list of passages."""
    if found is None:
        return []
    if isinstance(found, str | Passage | Mapping) or not isinstance(found, Iterable):
        raise TypeError(f"the retriever returned a {type(found).__name__} instead of a list of passages")
    passages = map(passage_of, found)
    return list(islice((passage for passage in passages if passage.text.strip()), k))


def passage_of(item: Any) -> Passage:
    """A passage, a text, or a document: an object with a text and `metadata`, or one that holds such a `node`."""
    if isinstance(item, Passage):
        return item
    if isinstance(item, str):
        return Passage.of(item)
    document = getattr(item, "node", item)
    texts = (_value(document, name) for name in TEXT_NAMES)
    text = next((text for text in texts if isinstance(text, str)), None)
    if text is None:
        raise TypeError(f"the retriever found a {type(item).__name__}, which has no text")
    metadata = _value(document, "metadata")
    names = metadata if isinstance(metadata, Mapping) else document if isinstance(document, Mapping) else {}
    source = next((names[name] for name in SOURCE_NAMES if isinstance(names.get(name), str)), None)
    return Passage.of(text, source)


def _value(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
