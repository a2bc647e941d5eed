"""The builtin checker apart from its model: features, calibration, and which windows are read when."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_eval import GraphEval
from graph_eval.checkers.builtin import VERBATIM, BuiltinChecker, ClaimReading, Hypothesis, Premise, tells
from graph_eval.checkers.calibration import Calibration, probability
from graph_eval.checkers.features import MAX_LOG_ODDS, Features, features, log_odds
from graph_eval.checkers.merge import labelled
from graph_eval.nli.scorer import OnnxScorer, Piece, Reading
from graph_eval.resources import folder
from graph_eval.text.sentences import sentences
from graph_eval.types import CheckTask, Claim, Judgement, Label, Passage, Scores, Slot, Span, Text

ARTICLE = Passage.of(
    "The tower was opened in 1889. It is made of iron. Two million people visit it every year. "
    "A lift takes them to the top. The view is famous."
)
CALIBRATION = Calibration({"entailment": 1.0, "words": 1.0, "numbers": 2.0}, intercept=0.0)
YES, NO = Scores(0.96, 0.03, 0.01), Scores(0.02, 0.08, 0.9)


def lacks(claim: str, *passages: str) -> float:
    """The share of numbers that the passages lack."""
    hypothesis = Hypothesis(claim, passages, [], [(Premise("", ()), Reading(YES))])
    return hypothesis.features().numbers


def test_the_reading_that_supports_a_claim_best_counts() -> None:
    values = features([Reading(NO), Reading(YES)], None, 0.25)
    assert values.entailment == pytest.approx(-log_odds(0.96))
    assert values.words == values.entailment  # a model without a verdict on words
    assert values.numbers == 0.25


def test_a_claim_is_judged_by_its_own_words() -> None:
    pieces = (Piece(0, 5, -3.0), Piece(6, 9, 2.0), Piece(10, 14, -1.0))
    assert features([Reading(NO, pieces)], [Span(0, 5), Span(12, 14)]).words == -1.0
    assert features([Reading(NO, pieces)], None).words == 2.0
    assert features([Reading(NO, pieces)], [Span(0, 5), Span(12, 14)]).apart == -1.0  # the doubt lies on another word
    assert features([Reading(NO, (*pieces, Piece(15, 19, 3.0)))], [Span(6, 9)]).apart == 0.0  # it lies on both
    assert features([Reading(NO, pieces)], [Span(20, 22)]).words == 2.0  # none of them: all words count


def test_words_that_one_premise_supports_are_supported() -> None:
    wrong, right = Reading(NO, (Piece(0, 5, 3.0),)), Reading(YES, (Piece(0, 5, -2.0),))
    assert features([wrong, right], None).words == -2.0


def test_a_number_in_other_words_is_no_other_number() -> None:
    assert lacks("Three million people visit it.", ARTICLE.text) == 1.0
    assert lacks("2,000,000 people visit it.", ARTICLE.text) == 0.0


def test_a_number_may_stand_in_any_passage() -> None:
    assert lacks("12 of 40 came.", "There were 40.", "Only 12 came.") == 0.0
    assert lacks("12 of 41 came.", "There were 40.", "Only 12 came.") == 0.5


@pytest.mark.parametrize(
    ("stated", "claimed"), [("235, 000 people", "235,000 people"), ("7. 5 per cent", "7.5 per cent")]
)
def test_a_number_that_a_tokeniser_split_is_stated(stated: str, claimed: str) -> None:
    assert lacks(claimed, f"There were {stated} there.") == 0.0
    assert lacks("236,000 people", f"There were {stated} there.") == 1.0


@pytest.mark.parametrize(
    ("claim", "share"),
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
def test_only_numbers_that_count_something_are_missed(claim: str, share: float) -> None:
    assert lacks(claim, "It spread.") == share


probabilities = st.floats(0.01, 0.98)
readings = st.builds(
    lambda e, c, odds: Reading(
        Scores(e, 1 - e - (1 - e) * c, (1 - e) * c),
        tuple(Piece(5 * place, 5 * place + 4, value) for place, value in enumerate(odds)),
    ),
    probabilities,
    probabilities,
    st.lists(st.floats(-9, 9), min_size=3, max_size=3),
)


@given(st.lists(readings, min_size=2, max_size=4), st.sampled_from([None, [Span(0, 4)], [Span(7, 12)]]))
def test_one_more_premise_never_raises_the_doubt(read: list[Reading], own: list[Span] | None) -> None:
    for count in range(1, len(read)):
        before, after = (features(read[:size], own)._replace(apart=0.0) for size in (count, count + 1))
        assert all(new <= old for new, old in zip(after, before, strict=True))


@given(st.lists(readings, min_size=1, max_size=4), st.sampled_from([[Span(0, 4)], [Span(7, 12)]]))
def test_a_claim_is_never_more_doubtful_than_its_sentence(read: list[Reading], own: list[Span]) -> None:
    claim, sentence = features(read, own), features(read, None)
    assert all(part <= whole for part, whole in zip(claim, sentence, strict=True))
    assert sentence.apart == 0.0


def test_certainty_has_an_end() -> None:
    assert log_odds(1.0) == MAX_LOG_ODDS
    assert log_odds(0.0) == -MAX_LOG_ODDS
    assert features([Reading(YES, (Piece(0, 5, 99.0),))], None).words == MAX_LOG_ODDS


def test_larger_features_never_lower_the_odds() -> None:
    low, high = (Features(*[value] * len(Features._fields)) for value in (0.0, 1.0))
    assert CALIBRATION.log_odds(high) == 4.0
    assert CALIBRATION.log_odds(low) == 0.0


def test_the_shipped_weights_are_of_known_signs_and_never_negative() -> None:
    from graph_eval.resources import folder

    path = folder("weights/nli") / "calibration.json"
    shipped = Calibration.read(path)
    assert set(shipped.weights) == set(Features._fields)
    assert min(shipped.weights.values()) >= 0.0
    assert "ragtruth" in json.loads(path.read_text("utf-8"))["fitted_on"]


def test_weights_are_read_from_json(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps({"weights": {"words": 0.5}, "intercept": -1}))
    assert Calibration.read(path) == Calibration({"words": 0.5}, -1)


def test_probabilities_stay_between_zero_and_one() -> None:
    assert 0.0 < probability(-1e6) < 1e-9
    assert 1.0 - 1e-9 < probability(1e6) <= 1.0


class WordReader:
    """Stands for the model: a word is supported if the premise holds it; P(entailment) is the share of such words."""

    fingerprint = "words"

    def __init__(self) -> None:
        self.calls: list[list[tuple[str, str]]] = []

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        self.calls.append(list(pairs))
        found = []
        for premise, text in pairs:
            words = [(match[0].lower() in premise.lower(), match.span()) for match in re.finditer(r"\w+", text)]
            share = 0.98 * sum(held for held, _ in words) / len(words) + 0.01
            pieces = tuple(Piece(start, end, -3.0 if held else 3.0) for held, (start, end) in words)
            found.append(Reading(Scores(share, 0.9 * (1 - share), 0.1 * (1 - share)), pieces))
        return found


def builtin(threshold: float = 0.5) -> tuple[BuiltinChecker, WordReader]:
    checker, reader = BuiltinChecker(threshold=threshold, calibration=CALIBRATION), WordReader()
    checker.scorer = reader  # type: ignore[assignment]
    return checker, reader


def triplets(sentence: str, *parts: tuple[str, str, str], passages: Sequence[Passage] = (ARTICLE,)) -> CheckTask:
    """The claims of one sentence; each part stands in it word for word."""
    claims = []
    for number, texts in enumerate(parts):
        spans = [Span(sentence.index(text), sentence.index(text) + len(text)) for text in texts]
        slots = tuple(Slot(text, (span,)) for text, span in zip(texts, spans, strict=True))
        wording = " ".join(texts) + "."
        claims.append(Claim.triplet(f"t{number}", (slots[0], slots[1], slots[2]), wording, Span(0, len(sentence))))
    return CheckTask(Text("t", sentence), tuple(claims), tuple(passages))


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
    job = triplets("The tower was opened in 1889.", ("The tower", "was opened in", "1889"))
    judgement = judged(checker, job)
    assert (reader.calls, judgement.reason) == ([], VERBATIM)


def test_a_sentence_is_read_once_for_all_its_triplets() -> None:
    checker, reader = builtin()
    sentence = "The iron tower opened in 1889 and people visit it."
    checker.check([triplets(sentence, ("The iron tower", "opened in", "1889"), ("people", "visit", "it"))])
    assert [hypothesis for _, hypothesis in reader.calls[0]] == [sentence]
    assert len({pair for call in reader.calls for pair in call}) == sum(map(len, reader.calls))


def test_of_an_undecided_sentence_the_part_of_each_triplet_is_read() -> None:
    tower = ("The iron tower", "was", "opened")
    zebras, people = ("seven zebras", "visit", "the moon"), ("people", "visit", "it")
    wrong = "The iron tower was opened and then seven zebras visit the moon."
    for sentence, second, parts in (
        (wrong, zebras, {"The iron tower was opened", "seven zebras visit the moon"}),
        ("The iron tower was opened; people visit it.", people, set()),
    ):
        checker, reader = builtin()
        checker.check([triplets(sentence, tower, second)])
        assert {hypothesis for call in reader.calls for _, hypothesis in call} == {sentence, *parts}


def test_a_right_half_does_not_hide_a_wrong_one() -> None:
    checker = BuiltinChecker()
    passage = Passage.of("Tickets are £14. On Tuesdays, people under 26 pay £8. The last show is on 22 November.")
    sentence = "Tickets start at £14, and people under 26 pay £8 for any performance."
    job = triplets(
        sentence,
        ("Tickets", "start at", "£14"),
        ("people under 26", "pay", "£8 for any performance"),
        passages=[passage],
    )
    first, second = checker.check([job])[0]
    assert (first.flagged, second.flagged) == (False, True)


def test_the_triplet_with_the_wrong_words_is_flagged() -> None:
    checker, _ = builtin()
    sentence = "The iron tower opened in 1889 and zebras visit it."
    first, second = checker.check(
        [triplets(sentence, ("The iron tower", "opened in", "1889"), ("zebras", "visit", "it"))]
    )[0]
    assert first.p_inconsistent is not None
    assert second.p_inconsistent is not None
    assert first.p_inconsistent < second.p_inconsistent
    assert (first.flagged, second.flagged) == (False, True)


def test_windows_are_read_while_the_sentence_is_undecided_that_of_the_best_passage_first() -> None:
    other = Passage.of("Visitors come from the moon. It is far. It is cold. Nobody knows.")
    checker, reader = builtin()
    judged(checker, whole("Zebras of the iron tower visit the cold.", ARTICLE, other))
    (gathered,), (best,), (last,), single = ([premise for premise, _ in call] for call in reader.calls)
    assert "iron" in gathered
    assert "It is cold." in gathered
    assert best in ARTICLE.text
    assert last == "Visitors come from the moon. It is far. It is cold."
    assert "It is cold." in single  # for the evidence, once the claim is doubted
    checker, reader = builtin()
    judged(checker, whole("The iron tower was opened.", ARTICLE, other))
    assert len(reader.calls) == 1


def test_a_stricter_threshold_reads_on() -> None:
    other = Passage.of("Iron is far. It is cold. Nobody knows.")
    checker, reader = builtin(threshold=0.0001)
    judged(checker, whole("The iron tower was opened.", ARTICLE, other))
    assert len(reader.calls) == 4


def test_the_mark_of_a_source_changes_nothing() -> None:
    passage = Passage.of("The ferry leaves at nine and returns at six.")
    ge = GraphEval()
    plain, cited = (
        ge.check(f"The ferry goes back at seven{mark}.", passage.text).findings[0].judgement.p_inconsistent
        for mark in ("", " [2]")
    )
    assert plain == cited


def test_a_premise_is_read_once() -> None:
    checker, reader = builtin()
    judged(checker, whole("Zebras visit the iron tower.", Passage.of("The tower is of iron.")))
    assert [premise for call in reader.calls for premise, _ in call] == ["The tower is of iron."]


LIGHTHOUSE = (
    "The Skerra lighthouse was built between 1857 and 1861 by the engineer Marta Lindqvist. It stands 38 metres tall "
    "on a granite islet nine kilometres off the coast. The lamp was automated in 1979."
)
BOTANIST = (
    "Signe Arvidsen was a Danish botanist. On her second voyage the ship Havfruen was crushed by ice and the captain "
    "lost a foot. She never married, and left her herbarium to the university."
)


@pytest.mark.parametrize(
    ("response", "context", "decides"),
    [
        ("The Skerra lighthouse is 48 metres tall.", LIGHTHOUSE, "It stands 38 metres tall"),
        ("The Skerra lighthouse was built by the captain Ole Ness.", LIGHTHOUSE, "The Skerra lighthouse was built"),
        ("Signe Arvidsen married the captain of the Havfruen.", BOTANIST, "She never married"),
        (
            "Members of the Tarn club pay 40 crowns a year.",
            "The Tarn club was founded in 1990 by members of a choir. The fee is 60 crowns each year. It has a boat.",
            "The fee is 60 crowns",
        ),
    ],
)
def test_the_evidence_of_a_flagged_claim_is_the_one_sentence_that_decides(
    response: str, context: str, decides: str
) -> None:
    found = [finding.judgement for finding in GraphEval().check(response, context).findings]
    judgement = max(found, key=lambda judgement: judgement.p_inconsistent or 0.0)
    assert judgement.flagged
    shown = judgement.evidence[0].span.of(context)
    assert shown.startswith(decides)
    assert len(list(sentences(shown))) == 1


def test_the_passage_that_decides_comes_first_whatever_their_order() -> None:
    passages = ["Signe Arvidsen was a Danish botanist. She loved the sea.", "Arvidsen never married anyone."]
    for order in (passages, passages[::-1]):
        (found,) = GraphEval().check("Signe Arvidsen married a captain.", order).findings
        assert found.judgement.evidence[0].passage_id == Passage.of(passages[1]).id


def test_the_scores_of_the_evidence_of_a_flagged_claim_are_those_of_its_sentence() -> None:
    ge = GraphEval()
    (found,) = ge.check("The Skerra lighthouse is 48 metres tall.", LIGHTHOUSE).findings
    (evidence,) = found.judgement.evidence
    (alone,) = OnnxScorer(folder("weights/nli")).read(
        [(evidence.span.of(LIGHTHOUSE), "The Skerra lighthouse is 48 metres tall.")]
    )
    assert evidence.scores == pytest.approx(alone.scores, abs=1e-5)


def test_of_many_passages_each_keeps_a_sentence() -> None:
    passages = [f"Street {number} has trees. The tower is {number} metres tall. It rains." for number in range(3, 6)]
    (found,) = GraphEval().check("The tower is 48 metres tall.", passages).findings
    assert found.judgement.flagged
    assert {entry.passage_id for entry in found.judgement.evidence} == {Passage.of(text).id for text in passages}
    for entry in found.judgement.evidence:
        text = next(text for text in passages if Passage.of(text).id == entry.passage_id)
        assert entry.span.of(text).startswith("The tower is")


def test_for_a_claim_that_is_not_flagged_no_single_sentence_is_read() -> None:
    checker, reader = builtin()
    judgement = judged(checker, whole("The iron tower was opened.", ARTICLE))
    assert not judgement.flagged
    assert len(reader.calls) == 1


def test_a_label_stays_as_long_as_its_flag() -> None:
    (found,) = GraphEval().check("The Skerra lighthouse is 48 metres tall.", LIGHTHOUSE).findings
    assert found.judgement.label is Label.CONTRADICTION
    neutral = replace(found.judgement, label=Label.NEUTRAL)
    assert labelled(neutral, 0.1) == neutral
    assert labelled(neutral, 0.9999).label is Label.ENTAILMENT


def test_of_what_is_gathered_the_evidence_is_what_shares_words_with_the_claim() -> None:
    checker, _ = builtin()
    passages = [Passage.of("The tower is red. It rains."), Passage.of("Bread is baked. Zoe owns an oven.")]
    sentence = "The tower is green and Zoe owns a boat."
    job = triplets(sentence, ("The tower", "is", "green"), ("Zoe", "owns", "a boat"), passages=passages)
    for judgement, passage, words in zip(checker.check([job])[0], passages, ("tower", "Zoe"), strict=True):
        (entry,) = (entry for entry in judgement.evidence if entry.passage_id == passage.id)
        assert words in entry.span.of(passage.text)


def test_equal_pairs_are_read_once() -> None:
    checker, reader = builtin()
    checker.check([whole("Iron people visit the moon.", ARTICLE)] * 3)
    pairs = [pair for call in reader.calls for pair in call]
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize(
    "passages",
    [
        ["Bread is baked in an oven. It is hot. It is old. It is big. Zoe owns the oven."],
        ["Bread is baked in an oven.", "Zoe owns the oven."],
    ],
)
def test_what_lies_apart_is_gathered(passages: list[str]) -> None:
    checker, _ = builtin()
    judgement = judged(checker, whole("Bread is baked in an oven Zoe owns.", *map(Passage.of, passages)))
    assert not judgement.flagged
    assert {entry.passage_id for entry in judgement.evidence} == {Passage.of(text).id for text in passages}


def test_the_passage_that_supports_a_claim_best_decides() -> None:
    checker, _ = builtin()
    other = Passage.of("Bread is baked in an oven.")
    claim = "Zebras of the iron tower visit the top."
    both = judged(checker, whole(claim, other, ARTICLE)).p_inconsistent
    single = [judged(checker, whole(claim, passage)).p_inconsistent or 0.0 for passage in (other, ARTICLE)]
    assert both == min(single)


@pytest.mark.parametrize("passages", [(), (Passage.of(""),), (Passage.of(" \n"),)])
def test_without_a_passage_a_claim_is_unsupported(passages: tuple[Passage, ...]) -> None:
    checker, reader = builtin()
    judgement = judged(checker, whole("Iron.", *passages))
    assert (judgement.flagged, judgement.reason, reader.calls) == (True, "no_passage", [])


def test_the_fingerprint_names_the_calibration() -> None:
    low, high = (BuiltinChecker(calibration=Calibration({"numbers": 2.0}, level)).fingerprint for level in (0.1, 0.2))
    assert low != high


def test_the_unsupported_words_are_those_of_the_response() -> None:
    checker, _ = builtin()
    text = "It is old.  The iron  tower was opened by zebras ."
    start = text.index("The")
    claim = Claim.whole("t", "The iron tower was opened by zebras.", Span(start, len(text)))
    (judgement,) = checker.check([CheckTask(Text("t", text), (claim,), (ARTICLE,))])[0]
    assert judgement.flagged
    assert [span.of(text) for span in judgement.unsupported] == ["by zebras"]


def test_a_triplet_shows_only_its_own_unsupported_words() -> None:
    checker, _ = builtin()
    sentence = "Gnus opened in 1889 and zebras visit it."
    first, second = checker.check([triplets(sentence, ("Gnus", "opened in", "1889"), ("zebras", "visit", "it"))])[0]
    assert [span.of(sentence) for span in first.unsupported] == ["Gnus"]
    assert [span.of(sentence) for span in second.unsupported] == ["zebras"]


@pytest.mark.parametrize(
    ("part", "shown"), [("it", False), ("of the", False), ("up", True), ("his", True), ("4", True)]
)
def test_words_that_say_nothing_are_not_what_is_unsupported(part: str, shown: bool) -> None:
    assert tells(part) is shown


def test_a_supported_claim_shows_no_unsupported_words() -> None:
    text = "Zebras of the iron tower."
    for threshold, shown in ((0.999, []), (0.5, ["Zebras"])):
        checker, _ = builtin(threshold=threshold)
        result = GraphEval(checker=checker, extractor="sentences").check(text, context=ARTICLE.text)
        assert [span.of(text) for span in result.judgements[0].unsupported] == shown


def test_a_lower_threshold_from_outside_shows_the_words_too() -> None:
    checker, _ = builtin(threshold=0.999)
    text = "Zebras of the iron tower."
    result = GraphEval(checker=checker, extractor="sentences", threshold=0.1).check(text, context=ARTICLE.text)
    assert [span.of(text) for span in result.judgements[0].unsupported] == ["Zebras"]


def test_words_of_a_tokenised_response_are_found() -> None:
    checker, _ = builtin()
    text = "The iron tower was n't visited by `` zebras '' ."
    judgement = judged(checker, whole(text, ARTICLE))
    assert judgement.flagged
    assert [span.of(text) for span in judgement.unsupported] == ["visited by `` zebras"]


def test_novelty_is_the_share_of_terms_that_the_best_premise_lacks() -> None:
    hypothesis = Hypothesis("The lift closes at noon.", (), [])
    shares = []
    for premise in ("A king built the tower.", "The Lifts are new.", "The lift closed at noon.", "No lift."):
        hypothesis.add(Premise(premise, ()), Reading(YES))
        shares.append(round(hypothesis.features().novelty, 2))
    assert shares == [1.0, 0.67, 0.0, 0.0]


def test_a_missing_quantity_outweighs_entailment() -> None:
    calibration = Calibration({"entailment": 1.0}, 0.0, number_floor=0.25)
    sure = Features(-4.0, -4.0, 0.0, 0.0, -4.0, 0.0)
    assert calibration.log_odds(sure) == -4.0
    assert calibration.log_odds(sure._replace(numbers=0.5)) == 0.25
    assert calibration.log_odds(sure._replace(numbers=0.5, entailment=2.0)) == 2.0
    assert calibration.fingerprint != Calibration({"entailment": 1.0}, 0.0).fingerprint


@pytest.mark.parametrize("level", [-1.0, 4.0])
def test_the_level_of_words_decides_how_many_are_shown(level: float) -> None:
    pieces = (Piece(0, 5, -3.0), Piece(6, 10, 0.0), Piece(11, 16, 2.0))
    text = "Gnus1 opens doors"
    claim = Claim.whole("t", text, Span(0, len(text)))
    hypothesis = Hypothesis(text, (), [], [(Premise("", ()), Reading(NO, pieces))])
    found = ClaimReading(claim, sentence=hypothesis).unsupported(text, level)
    assert [span.of(text) for span in found] == (["opens doors"] if level == -1.0 else ["doors"])


def test_a_claim_without_a_place_in_the_text_is_read_by_itself() -> None:
    slots = [Slot(part, inferred=True) for part in ("Zebras", "live under", "the Atlantic Ocean")]
    claim = Claim.triplet("t", (slots[0], slots[1], slots[2]), "Zebras live under the Atlantic Ocean.", Span(0, 0))
    (found,) = BuiltinChecker().check([CheckTask(Text("t", ""), (claim,), (ARTICLE,))])
    assert found[0].flagged
