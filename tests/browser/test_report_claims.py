"""The claims of a response in the report: sentences, quotes, corrections, what the context states, passages."""

from dataclasses import replace

from playwright.sync_api import expect

from graph_eval.reports import render
from graph_eval.types import (
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
    Status,
)
from tests.browser.results import corrected, many
from tests.browser.test_report import serious


def nested() -> Result:
    """Three sentences of which the second has the worst claim; its context is six passages, the fourth decides."""
    sentences = ("Tea is made of leaves.", "Ada said that tea and coffee were sold in 1870.", "It is drunk 🗼 hot.")
    texts = [f"Nothing is said of tea in passage {place}." for place in range(6)]
    filler = "It was a long year in the town, and many things were bought by many people there. "
    texts[3] = filler * 4 + "Tea was sold in 1880, as Ada said. " + filler * 4
    passages = tuple(Passage.of(text, "archive" if place == 3 else None) for place, text in enumerate(texts))
    example = Example("nested", "made", " ".join(sentences), passages)
    claims, judgements = [], []
    for at, words, p in (
        (0, "Tea", 0.6),
        (0, "leaves", 0.1),
        (1, "tea", 0.2),
        (1, "coffee", 0.95),
        (1, "1870", 0.7),
        (2, "hot", 0.3),
    ):
        start = sum(len(sentence) + 1 for sentence in sentences[:at])
        found = example.response.index(words, start)
        slots = (Slot(words, (Span(found, found + len(words)),)), Slot("is", inferred=True), Slot("", ()))
        claim = Claim.triplet(example.key, slots, f"{words} is.", Span(start, start + len(sentences[at])))
        place = 3 if p > 0.5 else 1
        size, key = len(texts[place]), texts[place].index("1880" if place == 3 else "tea")
        spots = (
            Location("subject", Match.EXACT, (Span(key, key + 3),)),
            Location("predicate", Match.EMPTY),
            Location("object", Match.EMPTY),
        )
        scores = Scores(1 - p, 0.0, p)
        evidence = (
            Evidence(passages[place].id, Span(0, size), scores, spots),
            Evidence(passages[0].id, Span(0, 7), Scores(0.0, 1.0, 0.0)),
        )
        label = Label.CONTRADICTION if p > 0.5 else Label.ENTAILMENT
        claims.append(claim)
        judgements.append(Judgement(claim.id, label, p, p > 0.5, evidence))
    where = texts[3].index("Tea was")
    stated = Claim.triplet(
        passages[3].id,
        (
            Slot("Tea", (Span(where, where + 3),)),
            Slot("was sold", (Span(where + 4, where + 12),)),
            Slot("in 1880", (Span(where + 13, where + 20),)),
        ),
        "Tea was sold in 1880.",
        Span(where, where + 34),
    )
    links = (Link(claims[4].id, Relation.REFUTED_BY, stated.id),)
    return Result(
        0, example, tuple(claims), tuple(judgements), Label.CONTRADICTION, 0.95, context_claims=(stated,), links=links
    )


def test_claims_are_grouped_by_sentence_worst_first(watched, tmp_path) -> None:
    page = watched.open(render(nested(), tmp_path / "r.html"))
    assert page.locator(".claims-title").all_text_contents() == [
        "Sentences with flagged claims (2)",
        "Sentences without flagged claims (1)",
    ]
    assert page.locator(".sentence").all_text_contents() == [
        "Ada said that tea and coffee were sold in 1870.",
        "Tea is made of leaves.",
        "It is drunk 🗼 hot.",
    ]
    shown = [text.split()[0] for text in page.locator(".claim .words").all_text_contents()]
    assert shown == ["coffee", "1870", "tea", "Tea", "leaves", "hot"]
    stepped = []
    for _ in range(6):
        page.keyboard.press("n")
        stepped.append(page.evaluate("state.claim.slots[0].text"))
    assert stepped == ["coffee", "1870", "Tea", "tea", "leaves", "hot"], "flagged claims first"


def test_a_sentence_claim_does_not_repeat_its_sentence(watched, tmp_path) -> None:
    result = next(item for item in many(50) if item.claims)
    page = watched.open(render(result, tmp_path / "r.html"))
    text = page.locator(".claims").all_inner_texts()
    whole = next(claim for claim in result.claims if not claim.slots)
    assert " ".join(text).count(whole.text) == 1


def test_a_long_quote_is_cut_around_the_words_that_were_found(watched, tmp_path) -> None:
    result = nested()
    page = watched.open(render(replace(result, links=()), tmp_path / "r.html"))
    page.keyboard.press("n")
    quote = page.locator(".detail > .quote > span").first
    short = quote.inner_text()
    assert len(short) < 330
    assert "Tea was sold in 1880, as Ada said." in short
    assert short.startswith("…")
    assert short.endswith("…")
    expect(page.locator(".detail > .quote .found").first).to_have_text("188")
    page.click(".detail .more")
    assert quote.text_content() == result.example.passages[3].text
    expect(page.locator(".detail .more")).to_have_attribute("aria-expanded", "true")
    page.click(".detail .more")
    assert quote.inner_text() == short


