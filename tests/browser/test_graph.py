"""The drawing in a real browser."""

import struct
from collections import Counter
from dataclasses import replace
from itertools import combinations

import networkx as nx
import pytest
from playwright.sync_api import expect

from graph_eval.graph.networkx import to_networkx
from graph_eval.reports import render
from graph_eval.reports.drawing import ShownRun, write_drawing, write_graph
from graph_eval.reports.topics import topic
from graph_eval.types import Claim, Judgement, Label, Result, Slot, Span
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


# Boxes that cover another one, and the smallest text in pixels.
LEGIBILITY = """(() => {
  const boxes = [...drawn.boxes], scale = network.getScale(), touch = (a, b) =>
    Math.abs(a.x - b.x) * 2 < a.width + b.width - 1 && Math.abs(a.y - b.y) * 2 < a.height + b.height - 1;
  const overlaps = boxes.filter(([, a], at) => boxes.slice(at + 1).some(([, b]) => touch(a, b))).length;
  const smallest = Math.min(...boxes.map(([, box]) => box.text * scale));
  return { boxes: boxes.length, overlaps, smallest };
})()"""


def legible(page: object) -> dict:
    settled(page)
    found = page.evaluate(LEGIBILITY)
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


@pytest.mark.parametrize("at", [-0.4, 0.0, 0.4])
def test_a_click_anywhere_on_a_box_opens_it_and_another_one_closes_it(watched, tmp_path, at: float) -> None:
    page = watched.open(render(many(14), tmp_path / "g.html", "graph"))
    settled(page)
    for place in range(3):
        box = page.evaluate(f"drawn.scene.items.filter((item) => item.response)[{place}].id")
        x, y = point(page, f"'{box}'")
        height = page.evaluate(f"drawn.boxes.get('{box}').height * network.getScale()")
        page.mouse.click(x, y + at * height)
        assert page.evaluate("[...state.opened]") == [box]
        assert page.evaluate("'a' + state.response.at") == box
        settled(page)
        page.wait_for_timeout(400)  # the second half of a double click opens nothing
        page.mouse.click(*point(page, f"'{box}'"))
        assert page.evaluate("state.opened.size") == 0
        page.wait_for_timeout(400)


def test_opened_boxes_are_in_the_address_and_in_the_history(watched, tmp_path) -> None:
    page = watched.open(render(many(14), tmp_path / "g.html", "graph"))
    page.evaluate("toggle('a0')")
    page.evaluate("toggle('a2')")
    page.reload()
    assert page.evaluate("[...state.opened]") == ["a0", "a2"]
    page.go_back()
    until(page, "state.opened.size === 1")
    page.click("#close")
    assert page.evaluate("state.opened.size") == 0
    expect(page.locator("#close")).to_be_hidden()


def test_a_claim_of_the_drawing_leads_to_its_evidence(watched, tmp_path) -> None:
    page = watched.open(render(many(30), tmp_path / "g.html", "graph"))
    page.evaluate("go({ kind: 'response', response: shown.responses[0] })")
    settled(page)
    link = page.evaluate("drawn.scene.links.find((link) => link.claims && isFlagged(link.claims[0])).id")
    page.mouse.move(*point(page, f"'{link}'"))
    expect(page.locator("#tip")).to_be_visible()
    page.mouse.click(*point(page, f"'{link}'"))
    until(page, "state.claim !== null")
    expect(page.locator("#card .quote")).to_contain_text("Ada Quist")
    expect(page.locator("#card .verdict")).to_be_visible()


def test_an_edge_between_a_response_and_an_entity_shows_its_own_claims(watched, tmp_path) -> None:
    page = watched.open(render(many(14), tmp_path / "g.html", "graph"))
    groups = page.evaluate(
        "responsesScene(new Set()).links.filter((link) => link.id[0] === 'g')"
        ".map((link) => link.claims.map((claim) => claim.key))"
    )
    assert groups
    for group in groups:
        page.evaluate("(group) => go({ kind: 'claims', claims: group.map((key) => claimOf.get(key)) })", group)
        wrong = page.evaluate(
            "drawn.scene.links.filter((link) => link.claims && link.claims.some((claim) =>"
            " nodes[claim.from].name !== nodes[Number(link.from.slice(1))].name)).length"
        )
        assert wrong == 0
    page.reload()
    assert page.evaluate("state.view.kind") == "claims"


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
    page.click("#filters-title")
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


