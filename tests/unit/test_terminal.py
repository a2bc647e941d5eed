"""What a terminal and a pipe show of a result."""

import signal
from dataclasses import replace
from pathlib import Path

import pytest

from graph_eval.cli.interrupt import Interrupt
from graph_eval.cli.options import opened_sinks
from graph_eval.cli.terminal import Summary, annotated, console, flagged_spans, print_result, quote, unsupported_words
from graph_eval.types import (
    Claim,
    Evidence,
    Example,
    Finding,
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

TEXT = "Books are  lent for four weeks. Readers pay."
SENTENCE = Span(0, 31)
WORDS = {"books": (0, 5), "are": (6, 9), "are ": (6, 11), "lent": (11, 15), "weeks": (20, 30), " ": (9, 10)}


def finding(words: str, label: Label, unsupported: tuple[Span, ...] = ()) -> Finding:
    spans = [Span(*WORDS[word]) for word in words.split(",")]
    slots = tuple(Slot(span.of(TEXT), (span,)) for span in (spans * 3)[:3])
    claim = Claim.triplet("t", slots, words, SENTENCE)  # type: ignore[arg-type]
    return Finding(claim, Judgement(claim.id, label, 0.9, flagged=True, unsupported=unsupported))


def result(*findings: Finding) -> Result:
    example = Example("e", "d", TEXT, (Passage.of("x"),))
    claims, judgements = zip(*((found.claim, found.judgement) for found in findings), strict=True)
    return Result(0, example, claims, judgements, Label.CONTRADICTION, 0.9)


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        ("books,are", "lent", "[[Books are lent]] for four weeks. Readers pay."),
        ("books,are ", "lent", "[[Books are lent]] for four weeks. Readers pay."),
        ("books", " ,lent", "[[Books]] are [[lent]] for four weeks. Readers pay."),
        (" ", "lent", "Books are [[lent]] for four weeks. Readers pay."),
        ("books", "weeks", "[[Books]] are lent for [[four weeks]]. Readers pay."),
    ],
)
def test_marks_in_a_pipe_are_whole_and_never_empty(first: str, second: str, shown: str) -> None:
    found = result(finding(first, Label.CONTRADICTION), finding(second, Label.NEUTRAL))
    assert annotated(found, colour=False).plain == shown


@pytest.mark.parametrize(
    ("response", "marked", "shown"),
    [
        ("The van is red.", ("van", "red"), "The [[van]] is [[red]]."),
        ("She sold the van.", ("sold", "van"), "She [[sold the van]]."),
        ("It **is** red.", ("is", "red"), "It **[[is** red]]."),
        ("It is red. Vans are.", ("red.", "Vans"), "It is [[red.]] [[Vans]] are."),
        ("- red\n- blue", ("red", "blue"), "- [[red]]\n- [[blue]]"),
        ("Red.\n\n\tBlue \x1b.\n", ("Blue",), "Red.\n[[Blue]] \\x1b.\n"),
    ],
)
def test_marks_end_with_the_sentence_or_line_and_lines_are_kept(
    response: str, marked: tuple[str, ...], shown: str
) -> None:
    spans = tuple(Span(response.index(words), response.index(words) + len(words)) for words in marked)
    claim = Claim.triplet("t", tuple(Slot("x", spans) for _ in range(3)), "x", Span(0, len(response)))  # type: ignore[arg-type]
    judged = Judgement(claim.id, Label.NEUTRAL, 0.9, flagged=True)
    one = Result(0, Example("e", "d", response, ()), (claim,), (judged,), Label.NEUTRAL, 0.9)
    assert annotated(one, colour=False).plain == shown


def test_every_line_of_a_response_is_told_from_ours(capsys: pytest.CaptureFixture[str]) -> None:
    response = "- Paris.\n✓ Entailment    0.01  Paris"
    print_result(console(), Result(0, Example("e", "d", response, ()), (), (), Label.ABSTAIN, None))
    assert capsys.readouterr().out.splitlines()[1:3] == ["  │ - Paris.", "  │ ✓ Entailment 0.01 Paris"]


