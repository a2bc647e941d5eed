"""The report in a real browser: what it shows, how it is used, and that nothing leaves it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from graph_eval.reports import render
from graph_eval.reports.page import write_report
from tests.browser.conftest import until
from tests.browser.results import many


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
        "spansOf(state.claim).map(([a, b]) => Array.from(state.response.response).slice(a, b).join('')).join(' ')"
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


def test_the_worst_response_comes_first(watched, pages) -> None:
    page = watched.open(pages["report"])
    expect(page.locator("#sort option").first).to_have_text("worst first")
    expect(page.locator("#sort")).to_have_value("worst")
    assert page.evaluate("state.response === state.shown[0]")
    share = "row.claims.length ? row.flagged / row.claims.length : -1"
    order = page.evaluate(f"state.shown.map((row) => [{share}, row.flagged, row.p_inconsistent ?? -1, -row.n])")
    assert order == sorted(order, reverse=True)
    assert len({tuple(values[:3]) for values in order}) > 3


def test_the_report_and_the_drawing_have_one_order(watched, pages) -> None:
    report = watched.open(pages["report"]).evaluate("state.shown.map((row) => row.n)")
    drawing = watched.open(pages["graph"]).evaluate("shown.responses.map((response) => response.n)")
    judged = set(drawing)
    assert [n for n in report if n in judged] == drawing


@pytest.mark.parametrize("fragment", ["#41", "#response=41"])
def test_a_response_has_an_address(watched, pages, fragment: str) -> None:
    page = watched.open(pages["report"], fragment)
    assert page.evaluate("state.response.n") == 41


def test_the_address_keeps_the_view(watched, pages) -> None:
    page = watched.open(pages["report"])
    page.select_option("#label", "Neutral")
    page.select_option("#model", index=2)
    page.select_option("#sort", "flags")
    page.click("#flagged")
    unsearched = page.evaluate("state.shown.length")
    page.fill("#search", "case-1")
    until(page, f"state.shown.length < {unsearched}")
    page.evaluate("choose(state.shown[2])")
    page.evaluate("chooseClaim(state.order[1])")
    view = "[state.shown.length, state.response.n, state.claim && state.claim.place, state.shown[0].n]"
    before = page.evaluate(view)
    until(page, "location.hash.includes('claim=')")
    page.reload()
    assert page.evaluate(view) == before
    assert page.input_value("#search") == "case-1"
    expect(page.locator(".claim.chosen .detail")).to_be_visible()


def test_back_and_forward_move_between_responses(watched, pages) -> None:
    page = watched.open(pages["report"])
    seen = [page.evaluate("state.response.n")]
    for _ in range(2):
        page.keyboard.press("j")
        seen.append(page.evaluate("state.response.n"))
        until(page, f"location.hash.startsWith('#response={seen[-1]}')")
    page.keyboard.press("n")
    until(page, "location.hash.includes('claim=')")
    chosen = page.evaluate("state.claim.place")
    page.go_back()
    until(page, f"state.response.n === {seen[1]}")
    page.go_back()
    until(page, f"state.response.n === {seen[0]}")
    page.go_forward()
    page.go_forward()
    until(page, f"state.response.n === {seen[2]}")
    assert page.evaluate("state.claim.place") == chosen, "a claim is no entry of its own"


@pytest.mark.parametrize(
    "fragment",
    [
        "#response=x&claim=9&label=odd&sort=odd&bin=99&threshold=7",
        "#model=nonsense&dataset=nonsense&label=odd&threshold=0.3x",
        "#response=1&claim=",
        "#response=1&claim=-1",
        "#response=1&bin=&sort=&label=&q=",
        "#%",
        "#response=1&claim=__proto__",
        "#=&&=1",
    ],
)
def test_an_address_that_names_nothing_opens_the_worst(watched, pages, fragment: str) -> None:
    page = watched.open(pages["report"], fragment)
    assert page.evaluate("[state.claim, state.threshold, state.bin]") == [None, None, None]
    assert page.evaluate("state.shown.length === responses.length")
    assert page.evaluate("['label', 'model', 'dataset', 'sort'].map((id) => byId(id).value)") == ["", "", "", "worst"]
    expect(page.locator("#response h2")).to_be_visible()


def test_a_label_that_only_a_threshold_gives_is_read_with_it(watched, pages) -> None:
    page = watched.open(pages["report"], "#threshold=0.95&label=odd")
    assert page.evaluate("[state.threshold, byId('label').value]") == [0.95, ""]
    page.goto("about:blank")
    page = watched.open(pages["report"], "#threshold=0.3&label=Neutral")
    assert page.evaluate("[byId('label').value, state.shown.every((row) => row.label === 'Neutral')]") == [
        "Neutral",
        True,
    ]


def test_responses_of_one_number_are_told_apart(watched, tmp_path) -> None:
    same = [replace(item, n=0) for item in many(6)]
    page = watched.open(render(same, tmp_path / "r.html"))
    page.evaluate("choose(responses[3])")
    until(page, "history.state?.place === 3")
    page.reload()
    assert page.evaluate("state.response.place") == 3


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
    page.evaluate("chooseClaim(state.order.find((claim) => claim.flagged && claim.slots.length))")
    words = page.evaluate("state.claim.slots[2].text")
    assert words in [node.inner_text() for node in page.locator("#text .unsupported").all()]
    assert "".join(page.locator(".slots strong").all_inner_texts()) == words


def test_errors_and_empty_runs_are_shown_as_such(watched, tmp_path) -> None:
    page = watched.open(render(many(20), tmp_path / "r.html"))
    page.select_option("#label", "error")
    expect(page.locator("#response .failure")).to_contain_text('made.jsonl, line 14: "context" is missing')
    page = watched.open(render([], tmp_path / "empty.html"))
    expect(page.locator("#response")).to_contain_text("contains no responses")


@pytest.mark.parametrize("watched", ["dark"], indirect=True)
def test_print_lays_out_what_the_filter_leaves_on_white(watched, tmp_path) -> None:
    page = watched.open(render(many(40), tmp_path / "r.html"))
    page.select_option("#label", "Contradiction")
    shown = page.evaluate("state.shown.length")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#paper .sheet").count() == shown > 0
    assert page.locator("#paper > :first-child").get_attribute("class") == "summary"
    assert page.locator("#paper tbody tr").count() == shown
    expect(page.locator("#paper .summary")).to_contain_text(
        f"Only responses that match the filter are shown: {shown} of 40"
    )
    cells = page.locator("#paper tbody tr").first.locator("td").all_text_contents()
    row = page.evaluate(
        "[state.shown[0].id, state.shown[0].model, state.shown[0].p_inconsistent.toFixed(2), shareOf(state.shown[0])]"
    )
    assert [cells[0], cells[1], cells[3], cells[4]] == row
    assert page.locator("#paper .finding").count() >= shown
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    pdf = page.pdf()
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) < shown, "several responses on a page"
    assert page.locator("#paper .sheet").count() == 0
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize(("watched", "width"), [("light", 1400), ("dark", 1000), ("light", 400)], indirect=["watched"])
def test_axe_finds_nothing_serious(watched, pages, width: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": 800})
    page = watched.open(pages["report"])
    page.keyboard.press("f")
    page.keyboard.press("n")
    page.keyboard.press("w")
    if width == 400:
        page.click("#show-filter")
        assert serious(page) == []
        page.click("#show-list")
    assert serious(page) == []
    page.keyboard.press("r")
    page.click("#help")
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.evaluate("document.querySelector('#clear').showModal()")
    assert serious(page) == []


@pytest.mark.parametrize("width", [1400, 1000, 400])
def test_everything_can_be_reached_and_seen_by_keyboard(watched, tmp_path: Path, width: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": 800})
    write_report(list(many(20)), tmp_path / "r.html", "r", {"threshold": 0.5}, drawing="graph.html")
    page = watched.open(tmp_path / "r.html")
    page.keyboard.press("n")
    page.keyboard.press("w")
    if width == 400:
        page.evaluate("unfold('filtering', true); unfold('listing', true)")
    page.evaluate("document.activeElement.blur()")
    wanted = page.evaluate(
        "[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex=\"0\"]')].filter("
        "(node) => node.checkVisibility({ checkVisibilityCSS: true }) && !node.disabled)"
        ".map((node, at) => { node.dataset.at = at; return node.outerHTML.slice(0, 90); })"
    )
    reached = {}
    for _ in range(len(wanted) + 5):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "(() => { const node = document.activeElement, style = getComputedStyle(node);"
            " return [node.dataset.at, style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2]; })()"
        )
        if found[0] is not None:
            reached[int(found[0])] = found[1]
    assert [wanted[at] for at in range(len(wanted)) if at not in reached] == []
    assert [wanted[at] for at, visible in reached.items() if not visible] == []
    assert len(wanted) > 25


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


def test_at_400_pixels_the_text_is_above_the_fold_and_the_list_is_a_sheet(watched, pages) -> None:
    watched.page.set_viewport_size({"width": 400, "height": 800})
    page = watched.open(pages["report"])
    assert page.locator("#text").bounding_box()["y"] < 300
    expect(page.locator("#position")).to_have_text(f"1 of {page.evaluate('state.shown.length'):,}")
    page.click("#next")
    assert page.evaluate("state.response === state.shown[1]")
    for part in ("#list", "#search", "#threshold"):
        expect(page.locator(part)).to_be_hidden()
    page.click("#show-list")
    expect(page.locator("#show-list")).to_have_attribute("aria-expanded", "true")
    page.locator(".row").nth(4).click()
    expect(page.locator("#list")).to_be_hidden()
    assert page.evaluate("state.response === state.shown[4]")
    page.keyboard.press("p")
    expect(page.locator(".claim.chosen > button")).to_be_in_viewport()
    page.click("#next")
    expect(page.locator("#response h2")).to_be_in_viewport()
    page.click("#show-filter")
    page.click("#flagged")
    expect(page.locator("#threshold")).to_be_visible()
    page.click("#show-filter")
    expect(page.locator("#search")).to_be_hidden()
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()


@pytest.mark.parametrize("width", [1000, 1400])
def test_a_label_moves_nothing_under_the_mouse(watched, pages, width: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": 800})
    page = watched.open(pages["report"])
    page.keyboard.press("n")
    before = page.locator(".person .right").bounding_box()
    page.click(".person .right")
    page.click(".person .wrong")
    assert page.locator(".person .right").bounding_box() == before


def test_the_report_links_to_the_drawing_of_each_response(watched, tmp_path) -> None:
    name = "a b#c?<d>%e.html"
    (tmp_path / name).write_text("<title>drawn</title>")
    write_report(many(5), tmp_path / "r.html", "r", drawing=name)
    page = watched.open(tmp_path / "r.html")
    number = page.evaluate("state.response.n")
    link = page.get_by_text("Draw this response")
    assert link.evaluate("(node) => node.href") == f"{(tmp_path / name).as_uri()}#response={number}"
    page.click("#drawing")
    assert page.title() == "drawn"
    plain = watched.open(render(many(5), tmp_path / "plain.html"))
    assert plain.locator("a").count() == 0


def test_filters_by_dataset(watched, tmp_path) -> None:
    results = [
        replace(item, example=replace(item.example, dataset=f"set {item.n % 2}")) if item.example else item
        for item in many(10)
    ]
    page = watched.open(render(results, tmp_path / "r.html"))
    page.select_option("#dataset", index=2)
    assert page.evaluate("state.shown.map((row) => row.dataset)") == ["set 1"] * 5


def test_a_search_finds_what_a_plain_search_finds(watched, pages) -> None:
    page = watched.open(pages["report"])
    for words in ("harbour", "h", "ha", "harb 19", "CASE-7", "case-7 painted", "register", "🗼", "nosuchword"):
        page.evaluate("(words) => { byId('search').value = words; filter(); }", words)
        found = page.evaluate("state.shown.map((row) => row.n).sort((a, b) => a - b)")
        plain = page.evaluate(
            "(words) => responses.filter((row) => {"
            " const fields = [row.id, row.dataset, row.model, row.question, row.response, row.error || ''];"
            " const context = row.passages.flatMap((passage) => [passage.source, passage.text]);"
            " const text = [...fields, ...row.claims.map((claim) => claim.text), ...context].join('\\n').toLowerCase();"
            " return words.every((word) => text.includes(word)); }).map((row) => row.n)",
            words.lower().split(),
        )
        assert found == plain
