"""Edits of a report: accepted and rejected there, saved as corrected texts and as a patch."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graph_eval.correctors.splice import applied
from graph_eval.formats.writers import corrected_record, patch
from graph_eval.reports import render
from graph_eval.types import (
    Claim,
    Correction,
    Edit,
    Example,
    Finding,
    Judgement,
    Label,
    Passage,
    Result,
    Revision,
    Span,
    Status,
)
from tests.browser.conftest import reloaded
from tests.browser.results import many
from tests.browser.test_report import serious
from tests.browser.test_report_labels import saved

NEW = "<b>mended</b> 🗼"


def edit_of(result: Result, finding: Finding, new: str) -> Edit:
    """Of the words of the predicate, or of the first word of a sentence."""
    start = finding.claim.sentence.start
    first_word = Span(start, result.example.response.index(" ", start))
    (span,) = finding.claim.predicate.spans if finding.claim.predicate else (first_word,)
    return Edit(span, span.of(result.example.response), new)


def revised(result: Result, *accepted: Edit) -> Result:
    """The result with these edits as its only corrections."""
    first = result.flagged[0].claim.id
    corrections = (Correction(first, accepted, Status.APPLIED, None, 0.9, 0.1),) if accepted else ()
    return replace(result, revision=Revision(applied(result.example.response, accepted), corrections))


@pytest.fixture
def results() -> list[Result]:
    """Of the first result one edit was made and one is offered. Of the second one is offered. The third has none."""
    one, other, rest = [item for item in many(60) if len(item.flagged) > 1][:3]
    first, second = one.flagged
    made, offered = edit_of(one, first, NEW), edit_of(one, second, "")
    corrections = (
        Correction(first.claim.id, (made,), Status.APPLIED, None, 0.9, 0.12, 0.8),
        Correction(second.claim.id, (offered,), Status.SUGGESTED, "probability 0.31 is below", 0.9, 0.2, 0.31),
    )
    one = replace(one, revision=Revision(applied(one.example.response, (made,)), corrections))
    finding = other.flagged[0]
    offer = Correction(finding.claim.id, (edit_of(other, finding, "drew"),), Status.SUGGESTED, "below", 0.9, 0.2, 0.25)
    other = replace(other, revision=Revision(other.example.response, (offer,)))
    return [one, other, rest]


@pytest.fixture
def page(watched, results: list[Result], tmp_path: Path) -> Page:
    return watched.open(render(results, tmp_path / "r.html", title="Edits"))


def show(page: Page, place: int, edit: int) -> None:
    """Opens the claim of an edit."""
    row = f"responses[{place}]"
    page.evaluate(f"choose({row}); chooseClaim({row}.claims[{row}.revision.edits[{edit}].claims[0]])")


def edits_of(result: Result) -> list[Edit]:
    corrections = result.revision.corrections
    return sorted((edit for item in corrections for edit in item.edits), key=lambda edit: edit.span)


def assert_saved(page: Page, folder: Path, expected: list[Result]) -> None:
    records = saved(page, "#save-corrected", folder).read_text(encoding="utf-8")
    assert records == "".join(f"{corrected_record(result)}\n" for result in expected)
    changes = saved(page, "#save-patch", folder).read_bytes().decode()
    assert changes == "".join(patch(result) for result in expected)


def test_what_was_made_is_accepted_at_first_and_what_is_offered_is_not(page, results, tmp_path) -> None:
    one, other, rest = results
    expect(page.locator(".edits")).to_have_count(0)
    show(page, 1, 0)
    expect(page.locator(".detail .edit")).to_contain_text("Suggestion: ")
    expect(page.locator(".detail .accept")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#revision")).to_be_hidden()
    assert serious(page) == []
    assert_saved(page, tmp_path, [one, other, rest])


def test_an_accepted_suggestion_is_in_the_text_the_record_and_the_patch(page, results, tmp_path) -> None:
    one, other, rest = results
    show(page, 1, 0)
    page.click(".detail .accept")
    expect(page.locator(".detail .accept")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#revision ins")).to_have_text("drew")
    expect(page.locator("#revision-title")).to_have_text("Corrected text (1 of 1 edit)")
    assert serious(page) == []
    accepted = revised(other, *edits_of(other))
    assert_saved(page, tmp_path, [one, accepted, rest])
    reloaded(page, "choicesOfEdits.size === 1", lambda: page.evaluate("setEdit(responses[1], 0, true)"))
    show(page, 1, 0)
    expect(page.locator("#revision ins")).to_have_text("drew")
    page.click(".detail .reject")
    expect(page.locator("#revision")).to_be_hidden()
    assert_saved(page, tmp_path, [one, other, rest])


def test_a_rejected_edit_leaves_the_text(page, results, tmp_path) -> None:
    one, other, rest = results
    (number,) = [n for n, edit in enumerate(edits_of(one)) if edit.new == NEW]
    show(page, 0, number)
    expect(page.locator(".detail .edit")).to_contain_text("Edit: ")
    expect(page.locator("#revision ins")).to_have_text(NEW)
    page.click(".detail .reject")
    expect(page.locator("#revision")).to_be_hidden()
    assert_saved(page, tmp_path, [revised(one), other, rest])
    show(page, 0, 1 - number)
    expect(page.locator(".detail .edit")).to_contain_text("Leave out ")
    page.click(".detail .accept")
    offered = next(edit for edit in edits_of(one) if edit.new == "")
    assert_saved(page, tmp_path, [revised(one, offered), other, rest])


def test_buttons_work_with_the_keyboard(page) -> None:
    show(page, 1, 0)
    page.focus(".detail .accept")
    page.keyboard.press("Enter")
    expect(page.locator("#revision ins")).to_have_text("drew")


def test_an_edit_that_excludes_an_accepted_one_replaces_it(watched, results, tmp_path) -> None:
    one = results[0]
    made = next(edit for edit in edits_of(one) if edit.new == NEW)
    second = one.revision.corrections[1]
    corrections = (one.revision.corrections[0], replace(second, edits=(replace(made, new="drew"),)))
    one = replace(one, revision=replace(one.revision, corrections=corrections))
    page = watched.open(render([one], tmp_path / "r.html"))
    page.evaluate("setEdit(responses[0], responses[0].revision.edits.findIndex((edit) => edit.offered), true)")
    assert page.evaluate("correctedText(responses[0])") == revised(one, replace(made, new="drew")).revision.text


def test_without_corrections_nothing_can_be_saved(watched, tmp_path) -> None:
    page = watched.open(render(many(5), tmp_path / "r.html"))
    expect(page.locator("#save-corrected")).to_be_hidden()
    expect(page.locator("#save-patch")).to_be_hidden()


def test_records_of_failed_responses_are_saved_with_their_error(watched, results, tmp_path) -> None:
    failed = next(item for item in many(20) if item.example is None)
    page = watched.open(render([results[0], failed], tmp_path / "r.html"))
    assert_saved(page, tmp_path, [results[0], failed])


def made_of(text: str, *changes: tuple[str, str]) -> Result:
    """A result with one sentence claim and one applied correction that makes all changes."""
    claim = Claim.whole("t", text, Span(0, len(text)))
    edits = tuple(Edit(Span(text.index(old), text.index(old) + len(old)), old, new) for old, new in changes)
    corrections = (Correction(claim.id, edits, Status.APPLIED, None, 0.9, 0.1),)
    judgement = Judgement(claim.id, Label.NEUTRAL, 0.9, True)
    revision = Revision(applied(text, edits), corrections)
    example = Example("x", "d", text, (Passage.of("c"),))
    return Result(0, example, (claim,), (judgement,), Label.NEUTRAL, 0.9, revision)


def test_edits_that_belong_together_are_accepted_and_rejected_together(watched, tmp_path) -> None:
    one = made_of("The towers were opened in 1899.", ("towers", "tower"), ("were", "was"))
    page = watched.open(render([one], tmp_path / "r.html"))
    show(page, 0, 0)
    page.click(".detail .reject >> nth=1")
    assert page.evaluate("acceptedEdits(responses[0]).length") == 0
    assert_saved(page, tmp_path, [revised(one)])
    page.click(".detail .accept >> nth=0")
    assert page.evaluate("correctedText(responses[0])") == one.revision.text


TEXTS = [
    "One.\nThe tower opened in 1899.\nThree.\nFour.\nFive.\n",
    "One.\r\nThe tower opened in 1899.\r\nThree.",
    "The tower opened in 1899.\u2028Two.\rThree\x0bFour.\nFive 🗼.",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("new", ["1889", "1889.\nIt is", ""])
def test_patches_of_several_lines_apply(watched, tmp_path: Path, text: str, new: str) -> None:
    one = made_of(text, ("1899", new))
    page = watched.open(render([one], tmp_path / "r.html"))
    for number, changes in enumerate((saved(page, "#save-patch", tmp_path).read_bytes(), patch(one).encode())):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        (folder / "x").write_bytes(text.encode())
        subprocess.run(["git", "apply", "-"], input=changes, cwd=folder, check=True)
        assert (folder / "x").read_bytes().decode() == one.revision.text


def test_stored_choices_of_another_correction_are_not_taken_over(watched, results, tmp_path) -> None:
    one = results[0]
    page = watched.open(render([one], tmp_path / "r.html"))
    page.evaluate("setEdit(responses[0], responses[0].revision.edits.findIndex((edit) => edit.offered), true)")
    kept = page.evaluate("localStorage.getItem(editsKey())")
    made = one.revision.corrections[0]
    other = replace(made, edits=tuple(replace(edit, new="drew") for edit in made.edits))
    second = replace(one.revision.corrections[1], edits=tuple(replace(e, new="x") for e in made.edits))
    revision = replace(one.revision, text=applied(one.example.response, other.edits), corrections=(other, second))
    page = watched.open(render([replace(one, revision=revision)], tmp_path / "s.html"))
    page.evaluate(f"localStorage.setItem(editsKey(), {json.dumps(kept)})")
    page.evaluate("readEdits()")
    assert page.evaluate("correctedText(responses[0])") == revision.text


def test_edits_that_exclude_each_other_are_not_both_accepted_from_the_storage(watched, results, tmp_path) -> None:
    one = results[0]
    made = one.revision.corrections[0]
    offer = replace(one.revision.corrections[1], edits=tuple(replace(edit, new="x") for edit in made.edits))
    one = replace(one, revision=replace(one.revision, corrections=(made, offer)))
    page = watched.open(render([one], tmp_path / "r.html"))
    names = page.evaluate("responses[0].revision.edits.map((_, at) => editName(responses[0], at))")
    page.evaluate(f"localStorage.setItem(editsKey(), {json.dumps(json.dumps(dict.fromkeys(names, True)))})")
    page.evaluate("readEdits()")
    assert page.evaluate("acceptedEdits(responses[0]).length") == 1
    assert page.evaluate("correctedText(responses[0])") == one.revision.text


def test_the_text_of_further_rounds_is_shown_until_a_choice_discards_it(watched, results, tmp_path) -> None:
    one = results[0]
    inner = Result(0, replace(one.example, response=one.revision.text), revision=Revision("The final text.", ()))
    one = replace(one, revision=replace(one.revision, result=inner))
    page = watched.open(render([one], tmp_path / "r.html"))
    show(page, 0, 0)
    expect(page.locator("#revision")).to_have_text("The final text.")
    expect(page.locator("#revision-title")).to_contain_text("which a choice discards")
    assert_saved(page, tmp_path, [one])
    page.evaluate("setEdit(responses[0], responses[0].revision.edits.findIndex((edit) => !edit.offered), false)")
    expect(page.locator("#revision")).to_be_hidden()
    assert page.evaluate("correctedText(responses[0])") == one.example.response
