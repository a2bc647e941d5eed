"""Results in Python: their repr, their plain values, and the list and table of several."""

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import graph_eval
from graph_eval.errors import MissingPartError, RunError
from graph_eval.formats.results import to_json
from graph_eval.formats.writers import CSV_COLUMNS, csv_rows
from graph_eval.reports import render
from graph_eval.results import Results, read_run
from graph_eval.runs.resume import write_run
from graph_eval.types import (
    Claim,
    Example,
    Finding,
    ItemError,
    Judgement,
    Kind,
    Label,
    Passage,
    Result,
    Run,
    Slot,
    Span,
)
from tests.browser.results import corrected, many
from tests.conftest import missing

RESULTS = Results(many(20))
FAILED = Result(3, None, error=ItemError("input", "invalid JSON", place="a.jsonl, line 4"))
ABSTAINED = Result(2, Example("b", "set", "Sorry."), label=Label.ABSTAIN)
CLAIM = Claim.triplet(
    "t",
    (Slot("tower", (Span(4, 9),)), Slot("was opened in", (Span(10, 23),)), Slot("1899", (Span(24, 28),))),
    "The tower was opened in 1899.",
    Span(0, 29),
)
RUN = Run("check", {"threshold": 0.5}, {}, {}, "")


# ---- repr ----


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (RESULTS[2], "Result(id='case-2', label='Contradiction', p_inconsistent=0.93, flagged='2 of 3 claims')"),
        (ABSTAINED, "Result(id='b', label='Abstain', claims=0)"),
        (FAILED, "Result(id='4', error='a.jsonl, line 4: invalid JSON')"),
        (Result(0, Example("b", "set", "x"), (CLAIM,)), "Result(id='b', claims=1)"),
        (
            CLAIM,
            "Claim(kind='triplet', slots='tower → was opened in → 1899', text='The tower was opened in 1899.')",
        ),
        (Claim.whole("t", "It is\nold.", Span(0, 10)), "Claim(kind='sentence', text='It is\\nold.')"),
        (Judgement("c", Label.NEUTRAL, 0.666, True), "Judgement(label='Neutral', p_inconsistent=0.67, flagged=True)"),
        (
            Judgement("c", Label.NEUTRAL, 1.0, True, reason="no_passage"),
            "Judgement(label='Neutral', p_inconsistent=1.0, flagged=True, reason='no_passage')",
        ),
        (Judgement.failed("c", ItemError("check", "no answer")), "Judgement(error='no answer')"),
        (Passage.of("It is old.", "page 1"), "Passage(text='It is old.', source='page 1')"),
        (Passage.of("x" * 200), f"Passage(text='{'x' * 79}…')"),
        (
            Example("a", "set", "It is old.", (Passage.of("x"),), model="m"),
            "Example(id='a', model='m', response='It is old.', passages=1)",
        ),
    ],
)
def test_a_repr_says_what_matters(value: object, expected: str) -> None:
    assert repr(value) == expected


def test_a_finding_shows_its_claim_and_verdict() -> None:
    found = repr(Finding(CLAIM, Judgement(CLAIM.id, Label.NEUTRAL, 0.6, True)))
    assert found.startswith("Finding(claim=Claim(kind='triplet'")
    assert "judgement=Judgement(label='Neutral'" in found


def test_a_repr_cannot_change_the_terminal() -> None:
    assert "\x1b" not in repr(Passage.of("\x1b[31mred"))


# ---- plain values ----


@pytest.mark.parametrize("result", [corrected(RESULTS[1]), ABSTAINED, FAILED])
def test_the_dictionary_of_a_result_is_its_json(result: Result) -> None:
    assert result.to_dict() == json.loads(to_json(result))
    assert Results([result]).to_dict() == [result.to_dict()]


# ---- the list ----


def test_results_are_a_sequence() -> None:
    items = list(many(20))
    assert list(RESULTS) == items
    assert len(RESULTS) == 20
    assert RESULTS[-1] == items[-1]
    assert RESULTS[1:4] == Results(items[1:4])
    assert isinstance(RESULTS[::-1], Results)
    assert items[3] in RESULTS
    assert RESULTS.index(items[3]) == 3
    assert not Results()
    with pytest.raises(IndexError):
        RESULTS[20]


