"""What the benchmark of corrections counts."""

import gzip
import json
from pathlib import Path

import pytest

from graph_eval.bench.correction import Case, _item, _share, cases, correction, half_of, hunks, need, true_sentences
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
    ((span, own),) = true_sentences(case())
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


def test_both_routes_over_made_summaries(tmp_path: Path) -> None:
    folder = tmp_path / "summedits"
    folder.mkdir()
    rows = []
    for number in range(8):
        context = f"Tower {number} was opened in 1889. It is 38 metres tall and stands in Orsa."
        original = f"Tower {number} was opened in 1889."
        own = {"context": context, "original_summary": original, "edit_types": ["entity_modification"]}
        rows.append({"id": f"a{number}", "response": original.replace("1889", "1899"), "label": 1, **own})
        rows.append({"id": f"b{number}", "response": original, "label": 0, **own})
    with gzip.open(folder / "summedits_dev.jsonl.gz", "wt") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    halves = [cases(tmp_path, half) for half in ("a", "b")]
    assert sum(map(len, halves)) == 16
    assert all(half_of(item.example) == half for half, items in zip("ab", halves, strict=True) for item in items)
    half = "a" if halves[0] else "b"
    value = correction(tmp_path, Settings(), half)
    for route in ("given", "end_to_end"):
        everything = value[route][0]
        assert everything["summaries"] == len(halves[half == "b"]) // 2
        assert (everything["sentences_restored"], everything["precision"], everything["exact"]) == (1.0, 1.0, 1.0)
        assert everything["outside"] == 0
    assert value["consistent"]["changed"] == 0.0
    with pytest.raises(UsageError, match="unknown half"):
        cases(tmp_path, "c")
