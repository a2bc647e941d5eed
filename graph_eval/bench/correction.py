"""Measures corrections on texts with an error whose right version is known (graph_eval/bench/sets/edits.py).

There are two routes. `given`: the claims of sentences with a core hunk are flagged, and no others, as by a perfect
checker. An edit is accepted if the checker does not rate its claim worse than before. `end to end`: the checker flags
the claims and accepts the edits. A sentence is restored if at least one of its core hunks is gone and its edits add
none. Differences outside the edits are counted and must be 0.

In RAGTruth (arXiv 2401.00396) nobody corrected the answers, but annotators marked the unsupported words. There is only
the second route. An answer is improved if marked content words are gone, none without a mark is, and no new one is
missing in the context.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graph_eval.bench.record import record
from graph_eval.bench.sets import published_set
from graph_eval.bench.sets.edits import PARTS, Case, cases, is_restored, keys, wrong_sentences
from graph_eval.correctors.accept import FLAGGED_EXTERNALLY
from graph_eval.correctors.candidates import MONTHS, WEEKDAYS
from graph_eval.correctors.splice import applied, new_spans
from graph_eval.errors import UsageError
from graph_eval.formats.labelled import Track, label
from graph_eval.jobs import Job
from graph_eval.pipeline import GraphEval
from graph_eval.plan import Plan
from graph_eval.settings import Settings
from graph_eval.sources import Records
from graph_eval.stages import Stage
from graph_eval.text.normalise import content_words, fold, stem, words
from graph_eval.text.quantities import numbers
from graph_eval.text.sentences import sentences
from graph_eval.types import Edit, Example, Result, Span, Status

ALL = "all"
MARKED = "ragtruth"  # the set with marks instead of right versions
SETS = (*PARTS, MARKED)
CALENDAR = MONTHS | WEEKDAYS


def parts(name: str) -> tuple[str, ...]:
    """The parts of a set. The last one is for reported figures."""
    return PARTS.get(name, ("train", "dev"))


def _unchanged(results: Iterable[Any], _total: int, _name: str) -> Iterable[Any]:
    return results


def correction(
    data: Path,
    settings: Settings,
    name: str = "summedits",
    part: str | None = None,
    limit: int | None = None,
    independent: str | None = None,
    track: Track = _unchanged,
) -> dict[str, Any]:
    """The figures of both routes, by kind of error, as the content of the JSON file.

    `part`: of the set, by default that for reported figures. `independent`: another checker, which judges the edited
    sentences of the first route. Raises UsageError for a part that the set does not have, and for an independent
    checker where nothing says which edits are right.
    """
    part = part or parts(name)[-1]
    if part not in parts(name):
        raise UsageError(f"{name} has no part {part!r}", f"known parts: {', '.join(parts(name))}")
    if name == MARKED and independent is not None:
        hint = "leave it out, or use another set"
        raise UsageError(f"--independent needs right versions, and {name} has none", hint)
    ge = GraphEval(settings=settings)
    extract, check, correct = ge.plan("extract", "check", "correct").stages
    plans = {"end to end": Plan((extract, check, correct), ge.settings.chunk)}
    digest = {name: published_set(data, name).digest}
    about = {"set": name, "part": part}
    if name == MARKED:
        examples = _answers(data, part, limit)
        results = _results(examples, plans["end to end"], "end to end", track)
        marked = [item for pair in zip(examples, results, strict=True) if (item := _marked_item(*pair))]
        return record("correction", plans, settings.threads, digest, **about, **_marked_table(marked), items=marked)

    texts = cases(data, name, part, limit)
    wrong = [case for case in texts if case.label]
    plans = {"given": Plan((extract, check, GivenFlags(wrong), correct), ge.settings.chunk)} | plans
    judge = None
    if independent is not None:
        judge = GraphEval(settings=settings.replace(checker=independent, threshold=None, profile=None))
        plans["independent"] = judge.plan()
    given = _results([case.example for case in wrong], plans["given"], "given", track)
    given_items = [item for case, result in zip(wrong, given, strict=True) if (item := _item(case, result))]
    if judge is not None:
        _judge(given, given_items, plans["independent"], track)
    free = _results([case.example for case in texts], plans["end to end"], "end to end", track)
    free_items = [item for case, result in zip(texts, free, strict=True) if (item := _item(case, result))]
    return record(
        "correction",
        plans,
        settings.threads,
        digest,
        **about,
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
        wrong = [sentence for sentence, _ in wrong_sentences(self._cases[result.example.key])]
        judgements = tuple(
            replace(judgement, flagged=True, reason=FLAGGED_EXTERNALLY)
            if any(claim.sentence.overlaps(span) for span in wrong)
            else replace(judgement, flagged=False)
            for claim, judgement in zip(result.claims, result.judgements, strict=True)
        )
        return replace(result, judgements=judgements)


def _results(examples: Sequence[Example], plan: Plan, name: str, track: Track) -> list[Result]:
    return list(track(Job(Records(list(examples)), plan).results(), len(examples), name))


def _applied(result: Result, status: Status | None = None) -> list[Edit]:
    """The edits that were made, each once, in order of position. Those of the status `unsupported` leave words out."""
    corrections = result.revision.corrections if result.revision else ()
    edits = {
        edit.span: edit for item in corrections if item.is_made and status in (None, item.status) for edit in item.edits
    }
    return [edits[span] for span in sorted(edits)]


def _item(case: Case, result: Result) -> dict[str, Any] | None:
    """The outcome of one text, or None if its result has an error."""
    if result.error is not None:
        return None
    text = case.example.response
    corrections = result.revision.corrections if result.revision else ()
    edits, left_out = _applied(result), set(_applied(result, Status.UNSUPPORTED))
    after = result.revision.text if result.revision else text
    before_keys, after_keys = case.keys(text), case.keys(after)
    restored = edited = whole = dropped = dropped_right = 0
    wrong = wrong_sentences(case)
    for span, expected in wrong:
        inside = [edit for edit in edits if edit.span.start < span.end and edit.span.end > span.start]
        if inside:
            edited += 1
            alone = case.keys(applied(text, inside))
            restored += is_restored(before_keys, keys(expected), alone)
            whole += not keys(expected) & alone and not alone - before_keys
        if drops := [edit for edit in inside if edit in left_out]:
            dropped += 1
            dropped_right += is_restored(before_keys, keys(expected), case.keys(applied(text, drops)))
    return {
        "id": case.example.id,
        "label": case.label,
        "kinds": case.kinds,
        "flagged": bool(result.flagged),
        "changed": after != text,
        "exact": " ".join(after.split()) == " ".join(case.original.split()),
        "sentences": len(wrong),
        "edited": edited,
        "restored": restored,
        "edited_right": _edited_elsewhere(text, edits, [span for span, _ in wrong]),
        "restored_whole": whole,
        "left_out": dropped,
        "left_out_right": dropped_right,
        "any_back": bool(before_keys - after_keys),
        "all_back": bool(before_keys) and not after_keys,
        "worse": bool(after_keys - before_keys),
        "wrong_words": _share(text, after, case.original),
        "right_words": _share(case.original, after, text),
        "outside": _outside(text, after, edits),
        "needs": _needs(case, before_keys, after_keys),
        "statuses": dict(Counter(str(item.status) for item in corrections)),
        "edits": [[*edit.span, edit.old, edit.new] for edit in edits],
    }


def _edited_elsewhere(text: str, edits: Sequence[Edit], wrong: Sequence[Span]) -> int:
    """The number of edited sentences that are none of the wrong ones."""
    others = (sentence.span for sentence in sentences(text) if sentence.span not in wrong)
    return sum(any(edit.span.start < span.end and edit.span.end > span.start for edit in edits) for span in others)


def _judge(results: Sequence[Result], items: Sequence[dict[str, Any]], plan: Plan, track: Track) -> None:
    """Adds to each item how many of its edited sentences another checker supports, before the edits and after."""
    by_id = {item["id"]: item for item in items}
    changed = [result for result in results if result.example and result.revision and _applied(result)]
    befores = [result.example for result in changed if result.example]
    afters = [
        replace(result.example, response=result.revision.text)
        for result in changed
        if result.example and result.revision
    ]
    for name, examples in (("before", befores), ("after", afters)):
        judged = _results(examples, plan, f"independent, {name}", track)
        for source, verdict in zip(changed, judged, strict=True):
            edits = _applied(source)
            spans = new_spans(edits) if name == "after" else [edit.span for edit in edits]
            touched = [
                sentence.span
                for sentence in sentences(verdict.example.response if verdict.example else "")
                if any(span.start <= sentence.span.end - 1 and span.end > sentence.span.start for span in spans)
            ]
            supported = sum(
                not any(finding.claim.sentence.overlaps(span) for finding in verdict.flagged) for span in touched
            )
            by_id[source.example.id if source.example else ""][f"independent_{name}"] = (len(touched), supported)


def _answers(data: Path, part: str, limit: int | None) -> list[Example]:
    found = published_set(data, MARKED)
    return [item for item in found if isinstance(item, Example) and item.meta.get("split") == part][:limit]


def _marked_item(example: Example, result: Result) -> dict[str, Any] | None:
    """The outcome of one answer: content words with a mark, those of them that are gone, words without a mark that are
    gone, and new words that the context lacks."""
    if result.error is not None:
        return None
    marks = [Span(int(mark["start"]), int(mark["end"])) for mark in example.meta.get("spans") or ()]
    known = {stem(word) for passage in example.passages for word, _ in words(passage.text)}
    text, edits = example.response, _applied(result)
    marked_gone = unmarked_gone = unsupported_new = 0
    for edit in edits:
        new = Counter(word for word, _ in content_words(edit.new))
        for word, span in content_words(edit.old):
            if new[word]:
                new[word] -= 1
            elif any(mark.overlaps(Span(edit.span.start + span.start, edit.span.start + span.end)) for mark in marks):
                marked_gone += 1
            else:
                unmarked_gone += 1
        unsupported_new += sum(count for word, count in new.items() if stem(word) not in known)
    return {
        "id": example.id,
        "label": label(example),
        "flagged": bool(result.flagged),
        "edits": [[*edit.span, edit.old, edit.new] for edit in edits],
        "marked": sum(any(mark.overlaps(span) for mark in marks) for _, span in content_words(text)),
        "marked_gone": marked_gone,
        "unmarked_gone": unmarked_gone,
        "unsupported_new": unsupported_new,
        "outside": _outside(text, result.revision.text if result.revision else text, edits),
    }


def _is_improved(item: dict[str, Any]) -> bool:
    return bool(item["marked_gone"] and not item["unmarked_gone"] and not item["unsupported_new"])


def _marked_table(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    wrong, right = ([item for item in items if item["label"] == value] for value in (1, 0))
    changed = [item for item in wrong if item["edits"]]
    return {
        "marked": [
            {
                "answers": len(wrong),
                "flagged": _rate(sum(item["flagged"] for item in wrong), len(wrong)),
                "changed": _rate(len(changed), len(wrong)),
                "improved": _rate(sum(map(_is_improved, wrong)), len(wrong)),
                "improved_of_changed": _rate(sum(map(_is_improved, changed)), len(changed)),
                "marked_words_gone": _rate(
                    sum(item["marked_gone"] for item in wrong), sum(item["marked"] for item in wrong)
                ),
                "outside": sum(item["outside"] for item in items),
            }
        ],
        "consistent": {
            "summaries": len(right),
            "flagged": _rate(sum(item["flagged"] for item in right), len(right)),
            "changed": _rate(sum(bool(item["edits"]) for item in right), len(right)),
            "outside": sum(item["outside"] for item in right),
        },
    }


def _needs(case: Case, before: Counter[Any], after: Counter[Any]) -> dict[str, tuple[int, int]]:
    """The number of core hunks by the change that they need, and how many of them are gone."""
    context = " ".join(word for passage in case.example.passages for word, _ in words(passage.text))
    counts: dict[str, tuple[int, int]] = {}
    capitals = {fold(word) for word in re.findall(r"(?<=[a-z,] )[A-Z]\w+", f"{case.example.response} {case.original}")}
    for (old, new), count in before.items():
        name = f"{need(old, new, f' {context} ')}: {kind_of_words(old or new, capitals)}"
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


def kind_of_words(folded: Sequence[str], capitals: Collection[str]) -> str:
    """number or date, name, or words. `capitals`: the folded words that have a capital inside a sentence."""
    if any(word[:1].isdigit() or word in CALENDAR for word in folded) or numbers(" ".join(folded)):
        return "number or date"
    return "name" if any(word in capitals for word in folded) else "words"


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
        "sentences_whole": _rate(total("restored_whole"), total("sentences")),
        "precision": _rate(total("restored"), total("edited") + total("edited_right")),
        "left_out": total("left_out"),
        "left_out_right": _rate(total("left_out_right"), total("left_out")),
        "any_back": _rate(total("any_back"), len(items)),
        "all_back": _rate(total("all_back"), len(items)),
        "exact": _rate(total("exact"), len(items)),
        "worse": _rate(total("worse"), len(items)),
        "wrong_words_gone": _rate(wrong - wrong_left, wrong),
        "right_words_back": _rate(right_back, right),
        "restored_of_changed": _rate(sum(item["any_back"] and not item["worse"] for item in items), total("changed")),
        "outside": total("outside"),
        **_independent(items),
    }


def _independent(items: Sequence[dict[str, Any]]) -> dict[str, float | None]:
    """The share of edited sentences that the independent checker supports, before and after."""
    shares = {}
    for name in ("independent_before", "independent_after"):
        found = [item[name] for item in items if name in item]
        if found:
            shares[name] = _rate(sum(good for _, good in found), sum(count for count, _ in found))
    return shares


def _consistent(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "summaries": len(items),
        "flagged": _rate(sum(item["flagged"] for item in items), len(items)),
        "changed": _rate(sum(item["changed"] for item in items), len(items)),
        "outside": sum(item["outside"] for item in items),
    }


def _rate(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
