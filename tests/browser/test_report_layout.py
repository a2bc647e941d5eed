"""How the report looks at three widths: sizes, colours, what is cut, what scrolls, tooltips."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from graph_eval.reports import render
from tests.browser.results import many

WIDTHS = ((1400, 900), (1000, 700), (400, 800))
LONG = "archive/2024/" + "volume-of-letters/" * 160 + "the-end-17"
SMALL = """(() => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility({ checkVisibilityCSS: true })) continue;
    const sizes = [null, "::after"].filter((part) => !part || getComputedStyle(node, part).content !== "none")
      .map((part) => parseFloat(getComputedStyle(node, part).fontSize));
    found.push([Math.min(...sizes), node.outerHTML.slice(0, 80)]);
  }
  return found;
})()"""


@pytest.mark.parametrize(("width", "height"), WIDTHS)
def test_no_text_is_smaller_than_11_pixels(watched, pages, width: int, height: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": height})
    page = watched.open(pages["report"])
    page.keyboard.press("n")
    page.keyboard.press("w")
    if width == 400:
        page.evaluate("unfold('filtering', true); unfold('listing', true)")
    page.locator("#text .claimed").first.hover()
    page.evaluate("byId('keys').show()")
    sizes = page.evaluate(SMALL)
    assert len(sizes) > 150
    assert [entry for entry in sizes if entry[0] < 11] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("deficiency", ["deuteranopia", "protanopia", "achromatopsia"])
def test_the_labels_differ_without_their_colours(watched, tmp_path: Path, deficiency: str, theme: str) -> None:
    page = watched.open(render(many(14), tmp_path / "r.html"))
    page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
    labels = ("Entailment", "Neutral", "Contradiction")
    page.evaluate(
        "(labels) => byId('response').replaceChildren(...labels.flatMap((label) => ["
        " el('p', {}, el('span', { class: `mark ${label}`, id: `mark-${label}` }, MARKS[label])),"
        " el('div', { class: 'text' }, el('span', { class: `claimed ${label}`, id: `words-${label}` }, 'words'))]))",
        list(labels),
    )
    for kind in ("mark", "words"):
        pictures = [page.locator(f"#{kind}-{label}").screenshot() for label in labels]
        assert all(one != other for one, other in combinations(pictures, 2)), kind
    lines = [
        page.locator(f"#words-{label}").evaluate("(node) => getComputedStyle(node).textDecorationStyle")
        for label in labels
    ]
    assert len(set(lines)) == 3, "a line style, not only a colour"
    marks = page.locator(".response .mark").all_inner_texts()
    assert len(set(marks)) == 3


@pytest.mark.parametrize(("width", "height"), WIDTHS)
def test_a_very_long_id_is_cut_and_the_text_stays_above_the_fold(
    watched, tmp_path: Path, width: int, height: int
) -> None:
    made = next(many(1))
    made = replace(made, example=replace(made.example, id=LONG, model=LONG))
    watched.page.set_viewport_size({"width": width, "height": height})
    page = watched.open(render(made, tmp_path / "r.html"))
    title = page.locator("#response h2")
    assert title.get_attribute("title") == LONG
    assert title.inner_text().startswith("archive/2024/")
    assert title.inner_text().endswith("the-end-17")
    assert page.locator("#text").bounding_box()["y"] < 400
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.evaluate("layOut()")
    assert page.locator("#paper h3").text_content() == LONG


def test_names_in_the_list_and_the_orders_are_whole_or_keep_their_end(watched, tmp_path: Path) -> None:
    names = ["gorse-valley-railway", "halvorsen-museum-2", "x" * 60 + "-last-part"]
    made = [replace(item, example=replace(item.example, id=name)) for item, name in zip(many(3), names, strict=True)]
    watched.page.set_viewport_size({"width": 1400, "height": 900})
    page = watched.open(render(made, tmp_path / "r.html"))
    page.select_option("#sort", "input")
    parts = page.locator(".row .name").evaluate_all(
        "(nodes) => nodes.map((node) => [...node.children].map((part) =>"
        " [part.textContent, part.scrollWidth <= part.clientWidth + 1]))"
    )
    assert ["".join(text for text, _ in row) for row in parts] == names
    assert [all(whole for _, whole in row) for row in parts] == [True, True, False]
    assert parts[2][-1] == ["last-part", True]
    ends = page.locator(".row .name").evaluate_all(
        "(nodes) => nodes.map((node) =>"
        " node.lastChild.getBoundingClientRect().right <= node.getBoundingClientRect().right + 1)"
    )
    assert ends == [True] * 3
    room = page.locator("#sort").evaluate(
        "(node) => { const pen = document.createElement('canvas').getContext('2d'), style = getComputedStyle(node);"
        " pen.font = `${style.fontSize} ${style.fontFamily}`;"
        " return node.clientWidth - parseFloat(style.paddingLeft) - 24"
        " - Math.max(...[...node.options].map((option) => pen.measureText(option.text).width)); }"
    )
    assert room >= 0


@pytest.mark.parametrize(("width", "height"), WIDTHS)
def test_the_help_opens_at_its_title(watched, pages, width: int, height: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": height})
    page = watched.open(pages["report"])
    page.click("#help")
    expect(page.locator("#keys-title")).to_be_in_viewport(ratio=1)
    assert page.locator("#keys").evaluate("(node) => node.scrollTop") == 0
    if height == 900:
        assert page.locator("#keys").evaluate("(node) => node.scrollHeight <= node.clientHeight")
    page.keyboard.press("Tab")
    expect(page.locator("#keys button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#keys")).to_be_hidden()


def test_a_click_scrolls_no_further_than_the_detail_needs(watched, tmp_path: Path) -> None:
    watched.page.set_viewport_size({"width": 1400, "height": 900})
    page = watched.open(render(many(5), tmp_path / "r.html"))
    page.evaluate("choose(responses[0])")
    pane = page.locator("#response")
    button = page.locator(".claim > button").first
    before = button.bounding_box()["y"]
    button.click()
    assert (pane.evaluate("(node) => node.scrollTop"), button.bounding_box()["y"]) == (0, before)
    page.keyboard.press("Escape")
    watched.page.set_viewport_size({"width": 1400, "height": 620})
    last = page.locator(".claim > button").last
    last.scroll_into_view_if_needed()
    last.click()
    item, outer = page.locator(".claim.chosen").bounding_box(), pane.bounding_box()
    assert pane.evaluate("(node) => node.scrollTop") > 0
    bottom = item["y"] + item["height"] - outer["y"] - outer["height"]
    assert abs(bottom) < 1.5 or abs(item["y"] - outer["y"]) < 1.5


def test_a_bar_of_the_histogram_says_its_range_and_its_number(watched, pages) -> None:
    page = watched.open(pages["report"])
    page.locator("#bars button:not([disabled])").last.hover()
    number = page.evaluate("responses.filter((row) => binOf(row.p_inconsistent ?? -1) === 18).length")
    assert page.locator("#tip p").all_inner_texts() == ["p(inconsistent) 0.90 to 0.95", f"{number:,} responses"]
    page.mouse.move(700, 790)
    expect(page.locator("#tip")).to_be_hidden()


def test_no_tooltip_stays_after_a_tap(browser: Browser, pages: dict[str, Path]) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)
    page: Page = context.new_page()
    page.goto(pages["report"].as_uri())
    page.locator("#text .claimed").first.tap()
    assert page.evaluate("state.claim !== null")
    expect(page.locator("#tip")).to_be_hidden()
    page.tap("#show-filter")
    page.locator("#bars button:not([disabled])").last.tap()
    assert page.evaluate("state.bin !== null")
    expect(page.locator("#tip")).to_be_hidden()
    context.close()
