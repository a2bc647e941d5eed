"""What the benchmark of corrections counts."""

import gzip
import json
from pathlib import Path

import pytest

from graph_eval.bench.correction import _item, _marked_item, _marked_table, _share, _table, correction, need
from graph_eval.bench.sets.edits import Case, cases, half_of, hunks, wrong_sentences
from graph_eval.correctors.splice import applied
from graph_eval.errors import UsageError
from graph_eval.settings import Settings
from graph_eval.types import Claim, Correction, Edit, Example, Judgement, Label, Passage, Result, Revision, Span, Status

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
    found = _item(case(), result(*edits))
    assert found is not None
    assert expected.items() <= found.items()
    assert found["outside"] == 0


def test_characters_outside_the_edits_are_counted() -> None:
    made = result(("1899", "1889"))
    assert made.revision is not None
    changed = Revision(made.revision.text.replace("tower", "spire"), made.revision.corrections)
    found = _item(case(), Result(**{**{name: getattr(made, name) for name in made.__slots__}, "revision": changed}))
    assert found is not None
    assert found["outside"] > 0


def test_words_gone_and_back() -> None:
    assert _share(EDITED, ORIGINAL, ORIGINAL) == (1, 0)
    assert _share(EDITED, EDITED, ORIGINAL) == (1, 1)
    assert _share(ORIGINAL, ORIGINAL, EDITED) == (1, 1)
    assert _share(ORIGINAL, EDITED, EDITED) == (1, 0)


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
    value = correction(tmp_path, Settings(), "summedits", half)
    for route in ("given", "end_to_end"):
        everything = value[route][0]
        assert everything["summaries"] == len(halves[half == "b"]) // 2
        assert (everything["sentences_restored"], everything["precision"], everything["exact"]) == (1.0, 1.0, 1.0)
        assert everything["outside"] == 0
    assert value["consistent"]["changed"] == 0.0
    with pytest.raises(UsageError, match="summedits has no part 'c'"):
        cases(tmp_path, "summedits", "c")


def test_a_corrected_summary_is_compared_with_the_correction(tmp_path: Path) -> None:
    context = "The tower was opened in 1889. It is 38 metres tall and stands in Orsa."
    rows: list[dict[str, object]] = [
        {"id": "d1", "response": "The tower was opened in 1899.", "label": "1", "err": {"intrinsic": True}},
        {"id": "d1-fix", "response": "The tower was opened in 1889.", "label": "0"},
        {"id": "d2", "response": "The tower was opened in 1901 in Rome.", "label": "1", "err": {"extrinsic": True}},
        {"id": "d3", "response": "It stands in Orsa.", "label": "0", "err": {}},
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
        {"id": "b1", "response": "The tower was opened in 1899.", "label": "1", "spans": [span], **own},
        {"id": "b1-ref", "response": "The tower was opened in 1889.", "label": "0", "spans": [], **own},
        {"id": "b2-ref", "response": "There is a tall tower.", "label": "0", "spans": [], **own},
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
        item = _marked_item(example, Result(0, example, made.claims, made.judgements, None, None, made.revision))
        assert item is not None
        assert (item["marked"], item["marked_gone"], item["unmarked_gone"]) == (1, marked, unmarked)
        assert (item["unsupported_new"], len(item["edits"]), item["outside"]) == (unsupported, len(edits), 0)
        (row,) = _marked_table([item])["marked"]
        assert row["improved"] == float((marked, unmarked, unsupported) == (1, 0, 0))
        assert row["marked_words_gone"] == float(marked)


@pytest.mark.parametrize(("name", "part"), [("ragtruth", "a"), ("summedits", "dev"), ("defacto", "b")])
def test_a_part_that_the_set_lacks_is_an_error(tmp_path: Path, name: str, part: str) -> None:
    with pytest.raises(UsageError, match=f"{name} has no part '{part}'"):
        correction(tmp_path, Settings(), name, part)


def test_an_independent_checker_needs_right_versions(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs right versions"):
        correction(tmp_path, Settings(), "ragtruth", independent="builtin")


def test_an_edit_of_a_right_sentence_lowers_the_precision() -> None:
    text = "The tower was opened in 1899. It is 38 metres tall."
    case = Case(Example("x", "d", text, (Passage.of("c"),)), 1, text.replace("1899", "1889"))
    for edits, precision in (([("1899", "1889")], 1.0), ([("1899", "1889"), ("38", "48")], 0.5)):
        made = result(*edits, response=text)
        item = _item(case, Result(0, case.example, made.claims, made.judgements, None, None, made.revision))
        assert item is not None
        (row,) = _table([item])
        assert (row["sentences_restored"], row["precision"]) == (1.0, precision)


def test_left_out_words_are_counted_apart() -> None:
    text = "The tower was opened in 1889 in Rome."
    claim = Claim.whole("t", text, Span(0, len(text)))
    edit = Edit(Span(text.index(" in Rome"), len(text) - 1), " in Rome", "")
    corrections = (Correction(claim.id, (edit,), Status.UNSUPPORTED, "the context does not say", 0.9, 0.1),)
    judgement = Judgement(claim.id, Label.NEUTRAL, 0.9, True)
    wrong = Case(Example("x", "d", text, (Passage.of("c"),)), 1, "The tower was opened in 1889.")
    revision = Revision(applied(text, (edit,)), corrections)
    item = _item(wrong, Result(0, wrong.example, (claim,), (judgement,), Label.NEUTRAL, 0.9, revision))
    assert item is not None
    assert (item["left_out"], item["left_out_right"], item["restored"], item["outside"]) == (1, 1, 1, 0)