def test_in_colour_labels_stay_apart() -> None:
    found = result(finding("books,are", Label.CONTRADICTION), finding("lent", Label.NEUTRAL))
    assert flagged_spans(found) == [(Span(0, 9), Label.CONTRADICTION), (Span(11, 15), Label.NEUTRAL)]
    assert annotated(found, colour=True).plain == "Books are lent for four weeks. Readers pay."


def test_unsupported_words_are_listed_unless_they_are_the_whole_claim() -> None:
    some = finding("books,weeks", Label.NEUTRAL, (Span(20, 24),))
    assert unsupported_words(some, TEXT) == ["“four”"]
    assert unsupported_words(finding("lent", Label.NEUTRAL, (Span(11, 15),)), TEXT) == []


def test_an_uncertain_claim_is_counted_and_marked(capsys: pytest.CaptureFixture[str]) -> None:
    flagged = finding("books,are", Label.CONTRADICTION)
    claims = [finding("lent", Label.ENTAILMENT).claim, finding("weeks", Label.ENTAILMENT).claim]
    others = [
        Finding(claim, Judgement(claim.id, Label.ENTAILMENT, p, flagged=False))
        for claim, p in zip(claims, (0.3, 0.29), strict=True)
    ]
    found = result(flagged, *others)
    assert [one.uncertain for one in found.findings] == [False, True, False]
    print_result(console(), found, everything=True)
    heading, _, *lines = capsys.readouterr().out.splitlines()
    assert heading.endswith("1 of 3 claims flagged, 1 uncertain")
    assert [line.split()[0] for line in lines if line] == ["✗", "~", "✓"]
    summary = Summary()
    summary.add(found)
    summary.print(console())
    counts = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["uncertain", "1"] in counts


def test_long_evidence_is_cut_around_the_words_that_were_found() -> None:
    passage = "first word " + "filler " * 100 + "Readers pay nine euros " + "more " * 100
    start = passage.index("Readers")
    location = Location("object", Match.EXACT, (Span(start, start + 22),))
    evidence = Evidence("p", Span(0, len(passage)), Scores(0.1, 0.1, 0.8), (location,))
    shown = quote(passage, evidence)
    assert "Readers pay nine euros" in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) < 280
    unbroken = Evidence("p", Span(0, 5000), Scores(1, 0, 0))
    assert len(quote("x" * 5000, unbroken)) < 300
    assert quote("short", Evidence("p", Span(0, 5), Scores(1, 0, 0))) == "short"
    assert quote(passage, Evidence("p", Span(0, len(passage)), Scores(1, 0, 0))).startswith("first word")


def interrupted_in_native_code() -> None:
    handler = signal.getsignal(signal.SIGTERM)
    assert isinstance(handler, Interrupt)
    try:
        handler(signal.SIGTERM, None)
    except KeyboardInterrupt:
        raise RuntimeError("an error of native code") from None


def test_a_signal_that_native_code_turned_into_another_error_still_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = signal.signal(signal.SIGTERM, Interrupt())
    try:
        with pytest.raises(ValueError, match="its own"), opened_sinks(tmp_path, None):
            raise ValueError("an error of its own")
        assert capsys.readouterr().err == ""
        with pytest.raises(RuntimeError), opened_sinks(tmp_path, None):
            interrupted_in_native_code()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert f"run the same command again to complete {tmp_path}" in capsys.readouterr().err


@pytest.mark.parametrize(("label", "title"), [(Label.CONTRADICTION, "context"), (Label.NEUTRAL, "closest")])
def test_what_the_context_does_not_decide_is_only_the_closest(
    label: Label, title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = finding("books", label)
    passage = Passage.of("Books are lent for two weeks.")
    evidence = (Evidence(passage.id, Span(0, 29), Scores(0.1, 0.2, 0.7)),)
    judgement = replace(found.judgement, evidence=evidence)
    example = Example("e", "d", TEXT, (passage,))
    print_result(console(), Result(0, example, (found.claim,), (judgement,), label, 0.9))
    assert f"{title}: “Books are lent for two weeks.”" in capsys.readouterr().out
