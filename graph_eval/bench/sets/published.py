"""The labelled sets that the benchmarks read. None of them is part of this package. Each has its own licence.

A set is a file in the data folder: JSON lines with `id`, `context`, `response` and `label` (1: inconsistent with the
context, 0: consistent), whose rows are counted; or it is in the format of its originals (`originals.py`). Benchmark
sets are only for measuring. Training and the choice of thresholds use the development sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graph_eval.bench.sets.catalogue import PUBLISHED, PublishedSet
from graph_eval.bench.sets.originals import ORIGINALS
from graph_eval.bench.sets.refchecker import FOLDER, original_files, read_answers
from graph_eval.bench.sets.rows import rows
from graph_eval.errors import InputError, UsageError
from graph_eval.extractors.wording import as_sentence
from graph_eval.formats import files
from graph_eval.formats.labelled import Labelled, Reader
from graph_eval.types import Label

ALL = "all"  # the part that is the whole file
LABELS = {0: 0, 1: 1}
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """How a set lies in the data folder. `counted`: its counts are known. `part`: the one that is read by default.

    `parts`: those that the files have.
    """

    files: tuple[Path, ...]
    read: Reader
    counted: bool
    part: str | None
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """Rows of a set as it lies in the data folder, and those that are inconsistent. `original`: in its own format."""

    rows: int
    inconsistent: int
    original: bool


def published_set(
    data: Path, name: str, limit: int | None = None, part: str | None = None, counted: bool | None = None
) -> Labelled:
    """A published set in the folder `data`. `part`: one of its parts, ALL, or None: its default part.

    All rows are checked first, and with `counted` their number: by default where no limit is given. Raises InputError
    for a file that does not exist or is another one, with what was expected, and UsageError for a part that the set
    does not have.
    """
    layout = _layout(data, name)
    part = layout.part if part is None else part
    if part not in (None, ALL, *layout.parts):
        known = ", ".join((*layout.parts, ALL))
        raise UsageError(f"{name} has no part {part!r}", f"known parts of {layout.files[0]}: {known}")
    counts = _counts(layout)
    if layout.counted and (limit is None if counted is None else counted):
        require_counts(name, counts, layout.files[0])
    sources = tuple(replace(files.source(str(path)), dataset=name) for path in layout.files)
    return Labelled(name, PUBLISHED[name].title, sources, {}, limit, None if part == ALL else part, layout.read)


def counts(data: Path, name: str) -> Counts:
    """What the folder has of a set. Raises InputError as `published_set` does."""
    layout = _layout(data, name)
    found = _counts(layout)
    if layout.counted:
        require_counts(name, found, layout.files[0])
    return found


def require_counts(name: str, found: Counts, path: Path) -> None:
    """Raises InputError if the file has other counts than the one that figures are reported on."""
    published = PUBLISHED[name]
    if (found.rows, found.inconsistent) != (published.rows, published.inconsistent):
        raise InputError(
            f"{path} has {found.rows:,} rows, {found.inconsistent:,} inconsistent; "
            f"expected {published.rows:,} rows, {published.inconsistent:,} inconsistent",
            "it is cut off or another version: get the whole file, or read a part of it with --limit N",
        )


def title_of(name: str) -> str:
    """The title of a published set, or the name of another."""
    return PUBLISHED[name].title if name in PUBLISHED else name


def _counts(layout: Layout) -> Counts:
    labels = [record["label"] for _, record in layout.read()]
    return Counts(len(labels), sum(labels), not layout.counted)


def _layout(data: Path, name: str) -> Layout:
    """Raises InputError with the origin if the folder has nothing of the set."""
    published = PUBLISHED[name]
    path, original = data / published.path, ORIGINALS.get(name)
    if path.is_file():
        read = _claims(data) if name == "refchecker" else _joined(path, published)
        return Layout((path,), read, True, published.part, published.parts)
    if name == "refchecker" and (found := original_files(data)):
        return Layout(tuple(found), _claims(data), False, None, ())
    if original is not None and (found := original.files(data)):
        return Layout(tuple(found), lambda: original.read(data, published.origin), False, original.part, original.parts)
    if original:
        known = f", or the original {data / original.folder / original.pattern}"
    else:
        known = f", or the originals in {data / FOLDER}" if name == "refchecker" else ""
    raise InputError(
        f"{path} does not exist{known}",
        f"download it from {published.origin} into the --data folder"
        + ("" if known else "; the format of the original is not read"),
    )


def _joined(path: Path, published: PublishedSet) -> Reader:
    """The records of a file of the data folder."""

    def read() -> Iterator[tuple[str, Record]]:
        for row in rows(path, published.origin):
            row.text("response")
            row.one_of("label", LABELS)
            if not isinstance(row.value("context"), str):
                row.texts("context")
            if published.parts:
                row.one_of("split", {part: part for part in published.parts})
            yield row.place, row.fields

    return read


def _claims(data: Path) -> Reader:
    """RefChecker's triplets as sentences, each with the passages of its answer."""

    def read() -> Iterator[tuple[str, Record]]:
        for answer in read_answers(data):
            for one in answer.triplets:
                yield (
                    answer.id,
                    {
                        "id": f"{answer.id}/{one.index}",
                        "context": [passage.text for passage in answer.passages],
                        "question": answer.question,
                        "response": as_sentence(" ".join(one.triplet)),
                        "model": answer.model,
                        "label": int(one.label is not Label.ENTAILMENT),
                        "human_label": one.label.value,
                        "triplet": list(one.triplet),
                        "setting": answer.setting,
                    },
                )

    return read