def said(n: int, object_: str, model: str) -> Result:
    """An answer to one question that differs from others in its object alone."""
    first = next(many(1))
    words = f"The tower was opened in {object_}."
    example = replace(first.example, id=f"tower-{n}", response=words, model=model, question="When was it opened?")
    spans = [Span(4, 9), Span(10, 23), Span(24, len(words) - 1)]
    slots = tuple(Slot(span.of(words), (span,)) for span in spans)
    claim = Claim.triplet(example.key, slots, words, Span(0, len(words)))
    flagged = object_ == "1899"
    label = Label.CONTRADICTION if flagged else Label.ENTAILMENT
    judgement = Judgement(claim.id, label, 0.9 if flagged else 0.1, flagged)
    return Result(n, example, (claim,), (judgement,), label, judgement.p_inconsistent)


def test_answers_that_contradict_each_other_are_listed_and_drawn(watched, tmp_path) -> None:
    results = [said(0, "1889", "a"), said(1, "1899", "b"), said(2, "1889 in Paris", "c"), said(3, "1889", "d")]
    page = watched.open(render([*results, *many(3)], tmp_path / "g.html", "graph"))
    page.click("#tabs button:has-text('Contradictions')")
    (group,) = page.evaluate("contradictions().map((group) => group.claims.map((claim) => nodes[claim.to].name))")
    assert Counter(group) == {"1889": 2, "1899": 1, "1889 in Paris": 1}
    (row,) = page.locator(".pairs button").all()
    assert row.inner_text().index("1899") < row.inner_text().index("1889")
    row.click()
    assert page.evaluate("drawn.scene.items.filter((item) => item.node && item.node.name === 'tower').length") == 1
    assert legible(page)["overlaps"] == 0
    page = watched.open(render([results[0], results[2]], tmp_path / "h.html", "graph"), "#view=contradictions")
    expect(page.locator("#overview")).to_contain_text("No two responses")


@pytest.mark.parametrize(("watched", "width"), [("light", 1400), ("dark", 1000), ("light", 400)], indirect=["watched"])
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
    page.click("#theme")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("tones.panel") == "#ffffff", "paper is white"
    page.emulate_media(media="print")
    for hidden in ("#search", "#flagged", "#theme", "#sheet"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("#list")).to_be_visible()
    assert len(page.pdf()) > 5_000


def test_an_empty_drawing_has_no_picture(watched, tmp_path) -> None:
    page = watched.open(render([], tmp_path / "empty.html", "graph"), "#view=graph")
    expect(page.locator("#nothing")).to_be_visible()
    expect(page.locator("#png")).to_be_hidden()


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
    wanted = page.evaluate("[...drawn.boxes.values()].reduce((most, box) => Math.max(most, box.y + box.height / 2), 0)")
    assert width > 400
    assert height > wanted


def test_two_runs_are_told_apart(watched, tmp_path) -> None:
    results = list(many(12))
    runs = [ShownRun("first", results), ShownRun("second", results[:5])]
    write_drawing(runs, tmp_path / "g.html", "both")
    page = watched.open(tmp_path / "g.html")
    assert page.evaluate("shown.responses.length") == 12
    page.click("#filters-title")
    page.select_option("#run", label="second")
    assert page.evaluate("shown.responses.length") == 5
    page.reload()
    assert page.evaluate("shown.responses.length") == 5, "the address keeps the run"
    page.click("#filters-title")
    page.select_option("#run", "")
    assert page.evaluate("shown.responses.length") == 17
    page.keyboard.press("Escape")
    expect(page.locator("#run")).to_be_hidden()


