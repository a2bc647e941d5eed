"""The builtin checker apart from its model: features, calibration, and which windows are read when."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_eval.checkers.builtin import VERBATIM, BuiltinChecker
from graph_eval.checkers.calibration import Calibration, probability
from graph_eval.checkers.features import MAX_LOG_ODDS, Features, Reading, features, log_odds, missing_share, negated
from graph_eval.checkers.windows import Window, index
from graph_eval.types import CheckTask, Claim, Judgement, Label, Passage, Scores, Slot, Span, Text

ARTICLE = Passage.of(
    "The tower was opened in 1889. It is made of iron. Two million people visit it every year. "
    "A lift takes them to the top. The view is famous."
)
CALIBRATION = Calibration({"entailment": 1.0, "numbers": 2.0}, intercept=0.0, share=0.5)
YES, NO = Scores(0.96, 0.03, 0.01), Scores(0.02, 0.08, 0.9)


def window(first: int, last: int) -> Window:
    return index(ARTICLE).window(first, last)


def reading(scores: Scores, alignment: float = 0.8, weakest: float = 0.6) -> Reading:
    return Reading(scores, alignment, weakest)


def test_features_are_counted_against_the_passage() -> None:
    values = features("Three million people never visit it.", index(ARTICLE), [(window(2, 3), reading(YES))])
    assert values.numbers == 1.0  # the passage says two million
    assert values.negation == 1.0
    assert values.coverage == pytest.approx(2 / 5)  # three, never
    assert values.entailment == pytest.approx(-log_odds(0.96))
    assert values.alignment == pytest.approx(0.2)


def test_a_number_in_other_words_is_no_other_number() -> None:
    assert features("2,000,000 people visit it.", index(ARTICLE), [(window(2, 3), reading(YES))]).numbers == 0.0


@pytest.mark.parametrize(
    ("stated", "claimed"), [("235, 000 people", "235,000 people"), ("7. 5 per cent", "7.5 per cent")]
)
def test_a_number_that_a_tokeniser_split_is_stated(stated: str, claimed: str) -> None:
    passage = index(Passage.of(f"There were {stated} there."))
    assert features(claimed, passage, [(passage.window(0, 1), reading(YES))]).numbers == 0.0
    assert features("236,000 people", passage, [(passage.window(0, 1), reading(YES))]).numbers == 1.0


@pytest.mark.parametrize(
    ("claim", "lacks"),
    [
        ("There were 12 of them.", 1.0),
        ("There were 1 and 12 of them.", 1.0),
        ("COVID-19 and SARS-CoV-2 spread.", 0.0),
        ("One of them spread first.", 0.0),
        ("It began in the 1930's, in the 20th century.", 0.0),
        ("A 23-year-old came.", 1.0),
        ("About -5 degrees.", 1.0),
    ],
)
def test_only_numbers_that_count_something_are_missed(claim: str, lacks: float) -> None:
    passage = index(Passage.of("It spread."))
    assert features(claim, passage, [(passage.window(0, 1), reading(YES))]).numbers == lacks


def test_what_only_the_window_lacks_is_not_novel() -> None:
    values = features("It was opened in 1889.", index(ARTICLE), [(window(1, 2), reading(NO))])
    assert values.coverage == 1.0
    assert values.novel == 0.0


probabilities = st.floats(0.01, 0.98)
readings = st.builds(
    lambda e, c, a, w: Reading(Scores(e, 1 - e - (1 - e) * c, (1 - e) * c), a, w),
    probabilities,
    probabilities,
    st.floats(-1, 1),
    st.floats(-1, 1),
)


@given(st.lists(st.tuples(st.sampled_from([(0, 1), (1, 2), (0, 3), (2, 5)]), readings), min_size=2, max_size=4))
def test_one_more_window_never_raises_a_feature(read: list[tuple[tuple[int, int], Reading]]) -> None:
    readings = [
        (window(*span), output)
        for span, output in sorted(read, key=lambda entry: (entry[0][1] - entry[0][0], entry[0]))
    ]
    text = "The iron tower has not been visited since 1950."
    for count in range(1, len(readings)):
        before, after = (features(text, index(ARTICLE), readings[:size]) for size in (count, count + 1))
        assert all(new <= old for new, old in zip(after, before, strict=True))


@pytest.mark.parametrize(("text", "expected"), [("He did not go.", True), ("He didn't go.", True), ("He went.", False)])
def test_negation_is_seen(text: str, expected: bool) -> None:
    assert negated(text) is expected


def test_certainty_has_an_end() -> None:
    assert log_odds(1.0) == MAX_LOG_ODDS
    assert log_odds(0.0) == -MAX_LOG_ODDS
    assert missing_share(set(), frozenset()) == 0.0


def test_larger_features_never_lower_the_odds() -> None:
    low, high = (Features(*[value] * len(Features._fields)) for value in (0.0, 1.0))
    assert CALIBRATION.log_odds(high) == 3.0
    assert CALIBRATION.log_odds(low) == 0.0


@pytest.mark.parametrize(("confidence", "expected"), [(1.0, 1.0), (0.5, 0.5), (0.0, 0.0)])
def test_the_less_a_triplet_is_trusted_the_more_its_sentence_counts(confidence: float, expected: float) -> None:
    assert CALIBRATION.combined(triplet=2.0, sentence=0.0, confidence=confidence) == expected


def test_the_shipped_weights_are_of_known_signs_and_never_negative() -> None:
    from graph_eval.resources import folder

    path = folder("weights/nli") / "calibration.json"
    shipped = Calibration.read(path)
    assert set(shipped.weights) == set(Features._fields)
    assert min(shipped.weights.values()) >= 0.0
    assert 0.0 <= shipped.share <= 1.0
    assert json.loads(path.read_text("utf-8"))["fitted_on"] == ["factcc", "polytope", "wice", "heldout"]


def test_weights_are_read_from_json(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps({"weights": {"novel": 0.5}, "intercept": -1, "share": 0.25}))
    assert Calibration.read(path) == Calibration({"novel": 0.5}, -1, 0.25)


def test_probabilities_stay_between_zero_and_one() -> None:
    assert 0.0 < probability(-1e6) < 1e-9
    assert 1.0 - 1e-9 < probability(1e6) <= 1.0


class WordReader:
    """Stands for the model: P(entailment) is the share of the text's words that the premise holds."""

    fingerprint = "words"

    def __init__(self) -> None:
        self.calls: list[list[tuple[str, str]]] = []

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        self.calls.append(list(pairs))
        readings = []
        for premise, text in pairs:
            words = text.lower().rstrip(".").split()
            share = 0.98 * sum(word in premise.lower() for word in words) / len(words) + 0.01
            readings.append(Reading(Scores(share, 0.9 * (1 - share), 0.1 * (1 - share)), share, share))
        return readings


