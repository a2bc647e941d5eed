"""Several transforms in a row, by their names: "rewrite,multi_query"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_eval.errors import UsageError
from graph_eval.isolation import isolated
from graph_eval.llm.model import LLM
from graph_eval.registry import create
from graph_eval.retrieve.retriever import STAGE, Query
from graph_eval.retrieve.transform.transform import Subject, Transform
from graph_eval.settings import Settings
from graph_eval.types import ItemError


class TransformChain(Transform):
    """Each transform receives the queries of the one before. The first error of a subject is its error."""

    def __init__(self, transforms: Sequence[Transform] = ()) -> None:
        self.transforms = tuple(transforms)
        self.needs_fields = any(part.needs_fields for part in self.transforms)
        self.reads = tuple(dict.fromkeys(name for part in self.transforms for name in part.reads))

    @classmethod
    def named(cls, names: str | None, settings: Settings) -> TransformChain:
        """The chain that the setting `transform` names. Raises UsageError for an unknown name or without a model."""
        if not names:
            return cls()
        listed = [name.strip() for name in names.split(",")]
        if not all(listed):
            raise UsageError(f"transform {names!r}: a name is empty", "write names with a comma between them")
        return cls([as_transform(create("transform", name, settings)) for name in listed])

    @property
    def models(self) -> tuple[LLM, ...]:
        return tuple(model for part in self.transforms for model in part.models)

    @property
    def fingerprint(self) -> str:
        return "+".join(part.fingerprint for part in self.transforms)

    def transform(self, subjects: Sequence[Subject]) -> list[Sequence[Query] | ItemError]:
        found: list[Sequence[Query] | ItemError] = [subject.queries for subject in subjects]
        for part in self.transforms:
            places = [place for place, queries in enumerate(found) if not isinstance(queries, ItemError)]
            current = [replace(subjects[place], queries=tuple(found[place])) for place in places]  # type: ignore[arg-type]
            asked = isolated(STAGE, current, part.transform, _first_text)
            for place, queries in zip(places, asked, strict=True):
                found[place] = _checked(queries, part)
        return found


def _checked(queries: object, part: Transform) -> Sequence[Query] | ItemError:
    """What a transform of any class returned for a subject; an error if it is no list of queries, or an empty one."""
    if isinstance(queries, ItemError):
        return queries
    if isinstance(queries, Sequence) and queries and all(isinstance(query, Query) for query in queries):
        return queries
    what = "no query" if isinstance(queries, Sequence) and not queries else repr(queries)[:80]
    return ItemError(STAGE, f"the transform {type(part).__name__} returned {what}", "return at least one Query")


def _first_text(subject: Subject) -> str:
    return subject.queries[0].text if subject.queries else ""


def as_transform(part: object) -> Transform:
    """Raises UsageError for an object that is no Transform."""
    if isinstance(part, Transform):
        return part
    raise UsageError(f"{part!r} is not a transform", "derive its class from Transform")
