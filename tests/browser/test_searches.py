"""What was searched for and found, in the report and in the drawing."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import expect

from graph_eval import GraphEval
from graph_eval.graph.networkx import from_networkx, to_networkx
from graph_eval.reports import render
from graph_eval.settings import Settings
from graph_eval.types import Result
from tests.browser.conftest import Watched, until

QUESTION = "Who was <b>Curie</b>?"
RESPONSE = "Curie was born in Warsaw. Curie owned a zeppelin."


class Born:
    """A scorer that entails what says "born", and is Neutral on the rest."""

    fingerprint = "born-1"

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        return np.array([[0.9, 0.1, 0.0] if "born" in claim else [0.1, 0.9, 0.0] for _, claim in pairs])


@cache
def grounded(by: str = "claim") -> Result:
    def find(text: str, k: int) -> list[str]:
        return ["Curie was born in Warsaw in 1867."][:k] if "born" in text else []

    ge = GraphEval(checker=Born(), retriever=find, settings=Settings().replace(ground_hops=2, ground_by=by))
    return ge.check(RESPONSE, question=QUESTION, id="curie")


def test_the_report_shows_each_hop(watched: Watched, tmp_path: Path) -> None:
    page = watched.open(render(grounded(), tmp_path / "report.html"))
    page.locator(".claim button").filter(has_text="zeppelin").click()
    expect(page.locator(".searches")).to_have_count(2)
    first, second = page.locator(".searches").all()
    expect(first).to_contain_text(
        "Searched for: Who was <b>Curie</b>? Curie owned zeppelin – 0 passages found, then Neutral."
    )
    expect(second).to_contain_text("Searched again (hop 2): Curie owned a zeppelin. – 0 passages found.")
    page.locator(".claim button").filter(has_text="born").click()
    expect(page.locator(".searches")).to_contain_text("1 passage found, then Entailment.")


def test_the_report_shows_the_search_for_a_whole_response(watched: Watched, tmp_path: Path) -> None:
    page = watched.open(render(grounded("response"), tmp_path / "report.html"))
    expect(page.locator(".searches").first).to_contain_text(f"{QUESTION}, {RESPONSE} – 1 passage found.")
    page.locator(".claim button").filter(has_text="zeppelin").click()
    expect(page.locator(".detail .searches")).to_contain_text("Searched again (hop 2): ")


def test_the_drawing_shows_what_was_asked_for_a_claim(watched: Watched, tmp_path: Path) -> None:
    page = watched.open(render(grounded(), tmp_path / "graph.html", "graph"))
    until(page, "drawn.scene && drawn.scene.links.length >= 2")
    page.evaluate("choose({ claim: claims.find((claim) => claim.text.includes('zeppelin')) })")
    expect(page.locator("#card .searches").first).to_contain_text("Searched for: Who was <b>Curie</b>?")


def test_networkx_gives_the_result_back() -> None:
    assert list(from_networkx(to_networkx(grounded()))) == [grounded()]
