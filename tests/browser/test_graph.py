"""The drawing in a real browser."""

import struct
from collections import Counter
from itertools import combinations

import networkx as nx
import pytest
from playwright.sync_api import expect

from graph_eval.graph.networkx import to_networkx
from graph_eval.reports import render
from graph_eval.reports.drawing import ShownRun, write_drawing, write_graph
from graph_eval.reports.topics import topic
from tests.browser.conftest import until
from tests.browser.results import corrected, many
from tests.browser.test_report import serious

SIZES = {1400: 900, 1000: 700, 400: 800}


def resized(page: object, width: int) -> None:
    page.set_viewport_size({"width": width, "height": SIZES[width]})


def settled(page: object) -> None:
    """Waits until the drawing has the size of its place."""
    page.wait_for_timeout(250)
    until(page, "!isScene(state.view) || network.canvas.frame.clientWidth === byId('drawing').clientWidth")


def legible(page: object) -> dict:
    settled(page)
    found = page.evaluate("legibility()")
    assert found["boxes"] > 0
    return found


def point(page: object, box: str) -> list[float]:
    """The centre of a box of the drawing, in pixels of the window. `box`: JavaScript for its id."""
    return page.evaluate(
        f"(() => {{ const {{ x, y }} = network.canvasToDOM(drawn.boxes.get({box}));"
        " const { left, top } = byId('drawing').getBoundingClientRect(); return [left + x, top + y]; })()"
    )


@pytest.mark.parametrize("width", SIZES)
def test_no_labels_of_an_response_meet_at_any_width(watched, tmp_path, width: int) -> None:
    resized(watched.page, width)
    results = [corrected(r) if len(r.flagged) > 1 and r.flagged[0].claim.predicate else r for r in many(24)]
    page = watched.open(render(results, tmp_path / "g.html", "graph"))
    for n in range(page.evaluate("responses.length")):
        page.evaluate(f"go({{ kind: 'response', response: responses[{n}] }})")
        if page.evaluate("state.view.response.claims.length"):
            found = legible(page)
            assert found["overlaps"] == 0
            assert found["smallest"] >= 11
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("count", [2, 14, 50])
def test_several_responses_are_boxes_that_can_be_read(watched, tmp_path, width: int, count: int) -> None:
    resized(watched.page, width)
    page = watched.open(render(many(count), tmp_path / "g.html", "graph"))
    assert page.evaluate("state.view.kind") == "graph"
    for by in ("response", "entity"):
        page.select_option("#group-by", by)
        found = legible(page)
        assert found["overlaps"] == 0
        assert found["smallest"] >= 11
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("width", SIZES)
def test_thousands_open_with_an_overview_and_each_view_can_be_read(watched, pages, width: int) -> None:
    resized(watched.page, width)
    page = watched.open(pages["graph"])
    assert page.evaluate("state.view.kind") == "responses"
    for tab in page.locator("#tabs button").all():
        tab.click()
        expect(tab).to_have_attribute("aria-current", "page")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        if page.evaluate("isScene(state.view)"):
            assert legible(page)["smallest"] >= 11
            assert legible(page)["overlaps"] == 0
        else:
            assert len(page.locator("#overview").inner_text()) > 100
    assert page.locator("#list button").count() <= 200


def test_what_the_context_states_stands_below_what_it_refutes(watched, tmp_path) -> None:
    result = next(item for item in many(50) if len(item.flagged) > 1 and item.flagged[0].claim.predicate)
    page = watched.open(render([corrected(result)], tmp_path / "g.html", "graph"))
    settled(page)
    assert page.evaluate("state.view.kind") == "response"
    pair = page.evaluate(
        "(() => { const stated = drawn.scene.links.find((link) => link.stated);"
        " return [drawn.boxes.get(stated.beside), drawn.boxes.get(stated.id)]; })()"
    )
    claim, stated = pair
    assert claim["x"] == stated["x"]
    assert 0 < stated["y"] - claim["y"] < (claim["height"] + stated["height"]) / 2 + 40
    assert not page.evaluate(
        "([above, below]) => [...drawn.boxes.values()]"
        ".some((box) => box.x === above.x && box.y > above.y && box.y < below.y)",
        pair,
    )
    dashes = page.evaluate("drawnEdges.get().map((edge) => String(edge.dashes))")
    assert len(set(dashes)) > 1
    page.evaluate("choose({ claim: claims.find((claim) => claim.stated) })")
    expect(page.locator("#card .stated")).to_contain_text("The context states:")
    expect(page.locator("#card .correction ins")).to_have_text("<b>mended</b> 🗼")
    assert serious(page) == []


