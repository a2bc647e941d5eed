"""What the report marks in the context of a claim."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graph_eval.reports import render
from graph_eval.types import (
    PARTS,
    Claim,
    Evidence,
    Example,
    Judgement,
    Label,
    Link,
    Location,
    Match,
    Passage,
    Relation,
    Result,
    Scores,
    Slot,
    Span,
)

FIRST = "The museum in Tromvik is old. "
OPENED = "The 🗼 Halvorsen Museum opened on 4 May 1952. "
DESIGNED = "It was designed by Inga Solberg of Bergen, who built 12 houses in Norway and 3 in Sweden. "
HOLDS = "It holds 1,240 paintings."
WHOLE = FIRST + OPENED + DESIGNED + HOLDS


def result(words: tuple[str, str, str], found: tuple[str, ...], flagged: bool = True, window: str = WHOLE) -> Result:
    """One claim with these words, of which some are found in a window of the passage."""
    passage = Passage.of(f"Before it all. {WHOLE} After it all.")
    response = " ".join(words) + "."
    example = Example("x", "made", response, (passage,))
    places = [response.index(word) for word in words]
    slots = tuple(Slot(word, (Span(at, at + len(word)),)) for word, at in zip(words, places, strict=True))
    claim = Claim.triplet(example.key, slots, response, Span(0, len(response)))
    spots = tuple(Span(passage.text.index(word), passage.text.index(word) + len(word)) for word in found)
    locations = tuple(Location(part, Match.EXACT, (span,)) for part, span in zip(PARTS, spots, strict=False))
    start = passage.text.index(window)
    p = 0.9 if flagged else 0.1
    evidence = Evidence(passage.id, Span(start, start + len(window)), Scores(1 - p, 0.0, p), locations)
    label = Label.CONTRADICTION if flagged else Label.ENTAILMENT
    return Result(0, example, (claim,), (Judgement(claim.id, label, p, flagged, (evidence,)),), label, p)


def marked(page: Page, name: str) -> list[str]:
    """The pieces of the context of one class; adjacent ones are joined."""
    return page.evaluate(
        "(name) => { const found = []; let last = null;"
        " for (const node of document.querySelector('#context .text').childNodes) {"
        " const own = node.classList?.contains(name);"
        " if (own && last) found.push(found.pop() + node.textContent); else if (own) found.push(node.textContent);"
        " last = own; } return found; }",
        name,
    )


def opened(watched, tmp_path: Path, made: Result) -> Page:
    page = watched.open(render(made, tmp_path / "r.html"))
    page.keyboard.press("n")
    return page


def test_only_the_sentence_with_most_found_words_is_highlighted(watched, tmp_path: Path) -> None:
    made = result(("Halvorsen Museum", "opened on", "9 May 1958"), ("Halvorsen Museum", "opened on", "May"))
    page = opened(watched, tmp_path, made)
    assert [text.strip() for text in marked(page, "evidence")] == [OPENED.strip()]
    assert marked(page, "window") == [WHOLE]
    assert marked(page, "differs") == ["4", "1952"]
    assert "Halvorsen Museum" in marked(page, "found")


def test_the_words_that_differ_stand_out_from_those_that_were_found(watched, tmp_path: Path) -> None:
    made = result(("Halvorsen Museum", "opened on", "9 May 1958"), ("Halvorsen Museum", "opened on", "May"))
    page = opened(watched, tmp_path, made)
    weight, line = "getComputedStyle(node).fontWeight", "parseFloat(getComputedStyle(node).textDecorationThickness)"
    differs, found = (
        page.locator(f"#context .{name}").first.evaluate(f"(node) => [Number({weight}), {line}]")
        for name in ("differs", "found:not(.differs)")
    )
    assert differs[0] > found[0]
    assert differs[1] >= 3 > found[1]
    window, sentence = (
        page.locator(f"#context .{name}").first.evaluate("(node) => getComputedStyle(node).backgroundColor")
        for name in ("window:not(.evidence)", "evidence")
    )
    assert window != sentence


def test_a_number_with_a_comma_is_one_word(watched, tmp_path: Path) -> None:
    page = opened(watched, tmp_path, result(("It", "holds", "1,420 paintings"), ("It holds", "holds", "paintings")))
    assert marked(page, "evidence") == [HOLDS]
    assert marked(page, "differs") == ["1,240"]


def test_of_many_differing_words_only_the_numbers_are_marked(watched, tmp_path: Path) -> None:
    page = opened(watched, tmp_path, result(("It", "was designed by", "Marta Solberg"), ("was designed by", "Solberg")))
    assert [text.strip() for text in marked(page, "evidence")] == [DESIGNED.strip()]
    assert marked(page, "differs") == ["12", "3"]


def test_a_supported_claim_has_no_words_that_differ(watched, tmp_path: Path) -> None:
    made = result(("It", "holds", "paintings"), ("holds", "paintings"), flagged=False)
    page = opened(watched, tmp_path, made)
    assert marked(page, "evidence") == [HOLDS]
    assert marked(page, "differs") == []


def test_without_found_words_no_sentence_is_highlighted(watched, tmp_path: Path) -> None:
    page = opened(watched, tmp_path, result(("Nobody", "ate", "soup"), ()))
    assert (marked(page, "evidence"), marked(page, "window")) == ([], [WHOLE])
    expect(page.locator("#context .window")).to_be_in_viewport()


def test_the_sentence_of_the_stated_claim_goes_before_the_found_words(watched, tmp_path: Path) -> None:
    made = result(("Halvorsen Museum", "opened on", "9 May 1958"), ("Halvorsen Museum", "opened on", "May"))
    passage = made.example.passages[0]
    start = passage.text.index(HOLDS)
    span = Span(start, start + len(HOLDS))
    stated = Claim.whole(passage.id, HOLDS, span)
    links = (Link(made.claims[0].id, Relation.REFUTED_BY, stated.id),)
    page = opened(watched, tmp_path, replace(made, context_claims=(stated,), links=links))
    assert marked(page, "evidence") == [HOLDS]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Osei came. He left.", ["Dr. Osei came. ", "He left."]),
        ("One!\nTwo? Three", ["One!\n", "Two? ", "Three"]),
        ("🗼 is tall. 🗼", ["🗼 is tall. ", "🗼"]),
        ("J. Smith (b. 1900) won", ["J. Smith (b. ", "1900) won"]),
        ("", []),
    ],
)
def test_sentences_are_the_whole_text(watched, tmp_path: Path, text: str, sentences: list[str]) -> None:
    page = watched.open(render([], tmp_path / "r.html"))
    spans = page.evaluate("(text) => sentenceSpans(text)", text)
    assert [text[start:end] for start, end in spans] == sentences
