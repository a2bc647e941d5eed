"""What results show of themselves in a notebook."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from graph_eval.results import Results
from graph_eval.types import (
    Claim,
    Evidence,
    Example,
    ItemError,
    Judgement,
    Label,
    Location,
    Match,
    Passage,
    Result,
    Scores,
    Slot,
    Span,
)
from tests.browser.results import corrected, many
from tests.browser.test_injection import PAYLOADS, loaded


class Parsed(HTMLParser):
    """The elements, attributes and text of a fragment. Raises if an element is not closed where it should be."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[str] = []
        self.attributes: set[tuple[str, str | None]] = set()
        self.text = ""
        self.other: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes.update(attrs)
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.other.append(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def parsed(value: Result | Results) -> Parsed:
    return Parsed(value._repr_html_())


def styled(html: str, style: str) -> list[str]:
    """The text of the spans whose style holds these words."""
    return [re.sub("<[^>]*>", "", text) for text in re.findall(rf'<span style="[^"]*{style}[^"]*">(.*?)</span>', html)]


TEXT = "The tower was opened in 1899. It is red. It is old."
CONTEXT = "Nothing. The tower of Orsa was opened in 1889. It was red."
SLOTS = (Slot("tower", (Span(4, 9),)), Slot("was opened in", (Span(10, 23),)), Slot("1899", (Span(24, 28),)))
WRONG = Claim.triplet("t", SLOTS, "The tower was opened in 1899.", Span(0, 29))
RIGHT = Claim.whole("t", "It is red.", Span(30, 40))
UNSURE = Claim.whole("t", "It is old.", Span(41, 51))
PASSAGE = Passage.of(CONTEXT, "page 1")
FOUND = (Location("subject", Match.EXACT, (Span(13, 18),)), Location("predicate", Match.EXACT, (Span(27, 40),)))
EVIDENCE = Evidence(PASSAGE.id, Span(9, 46), Scores(0.02, 0.05, 0.93), FOUND)
CORRECTED = corrected(list(many(3))[2])
CHECKED = Result(
    0,
    Example("tower", "set", TEXT, (PASSAGE,), "When was it opened?", "m-1"),
    (WRONG, RIGHT, UNSURE),
    (
        Judgement(WRONG.id, Label.CONTRADICTION, 0.93, True, (EVIDENCE,), unsupported=(Span(24, 28),)),
        Judgement(RIGHT.id, Label.ENTAILMENT, 0.04, False),
        Judgement(UNSURE.id, Label.NEUTRAL, 0.61, True, reason="no_passage"),
    ),
    Label.CONTRADICTION,
    0.93,
)


def test_the_verdict_and_the_text_stand_above_the_flagged_claims() -> None:
    text = parsed(CHECKED).text
    assert text.startswith("✗ Contradiction · p(inconsistent) 0.93 · 2 of 3 claims flagged · tower · m-1When was it")
    assert text.index("It is red.") < text.index("flagged claim")
    assert RIGHT.text not in text[text.index("flagged claim") :]


def test_words_of_claims_have_a_line_and_bad_ones_a_mark() -> None:
    html = CHECKED._repr_html_()
    assert styled(html, "wavy") == ["tower was opened in 1899"]
    assert styled(html, "solid") == ["It is red."]
    assert styled(html, "dashed") == ["It is old."]
    assert re.findall(r"<sup [^>]*>(.)</sup>", html) == ["✗", "?"]
    assert "<b>1899</b>" in html


def test_words_of_several_claims_have_the_worst_label() -> None:
    judged = replace(CHECKED, claims=(*CHECKED.claims, Claim.whole("t", TEXT, Span(0, len(TEXT)))))
    good = Judgement(judged.claims[-1].id, Label.ENTAILMENT, 0.1, False)
    html = replace(judged, judgements=(*CHECKED.judgements, good))._repr_html_()
    assert styled(html, "wavy") == ["tower was opened in 1899"]
    assert styled(html, "dashed") == ["It is old."]
    assert styled(html, "solid") == ["The ", ". It is red. "]


def test_a_flagged_claim_stands_beside_its_evidence() -> None:
    html = CHECKED._repr_html_()
    assert "The <u>tower</u> of Orsa <u>was opened in</u> 1889." in html
    text = parsed(CHECKED).text
    assert "✗ Contradiction0.93The tower was opened in 1899.The tower of Orsa" in text
    assert "page 1" in text
    assert "? Neutral0.61It is old.no context was given" in text


@pytest.mark.parametrize(("label", "shown"), [(Label.CONTRADICTION, False), (Label.NEUTRAL, True)])
def test_what_the_context_does_not_decide_is_only_the_closest(label: Label, shown: bool) -> None:
    judgements = (replace(CHECKED.judgements[0], label=label), *CHECKED.judgements[1:])
    text = parsed(replace(CHECKED, judgements=judgements)).text
    assert ("closest: The tower of Orsa" in text) == shown


def test_long_evidence_is_cut_around_the_words_that_were_found() -> None:
    passage = Passage.of(f"{'before ' * 100}the tower was opened in 1889 {'after ' * 100}")
    start = passage.text.index("tower")
    found = (Location("subject", Match.EXACT, (Span(start, start + 5),)),)
    evidence = Evidence(passage.id, Span(0, len(passage.text)), EVIDENCE.scores, found)
    judgements = (replace(CHECKED.judgements[0], evidence=(evidence,)), *CHECKED.judgements[1:])
    html = replace(CHECKED, example=replace(CHECKED.example, passages=(passage,)), judgements=judgements)._repr_html_()
    assert "the <u>tower</u> was opened in 1889" in html
    assert html.count("before") + html.count("after") < 40
    assert re.search(r">… before .* after …<", html)


def test_a_correction_strikes_the_old_words() -> None:
    html = CORRECTED._repr_html_()
    assert re.search(r"<del>\w+</del> → <ins>&lt;b&gt;mended&lt;/b&gt; 🗼</ins>", html)
    assert "rejected: no &lt;i&gt;way&lt;/i&gt; out" in html
    assert f"✓ corrected: {CORRECTED.revision.text}" in parsed(CORRECTED).text
    assert "correction" not in parsed(next(many(1))).text


def test_a_failed_record_shows_its_error() -> None:
    failed = Result(3, None, error=ItemError("input", "invalid <JSON>", "mend it", "a.jsonl, line 4"))
    assert parsed(failed).text == "4! failed: a.jsonl, line 4: invalid <JSON> (mend it)"
    broken = replace(CHECKED, judgements=(Judgement.failed(WRONG.id, ItemError("check", "x")), *CHECKED.judgements[1:]))
    assert styled(broken._repr_html_(), "dotted") == ["tower was opened in 1899"]


def test_claims_that_nobody_judged_are_underlined_only() -> None:
    found = parsed(bare := Result(0, CHECKED.example, CHECKED.claims))
    assert found.text == f"3 claims, not judged · tower · m-1When was it opened?{TEXT}"
    assert styled(bare._repr_html_(), "dotted") == [TEXT[4:28], "It is red. It is old."]
    assert "<sup" not in bare._repr_html_()


# ---- several ----


def rows(results: Results) -> list[list[str]]:
    html = results._repr_html_()
    return [
        [Parsed(cell).text for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", html)
    ]


def test_several_results_are_a_table_worst_first() -> None:
    results = Results(many(20))
    head, *table = rows(results)
    assert head == ["id", "model", "label", "p", "flagged", "first flagged claim"]
    assert table[0][:5] == ["case-2", "model-2", "✗ Contradiction", "0.93", "2/3"]
    assert [row[2] for row in table] == ["✗ Contradiction"] * 10 + ["? Neutral"] * 8 + ["! failed", "– Abstain"]
    assert [row[3] for row in table] == ["0.93"] * 10 + ["0.64"] * 8 + ["", ""]
    assert parsed(results).text.startswith(
        "20 results · ? 8 Neutral · ✗ 10 Contradiction · – 1 Abstain · ! 1 failed · 21 of 54 claims flagged"
    )


def test_a_long_table_says_how_many_rows_are_left_out() -> None:
    assert len(rows(Results(many(60)))) == 51
    assert parsed(Results(many(60))).text.endswith("and 10 more responses")
    assert "more responses" not in parsed(Results(many(50))).text


def test_no_results_are_no_table() -> None:
    assert parsed(Results()).text == "0 results · 0 of 0 claims flagged"


def test_without_models_there_is_no_column_for_them() -> None:
    assert "model" not in rows(Results([replace(CHECKED, example=replace(CHECKED.example, model=None))]))[0]


# ---- hostile texts ----

OWN = {"div", "span", "b", "u", "bdi", "sup", "del", "ins", "table", "thead", "tbody", "tr", "th", "td"}


@pytest.mark.parametrize("n", range(len(PAYLOADS)))
def test_a_payload_is_text(n: int) -> None:
    result = loaded(n, PAYLOADS[n])
    tame = loaded(n, "x" * len(PAYLOADS[n]))
    for value, harmless in ((result, tame), (Results([result]), Results([tame]))):
        found, expected = parsed(value), parsed(harmless)
        assert found.elements == expected.elements
        assert found.attributes == expected.attributes
        assert found.other == []
        assert {name for name, _ in found.attributes} <= {"style", "class"}
        assert set(found.elements) <= OWN
    assert PAYLOADS[n] in parsed(result).text.replace("\r", "\n")


def test_a_payload_in_a_correction_is_text() -> None:
    for n, payload in enumerate(PAYLOADS):
        first, *others = CORRECTED.revision.corrections
        edit = replace(first.edits[0], old=payload, new=payload)
        others = [replace(item, reason=payload) for item in others]
        hostile = replace(first, edits=(edit,), reason=payload)
        revision = replace(CORRECTED.revision, text=payload, corrections=(hostile, *others))
        found = parsed(replace(CORRECTED, revision=revision))
        assert found.elements == parsed(CORRECTED).elements, n
        assert payload in found.text


def test_no_formula_is_read_from_two_prices_and_no_character_is_half() -> None:
    result = Result(0, Example("a", "set", "It is $5 or $9. \ud800"))
    html = result._repr_html_()
    assert 'class="tex2jax_ignore mathjax_ignore"' in html
    assert html.encode("utf-8")
