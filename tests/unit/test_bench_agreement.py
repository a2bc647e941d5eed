"""Agreement of two runs on the same claims."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from graph_eval import GraphEval
from graph_eval.bench.agreement import (
    Labelling,
    Verdict,
    agreement,
    merged,
    merged_lines,
    of_directory,
    of_file,
    of_store,
)
from graph_eval.errors import RunError, UsageError
from graph_eval.graph.labels import person_run, read_labels
from graph_eval.jobs import Job
from graph_eval.runs.resume import RunDirectory
from graph_eval.settings import Settings
from graph_eval.sources import one_off
from graph_eval.types import Label

E, N, C, ABSTAIN = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION, Label.ABSTAIN
LABELS = st.sampled_from([E, N, C, ABSTAIN])


def labelling(name: str, labels: Mapping[str, Label], responses: Mapping[str, str] | None = None) -> Labelling:
    verdicts = {claim: Verdict(label, label in (N, C), (responses or {}).get(claim)) for claim, label in labels.items()}
    return Labelling(name, verdicts, len(verdicts))


def table(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return next(found["rows"] for found in value["tables"] if found["name"] == name)


def test_the_figures_of_hand() -> None:
    one = labelling("a", {"1": E, "2": E, "3": N, "4": C, "5": C})
    other = labelling("b", {"1": E, "2": N, "3": N, "4": N, "6": E})
    value = agreement(one, other)
    labels, flagged = table(value, "agreement")
    # Labels: 2 of 4 agree; by chance 2/4 * 1/4 + 1/4 * 3/4 = 5/16.
    # Flags: 3 of 4 agree; by chance 2/4 * 1/4 + 2/4 * 3/4 = 1/2.
    assert (labels["n"], labels["agreement"]["value"], labels["kappa"]["value"]) == (4, 0.5, round(3 / 11, 4))
    assert (flagged["agreement"]["value"], flagged["kappa"]["value"]) == (0.75, 0.5)
    assert [(row["of"], row["labelled"], row["share"]) for row in table(value, "claims")] == [
        ("a", 5, 0.8),
        ("b", 5, 0.8),
        ("either", 6, 0.6667),
    ]
    assert table(value, "confusion") == [
        {"": "Entailment", "Entailment": 1, "Neutral": 1, "Contradiction": 0},
        {"": "Neutral", "Entailment": 0, "Neutral": 1, "Contradiction": 0},
        {"": "Contradiction", "Entailment": 0, "Neutral": 1, "Contradiction": 0},
    ]
    assert table(value, "merged") == [
        {"label": "Entailment", "claims": 2, "both agree": 1, "worse of two": 0, "labelled by one": 1},
        {"label": "Neutral", "claims": 2, "both agree": 1, "worse of two": 1, "labelled by one": 0},
        {"label": "Contradiction", "claims": 2, "both agree": 0, "worse of two": 1, "labelled by one": 1},
    ]


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=30))
def test_kappa_is_scikit_learns(pairs: list[tuple[Label, Label]]) -> None:
    columns = [{str(n): label for n, label in enumerate(column)} for column in zip(*pairs, strict=True)]
    one, other = (labelling(name, column) for name, column in zip("ab", columns, strict=True))
    labels, _ = table(agreement(one, other), "agreement")
    if len({label for pair in pairs for label in pair}) == 1:
        assert labels["kappa"]["value"] is None
    else:
        expected = cohen_kappa_score(*zip(*pairs, strict=True))
        assert labels["kappa"]["value"] == pytest.approx(expected, abs=6e-5)


@given(st.dictionaries(st.text(max_size=2), LABELS), st.dictionaries(st.text(max_size=2), LABELS))
def test_the_worse_label_wins_whoever_gave_it(one: dict[str, Label], other: dict[str, Label]) -> None:
    found = merged(labelling("a", one), labelling("b", other))
    assert found == merged(labelling("b", other), labelling("a", one))
    order = [C, N, E, ABSTAIN]
    for claim, label in found.items():
        given_labels = [labels[claim] for labels in (one, other) if claim in labels]
        assert label == next(worst for worst in order if worst in given_labels)
    assert found.keys() == one.keys() | other.keys()


def test_the_claims_of_a_response_are_drawn_together() -> None:
    """With one response there is one resample: all claims. Without responses there are many."""
    one, other = {str(n): E for n in range(8)}, {str(n): (E if n < 5 else N) for n in range(8)}
    together = dict.fromkeys(one, "r")
    value = agreement(labelling("a", one, together), labelling("b", other))
    figure = table(value, "agreement")[0]["agreement"]
    assert figure == {"value": 0.625, "low": 0.625, "high": 0.625}
    assert "responses" in next(found["note"] for found in value["tables"] if found["name"] == "agreement")
    value = agreement(labelling("a", one), labelling("b", other))
    figure = table(value, "agreement")[0]["agreement"]
    assert figure["low"] < 0.5 < 0.75 < figure["high"]
    assert "claims" in next(found["note"] for found in value["tables"] if found["name"] == "agreement")


def test_runs_of_other_claims_are_an_error() -> None:
    with pytest.raises(RunError, match="a and b have no claim in common") as caught:
        agreement(labelling("a", {"1": E}), labelling("b", {"2": E}))
    assert "one extractor" in str(caught.value.hint)


def test_merged_labels_can_be_imported(tmp_path: Path) -> None:
    path = tmp_path / "merged.jsonl"
    one, other = labelling("a", {"1": E, "2": N, "3": ABSTAIN}), labelling("b", {"1": C, "2": ABSTAIN, "3": ABSTAIN})
    path.write_text(merged_lines(one, other), "utf8")
    judgements, problems = read_labels(path)
    assert problems == []
    assert {claim: judgement.label for claim, judgement in judgements.items()} == {"1": C, "2": N}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run directory of one response."""
    source = one_off("The tower was opened in 1899. It is tall.", ["The tower was opened in 1889. It is tall."], None)
    path = tmp_path / "run"
    list(Job(source, GraphEval(settings=Settings()).plan(), [RunDirectory(path)]).results())
    return path


