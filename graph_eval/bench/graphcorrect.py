"""Tables 3 and 4 of GraphEval (arXiv 2407.10793): flagged texts, corrected by the builtin corrector, by GraphCorrect,
by the direct prompt, and by a language model in our own way.

Table 3 is the similarity of the text before and after the correction: ROUGE-1, -2 and -L (F1). Table 4 is the share of
flagged texts that are believed corrected: none of their claims is flagged any longer. This is measured with the checker
that flagged them, which also accepted every edit, and with an independent checker, which shares neither weights nor
rules with the first one. The independent checker may not flag a text before the correction, so both figures are
reported.

Of some sets the right versions are known. A third table has the share of their texts that equal the right one, and of
wrong sentences that were restored (graph_eval/bench/outcomes.py).

A corrector that needs a language model is `not run` unless one answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_eval.bench.benchmark import Bench, Benchmark, Measurement, Row, Table, Work, grouped, without_errors
from graph_eval.bench.outcomes import outcome
from graph_eval.bench.sets import TABLE2, published_set, title_of
from graph_eval.bench.sets.edits import PARTS, Case, cases
from graph_eval.errors import MissingPartError
from graph_eval.pipeline import GraphEval
from graph_eval.plan import Plan
from graph_eval.sources import Records, RunResults, Source
from graph_eval.types import Result, content_hash

NOT_RUN = "not run"
BUILTIN = "builtin"
BY_MODEL = ("graphcorrect", "direct", "llm")
CORRECTORS = (BUILTIN, *BY_MODEL)
SETS = (*TABLE2, "summedits", "defacto")
ROUGE = ("rouge1", "rouge2", "rougeL")
FLAGGING = "triplets"  # the route that flags: the same runs as in table 2
KNOWN = ("exact", "sentences", "edited", "edited_right", "restored")  # of an outcome, where the right version is known


@dataclass(frozen=True)
class GraphCorrect(Benchmark):
    """`model`: the language model of the correctors that need one. `independent`: the name of another checker."""

    name = "graphcorrect"
    title = "Corrections of flagged texts"
    model: str | None = None
    independent: str | None = None

    def measure(self, bench: Bench) -> Measurement:
        """Raises MissingPartError if rouge-score is not installed."""
        scorer = _scorer()
        judge = bench.with_checker(self.independent) if self.independent else None
        made = {BUILTIN: BUILTIN} | ({name: f"{name}:{self.model}" for name in BY_MODEL} if self.model else {})
        by_corrector = {name: GraphEval(settings=bench.settings.replace(corrector=spec)) for name, spec in made.items()}
        items: list[Row] = []
        data: dict[str, str] = {}
        for name in bench.names or SETS:
            source, known = _texts(bench, name)
            data[name] = source.digest
            place = _Place(bench, name, known)
            judged = place.results(FLAGGING, source, bench.ge.plan())
            flagged = [result for result in judged if result.error is None and result.flagged]
            items += ({"set": name, "route": FLAGGING, "n": one.n, "flagged": bool(one.flagged)} for one in judged)
            run = bench.ge.plan().describe(source.digest)
            for corrector, ge in by_corrector.items():
                again = RunResults(flagged, run, content_hash("flagged", run.id), len(flagged))
                results = place.results(corrector, again, ge.plan("correct"))
                found = [place.item(corrector, result, scorer) for result in results]
                if judge is not None:
                    _judge_again(found, results, judge)
                items += found
        plans = {name: one.plan("extract", "check", "correct") for name, one in by_corrector.items()}
        plans |= {"independent": judge.plan()} if judge else {}
        about = {"independent": self.independent, "model": self.model}
        return Measurement(_tables(items, by_corrector, judge is not None), items, plans, data, bench.seconds, about)


@dataclass(frozen=True)
class _Place:
    """Where a set is measured. `known`: the texts whose right version is known, by their id."""

    bench: Bench
    set: str
    known: Mapping[str, Case]

    def results(self, route: str, source: Source, plan: Plan) -> list[Result]:
        return list(self.bench.results(Work(self.set, title_of(self.set), route, source, plan)))

    def item(self, corrector: str, result: Result, scorer: Any) -> Row:
        """The outcome of one flagged text."""
        place: Row = {"set": self.set, "route": corrector, "n": result.n}
        example, revision = result.example, result.revision
        if result.error is not None or example is None or revision is None:
            return place | {"error": str(result.error or "not corrected")}
        after = revision.result or result
        scores = scorer.score(example.response, revision.text)
        item = place | {
            "id": example.id,
            "changed": revision.text != example.response,
            "claims": len(result.flagged),
            "claims_left": len(after.flagged),
            "believed": not after.flagged,
            **{measure: round(scores[measure].fmeasure, 4) for measure in ROUGE},
        }
        if case := self.known.get(example.id):
            counted = outcome(case, result)
            item |= {"label": case.label, **{name: counted[name] for name in KNOWN}}
        return item


def _texts(bench: Bench, name: str) -> tuple[Records, dict[str, Case]]:
    """The texts of a set, and those whose right version is known. Of a set of edits, the part for reported figures."""
    if name in PARTS:
        found = cases(bench.folder(), name, PARTS[name][-1], bench.limit)
        return Records([case.example for case in found]), {case.example.id: case for case in found}
    labelled = published_set(bench.folder(), name, bench.limit)
    return Records(labelled, labelled.digest, len(labelled)), {}


def _judge_again(items: Sequence[Row], results: Sequence[Result], judge: GraphEval) -> None:
    """Adds to each item whether the checker that took no part supports the text before and after the correction."""
    done = [(item, result) for item, result in zip(items, results, strict=True) if "error" not in item]
    for column, texts in (
        ("independent_before", [result.example.response if result.example else "" for _, result in done]),
        ("independent_after", [result.revision.text if result.revision else "" for _, result in done]),
    ):
        examples = [
            replace(result.example, response=text, samples=(), meta={})
            for (_, result), text in zip(done, texts, strict=True)
            if result.example
        ]
        for (item, _), verdict in zip(done, judge.pipe(examples), strict=True):
            item[column] = verdict.error is None and not verdict.flagged


def _tables(items: Sequence[Row], ran: Collection[str], independent: bool) -> list[Table]:
    similar: list[Row] = []
    believed: list[Row] = []
    right: list[Row] = []
    for name, some in grouped(items, "set").items():
        by_route = grouped(some, "route")
        texts = by_route.pop(FLAGGING)
        for corrector in CORRECTORS:
            found = by_route.get(corrector, [])
            kept = without_errors(found)
            start: Row = {"set": title_of(name), "corrector": corrector, "texts": len(texts)}
            start["flagged"] = sum(one["flagged"] for one in texts)
            if corrector not in ran or (found and not kept):
                start["errors"] = f"{NOT_RUN}{_reason(found)}"
                similar.append(start)
                believed.append(start)
                continue
            start["errors"] = len(found) - len(kept)
            similar.append(start | _similarity(kept))
            believed.append(start | _belief(kept, independent))
            if any("exact" in item for item in kept):
                right.append(start | _rightness(kept))
    tables = [
        Table("table3", "Similarity with the uncorrected text (ROUGE F1)", similar),
        Table("table4", "Flagged texts that are believed corrected", believed),
    ]
    return [*tables, Table("right_versions", "Texts whose right version is known", right)] if right else tables


def _reason(failed: Sequence[Row]) -> str:
    """The commonest error."""
    errors = Counter(item["error"] for item in failed)
    return f": {errors.most_common(1)[0][0]}" if errors else ""


def _similarity(items: Sequence[Row]) -> Row:
    changed = [item for item in items if item["changed"]]
    row: Row = {"changed": _mean(items, "changed")}
    return row | {name: _mean(items, name) for name in ROUGE} | {f"{n}_of_changed": _mean(changed, n) for n in ROUGE}


def _belief(items: Sequence[Row], independent: bool) -> Row:
    changed = [item for item in items if item["changed"]]
    left, claims = sum(item["claims_left"] for item in items), sum(item["claims"] for item in items)
    row: Row = {
        "changed": _mean(items, "changed"),
        "believed_corrected": _mean(items, "believed"),
        "believed_of_changed": _mean(changed, "believed"),
        "flagged_claims_gone": round(1 - left / claims, 4) if claims else None,
    }
    if independent:
        for column in ("independent_before", "independent_after"):
            row[column] = _mean(items, column)
            row[f"{column}_of_changed"] = _mean(changed, column)
    return row


def _rightness(items: Sequence[Row]) -> Row:
    wrong = [item for item in items if item["label"]]

    def total(name: str) -> int:
        return sum(item[name] for item in wrong)

    edited = sum(item["edited"] + item["edited_right"] for item in items)
    return {
        "wrong": len(wrong),
        "exact": _mean(wrong, "exact"),
        "sentences_restored": round(total("restored") / total("sentences"), 4) if total("sentences") else None,
        "precision": round(total("restored") / edited, 4) if edited else None,
    }


def _mean(items: Sequence[Row], name: str) -> float | None:
    return round(sum(item[name] for item in items) / len(items), 4) if items else None


def _scorer() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as problem:
        raise MissingPartError(f"{problem.name} is not installed", "pip install 'graph_eval[bench]'") from problem
    return RougeScorer(list(ROUGE))
