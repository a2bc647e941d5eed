"""The threshold of the report: the page flags as the Python functions do."""

import random
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graph_eval.aggregate import rule
from graph_eval.checkers.merge import NO_PASSAGE, labelled
from graph_eval.reports.page import write_report
from graph_eval.types import Claim, Evidence, Example, ItemError, Judgement, Label, Passage, Result, Scores, Span
from tests.browser.conftest import until

RULES = ("any", "strict", "soft", "major", "mean", "rate:0.3")
THRESHOLDS = (0.05, 0.3, 0.5, 0.64, 0.7, 0.95)
OWN = 0.5  # the threshold of the run


def judgement(claim: Claim, passages: tuple[Passage, ...], chance: random.Random) -> Judgement:
    """A verdict of one of the kinds that `labelled` tells apart."""
    kind = chance.randrange(8)
    if kind == 0:
        return Judgement(claim.id, Label.NEUTRAL, 1.0, flagged=True, reason=NO_PASSAGE)
    p = chance.choice((0.0, 0.05, 0.3, 0.31, 0.5, 0.55, 0.64, 0.7, 0.93, 1.0))
    evidence = []
    for passage in passages:
        neutral = round(chance.random() * p, 6)
        scores = Scores(round(1 - p, 6), neutral, round(p - neutral, 6))
        evidence.append(Evidence(passage.id, Span(0, len(passage.text)), scores))
    if kind == 1:  # without evidence nothing tells a contradiction
        evidence = []
        given = chance.choice((Label.CONTRADICTION, Label.NEUTRAL)) if p > OWN else Label.ENTAILMENT
        return Judgement(claim.id, given, p, flagged=p > OWN)
    if kind == 2:  # decided by another checker than the one that left the evidence
        given = chance.choice((Label.CONTRADICTION, Label.NEUTRAL)) if p > OWN else Label.ENTAILMENT
        return Judgement(claim.id, given, p, p > OWN, tuple(evidence), decided_by="other")
    if kind == 3:  # given by another rule than ours
        given = chance.choice((Label.CONTRADICTION, Label.NEUTRAL)) if p > OWN else Label.ENTAILMENT
        return Judgement(claim.id, given, p, p > OWN, tuple(evidence))
    return labelled(Judgement(claim.id, None, p, flagged=False, evidence=tuple(evidence)), OWN)


def results(name: str) -> list[Result]:
    """Results as a run with this rule gives them; some fail, some have no claims, one was never judged."""
    chance = random.Random(7)  # noqa: S311 - the same results each time
    found = []
    for n in range(80):
        sentences = [f"Sentence {place} of response {n}." for place in range(chance.randrange(6))]
        passages = tuple(Passage.of(f"Passage {place} of {n % 9}.") for place in range(chance.randrange(1, 4)))
        example = Example(f"r{n}", "made", " ".join(sentences) or "Hm.", passages)
        starts = [sum(len(other) + 1 for other in sentences[:place]) for place in range(len(sentences))]
        claims = tuple(
            Claim.whole(example.key, words, Span(start, start + len(words)))
            for words, start in zip(sentences, starts, strict=True)
        )
        judgements = tuple(judgement(claim, passages, chance) for claim in claims)
        error = ItemError("check", "broken")
        if n % 17 == 3 and claims:
            failed = (*judgements[:-1], Judgement.failed(claims[-1].id, error))
            found.append(Result(n, example, claims, failed, error=error))
        elif n % 17 == 5:
            found.append(Result(n, example, claims))
        else:
            found.append(Result(n, example, claims, judgements, **rule(name)(judgements, OWN)._asdict()))
    return found


def expected(result: Result, name: str, threshold: float) -> list[object]:
    """The label of the response, and label, flag and passages of its claims, by the Python functions."""
    judgements = tuple(labelled(item, threshold) for item in result.judgements)
    label = rule(name)(judgements, threshold).label if result.label is not None else None
    places = {passage.id: place for place, passage in enumerate(result.example.passages)}
    claims = [[item.label, item.flagged, [places[entry.passage_id] for entry in item.evidence]] for item in judgements]
    return [label, claims or [[None, False, []] for _ in result.claims]]


def shown(page: Page) -> list[object]:
    return page.evaluate(
        "responses.map((row) => [row.label, row.claims.map((claim) =>"
        " [claim.label, claim.flagged, evidenceOf(claim).map((item) => item.passage)])])"
    )


