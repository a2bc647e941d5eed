"""The rows behind the drawing, and the topics of claims."""

from dataclasses import replace
from pathlib import Path

import pytest

from graph_eval.errors import UsageError
from graph_eval.reports.drawing import ShownRun, drawing, write_graph
from graph_eval.reports.graph_rows import GraphRows
from graph_eval.reports.topics import topic
from graph_eval.types import Claim, Judgement, Label, Slot, Span
from tests.browser.results import corrected, many


def rows(*results: object) -> GraphRows:
    return GraphRows([ShownRun("run", results)])


def claims(found: GraphRows) -> list[dict]:
    return [row for row in (*found.edges, *found.nodes) if row["kind"] in ("claim", "sentence")]


def test_every_claim_is_there_once_with_its_verdict_and_its_response() -> None:
    results = [result for result in many(40) if result.example]
    found = rows(*results)
    assert [row["id"] for row in found.responses] == [result.example.id for result in results]
    wanted = sorted(
        (place, claim, judgement.label, judgement.p_inconsistent, judgement.flagged)
        for place, result in enumerate(results)
        for claim, judgement in ((f.claim.text, f.judgement) for f in result.findings)
    )
    assert (
        sorted((r["response"], r["text"], r["label"], r["p"], r.get("flagged", False)) for r in claims(found)) == wanted
    )


def test_evidence_is_a_window_with_found_words_inside_it() -> None:
    result = next(many(1))
    found = rows(result)
    for row in claims(found):
        window, spans = row["evidence"]
        text = found.windows[window]["text"]
        assert text.startswith("Ada Quist")
        assert all(0 <= start < end <= len(text) for start, end in spans)
    assert len(found.windows) == 1, "claims share a window"


def test_what_refutes_a_claim_is_the_sentence_of_the_passage_and_an_edge() -> None:
    result = corrected(next(item for item in many(50) if len(item.flagged) > 1 and item.flagged[0].claim.predicate))
    found = rows(result)
    refuted = result.flagged[0].claim
    (row,) = [row for row in claims(found) if "stated" in row]
    assert row["text"] == refuted.text
    assert row["stated"] == "Ada Quist", "the words of the sentence in the passage"
    (edge,) = [edge for edge in found.edges if edge["kind"] == "stated"]
    assert edge["refutes"] == [result.claims.index(refuted)]
    assert row["correction"]["edits"][0][1] == "<b>mended</b> 🗼"


def test_responses_over_one_context_share_a_subject() -> None:
    first, second, *_ = many(2)
    other = replace(second, example=replace(second.example, question=first.example.question, id="other"))
    subjects = [row["subject"] for row in rows(first, other).responses]
    assert subjects[0] == subjects[1]


def test_two_runs_share_entities_and_keep_their_responses_apart() -> None:
    result = next(many(1))
    judged = tuple(replace(j, label=Label.ENTAILMENT, flagged=False) for j in result.judgements)
    found = GraphRows([ShownRun("one", [result]), ShownRun("two", [replace(result, judgements=judged)])])
    assert [row["run"] for row in found.responses] == [0, 1]
    names = [node["name"] for node in found.nodes if node["kind"] == "entity"]
    assert len(names) == len(set(names))
    flagged = [row["response"] for row in claims(found) if row.get("flagged")]
    assert set(flagged) == {0}
    assert len(claims(found)) == 2 * len(result.claims)


def test_a_record_that_is_there_twice_is_drawn_once() -> None:
    result = next(many(1))
    found = rows(result, result)
    assert len(found.responses) == 1
    assert len(claims(found)) == len(result.claims)


def test_a_record_that_is_there_again_with_other_claims_is_drawn_as_the_first_time() -> None:
    result = next(many(1))
    whole = Claim.whole(result.claims[0].text_id, result.example.response, Span(0, len(result.example.response)))
    again = replace(result, claims=(whole,), judgements=(Judgement(whole.id, Label.NEUTRAL, 0.9, True),))
    assert claims(rows(result, again)) == claims(rows(result))
    (only,) = claims(rows(again, result))
    assert only["label"] == Label.NEUTRAL


def test_unknown_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unsupported file type"):
        write_graph([], tmp_path / "x.png", "x")


def test_the_link_to_the_report_is_encoded() -> None:
    page = drawing([ShownRun("x", [])], "x", {}, 'a "b" <c>.html')
    assert 'href="./a%20%22b%22%20%3Cc%3E.html"' in page


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("1903", "dates"),
        ("in 1887", "dates"),
        ("12 May", "dates"),
        ("Monday", "dates"),
        ("the 1990s", "dates"),
        ("1,903 people", "numbers"),
        ("2000 men", "numbers"),
        ("three goals", "numbers"),
        ("$1500", "numbers"),
        ("Marie Curie", "names"),
        ("the Royal Society", "names"),
        ("the mill", "other"),
        ("The mill", "other"),
    ],
)
def test_the_topic_of_an_object(words: str, wanted: str) -> None:
    slots = (Slot("it"), Slot("is"), Slot(words))
    assert topic(Claim.triplet("t", slots, f"it is {words}", Span(0, 1)), None, "") == wanted


def test_the_doubted_words_decide_the_topic() -> None:
    response = "Curie won it in 1903."
    slots = (Slot("Curie", (Span(0, 5),)), Slot("won it in", (Span(6, 15),)), Slot("1903", (Span(16, 20),)))
    claim = Claim.triplet("t", slots, response, Span(0, 21))
    judgement = Judgement(claim.id, Label.CONTRADICTION, 0.9, True, unsupported=(Span(0, 5),))
    assert topic(claim, judgement, response) == "names"
    assert topic(claim, None, response) == "dates"
