"""What results show in a notebook, in a real browser."""

from pathlib import Path

import pytest

from graph_eval.results import Results
from tests.browser.results import many
from tests.browser.test_injection import PAYLOADS, loaded

PAGE = '<!doctype html><meta charset="utf-8"><title>cells</title><link rel="icon" href="data:,"><body>{}</body>'


def cells(folder: Path, *fragments: str) -> Path:
    """A page of cells, without a policy that could stop a script."""
    page = folder / "cells.html"
    page.write_text(PAGE.format("<hr>".join(fragments)), "utf-8")
    return page


def test_payloads_stay_text(watched, tmp_path: Path) -> None:
    results = Results(loaded(n, payload) for n, payload in enumerate(PAYLOADS))
    shown = (results, results[50:], results[100:], results[150:], *results)
    page = watched.open(cells(tmp_path, *(value._repr_html_() for value in shown)))
    page.wait_for_timeout(300)
    assert page.evaluate("window.pwned") is None
    names = set(page.evaluate("[...document.body.querySelectorAll('*')].map((node) => node.localName)"))
    assert names <= set("div span b u bdi sup del ins table thead tbody tr th td hr".split())
    attributes = page.evaluate("[...document.body.querySelectorAll('*')].flatMap((node) => node.getAttributeNames())")
    assert set(attributes) == {"class", "style"}
    text = page.evaluate("document.body.textContent")
    for payload in PAYLOADS:
        assert payload in text


@pytest.mark.parametrize("width", [1400, 400])
def test_a_cell_is_no_wider_than_the_notebook(watched, tmp_path: Path, width: int) -> None:
    results = Results(many(60))
    page = watched.open(cells(tmp_path, results._repr_html_(), *(result._repr_html_() for result in results[:5])))
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    cut = page.evaluate("""[...document.querySelectorAll('td, th')]
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)""")
    assert cut == []


def test_each_label_has_its_line_in_the_browser(watched, tmp_path: Path) -> None:
    page = watched.open(cells(tmp_path, *(result._repr_html_() for result in many(3))))
    lines = page.evaluate("""[...document.querySelectorAll('span')].map((node) => getComputedStyle(node))
        .filter((style) => style.textDecorationLine === 'underline').map((style) => style.textDecorationStyle)""")
    assert set(lines) == {"solid", "dashed", "wavy"}
