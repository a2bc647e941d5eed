"""Records with a human label: `label` 1 or inconsistent, 0 or consistent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_eval.formats import files
from graph_eval.formats.records import LIMITS
from graph_eval.settings import LimitSettings
from graph_eval.types import Example, ItemError, content_hash

# Shows the progress of a stream. Arguments: the stream, its length and a name. Returns the items of the stream.
Track = Callable[[Iterator[Any], int, str], Iterable[Any]]
LABELS = {"1": 1, "true": 1, "inconsistent": 1, "0": 0, "false": 0, "consistent": 0}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A set with human labels, read again on each use. `digest` changes with the content and with the limit."""

    name: str
    title: str
    sources: tuple[files.Source, ...]
    renamed: Mapping[str, str]
    limit: int | None = None

    @property
    def digest(self) -> str:
        return content_hash("labelled", files.digest(self.sources), sorted(self.renamed.items()), self.limit)

    def __len__(self) -> int:
        count = files.count(self.sources, self.renamed)
        return count if self.limit is None else min(count, self.limit)

    def __iter__(self) -> Iterator[Example | ItemError]:
        """The examples. A record without a valid label becomes an error with the label."""
        for n, (place, item) in enumerate(files.read_with_places(self.sources, self.renamed)):
            if self.limit is not None and n >= self.limit:
                return
            yield item if isinstance(item, ItemError) or label(item) is not None else _unlabelled(item, place)


def label(example: Example) -> int | None:
    """1: inconsistent, 0: consistent, None: no valid label."""
    value = example.meta.get("label")
    return LABELS.get(str(value).strip().casefold())


def labelled_files(
    names: Sequence[str],
    mapping: Sequence[str],
    limit: int | None = None,
    form: str | None = None,
    limits: LimitSettings = LIMITS,
) -> Labelled:
    """Labelled files of the user, as one set."""
    sources = tuple(files.source(name, form, limits) for name in names)
    title = ", ".join(item.dataset for item in sources)
    return Labelled(title, title, sources, files.field_map(mapping), limit)


def _unlabelled(item: Example, place: str) -> ItemError:
    value = item.meta.get("label")
    hint = "1 or inconsistent, 0 or consistent; --map label=FIELD reads another field"
    message = '"label" is missing' if value is None else f'"label" is {value!r}'
    return ItemError("input", message, hint, place, item.id)