def builtin(threshold: float = 0.5) -> tuple[BuiltinChecker, WordReader]:
    checker, reader = BuiltinChecker(threshold=threshold, calibration=CALIBRATION), WordReader()
    checker.scorer = reader  # type: ignore[assignment]
    return checker, reader


def triplet(sentence: str, text: str, confidence: float = 1.0) -> CheckTask:
    slots = (Slot("a"), Slot("b"), Slot("c"))
    claim = Claim.triplet("t", slots, text, Span(0, len(sentence)), confidence)
    return CheckTask(Text("t", sentence), (claim,), (ARTICLE,))


def whole(text: str, *passages: Passage) -> CheckTask:
    return CheckTask(Text("t", text), (Claim.whole("t", text, Span(0, len(text))),), passages)


def judged(checker: BuiltinChecker, job: CheckTask) -> Judgement:
    return checker.check([job])[0][0]


def test_what_is_stated_word_for_word_needs_no_model() -> None:
    checker, reader = builtin(threshold=0.0)
    judgement = judged(checker, whole("It is made of iron.", ARTICLE))
    assert reader.calls == []
    assert (judgement.label, judgement.p_inconsistent, judgement.reason) == (Label.ENTAILMENT, 0.0, VERBATIM)
    assert judgement.evidence[0].span.of(ARTICLE.text) == "It is made of iron."


