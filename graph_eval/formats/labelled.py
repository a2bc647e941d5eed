"""Records with a human label: `label` 1 or inconsistent, 0 or consistent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from graph_eval.formats import files
from graph_eval.formats.records import LIMITS, RecordError, example, failed
from graph_eval.settings import LimitSettings
from graph_eval.types import Example, ItemError, content_hash

# Shows the progress of a stream. Arguments: the stream, its length and a name. Returns the items of the stream.
Track = Callable[[Iterator[Any], int, str], Iterable[Any]]
# The records of a set whose files have another format: each with its place.
Reader = Callable[[], Iterator[tuple[str, Mapping[str, Any]]]]
MOST_NAMED = 3  # files in the name of a set
LABELS = {"1": 1, "true": 1, "inconsistent": 1, "0": 0, "false": 0, "consistent": 0}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A set with human labels, read again on each use. `digest` changes with the content, the limit and the part.

    `part`: only records with this value of `split`, None: all. `limit`: the maximum number of them. `read`: makes the
    records of `sources`, None: their rows are records.
    """

    name: str
    title: str
    sources: tuple[files.Source, ...]
    renamed: Mapping[str, str]
    limit: int | None = None
    part: str | None = None
    read: Reader | None = None

    @property
    def digest(self) -> str:
        part = () if self.part is None else (self.part,)
        return content_hash("labelled", files.digest(self.sources), sorted(self.renamed.items()), self.limit, *part)

    def __len__(self) -> int:
        if self.part is not None or self.read is not None:
            return sum(1 for _ in self._kept())
        count = files.count(self.sources, self.renamed)
        return count if self.limit is None else min(count, self.limit)

    def __iter__(self) -> Iterator[Example | ItemError]:
        """The examples. A record without a valid label becomes an error with the label."""
        for place, item in self._kept():
            yield item if isinstance(item, ItemError) or label(item) is not None else _unlabelled(item, place)

    def _kept(self) -> Iterator[tuple[str, Example | ItemError]]:
        """The records of the part, errors too, up to the limit."""
        records = files.read_with_places(self.sources, self.renamed) if self.read is None else self._made(self.read)
        of_part = (
            (place, item)
            for place, item in records
            if self.part is None or isinstance(item, ItemError) or item.meta.get("split") == self.part
        )
        return islice(of_part, self.limit)

    def _made(self, read: Reader) -> Iterator[tuple[str, Example | ItemError]]:
        for number, (place, record) in enumerate(read(), 1):
            try:
                yield place, example(record, number, self.name)
            except RecordError as problem:
                yield place, failed(problem, place, record)


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
    sources = tuple(files.sources(names, form, limits))
    title = ", ".join(item.dataset for item in sources[:MOST_NAMED])
    title += f" and {len(sources) - MOST_NAMED} more" * (len(sources) > MOST_NAMED)
    return Labelled(title, title, sources, files.field_map(mapping), limit)


def _unlabelled(item: Example, place: str) -> ItemError:
    value = item.meta.get("label")
    hint = "1 or inconsistent, 0 or consistent; --map label=FIELD reads another field"
    message = '"label" is missing' if value is None else f'"label" is {value!r}'
    return ItemError("input", message, hint, place, item.id)