def test_the_drawing_links_the_report_of_the_response(watched, tmp_path) -> None:
    write_graph(many(3), tmp_path / "g.html", "x", report="the report.html")
    page = watched.open(tmp_path / "g.html", "#response=1")
    expect(page.locator("#report")).to_have_attribute("href", "./the%20report.html")
    expect(page.locator("#card a.button")).to_have_attribute("href", "./the%20report.html#response=1")


def test_nonsense_in_the_address_is_ignored(watched, pages) -> None:
    for nonsense in (
        "#label=odd&model=x&topic=z&p=9",
        "#claims=--",
        "#path=1-",
        "#entity=empty%21",
        "#view=odd&open=q.x",
    ):
        page = watched.open(pages["graph"], nonsense)
        page.reload()
        assert page.evaluate("state.view.kind") == "responses", nonsense
        assert page.evaluate("filter.label + filter.model + filter.topic") == ""
        assert page.evaluate("state.claim") is None


def test_search_finds_what_the_filter_hides_and_widens_it(watched, pages) -> None:
    page = watched.open(pages["graph"], "#label=Contradiction")
    page.keyboard.press("/")
    page.keyboard.type("case-2 ")
    page.locator("#found [aria-label=Responses] [role=option]").first.click()
    assert page.evaluate("claimsInView().length") > 0


def test_records_with_one_number_have_addresses_of_their_own(watched, tmp_path) -> None:
    results = [replace(result, n=0) for result in many(4)]
    page = watched.open(render(results, tmp_path / "g.html", "graph"))
    for place in range(4):
        page.evaluate(f"go({{ kind: 'response', response: responses[{place}] }})")
    page.reload()
    assert page.evaluate("state.view.response.at") == 3
    page.go_back()
    until(page, "state.view.response.at === 2")


def test_failed_and_unjudged_records_have_their_place(watched, tmp_path) -> None:
    results = [*many(16)]
    page = watched.open(render(results, tmp_path / "g.html", "graph"), "#response=13")
    expect(page.locator("#card")).to_contain_text('"context" is missing')
    bare = [replace(result, judgements=(), label=None, p_inconsistent=None) for result in results if result.claims]
    page = watched.open(render(bare, tmp_path / "h.html", "graph"), "#view=responses")
    expect(page.locator("#overview")).to_contain_text(f"{len(bare)} responses without verdicts")


def test_right_to_left_words_are_drawn_in_one_piece(watched, tmp_path) -> None:
    result = next(many(1))
    claim = result.claims[0]
    words = "\u05e4\u05ea\u05d7\u05d4 \u05d0\u05ea"
    odd = replace(claim, predicate=replace(claim.predicate, text=words))
    page = watched.open(render(replace(result, claims=(odd, *result.claims[1:])), tmp_path / "g.html", "graph"))
    drawn = page.evaluate(
        "(() => { const seen = []; const draw = CanvasRenderingContext2D.prototype.fillText;"
        " CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {"
        " seen.push([text, this.direction]); return draw.call(this, text, ...at); };"
        " network.redraw(); CanvasRenderingContext2D.prototype.fillText = draw; return seen; })()"
    )
    assert [words, "rtl"] in drawn


@pytest.mark.parametrize("width", SIZES)
def test_no_text_of_the_page_is_smaller_than_eleven_pixels(watched, pages, width: int) -> None:
    resized(watched.page, width)
    page = watched.open(pages["graph"])
    for tab in page.locator("#tabs button").all():
        tab.click()
        small = page.evaluate(
            "[...document.querySelectorAll('body *')].filter((node) => node.offsetParent && [...node.childNodes]"
            ".some((child) => child.nodeType === 3 && child.textContent.trim()) && parseFloat(getComputedStyle(node)"
            ".fontSize) < 11).map((node) => node.outerHTML.slice(0, 80))"
        )
        assert small == []


def test_a_page_has_at_most_a_kilobyte_a_claim(tmp_path) -> None:
    results = list(many(700))
    claims = sum(len(result.claims) for result in results)
    for view in ("report", "graph"):
        size = render(results, tmp_path / f"{view}.html", view).stat().st_size
        assert size <= 600_000 + 1_000 * claims


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
