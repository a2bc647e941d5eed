"""Measures corrections on SummEdits (arXiv 2305.14540), which contains every summary before it was edited.

A hunk is a run of words in which a summary differs from the original. A core hunk has content words, and no consistent
summary of the same original has it. A hash of the context splits the documents into halves. Half "a" is for training
and model selection, half "b" for reported figures.

There are two routes. `given`: the claims of sentences with a core hunk are flagged, and no others, as by a perfect
checker. An edit is accepted if the checker does not rate its claim worse than before. `end to end`: the checker flags
the claims and accepts the edits. A sentence is restored if at least one of its core hunks is gone and its edits add
none. Differences outside the edits are counted and must be 0.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from graph_eval.bench.record import record
from graph_eval.bench.sets import Track, label, published_set
from graph_eval.correctors.accept import FLAGGED_EXTERNALLY
from graph_eval.correctors.splice import applied, changes
from graph_eval.errors import UsageError
from graph_eval.jobs import Job
from graph_eval.pipeline import GraphEval
from graph_eval.plan import Plan
from graph_eval.settings import Settings
from graph_eval.sources import Records
from graph_eval.stages import Stage
from graph_eval.text.normalise import content_words, fold, words
from graph_eval.text.sentences import sentences
from graph_eval.types import Edit, Example, Result, Span, Status, content_hash

HALVES = ("a", "b")
ALL = "all"


class Hunk(NamedTuple):
    """A difference between a summary and its original.

    `span`: the place in the summary. `old`: the folded words of the summary. `new`: those of the original.
    """

    span: Span
    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def key(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.old, self.new

    @property
    def content(self) -> bool:
        return bool(content_words(" ".join((*self.old, *self.new))))


@dataclass(frozen=True, slots=True)
class Case:
    """A summary with its original. `harmless`: hunks of consistent summaries of the same original."""

    example: Example
    label: int
    original: str
    kinds: tuple[str, ...]
    harmless: frozenset[tuple[tuple[str, ...], tuple[str, ...]]]

    def hunks(self, text: str) -> list[Hunk]:
        return [hunk for hunk in hunks(text, self.original) if hunk.content and hunk.key not in self.harmless]


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


def cases(data: Path, half: str, limit: int | None = None) -> list[Case]:
    """The summaries of one half, in the order of the file."""
    if half not in HALVES:
        raise UsageError(f"unknown half {half!r}", f"known halves: {', '.join(HALVES)}")
    examples = [item for item in published_set(data, "summedits") if isinstance(item, Example)]
    examples = [item for item in examples if half_of(item) == half]
    harmless: dict[str, set[Any]] = defaultdict(set)
    for item in examples:
        if label(item) == 0:
            original = str(item.meta["original_summary"])
            harmless[original].update(hunk.key for hunk in hunks(item.response, original))
    selected = []
    for item in examples[:limit]:
        original = str(item.meta["original_summary"])
        kinds = tuple(item.meta.get("edit_types") or ())
        selected.append(Case(item, label(item) or 0, original, kinds, frozenset(harmless[original])))
    return selected


def half_of(example: Example) -> str:
    text = " ".join(passage.text for passage in example.passages)
    return HALVES[int(content_hash("half", text), 16) % 2]


def correction(
    data: Path,
    settings: Settings,
    half: str = "b",
    limit: int | None = None,
    track: Track = lambda results, _total, _name: results,
) -> dict[str, Any]:
    """The figures of both routes, by edit type, as the content of the JSON file."""
    ge = GraphEval(settings=settings)
    summaries = cases(data, half, limit)
    wrong = [case for case in summaries if case.label]
    extract, check, correct = ge.plan("extract", "check", "correct").stages
    plans = {
        "given": Plan((extract, check, GivenFlags(wrong), correct), ge.settings.chunk),
        "end to end": Plan((extract, check, correct), ge.settings.chunk),
    }
    given_items = _items(wrong, plans["given"], "given", track)
    free_items = _items(summaries, plans["end to end"], "end to end", track)
    digest = {"summedits": published_set(data, "summedits").digest}
    return record(
        "correction",
        plans,
        settings.threads,
        digest,
        half=half,
        given=_table(given_items),
        given_by_need=_by_need(given_items),
        end_to_end=_table([item for item in free_items if item["label"]]),
        consistent=_consistent([item for item in free_items if not item["label"]]),
        items={"given": given_items, "end_to_end": free_items},
    )


class GivenFlags(Stage):
    """Flags the claims in sentences with a core hunk, and no others, as a perfect checker would."""

    name = "given flags"
    fingerprint = "given-1"

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = {case.example.key: case for case in cases}

    def run(self, results: Sequence[Result]) -> list[Result]:
        return [self._flagged(result) for result in results]

    def _flagged(self, result: Result) -> Result:
        if result.example is None:
            return result
        wrong = [sentence for sentence, _ in true_sentences(self._cases[result.example.key])]
        judgements = tuple(
            replace(judgement, flagged=True, reason=FLAGGED_EXTERNALLY)
            if any(claim.sentence.overlaps(span) for span in wrong)
            else replace(judgement, flagged=False)
            for claim, judgement in zip(result.claims, result.judgements, strict=True)
        )
        return replace(result, judgements=judgements)


def _items(cases: Sequence[Case], plan: Plan, name: str, track: Track) -> list[dict[str, Any]]:
    """The outcome of each summary without an error."""
    results = Job(Records([case.example for case in cases]), plan).results()
    corrected = track(results, len(cases), name)
    return [item for case, result in zip(cases, corrected, strict=True) if (item := _item(case, result))]


def true_sentences(case: Case) -> list[tuple[Span, list[Hunk]]]:
    """The spans of sentences with a core hunk, with their hunks."""
    core = case.hunks(case.example.response)
    holding = []
    for sentence in sentences(case.example.response):
        span = sentence.span
        inside = [hunk for hunk in core if span.start <= hunk.span.start <= span.end]
        if inside:
            holding.append((span, inside))
    return holding


def _item(case: Case, result: Result) -> dict[str, Any] | None:
    """The outcome of one summary, or None if its result has an error."""
    if result.error is not None:
        return None
    text = case.example.response
    corrections = result.revision.corrections if result.revision else ()
    edits = {edit.span: edit for item in corrections if item.status is Status.APPLIED for edit in item.edits}
    after = result.revision.text if result.revision else text
    before_keys, after_keys = _keys(case.hunks(text)), _keys(case.hunks(after))
    sentences_restored = sentences_edited = 0
    wrong = true_sentences(case)
    for span, expected in wrong:
        inside = [edit for edit in edits.values() if edit.span.start < span.end and edit.span.end > span.start]
        if inside:
            sentences_edited += 1
            alone = _keys(case.hunks(applied(text, inside)))
            sentences_restored += bool(_keys(expected) - alone) and not alone - before_keys
    left, back = _share(text, after, case.original), _share(case.original, after, text)
    return {
        "id": case.example.id,
        "label": case.label,
        "kinds": case.kinds,
        "flagged": bool(result.flagged),
        "changed": after != text,
        "exact": " ".join(after.split()) == " ".join(case.original.split()),
        "sentences": len(wrong),
        "edited": sentences_edited,
        "restored": sentences_restored,
        "any_back": bool(before_keys - after_keys),
        "all_back": bool(before_keys) and not after_keys,
        "worse": bool(after_keys - before_keys),
        "wrong_words": left,
        "right_words": back,
        "outside": _outside(text, after, edits.values()),
        "needs": _needs(case, before_keys, after_keys),
        "statuses": dict(Counter(str(item.status) for item in corrections)),
    }


def _needs(case: Case, before: Counter[Any], after: Counter[Any]) -> dict[str, tuple[int, int]]:
    """The number of core hunks by the change that they need, and how many of them are gone."""
    context = " ".join(word for passage in case.example.passages for word, _ in words(passage.text))
    counts: dict[str, tuple[int, int]] = {}
    for (old, new), count in before.items():
        name = need(old, new, f" {context} ")
        all_of, gone = counts.get(name, (0, 0))
        counts[name] = (all_of + count, gone + max(0, count - after[old, new]))
    return counts


def need(old: Sequence[str], new: Sequence[str], context: str) -> str:
    """The change that a hunk needs. `context`: folded words, with a blank before and after each."""
    if not new:
        return "delete"
    if not old:
        return "put back"
    return "replace, stated" if f" {' '.join(new)} " in context else "replace, in other words"


def _keys(differing: Iterable[Hunk]) -> Counter[Any]:
    return Counter(hunk.key for hunk in differing)


def _share(first: str, after: str, other: str) -> tuple[int, int]:
    """The number of content words that are in `first` and not in `other`, and how many of them are in `after`.

    For (text, after, original): wrong words, and how many are left. For (original, after, text): right words that were
    lost, and how many are back.
    """
    counts = [Counter(word for word, _ in content_words(value)) for value in (first, after, other)]
    lacking = counts[0] - counts[2]
    kept = sum((lacking & (counts[1] - (counts[0] & counts[2]))).values())
    return sum(lacking.values()), kept


def _outside(text: str, after: str, edits: Iterable[Edit]) -> int:
    """The number of characters that differ outside the edits."""
    made = applied(text, edits)
    return 0 if made == after else sum(a != b for a, b in zip(made, after, strict=False)) + abs(len(made) - len(after))


def _table(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows for all summaries, for each edit type, and for summaries with that type only."""
    groups: dict[str, list[dict[str, Any]]] = {ALL: list(items)}
    for item in items:
        for kind in item["kinds"]:
            groups.setdefault(kind, []).append(item)
        if len(item["kinds"]) == 1:
            groups.setdefault(f"{item['kinds'][0]} only", []).append(item)
    return [_row(name, groups[name]) for name in (ALL, *sorted(set(groups) - {ALL}))]


