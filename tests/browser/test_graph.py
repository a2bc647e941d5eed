"""The drawing in a real browser."""

import struct

import pytest
from playwright.sync_api import expect

from graph_eval.reports import render
from tests.browser.conftest import until
from tests.browser.results import corrected, many
from tests.browser.test_report import serious


def still(page: object) -> None:
    until(page, "document.body.dataset.still !== 'no'")


def test_a_run_opens_with_the_response_that_has_most_flags(watched, pages) -> None:
    page = watched.open(pages["graph"])
    still(page)
    assert page.evaluate("state.response.flagged === Math.max(...ordered.map((response) => response.flagged))")
    assert page.evaluate("drawnEdges.length") > 0
    assert page.evaluate("network.physics.physicsEnabled") is False, "what is drawn stays where it is"


def test_flagged_edges_are_dashed_and_red_others_are_neither(watched, pages) -> None:
    page = watched.open(pages["graph"])
    looks = page.evaluate(
        "drawnEdges.get().filter((edge) => claimOf.has(edge.id))"
        ".map((edge) => [claimOf.get(edge.id).flagged, Boolean(edge.dashes), edge.color.color])"
    )
    red = page.evaluate("colour('contradiction')")
    assert {flagged for flagged, _, _ in looks}
    for flagged, dashed, tone in looks:
        assert dashed == flagged
        assert (tone == red) == flagged


def test_what_the_context_states_stands_beside_what_it_refutes(watched, tmp_path) -> None:
    result = next(item for item in many(50) if len(item.flagged) > 1 and item.flagged[0].claim.predicate)
    page = watched.open(render([corrected(result)], tmp_path / "g.html", "graph"))
    still(page)
    drawn = "drawnEdges.get().filter((edge) => edges.find((item) => item.id === edge.id).kind === 'stated')"
    (edge,) = page.evaluate(drawn)
    assert edge["label"] == "<b>signed</b>"
    assert edge["color"]["color"] == page.evaluate("colour('accent')")
    page.click("#flagged")
    assert page.evaluate(f"{drawn}.length") == 1, "it belongs to a flagged claim"
    page.evaluate("choose(claims.find((claim) => claim.refuted_by))")
    expect(page.locator("#card .stated")).to_have_text("The context states: Ada Quist <b>signed</b> it.")
    assert page.evaluate(f"{drawn}[0].width") > edge["width"]
    assert serious(page) == []


def test_all_responses_and_flagged_only(watched, pages) -> None:
    page = watched.open(pages["graph"])
    page.keyboard.press("a")
    everything = page.evaluate("state.shown.length")
    assert everything == page.evaluate("claims.length") > 1000
    assert page.evaluate("drawnNodes.length") == page.evaluate("nodes.length")
    page.click("#flagged")
    flagged = page.evaluate("state.shown.length")
    assert 0 < flagged < everything
    assert page.evaluate("state.shown.every((claim) => claim.flagged)")
    expect(page.locator("#count")).to_contain_text(f"{flagged:,} flagged")


def test_a_claim_is_chosen_by_key_by_click_and_on_the_canvas(watched, tmp_path) -> None:
    page = watched.open(render(many(1), tmp_path / "g.html", "graph"))
    still(page)
    page.keyboard.press("n")
    assert page.evaluate("state.claim.flagged")
    expect(page.locator("#card .quote")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#card")).to_be_empty()
    page.locator("#claims button").nth(1).click()
    assert page.evaluate("state.claim === state.shown[1]")
    page.keyboard.press("Escape")
    box = page.evaluate(
        "(() => { const node = claims.find((claim) => claim.kind === 'sentence');"
        " const { x, y } = network.canvasToDOM(network.getPosition(node.id));"
        " const { left, top } = byId('drawing').getBoundingClientRect(); return [left + x, top + y]; })()"
    )
    page.mouse.move(*box)
    expect(page.locator("#tip")).to_be_visible()
    page.mouse.click(*box)
    until(page, "state.claim && state.claim.kind === 'sentence'")


def test_responses_are_stepped_through(watched, pages) -> None:
    page = watched.open(pages["graph"], "#0")
    assert page.evaluate("state.response.n") == 0
    page.keyboard.press("j")
    assert page.evaluate("state.response.n") == 1
    page.click("#previous")
    assert page.evaluate("state.response.n") == 0


def test_shared_names_are_one_node(watched, tmp_path) -> None:
    page = watched.open(render(many(30), tmp_path / "g.html", "graph"), "#all")
    assert page.evaluate("nodes.filter((node) => node.name === 'Ada Quist').length") == 1


def test_the_picture_is_a_png(watched, pages, tmp_path) -> None:
    page = watched.open(pages["graph"])
    still(page)
    with page.expect_download() as download:
        page.click("#png")
    path = tmp_path / "graph.png"
    download.value.save_as(path)
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    assert width > 400
    assert height > 300


@pytest.mark.parametrize("watched", ["light", "dark"], indirect=True)
def test_axe_finds_nothing_serious(watched, pages) -> None:
    page = watched.open(pages["graph"])
    still(page)
    page.keyboard.press("n")
    assert serious(page) == []
    page.click("#help")
    assert serious(page) == []


@pytest.mark.parametrize("width", [400, 820])
def test_no_width_needs_sideways_scrolling(watched, pages, width: int) -> None:
    watched.page.set_viewport_size({"width": width, "height": 800})
    page = watched.open(pages["graph"])
    still(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_run_without_claims_opens(watched, tmp_path) -> None:
    page = watched.open(render([], tmp_path / "g.html", "graph"))
    expect(page.locator("#claims-title")).to_have_text("No claims")
    for key in "jknpfa0":
        page.keyboard.press(key)


def test_what_most_flagged_claims_speak_of_is_drawn_alone(watched, pages) -> None:
    page = watched.open(pages["graph"])
    hubs = page.locator("#hubs option")
    assert hubs.count() >= 1
    page.select_option("#view", value=hubs.first.get_attribute("value"))
    still(page)
    name, _, figures = hubs.first.text_content().rpartition(" ")
    flagged, every = figures.strip("()").split("/")
    expect(page.locator("#count")).to_contain_text(f"{int(every):,} claims, {int(flagged):,} flagged")
    assert page.evaluate(
        "name => state.shown.every((claim) => [claim.from, claim.to].some((id) => nodeOf.get(id).name === name))", name
    )
    page.reload()
    assert page.evaluate("state.group") == hubs.first.get_attribute("value"), "the address keeps the view"
    page.keyboard.press("a")
    assert page.evaluate("state.shown.length === claims.length")


def test_responses_that_names_connect_are_drawn_together(watched, tmp_path) -> None:
    page = watched.open(render(many(30), tmp_path / "g.html", "graph"), "#part-0")
    expect(page.locator("#parts option").first).to_contain_text("responses")
    assert page.evaluate("new Set(state.shown.map((claim) => claim.response)).size") > 1
    assert page.evaluate("drawnNodes.length") <= page.evaluate("nodes.length")