@pytest.mark.parametrize("deficiency", ["deuteranopia", "protanopia", "achromatopsia"])
def test_labels_differ_in_form_and_not_only_in_colour(watched, tmp_path, deficiency: str) -> None:
    page = watched.open(render(many(14), tmp_path / "g.html", "graph"))
    page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
    pictures = [svg.screenshot() for svg in page.locator("#key svg").all()[:4]]
    assert all(one != other for one, other in combinations(pictures, 2))
    dashes = page.evaluate("['Contradiction', 'Neutral', 'Entailment'].map((label) => String(DASHES[label]))")
    assert len(set(dashes)) == 3
    marks = page.evaluate("['Contradiction', 'Neutral', 'Entailment'].map((label) => MARKS[label])")
    assert len(set(marks)) == 3


def test_find_by_keyboard_leads_to_an_entity_an_response_and_a_claim(watched, pages) -> None:
    page = watched.open(pages["graph"])
    page.keyboard.press("/")
    page.keyboard.type("quist")
    expect(page.locator("#found [role=option]").first).to_contain_text("Ada Quist")
    page.keyboard.press("Enter")
    assert page.evaluate("state.view.node.name") == "Ada Quist"
    assert page.evaluate("claimsInView().every((claim) => claim.ends.includes(state.view.node.id))")
    page.keyboard.press("/")
    page.keyboard.type("case-300 ")
    page.locator("#found [aria-label=Responses] [role=option]").first.click()
    assert page.evaluate("state.view.response.id") == "case-300"
    page.keyboard.press("n")
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert page.evaluate("isFlagged(state.claim) || !state.view.response.flagged")
    page.keyboard.press("/")
    page.keyboard.type("no such words at all")
    expect(page.locator("#found")).to_have_text("Nothing found.")
    page.keyboard.press("Escape")
    expect(page.locator("#found")).to_be_hidden()


def test_a_click_on_a_box_opens_it_in_place_and_a_claim_leads_to_its_evidence(watched, tmp_path) -> None:
    page = watched.open(render(many(30), tmp_path / "g.html", "graph"))
    settled(page)
    box = page.evaluate("drawn.scene.items.find((item) => item.response || item.stack).id")
    before = page.evaluate("drawn.boxes.size")
    page.mouse.click(*point(page, f"'{box}'"))
    until(page, f"drawn.boxes.size !== {before}")
    page.evaluate("go({ kind: 'response', response: shown.responses[0] })")
    settled(page)
    link = page.evaluate("drawn.scene.links.find((link) => link.claims && isFlagged(link.claims[0])).id")
    page.mouse.move(*point(page, f"'{link}'"))
    expect(page.locator("#tip")).to_be_visible()
    page.mouse.click(*point(page, f"'{link}'"))
    until(page, "state.claim !== null")
    expect(page.locator("#card .quote")).to_contain_text("Ada Quist")
    expect(page.locator("#card .verdict")).to_be_visible()


def test_a_selected_claim_does_not_move_the_list(watched, pages) -> None:
    page = watched.open(pages["graph"], "#response=0")
    settled(page)
    button = page.locator("#list button").nth(1)
    before = button.bounding_box()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert button.bounding_box() == before


def test_back_and_forward_move_between_views_and_the_address_keeps_them(watched, pages) -> None:
    page = watched.open(pages["graph"])
    page.click("#tabs button:has-text('Entities')")
    page.locator("#overview .bars button").first.click()
    name = page.evaluate("state.view.node.name")
    page.go_back()
    until(page, "state.view.kind === 'entities'")
    page.go_forward()
    until(page, "state.view.kind === 'entity'")
    page.locator("#list button").first.click()
    page.click("#flagged")
    chosen = page.evaluate("state.claim && state.claim.key")
    page.reload()
    assert page.evaluate("state.view.node.name") == name
    assert page.evaluate("filter.label") == "flagged"
    assert page.evaluate("state.claim && state.claim.key") == chosen


