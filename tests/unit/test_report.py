"""The file behind a report."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_eval.reports import render
from graph_eval.reports.page import inert_json, source_hash
from graph_eval.reports.rows import row
from tests.browser.results import many


class Scripts(HTMLParser):
    """The scripts and styles of a page as a browser cuts them, and its security policy."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.policy = ""
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""
        self._open = tag if tag in ("script", "style") and values.get("type") != "application/json" else ""
        assert "src" not in values
        assert values.get("href", "data:,") == "data:,"

    def handle_data(self, data: str) -> None:
        if self._open:
            self.found.append((self._open, data))
            self._open = ""


@pytest.mark.parametrize("view", ["report", "graph"])
def test_the_policy_lets_only_the_page_itself_run(tmp_path: Path, view: str) -> None:
    page = Scripts(render(many(3), tmp_path / "x.html", view).read_text("utf8"))
    assert "default-src 'none'" in page.policy
    assert len(page.found) == (2 if view == "report" else 3)
    for _, text in page.found:
        assert source_hash(text) in page.policy
    assert "unsafe" not in page.policy


@given(st.text())
def test_inert_json_is_json_that_no_markup_is_read_from(text: str) -> None:
    written = inert_json({"x": text})
    assert json.loads(written) == {"x": text}
    assert not re.search("[<>&\u2028\u2029\n]", written)


@pytest.mark.parametrize("view", ["report", "graph"])
def test_the_same_results_give_the_same_bytes(tmp_path: Path, view: str) -> None:
    first, second = (render(many(20), tmp_path / name, view).read_bytes() for name in ("a.html", "b.html"))
    assert first == second


def test_a_passage_is_written_once(tmp_path: Path) -> None:
    text = render(many(16), tmp_path / "r.html").read_text("utf8")
    assert text.count("Nothing else is known of case 0.") == 1


def test_claims_that_nobody_judged_have_no_verdict() -> None:
    result = next(many(1))
    bare = row(type(result)(0, result.example, result.claims))
    assert "label" not in bare["claims"][0]
    assert bare["label"] is None
