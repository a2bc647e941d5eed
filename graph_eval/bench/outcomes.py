"""What became of a corrected text: the counts of which the benchmarks of correction make their tables.

A hunk is a run of words in which a text differs from the right one (graph_eval/bench/sets/edits.py). A sentence is
restored if at least one of its core hunks is gone and its edits add none. Differences outside the edits are counted and
must be 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from graph_eval.bench.benchmark import Row
from graph_eval.bench.sets.edits import Case, HunkKey, is_restored, keys, wrong_sentences
from graph_eval.correctors.candidates import MONTHS, WEEKDAYS
from graph_eval.correctors.splice import applied
from graph_eval.formats.labelled import label
from graph_eval.text.normalise import content_words, fold, stem, words
from graph_eval.text.quantities import numbers
from graph_eval.text.sentences import sentences
from graph_eval.types import Edit, Example, Result, Span, Status

CALENDAR = MONTHS | WEEKDAYS


def applied_edits(result: Result, status: Status | None = None) -> list[Edit]:
    """The edits that were made, each once, in order of position. Those of the status `unsupported` leave words out."""
    corrections = result.revision.corrections if result.revision else ()
    edits = {
        edit.span: edit for item in corrections if item.is_made and status in (None, item.status) for edit in item.edits
    }
    return [edits[span] for span in sorted(edits)]


def failure(result: Result) -> str | None:
    """How many claims of the result the corrector gave no answer for, and the commonest reason. None: it answered."""
    corrections = result.revision.corrections if result.revision else ()
    reasons = [item.reason or "" for item in corrections if item.status is Status.FAILED]
    if not reasons:
        return None
    commonest = Counter(reasons).most_common(1)[0][0]
    return f"{len(reasons)} of {len(corrections)} claims got no correction: {commonest}"


def outcome(case: Case, result: Result) -> Row:
    """The outcome of a text whose right version is known. `result`: without an error."""
    text = case.example.response
    corrections = result.revision.corrections if result.revision else ()
    edits, left_out = applied_edits(result), set(applied_edits(result, Status.UNSUPPORTED))
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
        "wrong_words": lacking(text, after, case.original),
        "right_words": lacking(case.original, after, text),
        "outside": outside(text, after, edits),
        "needs": _needs(case, before_keys, after_keys),
        "statuses": dict(Counter(str(item.status) for item in corrections)),
        "edits": [[*edit.span, edit.old, edit.new] for edit in edits],
    }


def _edited_elsewhere(text: str, edits: Sequence[Edit], wrong: Sequence[Span]) -> int:
    """The number of edited sentences that are none of the wrong ones."""
    others = (sentence.span for sentence in sentences(text) if sentence.span not in wrong)
    return sum(any(edit.span.start < span.end and edit.span.end > span.start for edit in edits) for span in others)


def outcome_of_marked(example: Example, result: Result) -> Row:
    """The outcome of one answer: content words with a mark, those of them that are gone, words without a mark that are
    gone, and new words that the context lacks. `result`: without an error."""
    marks = [Span(int(mark["start"]), int(mark["end"])) for mark in example.meta.get("spans") or ()]
    known = {stem(word) for passage in example.passages for word, _ in words(passage.text)}
    text, edits = example.response, applied_edits(result)
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
        "outside": outside(text, result.revision.text if result.revision else text, edits),
    }


def _needs(case: Case, before: Counter[HunkKey], after: Counter[HunkKey]) -> dict[str, tuple[int, int]]:
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


def lacking(first: str, after: str, other: str) -> tuple[int, int]:
    """The number of content words that are in `first` and not in `other`, and how many of them are in `after`.

    For (text, after, original): wrong words, and how many are left. For (original, after, text): right words that were
    lost, and how many are back.
    """
    counts = [Counter(word for word, _ in content_words(value)) for value in (first, after, other)]
    missing = counts[0] - counts[2]
    kept = sum((missing & (counts[1] - (counts[0] & counts[2]))).values())
    return sum(missing.values()), kept


def outside(text: str, after: str, edits: Iterable[Edit]) -> int:
    """The number of characters that differ outside the edits."""
    made = applied(text, edits)
    return 0 if made == after else sum(a != b for a, b in zip(made, after, strict=False)) + abs(len(made) - len(after))
