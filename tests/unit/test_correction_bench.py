"""What the benchmark of corrections counts."""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from graph_eval.bench.benchmark import Bench, Row, Table, run
from graph_eval.bench.correction import Correction as Corrections
from graph_eval.bench.correction import GivenFlags
from graph_eval.bench.outcomes import failure, lacking, need, outcome, outcome_of_marked
from graph_eval.bench.sets.edits import Case, cases, half_of, hunks, wrong_sentences
from graph_eval.correctors.splice import applied
from graph_eval.errors import UsageError
from graph_eval.resources import folder
from graph_eval.types import Claim, Correction, Edit, Example, Judgement, Label, Passage, Result, Revision, Span, Status

pytestmark = pytest.mark.usefixtures("made_up_sets")
ORIGINAL = "The tower was opened in 1889. It is 38 metres tall."
EDITED = "The tower was opened in 1899. It is about 38 metres tall."


def keys(text: str, original: str) -> list[tuple[str, str]]:
    return [(" ".join(hunk.old), " ".join(hunk.new)) for hunk in hunks(text, original)]


def test_hunks_are_runs_of_differing_words() -> None:
    assert keys(EDITED, ORIGINAL) == [("1899", "1889"), ("about", "")]
    assert keys("the tower, was opened in 1889! It is 38 metres tall", ORIGINAL) == []


def case(response: str = EDITED, label: int = 1, harmless: tuple[str, ...] = ()) -> Case:
    found = frozenset(hunk.key for text in harmless for hunk in hunks(text, ORIGINAL))
    return Case(Example("x", "d", response, (Passage.of("c"),)), label, ORIGINAL, ("entity_modification",), found)


def test_what_a_consistent_summary_has_too_is_no_core_hunk() -> None:
    assert [hunk.old for hunk in case().hunks(EDITED)] == [("1899",)]  # "about" holds no content
    other = EDITED.replace("opened", "inaugurated")
    assert len(case(other).hunks(other)) == 2
    assert len(case(other, harmless=(other.replace("1899", "1889"),)).hunks(other)) == 1


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (("about",), (), "delete"),
        ((), ("even",), "put back"),
        (("1899",), ("1889",), "replace, stated"),
        (("a", "b"), ("in", "1889"), "replace, stated"),
        (("1899",), ("188",), "replace, in other words"),
    ],
)
def test_what_a_hunk_needs(old: tuple[str, ...], new: tuple[str, ...], name: str) -> None:
    assert need(old, new, " the tower was opened in 1889 ") == name


def test_sentences_that_hold_a_core_hunk() -> None:
    ((span, own),) = wrong_sentences(case())
    assert span.of(EDITED) == "The tower was opened in 1899."
    assert len(own) == 1


def result(*edits: tuple[str, str], response: str = EDITED) -> Result:
    claim = Claim.whole("t", response, Span(0, len(response)))
    made = []
    for old, new in edits:
        start = response.index(old)
        made.append(Edit(Span(start, start + len(old)), old, new))
    corrections = (Correction(claim.id, tuple(made), Status.APPLIED, None, 0.9, 0.1),)
    revision = Revision(applied(response, made), corrections)
    judgement = Judgement(claim.id, Label.NEUTRAL, 0.9, True)
    return Result(0, case(response).example, (claim,), (judgement,), Label.NEUTRAL, 0.9, revision)


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([("1899", "1889")], {"restored": 1, "edited": 1, "any_back": True, "all_back": True, "worse": False}),
        ([("1899", "1901")], {"restored": 0, "edited": 1, "any_back": True, "all_back": False, "worse": True}),
        ([("38", "48")], {"restored": 0, "edited": 0, "any_back": False, "all_back": False, "worse": True}),
        ([("1899", "1889"), ("about ", "")], {"exact": True, "restored": 1, "right_words": (1, 1)}),
    ],
)  # fmt: skip
def test_what_became_of_a_summary(edits: list[tuple[str, str]], expected: dict[str, object]) -> None:
    found = outcome(case(), result(*edits))
    assert expected.items() <= found.items()
    assert found["outside"] == 0


