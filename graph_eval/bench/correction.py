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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graph_eval.bench import independent
from graph_eval.bench.benchmark import Bench, PlanBenchmark, Row, Table, Work, without_errors
from graph_eval.bench.outcomes import applied_edits, failure, outcome, outcome_of_marked
from graph_eval.bench.sets import published_set, title_of
from graph_eval.bench.sets.edits import PARTS, Case, cases, wrong_sentences
from graph_eval.correctors.accept import FLAGGED_EXTERNALLY
from graph_eval.correctors.splice import new_spans
from graph_eval.errors import UsageError
from graph_eval.plan import Plan
from graph_eval.sources import Records
from graph_eval.stage import example_of
from graph_eval.stages import Stage
from graph_eval.text.sentences import sentences
from graph_eval.types import Result, content_hash

ALL = "all"
MARKED = "ragtruth"  # the set with marks instead of right versions
SETS = (*PARTS, MARKED)
GIVEN, END_TO_END = "given", "end_to_end"
BEFORE, AFTER = "independent_before", "independent_after"
ROUTE_TITLES = {GIVEN: "Wrong sentences are given", END_TO_END: "End to end"}


def parts(name: str) -> tuple[str, ...]:
    """The parts of a set. The last one is for reported figures."""
    return PARTS.get(name, ("train", "dev"))


@dataclass
class _Texts:
    """Texts with their right versions. `edited`: their results with an edit, by number."""

    cases: Sequence[Case]
    edited: dict[int, Result] = field(default_factory=dict)


@dataclass(frozen=True)
class Correction(PlanBenchmark):
    """`set`: its name. `part`: of the set, by default that for reported figures. `independent`: the name of another
    checker, which judges the edited sentences of the first route.

    `measure` raises UsageError for a part that the set does not have, and for an independent checker where nothing says
    which edits are right.
    """

    name = "correction"
    title = "Corrections of known errors"
    set: str = "summedits"
    part: str | None = None
    independent: str | None = None

    def work(self, bench: Bench) -> Iterator[Work]:
        part, chunk = self._part(), bench.ge.settings.chunk
        name, title = f"{self.set}-{part}", f"{title_of(self.set)}, {part}"
        extract, check, correct = bench.ge.plan("extract", "check", "correct").stages
        end_to_end = Plan((extract, check, correct), chunk)
        if self.set == MARKED:
            found = published_set(bench.folder(), MARKED, bench.limit, part)
            yield Work(name, title, END_TO_END, Records.labelled(found), end_to_end)
            return
        texts = cases(bench.folder(), self.set, part, bench.limit)
        yield Work(name, title, END_TO_END, _records(texts), end_to_end, _Texts(texts))
        wrong = _Texts([case for case in texts if case.label])
        given = Plan((extract, check, GivenFlags(wrong.cases), correct), chunk)
        source = _records(wrong.cases)
        yield Work(name, title, GIVEN, source, given, wrong)
        if self.independent is not None:
            plan, run = bench.with_checker(self.independent).plan("extract", "check"), given.describe(source.digest)
            edited = list(wrong.edited.values())
            yield Work(name, title, BEFORE, independent.before(edited, run), plan, wrong)
            yield Work(name, title, AFTER, independent.after(edited, run), plan, wrong)

    def _part(self) -> str:
        part = self.part or parts(self.set)[-1]
        if part not in parts(self.set):
            raise UsageError(f"{self.set} has no part {part!r}", f"known parts: {', '.join(parts(self.set))}")
        if self.set == MARKED and self.independent is not None:
            hint = "leave it out, or use another set"
            raise UsageError(f"--independent needs right versions, and {self.set} has none", hint)
        return part

    def item(self, work: Work, result: Result) -> Row:
        if work.route in (BEFORE, AFTER):
            return _supported(work.context.edited[result.n], result, work.route)
        if error := failure(result):
            return {"error": error}
        if work.context is None:
            return outcome_of_marked(example_of(result), result)
        if applied_edits(result):
            work.context.edited[result.n] = result
        return outcome(work.context.cases[result.n], result)

    def about(self, bench: Bench) -> Mapping[str, str | None]:  # noqa: ARG002
        return {"set": self.set, "part": self._part(), "independent": self.independent}

    def tables(self, items: Sequence[Row]) -> list[Table]:
        kept = without_errors(items)
        note = f"{len(items) - len(kept)} texts failed and are left out." if len(kept) < len(items) else ""
        free = [item for item in kept if item["route"] == END_TO_END]
        wrong, right = ([item for item in free if item["label"] == value] for value in (1, 0))
        consistent = Table("consistent", "Consistent texts, end to end", [_consistent(right)], note=note)
        if self.set == MARKED:
            return [Table("marked", "Answers with marked words, end to end", _marked_rows(free), note=note), consistent]
        given = [item for item in kept if item["route"] == GIVEN]
        judged = [item for item in kept if item["route"] in (BEFORE, AFTER)]
        return [
            Table(GIVEN, ROUTE_TITLES[GIVEN], _table(_joined(given, judged)), across=True, note=note),
            Table("given_by_need", "Wrong words, by the change that they need", _by_need(given)),
            Table(END_TO_END, ROUTE_TITLES[END_TO_END], _table(wrong), across=True, note=note),
            consistent,
        ]