def test_a_triplet_of_a_copied_sentence_is_supported_with_it() -> None:
    checker, reader = builtin()
    judgement = judged(checker, triplet("The tower was opened in 1889.", "1889 opened tower."))
    assert (reader.calls, judgement.reason) == ([], VERBATIM)


def test_a_triplet_of_a_supported_sentence_is_not_read() -> None:
    checker, reader = builtin()
    judgement = judged(checker, triplet("The tower opened in 1889.", "garbled words nowhere found."))
    assert judgement.label is Label.ENTAILMENT
    assert [pair[1] for call in reader.calls for pair in call] == ["The tower opened in 1889."]


def test_a_triplet_of_an_unsupported_sentence_is_judged_with_it() -> None:
    sentence, text = "The tower was closed twice by Napoleon Bonaparte in 1889.", "The tower was in 1889."
    checker, _ = builtin()
    alone = judged(checker, whole(sentence, ARTICLE)).p_inconsistent
    trusted, doubted = (judged(checker, triplet(sentence, text, confidence)) for confidence in (1.0, 0.0))
    assert alone is not None
    assert trusted.p_inconsistent is not None
    assert trusted.p_inconsistent < alone
    assert doubted.p_inconsistent == alone


def test_a_flagged_triplet_shows_its_own_evidence() -> None:
    checker, _ = builtin()
    flagged = judged(checker, triplet("Zebras and gnus gallop.", "Lift to the moon."))
    assert flagged.flagged
    assert "lift" in flagged.evidence[0].span.of(ARTICLE.text).lower()


def test_larger_windows_are_read_while_the_claim_is_undecided() -> None:
    checker, reader = builtin()
    judged(checker, whole("Iron people visit the moon.", ARTICLE))
    assert len(reader.calls) == 2
    checker, reader = builtin()
    judged(checker, whole("The tower opened in 1889.", ARTICLE))
    assert len(reader.calls) == 1


def test_a_stricter_threshold_reads_on() -> None:
    checker, reader = builtin(threshold=0.01)
    judged(checker, whole("The tower opened in 1889.", ARTICLE))
    assert len(reader.calls) == 2


def test_equal_pairs_are_read_once() -> None:
    checker, reader = builtin()
    checker.check([whole("Iron people visit the moon.", ARTICLE)] * 3)
    assert [len(call) for call in reader.calls] == [1, 1]


def test_the_passage_that_supports_a_claim_best_decides() -> None:
    checker, _ = builtin()
    other = Passage.of("Bread is baked in an oven.")
    claim = "Iron bread is baked in the oven of the tower."
    both = judged(checker, whole(claim, other, ARTICLE)).p_inconsistent
    single = [judged(checker, whole(claim, passage)).p_inconsistent or 0.0 for passage in (other, ARTICLE)]
    assert both == min(single)


@pytest.mark.parametrize("passages", [(), (Passage.of(""),), (Passage.of(" \n"),)])
def test_without_a_passage_a_claim_is_unsupported(passages: tuple[Passage, ...]) -> None:
    checker, reader = builtin()
    judgement = judged(checker, whole("Iron.", *passages))
    assert (judgement.flagged, judgement.reason, reader.calls) == (True, "no_passage", [])


def test_the_fingerprint_keeps_the_string_that_identifies_earlier_runs() -> None:
    calibration = Calibration({"numbers": 2.0}, 0.5, 0.25, {"loose": 0.7})
    expected = "Judge(weights={'numbers': 2.0}, intercept=0.5, share=0.25, thresholds={'loose': 0.7})"
    assert calibration.fingerprint == expected
    checker = BuiltinChecker(calibration=calibration)
    assert checker.fingerprint == f"{checker.scorer.fingerprint}:windows-2:(1, 3):3:builtin-3:0.4:{expected}"