def test_an_address_names_a_claim_of_its_response(watched, pages) -> None:
    page = watched.open(pages["graph"], "#response=1&claim=2")
    assert page.evaluate(
        "[state.view.response.n, state.claim.place, state.claim.response === state.view.response.at]"
    ) == [
        1,
        2,
        True,
    ]
    page.evaluate("go({ kind: 'entity', node: nodes[responses[1].claims.find((claim) => claim.ends.length).ends[0]] })")
    page.keyboard.press("n")
    chosen = page.evaluate("[state.claim.response, state.claim.place]")
    page.reload()
    assert page.evaluate("[state.claim.response, state.claim.place]") == chosen
    page.goto(page.url.split("#")[0] + "#response=9999&claim=x")
    page.reload()
    assert page.evaluate("state.claim") is None


def test_the_filter_leaves_what_python_leaves(watched, tmp_path) -> None:
    results = list(many(200))
    page = watched.open(render(results, tmp_path / "g.html", "graph"))
    page.click("#filters-title")
    page.select_option("#label", "Contradiction")
    page.select_option("#model", "model-1")
    wanted = Counter(
        finding.claim.text
        for result in results
        if result.example and result.example.model == "model-1"
        for finding in result.findings
        if finding.judgement.label == "Contradiction"
    )
    assert Counter(page.evaluate("shown.claims.map((claim) => claim.text)")) == wanted
    page.click("#reset")
    page.locator("#least").fill("0.65")
    likely = sum(f.judgement.p_inconsistent >= 0.65 for result in results for f in result.findings)
    expect(page.locator("#least-value")).to_have_text("p ≥ 0.65")
    assert page.evaluate("shown.claims.length") == likely
    page.select_option("#label", "Entailment")
    page.click("#tabs button:has-text('Graph')")
    expect(page.locator("#nothing")).to_have_text("Nothing matches this filter.")


def test_paths_are_as_short_as_those_of_networkx(watched, tmp_path) -> None:
    results = list(many(60))
    page = watched.open(render(results, tmp_path / "g.html", "graph"))
    graph = nx.Graph(
        page.evaluate("claims.flatMap((claim) => claim.ends.flatMap((a) => claim.ends.map((b) => [a, b])))")
    )
    whole = to_networkx(results)
    assert nx.number_connected_components(graph) <= nx.number_weakly_connected_components(whole)
    named = page.evaluate("entities.filter((node) => node.named).map((node) => node.id)")
    assert len(named) > 2
    for one, other in combinations(named, 2):
        length = page.evaluate("([one, other]) => (shortestPath(one, other) || []).length", [one, other])
        assert length == (nx.shortest_path_length(graph, one, other) if nx.has_path(graph, one, other) else 0)
    find = "(name) => entities.find((node) => node.named && node.name === name)"
    page.evaluate(f"choose({{ node: ({find})('Ada Quist') }})")
    page.click("text=Path from here")
    expect(page.locator("#card")).to_contain_text("Choose the other end")
    page.keyboard.type("Bo Lindgren")
    page.keyboard.press("Enter")
    assert page.evaluate("state.view.kind") == "path"
    page.reload()
    assert page.evaluate("state.view.kind") == "path"


def test_neighbours_are_shown_and_hidden(watched, pages) -> None:
    page = watched.open(pages["graph"], "#response=0")
    settled(page)
    page.evaluate("choose({ node: nodes[state.view.response.claims[0].from] })")
    before = page.evaluate("claimsInView().length")
    page.click("text=Show its claims here")
    assert page.evaluate("claimsInView().length") > before
    page.click("text=Hide its other claims")
    assert page.evaluate("claimsInView().length") == before
    page.click(".actions >> text=Hide")
    assert page.evaluate("drawn.scene.items.every((item) => !item.node || !state.hidden.has(item.node.id))")


def test_the_matrix_counts_what_python_counts(watched, tmp_path) -> None:
    results = list(many(120))
    page = watched.open(render(results, tmp_path / "g.html", "graph"))
    page.click("#tabs button:has-text('Models')")
    wanted: Counter = Counter()
    flagged: Counter = Counter()
    for result in results:
        for finding in result.findings:
            cell = result.example.model, topic(finding.claim, finding.judgement, result.example.response)
            wanted[cell] += 1
            flagged[cell] += finding.judgement.flagged
    cells = page.evaluate(
        "[...document.querySelectorAll('.matrix td button')].map((button) => button.getAttribute('aria-label'))"
    )
    for (model, name), every in wanted.items():
        assert any(cell.startswith(f"{model}, {name}: {flagged[model, name]} of {every} claims") for cell in cells)
    page.locator(".matrix td button").first.click()
    assert page.evaluate("shown.claims.every((claim) => isFlagged(claim))")
    assert page.evaluate("state.list") == "claims"


