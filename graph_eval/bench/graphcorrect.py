"""Tables 3 and 4 of GraphEval (arXiv 2407.10793): flagged texts, corrected by the builtin corrector, by GraphCorrect,
by the direct prompt, and by a language model in our own way.

Table 3 is the similarity of the text before and after the correction: ROUGE-1, -2 and -L (F1). Table 4 is the share of
flagged texts that are believed corrected: none of their claims is flagged any longer. This is measured with the checker
that flagged them, which also accepted every edit, and with an independent checker, which shares neither weights nor
rules with the first one. The independent checker may not flag a text before the correction, so both figures are
reported.

Of some sets the right versions are known. A third table has the share of their texts that equal the right one, and of
wrong sentences that were restored (graph_eval/bench/outcomes.py).

A corrector that needs a language model is `not run` unless one answered. A text is an error, and in no figure, if one
of its claims got no answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from graph_eval.bench import independent
from graph_eval.bench.benchmark import Bench, PlanBenchmark, Row, Table, Work, grouped, without_errors
from graph_eval.bench.outcomes import failure, outcome
from graph_eval.bench.sets import TABLE2, published_set, title_of
from graph_eval.bench.sets.edits import PARTS, Case, cases
from graph_eval.errors import MissingPartError
from graph_eval.pipeline import GraphEval
from graph_eval.sources import Records, RunResults, Source
from graph_eval.types import Result, content_hash

NOT_RUN = "not run"
BUILTIN = "builtin"
BY_MODEL = ("graphcorrect", "direct", "llm")
CORRECTORS = (BUILTIN, *BY_MODEL)
SETS = (*TABLE2, "summedits", "defacto")
ROUGE = ("rouge1", "rouge2", "rougeL")
FLAGGING = "triplets"  # the route that flags: of whole sets the same runs as in table 2
INDEPENDENT = "independent"
KNOWN = ("exact", "sentences", "edited", "edited_right", "restored")  # of an outcome, where the right version is known
START = ("set", "corrector", "texts", "flagged", "errors", "changed")  # columns of every table
SIMILARITY = (*ROUGE, *(f"{name}_of_changed" for name in ROUGE))
BELIEF = ("believed_corrected", "believed_of_changed", "flagged_claims_gone")
AGAIN = tuple(f"independent_{name}{ending}" for name in ("before", "after") for ending in ("", "_of_changed"))
RIGHT = ("wrong", "exact", "sentences_restored", "precision")


@dataclass
class _Texts:
    """The texts of a set. `cases`: where the right versions are known, all of them. `flagged`: results. `corrected`:
    results of the last corrector."""

    source: Source
    part: str = ""
    cases: Sequence[Case] = ()
    flagged: list[Result] = field(default_factory=list)
    corrected: list[Result] = field(default_factory=list)

    @property
    def flagging(self) -> str:
        return f"{FLAGGING}-{self.part}" if self.part else FLAGGING


@dataclass(frozen=True)
class GraphCorrect(PlanBenchmark):
    """`model`: the language model of the correctors that need one. `independent`: the name of another checker.

    `measure` raises MissingPartError if rouge-score is not installed.
    """

    name = "graphcorrect"
    title = "Corrections of flagged texts"
    model: str | None = None
    independent: str | None = None

    def work(self, bench: Bench) -> Iterator[Work]:
        _scorer()
        flagging = bench.ge.plan("extract", "check")
        judge = bench.with_checker(self.independent).plan("extract", "check") if self.independent else None
        named = {BUILTIN: BUILTIN} | ({kind: f"{kind}:{self.model}" for kind in BY_MODEL} if self.model else {})
        correcting = {
            kind: GraphEval(settings=bench.settings.replace(corrector=name)).plan("correct")
            for kind, name in named.items()
        }
        for name in bench.names or SETS:
            texts, title = _texts(bench, name), title_of(name)
            yield Work(name, title, texts.flagging, texts.source, flagging, texts)
            run = flagging.describe(texts.source.digest)
            flagged = RunResults(texts.flagged, run, content_hash("flagged", run.id), len(texts.flagged))
            if judge is not None:
                yield Work(name, title, INDEPENDENT, independent.before(texts.flagged, run), judge, texts)
            for kind, plan in correcting.items():
                texts.corrected.clear()
                yield Work(name, title, kind, flagged, plan, texts, optional=kind != BUILTIN)
                if judge is not None:
                    changed = [result for result in texts.corrected if independent.is_changed(result)]
                    source = independent.after(changed, plan.describe(flagged.digest, run))
                    yield Work(name, title, f"{INDEPENDENT}-{kind}", source, judge, texts)

    def item(self, work: Work, result: Result) -> Row:
        texts: _Texts = work.context
        if work.route == texts.flagging:
            if result.flagged:
                texts.flagged.append(result)
            return {"id": _id(result), "flagged": bool(result.flagged)}
        if work.route.startswith(INDEPENDENT):
            return {"id": _id(result), "supported": not result.flagged}
        if error := failure(result):
            return {"error": error}
        texts.corrected.append(result)
        return _corrected(result, texts.cases[result.n] if texts.cases else None)

    def about(self, bench: Bench) -> Mapping[str, Any]:  # noqa: ARG002
        return {"independent": self.independent, "model": self.model}

    def tables(self, items: Sequence[Row]) -> list[Table]:
        rows: list[Row] = []
        notes = [] if self.model else [f"{', '.join(BY_MODEL)}: no language model was named (--model)."]
        known = []  # rows of sets whose right versions are known
        for name, some in grouped(items, "set").items():
            by_route = grouped(some, "route")
            flagging = next(route for route in by_route if route.startswith(FLAGGING))
            judged = without_errors(by_route[flagging])
            start = {"texts": len(judged), "flagged": sum(item["flagged"] for item in judged)}
            if unjudged := len(by_route[flagging]) - len(judged):
                notes.append(f"{title_of(name)}: {unjudged} texts could not be judged.")
            for kind in CORRECTORS:
                row: Row = {"set": title_of(name), "corrector": kind, **start}
                found = by_route.get(kind, [])
                kept = without_errors(found)
                if kept or not (found or (kind in BY_MODEL and not self.model)):
                    row["errors"] = start["flagged"] - len(kept)
                    row |= _belief(kept) | _similarity(kept) | _independent(kept, kind, by_route)
                    row |= _rightness(kept) if flagging != FLAGGING else {}
                else:
                    row["errors"] = NOT_RUN
                    notes += [f"{title_of(name)}, {kind}: {_commonest(found)}."] if found else []
                rows.append(row)
                known += [row] if flagging != FLAGGING else []
        note = " ".join(notes)
        belief = (*START, *BELIEF, *(AGAIN if any(AGAIN[0] in row for row in rows) else ()))
        tables = [
            Table("table3", "Similarity with the uncorrected text (ROUGE F1)", rows, (*START, *SIMILARITY), note=note),
            Table("table4", "Flagged texts that are believed corrected", rows, belief, note=note),
        ]
        right = Table(
            "right_versions", "Flagged texts whose right version is known", known, (*START, *RIGHT), note=note
        )
        return [*tables, right] if known else tables


def _texts(bench: Bench, name: str) -> _Texts:
    """The texts of a set. Of a set of edits, the part for reported figures."""
    if name in PARTS:
        part = PARTS[name][-1]
        found = cases(bench.folder(), name, part, bench.limit)
        return _Texts(Records([case.example for case in found]), part, found)
    labelled = published_set(bench.folder(), name, bench.limit)
    return _Texts(Records.labelled(labelled))


def _id(result: Result) -> str:
    return result.example.id if result.example else ""


def _corrected(result: Result, case: Case | None) -> Row:
    """The outcome of one flagged text. `case`: it with its right version, where that is known."""
    example, revision = result.example, result.revision
    if example is None or revision is None:
        raise ValueError(f"record {result.n} was not corrected")
    left = revision.result or result
    scores = _scorer().score(example.response, revision.text)
    item: Row = {
        "id": example.id,
        "changed": revision.text != example.response,
        "claims": len(result.flagged),
        "claims_left": len(left.flagged),
        "believed": not left.flagged,
        **{measure: round(scores[measure].fmeasure, 4) for measure in ROUGE},
    }
    if case is not None:
        counted = outcome(case, result)
        item |= {"label": case.label, **{name: counted[name] for name in KNOWN}}
    return item


def _commonest(failed: Sequence[Row]) -> str:
    return str(Counter(item["error"] for item in failed).most_common(1)[0][0])


def _supported(items: Sequence[Row]) -> dict[int, bool]:
    """Whether the independent checker supports a text, by its number. Those that it could not judge are left out."""
    return {item["n"]: item["supported"] for item in without_errors(items)}


def _similarity(items: Sequence[Row]) -> Row:
    changed = [item for item in items if item["changed"]]
    return {name: _mean(items, name) for name in ROUGE} | {f"{name}_of_changed": _mean(changed, name) for name in ROUGE}


def _belief(items: Sequence[Row]) -> Row:
    changed = [item for item in items if item["changed"]]
    left, claims = sum(item["claims_left"] for item in items), sum(item["claims"] for item in items)
    return {
        "changed": _mean(items, "changed"),
        "believed_corrected": _mean(items, "believed"),
        "believed_of_changed": _mean(changed, "believed"),
        "flagged_claims_gone": round(1 - left / claims, 4) if claims else None,
    }


def _independent(items: Sequence[Row], kind: str, by_route: Mapping[str, Sequence[Row]]) -> Row:
    """The shares of texts that the independent checker supports before and after the correction."""
    if INDEPENDENT not in by_route:
        return {}
    first, last = _supported(by_route[INDEPENDENT]), _supported(by_route.get(f"{INDEPENDENT}-{kind}", ()))
    pairs = [
        (item["changed"], first[item["n"]], after[item["n"]])
        for item in items
        if item["n"] in first and item["n"] in (after := last if item["changed"] else first)
    ]
    changed = [pair for pair in pairs if pair[0]]
    shares = [_share([pair[place] for pair in some]) for place in (1, 2) for some in (pairs, changed)]
    return dict(zip(AGAIN, shares, strict=True))


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
    return _share([item[name] for item in items])


def _share(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


@cache
def _scorer() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as problem:
        raise MissingPartError(f"{problem.name} is not installed", "pip install 'graph_eval[bench]'") from problem
    return RougeScorer(list(ROUGE))
