"""Agreement of two runs on the same claims: of two checkers, of a checker and a person, or of two persons.

Claims are paired by their id. Cohen's kappa (1960) is the agreement beyond that of chance, over the labels and over
flagged or not. Intervals are over resamples of the responses, whose claims are drawn together, or of the claims where
a response is not known. Where the runs disagree, the merged label is the worse one: Contradiction before Neutral before
Entailment, as the people who labelled WikiBio-GPT3 were merged (arXiv 2303.08896).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graph_eval.aggregate import WORST_FIRST
from graph_eval.bench.benchmark import Row, Table
from graph_eval.errors import RunError, UsageError
from graph_eval.graph.claims import ClaimGraph
from graph_eval.graph.labels import person_run, read_labels
from graph_eval.graph.rows import HUMAN
from graph_eval.metrics import Array, kappa, mean, weights
from graph_eval.runs.directory import read_results, require_run
from graph_eval.types import COLUMNS, Label
from graph_eval.version import __version__

NAME = "agreement"  # of the benchmark, in the file
ORDER = (*WORST_FIRST, Label.ABSTAIN)  # the worst first
SHOWN = (*COLUMNS, Label.ABSTAIN)  # in tables


@dataclass(frozen=True)
class Verdict:
    """A verdict on a claim. `response`: the id of its response, or None if it is not known."""

    label: Label
    flagged: bool
    response: str | None


@dataclass(frozen=True)
class Labelling:
    """The verdicts of a run by claim id. `claims`: the number of its claims, those that failed included."""

    name: str
    verdicts: Mapping[str, Verdict]
    claims: int


def of_directory(path: Path) -> Labelling:
    """The verdicts of a run directory. Raises RunError if it is none, or if nothing in it was judged."""
    verdicts = {}
    claims: set[str] = set()
    for result in read_results(require_run(path)):
        claims.update(claim.id for claim in result.claims)
        for finding in result.findings:
            if (label := finding.judgement.label) is not None:
                verdicts[finding.claim.id] = Verdict(label, finding.judgement.flagged, finding.claim.text_id)
    if not verdicts:
        raise RunError(f"{path} has no judged claims", "judge them: graph-eval check RUN -o OTHER")
    return Labelling(str(path), verdicts, len(claims))


def of_file(path: Path) -> tuple[Labelling, list[str]]:
    """A person's labels of a file (see `graph.labels`), and a message for each invalid line.

    Raises InputError if the file cannot be read, UsageError if it has no label.
    """
    judgements, problems = read_labels(path)
    verdicts = {name: Verdict(one.label, one.flagged, None) for name, one in judgements.items() if one.label}
    if not verdicts:
        first = f": {problems[0]}" if problems else ""
        raise UsageError(f"{path} has no labels{first}", 'each line is an object with "claim_id" and "label"')
    return Labelling(str(path), verdicts, len(verdicts)), problems


def of_store(graph: ClaimGraph, name: str) -> Labelling:
    """The verdicts of a run of the store, by its id or by the name of the person who labelled.

    Raises UsageError if the store has neither, or if the run judged nothing.
    """
    person = person_run(name.removeprefix(HUMAN)).id
    found = next((rows for run in (name, person) if (rows := graph.labels(run))), [])
    verdicts = {
        row["claim"]: Verdict(Label(row["label"]), bool(row["flagged"]), row["response"])
        for row in found
        if row["label"] is not None
    }
    if not verdicts:
        raise UsageError(
            f"the store has no labels by a run or a person {name!r}", "list the runs: graph-eval query runs --store ..."
        )
    return Labelling(name, verdicts, len({row["claim"] for row in found}))


def agreement(one: Labelling, other: Labelling) -> dict[str, Any]:
    """The figures as the content of a file, with `tables` and an item for each claim that both labelled.

    Raises RunError if no claim is labelled by both.
    """
    both = [claim for claim in one.verdicts if claim in other.verdicts]
    if not both:
        raise RunError(
            f"{one.name} and {other.name} have no claim in common",
            "claims are the same only if one extractor found them in the same responses and contexts: "
            "judge a run again with graph-eval check RUN --checker NAME -o OTHER",
        )
    pairs = [(one.verdicts[claim], other.verdicts[claim]) for claim in both]
    drawn, unit = _drawn(pairs)
    tables = [
        Table("claims", "Claims", list(_claims(one, other, len(both)))),
        Table(
            "agreement",
            "Agreement on the claims that both labelled",
            list(_agreement(pairs, drawn)),
            note=f"Intervals are 95%, over resamples of the {unit}.",
        ),
        Table("confusion", f"Labels: {one.name} in rows, {other.name} in columns", list(_confusion(pairs))),
        Table("merged", "Merged labels", list(_merged(one, other))),
    ]
    return {
        "benchmark": NAME,
        "title": f"Agreement of {one.name} and {other.name}",
        "versions": {"graph_eval": __version__},
        "tables": [asdict(table) for table in tables],
        "items": [
            {"claim_id": claim, "response_id": a.response or b.response, "A": a.label, "B": b.label}
            | {"flagged_by_A": a.flagged, "flagged_by_B": b.flagged}
            for claim, (a, b) in zip(both, pairs, strict=True)
        ],
    }


def merged(one: Labelling, other: Labelling) -> dict[str, Label]:
    """The label of each claim that either labelled: where both did, the worse one. Abstain yields to any label."""
    return {
        claim: min(
            (verdicts[claim].label for verdicts in (one.verdicts, other.verdicts) if claim in verdicts), key=_rank
        )
        for claim in dict.fromkeys((*one.verdicts, *other.verdicts))
    }


def merged_lines(one: Labelling, other: Labelling) -> str:
    """The merged labels as JSON lines that `label import` and `calibrate` read. Abstain is written as null."""
    return "".join(
        json.dumps({"claim_id": claim, "label": None if label is Label.ABSTAIN else label}) + "\n"
        for claim, label in merged(one, other).items()
    )


def _rank(label: Label) -> int:
    return ORDER.index(label)


def _drawn(pairs: Sequence[tuple[Verdict, Verdict]]) -> tuple[Array, str]:
    """How often each claim is drawn, and the unit that is resampled."""
    responses = [a.response or b.response for a, b in pairs]
    if None in responses:
        return weights(len(pairs)), "claims"
    names = {name: place for place, name in enumerate(dict.fromkeys(responses))}
    return weights(len(names))[:, [names[name] for name in responses]], "responses"


def _claims(one: Labelling, other: Labelling, both: int) -> Iterator[Row]:
    either = len(one.verdicts.keys() | other.verdicts.keys())
    for name, claims, labelled in (
        (one.name, one.claims, len(one.verdicts)),
        (other.name, other.claims, len(other.verdicts)),
        ("either", None, either),
    ):
        yield {
            "of": name,
            "claims": claims,
            "labelled": labelled,
            "labelled by both": both,
            "share": round(both / labelled, 4),
        }


def _agreement(pairs: Sequence[tuple[Verdict, Verdict]], drawn: Array) -> Iterator[Row]:
    for name, codes in (
        ("labels", [[_rank(verdict.label) for verdict in pair] for pair in pairs]),
        ("flagged or not", [[int(verdict.flagged) for verdict in pair] for pair in pairs]),
    ):
        first, second = np.array(codes, dtype=np.float64).T
        yield {
            "over": name,
            "n": len(pairs),
            "agreement": mean((first == second).astype(np.float64), drawn).figure()._asdict(),
            "kappa": kappa(first, second, drawn).figure()._asdict(),
        }


def _confusion(pairs: Sequence[tuple[Verdict, Verdict]]) -> Iterator[Row]:
    counts = Counter((a.label, b.label) for a, b in pairs)
    shown = [label for label in SHOWN if any(label in pair for pair in counts)]
    for label in shown:
        yield {"": label.value} | {column.value: counts[label, column] for column in shown}


def _merged(one: Labelling, other: Labelling) -> Iterator[Row]:
    agreed, worse, single = Counter[Label](), Counter[Label](), Counter[Label]()
    for claim, label in merged(one, other).items():
        a, b = one.verdicts.get(claim), other.verdicts.get(claim)
        counter = single if a is None or b is None else agreed if a.label is b.label else worse
        counter[label] += 1
    for label in SHOWN:
        if total := agreed[label] + worse[label] + single[label]:
            yield {
                "label": label.value,
                "claims": total,
                "both agree": agreed[label],
                "worse of two": worse[label],
                "labelled by one": single[label],
            }