def test_contradictions_have_one_subject_and_predicate_and_several_objects(watched, tmp_path) -> None:
    page = watched.open(render(many(200), tmp_path / "g.html", "graph"))
    groups = page.evaluate(
        "contradictions().map((group) => group.claims.map((claim) => [responses[claim.response].subject,"
        " nodes[claim.from].name, claim.predicate, nodes[claim.to].name, claim.response]))"
    )
    for group in groups:
        assert len({tuple(claim[:3]) for claim in group}) == 1
        assert len({claim[3] for claim in group}) > 1
        assert len({claim[4] for claim in group}) > 1


@pytest.mark.parametrize("watched", ["light", "dark"], indirect=True)
@pytest.mark.parametrize("width", SIZES)
def test_axe_finds_nothing_serious(watched, pages, width: int) -> None:
    resized(watched.page, width)
    page = watched.open(pages["graph"])
    for tab in page.locator("#tabs button").all():
        tab.click()
        settled(page)
        assert serious(page) == []
    page.evaluate("go({ kind: 'response', response: shown.responses[0] })")
    page.keyboard.press("n")
    settled(page)
    assert serious(page) == []
    page.keyboard.press("/")
    page.keyboard.type("a")
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.click("#help")
    assert serious(page) == []


def test_a_narrow_window_shows_the_picture_and_the_list_as_a_sheet(watched, pages) -> None:
    resized(watched.page, 400)
    page = watched.open(pages["graph"], "#response=0")
    settled(page)
    assert page.locator("#drawing").bounding_box()["height"] > 400
    expect(page.locator("#list")).to_be_hidden()
    page.click("#sheet")
    expect(page.locator("#list")).to_be_visible()
    page.locator("#list button").first.click()
    settled(page)
    expect(page.locator("#card")).to_be_visible()
    assert legible(page)["smallest"] >= 11


def test_print_has_the_picture_and_the_list_and_no_controls(watched, pages) -> None:
    page = watched.open(pages["graph"], "#response=0")
    settled(page)
    page.emulate_media(media="print")
    for hidden in ("#search", "#flagged", "#theme", "#sheet"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("#list")).to_be_visible()
    assert len(page.pdf()) > 5_000


def test_the_picture_is_a_png(watched, pages, tmp_path) -> None:
    page = watched.open(pages["graph"], "#response=0")
    settled(page)
    with page.expect_download() as download:
        page.click("#png")
    path = tmp_path / "graph.png"
    download.value.save_as(path)
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    assert width > 400
    assert height > 300


def test_two_runs_are_told_apart(watched, tmp_path) -> None:
    results = list(many(12))
    runs = [ShownRun("first", results), ShownRun("second", results[:5])]
    write_drawing(runs, tmp_path / "g.html", "both")
    page = watched.open(tmp_path / "g.html")
    assert page.evaluate("shown.responses.length") == 12
    page.click("#filters-title")
    page.select_option("#run", label="second")
    assert page.evaluate("shown.responses.length") == 5
    page.select_option("#run", "")
    assert page.evaluate("shown.responses.length") == 17


def test_the_drawing_links_the_report_of_the_response(watched, tmp_path) -> None:
    write_graph(many(3), tmp_path / "g.html", "x", report="the report.html")
    page = watched.open(tmp_path / "g.html", "#response=1")
    expect(page.locator("#report")).to_have_attribute("href", "./the%20report.html")
    expect(page.locator("#card a.button")).to_have_attribute("href", "./the%20report.html#response=1")


def test_a_run_without_claims_opens(watched, tmp_path) -> None:
    page = watched.open(render([], tmp_path / "g.html", "graph"))
    expect(page.locator("#nothing")).to_have_text("This run contains no claims.")
    for key in "jknpfa0":
        page.keyboard.press(key)


@pytest.mark.parametrize("watched", ["light", "dark"], indirect=True)
def test_colours_follow_the_theme(watched, pages) -> None:
    page = watched.open(pages["graph"], "#response=0")
    settled(page)
    before = page.evaluate("tones.panel")
    page.click("#theme")
    assert page.evaluate("tones.panel") != before
    red = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--contradiction').trim()")
    assert page.evaluate("tones.contradiction") == red
