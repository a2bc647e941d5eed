"""Calibrates a checker on a person's labels: reads the labels, judges what they label, and fits a profile.

Labels are records with a label, or claims of a graph store that a person labelled (in a file, or as a run of the
store).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from graph_eval.checkers.merge import NO_PASSAGE
from graph_eval.checkers.profile import FittedOn, Profile, kept
from graph_eval.errors import UsageError
from graph_eval.fitting.fit import Score, Scored, fitted
from graph_eval.formats import files
from graph_eval.formats.labelled import Labelled, Track, label
from graph_eval.graph.labels import person_run, verdicts_of
from graph_eval.graph.rows import HUMAN
from graph_eval.jobs import Job
from graph_eval.pipeline import GraphEval
from graph_eval.settings import Settings
from graph_eval.sources import Records, RunResults
from graph_eval.types import Example, Judgement, Result, Run, content_hash
from graph_eval.version import __version__

if TYPE_CHECKING:
    from graph_eval.graph.claims import ClaimGraph

RESPONSES, CLAIMS = "responses", "claims"


@dataclass
class Judged:
    """Labelled items with their scores, the parts that scored them, and a message for each item without a score."""

    kind: str
    items: list[Scored]
    checker: FittedOn
    extractor: FittedOn | None
    problems: list[str] = field(default_factory=list)

    def profile(self) -> Profile:
        """Raises UsageError for too few labels."""
        fit = fitted(self.items, f"labelled {self.kind}")
        wrong = sum(item.label for item in self.items)
        labels = {
            "kind": self.kind,
            "total": len(self.items),
            "inconsistent": wrong,
            "consistent": len(self.items) - wrong,
            "contexts": len({item.context for item in self.items}),
            "kept": sum(item.kept for item in self.items),
        }
        return Profile(
            self.checker,
            self.extractor,
            fit.line.slope,
            fit.line.intercept,
            fit.thresholds,
            labels,
            fit.figures,
            __version__,
            fit.weights,
        )


def unfitted(settings: Settings) -> Settings:
    """The settings by which labels are judged: the checker as it is."""
    return settings.replace(threshold=None, profile=None)


def kind_of(sources: Sequence[files.Source]) -> str:
    """What the files label. The first row that has the fields of one kind decides."""
    for _, row in files.values(sources):
        if isinstance(row, dict):
            if "claim_id" in row:
                return CLAIMS
            if {"response", "context"} <= row.keys():
                return RESPONSES
    return RESPONSES  # perhaps with other names: --map, or a dialect


def judged_responses(
    sources: Sequence[files.Source], columns: Mapping[str, str], settings: Settings, track: Track
) -> Judged:
    """Records with a label. The score of a response is the largest p_inconsistent of its claims."""
    ge = GraphEval(settings=unfitted(settings))
    labelled = Labelled("labelled", "labelled", tuple(sources), columns)
    judged = Judged(RESPONSES, [], _checker(ge), _part(ge.settings.extractor, ge.extractor.fingerprint))
    job = Job(Records.labelled(labelled), ge.plan())
    for result in track(job.results(), len(labelled), "judging"):
        human = label(result.example) if result.example else None
        if result.error is not None or result.example is None or human is None:
            judged.problems.append(_problem(result))
            continue
        judged.items.append(scored(human, result.judgements, _context(result.example)))
    return judged


def scored(human: int, judgements: Sequence[Judgement], context: str) -> Scored:
    """A text with the label `human` and its claims. Its score is the largest p_inconsistent; without a claim it is 0.

    A profile leaves it as it is where that is so of every claim, or of one without any passage.
    """
    if any(judgement.reason == NO_PASSAGE for judgement in judgements):
        return Scored(human, 1.0, True, context)
    free = tuple(Score(each.p_inconsistent or 0.0, each.signs) for each in judgements if not kept(each))
    return Scored(human, max((score.p_inconsistent for score in free), default=0.0), not free, context, free)


def claims_of_files(sources: Sequence[files.Source]) -> tuple[dict[str, bool], list[str]]:
    """Whether a person flagged each claim, by the claim's id, and a message for each invalid row."""
    verdicts, problems = verdicts_of(files.values(sources))
    return {claim: verdict.flagged for claim, verdict in verdicts.items()}, problems


def claims_of_person(graph: ClaimGraph, name: str) -> dict[str, bool]:
    """Whether the person of that name flagged each claim, by the claim's id. Raises UsageError without labels."""
    flags = graph.flags(person_run(name).id)
    if not flags:
        raise UsageError(f"the store has no labels by {name!r}", "import them: graph-eval label import")
    return flags


def claims_of_run(graph: ClaimGraph, run_id: str) -> dict[str, bool]:
    """Whether the person whose run this is flagged each claim. Raises UsageError for any other run."""
    if not str(graph.run(run_id).settings.get("checker", "")).startswith(HUMAN):
        raise UsageError(f"run {run_id} is not a person's", "list the runs: graph-eval query runs --store ...")
    return graph.flags(run_id)


def judged_claims(graph: ClaimGraph, flags: Mapping[str, bool], settings: Settings, track: Track) -> Judged:
    """Claims of the store, judged as the extractor of their run found them."""
    ge = GraphEval(settings=unfitted(settings))
    found = list(graph.stating(flags))
    runs = {run for run, _ in found}
    extractors = {
        (str(run.settings.get("extractor")), run.fingerprints.get("extractor")) for run in map(graph.run, sorted(runs))
    }
    name, fingerprint = next(iter(extractors)) if len(extractors) == 1 else ("", None)
    extractor = None if fingerprint is None else _part(name, fingerprint)
    judged = Judged(CLAIMS, [], _checker(ge), extractor)
    known = {claim.id for _, result in found for claim in result.claims}
    judged.problems += [f"claim {claim} is not in the store" for claim in sorted(flags.keys() - known)]
    results = [result for _, result in found]
    job = Job(RunResults(results, Run("extract", {}, {}, {}, "")), ge.plan("check"))
    for result in track(job.results(), len(results), "judging"):
        if result.example is None:
            continue
        for finding in result.findings:
            judgement = finding.judgement
            if judgement.p_inconsistent is None:
                judged.problems.append(f"claim {finding.claim.id}: {judgement.error or 'no p_inconsistent'}")
                continue
            judged.items.append(scored(int(flags[finding.claim.id]), [judgement], _context(result.example)))
    return judged


def _checker(ge: GraphEval) -> FittedOn:
    return _part(ge.settings.checker, ge.checker.fingerprint)


def _part(name: str, fingerprint: str) -> FittedOn:
    """The part without the folders of this machine in its name."""
    words = (
        Path(word).name if word.startswith(("/", ".", "~")) or ("/" in word and Path(word).exists()) else word
        for word in re.split(r"([:+])", name)
    )
    return FittedOn("".join(words), fingerprint)


def _context(example: Example) -> str:
    passages = sorted(passage.id for passage in example.passages)
    return content_hash("context", *passages) if passages else example.key


def _problem(result: Result) -> str:
    name = f"record {result.example.id}" if result.example else f"record {result.n + 1}"
    error = result.error
    if error is None:
        return f"{name}: no label"
    return str(error) if error.place else f"{name}: {error}"
