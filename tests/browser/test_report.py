"""The report in a real browser: what it shows, how it is used, and that nothing leaves it."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from graph_eval.reports import render
from tests.browser.conftest import until
from tests.browser.results import corrected, many


def serious(page: object) -> list[str]:
    """What axe-core finds of serious or critical impact."""
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in found if v["impact"] in ("serious", "critical")]


def test_a_run_opens_and_counts_what_it_holds(watched, pages) -> None:
    page = watched.open(pages["report"])
    total = int(page.locator("#totals dd").first.inner_text().replace(",", "").split()[0])
    assert page.evaluate("responses.length") == total >= 1000
    expect(page.locator("#count")).to_contain_text("responses")
    expect(page.locator("#response h2")).to_be_visible()
    assert page.locator(".row").count() < 60, "the list draws what is in sight only"


def test_filters_narrow_the_list_and_can_be_undone(watched, pages) -> None:
    page = watched.open(pages["report"])
    total = page.evaluate("state.shown.length")
    page.click("#flagged")
    flagged = page.evaluate("state.shown.length")
    assert 0 < flagged < total
    page.select_option("#label", "Neutral")
    neutral = page.evaluate("state.shown.length")
    assert 0 < neutral < flagged
    assert page.evaluate("state.shown.every((row) => row.label === 'Neutral')")
    page.select_option("#model", index=page.locator("#model option").count() - 1)
    assert 0 < page.evaluate("state.shown.length") < neutral
    page.click("#reset")
    assert page.evaluate("state.shown.length") == total
    word = page.evaluate("responses[40].id")
    page.fill("#search", word.upper())
    until(page, "state.shown.length < responses.length")
    assert page.evaluate("state.shown.some((row) => row.n === responses[40].n)")


def test_a_bar_of_the_histogram_is_a_filter(watched, pages) -> None:
    page = watched.open(pages["report"])
    bar = page.locator("#bars button:not([disabled])").last
    count = int(re.search(r": ([\d,]+) responses?$", bar.get_attribute("aria-label"))[1].replace(",", ""))
    bar.click()
    assert page.evaluate("state.shown.length") == count
    expect(bar).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("high", "values[0] >= values[1] && values[1] >= values[20]"),
        ("low", "values[0] <= values[1] && values[1] <= values[20]"),
    ],
)
def test_sorting_by_score(watched, pages, order: str, check: str) -> None:
    page = watched.open(pages["report"])
    page.select_option("#sort", order)
    assert page.evaluate(
        f"(() => {{ const values = state.shown.map((row) => row.p_inconsistent); return {check}; }})()"
    )


def test_a_click_on_a_claim_shows_its_words_and_its_evidence(watched, pages) -> None:
    page = watched.open(pages["report"])
    page.click("#flagged")
    button = page.locator(".claim.flagged button").first
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".detail .quote").first).to_be_visible()
    assert page.locator("#text .hot").count() > 0
    assert page.locator("#context .evidence").count() > 0
    hot = "".join(page.locator("#text .hot").all_inner_texts())
    wanted = page.evaluate(
        "state.claim.spans.map(([a, b]) => Array.from(state.response.response).slice(a, b).join('')).join(' ')"
    )
    assert re.sub(r"\s", "", hot) == re.sub(r"\s", "", wanted)


def test_a_click_on_words_chooses_the_claim_behind_them_and_hovering_previews_it(watched, pages) -> None:
    page = watched.open(pages["report"])
    page.click("#flagged")
    words = page.locator("#text .Contradiction, #text .Neutral").first
    words.hover()
    expect(page.locator("#tip")).to_be_visible()
    assert page.locator("#context .evidence").count() > 0
    words.click()
    assert page.evaluate("state.claim.flagged")
    expect(page.locator(".claim.chosen .detail")).to_be_visible()


def test_the_keyboard_does_it_all(watched, pages) -> None:
    page = watched.open(pages["report"])
    first = page.evaluate("state.response.n")
    page.keyboard.press("j")
    assert page.evaluate("state.response.n") != first
    page.keyboard.press("k")
    assert page.evaluate("state.response.n") == first
    page.keyboard.press("f")
    page.keyboard.press("n")
    assert page.evaluate("state.claim.flagged && document.activeElement === state.claim.button")
    page.keyboard.press("Escape")
    assert page.evaluate("state.claim === null")
    page.keyboard.press("/")
    page.keyboard.type("jk")  # letters are text in the search field
    assert page.input_value("#search") == "jk"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.click("#reset") if page.locator("#reset").is_visible() else None
    page.focus("#list")
    page.keyboard.press("End")
    assert page.evaluate("state.response === state.shown[state.shown.length - 1]")
    expect(page.locator(".row[aria-selected=true]")).to_be_in_viewport()


def test_a_response_has_an_address(watched, pages) -> None:
    page = watched.open(pages["report"], "#41")
    assert page.evaluate("state.response.n") == 41


def test_code_points_beyond_the_first_plane_are_counted_as_one(watched, tmp_path) -> None:
    page = watched.open(render(many(5), tmp_path / "r.html"))
    for n in range(5):
        page.evaluate(f"choose(responses[{n}])")
        if page.evaluate("state.order.length") == 0:
            continue
        for claim in range(page.evaluate("state.order.length")):
            page.evaluate(f"chooseClaim(state.order[{claim}])")
            hot = "".join(page.locator("#text .hot").all_inner_texts())
            assert hot.replace(" ", "").rstrip(".") == page.evaluate("state.claim.text").replace(" ", "").rstrip(".")


def test_missing_words_are_struck_out(watched, tmp_path) -> None:
    page = watched.open(render(many(3), tmp_path / "r.html"))
    page.click("#flagged")
    page.keyboard.press("n")
    if not page.evaluate("state.claim.slots.length"):
        page.keyboard.press("n")
    assert page.locator(".slots del").count() >= 1
    expect(page.locator(".slots .how-missing").first).to_have_text("missing")


def test_unsupported_words_are_bold_in_the_response_and_in_their_slot(watched, tmp_path) -> None:
    page = watched.open(render(many(3), tmp_path / "r.html"))
    page.keyboard.press("j")
    page.keyboard.press("n")
    words = page.evaluate("state.claim.slots[2].text")
    assert words in [node.inner_text() for node in page.locator("#text .unsupported").all()]
    assert "".join(page.locator(".slots strong").all_inner_texts()) == words


def test_errors_and_empty_runs_are_shown_as_such(watched, tmp_path) -> None:
    page = watched.open(render(many(20), tmp_path / "r.html"))
    page.select_option("#label", "error")
    expect(page.locator(".failure")).to_contain_text('made.jsonl, line 14: "context" is missing')
    page = watched.open(render([], tmp_path / "empty.html"))
    expect(page.locator("#response")).to_contain_text("contains no responses")


@pytest.mark.parametrize("watched", ["dark"], indirect=True)
def test_print_lays_out_what_the_filter_leaves_on_white(watched, tmp_path) -> None:
    page = watched.open(render(many(40), tmp_path / "r.html"))
    page.select_option("#label", "Contradiction")
    shown = page.evaluate("state.shown.length")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#paper .sheet").count() == shown > 0
    assert page.locator("#paper .finding").count() >= shown
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert len(page.pdf()) > 5_000
    assert page.locator("#paper .sheet").count() == 0
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize("watched", ["light", "dark"], indirect=True)
def test_axe_finds_nothing_serious(watched, pages) -> None:
    page = watched.open(pages["report"])
    page.click("#flagged")
    page.keyboard.press("n")
    assert serious(page) == []
    page.click("#help")
    assert serious(page) == []


def test_the_theme_follows_the_system_until_it_is_chosen(watched, pages) -> None:
    page = watched.open(pages["report"])
    ground = "getComputedStyle(document.body.parentElement).backgroundColor"
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    until(page, "document.documentElement.dataset.theme === 'dark'")
    assert page.evaluate(ground) != light
    page.click("#theme")
    assert page.evaluate(ground) == light


@pytest.mark.parametrize("width", [400, 820, 1600])
def test_no_width_needs_sideways_scrolling(watched, pages, width: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": 800})
    page = watched.open(pages["report"])
    page.keyboard.press("f")
    page.keyboard.press("n")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    if width == 400:
        assert serious(page) == []


def test_corrections_stand_in_the_text_and_lead_to_their_claims(watched, tmp_path) -> None:
    result = next(item for item in many(50) if len(item.flagged) > 1 and item.flagged[0].claim.predicate)
    render([corrected(result)], tmp_path / "corrected.html")
    page = watched.open(tmp_path / "corrected.html")
    old = result.flagged[0].claim.predicate.text
    expect(page.locator("#revision del")).to_have_text(old)
    expect(page.locator("#revision ins")).to_have_text("<b>mended</b> 🗼")
    kept = "[...document.querySelector('#revision').childNodes].filter((node) => node.nodeName !== 'INS')"
    assert page.evaluate(f"{kept}.map((node) => node.textContent).join('')") == result.example.response
    expect(page.locator(".claims-title").first).to_have_text(f"Corrections (1 of {len(result.flagged)} applied)")
    page.click("#revision ins")
    expect(page.locator(".detail .outcome")).to_have_text("Correction applied, p(inconsistent) afterwards 0.12")
    expect(page.locator(".detail .stated")).to_have_text("The context states: Ada Quist <b>signed</b> it.")
    page.locator(".claim.flagged button").nth(1).click()
    expect(page.locator(".detail .outcome")).to_have_text("Correction rejected: no <i>way</i> out")
    expect(page.locator(".detail .stated")).to_have_count(0)
    assert serious(page) == []