@pytest.mark.parametrize("name", RULES)
def test_every_threshold_gives_the_labels_of_the_python_functions(watched, tmp_path: Path, name: str) -> None:
    made = results(name)
    write_report(made, tmp_path / "r.html", "r", {"threshold": OWN, "aggregate": name})
    page = watched.open(tmp_path / "r.html")
    of_the_run = [expected(result, name, OWN) for result in made]
    assert [row[0] for row in shown(page)] == [result.label for result in made]
    different = 0
    for threshold in THRESHOLDS:
        page.evaluate(f"moveThreshold({threshold})")
        wanted = [expected(result, name, threshold) for result in made]
        assert shown(page) == wanted
        different += wanted != of_the_run
        bad = sum(row[0] in ("Neutral", "Contradiction") for row in wanted)
        flagged = sum(claim[1] for row in wanted for claim in row[1])
        totals = dict(
            zip(
                page.locator("#totals dt").all_inner_texts(),
                (int(text.split()[0]) for text in page.locator("#totals dd").all_inner_texts()),
                strict=True,
            )
        )
        assert (totals["inconsistent"], totals["flagged"]) == (bad, flagged)
        if threshold in (0.3, 0.5, 0.7):
            text = page.locator(f"#steps [data-step='{threshold}']").text_content()
            assert text == f"{threshold}: {bad} responses, {flagged} claims"
    assert different >= len(THRESHOLDS) - 2
    page.click("#own")
    assert [row[0] for row in shown(page)] == [result.label for result in made]


def test_the_slider_flags_the_words_and_the_lists_again(watched, tmp_path: Path) -> None:
    write_report(results("any"), tmp_path / "r.html", "r", {"threshold": OWN})
    page = watched.open(tmp_path / "r.html")
    expect(page.locator("#threshold-value")).to_have_text("0.50")
    expect(page.locator("#own")).to_have_attribute("aria-pressed", "true")
    page.evaluate("choose(responses.find((row) => row.claims.some((claim) => claim.p_inconsistent === 0.55)))")
    chosen = page.evaluate("state.response.n")
    before = page.locator("#text .claimed.Entailment").count()
    page.focus("#threshold")
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#threshold-value")).to_have_text("0.60")
    expect(page.locator("#own")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("state.response.n") == chosen
    assert page.locator("#text .claimed.Entailment").count() > before
    share = page.locator(f"#row-{chosen} .share:not(.score)")
    expect(share).to_contain_text(
        f"{page.evaluate('state.response.flagged')}/{page.evaluate('state.response.claims.length')}"
    )
    page.click("#steps [data-step='0.3']")
    expect(page.locator("#steps [data-step='0.3']")).to_have_attribute("aria-pressed", "true")
    page.click("#own")
    expect(page.locator("#threshold-value")).to_have_text("0.50")
    assert page.locator("#text .claimed.Entailment").count() == before


def test_a_filter_by_label_follows_the_threshold(watched, tmp_path: Path) -> None:
    write_report(results("any"), tmp_path / "r.html", "r", {"threshold": OWN})
    page = watched.open(tmp_path / "r.html")
    page.click("#flagged")
    before = page.evaluate("state.shown.length")
    page.click("#steps [data-step='0.3']")
    after = page.evaluate("state.shown.length")
    assert after > before
    assert page.evaluate("state.shown.every((row) => row.claims.some((claim) => claim.flagged))")
    until(page, "location.hash.includes('threshold=0.3')")
    page.reload()
    assert page.evaluate("[state.threshold, state.shown.length]") == [0.3, after]


def test_without_a_number_the_verdicts_of_the_run_stay_until_the_slider_moves(watched, tmp_path: Path) -> None:
    made = results("any")
    write_report(made, tmp_path / "r.html", "r", {"threshold": "block"})
    page = watched.open(tmp_path / "r.html")
    expect(page.locator("#threshold-value")).to_have_text("of the run")
    given = [[[j.label, j.flagged] for j in result.judgements] for result in made if result.judgements]
    rows = "responses.filter((row) => row.claims[0]?.label !== undefined && row.n % 17 !== 5 && row.claims.length)"
    assert page.evaluate(f"{rows}.map((row) => row.claims.map((claim) => [claim.label, claim.flagged]))") == given
