"""Texts with an error, and the same texts as people wrote or corrected them.

A hunk is a run of words in which a text differs from the right one. A core hunk has content words, and no consistent
text with the same original has it. Three published sets have such pairs:

* SummEdits (arXiv 2305.14540): a summary before it was falsified. A hash of the context splits its documents into
  halves. Half "a" is for training and for choosing settings, half "b" for reported figures.
* DeFacto (arXiv 2212.10397): summaries of news by a system, and the correction that a person wrote.
* BUMP (arXiv 2212.09955): summaries of news, and the one error that a person put into each of them.

DeFacto and BUMP are split by article: "train" is for training, "dev" for choosing settings and for reported figures of
development.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from graph_eval.bench.sets import published_set
from graph_eval.correctors.splice import changes
from graph_eval.errors import UsageError
from graph_eval.formats.labelled import label
from graph_eval.text.normalise import content_words, fold, words
from graph_eval.text.sentences import sentences
from graph_eval.types import Example, Span, content_hash

PARTS = {"summedits": ("a", "b"), "defacto": ("train", "dev"), "bump": ("train", "dev")}
CORRECTED = "-fix"  # end of the id of a corrected summary of DeFacto
REFERENCE = "-ref"  # and of a summary of BUMP before the error was put in
HunkKey = tuple[tuple[str, ...], tuple[str, ...]]


class Hunk(NamedTuple):
    """A difference between a text and the right one.

    `span`: the place in the text. `old`: its folded words. `new`: those of the right text.
    """

    span: Span
    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def key(self) -> HunkKey:
        return self.old, self.new

    @property
    def content(self) -> bool:
        return bool(content_words(" ".join((*self.old, *self.new))))


@dataclass(frozen=True, slots=True)
class Case:
    """A text with the right one. `label` 1: the text has an error. `kinds`: of the error, as the set names them.

    `harmless`: hunks of consistent texts with the same original.
    """

    example: Example
    label: int
    original: str
    kinds: tuple[str, ...] = ()
    harmless: frozenset[HunkKey] = frozenset()

    def hunks(self, text: str) -> list[Hunk]:
        """The core hunks of a version of the text."""
        return [hunk for hunk in hunks(text, self.original) if hunk.content and hunk.key not in self.harmless]

    def keys(self, text: str) -> Counter[HunkKey]:
        return Counter(hunk.key for hunk in self.hunks(text))


def hunks(text: str, original: str) -> list[Hunk]:
    """Runs of differing words. Case, quotes and marks are ignored."""
    differing = []
    for start, end, new in changes(text, original):
        old_words, new_words = _folded(text[start:end]), _folded(new)
        if old_words != new_words:
            differing.append(Hunk(Span(start, end), old_words, new_words))
    return differing


def _folded(text: str) -> tuple[str, ...]:
    return tuple(fold(word) for word, _ in words(text))


def cases(data: Path, name: str, part: str, limit: int | None = None) -> list[Case]:
    """The texts of one part of a set, in the order of the file: those with an error, and consistent ones.

    Raises UsageError for a part that the set does not have.
    """
    if part not in PARTS[name]:
        raise UsageError(f"{name} has no part {part!r}", f"known parts: {', '.join(PARTS[name])}")
    by_hash = name == "summedits"
    found = published_set(data, name, part=None if by_hash else part, counted=limit is None)
    examples = [item for item in found if isinstance(item, Example)]
    return (_falsified(examples, part) if by_hash else _corrected(examples))[:limit]


def _falsified(examples: Sequence[Example], half: str) -> list[Case]:
    examples = [item for item in examples if half_of(item) == half]
    harmless: dict[str, set[Any]] = defaultdict(set)
    for item in examples:
        if label(item) == 0:
            original = str(item.meta["original_summary"])
            harmless[original].update(hunk.key for hunk in hunks(item.response, original))
    found = []
    for item in examples:
        original = str(item.meta["original_summary"])
        kinds = tuple(item.meta.get("edit_types") or ())
        found.append(Case(item, label(item) or 0, original, kinds, frozenset(harmless[original])))
    return found


def _corrected(examples: Sequence[Example]) -> list[Case]:
    """A text with an error, whose right version is a record of its own, and each consistent text."""
    references: dict[tuple[str, ...], list[str]] = defaultdict(list)
    corrections: dict[str, str] = {}
    for item in examples:
        if item.id.endswith(CORRECTED):
            corrections[item.id.removesuffix(CORRECTED)] = item.response
        elif item.id.endswith(REFERENCE):
            references[tuple(passage.id for passage in item.passages)].append(item.response)
    found = []
    for item in examples:
        if label(item) == 0:
            found.append(Case(item, 0, item.response))
            continue
        known = [corrections[item.id]] if item.id in corrections else references[tuple(p.id for p in item.passages)]
        if known:
            nearest = min(known, key=lambda text: _distance(item.response, text))
            spans = item.meta.get("spans") or ()
            error = item.meta.get("err") or {}
            kinds = [str(span["type"]) for span in spans] or [kind for kind, is_so in error.items() if is_so]
            found.append(Case(item, 1, nearest, tuple(dict.fromkeys(kinds))))
    return found


def _distance(text: str, other: str) -> int:
    """The number of characters that differ."""
    return sum(end - start + len(new) for start, end, new in changes(text, other))


def half_of(example: Example) -> str:
    """The half of SummEdits that a document belongs to."""
    text = " ".join(passage.text for passage in example.passages)
    return PARTS["summedits"][int(content_hash("half", text), 16) % 2]


def wrong_sentences(case: Case) -> list[tuple[Span, list[Hunk]]]:
    """The spans of sentences with a core hunk, with their hunks."""
    core = case.hunks(case.example.response)
    holding = []
    for sentence in sentences(case.example.response):
        span = sentence.span
        inside = [hunk for hunk in core if span.start <= hunk.span.start <= span.end]
        if inside:
            holding.append((span, inside))
    return holding


def is_restored(before: Counter[HunkKey], expected: Counter[HunkKey], after: Counter[HunkKey]) -> bool:
    """Whether one of the expected hunks is gone and no hunk came that was not there before."""
    return bool(expected - after) and not after - before


def keys(found: Iterable[Hunk]) -> Counter[HunkKey]:
    return Counter(hunk.key for hunk in found)
