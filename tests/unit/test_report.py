"""The file behind a report."""

import json
import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote_to_bytes, urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_eval.assets import source_hash
from graph_eval.reports import render
from graph_eval.reports.page import address, inert_json, write_report
from graph_eval.reports.rows import row
from graph_eval.types import Claim, Link, Relation, Slot, Span
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
    assert "label" not in bare


def test_a_row_leaves_out_what_is_empty_and_keeps_zeros() -> None:
    result = next(many(1))
    judgements = tuple(replace(item, p_inconsistent=0.0) for item in result.judgements)
    values = row(replace(result, judgements=judgements, p_inconsistent=0))
    assert values["p_inconsistent"] == 0
    assert [claim["p_inconsistent"] for claim in values["claims"]] == [0.0] * 3
    assert "error" not in values
    assert "resolved" not in values["claims"][0]["slots"][0]
    assert [claim["id"] for claim in values["claims"]] == [claim.id for claim in result.claims]


def test_a_slot_has_a_text_only_where_its_spans_do_not_give_it() -> None:
    result = next(many(1))
    values = row(result)["claims"][0]["slots"]
    assert ["text" in slot for slot in values] == [False] * 3
    slot = result.claims[0].subject
    resolved = replace(result.claims[0], subject=replace(slot, text="She", resolved=True))
    values = row(replace(result, claims=(resolved, *result.claims[1:])))["claims"][0]["slots"]
    assert [slot.get("text") for slot in values] == ["She", None, None]


def test_what_the_context_states_is_its_sentence_with_the_words_of_the_claims() -> None:
    result = next(many(1))
    flagged = result.flagged[0].claim
    passage = result.example.passages[0]
    end = passage.text.index("\n")
    name, deed, thing = Span(0, 9), Span(10, 16), Span(17, 28)

    def stated(*words: Span) -> Claim:
        slots = tuple(Slot(span.of(passage.text), (span,)) for span in words)
        return Claim.triplet(passage.id, slots, " ".join(slot.text for slot in slots), Span(0, end))

    claims = (stated(name, deed, thing), stated(name, deed, Span(29, end - 1)))
    elsewhere = Claim.whole("no such passage", "It <is> said.", Span(0, 13))
    links = tuple(Link(flagged.id, Relation.REFUTED_BY, claim.id) for claim in (*claims, elsewhere))
    values = row(replace(result, context_claims=(*claims, elsewhere), links=links))
    words = [name, deed, thing, Span(29, end - 1)]
    sentence = {"passage": 0, "sentence": Span(0, end), "spans": words}
    assert values["stated"] == {result.claims.index(flagged): [sentence, {"text": "It <is> said."}]}


@pytest.mark.parametrize(
    "name",
    [
        "graph.html",
        "a b#c?d%e.html",
        "javascript:alert(1)",
        "//evil.invalid/x",
        "é/\u202e.html",
        "\udcff.html",
        "\"'><",
    ],
)
def test_the_address_of_a_drawing_is_a_file_beside_the_report(name: str) -> None:
    found = urlsplit(urljoin("file:///folder/report.html", address(name)))
    assert (found.scheme, found.netloc, found.query, found.fragment) == ("file", "", "", "")
    assert unquote_to_bytes(found.path) == os.path.normpath(b"/folder/" + os.fsencode(name))
    assert not re.search("[\"'<>\\s]", address(name))


def test_the_number_of_a_threshold_is_written_and_its_name_is_not(tmp_path: Path) -> None:
    for threshold, expected in ((0.4, 0.4), ("block", None), (None, None)):
        settings = {"threshold": threshold, "aggregate": "major"}
        write_report(many(1), tmp_path / "r.html", "a title", settings, drawing="d.html")
        text = (tmp_path / "r.html").read_text("utf8")
        basis = json.loads(text.split('id="data">\n')[1].splitlines()[0])
        assert (basis["report"], basis["aggregate"], basis["threshold"]) == ("a title", "major", expected)
        assert basis["drawing"] == "./d.html"