def test_results_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        RESULTS.items = ()  # type: ignore[misc]
    with pytest.raises(TypeError):
        RESULTS[0] = FAILED  # type: ignore[index]


def test_a_repr_counts() -> None:
    assert repr(RESULTS) == (
        "Results(20 results: 8 Neutral, 10 Contradiction, 1 Abstain, 1 failed; 21 of 54 claims flagged)"
    )
    assert repr(Results([Result(0, ABSTAINED.example, (CLAIM,))])) == (
        "Results(1 result: 1 not judged; 0 of 1 claim flagged)"
    )
    assert repr(Results()) == "Results(0 results; 0 of 0 claims flagged)"
    assert sum(RESULTS.counts.values()) == len(RESULTS)


def test_flagged_are_the_inconsistent_ones_in_order() -> None:
    assert list(RESULTS.flagged) == [result for result in RESULTS if result.inconsistent]
    assert 0 < len(RESULTS.flagged) < len(RESULTS)


def test_a_run_is_read_with_its_settings(tmp_path: Path) -> None:
    write_run(tmp_path / "RUN", RUN, RESULTS, 8)
    read = graph_eval.read_run(str(tmp_path / "RUN"))
    assert read == Results(RESULTS, RUN)
    assert list(read_run(tmp_path / "RUN", limit=3)) == list(RESULTS[:3])
    assert read[:2].run == read.flagged.run == RUN
    with pytest.raises(RunError, match="is not a run directory"):
        read_run(tmp_path)


@pytest.mark.parametrize("view", ["report", "graph"])
def test_results_write_their_page(tmp_path: Path, view: str) -> None:
    page = Results(RESULTS, RUN).render(tmp_path / "own.html", view)
    assert "threshold <b>0.5</b>" in page.read_text("utf8")
    plain = RESULTS.render(tmp_path / "plain.html", view)
    assert plain.read_bytes() == render(list(RESULTS), tmp_path / "x.html", view).read_bytes()


# ---- the table ----


def frame(results: Result | Results):
    if find_spec("pandas") is None:
        missing("pandas", "pandas is not installed")
    return results.to_dataframe()


def test_a_dataframe_has_the_rows_and_columns_of_csv() -> None:
    table = frame(RESULTS)
    assert tuple(table.columns) == CSV_COLUMNS
    expected = [[str(cell) for cell in row] for result in RESULTS for row in csv_rows(result)]
    texts = table.assign(flagged=table["flagged"].astype("Int64")).astype("object")
    assert texts.where(table.notna(), "").astype(str).to_numpy().tolist() == expected
    assert frame(RESULTS[0]).equals(frame(RESULTS[:1]))


def test_the_columns_of_a_dataframe_have_types() -> None:
    for results in (RESULTS, Results(), Results([FAILED, ABSTAINED])):
        types = {name: str(kind) for name, kind in frame(results).dtypes.items()}
        assert {types.pop(name) for name in ("start", "end")} == {"Int64"}
        assert (types.pop("n"), types.pop("p_inconsistent"), types.pop("flagged")) == ("int64", "float64", "boolean")
        assert set(types.values()) == {"string"}


def test_a_dataframe_counts() -> None:
    table = frame(RESULTS)
    assert table["flagged"].sum() == sum(len(result.flagged) for result in RESULTS)
    assert table["error"].notna().sum() == 1
    assert table.loc[table["id"] == "case-7", "claim"].isna().all()
    assert (table.groupby("model")["n"].nunique().sort_index().index == ["model-0", "model-1", "model-2"]).all()


def test_claims_that_nobody_judged_have_empty_cells() -> None:
    table = frame(Result(0, RESULTS[0].example, RESULTS[0].claims))
    assert len(table) == 3
    assert table[["label", "flagged", "p_inconsistent", "evidence"]].isna().all(axis=None)
    assert list(table["kind"]) == [Kind.TRIPLET, Kind.TRIPLET, Kind.SENTENCE]


@pytest.mark.parametrize("results", [RESULTS, RESULTS[0]])
def test_without_pandas_it_says_how_to_get_it(results: Result | Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPartError) as caught:
        results.to_dataframe()
    assert (caught.value.message, caught.value.hint) == ("pandas is not installed", "pip install pandas")