def _by_need(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Core hunks by the change that they need: their share, and the share that is gone."""
    total = sum(count for item in items for count, _ in item["needs"].values())
    rows = []
    for name in sorted({name for item in items for name in item["needs"]}):
        counts = [item["needs"][name] for item in items if name in item["needs"]]
        count = sum(entry[0] for entry in counts)
        gone = sum(entry[1] for entry in counts)
        rows.append({"need": name, "hunks": count, "share": _rate(count, total), "gone": _rate(gone, count)})
    return rows


def _row(name: str, items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    def total(field: str) -> int:
        return sum(item[field] for item in items)

    def words_of(field: str) -> tuple[int, int]:
        return sum(item[field][0] for item in items), sum(item[field][1] for item in items)

    wrong, wrong_left = words_of("wrong_words")
    right, right_back = words_of("right_words")
    return {
        "edits": name,
        "summaries": len(items),
        "flagged": _rate(total("flagged"), len(items)),
        "sentences": total("sentences"),
        "sentences_edited": _rate(total("edited"), total("sentences")),
        "sentences_restored": _rate(total("restored"), total("sentences")),
        "precision": _rate(total("restored"), total("edited")),
        "any_back": _rate(total("any_back"), len(items)),
        "all_back": _rate(total("all_back"), len(items)),
        "exact": _rate(total("exact"), len(items)),
        "worse": _rate(total("worse"), len(items)),
        "wrong_words_gone": _rate(wrong - wrong_left, wrong),
        "right_words_back": _rate(right_back, right),
        "restored_of_changed": _rate(sum(item["any_back"] and not item["worse"] for item in items), total("changed")),
        "outside": total("outside"),
    }


def _consistent(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "summaries": len(items),
        "flagged": _rate(sum(item["flagged"] for item in items), len(items)),
        "changed": _rate(sum(item["changed"] for item in items), len(items)),
        "outside": sum(item["outside"] for item in items),
    }


def _rate(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