def test_a_run_agrees_with_itself_and_with_a_file_of_labels(run: Path, tmp_path: Path) -> None:
    own = of_directory(run)
    assert own.claims == len(own.verdicts) > 1
    value = agreement(own, own)
    assert [row["agreement"]["value"] for row in table(value, "agreement")] == [1.0, 1.0]
    assert {item["response_id"] for item in value["items"]} == {next(iter(own.verdicts.values())).response}
    claim = next(iter(own.verdicts))
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps({"claim_id": claim, "label": "Neutral"}) + "\n[]\n", "utf8")
    labels, problems = of_file(path)
    assert len(problems) == 1
    assert labels.verdicts[claim].flagged
    value = agreement(own, labels)
    assert np.isclose(table(value, "claims")[0]["share"], 1 / own.claims, atol=1e-4)


def test_what_has_no_verdicts_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is not a run directory"):
        of_directory(tmp_path)
    source = one_off("It is tall.", ["It is tall."], None)
    path = tmp_path / "extracted"
    list(Job(source, GraphEval(settings=Settings()).plan("extract"), [RunDirectory(path)]).results())
    with pytest.raises(RunError, match="has no judged claims"):
        of_directory(path)
    empty = tmp_path / "labels.jsonl"
    empty.write_text('{"claim_id": "x", "label": null}\n', "utf8")
    with pytest.raises(UsageError, match="has no labels"):
        of_file(empty)


class Graph:
    """The labels of a store, by the id of a run."""

    def __init__(self, labels: dict[str, list[dict[str, Any]]]) -> None:
        self._labels = labels

    def labels(self, run: str) -> list[dict[str, Any]]:
        return self._labels.get(run, [])


def test_a_name_means_a_run_or_a_person() -> None:
    rows = [{"claim": "1", "response": "r", "label": "Neutral", "flagged": True}]
    failed = [{"claim": "2", "response": "r", "label": None, "flagged": False}]
    graph: Any = Graph({"abc": rows + failed, person_run("anna").id: rows})
    found = of_store(graph, "abc")
    assert (found.claims, found.verdicts) == (2, {"1": Verdict(N, True, "r")})
    assert of_store(graph, "anna").verdicts == of_store(graph, "human:anna").verdicts == found.verdicts
    with pytest.raises(UsageError, match="no labels by a run or a person 'ben'"):
        of_store(graph, "ben")
