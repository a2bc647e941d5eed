"""The table of corrected summaries (GraphCorrect, arXiv 2407.10793, section 5): the share of flagged summaries that are
believed corrected, and their similarity with the original.

A summary is believed corrected if none of its claims is flagged any longer. This is measured with the checker that
flagged it, which also accepted every edit, and with an independent checker, which shares neither weights nor rules with
the first one. The independent checker may not flag a summary before the correction, so both figures are reported.
ROUGE-1, -2 and -L (F1) compare the text before and after the correction. Correctors that need a language model are
`not run` without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graph_eval.bench.record import record
from graph_eval.bench.sets import TABLE2, published_set
from graph_eval.errors import MissingPartError
from graph_eval.formats.labelled import Track
from graph_eval.jobs import Job
from graph_eval.pipeline import GraphEval
from graph_eval.settings import Settings
from graph_eval.sources import RunResults
from graph_eval.types import Example, Result

NOT_RUN = "not run"
BY_MODEL = ("llm", "graphcorrect", "direct")
ROUGE = ("rouge1", "rouge2", "rougeL")


def graphcorrect(
    data: Path,
    settings: Settings,
    names: Sequence[str] = TABLE2,
    model: str | None = None,
    independent: str | None = None,
    limit: int | None = None,
    track: Track = lambda results, _total, _name: results,
) -> dict[str, Any]:
    """Rows for every set and corrector: builtin, and those that use the language model `model`.

    `independent`: the name of the independent checker. Raises MissingPartError if rouge-score is not installed.
    """
    scorer = _scorer()
    judge = None
    if independent is not None:
        judge = GraphEval(settings=settings.replace(checker=independent, threshold=None, profile=None))
    by_corrector = {"builtin": GraphEval(settings=settings.replace(corrector="builtin"))}
    if model is not None:
        by_corrector |= {name: GraphEval(settings=settings.replace(corrector=f"{name}:{model}")) for name in BY_MODEL}
    ge = by_corrector["builtin"]
    rows: list[dict[str, Any]] = []
    items: list[dict[str, Any]] = []
    digests = {}
    judged_by = ge.plan().describe()
    for name in names:
        labelled = published_set(data, name, limit)
        digests[name] = labelled.digest
        examples = [item for item in labelled if isinstance(item, Example)]
        judged = [result for result in track(ge.pipe(examples), len(examples), name) if result.error is None]
        flagged = [result for result in judged if result.flagged]
        for corrector in ("builtin", *BY_MODEL):
            start = {"set": name, "corrector": corrector, "summaries": len(judged), "flagged": len(flagged)}
            if corrector not in by_corrector:
                rows.append(start | {"note": NOT_RUN})
                continue
            job = Job(RunResults(flagged, judged_by), by_corrector[corrector].plan("correct"))
            corrected = [r for r in track(job.results(), len(flagged), f"{name}, {corrector}") if r.error is None]
            outcomes = [_item(name, corrector, result, scorer) for result in corrected]
            if judge is not None:
                _judge_again(outcomes, corrected, judge)
            items += outcomes
            failures = {"errors": len(flagged) - len(corrected)} if len(corrected) < len(flagged) else {}
            rows.append(start | failures | _row(outcomes, judge is not None))
    plans = {name: one.plan("extract", "check", "correct") for name, one in by_corrector.items()}
    plans |= {"independent": judge.plan()} if judge else {}
    about = {"independent": independent, "model": model, "fingerprint": judge and judge.checker.fingerprint}
    return record("graphcorrect", plans, settings.threads, digests, **about, rows=rows, items=items)


def _item(name: str, corrector: str, result: Result, scorer: Any) -> dict[str, Any]:
    """The outcome of one flagged summary."""
    example, revision = result.example, result.revision
    if example is None or revision is None:
        raise ValueError(f"record {result.n} was not corrected")
    after = revision.result or result
    item: dict[str, Any] = {
        "set": name,
        "corrector": corrector,
        "id": example.id,
        "changed": revision.text != example.response,
        "claims": len(result.flagged),
        "claims_left": len(after.flagged),
        "believed": not after.flagged,
    }
    scores = scorer.score(example.response, revision.text)
    return item | {measure: round(scores[measure].fmeasure, 4) for measure in ROUGE}


def _judge_again(items: Sequence[dict[str, Any]], results: Sequence[Result], judge: GraphEval) -> None:
    """Adds to each item whether the checker that took no part supports the text before and after the correction."""
    for column, texts in (
        ("independent_before", [result.example.response if result.example else "" for result in results]),
        ("independent", [result.revision.text if result.revision else "" for result in results]),
    ):
        examples = [
            replace(result.example, response=text, samples=(), meta={})
            for result, text in zip(results, texts, strict=True)
            if result.example
        ]
        for item, verdict in zip(items, judge.pipe(examples), strict=True):
            item[column] = verdict.error is None and not verdict.flagged


def _row(items: Sequence[dict[str, Any]], independent: bool) -> dict[str, Any]:
    changed = [item for item in items if item["changed"]]
    left, claims = sum(item["claims_left"] for item in items), sum(item["claims"] for item in items)
    row: dict[str, Any] = {
        "changed": _mean(items, "changed"),
        "believed_corrected": _mean(items, "believed"),
        "believed_of_changed": _mean(changed, "believed"),
        "flagged_claims_gone": round(1 - left / claims, 4) if claims else None,
    }
    if independent:
        row |= {
            "independent_before": _mean(items, "independent_before"),
            "independent_after": _mean(items, "independent"),
            "independent_before_of_changed": _mean(changed, "independent_before"),
            "independent_after_of_changed": _mean(changed, "independent"),
        }
    return row | {name: _mean(items, name) for name in ROUGE} | {f"{n}_of_changed": _mean(changed, n) for n in ROUGE}


def _mean(items: Sequence[dict[str, Any]], name: str) -> float | None:
    return round(sum(item[name] for item in items) / len(items), 4) if items else None


def _scorer() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as problem:
        raise MissingPartError(f"{problem.name} is not installed", "pip install 'graph_eval[bench]'") from problem
    return RougeScorer(list(ROUGE))
