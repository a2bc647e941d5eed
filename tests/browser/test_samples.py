"""Consistency over samples in the report and in the drawing, where the width of an edge is its support."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from playwright.sync_api import expect

from graph_eval import GraphEval
from graph_eval.graph.networkx import from_networkx, to_networkx
from graph_eval.reports import render
from graph_eval.types import Result
from tests.browser.conftest import Watched, until

RESPONSE = "Curie was born in Warsaw. Curie won three Nobel Prizes."
SAMPLES = ["Curie was born in Warsaw. Curie won two <b>Nobel</b> Prizes."] * 3


@cache
def compared() -> Result:
    return GraphEval(method="graph").selfcheck(RESPONSE, SAMPLES, context="Curie was born in Warsaw.", id="curie")


def test_the_report_says_what_samples_support_and_what_they_say_instead(watched: Watched, tmp_path: Path) -> None:
    page = watched.open(render(compared(), tmp_path / "report.html"))
    line = page.locator(".consistency")
    expect(line).to_contain_text("Consistency over 3 samples: score 0.")
    expect(line).to_contain_text("Curie won three Nobel Prizes.")
    page.locator(".claim button").filter(has_text="three").click()
    expect(page.locator(".samples")).to_contain_text("Supported by 0 of 3 samples, contradicted by 3.")
    expect(page.locator(".samples q")).to_have_text("Curie won two <b>Nobel</b> Prizes.")  # as text, not as a tag


def test_the_report_names_samples_that_were_not_drawn(watched: Watched, tmp_path: Path) -> None:
    missing = replace(compared(), fields={**compared().fields, "sampling": {"failed": ["busy", "busy"]}})
    page = watched.open(render(missing, tmp_path / "report.html"))
    expect(page.locator(".consistency")).to_contain_text("Consistency over 3 samples (2 not drawn): score 0.")


def test_the_width_of_an_edge_is_the_share_of_samples_that_support_it(watched: Watched, tmp_path: Path) -> None:
    page = watched.open(render(compared(), tmp_path / "graph.html", "graph"))
    until(page, "drawn.scene && drawn.scene.links.length >= 2")
    widths = page.evaluate(
        "Object.fromEntries(drawn.scene.links.filter((link) => link.claims)"
        ".map((link) => [link.claims[0].text, lineOf(link).width]))"
    )
    assert widths["Curie was born in Warsaw."] == 6
    assert widths["Curie won three Nobel Prizes."] == 1


def test_networkx_has_the_counts_and_gives_the_result_back() -> None:
    graph = to_networkx(compared())
    edges = {data["claim"]: data for _, _, data in graph.edges(data=True) if data["kind"] == "claim"}
    born, won = edges["Curie was born in Warsaw."], edges["Curie won three Nobel Prizes."]
    assert (born["supported"], born["contradicted"], born["samples"], born["support"]) == (3, 0, 3, 1.0)
    assert won["support"] == 0.0
    assert won["inconsistency"] > born["inconsistency"] == 0.0
    assert list(from_networkx(graph)) == [compared()]