def _records(texts: Sequence[Case]) -> Records:
    return Records([case.example for case in texts])


class GivenFlags(Stage):
    """Flags the claims in sentences with a core hunk, and no others, as a perfect checker would."""

    name = "given flags"

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = {case.example.key: case for case in cases}
        self._fingerprint = content_hash("given-1", *(f"{key} {case.original}" for key, case in self._cases.items()))

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

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


def _supported(corrected: Result, judged: Result, route: str) -> Row:
    """How many sentences of the text have edits, and how many of them the independent checker supports.

    `judged`: the verdict on the text before or after the edits, as `route` says.
    """
    example, edits = example_of(judged), applied_edits(corrected)
    spans = new_spans(edits) if route == AFTER else [edit.span for edit in edits]
    touched = [
        sentence.span
        for sentence in sentences(example.response)
        if any(span.start <= sentence.span.end - 1 and span.end > sentence.span.start for span in spans)
    ]
    flagged = [finding.claim.sentence for finding in judged.flagged]
    supported = sum(not any(other.overlaps(span) for other in flagged) for span in touched)
    return {"id": example.id, "edited": len(touched), "supported": supported}


def _joined(items: Sequence[Row], judged: Sequence[Row]) -> list[Row]:
    """The items with what the independent checker says of their texts before and after the edits, if it says both."""
    found = {(item["route"], item["n"]): (item["edited"], item["supported"]) for item in judged}
    return [
        item | {route: found[route, item["n"]] for route in (BEFORE, AFTER)}
        if all((route, item["n"]) in found for route in (BEFORE, AFTER))
        else item
        for item in items
    ]


def _is_improved(item: Row) -> bool:
    return bool(item["marked_gone"] and not item["unmarked_gone"] and not item["unsupported_new"])


def _marked_rows(items: Sequence[Row]) -> list[Row]:
    wrong = [item for item in items if item["label"]]
    changed = [item for item in wrong if item["edits"]]
    return [
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
    ]


def _table(items: Sequence[Row]) -> list[Row]:
    """Rows for all summaries, for each edit type, and for summaries with that type only."""
    groups: dict[str, list[Row]] = {ALL: list(items)}
    for item in items:
        for kind in item["kinds"]:
            groups.setdefault(kind, []).append(item)
        if len(item["kinds"]) == 1:
            groups.setdefault(f"{item['kinds'][0]} only", []).append(item)
    return [_row(name, groups[name]) for name in (ALL, *sorted(set(groups) - {ALL}))]


def _by_need(items: Sequence[Row]) -> list[Row]:
    """Core hunks by the change that they need: their share, and the share that is gone."""
    total = sum(count for item in items for count, _ in item["needs"].values())
    rows = []
    for name in sorted({name for item in items for name in item["needs"]}):
        counts = [item["needs"][name] for item in items if name in item["needs"]]
        count = sum(entry[0] for entry in counts)
        gone = sum(entry[1] for entry in counts)
        rows.append({"need": name, "hunks": count, "share": _rate(count, total), "gone": _rate(gone, count)})
    return rows


def _row(name: str, items: Sequence[Row]) -> Row:
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


def _independent(items: Sequence[Row]) -> dict[str, float | None]:
    """The share of edited sentences that the independent checker supports, before and after."""
    shares = {}
    for name in (BEFORE, AFTER):
        found = [item[name] for item in items if name in item]
        if found:
            shares[name] = _rate(sum(good for _, good in found), sum(count for count, _ in found))
    return shares


def _consistent(items: Sequence[Row]) -> Row:
    return {
        "summaries": len(items),
        "flagged": _rate(sum(item["flagged"] for item in items), len(items)),
        "changed": _rate(sum(bool(item["edits"]) for item in items), len(items)),
        "outside": sum(item["outside"] for item in items),
    }


def _rate(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