def test_what_the_context_does_not_decide_is_only_the_closest(watched, tmp_path) -> None:
    result = replace(nested(), links=(), context_claims=())
    for label, shown in ((Label.CONTRADICTION, 0), (Label.NEUTRAL, 1)):
        judgements = tuple(replace(each, label=label) if each.flagged else each for each in result.judgements)
        page = watched.open(render(replace(result, judgements=judgements), tmp_path / f"{label}.html"))
        page.keyboard.press("n")
        expect(page.locator(".detail > .quote")).to_have_count(1)
        expect(page.locator(".detail", has_text="Closest in the context:")).to_have_count(shown)
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        flagged = sum(each.flagged for each in judgements)
        expect(page.locator("#paper .finding")).to_have_count(flagged)
        expect(page.locator("#paper .finding", has_text="Closest in the context:")).to_have_count(shown * flagged)


def test_no_quote_is_longer_than_it_may_be_and_each_shows_what_was_found(watched, tmp_path) -> None:
    page = watched.open(render(many(2), tmp_path / "r.html"))
    texts = [
        "a" * 900,
        "word " * 300,
        "🗼 " * 300,
        "One. " * 200,
        f"{'x ' * 400}KEY {'y ' * 400}",
        f"{'Long, ' * 90}. KEY. {'More. ' * 90}",
        "",
        "\n\n" * 300,
    ]
    for text in texts:
        points = list(text)
        at = text.find("KEY")
        at = len(list(text[:at])) if at >= 0 else -1
        found = [{"start": at, "end": at + 3}] if at >= 0 else []
        parts = page.evaluate("([text, found]) => excerpt(text, found)", [text, found])
        assert sum(end - start for start, end in parts) <= 320
        assert all(0 <= start < end <= len(points) for start, end in parts) or not points
        if found:
            assert any(start <= at and at + 3 <= end for start, end in parts)


def test_the_context_states_a_sentence_with_its_words_marked(watched, tmp_path) -> None:
    page = watched.open(render(nested(), tmp_path / "r.html"))
    page.keyboard.press("n")
    page.keyboard.press("n")
    expect(page.locator(".detail .stated")).to_have_text("The context states: “Tea was sold in 1880, as Ada said.”")
    assert page.locator(".stated .found").all_text_contents() == ["Tea", "was sold", "in 1880"]


def test_passages_fold_and_the_deciding_one_opens_in_sight(watched, tmp_path) -> None:
    page = watched.open(render([nested(), *many(3)], tmp_path / "r.html"))
    page.evaluate("choose(responses[0])")
    folds = "state.passages.map((entry) => entry.fold.open)"
    assert page.evaluate(folds) == [False] * 6
    assert page.locator(".passage summary").nth(3).inner_text().startswith("Passage 4 · archive")
    expect(page.locator(".passage summary").nth(0)).to_contain_text("8 words")
    page.keyboard.press("n")
    assert page.evaluate(folds) == [False, False, False, True, False, False]
    expect(page.locator("#context details[open] .evidence").first).to_be_in_viewport()
    page.locator(".passage summary").nth(5).click()
    page.locator("#text .claimed").first.hover()  # a preview leaves the passages as they are
    assert page.evaluate(folds) == [False, False, False, True, False, True]
    page.evaluate("choose(responses[1])")
    assert page.evaluate(folds) == [True, True], "few short passages are open"


def test_corrections_stand_in_the_text_and_lead_to_their_claims(watched, tmp_path) -> None:
    result = next(item for item in many(50) if len(item.flagged) > 1 and item.flagged[0].claim.predicate)
    render([corrected(result)], tmp_path / "corrected.html")
    page = watched.open(tmp_path / "corrected.html")
    old = result.flagged[0].claim.predicate.text
    expect(page.locator("#revision del")).to_have_text(old)
    expect(page.locator("#revision ins")).to_have_text("<b>mended</b> 🗼")
    kept = "[...document.querySelector('#revision').childNodes].filter((node) => node.nodeName !== 'INS')"
    assert page.evaluate(f"{kept}.map((node) => node.textContent).join('')") == result.example.response
    expect(page.locator(".claims-title").first).to_have_text("Corrected text (1 of 1 edit)")
    page.click("#revision ins")
    outcome = page.locator(".detail .outcome")
    expect(outcome).to_contain_text("Correction applied, p(inconsistent) afterwards 0.12")
    expect(outcome.locator("ins")).to_have_text("<b>mended</b> 🗼")
    expect(page.locator(".detail .stated")).to_have_text("The context states: “Ada Quist”")
    page.locator(".claim.flagged:not(.chosen) > button").first.click()
    expect(page.locator(".detail .outcome")).to_have_text("Correction rejected: no <i>way</i> out")
    expect(page.locator(".detail .stated")).to_have_count(0)
    assert serious(page) == []


def test_corrections_of_which_none_was_applied_are_said_at_their_claims_only(watched, tmp_path) -> None:
    result = corrected(next(item for item in many(50) if len(item.flagged) > 1 and item.flagged[0].claim.predicate))
    refused = tuple(replace(item, status=Status.REJECTED, reason="no") for item in result.revision.corrections)
    result = replace(result, revision=replace(result.revision, corrections=refused))
    page = watched.open(render(result, tmp_path / "r.html"))
    expect(page.locator("#revision")).to_have_count(0)
    assert not any("Corrected" in text for text in page.locator(".claims-title").all_text_contents())
    page.keyboard.press("n")
    expect(page.locator(".detail .outcome")).to_contain_text("Correction rejected")