def rows_of(found: Sequence[Table] | Row, name: str) -> list[Row]:
    """The rows of a table, of a benchmark or of its file."""
    tables = found["tables"] if isinstance(found, dict) else [asdict(table) for table in found]
    (table,) = (table for table in tables if table["name"] == name)
    return list(table["rows"])


def test_characters_outside_the_edits_are_counted() -> None:
    made = result(("1899", "1889"))
    assert made.revision is not None
    changed = Revision(made.revision.text.replace("tower", "spire"), made.revision.corrections)
    found = outcome(case(), replace(made, revision=changed))
    assert found["outside"] > 0


def test_words_gone_and_back() -> None:
    assert lacking(EDITED, ORIGINAL, ORIGINAL) == (1, 0)
    assert lacking(EDITED, EDITED, ORIGINAL) == (1, 1)
    assert lacking(ORIGINAL, ORIGINAL, EDITED) == (1, 1)
    assert lacking(ORIGINAL, EDITED, EDITED) == (1, 0)


def write_set(folder: Path, name: str, rows: list[dict[str, object]]) -> None:
    folder.mkdir(parents=True)
    with gzip.open(folder / name, "wt") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)


def test_both_routes_over_made_summaries(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = []
    for number in range(8):
        context = f"Tower {number} was opened in 1889. It is 38 metres tall and stands in Orsa."
        original = f"Tower {number} was opened in 1889."
        own = {"context": context, "original_summary": original, "edit_types": ["entity_modification"]}
        rows.append({"id": f"a{number}", "response": original.replace("1889", "1899"), "label": 1, **own})
        rows.append({"id": f"b{number}", "response": original, "label": 0, **own})
    write_set(tmp_path / "summedits", "summedits_dev.jsonl.gz", rows)
    halves = [cases(tmp_path, "summedits", half) for half in ("a", "b")]
    assert sum(map(len, halves)) == 16
    assert all(half_of(item.example) == half for half, items in zip("ab", halves, strict=True) for item in items)
    half = "a" if halves[0] else "b"
    value = run(Corrections("summedits", half), Bench(data=tmp_path, limit=99))
    assert (value["set"], value["part"]) == ("summedits", half)
    for route in ("given", "end_to_end"):
        everything = rows_of(value, route)[0]
        assert everything["summaries"] == len(halves[half == "b"]) // 2
        assert (everything["sentences_restored"], everything["precision"], everything["exact"]) == (1.0, 1.0, 1.0)
        assert everything["outside"] == 0
    (consistent,) = rows_of(value, "consistent")
    assert consistent["changed"] == 0.0
    again = Corrections("summedits", half).tables(value["items"])
    assert [asdict(table) for table in again] == value["tables"], "the tables are made of the items"
    with pytest.raises(UsageError, match="summedits has no part 'c'"):
        cases(tmp_path, "summedits", "c")


def test_a_corrected_summary_is_compared_with_the_correction(tmp_path: Path) -> None:
    context = "The tower was opened in 1889. It is 38 metres tall and stands in Orsa."
    rows: list[dict[str, object]] = [
        {"id": "d1", "response": "The tower was opened in 1899.", "label": 1, "err": {"intrinsic": True}},
        {"id": "d1-fix", "response": "The tower was opened in 1889.", "label": 0},
        {"id": "d2", "response": "The tower was opened in 1901 in Rome.", "label": 1, "err": {"extrinsic": True}},
        {"id": "d3", "response": "It stands in Orsa.", "label": 0, "err": {}},
    ]
    write_set(tmp_path / "real", "defacto.jsonl.gz", [{"context": context, "split": "dev", **row} for row in rows])
    found = cases(tmp_path, "defacto", "dev")
    # A text without a correction of its own is left out.
    assert [(item.example.id, item.label, item.kinds) for item in found] == [
        ("d1", 1, ("intrinsic",)),
        ("d1-fix", 0, ()),
        ("d3", 0, ()),
    ]
    assert [(hunk.old, hunk.new) for hunk in found[0].hunks(found[0].example.response)] == [(("1899",), ("1889",))]
    assert cases(tmp_path, "defacto", "train") == []


def test_a_falsified_summary_is_compared_with_the_nearest_reference(tmp_path: Path) -> None:
    own: dict[str, object] = {"context": "The tower was opened in 1889 and is tall.", "split": "dev"}
    span = {"start": 24, "end": 28, "type": "Intrinsic Entity Error"}
    rows: list[dict[str, object]] = [
        {"id": "b1", "response": "The tower was opened in 1899.", "label": 1, "spans": [span], **own},
        {"id": "b1-ref", "response": "The tower was opened in 1889.", "label": 0, "spans": [], **own},
        {"id": "b2-ref", "response": "There is a tall tower.", "label": 0, "spans": [], **own},
    ]
    write_set(tmp_path / "real", "bump.jsonl.gz", rows)
    wrong = next(item for item in cases(tmp_path, "bump", "dev") if item.label)
    assert (wrong.original, wrong.kinds) == ("The tower was opened in 1889.", ("Intrinsic Entity Error",))


def test_an_answer_is_improved_if_only_marked_words_are_gone_and_no_unsupported_one_came() -> None:
    text = "The tower was opened in 1899. It is 38 metres tall."
    start = text.index("1899")
    example = Example(
        "r", "d", text, (Passage.of("It opened in 1889."),), meta={"label": "1", "spans": [{"start": start, "end": 28}]}
    )
    for edits, marked, unmarked, unsupported in (
        ([("1899", "1889")], 1, 0, 0),
        ([("1899", "1777")], 1, 0, 1),
        ([("38", "1889")], 0, 1, 0),
        ([("1899", "1889"), ("38", "1889")], 1, 1, 0),
        ([], 0, 0, 0),
    ):
        made = result(*edits, response=text)
        item = outcome_of_marked(example, replace(made, example=example))
        assert (item["marked"], item["marked_gone"], item["unmarked_gone"]) == (1, marked, unmarked)
        assert (item["unsupported_new"], len(item["edits"]), item["outside"]) == (unsupported, len(edits), 0)
        place = {"set": "ragtruth-dev", "route": "end_to_end", "n": 0}
        (row,) = rows_of(Corrections("ragtruth").tables([place | item]), "marked")
        assert row["improved"] == float((marked, unmarked, unsupported) == (1, 0, 0))
        assert row["marked_words_gone"] == float(marked)


@pytest.mark.parametrize(("name", "part"), [("ragtruth", "a"), ("summedits", "dev"), ("defacto", "b")])
def test_a_part_that_the_set_lacks_is_an_error(tmp_path: Path, name: str, part: str) -> None:
    with pytest.raises(UsageError, match=f"{name} has no part '{part}'"):
        run(Corrections(name, part), Bench(data=tmp_path))


def test_an_independent_checker_needs_right_versions(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs right versions"):
        run(Corrections("ragtruth", independent="builtin"), Bench(data=tmp_path))


def test_an_edit_of_a_right_sentence_lowers_the_precision() -> None:
    text = "The tower was opened in 1899. It is 38 metres tall."
    case = Case(Example("x", "d", text, (Passage.of("c"),)), 1, text.replace("1899", "1889"))
    for edits, precision in (([("1899", "1889")], 1.0), ([("1899", "1889"), ("38", "48")], 0.5)):
        made = result(*edits, response=text)
        item = outcome(case, replace(made, example=case.example))
        place = {"set": "defacto-dev", "route": "given", "n": 0}
        (row,) = rows_of(Corrections("defacto").tables([place | item]), "given")[:1]
        assert (row["sentences_restored"], row["precision"]) == (1.0, precision)


def test_left_out_words_are_counted_apart() -> None:
    text = "The tower was opened in 1889 in Rome."
    claim = Claim.whole("t", text, Span(0, len(text)))
    edit = Edit(Span(text.index(" in Rome"), len(text) - 1), " in Rome", "")
    corrections = (Correction(claim.id, (edit,), Status.UNSUPPORTED, "the context does not say", 0.9, 0.1),)
    judgement = Judgement(claim.id, Label.NEUTRAL, 0.9, True)
    wrong = Case(Example("x", "d", text, (Passage.of("c"),)), 1, "The tower was opened in 1889.")
    revision = Revision(applied(text, (edit,)), corrections)
    item = outcome(wrong, Result(0, wrong.example, (claim,), (judgement,), Label.NEUTRAL, 0.9, revision))
    assert (item["left_out"], item["left_out_right"], item["restored"], item["outside"]) == (1, 1, 1, 0)


def write_bump(path: Path, count: int = 3) -> Path:
    """Pairs of a text with an error and without it."""
    rows: list[dict[str, object]] = []
    for number in range(count):
        own = {"context": f"Tower {number} was opened in 1889. It stands in Orsa.", "split": "dev"}
        right = f"Tower {number} was opened in 1889."
        rows.append({"id": f"b{number}", "response": right.replace("1889", "1899"), "label": 1, "spans": [], **own})
        rows.append({"id": f"b{number}-ref", "response": right, "label": 0, "spans": [], **own})
    write_set(path / "real", "bump.jsonl.gz", rows)
    return path


def test_an_interrupted_correction_goes_on_with_the_same_figures(tmp_path: Path) -> None:
    data, names = write_bump(tmp_path), []

    def interrupted(results: Iterator[Any], _total: int, name: str) -> Iterator[Any]:
        names.append(name)
        if len(names) == 2:
            raise KeyboardInterrupt
        return results

    runs = tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        run(Corrections("bump"), Bench(data=data, limit=9, runs=runs, track=interrupted))
    assert names == ["BUMP, dev, end_to_end", "BUMP, dev, given"]
    resumed, fresh = (run(Corrections("bump"), Bench(data=data, limit=9, runs=folder)) for folder in (runs, None))
    assert resumed.pop("seconds").keys() == fresh.pop("seconds").keys()
    assert resumed == fresh
    assert sorted(path.name for path in runs.iterdir()) == ["bump-dev-end_to_end", "bump-dev-given"]


def test_an_independent_checker_judges_the_edited_sentences_before_and_after(tmp_path: Path) -> None:
    """The same weights without the calibration, for this test: they find the wrong year, and not the right one."""
    name = f"onnx:{folder('weights/nli')}"
    value = run(Corrections("bump", independent=name), Bench(data=write_bump(tmp_path), limit=9))
    everything = rows_of(value, "given")[0]
    assert (everything["independent_before"], everything["independent_after"]) == (0.0, 1.0)
    judged = [item for item in value["items"] if item["route"] == "independent_after"]
    assert [(item["id"], item["edited"], item["supported"]) for item in judged] == [(f"b{n}", 1, 1) for n in range(3)]
    assert value["plans"]["independent_after"]["settings"]["checker"] == name


def test_a_text_whose_corrector_fails_is_an_error() -> None:
    made = result(("1899", "1889"))
    assert made.revision is not None
    assert failure(made) is None
    failed = replace(made.revision.corrections[0], status=Status.FAILED, reason="no answer")
    revision = replace(made.revision, corrections=(*made.revision.corrections, failed))
    assert failure(replace(made, revision=revision)) == "1 of 2 claims got no correction: no answer"
    place = {"set": "defacto-dev", "route": "given", "n": 0}
    tables = Corrections("defacto").tables([place | outcome(case(), made), place | {"n": 1, "error": "no answer"}])
    assert rows_of(tables, "given")[0]["summaries"] == 1
    assert tables[0].note == "1 texts failed and are left out."


def test_given_flags_differ_with_the_right_version() -> None:
    other = replace(case(), original=EDITED.replace("38", "40"))
    assert GivenFlags([case()]).fingerprint == GivenFlags([case()]).fingerprint != GivenFlags([other]).fingerprint
